"""
Transactions that began before a change and look after it: they must see it as it is now.

`now()` is the time of BEGIN. A transaction that is stopped there, by a busy pool or a lock, and
compares with `now()` takes what has begun since for not begun, and what has ended for alive.
Every race is run twice: the change commits before the first statement of the late transaction, or
while that waits for a lock of the change.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, LiteralString
from uuid import UUID

import asyncpg
import httpx2
import pytest
from msgspec import Struct

from gamekeeper.approvals import decisions
from gamekeeper.approvals.decisions import ApprovalDecision
from gamekeeper.auth import tokens
from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Problem
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.guilds import bank
from gamekeeper.guilds.bank import BankMove
from gamekeeper.moderation import sanctions
from gamekeeper.moderation.sanctions import Imposition
from gamekeeper.players.moves import Endpoint, MoveItems
from gamekeeper.servers import transactions as execute
from gamekeeper.servers.leases import LeaseHolder
from gamekeeper.servers.transactions import Transaction
from gamekeeper.users import resets
from gamekeeper.users.resets import Completion, Reset, ResetRequest
from tests.approvals.requested import make_request
from tests.guilds.halls import Hall
from tests.make import BY, join, make_item, make_player, make_server, make_user, proved
from tests.torture.interleaver import overlap, stopping

Caller = Callable[[], Awaitable[object]]


class Race(Struct, frozen=True):
    """What is late, what changes meanwhile, and the error that the late one must get."""

    late: Caller
    change: Caller
    code: str
    shares_lock: bool = True
    """Whether the late one waits for the change, if that has not committed yet. One that does not
    wait comes before the change."""
    ends_tokens: bool = False
    """Whether the change ends all tokens, those that were issued while it was not committed too."""


async def sign_in(database: Database, _: httpx2.AsyncClient) -> Race:
    user = await make_user(database, "Ana", password="secret", api=True)
    order = await proved(database, user)
    return Race(
        lambda: tokens.issue.one(database, order),
        _ban(database),
        "invalid_grant",
        ends_tokens=True,
    )


async def refresh(database: Database, _: httpx2.AsyncClient) -> Race:
    token = await _refresh_token(database)
    return Race(
        lambda: tokens.refresh.one(database, token),
        _ban(database),
        "invalid_grant",
        shares_lock=False,
        ends_tokens=True,
    )


async def refresh_at_its_end(database: Database, _: httpx2.AsyncClient) -> Race:
    token = await _refresh_token(database)
    ending = _run(database, "UPDATE refresh_tokens SET expires_at = clock_timestamp()")
    return Race(lambda: tokens.refresh.one(database, token), ending, "invalid_grant")


async def deposit(database: Database, client: httpx2.AsyncClient) -> Race:
    hall = await Hall.make(client, database)
    known: Any = hall
    await hall.give("Ana", known.potion, 5)
    move = BankMove(by=BY, guild_id=known.id, player="Ana", item_id=known.potion, quantity=1)
    order = Imposition(by=BY, kind="trade_lock", message="No trades.", player="Ana")
    return Race(
        lambda: bank.deposit.one(database, move),
        lambda: sanctions.impose.one(database, order),
        "trade_locked",
    )


async def fenced(database: Database, _: httpx2.AsyncClient) -> Race:
    player, server = await make_player(database, "Ana"), await make_server(database)
    await join(database, player, server)
    move = MoveItems(
        item_id=await make_item(database), quantity=1, source=None, target=Endpoint(player="Ana")
    )
    order = Transaction(by=BY, holder=LeaseHolder(server, 0), expected=(), moves=[move])
    ending = _run(database, "UPDATE servers SET lease_until = clock_timestamp()")
    return Race(lambda: execute.transact.one(database, order), ending, "fenced", shares_lock=False)


async def approval(database: Database, _: httpx2.AsyncClient) -> Race:
    await make_player(database, "Ana")
    asked = await make_request(database, "Ana", await make_item(database))
    ending = _run(database, "UPDATE api_keys SET expires_at = clock_timestamp()")
    return Race(_approving(database, asked), ending, "requester_lost_rights", shares_lock=False)


async def approval_at_its_end(database: Database, _: httpx2.AsyncClient) -> Race:
    await make_player(database, "Ana")
    asked = await make_request(database, "Ana", await make_item(database))
    ending = _run(database, "UPDATE approval_requests SET expires_at = clock_timestamp()")
    return Race(_approving(database, asked), ending, "approval_expired")


async def reset(database: Database, _: httpx2.AsyncClient) -> Race:
    user = await make_user(database, "Ana", password="secret")
    await resets.request.one(database, ResetRequest(user_id=user))
    id_ = await database.reader.value("SELECT id FROM password_resets")
    order = Completion(by=BY, reset=Reset(user_id=user, id=id_), sealed="new")
    ending = _run(database, "UPDATE password_resets SET expires_at = clock_timestamp()")
    return Race(lambda: resets.complete.one(database, order), ending, "invalid_reset")


RACES = [
    *(sign_in, refresh, refresh_at_its_end, deposit, fenced),
    *(approval, approval_at_its_end, reset),
]


ALIVE = "SELECT count(*) FROM token_families WHERE revoked_at IS NULL"


@pytest.fixture
async def watcher(settings: Settings) -> AsyncIterator[Any]:
    connection = await asyncpg.connect(settings.database_url)
    yield connection
    await connection.close()


@pytest.mark.parametrize("hold", [False, True], ids=["committed", "waited for"])
@pytest.mark.parametrize("make", RACES, ids=lambda make: make.__name__)
async def test_what_began_before_a_change_sees_it(
    client, database, watcher, monkeypatch, make, hold: bool
):
    race = await make(database, client)
    stopping(monkeypatch)

    seen = await overlap(watcher, _answered(race.late), _answered(race.change), hold=hold)

    assert not isinstance(seen.other, Problem)
    assert seen.waited == (hold and race.shares_lock)
    if not hold or seen.waited:
        assert isinstance(seen.late, Problem), seen.late
        assert seen.late.code == race.code
    if race.ends_tokens:
        assert await watcher.fetchval(ALIVE) == 0


def _answered(caller: Caller) -> Caller:
    async def call() -> object:
        try:
            return await caller()
        except Problem as problem:
            return problem

    return call


def _ban(database: Database) -> Caller:
    order = Imposition(by=BY, kind="ban", message="No bots.", user="Ana")
    return lambda: sanctions.impose.one(database, order)


def _approving(database: Database, asked: UUID) -> Caller:
    caller = Principal(id="key:boss", name="boss", scopes=None)
    order = ApprovalDecision(by=BY, approval_id=asked, caller=caller)
    return lambda: decisions.approve.one(database, order)


async def _refresh_token(database: Database) -> str:
    user = await make_user(database, "Ana", password="secret", api=True)
    return (await tokens.issue.one(database, await proved(database, user))).refresh


def _run(database: Database, sql: LiteralString) -> Caller:
    return lambda: database.write(lambda writer: writer.run(sql))
