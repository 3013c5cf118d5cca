"""The mail that tells reporters the outcome of a case, by a real worker and a real mail server."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import msgspec
import pytest

from gamekeeper.core.languages.negotiation import LANGUAGES, Language
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.moderation.cases.outcome_mails import MAIL
from tests.contract.account import Account
from tests.contract.mailbox import (
    Letter,
    Mailbox,
    deliver,
    held,
    mailing,
    receiving,
    sent,
    working,
)
from tests.contract.sign_in import bearer
from tests.in_process import in_process
from tests.make import make_player

CASES = "/api/v1/cases"
ACTION, NOTHING = "We have taken action.", "This time we have not taken any action."
SUBJECTS: dict[Language, str] = {
    "de": "Deine Meldung in Lyra",
    "en": "Your report in Lyra",
    "es": "Tu denuncia en Lyra",
    "fr": "Votre signalement dans Lyra",
    "pl": "Twoje zgłoszenie w Lyra",
    "pt-BR": "Sua denúncia em Lyra",
    "ru": "Ваша жалоба в Lyra",
}


@pytest.fixture(scope="module")
def mailbox() -> Iterator[Mailbox]:
    with receiving() as mailbox:
        yield mailbox


@pytest.fixture(scope="module")
def settings(settings: Settings, mailbox: Mailbox) -> Settings:
    return msgspec.structs.replace(mailing(settings, mailbox), report_outcomes="mailed")


@pytest.fixture(scope="module", autouse=True)
def worker(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A worker, by its log."""
    log = tmp_path_factory.mktemp("worker") / "log"
    with working(settings, log):
        yield log


class Quarrel:
    """An account that others reported, and its case."""

    def __init__(self, client: httpx2.AsyncClient, database: Database) -> None:
        self.client = client
        self.database = database
        self.bully = f"Bully {uuid4().hex[:8]}"

    async def begin(self) -> "Quarrel":
        await make_player(self.database, self.bully)
        return self

    async def reporter(self, **about: Any) -> Account:
        """An account that reports the bully."""
        account = await Account.make(self.database, **about)
        await make_player(self.database, f"{account.name} P", user=account.id)
        await self.report(account)
        return account

    async def report(self, account: Account) -> None:
        body = {"reporter": f"{account.name} P", "player": self.bully, "category": "spam"}
        answer = await self.client.post("/api/v1/reports", json=body | {"text": "noise"})
        assert answer.status_code == 200, answer.text

    async def case(self) -> str:
        player = (await self.client.get(f"/api/v1/players/{self.bully}")).json()
        found = await self.client.get(CASES, params={"user": player["UserId"]})
        return found.json()["Values"][0]["Id"]

    async def close(self, **about: Any) -> None:
        answer = await self.client.post(f"{CASES}/{await self.case()}/close", json=about)
        assert answer.status_code == 200, answer.text

    async def reopen(self) -> None:
        answer = await self.client.post(f"{CASES}/{await self.case()}/reopen")
        assert answer.status_code == 200, answer.text


@pytest.fixture
async def quarrel(client, database) -> Quarrel:
    await database.write(lambda writer: writer.run("DELETE FROM guess_budgets"))
    return await Quarrel(client, database).begin()


async def test_each_reporter_is_told_once_that_something_was_done(quarrel, database, mailbox):
    """However often they reported; without the sanction, and without the names of others."""
    ana, bo = await quarrel.reporter(), await quarrel.reporter()
    await quarrel.report(ana)

    await quarrel.close(outcome="ban", reason="unmistakable reason", note="unmistakable note")

    letter = await mailbox.wait_for(ana.email)
    await mailbox.wait_for(bo.email)
    await sent(database, MAIL)
    assert len(mailbox.to(ana.email)) == len(mailbox.to(bo.email)) == 1
    assert letter.recipients == [ana.email]
    assert letter.message["Subject"] == "Your report in Lyra"
    assert letter.message["Auto-Submitted"] == "auto-generated"
    assert f"Hello {ana.name}," in letter.text
    assert f"You reported the player {quarrel.bully} in Lyra." in letter.text
    assert ACTION in letter.text
    whole = letter.message.as_string()
    for secret in ("unmistakable", "contract", bo.name, " ban", "mute"):
        assert secret not in whole


async def test_no_action_is_told_as_well(quarrel, mailbox):
    ana = await quarrel.reporter()
    await quarrel.close(outcome="none")

    assert NOTHING in (await mailbox.wait_for(ana.email)).text


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_mail_is_in_the_language_of_the_account(quarrel, mailbox, language: Language):
    ana = await quarrel.reporter(language=language)
    await quarrel.close(outcome="none")

    letter = await mailbox.wait_for(ana.email)
    assert letter.message["Subject"] == SUBJECTS[language]
    assert letter.message["Content-Language"] == language
    assert quarrel.bully in letter.text
    assert ana.name in letter.text


async def test_a_case_that_is_closed_again_is_mailed_only_if_the_outcome_differs(
    quarrel, database, mailbox
):
    ana = await quarrel.reporter()
    for outcome in ("warning", "mute", "none"):
        await quarrel.close(outcome=outcome, **({} if outcome == "none" else {"reason": "x"}))
        await sent(database, MAIL)
        await quarrel.reopen()

    first, second = mailbox.to(ana.email)
    assert (ACTION in first.text, NOTHING in second.text) == (True, True)
    assert first.message["Message-ID"] != second.message["Message-ID"]


@pytest.fixture
async def waiting(database: Database) -> AsyncIterator[None]:
    async with held(database, MAIL):
        yield


async def test_a_mail_that_waits_while_its_case_is_open_again_is_not_sent(
    quarrel, database, mailbox, waiting
):
    """Its next end is mailed, whichever it is."""
    ana = await quarrel.reporter()
    await quarrel.close(outcome="none")
    await quarrel.reopen()
    await deliver(database, MAIL)
    assert mailbox.to(ana.email) == []

    await quarrel.close(outcome="none")
    await deliver(database, MAIL)
    assert NOTHING in (await mailbox.wait_for(ana.email)).text


async def test_of_several_outcomes_that_wait_the_last_is_sent(quarrel, database, mailbox, waiting):
    ana = await quarrel.reporter()
    for outcome in ("none", "warning", "none", "mute"):
        await quarrel.close(outcome=outcome, **({} if outcome == "none" else {"reason": "x"}))
        if outcome != "mute":
            await quarrel.reopen()
    await deliver(database, MAIL)

    assert ACTION in (await mailbox.wait_for(ana.email)).text


async def test_nobody_who_was_erased_is_written_to(quarrel, database, mailbox, waiting):
    """Neither before the case is closed, nor while the mail waits."""
    before, after, ana = [await quarrel.reporter() for _ in range(3)]
    assert (await quarrel.client.delete(before.path())).status_code == 200
    await quarrel.close(outcome="none")
    assert (await quarrel.client.delete(after.path())).status_code == 200
    await deliver(database, MAIL)

    await mailbox.wait_for(ana.email)
    assert mailbox.to(before.email) == mailbox.to(after.email) == []


async def test_a_case_that_an_erasure_closes_is_not_mailed(quarrel, database, mailbox):
    ana = await quarrel.reporter()
    player = (await quarrel.client.get(f"/api/v1/players/{quarrel.bully}")).json()
    assert (await quarrel.client.delete(f"/api/v1/users/{player['UserId']}")).status_code == 200
    await sent(database, MAIL)

    assert mailbox.to(ana.email) == []


async def test_a_player_that_no_longer_exists_is_not_named(quarrel, database, mailbox, waiting):
    ana = await quarrel.reporter()
    await quarrel.close(outcome="warning", reason="x")
    deleted = await quarrel.client.delete(f"/api/v1/players/{quarrel.bully}")
    assert deleted.status_code == 200, deleted.text
    await deliver(database, MAIL)

    letter = await mailbox.wait_for(ana.email)
    assert "You reported a player in Lyra." in letter.text
    assert quarrel.bully not in letter.text


@pytest.mark.parametrize("outcomes", ["shown", "hidden"])
async def test_without_the_setting_no_mail_is_queued(
    settings, database, served_database, key, mailbox, outcomes
):
    plain = msgspec.structs.replace(settings, report_outcomes=outcomes)
    async with in_process(plain, served_database.database(plain), bearer(key)) as client:
        quarrel = await Quarrel(client, database).begin()
        ana = await quarrel.reporter()
        await quarrel.close(outcome="none")
    await sent(database, MAIL)

    assert mailbox.to(ana.email) == []


async def test_a_refused_closing_mails_nothing(quarrel, database, mailbox):
    ana = await quarrel.reporter()
    wrong = {"outcome": "none", "message": "for a sanction only"}
    answer = await quarrel.client.post(f"{CASES}/{await quarrel.case()}/close", json=wrong)
    assert answer.status_code == 400
    await sent(database, MAIL)

    assert mailbox.to(ana.email) == []


async def test_neither_the_job_nor_the_log_names_anybody(
    quarrel, database, mailbox, worker, log, waiting
):
    ana = await quarrel.reporter()
    await quarrel.close(outcome="none")
    rows = await database.reader.rows(
        "SELECT convert_from(payload, 'UTF8') AS text FROM pgqueuer WHERE entrypoint = $1", MAIL
    )
    await deliver(database, MAIL)
    letter: Letter = await mailbox.wait_for(ana.email)

    everything = "\n".join([*(row["text"] for row in rows), worker.read_text(), log.read_text()])
    for secret in (ana.email, str(letter.message["To"]), str(ana.id)):
        assert secret not in everything
