"""Which language a reader gets, and that every language has every text."""

import re
from gettext import c2py
from importlib import resources
from pathlib import Path

import pytest
from babel.core import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.plurals import get_plural

from gamekeeper.app import ROUTES
from gamekeeper.core.languages.negotiation import LANGUAGES, Language, lookup, negotiate, preferred
from gamekeeper.core.languages.texts import (
    CATALOGUES,
    PLACEHOLDER,
    SOURCE,
    read_catalogue,
    texts_in,
    translation_of,
)
from gamekeeper.core.settings import BadSettings, Settings

TRANSLATED: list[Language] = [language for language in LANGUAGES if language != "en"]
KEY = re.compile(
    r"[\"`]((?:appeal|common|join|mail|openid|problem|reset|verify)\.[a-z_.]*(?:\$\{[^}]+\}[a-z_.]*)*)[\"`]"
)


def messages(name: str, language: Language = "en") -> dict[str, Message]:
    found = read_catalogue(name, language)
    return {str(message.context): message for message in found if message.id}


def texts_of(message: Message) -> list[str]:
    """The English text and each form of the translation."""
    found = translation_of(message)
    return [found] if isinstance(found, str) else list(found)


# ── Negotiation ──


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de", "de"),
        ("DE-at", "de"),
        ("pt-BR", "pt-BR"),
        ("pt", "pt-BR"),
        ("pt-PT", "pt-BR"),
        ("zh-Hant-TW, es-419;q=0.5", "es"),
        ("en;q=0.3, ru;q=0.9", "ru"),
        ("fr, pl", "fr"),
        ("fr;q=0.5, pl;q=0.5", "fr"),
        (" fr ; q=0.1 ,\tpl;Q=0.2", "pl"),
        ("nl, sv;q=0.9, pl;q=0.001", "pl"),
        # `*` is anything else: no reason to leave the default.
        ("*", None),
        ("*, de;q=0.5", None),
        ("de, *;q=0.5", "de"),
        # Not acceptable at all.
        ("de;q=0", None),
        ("de;q=0, pl;q=0.1", "pl"),
        ("de-AT, de;q=0, ru;q=0.2", "ru"),
        # Neither a part that is malformed nor what is no tag counts.
        ("", None),
        ("nl", None),
        ("d_e, 12, ;q=1, pl;q=2, fr;q=0.5555, ru;level=1, es;q=0.2", "es"),
        ("a" * 5000, None),
        (", " * 600 + "de", None),
        ("deutsch", None),
        ("d", None),
    ],
)
def test_the_language_of_a_header(header: str, language: Language | None):
    assert preferred(header) == language
    assert negotiate(header, "en") == (language or "en")
    assert negotiate(header, "fr") == (language or "fr")


def test_a_tag_gets_the_nearest_language():
    assert [lookup(tag) for tag in LANGUAGES] == list(LANGUAGES)
    assert lookup("PT-br") == lookup("pt-AO") == "pt-BR"
    assert lookup("ru-Cyrl-UA") == "ru"
    assert lookup("") is lookup("-") is lookup("*") is lookup("x") is None


def test_the_operators_language_is_one_of_ours():
    env = {"GAMEKEEPER_DATABASE_URL": "postgresql://db/game"}
    assert Settings.read(env).language == "en"
    assert Settings.read(env | {"GAMEKEEPER_LANGUAGE": "pt-BR"}).language == "pt-BR"
    with pytest.raises(BadSettings, match="must be de, en, es, fr, pl, pt-BR or ru, not 'nl'"):
        Settings.read(env | {"GAMEKEEPER_LANGUAGE": "nl"})


# ── Catalogues ──


def test_each_language_has_a_file_and_each_file_a_language():
    found = {path.name for path in CATALOGUES.iterdir()}
    assert found == {SOURCE} | {f"{language}.po" for language in TRANSLATED}


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_is_complete(language: Language):
    """Its English texts too: who changes one of them must look at the translations."""
    english, translated = messages(SOURCE), messages(f"{language}.po", language)

    assert [key for key in english if key not in translated] == []
    assert [key for key in translated if key not in english] == []
    assert [key for key in english if english[key].id != translated[key].id] == []
    assert [key for key, message in translated.items() if message.fuzzy] == []
    assert [key for key, message in translated.items() if not all(texts_of(message))] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_placeholders_are_those_of_the_english_text(language: Language):
    for key, message in messages(f"{language}.po", language).items():
        english = message.id if isinstance(message.id, str) else message.id[0]
        for text in texts_of(message):
            assert sorted(PLACEHOLDER.findall(text)) == sorted(PLACEHOLDER.findall(english)), key
            assert "{" not in PLACEHOLDER.sub("", text), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_forms_are_those_of_the_language(language: Language):
    """Each number has the form of its CLDR category, in the catalogue as in the browser."""
    name = SOURCE if language == "en" else f"{language}.po"
    catalogue: Catalog = read_catalogue(name, language)
    raw = (CATALOGUES / name).read_text("utf-8")
    expected = get_plural(language.replace("-", "_"))
    assert f'"Plural-Forms: {expected}\\n"' in raw
    locale, index_of = Locale.parse(language, sep="-"), c2py(catalogue.plural_expr)
    forms = {(locale.plural_form(number), index_of(number)) for number in range(1001)}
    assert len({category for category, _ in forms}) == len(forms)
    for message in catalogue:
        if message.id and message.pluralizable and language != "en":
            assert len(texts_of(message)) == expected.num_plurals, message.context


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_have_no_markup_and_no_invisible_characters(language: Language):
    for key, text in texts_in(language).below("").items():
        for form in [text] if isinstance(text, str) else text.values():
            assert form == form.strip(), key
            assert not re.search(r"[<>&]|&\w+;|  ", form), key
            # A no-break space is not printable to Python, and French needs it.
            assert form.replace("\u00a0", "").replace("\u202f", "").isprintable(), key


def used() -> set[str]:
    """The keys in templates and scripts; `${…}` stands for any word."""
    package = resources.files("gamekeeper")
    places = [
        *(package / "api" / "static" / name for name in ("appeal.html", "appeal.js")),
        *(package / "api" / "static" / name for name in ("verify.html", "verify.js")),
        *(package / "api" / "static" / name for name in ("reset.html", "reset.js", "texts.js")),
        *(package / "api" / "static" / f"openid_{name}.html" for name in ("sign_in", "consent")),
        *(package / "api" / "static" / name for name in ("openid_sign_out.html", "openid.js")),
        package / "api" / "static" / "openid_notice.html",
        package / "api" / "openid" / "text_keys.py",
        *(Path(str(package / "users" / "mail" / "templates")).iterdir()),
        package / "users" / "mail" / "messages.py",
        package / "servers" / "presence.py",
    ]
    return {key for place in places for key in KEY.findall(place.read_text("utf-8"))}


def test_every_key_in_a_template_or_script_has_a_text_and_every_text_is_used():
    keys, patterns = set(messages(SOURCE)), set()
    for key in used():
        if "${" in key:
            patterns.add(re.sub(r"\\\$\\\{.*?\\\}", "[a-z_]+", re.escape(key)))
        else:
            assert key in keys
    whole = re.compile("|".join(patterns))
    assert {key for key in keys - used() if not whole.fullmatch(key)} == set()


def test_every_refusal_that_a_player_can_cause_has_a_text():
    handlers = {"submit_appeal", "find_appeal_status", "complete_password_reset"}
    handlers |= {"complete_email_verification"}
    found = [route for route in ROUTES if route.handler.__name__ in handlers]
    assert len(found) == len(handlers)
    codes = {problem.code for route in found for problem in route.raises}
    # The page sends the hash, so a player cannot send a malformed one.
    codes -= {"invalid_password_hash"}
    assert codes <= {key.removeprefix("problem.") for key in texts_in("en").below("problem.")}


# ── Texts with names and numbers in them ──


@pytest.mark.parametrize(
    ("language", "count", "text"),
    [
        ("en", 1, "1 character left."),
        ("en", 0, "0 characters left."),
        ("de", 4000, "Noch 4.000 Zeichen."),
        ("fr", 0, "Encore 0 caractère."),
        ("fr", 4000, "Encore 4\u202f000 caractères."),
        ("pl", 1, "Został 1 znak."),
        ("pl", 22, "Zostały 22 znaki."),
        ("pl", 12, "Zostało 12 znaków."),
        ("pt-BR", 2, "Restam 2 caracteres."),
        ("ru", 21, "Остался 21 символ."),
        ("ru", 11, "Осталось 11 символов."),
        ("ru", 1003, "Осталось 1\u00a0003 символа."),
    ],
)
def test_numbers_have_the_form_of_the_language(language: Language, count: int, text: str):
    assert texts_in(language).plain("appeal.characters_left", count=count) == text
    assert str(texts_in(language).html("appeal.characters_left", count=count)) == text


def test_names_are_isolated_where_they_would_reorder_the_text():
    texts = texts_in("en")

    assert texts.plain("mail.reset.greeting", name="Ana 3") == "Hello Ana 3,"
    assert texts.plain("mail.reset.greeting", name="דנה (3)") == "Hello \u2068דנה (3)\u2069,"
    assert str(texts.html("mail.reset.greeting", name="דנה")) == "Hello <bdi>דנה</bdi>,"
    assert {texts_in(language).direction for language in LANGUAGES} == {"ltr"}


def test_a_name_is_text_and_no_placeholder():
    texts = texts_in("de")

    assert texts.plain("mail.reset.greeting", name="{game}") == "Hallo {game},"
    assert str(texts.html("mail.reset.greeting", name="<b>{x}")) == (
        "Hallo <bdi>&lt;b&gt;{x}</bdi>,"
    )


def test_markup_in_a_catalogue_would_be_escaped():
    texts = texts_in("en")
    harmful = type(texts)("en", Locale("en"), {"x": "<img src=x onerror=alert(1)> & {name}"})

    assert str(harmful.html("x", name="Bo")) == (
        "&lt;img src=x onerror=alert(1)&gt; &amp; <bdi>Bo</bdi>"
    )
