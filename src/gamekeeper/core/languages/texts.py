"""
Texts in one language, from gettext catalogues: plain text, HTML, and what a page's script says.

Texts are data: in HTML they are escaped like anything else, so a catalogue cannot inject markup.
Names in a text are isolated, because a name in Hebrew or Arabic would otherwise reorder the
words around it (UAX 9): by <bdi> in HTML, and by U+2068 and U+2069 in plain text.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from markupsafe import Markup, escape

from gamekeeper.core.languages.negotiation import Language

if TYPE_CHECKING:
    from babel.core import Locale
    from babel.messages.catalog import Catalog, Message

CATALOGUES = Path(__file__).parent / "catalogues"
SOURCE = "messages.pot"
PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")

FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
STRONG = {"ltr": ("R", "AL", "AN"), "rtl": ("L",)}
"""The bidirectional classes that need isolation in a text of each direction."""

PLURAL_SAMPLES = range(1001)
"""Numbers that have every plural form which whole numbers below a million need."""

Direction = Literal["ltr", "rtl"]
Forms = dict[str, str]
"""A text for each plural category of CLDR: `one`, `few`, `many`; `other` is always there."""


class Texts:
    """The texts of a language, by their keys."""

    def __init__(self, language: Language, locale: "Locale", texts: dict[str, str | Forms]) -> None:
        self.language: Language = language
        self.direction: Direction = "rtl" if locale.text_direction == "rtl" else "ltr"
        self._locale = locale
        self._texts = texts

    def plain(self, key: str, **facts: str | int) -> str:
        """A text with its placeholders filled in; `count` also chooses the plural form."""
        return PLACEHOLDER.sub(
            lambda found: self._isolated(facts[found[1]]), self._form(key, facts.get("count"))
        )

    def html(self, key: str, **facts: str | int) -> Markup:
        """The same as HTML: text and facts are escaped, names are isolated by <bdi>."""
        text = str(escape(self._form(key, facts.get("count"))))
        return Markup(PLACEHOLDER.sub(lambda found: self._marked_up(facts[found[1]]), text))  # noqa: S704

    def below(self, *prefixes: str) -> dict[str, str | Forms]:
        """The texts whose keys begin with one of these, for the script of a page."""
        return {key: text for key, text in self._texts.items() if key.startswith(prefixes)}

    def _form(self, key: str, count: str | int | None) -> str:
        text = self._texts[key]
        if isinstance(text, str):
            return text
        assert isinstance(count, int), f"the text '{key}' needs a count"
        return text.get(self._locale.plural_form(count), text["other"])

    def _isolated(self, fact: str | int) -> str:
        if isinstance(fact, int):
            return self._number(fact)
        # Without need no isolates: old mail programs show boxes for them.
        if any(unicodedata.bidirectional(char) in STRONG[self.direction] for char in fact):
            return f"{FIRST_STRONG_ISOLATE}{fact}{POP_ISOLATE}"
        return fact

    def _marked_up(self, fact: str | int) -> str:
        return self._number(fact) if isinstance(fact, int) else f"<bdi>{escape(fact)}</bdi>"

    def _number(self, number: int) -> str:
        from babel.numbers import format_decimal

        return format_decimal(number, locale=self._locale)


@cache
def texts_in(language: Language) -> Texts:
    """The texts in a language; the first call imports Babel: make it in a thread."""
    from babel.core import Locale

    locale = Locale.parse(language, sep="-")
    source = read_catalogue(SOURCE, "en")
    texts = {message.context: _text(source, message.id, locale) for message in source if message.id}
    if language != "en":
        catalogue = read_catalogue(f"{language}.po", language)
        texts |= {
            message.context: _text(catalogue, translation, locale)
            for message in catalogue
            if message.id and (translation := translation_of(message))
        }
    return Texts(language, locale, {str(key): text for key, text in texts.items()})


def read_catalogue(name: str, language: Language) -> "Catalog":
    """A catalogue as Babel reads it; a malformed one raises."""
    from babel.messages.pofile import read_po

    with (CATALOGUES / name).open("rb") as file:
        return read_po(file, locale=language.replace("-", "_"), abort_invalid=True)


def translation_of(message: "Message") -> str | Sequence[str]:
    """The translation, or its plural forms; empty unless it is complete."""
    found = message.string or ""
    return found if isinstance(found, str) or all(found) else ""


def _text(catalogue: "Catalog", text: str | Sequence[str], locale: "Locale") -> str | Forms:
    if isinstance(text, str):
        return text
    index_of = c2py(catalogue.plural_expr)
    forms = {locale.plural_form(number): text[index_of(number)] for number in PLURAL_SAMPLES}
    return forms | {"other": forms.get("other", text[-1])}
