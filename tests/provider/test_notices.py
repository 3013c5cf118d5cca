"""Notices of sign-outs: none is lost, and none waits for a client that hangs."""

import asyncio
import time
from datetime import timedelta
from typing import Any
from uuid import uuid4

import asyncpg
import httpx2
import pytest
from msgspec import structs

from gamekeeper import worker
from gamekeeper.auth import openid_sessions
from gamekeeper.auth.openid_sessions import LogoutNotice
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db import jobs
from gamekeeper.db.database import Database
from gamekeeper.provider import logout
from tests.provider.conftest import notified
from tests.provider.relying_party import Browser, RelyingParty, answer_in, register
from tests.provider.sign_outs import ban, notices, over
from tests.webhooks import receivers
from tests.webhooks.receivers import Receiver

SECONDS = 5


@pytest.fixture
def short_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that clients that hang are tried several times within a test."""
    monkeypatch.setattr(logout, "SECONDS", 1)


@pytest.fixture
async def party(http: httpx2.AsyncClient, database: Database, receiver: Receiver) -> RelyingParty:
    return await notified(http, database, receiver)


@pytest.fixture
async def notice(browser: Browser, party: RelyingParty, database: Database) -> LogoutNotice:
    """That of a ban."""
    await signed_in(browser, party)
    await ban(database, browser.user)
    [notice] = await notices(database)
    return notice


async def signed_in(browser: Browser, party: RelyingParty) -> dict[str, Any]:
    answer = await browser.sign_in(party.query())
    return (await party.exchange(answer["code"])).json()


async def test_a_client_that_hangs_delays_no_notice_to_another(
    browser: Browser,
    party: RelyingParty,
    database: Database,
    receiver: Receiver,
    provider_settings: Settings,
    short_timeout: None,
):
    """A hundred notices to it are in the queue before the one of a ban."""
    await signed_in(browser, party)
    async with receivers.receiver() as hanging:
        hanging.answer = lambda _: None
        slow = await register(database, backchannel_uri=hanging.url)
        waiting = [
            LogoutNotice(client_id=slow.id, user_id=uuid4(), session_id=uuid4()) for _ in range(100)
        ]
        await database.write(lambda writer: jobs.enqueue(writer, openid_sessions.LOGOUT, waiting))
        connection = await asyncpg.connect(provider_settings.database_url)
        async with Database.open(provider_settings) as own:
            queue = worker.build_queue(provider_settings, own, connection)
            running = asyncio.create_task(queue.run(dequeue_timeout=timedelta(seconds=1)))
            try:
                await hanging.got(1)
                await ban(database, browser.user)
                banned = time.monotonic()
                await receiver.got(1)
                assert time.monotonic() - banned < SECONDS
            finally:
                queue.shutdown.set()
                await asyncio.gather(running, return_exceptions=True)
                connection.terminate()


async def test_a_client_that_hangs_gets_one_notice_at_a_time(
    notice: LogoutNotice,
    database: Database,
    receiver: Receiver,
    provider_settings: Settings,
    short_timeout: None,
):
    receiver.answer = lambda _: None
    later = timedelta(seconds=logout.RETRY_DELAYS[0])
    async with over(provider_settings) as (own, vault):
        notifier = logout.Notifier(own, vault)
        assert await notifier.send_or_retry(notice, 0) == later
        begun = time.monotonic()
        delays = await asyncio.gather(*(notifier.send_or_retry(notice, 0) for _ in range(10)))
        assert time.monotonic() - begun < 2 * logout.SECONDS
        assert delays == [later] * 10
        assert len(receiver.received) == 2

        receiver.answer = lambda _: receivers.answer(200)
        assert await notifier.send_or_retry(notice, 0) is None
        await asyncio.gather(*(notifier.send_or_retry(notice, 0) for _ in range(10)))

    assert len(receiver.received) == 2 + 1 + 10


async def test_a_fault_of_the_database_loses_no_notice(
    notice: LogoutNotice, receiver: Receiver, provider_settings: Settings
):
    async with over(provider_settings) as (own, vault):
        notifier = logout.Notifier(own, vault)
    # Its connections are closed.
    delays = [await notifier.send_or_retry(notice, attempt) for attempt in (0, 4, 5)]

    assert delays == [timedelta(seconds=5), timedelta(seconds=1800), None]
    assert receiver.received == []


async def test_a_missing_password_key_loses_no_notice(
    notice: LogoutNotice, party: RelyingParty, receiver: Receiver, provider_settings: Settings
):
    await party.http.get("/openid/keys")
    lost = structs.replace(provider_settings, password_keys=Hidden("2026a:" + "11" * 32))
    async with Database.open(lost) as own:
        delay = await logout.Notifier(own, Vault(lost)).send_or_retry(notice, 0)

    assert delay == timedelta(seconds=5)
    assert receiver.received == []


async def test_a_notice_to_a_client_without_sign_ins_is_none(
    browser: Browser, party: RelyingParty, database: Database
):
    page = await browser.authorize(party.query(prompt="none"))
    assert answer_in(page.headers["location"])["error"] == "login_required"
    await ban(database, browser.user)
    assert await notices(database) == []
