"""What a search becomes before it is sent to the database."""

import pytest

from gamekeeper.core.search import Search


@pytest.mark.parametrize(
    ("asked", "name", "begins"),
    [
        ("gro", "hevor grove", True),
        ("gro", "ingrid gro", True),
        ("gro", "ingroup", False),
        ("gro", "ingro groin", True),
        ("gro", "o'groat", True),
        ("gro", "gro", True),
        ("vor gro", "hevor grove", False),
        ("gro", "ann", False),
    ],
)
def test_a_word_begins_after_a_separator(asked, name, begins):
    assert Search.required(asked).begins_word(name) is begins


def test_characters_with_a_meaning_in_patterns_are_escaped():
    search = Search.required("a%_\\")
    assert search.part == "%a\\%\\_\\\\%"
    assert Search.required("o.*(x").word is None
    assert Search.required("ox.*(x_").word == "[ _'.@+-]ox\\.\\*\\(x\\_"


@pytest.mark.parametrize(
    ("asked", "is_ascii"),
    [("vor", True), ("vo", False), ("a b", False), ("émi", False), ("ÉMILE", True), ("o'b", False)],
)
def test_trigrams_are_used_where_every_locale_has_them(asked, is_ascii):
    assert Search.required(asked).has_trigram is is_ascii


def patterns(asked: str) -> set[str]:
    return {
        pattern
        for typos in Search.required(asked).typos
        for pattern in [*typos.by_trigram, *(one for _, one in typos.by_pairs)]
    }


def test_one_mistake_is_put_right():
    assert "%grove%" in patterns("grvoe"), "swapped"
    assert "%gr_ve%" in patterns("grave"), "another letter"
    assert "%gr_ve%" in patterns("grve"), "a missing letter"
    assert "%grove%" in patterns("groove"), "a letter too many"
    assert "%gro\\_e%" in patterns("gro_ve"), "what is typed is never a wildcard"


def test_too_short_and_too_long_for_a_typo():
    assert patterns("gro") == set()
    assert patterns("x" * 21) == set()


@pytest.mark.parametrize(
    ("asked", "has_letters"),
    [("--", False), ("%_", False), ("a-", True), ("1 ", True), ("éé", True)],
)
def test_what_has_no_letters_resembles_nothing(asked, has_letters):
    assert Search.required(asked).has_letters is has_letters
