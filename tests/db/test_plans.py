"""Plans made while a table was empty or tiny: gifts and lookups cost no more after it has grown."""

from uuid import UUID, uuid4

import pytest
from msgspec import structs

from gamekeeper.core.errors import StoredReply
from gamekeeper.db import idempotency
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.idempotency import IdempotencyKey
from gamekeeper.players import items, spells, variables
from gamekeeper.players.items import Gift
from gamekeeper.players.lookup import find_player
from tests.make import BY, make_item, make_player, make_spell, make_variable

pytestmark = pytest.mark.usefixtures("database_statistics")

GIFTS = 10
REPLIES = 26_000
RUNS = 4
LOOKUPS = 4
"""Of a key in an index of `replies`, by a gift and the one that repeats it."""
BLOCKS_OF_A_GIFT = 16
"""Of `replies` and its two indexes: the key is looked up, stored, and looked up again. 26,000
replies fill more than 300 blocks, four times as many more than 1,300."""

BLOCKS_OF_A_TABLE = 100
"""Of any table and its indexes, by a gift to one of 5,000 characters; a scan reads thousands."""

READ = """
    SELECT sum(seq_tup_read)::int AS scanned,
           sum(blocks) FILTER (WHERE relname = 'replies')::int AS blocks
      FROM pg_stat_user_tables
      JOIN (SELECT relid,
                   heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit AS blocks
              FROM pg_statio_user_tables) AS io USING (relid)
"""

TABLES = ("players", "player_spells", "player_variables", "slots", "ledger_heads", "replies")

GROW = """
    INSERT INTO replies (caller, key, fingerprint, status, body)
    SELECT 'key:shop', md5($2 || ' ' || number), '', 200, '{}'
      FROM generate_series(1, $1) AS number
"""

NEVER_ANALYSED = "SELECT reltuples < 0 FROM pg_class WHERE oid = 'replies'::regclass"

GROW_PLAYERS = """
    WITH made AS (
        INSERT INTO players (user_id, name, name_key, class_id)
        SELECT user_id, name || number, name_key || number, class_id
          FROM players, generate_series(1, $2) AS number
         WHERE id = $1
        RETURNING id
    ), heads AS (
        INSERT INTO ledger_heads (player_id, seq, at) SELECT id, 1, now() FROM made
    )
    INSERT INTO slots (player_id, place, slot, item_id, quantity)
    SELECT made.id, 'inventory', 0, item_id, 1 FROM made, slots WHERE player_id = $1
"""

GROW_BOOKS = """
    WITH spell AS (
        INSERT INTO player_spells (player_id, slot, spell_id)
        SELECT players.id, 0, spells.id FROM players, spells
    )
    INSERT INTO player_variables (player_id, variable_id, value)
    SELECT players.id, variables.id, '1' FROM players, variables
"""

BLOCKS = """
    SELECT relname AS table,
           coalesce(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit, 0)::int AS blocks
      FROM pg_statio_user_tables
"""


async def test_gifts_find_replies_by_key_after_the_table_has_grown(database: Database):
    """Never analysed, as after an install or an import: the first plans stay, and must suffice."""
    player = await make_player(database)
    potion = await make_item(database, inventory_stack=1000)
    await database.write(_never_analyse)
    # The statements of a gift, and of a repeated one, are planned here.
    await _give_many(database, player, potion)
    blocks = []
    for run in range(RUNS):
        await database.write(lambda writer, run=run: writer.run(GROW, REPLIES, str(run)))
        before = await _read(database)
        await _give_many(database, player, potion)
        after = await _read(database)
        assert after["scanned"] == before["scanned"]
        blocks.append((after["blocks"] - before["blocks"]) / GIFTS)

    assert await database.reader.value(NEVER_ANALYSED)
    assert await database.reader.value("SELECT count(*) FROM replies") > 100_000
    assert 0 < max(blocks) <= BLOCKS_OF_A_GIFT
    # A lookup in an index may have to go one level deeper.
    assert blocks[-1] <= blocks[0] + LOOKUPS


async def test_gifts_read_by_key_what_was_tiny_when_it_was_analysed(database: Database):
    """With statistics of a few rows, all of an index is as cheap to read as one key of it."""
    players = [await make_player(database) for _ in range(3)]
    potion = await make_item(database, inventory_stack=1000)
    await _give_many(database, players[0], potion)
    await database.write(_analyse_for_the_last_time)
    # Planned again, by these statistics; they stay as they are.
    await _give_many(database, players[0], potion)
    await database.write(lambda writer: writer.run(GROW, REPLIES, "more"))
    await database.write(lambda writer: writer.run(GROW_PLAYERS, players[0], 5_000))

    before = await _blocks(database)
    await _give_many(database, players[0], potion)
    after = await _blocks(database)

    read = {table: (after[table] - before[table]) / GIFTS for table in after}
    assert {table: blocks for table, blocks in read.items() if blocks > BLOCKS_OF_A_TABLE} == {}
    assert read["replies"] > 0


@pytest.mark.parametrize("by", ["name", "id"])
async def test_lookups_read_by_key_what_was_tiny_when_it_was_analysed(database: Database, by: str):
    [hero, *_] = [await make_player(database, f"hero{number}") for number in range(3)]
    await _give(database, hero, await make_item(database))
    await make_spell(database)
    await make_variable(database)
    await database.write(_analyse_for_the_last_time)
    key = "hero0" if by == "name" else str(hero)
    await _look_up(database, key)
    await database.write(lambda writer: writer.run(GROW_PLAYERS, hero, 5_000))
    await database.write(lambda writer: writer.run(GROW_BOOKS))

    before = await _blocks(database)
    await _look_up(database, key)
    after = await _blocks(database)

    read = {table: after[table] - before[table] for table in after}
    assert {table: blocks for table, blocks in read.items() if blocks > BLOCKS_OF_A_TABLE} == {}
    assert read["players"] > 0


async def _look_up(database: Database, key: str) -> None:
    reader = database.reader
    await find_player(reader, key)
    await items.carried(reader, key)
    await spells.known_spells(reader, key)
    await variables.all_set(reader, key)


async def _never_analyse(writer: Writer) -> None:
    """Autovacuum would read the tables too, and have the statements planned again."""
    for table in TABLES:
        await writer.run(f"ALTER TABLE {table} SET (autovacuum_enabled = off)")


async def _analyse_for_the_last_time(writer: Writer) -> None:
    await _never_analyse(writer)
    await writer.run("ANALYZE")


async def _give_many(database: Database, player: UUID, potion: UUID) -> None:
    for _ in range(GIFTS):
        key = await _give(database, player, potion)
        assert isinstance(await idempotency.find_reply(database.reader, key), StoredReply)


async def _give(database: Database, player: UUID, potion: UUID) -> IdempotencyKey:
    key = IdempotencyKey("key:shop", uuid4().hex, b"0" * 32)
    by = structs.replace(BY, key=key)
    await items.give.one(database, Gift(by=by, player=str(player), item_id=potion, quantity=1))
    return key


async def _read(database: Database) -> dict[str, int]:
    """Rows read by sequential scans, and blocks read of `replies`, by all connections so far."""
    await _flush(database)
    [row] = await database.reader.rows(READ)
    return dict(row)


async def _blocks(database: Database) -> dict[str, int]:
    """Blocks read of each table and its indexes, by all connections so far."""
    await _flush(database)
    return {row["table"]: row["blocks"] for row in await database.reader.rows(BLOCKS)}


async def _flush(database: Database) -> None:
    """Make what connections have counted visible."""
    for pool in database.pools:
        # One caller at a time uses the same connection of a pool again and again.
        async with pool.acquire() as connection:
            await connection.execute("SELECT pg_stat_force_next_flush()")
            await connection.execute("SELECT 1")
