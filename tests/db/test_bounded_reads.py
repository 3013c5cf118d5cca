"""Reads that find nothing, or little among much: they read what they show, not whole tables."""

from typing import LiteralString

import pytest

from gamekeeper.core.schemas import SortDirection, Window
from gamekeeper.core.search import Search
from gamekeeper.db.database import Database
from gamekeeper.players import sort_orders
from gamekeeper.users.actors import UnknownActor, find_actors
from tests.make import make_player, make_server

pytestmark = pytest.mark.usefixtures("database_statistics")

ROWS = 5000

USERS = """
    INSERT INTO users (name, name_key, email)
    SELECT 'account' || n, 'account' || n, 'account' || n || '@example.com'
      FROM generate_series(1, $1::int) AS n
"""
AT_TERMINAL = """
    INSERT INTO actions (id, kind, actor, actor_name, request_id, address)
    SELECT gen_random_uuid(), 'items.give', 'system', 'command line (root)', '', ''
      FROM generate_series(1, $1::int)
"""
READ = """
    SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int
      FROM pg_stat_user_tables WHERE relname LIKE $1
"""


async def rows_read(database: Database, tables: str) -> int:
    """Rows of the tables with such names, read by the connections of `database` so far."""
    for pool in database.pools:
        # One caller at a time uses the same connection of a pool again and again.
        async with pool.acquire() as connection:
            await connection.execute("SELECT pg_stat_force_next_flush()")
            await connection.execute("SELECT 1")
    return await database.reader.value(READ, tables)


async def run(database: Database, *statements: LiteralString) -> None:
    for sql in statements:
        await database.write(lambda writer, sql=sql: writer.run(sql))


@pytest.mark.parametrize("tables", ["users", "actions%"])
async def test_a_mistyped_actor_reads_few_names(database, tables):
    """With any plan: after five calls PostgreSQL may choose one that knows no values."""
    await database.write(lambda writer: writer.run(USERS, ROWS))
    await database.write(lambda writer: writer.run(AT_TERMINAL, ROWS))
    await run(database, "ANALYZE users", "ANALYZE actions")
    before = await rows_read(database, tables)
    for _ in range(10):
        with pytest.raises(UnknownActor):
            await find_actors(database.reader, "grvoe", names_users=True)

    assert await rows_read(database, tables) - before < ROWS / 10


PLAYERS = """
    INSERT INTO players (user_id, name, name_key, class_id, level)
    SELECT user_id, name || n, name_key || n, class_id, n
      FROM players, generate_series(1, $2::int) AS n
     WHERE id = $1
"""


# One in ten is online: so many that PostgreSQL prefers to join all players.
ONLINE = """
    WITH joined AS (
        INSERT INTO presences (player_id, server_id, list_key)
        SELECT id, $1, convert_to(name_key, 'UTF8') || '\\x00'::bytea || uuid_send(id)
          FROM players WHERE level % 10 = 2
        RETURNING list_key
    ), counted AS (
        UPDATE crowds SET online = online + (SELECT count(*) FROM joined) WHERE server_id = $1
    )
    INSERT INTO list_deltas (list, key, change) SELECT 'online', list_key, 1 FROM joined
"""


async def test_a_sorted_list_of_who_is_online_reads_only_those(database):
    player, server = await make_player(database, "ana"), await make_server(database)
    await database.write(lambda writer: writer.run(PLAYERS, player, ROWS))
    await database.write(lambda writer: writer.run(ONLINE, server))
    await run(database, "ANALYZE players", "ANALYZE presences")
    for by in ("name", "level", "onlinetime"):
        for search in (None, "ana"):
            before = await rows_read(database, "players")
            for direction in SortDirection:
                page = await sort_orders.online_sorted(
                    database.reader, Window.of(0, 10), Search.of(search), by, direction
                )
                assert (page.total, len(page.values)) == (ROWS // 10, 10)
            read = await rows_read(database, "players") - before
            # Only the order by level needs those who are online; the others those of the page.
            assert read < (ROWS / 2 if by == "level" else 100), (by, search)
