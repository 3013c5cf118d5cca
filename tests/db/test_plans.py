"""Plans made while a table was empty: a keyed gift costs the same however it has grown."""

from uuid import UUID, uuid4

import pytest
from msgspec import structs

from gamekeeper.core.errors import StoredReply
from gamekeeper.db import idempotency
from gamekeeper.db.database import Database
from gamekeeper.db.idempotency import IdempotencyKey
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from tests.make import BY, make_item, make_player

pytestmark = pytest.mark.usefixtures("database_statistics")

GIFTS = 10
REPLIES = 20_000
BLOCKS_OF_A_GIFT = 16
"""Of `replies` and its two indexes: the key is looked up, stored, and looked up again. 20,000
replies fill more than 250 blocks."""

READ = """
    SELECT sum(seq_tup_read)::int AS scanned,
           sum(blocks) FILTER (WHERE relname = 'replies')::int AS blocks
      FROM pg_stat_user_tables
      JOIN (SELECT relid,
                   heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit AS blocks
              FROM pg_statio_user_tables) AS io USING (relid)
"""

GROW = """
    INSERT INTO replies (caller, key, fingerprint, status, body)
    SELECT 'key:shop', md5(number::text), '', 200, '{}'
      FROM generate_series(1, $1) AS number
"""


async def test_gifts_find_replies_by_key_after_the_table_has_grown(database: Database):
    player = await make_player(database)
    potion = await make_item(database, inventory_stack=1000)
    # The statements of a gift, and of a repeated one, are planned here.
    await _give_many(database, player, potion)
    await database.write(lambda writer: writer.run(GROW, REPLIES))

    before = await _read(database)
    await _give_many(database, player, potion)
    after = await _read(database)

    assert after["scanned"] == before["scanned"]
    assert 0 < after["blocks"] - before["blocks"] <= GIFTS * BLOCKS_OF_A_GIFT


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
    for pool in database.pools:
        # One caller at a time uses the same connection of a pool again and again.
        async with pool.acquire() as connection:
            await connection.execute("SELECT pg_stat_force_next_flush()")
            await connection.execute("SELECT 1")
    [row] = await database.reader.rows(READ)
    return dict(row)
