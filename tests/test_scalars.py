"""What clients may send for a number, a boolean, a guid, a text."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as some

from gamekeeper.errors import InvalidBody, InvalidQuery
from gamekeeper.scalars import read, shallow
from gamekeeper.shapes import Body, Paging


class Order(Body, frozen=True, kw_only=True):
    item_id: UUID
    quantity: int
    bank_overflow: bool = False
    note: str | None = None


ITEM = "6f1f4a6e-0000-4000-8000-000000000001"
GOOD = {"itemid": ITEM, "quantity": 5}


def test_keys_match_in_any_letter_case_and_unknown_ones_are_ignored():
    order = read(
        Order, {"ITEMID": ITEM, "Quantity": "5", "BankOverflow": "TRUE", "x": 1}, InvalidBody
    )

    assert order == Order(item_id=UUID(ITEM), quantity=5, bank_overflow=True)


@pytest.mark.parametrize(
    "raw", [True, 1.0, "1.0", "1e2", "", " 5", "+5", "٥", [], {}, 2**31, "9" * 30]
)
def test_what_is_no_int_is_refused_by_the_contracts_name(raw):
    with pytest.raises(InvalidBody, match="'quantity' must be an integer"):
        read(Order, GOOD | {"quantity": raw}, InvalidBody)


@pytest.mark.parametrize("raw", [0, 1, "1", "yes", "", [], 1.0])
def test_what_is_no_boolean_is_refused(raw):
    with pytest.raises(InvalidBody, match="'bankoverflow' must be true or false"):
        read(Order, GOOD | {"bankoverflow": raw}, InvalidBody)


@pytest.mark.parametrize(
    "raw", ["", "abc", ITEM[:-1], ITEM + "0", f"({ITEM})", 5, ITEM.replace("-", "_")]
)
def test_what_is_no_guid_is_refused(raw):
    with pytest.raises(InvalidBody, match="'itemid' must be a guid"):
        read(Order, GOOD | {"itemid": raw}, InvalidBody)


def test_null_and_absence_are_the_same():
    with pytest.raises(InvalidBody, match="'quantity' is required"):
        read(Order, GOOD | {"quantity": None}, InvalidBody)
    assert read(Order, GOOD | {"note": None}, InvalidBody).note is None


def test_nul_is_no_text():
    with pytest.raises(InvalidBody, match="'note'"):
        read(Order, GOOD | {"note": "a\x00b"}, InvalidBody)


@given(some.integers())
def test_numbers_in_the_query_are_clamped_not_refused(number):
    text = str(number)
    if len(text.lstrip("-")) <= 19:
        window = read(Paging, {"pageSize": text, "page": text}, InvalidQuery, bounded=False).window
        assert 1 <= window.size <= 100
        assert 0 <= window.page <= 2**31 - 1


@given(some.integers(0, 80))
def test_depth_is_counted(depth):
    value: object = 1
    for _ in range(depth):
        value = [value]
    assert shallow(value) == (depth <= 32)
