"""Names are folded by one function, and it settles at once."""

import sys
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as some

from gamekeeper.core.names import RESERVED, fold, is_name, missing, parse

ID = UUID("0a1b2c3d-0000-4000-8000-00000000abcd")


def test_folding_twice_changes_nothing_for_any_character():
    """Otherwise a stored key and a looked-up one could differ."""
    for point in range(sys.maxunicode + 1):
        once = fold(chr(point))
        # A character that stays as it is was folded already.
        assert once == chr(point) or fold(once) == once, hex(point)


@given(some.text(max_size=30))
def test_folding_twice_changes_nothing_for_any_text(text):
    assert fold(fold(text)) == fold(text)


def test_names_that_look_equal_to_people_are_equal():
    assert fold("STRASSE") == fold("Straße")
    assert fold("ＡＮＡ") == fold("ana")
    assert fold("É") == fold("e\u0301")


def test_an_id_is_known_in_all_its_spellings():
    for text in (str(ID), ID.hex, str(ID).upper(), f"{{{ID}}}", f"{{{ID.hex}}}"):
        assert parse(text) == ID


def test_what_nobody_can_be_called_is_nothing():
    for text in ("x" * 65, "a\x00b", "a\nb", "\ud800"):
        assert parse(text) is None
    assert missing("player", "x" * 65) == "No player with that name."


def test_good_names():
    for name in ("Ana", "ana lyra", "O'Neil", "x_1", "名前", "Ана", "मीरा", "a-b"):
        assert is_name(name, joiners=" -'_"), name


def test_bad_names():
    bad = ["a", "x" * 21, "123", " ana", "ana ", "a  b", "-ana", "a\u200db", "a.b", "🙂🙂", ""]
    for name in [*bad, *RESERVED, "RANK", "Ｏnline"]:
        assert not is_name(name, joiners=" -'_"), name


@given(some.text(max_size=25))
def test_a_good_name_is_never_an_id_an_index_or_a_route(name):
    if is_name(name, joiners=" -'_"):
        assert isinstance(parse(name), str)
        assert not name.isdigit()
        assert fold(name) not in RESERVED
