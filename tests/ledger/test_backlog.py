"""A backlog of the hash chain is read once, however many batches link it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import asyncpg
import pytest

from gamekeeper.core.settings import Settings
from gamekeeper.db.connection_pool import DatabaseUnavailable
from gamekeeper.db.database import Database
from gamekeeper.events import feed, records
from gamekeeper.ledger import chain, unlinked, verify_chain
from tests.deadlines import PATIENCE
from tests.ledger.chains import act, link, order, tamper
from tests.ledger.chains import unlinked as count_unlinked

ACTIONS = 3000
AT_ONCE = 100

# Positions are in the order of the numbers, ids and times are not.
FILL = """
    INSERT INTO actions (id, at, position, kind, actor, actor_name, request_id, address)
    SELECT md5(n::text)::uuid, now() - n * interval '1 s', ('0/' || to_hex(n))::pg_lsn,
           'items.give', 'system', 'tests', '', ''
      FROM generate_series(1, $1::int) AS n
"""
IN_ORDER = "SELECT array_agg(md5(n::text)::uuid ORDER BY n) FROM generate_series(1, $1::int) AS n"

READ = """
    SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int FROM pg_stat_user_tables
     WHERE relid::regclass::text LIKE 'actions%'
"""
SEQUENCERS = """
    SELECT pid, wait_event_type FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'gamekeeper sequencer'
"""


@pytest.fixture(autouse=True)
def small_batches(monkeypatch) -> None:
    monkeypatch.setattr(chain, "MOST_AT_ONCE", AT_ONCE)


async def fill(database: Database) -> list[UUID]:
    """A backlog; its ids in the order of the positions."""
    await database.write(lambda writer: writer.run(FILL, ACTIONS))
    return await database.reader.value(IN_ORDER, ACTIONS)


@pytest.mark.usefixtures("schema_changes")
async def test_each_action_is_read_once_whatever_the_number_of_batches(database, settings):
    done = await fill(database)
    before = await _rows_read(settings)

    assert await chain.catch_up(database) == ACTIONS

    read = await _rows_read(settings) - before
    assert await order(database) == done
    # Once to sort the backlog and once by key.
    assert 2 * ACTIONS <= read < 2.5 * ACTIONS
    assert (await verify_chain.find(settings)).total == 0


async def test_batches_are_visible_while_the_rest_waits_and_a_killed_sequencer_goes_on(
    database, settings
):
    done = await fill(database)
    async with _stopped_at(settings, 10 * AT_ONCE + 1):
        linking = asyncio.create_task(chain.catch_up(database))
        pid = await _waiting_for_lock(database)
        seen = await records.page(database.reader, 0, ACTIONS)
        assert [event.entry.id for event in seen] == done[: 10 * AT_ONCE]
        await tamper(settings, "SELECT pg_terminate_backend($pid)", pid=pid)
        with pytest.raises(DatabaseUnavailable):
            await linking
    late = await act(database, 3)

    await link(database)

    assert await order(database) == done + late
    assert (await verify_chain.find(settings)).total == 0


async def test_what_is_done_meanwhile_follows_the_backlog(database, settings):
    done = await fill(database)
    async with _stopped_at(settings, 5 * AT_ONCE + 1):
        linking = asyncio.create_task(chain.catch_up(database))
        await _waiting_for_lock(database)
        late = await act(database, 3)

    assert await linking == ACTIONS + 3
    assert await order(database) == done + late


async def test_the_feed_sends_events_while_it_numbers_a_backlog(database, settings, monkeypatch):
    monkeypatch.setattr(feed, "START_SECONDS", 0.1)
    await fill(database)
    events = feed.Feed(database)
    try:
        with events.listening():
            async with _stopped_at(settings, 5 * AT_ONCE + 1), asyncio.timeout(PATIENCE):
                while events.events_after(0) < 5 * AT_ONCE:
                    await asyncio.sleep(0.02)
                assert await count_unlinked(database) == ACTIONS - 5 * AT_ONCE
    finally:
        await events.close()


async def test_a_sequencer_that_stops_leaves_the_rest_of_a_backlog_to_the_next(database, settings):
    done = await fill(database)
    stop = asyncio.Event()
    async with _stopped_at(settings, 5 * AT_ONCE + 1):
        linking = asyncio.create_task(chain.catch_up(database, stop))
        await _waiting_for_lock(database)
        stop.set()

    assert await linking == 6 * AT_ONCE
    assert await chain.catch_up(database, stop) == 0
    assert await count_unlinked(database) == ACTIONS - 6 * AT_ONCE
    await link(database)
    assert await order(database) == done


async def test_a_backlog_after_a_move_to_another_server_is_sorted_once_too(database, settings):
    done = await fill(database)
    await tamper(settings, "UPDATE chain_progress SET server = 1, seen = '9000000:9000000:'")

    await link(database)

    assert await order(database) == done
    assert await unlinked.backlog(database.reader) == unlinked.Backlog(0, 0)


async def _rows_read(settings: Settings) -> int:
    """Rows of actions read so far; a session's count is complete when it has ended."""
    connection = await asyncpg.connect(settings.database_url)
    async with asyncio.timeout(PATIENCE):
        while await connection.fetch(SEQUENCERS):
            await asyncio.sleep(0.02)
    read = await connection.fetchval(READ)
    await connection.close()
    return read


@asynccontextmanager
async def _stopped_at(settings: Settings, seq: int) -> AsyncIterator[None]:
    """Whoever adds this link waits until the end of the ``with`` block."""
    connection = await asyncpg.connect(settings.database_url)
    try:
        await connection.execute("BEGIN")
        await connection.execute(
            "INSERT INTO chain (seq, action_id, action_at, hash)"
            " VALUES ($1, gen_random_uuid(), now(), sha256(''))",
            seq,
        )
        yield
        await connection.execute("ROLLBACK")
    finally:
        await connection.close()


async def _waiting_for_lock(database: Database) -> int:
    """The process of the sequencer that waits there."""
    async with asyncio.timeout(PATIENCE):
        while True:
            for pid, waits_for in await database.reader.rows(SEQUENCERS):
                if waits_for == "Lock":
                    return pid
            await asyncio.sleep(0.02)
