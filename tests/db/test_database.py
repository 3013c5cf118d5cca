"""The ground: transactions, batches, and what happens when others are in the way."""

import asyncio

import asyncpg
import pytest
from msgspec import structs

from gamekeeper.core.errors import Conflict, InternalError, Problem, Unavailable
from gamekeeper.db import pools
from gamekeeper.db.database import (
    ATTEMPTS,
    Database,
    DatabaseReadOnly,
    DatabaseUnavailable,
    Reader,
    TablesMissing,
    Writer,
    translate_errors,
)
from gamekeeper.db.operations import operation

COLLIDE = "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$"


class Refused(Conflict):
    """No."""


@operation
async def note(writer: Writer, orders: list[str]) -> list[str | Problem]:
    """Write words into the migrations table: refuse one, choke on another."""
    for order in orders:
        if order == "poison":
            raise RuntimeError(order)
        if order != "refused":
            await writer.run("INSERT INTO migrations (name) VALUES ($1)", order)
    return [Refused() if order == "refused" else order for order in orders]


def test_a_writer_is_not_a_reader():
    """The checker then refuses to run in a transaction what is meant for a pool or a replica."""
    assert not issubclass(Writer, Reader)
    assert not issubclass(Reader, Writer)
    assert not hasattr(Reader, "run")
    assert not hasattr(Writer, "batcher")


async def noted(database: Database) -> set[str]:
    rows = await database.reader.rows("SELECT name FROM migrations WHERE name !~ '^0'")
    return {row["name"] for row in rows}


async def test_a_transaction_in_the_way_is_tried_again(database):
    """Whoever collides twice and then does not, never learns of it."""
    attempts = 0

    async def work(writer: Writer) -> str:
        nonlocal attempts
        attempts += 1
        if attempts < 3:
            await writer.run(COLLIDE)
        return "done"

    assert await database.write(work) == "done"
    assert attempts == 3


async def test_we_do_not_try_for_ever(database):
    """After a few attempts the caller is asked to come back."""
    attempts = 0

    async def work(writer: Writer) -> None:
        nonlocal attempts
        attempts += 1
        await writer.run(COLLIDE)

    with pytest.raises(Unavailable):
        await database.write(work)
    assert attempts == ATTEMPTS


async def test_a_reader_cannot_write(database):
    """PostgreSQL itself refuses."""
    with pytest.raises(asyncpg.ReadOnlySQLTransactionError):
        await database.reader.value("DELETE FROM migrations RETURNING name")


async def test_a_refused_order_does_not_harm_its_neighbours(database):
    outcomes = await note(database, ["a", "refused", "b"])

    assert [str(outcome) for outcome in outcomes] == ["a", "No.", "b"]
    assert await noted(database) == {"a", "b"}


async def test_an_unexpected_fault_hits_only_the_guilty_order(database):
    """The batch is undone and its orders run one by one."""
    outcomes = await note(database, ["a", "poison", "b"])

    assert [type(outcome) for outcome in outcomes] == [str, InternalError, str]
    assert await noted(database) == {"a", "b"}


async def test_alone_an_unexpected_fault_is_raised(database):
    with pytest.raises(RuntimeError):
        await note(database, ["poison"])


async def test_one_order_raises_its_refusal(database):
    with pytest.raises(Refused):
        await note.one(database, "refused")


async def test_operations_are_made_of_operations(database):
    """Given a writer, an operation joins; the outermost one decides."""

    async def both(writer: Writer) -> None:
        await note(writer, ["a"])
        await note(writer, ["b", "poison"])

    with pytest.raises(RuntimeError):
        await database.write(both)
    assert await noted(database) == set()


async def test_a_cancelled_transaction_leaves_nothing_and_frees_its_connection(database):
    """And the connection it used is never lent again."""
    begun = asyncio.Event()

    async def work(writer: Writer) -> None:
        await note(writer, ["a"])
        begun.set()
        await asyncio.sleep(60)

    for _ in range(20):
        begun.clear()
        task = asyncio.create_task(database.write(work))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert await noted(database) == set()
    assert await note.one(database, "after") == "after"


async def test_when_all_connections_are_out_the_answer_is_not_now(settings, monkeypatch):
    """Nobody waits for ever in line for a connection."""
    release, lent = asyncio.Event(), asyncio.Semaphore(0)

    async def hold(_: Writer) -> None:
        lent.release()
        await release.wait()

    # The wait for a connection includes that for PostgreSQL, a second at least.
    monkeypatch.setattr(pools, "ACQUIRE_SECONDS", 0.01)
    async with Database.open(structs.replace(settings, statement_seconds=0.5)) as database:
        count = settings.connections
        holders = [asyncio.create_task(database.write(hold)) for _ in range(count)]
        for _ in range(count):
            await lent.acquire()
        with pytest.raises(Unavailable):
            await note.one(database, "late")
        release.set()
        await asyncio.gather(*holders)
        assert await note.one(database, "later") == "later"


async def ended(database: Database, pid: int) -> None:
    """The server ends a connection, and we have heard of it."""
    await database.reader.value("SELECT pg_terminate_backend($1)", pid)
    await asyncio.sleep(0.2)


async def test_a_connection_that_ended_while_it_was_lent_is_not_now(database):
    """The driver says that it was released back to the pool."""

    async def work(writer: Writer) -> None:
        await ended(database, writer.connection.get_server_pid())
        await writer.rows("SELECT 1")

    with pytest.raises(DatabaseUnavailable) as refused:
        await database.write(work)
    assert type(refused.value.__cause__) is asyncpg.InterfaceError
    assert await note.one(database, "after") == "after"


async def test_a_pool_that_is_closed_is_not_now(settings):
    async with Database.open(settings) as database:
        assert await database.reader.value("SELECT 1") == 1
    with pytest.raises(DatabaseUnavailable):
        await database.reader.value("SELECT 1")
    with pytest.raises(DatabaseUnavailable):
        await note.one(database, "late")


@pytest.mark.parametrize("by", ["us", "the server"])
async def test_a_connection_of_our_own_that_ended_is_not_now(settings, database, by):
    """The driver has no type for that, so its words are held fast here."""
    connection = await asyncpg.connect(settings.database_url)
    if by == "us":
        await connection.close()
    else:
        await ended(database, connection.get_server_pid())
    with pytest.raises(DatabaseUnavailable), translate_errors():
        await connection.fetch("SELECT 1")


async def test_a_mistake_of_ours_is_not_taken_for_a_closed_connection(database):
    """Whatever the words of what was sent are."""
    with pytest.raises(asyncpg.DataError):
        await database.reader.value("SELECT $1::int", "the connection is closed")

    async def both(writer: Writer) -> None:
        await asyncio.gather(writer.rows("SELECT pg_sleep(0.1)"), writer.rows("SELECT 1"))

    with pytest.raises(asyncpg.InterfaceError, match="another operation is in progress"):
        await database.write(both)


@pytest.mark.parametrize(
    ("state", "outcome", "noted"),
    [
        ("53100", DatabaseUnavailable, True),
        ("25006", DatabaseReadOnly, True),
        ("53200", DatabaseUnavailable, False),
        ("58030", DatabaseUnavailable, False),
        ("57P03", DatabaseUnavailable, False),
        ("55P03", DatabaseUnavailable, False),
        ("42P01", TablesMissing, False),
        ("23505", asyncpg.UniqueViolationError, False),
    ],
)
async def test_what_the_server_says_is_told_apart_by_its_sqlstate(database, state, outcome, noted):
    """And whether it is one that refuses changes is noted until one is made."""

    async def work(writer: Writer) -> None:
        await writer.run(f"DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{state}'; END $$")

    with pytest.raises(outcome) as refused:
        await database.write(work)
    assert type(refused.value) is outcome
    assert (database.refused_at is not None) == noted
    await note.one(database, "after")
    assert database.refused_at is None


@pytest.mark.parametrize("severity", ["FATAL", "ERROR"])
def test_an_internal_error_that_ends_the_session_is_an_outage(severity):
    """As when a session begins on a server whose disk is full; other ones are our mistakes."""
    said = {"S": severity, "V": severity, "C": "XX000", "M": "could not write init file"}
    fault = asyncpg.PostgresError.new(said)

    expected = DatabaseUnavailable if severity == "FATAL" else asyncpg.InternalServerError
    with pytest.raises(expected), translate_errors():
        raise fault
