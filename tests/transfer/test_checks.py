"""The rules for single lines that are pure."""

import pytest

from gamekeeper.players import sheet
from gamekeeper.transfer import checks
from gamekeeper.transfer.lines import FLAT, PlayerLine
from gamekeeper.users import emails
from gamekeeper.users.emails import InvalidEmail

ADDRESSES = [
    *("ana@example.com", "A.b+c@Example.COM", "x_y-z@sub.example.org", "a@münchen.de"),
    *("a..b@example.com", ".a@example.com", "a@example", "a@localhost", "@example.com", "a@"),
    *("a@-x.com", "ä@example.com", '"a b"@example.com', "a@b@example.com", "a b@example.com"),
    *("x" * 65 + "@example.com", "a@" + "x" * 260 + ".com", "", "a@exa_mple.com", "a@1.2.3.4"),
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_is_judged_as_at_registration(address):
    """By a shorter way, because there may be a million."""
    assert _judged(checks.normal_email, address) == _judged(emails.normal, address)


def _judged(judge, address: str) -> str:
    try:
        return judge(address)
    except InvalidEmail:
        return "refused"


def test_a_line_has_every_field_of_the_sheet():
    assert {*sheet.FIELDS} <= {*PlayerLine.__struct_fields__}
    assert {*sheet.FIELDS} <= {*FLAT}
