"""What clients may send for a number, a boolean, a guid, a text."""

from datetime import UTC, datetime
from typing import Literal
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as some

from gamekeeper.core.errors import InvalidBody, InvalidQuery
from gamekeeper.core.parsing import read, shallow
from gamekeeper.core.schemas import Body, Paging


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


class Spot(Body, frozen=True, kw_only=True):
    place: Literal["inventory", "bank"]
    slot: int


class Wish(Body, frozen=True, kw_only=True):
    at: datetime
    spots: list[Spot] | None = None


NOON = "2026-03-14T12:00:00Z"


@pytest.mark.parametrize(
    "raw", [NOON, "2026-03-14t13:00:00.000+01:00", "2026-03-14 12:00z", "2026-03-14T14:00 02:00"]
)
def test_an_instant_is_read_with_any_offset(raw):
    assert read(Wish, {"at": raw}, InvalidBody).at == datetime(2026, 3, 14, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "raw", ["2026-03-14T12:00:00", "2026-03-14", "0001-01-01T00:00:00+23:00", "", 5, True, []]
)
def test_what_is_no_instant_is_refused(raw):
    with pytest.raises(InvalidBody, match="'at' must be an instant with its offset"):
        read(Wish, {"at": raw}, InvalidBody)


def test_a_list_of_small_objects_is_read_as_leniently_as_a_body():
    spots = [{"PLACE": "Bank", "slot": "3", "x": 1}, {"place": "inventory", "Slot": 0}]
    wish = read(Wish, {"at": NOON, "Spots": spots}, InvalidBody)
    assert wish.spots == [Spot(place="bank", slot=3), Spot(place="inventory", slot=0)]
    assert read(Wish, {"at": NOON, "spots": []}, InvalidBody).spots == []
    assert read(Wish, {"at": NOON, "spots": None}, InvalidBody).spots is None


SPOT = {"place": "bank", "slot": 1}


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        ("x", "'spots' must be a list of objects"),
        ([1], "'spots' must be a list of objects"),
        ([{"slot": 1}], r"^'spots\[0\].place' is required\.$"),
        ([SPOT, {"place": "bag", "slot": 1}], r"'spots\[1\].place' must be 'inventory' or 'bank'"),
        ([SPOT, SPOT, {"place": "bank", "slot": 2**31}], r"'spots\[2\].slot' must be an integer"),
    ],
)
def test_a_wrong_list_is_refused_and_says_what_is_wrong_inside(raw, complaint):
    with pytest.raises(InvalidBody, match=complaint):
        read(Wish, {"at": NOON, "spots": raw}, InvalidBody)


class Outer(Body, frozen=True):
    wishes: list[Wish]
    numbers: list[int] | None = None


def test_an_error_inside_lists_has_the_whole_path_and_still_the_outermost_field():
    given = {"wishes": [{"at": NOON}, {"at": NOON, "spots": [SPOT, {"place": 1, "slot": 1}]}]}
    with pytest.raises(InvalidBody) as wrong:
        read(Outer, given, InvalidBody)
    assert str(wrong.value) == "'wishes[1].spots[1].place' must be 'inventory' or 'bank'."
    assert wrong.value.details == {"field": "wishes", "path": "wishes[1].spots[1].place"}


def test_an_error_in_a_list_of_scalars_has_the_index():
    with pytest.raises(InvalidBody) as wrong:
        read(Outer, {"wishes": [], "numbers": [1, "2", True]}, InvalidBody)
    assert str(wrong.value) == "'numbers[2]' must be an integer."
    assert wrong.value.details == {"field": "numbers", "path": "numbers[2]"}


def test_an_error_of_a_plain_field_has_no_path():
    with pytest.raises(InvalidBody) as wrong:
        read(Outer, {}, InvalidBody)
    assert wrong.value.details == {"field": "wishes"}
