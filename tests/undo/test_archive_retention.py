"""Retention of deleted characters: an expired one is gone for good, and nothing else is."""

import asyncio
from uuid import UUID

import pytest
from msgspec import structs

from gamekeeper.core.settings import Settings
from gamekeeper.db import retention
from gamekeeper.db.database import Database
from gamekeeper.history.undo.execute import UndoConflict, Undone
from tests.databases import SharedDatabase
from tests.players.proofs import at_once, prove, total
from tests.players.test_characters import make_rich
from tests.undo.test_characters import delete, reasons, snapshot, undo

KEPT_DAYS = 30


@pytest.fixture
def keeping(settings: Settings, shared_database: SharedDatabase) -> Database:
    return shared_database.database(structs.replace(settings, deleted_player_days=KEPT_DAYS))


async def age(database: Database, days: float) -> None:
    """Let every deletion have been so long ago."""
    sql = "UPDATE deleted_players SET deleted_at = now() - $1 * interval '1 day'"
    await database.write(lambda writer: writer.run(sql, days))


async def deleted(database: Database, days: float) -> UUID:
    """The action that deleted ana, who had something of everything, so long ago."""
    await make_rich(database)
    action = await delete(database, "ana")
    await age(database, days)
    return action


async def sweep(database: Database) -> None:
    await retention.sweep(database, asyncio.Event())


async def history(database: Database) -> list[int]:
    return [await total(database, table) for table in ("actions", "postings", "ledger_heads")]


async def test_an_expired_character_goes_and_its_history_stays(keeping):
    action = await deleted(keeping, KEPT_DAYS + 0.01)
    before = await history(keeping)

    await sweep(keeping)

    assert await total(keeping, "deleted_players") == 0
    assert await history(keeping) == before
    assert reasons(await undo(keeping, action)) == ["player_gone"]
    assert reasons(await undo(keeping, action, partial=True)) == ["player_gone"]
    assert await history(keeping) == before
    await prove(keeping, chain=True)


async def test_until_then_it_comes_back_with_all_it_had(keeping):
    await make_rich(keeping)
    before = await snapshot(keeping)
    action = await delete(keeping, "ana")
    await age(keeping, KEPT_DAYS - 0.01)

    await sweep(keeping)

    assert isinstance(await undo(keeping, action), Undone)
    assert await snapshot(keeping) == before


async def test_unless_set_it_is_two_years(database):
    await deleted(database, 729.9)
    await sweep(database)
    assert await total(database, "deleted_players") == 1

    await age(database, 730.1)
    await sweep(database)
    assert await total(database, "deleted_players") == 0


async def test_the_days_count_from_the_last_deletion(keeping):
    action = await deleted(keeping, KEPT_DAYS + 1)
    back = await undo(keeping, action)
    assert isinstance(back, Undone)
    assert isinstance(await undo(keeping, back.id), Undone)

    await sweep(keeping)

    assert await total(keeping, "deleted_players") == 1


async def test_an_undo_and_the_sweep_at_once_leave_all_or_nothing(keeping):
    """Whoever locks the archived row first wins; the other finds it gone."""
    action = await deleted(keeping, KEPT_DAYS + 1)

    outcome, _ = await at_once(keeping, [undo(keeping, action), sweep(keeping)])

    assert await total(keeping, "deleted_players") == 0
    assert isinstance(outcome, Undone | UndoConflict)
    assert await total(keeping, "players") == isinstance(outcome, Undone)
    await prove(keeping, chain=True)


async def test_an_undo_that_waited_for_the_sweep_is_refused(keeping):
    action = await deleted(keeping, KEPT_DAYS + 1)
    found, release = asyncio.Event(), asyncio.Event()

    async def hold(writer) -> None:
        assert await writer.run("DELETE FROM deleted_players") == 1
        found.set()
        await release.wait()

    sweeping = asyncio.create_task(keeping.write(hold))
    await found.wait()
    undoing = asyncio.create_task(undo(keeping, action))
    while not await keeping.reader.value(
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock'"
    ):
        assert not undoing.done()
        await asyncio.sleep(0.01)
    release.set()
    await sweeping

    assert reasons(await undoing) == ["player_gone"]
    assert await total(keeping, "players") == 0
    await prove(keeping, chain=True)
