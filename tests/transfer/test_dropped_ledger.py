"""Old files are refused after old months of the ledger were dropped, too: no item exists twice."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.guilds import bank, lifecycle
from gamekeeper.guilds.bank import BankMove
from gamekeeper.guilds.lifecycle import GuildFounding
from gamekeeper.history import retention
from gamekeeper.ledger.economy.rebuild import recount
from tests.make import BY
from tests.transfer.worlds import (
    POTION,
    assert_whole,
    bring,
    exported,
    held,
    make_catalog,
    named,
    player,
    user,
)

AGED = """
    CREATE TABLE IF NOT EXISTS postings_2025_06 PARTITION OF postings
           FOR VALUES FROM ('2025-06-01 00:00Z') TO ('2025-07-01 00:00Z');
    UPDATE postings SET at = timestamptz '2025-06-01 12:00Z' + make_interval(secs => seq::int)
     WHERE at > '2026-01-01';
    UPDATE ledger_heads SET at = timestamptz '2025-06-01 12:00Z' + make_interval(secs => seq::int);
"""


@pytest.fixture
async def world(settings: Settings, database: Database, tmp_path: Path) -> Database:
    """Ana and Bo came by an import, each with ten potions; Ana owns a guild with an empty bank."""
    await make_catalog(database)
    full: dict[str, Any] = {"inventory": [held(0, POTION, 10)]}
    await bring(settings, tmp_path, user(), user("bo"), player(**full), player("Bo", "bo", **full))
    await lifecycle.found.one(database, GuildFounding(by=BY, name="The Owls", owner="Ana"))
    return database


async def deposit(database: Database) -> None:
    guild = await database.reader.value("SELECT id FROM guilds")
    move = BankMove(by=BY, guild_id=guild, player="Ana", item_id=UUID(POTION), quantity=6)
    await bank.deposit.one(database, move)


async def drop(database: Database) -> None:
    """Drop everything that was posted until now, as if it were of another month."""
    connection = await asyncpg.connect(database.settings.database_url)
    await connection.execute(AGED)
    await connection.close()

    async def count(writer: Any) -> None:
        await writer.run("SELECT FROM economy_horizon FOR UPDATE")
        await recount(writer)

    await database.write(count)
    dropped = await retention.drop(database.settings, datetime(2026, 1, 1, tzinfo=UTC))
    assert dropped.postings > 0
    assert await database.reader.value("SELECT count(*) FROM postings") == 0


async def potions(database: Database) -> int:
    return await database.reader.value(
        """
        SELECT sum(quantity)::int
          FROM (SELECT item_id, quantity FROM slots UNION ALL
                SELECT item_id, quantity FROM guild_slots) AS held
         WHERE item_id = $1
        """,
        UUID(POTION),
    )


Step = Callable[[Database], Awaitable[None]]


@pytest.mark.parametrize("steps", [(deposit, drop), (drop, deposit)], ids=["dropped", "kept"])
@pytest.mark.parametrize("positioned", [True, False], ids=["position", "no position"])
async def test_an_export_of_before_is_refused_if_items_moved(
    world, tmp_path, steps: tuple[Step, ...], *, positioned: bool
):
    """Whether the deposit was dropped or came after the drop."""
    settings = world.settings
    lines = [line for line in await exported(settings) if line["kind"] == "player"]
    if not positioned:
        lines = [{key: line[key] for key in line if key != "position"} for line in lines]
    before = await potions(world)
    for step in steps:
        await step(world)

    for dry_run in (True, False):
        report = await bring(settings, tmp_path, *lines, dry_run=dry_run)
        [fault] = report.faults
        assert lines[fault.line - 1]["name"] == "Ana", "Bo has what the file says"
        assert fault.field == ("position" if positioned else "id")
        assert "twice" in fault.reason
        assert await potions(world) == before
    await assert_whole(settings)


async def test_without_a_position_the_refusal_names_the_dropped_ledger(world, tmp_path):
    """Nothing moved, but nobody can know that any more; a change of anything else is imported."""
    await drop(world)
    other = player(inventory=[held(0, POTION, 3)])

    [fault] = (await bring(world.settings, tmp_path, other)).faults
    assert fault.field == "id"
    assert "was dropped" in fault.reason
    assert "--overwrite" in fault.reason

    level = {"kind": "player", "id": named("player Ana"), "level": 9}
    report = await bring(world.settings, tmp_path, level)
    assert (report.faults, report.players.changed) == ([], 1)


async def test_an_edited_export_of_after_the_drop_is_imported(world, tmp_path):
    await deposit(world)
    await drop(world)
    [line] = [line for line in await exported(world.settings) if line.get("name") == "Ana"]

    report = await bring(world.settings, tmp_path, line | {"inventory": [held(0, POTION, 1)]})
    assert (report.faults, report.players.changed) == ([], 1)

    # The import is the last posting now, so the next file without a position is compared with it.
    del line["position"]
    assert (await bring(world.settings, tmp_path, line)).faults == []
    await assert_whole(world.settings)
