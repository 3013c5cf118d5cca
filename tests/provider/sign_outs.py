"""What ends sign-ins, and whether they have ended."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from gamekeeper.auth import openid_sessions
from gamekeeper.auth.openid_sessions import LogoutNotice
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database, Writer
from gamekeeper.moderation import sanctions
from gamekeeper.moderation.sanctions import Imposition
from tests.make import BY
from tests.provider.relying_party import Browser, RelyingParty, answer_in

GOODBYE = "https://forum.example.org/goodbye"
IS_WAITING = """
    SELECT EXISTS (SELECT FROM pg_stat_activity
                    WHERE datname = current_database() AND wait_event_type = 'Lock')
"""


async def notices(database: Database) -> list[LogoutNotice]:
    """The notices that wait in the queue."""
    rows = await database.reader.rows(
        "SELECT payload FROM pgqueuer WHERE entrypoint = $1 ORDER BY id", openid_sessions.LOGOUT
    )
    return [msgspec.json.decode(row["payload"], type=LogoutNotice) for row in rows]


async def ban(database: Database, user: object, **about: Any) -> None:
    order = Imposition(by=BY, user=str(user), kind="ban", reason="a bot", **about)
    await sanctions.impose.one(database, order)


@asynccontextmanager
async def over(settings: Settings) -> AsyncIterator[tuple[Database, Vault]]:
    async with Database.open(settings) as database:
        yield database, Vault(settings)


async def is_signed_out(browser: Browser, party: RelyingParty, tokens: dict[str, Any]) -> bool:
    """Whether neither the cookie nor a token is worth anything."""
    page = await browser.authorize(party.query(prompt="none"))
    return (
        answer_in(page.headers["location"]).get("error") == "login_required"
        and (await party.user_info(tokens["access_token"])).status_code == 401
        and not (await party.refresh(tokens["refresh_token"])).is_success
    )


async def while_open(
    database: Database,
    work: Callable[[Writer], Awaitable[object]],
    other: Callable[[], Awaitable[Any]],
) -> Any:
    """The outcome of `other`, begun while a transaction with `work` was not committed yet."""
    done, go_on = asyncio.Event(), asyncio.Event()

    async def held(writer: Writer) -> None:
        await work(writer)
        done.set()
        await go_on.wait()

    first = asyncio.create_task(database.write(held))
    await done.wait()
    second = asyncio.ensure_future(other())
    while not second.done() and not await database.reader.value(IS_WAITING):
        await asyncio.sleep(0.01)
    go_on.set()
    await first
    return (await asyncio.gather(second, return_exceptions=True))[0]
