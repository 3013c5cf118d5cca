"""From where a request comes, and when two of them are the same."""

from ipaddress import ip_network

import pytest

from gamekeeper.http.requests import Request

TRUSTED = [ip_network("10.0.0.0/8"), ip_network("fd00::/8")]


def address(peer: str, *lines: str) -> str:
    scope = {
        "method": "GET",
        "path": "/",
        "query_string": b"",
        "headers": [(b"x-forwarded-for", line.encode()) for line in lines],
        "client": (peer, 1),
    }
    return Request.of(scope, TRUSTED).address


@pytest.mark.parametrize(
    ("peer", "lines", "expected"),
    [
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.7"], "203.0.113.7"),
        ("10.0.0.1", ["198.51.100.1, 203.0.113.7"], "203.0.113.7"),
        ("10.0.0.1", ["203.0.113.7, 10.0.0.2"], "203.0.113.7"),
        # Several lines are one list: each proxy may add a line instead of a part.
        ("10.0.0.1", ["198.51.100.1", "203.0.113.7"], "203.0.113.7"),
        ("10.0.0.1", ["203.0.113.7", "10.0.0.2"], "203.0.113.7"),
        ("10.0.0.1", ["198.51.100.1, 203.0.113.7", "10.0.0.3,", "10.0.0.2"], "203.0.113.7"),
        # A socket for both families shows IPv4 so.
        ("::ffff:10.0.0.1", ["203.0.113.7"], "203.0.113.7"),
        ("10.0.0.1", ["203.0.113.7, ::ffff:10.0.0.2"], "203.0.113.7"),
        ("10.0.0.1", ["::ffff:203.0.113.7"], "203.0.113.7"),
        ("::FFFF:203.0.113.7", [], "203.0.113.7"),
        ("fd00::1", ["2001:db8::7"], "2001:db8::7"),
        # Who is no proxy of ours is not believed.
        ("203.0.113.7", ["198.51.100.1"], "203.0.113.7"),
        ("::ffff:203.0.113.7", ["198.51.100.1"], "203.0.113.7"),
        ("10.0.0.1", ["198.51.100.1", "unknown"], "10.0.0.1"),
        ("", ["198.51.100.1"], ""),
    ],
)
def test_the_address_is_the_last_that_is_no_proxy_of_ours(peer, lines, expected):
    assert address(peer, *lines) == expected


def fingerprint(**fields: object) -> str:
    return Request(
        id="1",
        method="POST",
        raw_path=b"/x",
        query_string=b"",
        headers={},
        peer="",
        fields=fields,
    ).fingerprint


def test_fields_in_another_order_or_case_are_the_same_request():
    assert fingerprint(itemid="a", quantity=1) == fingerprint(QUANTITY=1, itemId="a")
    assert fingerprint(quantity=1) != fingerprint(quantity=2)


def test_of_several_spellings_the_last_counts_whatever_their_types():
    assert fingerprint(quantity=1, QUANTITY="1") == fingerprint(quantity="1")
    assert fingerprint(quantity=None, QUANTITY=[1]) == fingerprint(quantity=[1])
