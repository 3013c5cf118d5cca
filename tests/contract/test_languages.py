"""The languages of pages and mails: by Accept-Language, by the link, by the operator's setting."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from msgspec import structs

from gamekeeper.core.languages.negotiation import LANGUAGES, Language
from gamekeeper.core.settings import Settings
from tests.contract.account import Account
from tests.contract.mailbox import Mailbox, mailing, receiving, working
from tests.in_process import in_process
from tests.make import sha

COMPLETE = "/api/v1/users/password/reset/complete"

SUBJECTS: dict[Language, str] = {
    "de": "Neues Passwort für Lyra wählen",
    "en": "Choose a new password for Lyra",
    "es": "Elige una nueva contraseña para Lyra",
    "fr": "Choisissez un nouveau mot de passe pour Lyra",
    "pl": "Ustaw nowe hasło do Lyra",
    "pt-BR": "Escolha uma nova senha para Lyra",
    "ru": "Выберите новый пароль для Lyra",
}
EXPIRIES: dict[Language, str] = {
    "de": "30 Minuten",
    "en": "30 minutes",
    "es": "30 minutos",
    "fr": "30 minutes",
    "pl": "30 minut.",
    "pt-BR": "30 minutos",
    "ru": "30 минут.",
}


@pytest.fixture(scope="module")
def mailbox() -> Iterator[Mailbox]:
    with receiving() as mailbox:
        yield mailbox


@pytest.fixture(scope="module")
def settings(settings: Settings, mailbox: Mailbox) -> Settings:
    return mailing(settings, mailbox)


@pytest.fixture(scope="module", autouse=True)
def worker(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    log = tmp_path_factory.mktemp("worker") / "log"
    with working(settings, log):
        yield log


# ── Mails ──


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_mail_is_in_the_language_of_the_request(
    client: httpx2.AsyncClient, database, mailbox, language: Language
):
    """A website passes on what the visitor's browser sent."""
    account = await Account.make(database)
    headers = {"Accept-Language": f"nl, {language};q=0.8"}

    await client.get(account.path("/password/reset"), headers=headers)

    letter = await mailbox.wait_for(account.email)
    assert letter.message["Subject"] == SUBJECTS[language]
    assert letter.message["Content-Language"] == language
    link = f"https://play.example.org/reset?language={language}#token={letter.token}"
    for body in (letter.text, letter.html):
        assert EXPIRIES[language] in body
        assert account.name in body
        assert letter.code in body
        assert link in body
    assert f'<html lang="{language}" dir="ltr">' in letter.html
    assert f"<bdi>{account.name}</bdi>" in letter.html
    sent = {"token": letter.token, "new": sha("better")}
    assert (await client.post(COMPLETE, json=sent)).status_code == 200


async def test_the_language_of_the_account_comes_first(client, database, mailbox):
    account = await Account.make(database, language="ru")

    await client.get(account.path("/password/reset"), headers={"Accept-Language": "de"})

    letter = await mailbox.wait_for(account.email)
    assert letter.message["Subject"] == SUBJECTS["ru"]
    assert f"/reset?language=ru#token={letter.token}" in letter.text


async def test_a_language_that_this_version_does_not_know_counts_as_none(client, database, mailbox):
    """A newer version that was rolled back may have left one."""
    account = await Account.make(database, language="tlh")

    await client.get(account.path("/password/reset"))

    letter = await mailbox.wait_for(account.email)
    assert letter.message["Subject"] == SUBJECTS["en"]


# ── Pages ──


@pytest.mark.parametrize("path", ["/reset", "/verify", "/appeal"])
@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_page_is_in_the_language_of_the_browser(client, path: str, language: Language):
    page = await client.get(path, headers={"Accept-Language": f"{language}-X, en;q=0.5"})

    assert page.status_code == 200
    assert page.headers["content-language"] == language
    assert "accept-language" in page.headers["vary"].lower()
    assert page.headers["cache-control"] == "no-store"
    assert f'<html lang="{language}" dir="ltr">' in page.text
    assert "{{" not in page.text
    [texts] = re.findall(r'<script type="application/json" id="texts">(.*)</script>', page.text)
    assert "common.wait" in json.loads(texts)
    # Whatever a text holds, it cannot end the element that it is in.
    assert not re.search("[<>&']", texts)


@pytest.mark.parametrize(
    ("query", "accepted", "language"),
    [
        ("?language=pl", "de", "pl"),
        ("?language=pt", "de", "pt-BR"),
        ("?language=nl", "de", "de"),
        ("?language=", "de", "de"),
        ("?language=%3Cscript%3E", "", "en"),
        ("", "nl", "en"),
    ],
)
async def test_a_link_chooses_the_language_of_a_page(client, query, accepted, language):
    page = await client.get(f"/reset{query}", headers={"Accept-Language": accepted})

    assert page.headers["content-language"] == language


async def test_without_a_wish_a_page_is_in_the_operators_language(settings, served_database):
    russian = structs.replace(settings, language="ru")
    async with in_process(russian, served_database.database(russian)) as client:
        plain = await client.get("/appeal")
        wished = await client.get("/appeal", headers={"Accept-Language": "en"})

    assert plain.headers["content-language"] == "ru"
    assert "Обжаловать решение" in plain.text
    assert wished.headers["content-language"] == "en"
