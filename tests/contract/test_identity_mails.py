"""The mails about identities that were linked or unlinked, by a real worker and mail server."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from uuid import UUID

import pytest

from gamekeeper.core.languages.negotiation import LANGUAGES
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.users.identities import links, notices
from gamekeeper.users.identities.links import IdentityLink, Unlink
from gamekeeper.users.identities.records import LinkedIdentity
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
from tests.deadlines import until
from tests.make import BY

STEAM, GOOGLE = "steam", "https://accounts.google.com"


@pytest.fixture(scope="module")
def mailbox() -> Iterator[Mailbox]:
    with receiving() as mailbox:
        yield mailbox


@pytest.fixture(scope="module")
def settings(settings: Settings, mailbox: Mailbox) -> Settings:
    return mailing(settings, mailbox)


@pytest.fixture(scope="module", autouse=True)
def worker(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A worker, by its log."""
    log = tmp_path_factory.mktemp("worker") / "log"
    with working(settings, log):
        yield log


async def link(database: Database, user: UUID, issuer: str = STEAM) -> LinkedIdentity:
    subject = f"76561{random.randrange(10**12):012}"
    linked = await links.link.one(
        database, IdentityLink(by=BY, user_id=user, issuer=issuer, subject=subject)
    )
    assert isinstance(linked, LinkedIdentity)
    return linked


async def unlink(database: Database, user: UUID, identity: LinkedIdentity) -> None:
    await links.unlink.one(database, Unlink(by=BY, user_id=user, identity_id=identity.id))


async def letters(mailbox: Mailbox, account: Account, number: int) -> Sequence[Letter]:
    async def have_come() -> bool:
        return len(mailbox.to(account.email)) >= number

    await until(have_come, f"{number} mails")
    return mailbox.to(account.email)


async def test_the_owner_is_told_of_a_link_and_of_its_end(database, mailbox):
    account = await Account.make(database)
    identity = await link(database, account.id)
    letter = await mailbox.wait_for(account.email)
    assert letter.message["Subject"] == "Steam was linked with your account in Lyra"
    assert "you can sign in to your account in Lyra with Steam." in letter.text
    assert "If this was not you" in letter.text
    assert identity.subject not in letter.text

    await unlink(database, account.id, identity)
    [_, second] = await letters(mailbox, account, 2)
    assert second.message["Subject"] == "Steam was unlinked from your account in Lyra"
    assert second.message["Message-ID"] != letter.message["Message-ID"]


async def test_a_link_that_was_there_already_is_not_mailed_again(database, mailbox):
    account = await Account.make(database)
    identity = await link(database, account.id)
    again = IdentityLink(by=BY, user_id=account.id, issuer=STEAM, subject=identity.subject)
    assert await links.link.one(database, again) == identity
    await sent(database, notices.MAIL)
    await mailbox.wait_for(account.email)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_mail_is_in_the_language_of_the_account(database, mailbox, language):
    account = await Account.make(database, language=language)
    await link(database, account.id, GOOGLE)
    letter = await mailbox.wait_for(account.email)
    assert letter.message["Content-Language"] == language
    # No source is configured for the issuer any more.
    assert "accounts.google.com" in letter.text
    assert "{" not in letter.text


async def test_the_mails_of_a_day_are_limited(database, mailbox):
    account = await Account.make(database)
    for _ in range(notices.MAILS_A_DAY):
        await unlink(database, account.id, await link(database, account.id))
    await sent(database, notices.MAIL)
    assert len(mailbox.to(account.email)) == notices.MAILS_A_DAY


async def test_an_erased_account_gets_no_mail(client, database, mailbox):
    account = await Account.make(database)
    async with held(database, notices.MAIL):
        await link(database, account.id)
        assert (await client.delete(account.path())).status_code == 200
        await deliver(database, notices.MAIL)
    assert mailbox.to(account.email) == []


async def test_the_job_names_nobody(database, worker):
    account = await Account.make(database)
    identity = await link(database, account.id)
    await sent(database, notices.MAIL)
    log = worker.read_text("utf-8")
    assert '"identity_notice"' in log
    assert account.name not in log
    assert account.email not in log
    assert identity.subject not in log
