"""
A command is executed once, whatever becomes of its neighbours in the batch.

Every sequence of up to three kinds of commands, and every pair of kinds at any two places among
plain ones in batches of four and five, with idempotency keys and without. Executions are rows of
a table, so they are counted by PostgreSQL. It has a cluster of its own: there a COMMIT can be
made to wait after it has committed, and its connection can be cut.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import combinations, count, product

import asyncpg
import pytest

from gamekeeper.core.errors import Conflict, Problem, StoredReply, Unavailable
from gamekeeper.core.settings import Settings
from gamekeeper.db import database as databases
from gamekeeper.db.database import Database, LockedByOther, Writer
from gamekeeper.db.idempotency import IdempotencyKey
from gamekeeper.db.migrate import migrate
from gamekeeper.db.operations import AuditContext, Command, batched_operation
from tests.clusters import cluster

pytestmark = pytest.mark.torture

KINDS = (
    "plain",
    "locked elsewhere",
    "refused",
    "poisoned",
    "retried",
    "duplicate key",
    "deadline passed",
    "lost before COMMIT",
    "lost after COMMIT",
)
NEVER = {"refused", "poisoned", "duplicate key"}
"""Kinds that are never executed, as long as their fault lasts."""
LARGEST = 5

TABLES = """
    CREATE TABLE executed (word text NOT NULL);
    CREATE TABLE things (word text PRIMARY KEY);
"""
CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
NUMBERS = count(1)


class Refused(Conflict):
    """No."""


class Deed(Command, frozen=True, kw_only=True):
    word: str
    kind: str


faults: set[str] = set()
"""The words of the commands whose fault lasts."""


def is_faulty(deed: Deed, kind: str) -> bool:
    return deed.kind == kind and deed.word in faults


@batched_operation
async def perform(writer: Writer, orders: Sequence[Deed]) -> list[str | Problem]:
    """Record each command as executed, with the fault of its kind."""
    await _lock(writer, orders)
    done = [order.word for order in orders if not is_faulty(order, "refused")]
    await writer.run("INSERT INTO executed SELECT unnest($1::text[])", done)
    for order in orders:
        await _fail(writer, order)
    return [Refused() if is_faulty(order, "refused") else order.word for order in orders]


async def _lock(writer: Writer, orders: Sequence[Deed]) -> None:
    wanted = [order.word for order in orders]
    sql = "SELECT word FROM things WHERE word = ANY($1) FOR UPDATE"
    if writer.wait_for_locks:
        await writer.rows(sql, wanted)
        return
    known = {row["word"] for row in await writer.rows(sql.replace("FOR UPDATE", ""), wanted)}
    got = {row["word"] for row in await writer.rows(f"{sql} SKIP LOCKED", wanted)}
    if locked := [[position] for position, word in enumerate(wanted) if word in known - got]:
        raise LockedByOther(locked)


async def _fail(writer: Writer, order: Deed) -> None:
    if order.word not in faults:
        return
    match order.kind:
        case "poisoned":
            raise RuntimeError(order.word)
        case "retried":
            faults.discard(order.word)
            await writer.run("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$")
        case "duplicate key":
            await writer.run("INSERT INTO things SELECT 'x' FROM generate_series(1, 2)")
        case "deadline passed":
            await writer.run("SET LOCAL statement_timeout = 5")
            await writer.run("SELECT pg_sleep(5)")
        case "lost before COMMIT":
            await writer.run("SELECT pg_terminate_backend(pg_backend_pid())")
        case "lost after COMMIT":
            # No standby will ever confirm it: the COMMIT waits after it has committed.
            await writer.run("SET LOCAL synchronous_commit = on")


@pytest.fixture(scope="module")
async def settings() -> AsyncIterator[Settings]:
    options = "-c synchronous_commit=off -c synchronous_standby_names=nobody"
    with cluster(options=options, parent="/dev/shm") as postgres:
        await migrate(postgres.settings)
        yield postgres.settings


@pytest.fixture(scope="module")
async def connection(settings: Settings) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(settings.database_url)
    await connection.execute(TABLES)
    yield connection
    await connection.close()


@pytest.fixture
async def cutting(settings: Settings, connection: asyncpg.Connection) -> AsyncIterator[None]:
    """Ends every connection whose COMMIT waits for a standby."""
    watcher = await asyncpg.connect(settings.database_url)

    async def cut() -> None:
        while True:
            await watcher.execute(CUT)
            await asyncio.sleep(0.002)

    task = asyncio.create_task(cut())
    yield
    task.cancel()
    await asyncio.wait([task])
    await watcher.close()


def sequences() -> Iterator[tuple[str, ...]]:
    for length in (1, 2, 3):
        yield from product(KINDS, repeat=length)
    for length in range(4, LARGEST + 1):
        for (first, second), kinds in product(
            combinations(range(length), 2), product(KINDS, KINDS)
        ):
            batch = ["plain"] * length
            batch[first], batch[second] = kinds
            yield tuple(batch)


def deeds_of(kinds: Sequence[str], *, keyed: bool) -> list[Deed]:
    words = [f"{next(NUMBERS)} {kind}" for kind in kinds]
    keys = [IdempotencyKey("key:1", word, b"f") if keyed else None for word in words]
    return [
        Deed(by=AuditContext(actor="key:1", name="shop", key=key), word=word, kind=kind)
        for word, kind, key in zip(words, kinds, keys, strict=True)
    ]


@asynccontextmanager
async def held(connection: asyncpg.Connection, deeds: Sequence[Deed]) -> AsyncIterator[None]:
    """Somebody else holds what those need that are locked elsewhere."""
    words = [deed.word for deed in deeds if deed.kind == "locked elsewhere"]
    await connection.execute("INSERT INTO things SELECT unnest($1::text[])", words)
    async with connection.transaction():
        await connection.execute("SELECT FROM things WHERE word = ANY($1) FOR UPDATE", words)
        yield


async def execute(
    database: Database, connection: asyncpg.Connection, deeds: Sequence[Deed]
) -> list[object]:
    """All at once, so that they are one batch; others let go when the rest is over."""
    faults.update(deed.word for deed in deeds if deed.kind != "plain")
    async with held(connection, deeds):
        calls = [asyncio.create_task(perform.one(database, deed)) for deed in deeds]
        pairs = zip(calls, deeds, strict=True)
        if free := [call for call, deed in pairs if deed.kind != "locked elsewhere"]:
            await asyncio.wait(free)
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    faults.clear()
    # The others heal.
    faults.update(deed.word for deed in deeds if deed.kind == "refused")
    return outcomes


def check(deeds: Sequence[Deed], outcomes: Sequence[object], executed: Counter[str]) -> None:
    for deed, outcome in zip(deeds, outcomes, strict=True):
        times = executed[deed.word]
        assert times <= 1, (deed, outcome)
        if not isinstance(outcome, Exception):
            assert times == 1, (deed, outcome)
        elif not isinstance(outcome, Unavailable):
            assert deed.kind in NEVER, (deed, outcome)
            assert times == 0, (deed, outcome)


async def counted(connection: asyncpg.Connection, deeds: Sequence[Deed]) -> Counter[str]:
    rows = await connection.fetch(
        "SELECT word FROM executed WHERE word = ANY($1)", [deed.word for deed in deeds]
    )
    return Counter(row["word"] for row in rows)


@pytest.mark.parametrize("keyed", [False, True], ids=["without-keys", "with-keys"])
async def test_no_neighbour_makes_a_command_run_twice(
    settings, connection, cutting, keyed, monkeypatch
):
    monkeypatch.setattr(databases, "BACKOFF", (0, 0.001))
    met: Counter[str] = Counter()
    async with Database.open(settings) as database:
        for kinds in sequences():
            deeds = deeds_of(kinds, keyed=keyed)
            outcomes = await execute(database, connection, deeds)
            check(deeds, outcomes, await counted(connection, deeds))
            met.update(type(outcome).__name__ for outcome in outcomes)
            if keyed:
                await retry(database, connection, deeds)
    batches = len(list(sequences()))
    print(f"\n{batches:,} batches, {met.total():,} commands: {dict(met)}")
    assert met["str"] > met.total() / 4
    assert {"Refused", "RuntimeError", "UniqueViolationError", "DatabaseUnavailable"} <= met.keys()


async def retry(database: Database, connection: asyncpg.Connection, deeds: Sequence[Deed]) -> None:
    """A client that heard a failure or nothing asks again with the same key: done once."""
    again = await asyncio.gather(
        *(perform.one(database, deed) for deed in deeds), return_exceptions=True
    )
    executed = await counted(connection, deeds)
    for deed, outcome in zip(deeds, again, strict=True):
        assert isinstance(outcome, str | StoredReply | Refused), (deed, outcome)
        assert executed[deed.word] == (deed.kind != "refused"), (deed, outcome)
