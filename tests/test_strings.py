"""The words that users read: plain English in errors, help, the API, mail and pages."""

import re

import pytest

from tools import strings
from tools.strings import Text

CATALOGUE = "src/gamekeeper/core/languages/catalogues/messages.pot"

RIDDLES = re.compile(
    r"\b(?:"
    r"somebody|nobody|anybody|everybody|whoever|whomever|whom"
    r"|so (?:many|long|old)|ones? self|one's own|may not|any more|meanwhile|anew"
    r"|such(?! as)"
    r")\b"
    r"|(?:^|[.:;] )(?:Who|What|Whose)\b(?! should)",
    re.IGNORECASE,
)
"""Pronouns without a noun, and clauses in the place of a subject: say who, which and how many."""

METAPHORS = re.compile(
    r"\b(?:"
    r"mend\w*|unma[dk]\w*|foresee\w*|foretold|told|tells?|ladder"
    r"|hand(?:s|ed|ing)? (?:it )?(?:on|out)|carr(?:y|ies|ied|ying) (?:it )?out"
    r"|mov(?:e|ed|es) on|turn\w* away|go(?:es)? on|c[ao]mes? back|in the way"
    r"|as it was written|without end|is the case already"
    r"|ancestor(?!s 'none')\w*"
    r")\b",
    re.IGNORECASE,
)
"""Undo, preview, pass on, execute, resume, return, conflict, permanent, Intersect: say these."""

INTERSECT = {
    "Cannot transfer ownership of a guild to ones self.",
}
"""Sentences of Intersect, which its clients compare: they stay as they are."""

ALLOWED = {
    "Come back to this page to read the answer. Its address contains your code: bookmark it.",
    "It was a present for a friend. Nobody paid for it.",
    "Minor Mending",
    "Tell us why we should review the decision.",
    "Tome of Mending",
}
"""An item, a spell, a player's appeal in the demo, and two requests to players."""


@pytest.fixture(scope="module", autouse=True)
def listed() -> None:
    """Read all files before the first test; that takes seconds, and the list is kept."""
    checked()


def checked() -> list[Text]:
    return list(strings.texts())


@pytest.mark.parametrize("words", [RIDDLES, METAPHORS], ids=["riddles", "metaphors"])
def test_users_read_plain_english(words):
    found = [
        f"{text.file}:{text.line}: “{word[0].strip()}” in {text.text!r}"
        for text in checked()
        if text.text not in INTERSECT | ALLOWED and (word := words.search(text.text))
    ]
    assert found == []


def test_every_exception_is_still_needed():
    known = {text.text for text in checked()}
    assert known >= INTERSECT | ALLOWED


@pytest.mark.parametrize(
    ("area", "file", "text"),
    [
        ("errors", "src/gamekeeper/players/lookup.py", "No player has that name or id."),
        (
            "errors",
            "src/gamekeeper/users/accounts.py",
            "Account already exists with username '{…}'.",
        ),
        ("cli", "src/gamekeeper/cli/staff.py", "End all browser sessions of a staff member."),
        ("cli", "src/gamekeeper/cli/staff.py", "{…} has no role."),
        ("logs", "src/gamekeeper/operations/mails.py", "mail_sent"),
        ("api", "src/gamekeeper/api/v1/characters.py", "Rename a character."),
        ("api", "src/gamekeeper/api/v1/items.py", "The item's id."),
        (
            "settings",
            "src/gamekeeper/core/settings.py",
            "The name of your game in mails and pages.",
        ),
        ("mail", CATALOGUE, "Hello {name},"),
        ("pages", CATALOGUE, "This page needs JavaScript."),
    ],
)
def test_strings_of_every_area_are_listed(area, file, text):
    assert (area, file, text) in {(found.area, found.file, found.text) for found in checked()}


def test_the_console_and_the_headings_of_the_documents_are_listed():
    areas = {text.area for text in strings.texts()}
    assert areas == set(strings.AREAS)


def test_statements_are_not_listed():
    assert not [text for text in checked() if "SELECT" in text.text or "WHERE" in text.text]


@pytest.mark.parametrize(
    "text",
    [
        "Nobody bans themselves, or lifts a sanction of their own.",
        "Who requested it may not do it any more.",
        "Events so old are no longer told.",
    ],
)
def test_a_riddle_is_found(text):
    assert RIDDLES.search(text)


@pytest.mark.parametrize(
    "text",
    [
        "A guild is not unmade; disband it.",
        "The world has moved on; nothing was undone.",
        "A request is still being carried out.",
        "As in the ancestor.",
    ],
)
def test_a_metaphor_is_found(text):
    assert METAPHORS.search(text)
