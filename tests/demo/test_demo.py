"""The demo world: believable, whole, and the same for the same seed."""

from collections.abc import AsyncIterator
from typing import NamedTuple
from uuid import UUID

import pytest

from gamekeeper.core import names as core_names
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.paging.orderings import ORDERINGS
from gamekeeper.db.paging.rebalance import USUAL
from gamekeeper.db.paging.verify import check
from gamekeeper.demo import loader, people
from gamekeeper.demo.names import NameGenerator
from tests.databases import cloned

pytestmark = pytest.mark.usefixtures("schema_changes")

PLAYERS = 400

# Everything that describes the tables: what the demo takes away and puts back, and all else.
SCHEMA = """
    SELECT conrelid::regclass::text, conname::text, pg_get_constraintdef(oid), convalidated
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace
     UNION ALL
    SELECT indrelid::regclass::text, indexrelid::regclass::text, pg_get_indexdef(indexrelid),
           indisvalid
      FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     WHERE relnamespace = 'public'::regnamespace
     UNION ALL
    SELECT attrelid::regclass::text, attname::text, format_type(atttypid, atttypmod), attnotnull
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
     WHERE relnamespace = 'public'::regnamespace AND attnum > 0
     ORDER BY 1, 2, 3
"""


# What would contradict the rules of the game; each finds nothing.
CONTRADICTIONS = {
    "a stack is larger than its item allows": """
        SELECT FROM slots JOIN items ON items.id = item_id
         WHERE quantity > CASE place WHEN 'bank' THEN bank_stack ELSE inventory_stack END
    """,
    "a stack in a bag is larger than its item allows": """
        SELECT FROM bag_slots JOIN items ON items.id = item_id WHERE quantity > inventory_stack
    """,
    "a slot is beyond the last": """
        SELECT FROM slots WHERE slot >= CASE place WHEN 'bank' THEN 100 ELSE 35 END
    """,
    "the bank holds what it does not take": """
        SELECT FROM slots JOIN items ON items.id = item_id WHERE place = 'bank' AND NOT bankable
    """,
    "what is worn is no equipment in the inventory": """
        SELECT FROM players CROSS JOIN unnest(equipment) AS worn
          LEFT JOIN slots ON player_id = players.id AND place = 'inventory' AND slot = worn
          LEFT JOIN items ON items.id = item_id
         WHERE worn >= 0 AND type IS DISTINCT FROM 'equipment'
    """,
    "a thing is worn in two places": """
        SELECT FROM players CROSS JOIN unnest(equipment) AS worn
         WHERE worn >= 0 GROUP BY players.id, worn HAVING count(*) > 1
    """,
    "there are not five places to wear things": """
        SELECT FROM players WHERE cardinality(equipment) <> 5
    """,
    "a bag is no bag": """
        SELECT FROM slots JOIN items ON items.id = item_id
         WHERE (type = 'bag') <> (bag_id IS NOT NULL)
    """,
    "a bag has another size than its item, or lies nowhere": """
        SELECT FROM bags
          LEFT JOIN slots ON slots.player_id = bags.player_id AND bag_id = bags.id
          LEFT JOIN items ON items.id = item_id
         WHERE slot_count IS DISTINCT FROM bag_slots
    """,
    "a bag has no owner": """
        SELECT FROM bags LEFT JOIN bag_owners ON bag_id = id
         WHERE bag_owners.player_id IS DISTINCT FROM bags.player_id
    """,
    "a bag is overfull": """
        SELECT FROM bag_slots JOIN bags ON bags.id = bag_id WHERE slot >= slot_count
    """,
    "a bag lies in a bag": """
        SELECT FROM bag_slots JOIN items ON items.id = item_id WHERE type = 'bag'
    """,
    "a player is not found by name": """
        SELECT FROM players LEFT JOIN player_names AS names USING (name_key)
         WHERE names.player_id IS DISTINCT FROM players.id
    """,
    "a user is not found by name": """
        SELECT FROM users LEFT JOIN user_names AS names USING (name_key)
         WHERE names.user_id IS DISTINCT FROM users.id
    """,
    "an email address is not the user's": """
        SELECT FROM users LEFT JOIN user_emails ON email_key = lower(email)
         WHERE user_id IS DISTINCT FROM users.id
    """,
    "a user has no character, or more than three": """
        SELECT FROM users LEFT JOIN players ON user_id = users.id
         GROUP BY users.id HAVING count(players.id) NOT BETWEEN 1 AND 3
    """,
    "experience is beyond the level": """
        SELECT FROM players JOIN classes ON classes.id = class_id
         WHERE exp >= base_exp * power(1 + exp_increase / 100.0, level - 1) OR level > max_level
    """,
    "vitals are not what the class gives": """
        SELECT FROM players JOIN classes ON classes.id = class_id
         WHERE max_vitals[1] <> base_vitals[1] + vital_increases[1] * (level - 1)
            OR max_vitals[2] <> base_vitals[2] + vital_increases[2] * (level - 1)
            OR vitals[1] NOT BETWEEN 1 AND max_vitals[1]
            OR vitals[2] NOT BETWEEN 1 AND max_vitals[2]
    """,
    "time goes backward, or beyond the world's own": """
        SELECT FROM players JOIN users ON users.id = user_id
         WHERE users.created_at > players.created_at OR last_online > '2026-01-01 00:00 UTC'
            OR players.created_at + play_time_seconds * interval '1 second' > last_online
    """,
    "somebody online is somebody else": """
        SELECT FROM presences JOIN players ON players.id = player_id
         WHERE list_key <> convert_to(name_key, 'UTF8') || '\\x00'::bytea || uuid_send(player_id)
            OR joined_at <> last_online
    """,
    "somebody is muted for nothing": """
        SELECT FROM sanctions WHERE kind <> 'mute' OR message = ''
    """,
    "spells have gaps between them": """
        SELECT FROM player_spells GROUP BY player_id HAVING max(slot) + 1 <> count(*)
    """,
    "a variable is not of its type": """
        SELECT FROM player_variables JOIN variables ON variables.id = variable_id
         WHERE jsonb_typeof(value) <> CASE type WHEN 'integer' THEN 'number' ELSE type END
    """,
}


async def fingerprints(database: Database) -> dict[str, str]:
    """A hash of the whole contents of each table the demo fills."""
    return {
        table: await database.reader.value(
            f"SELECT md5(string_agg(row::text, ';' ORDER BY row::text)) FROM {table} AS row"
        )
        for table in (
            *people.TABLES,
            "servers",
            "items",
            "spells",
            "variables",
            "classes",
            "list_nodes",
        )
    }


class World(NamedTuple):
    settings: Settings
    database: Database
    filled: loader.Filled


@pytest.fixture(scope="module")
async def world(template: str) -> AsyncIterator[World]:
    """A world in a database of its own, to look at; no test changes it."""
    async with cloned(template) as settings, Database.open(settings) as database:
        yield World(settings, database, await loader.fill(settings, players=PLAYERS, seed=1))


async def test_keys_constraints_and_indexes_are_as_before(settings, database):
    before = await database.reader.rows(SCHEMA)

    await loader.fill(settings, players=PLAYERS, seed=1)

    assert await database.reader.rows(SCHEMA) == before


async def test_the_lists_are_counted_and_cut_up(world):
    settings, database, filled = world
    for table, count in (("players", filled.players), ("users", filled.users)):
        assert await database.reader.value(f"SELECT count(*) FROM {table}") == count
    assert filled.players == PLAYERS
    for listing, count in zip(
        ORDERINGS, (PLAYERS, PLAYERS, filled.users, filled.online), strict=True
    ):
        finding = await check(settings, listing)
        assert (finding.total, finding.wrong) == (count, [])
        assert finding.buckets == max(1, round(count / USUAL.bucket))


async def test_the_same_seed_gives_the_same_world_and_another_seed_another(
    settings, database, world
):
    first = await fingerprints(world.database)

    await loader.fill(settings, players=PLAYERS, seed=1)
    assert await fingerprints(database) == first

    await _empty(database)
    await loader.fill(settings, players=PLAYERS, seed=2)
    second = await fingerprints(database)
    same = {table for table in people.TABLES if first[table] == second[table]}
    assert same == set()


async def test_a_process_draws_the_same_world_as_a_thread(settings, database, world, monkeypatch):
    first = await fingerprints(world.database)

    monkeypatch.setattr(loader, "FEW", 0)
    await loader.fill(settings, players=PLAYERS, seed=1)

    assert await fingerprints(database) == first


async def test_nothing_contradicts_anything(settings, database):
    await loader.fill(settings, players=2000, seed=3)

    found = {what for what, sql in CONTRADICTIONS.items() if await database.reader.rows(sql)}

    assert found == set()


async def test_the_world_is_various(world):
    [row] = await world.database.reader.rows(
        """
        SELECT (SELECT count(DISTINCT class_id) FROM players) AS classes,
               (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY level) FROM players) AS usual,
               (SELECT max(level) FROM players) AS best,
               (SELECT count(*) FROM bags) AS bags,
               (SELECT count(*) FROM player_spells
                  JOIN spells ON id = spell_id WHERE bound) AS bound,
               (SELECT count(*) FROM player_variables) AS variables,
               (SELECT count(*) FROM slots WHERE stat_buffs <> '{0,0,0,0,0}') AS buffed,
               (SELECT count(*) FROM slots WHERE place = 'bank') AS banked,
               (SELECT count(*) FROM servers WHERE lease_until = 'infinity') AS servers
        """
    )
    assert row["classes"] == 5
    assert row["usual"] < 6
    assert row["best"] > 50
    assert min(row["bags"], row["bound"], row["variables"], row["buffed"], row["banked"]) > 5
    assert row["servers"] == 3
    assert 0 < world.filled.online < PLAYERS / 20


def test_names_are_allowed_and_differ():
    names = NameGenerator(1)
    keys = set()
    for number in range(20_000):
        name, key = (part.decode() for part in names.character(number))
        assert core_names.is_name(name, joiners=" -'_"), name
        assert core_names.fold(name) == key
        keys.add(key)
    assert len(keys) == 20_000


def test_names_of_accounts_are_allowed_and_differ():
    names = NameGenerator(1)
    accounts = [names.account(number)[0].decode() for number in range(20_000)]

    assert all(core_names.is_name(name, joiners="-_") for name in accounts)
    assert len({core_names.fold(name) for name in accounts}) == len(accounts)


def test_there_are_names_for_ten_million():
    """Far along, where the shorter kinds of names are used up, they are still allowed."""
    names = NameGenerator(1)

    assert names.room >= 10_000_000
    late = {names.character(number) for number in range(9_999_000, 10_000_000)}
    assert len(late) == 1000
    assert all(core_names.is_name(name.decode(), joiners=" -'_") for name, _ in late)


async def test_a_world_with_players_is_left_alone(world):
    before = await fingerprints(world.database)

    with pytest.raises(loader.WorldNotEmpty, match="needs an empty database"):
        await loader.fill(world.settings, players=10, seed=2)

    assert await fingerprints(world.database) == before


async def test_accounts_that_are_there_already_stay(settings, database):
    await _add_user(database, "Ana", "ana")

    filled = await loader.fill(settings, players=50, seed=1)

    assert await database.reader.value("SELECT count(*) FROM users") == filled.users + 1


async def test_a_name_that_is_taken_already_is_told_and_nothing_is_left(settings, database):
    name, key = people.People(1, people.Room()).names.account(0)
    await _add_user(database, name.decode(), key.decode())
    before = await database.reader.rows(SCHEMA)

    with pytest.raises(loader.WorldNotEmpty, match=f"{key.decode()}.*--random-seed"):
        await loader.fill(settings, players=50, seed=1)

    assert await database.reader.rows(SCHEMA) == before
    assert await database.reader.value("SELECT count(*) FROM players") == 0
    assert await database.reader.value("SELECT count(*) FROM items") == 0


async def test_the_first_hundred_accounts_have_a_password(settings, database):
    async def seal(user: UUID) -> str:
        return f"sealed for {user}"

    filled = await loader.fill(settings, players=PLAYERS, seed=1, seal=seal)

    rows = await database.reader.rows("SELECT user_id, sealed FROM passwords")
    assert {row["user_id"]: row["sealed"] for row in rows} == {
        user: f"sealed for {user}" for user, _ in filled.accounts
    }
    assert len(rows) == people.WITH_PASSWORD


async def test_a_small_world_is_the_beginning_of_a_larger_one(settings, database, world):
    names = await world.database.reader.rows("SELECT id, name, level, exp FROM players")

    await loader.fill(settings, players=2 * PLAYERS, seed=1)

    larger = await database.reader.rows("SELECT id, name, level, exp FROM players")
    assert set(names) <= set(larger)


async def test_progress_ends_with_all_of_each_step(settings):
    told: dict[str, tuple[int, int]] = {}

    await loader.fill(
        settings, players=20, seed=1, on_progress=lambda step, *counts: told.update({step: counts})
    )

    assert told["Players"] == (20, 20)
    assert all(done == total for done, total in told.values())


async def test_without_tables_the_way_to_get_them_is_told(settings, database):
    async def work(writer: Writer) -> None:
        await writer.connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")

    await database.write(work)

    with pytest.raises(loader.NotMigrated, match="gamekeeper migrate"):
        await loader.fill(settings, players=20, seed=1)


async def _empty(database: Database) -> None:
    async def work(writer: Writer) -> None:
        await writer.connection.execute(
            f"TRUNCATE {', '.join(people.TABLES)}, servers CASCADE;"
            "TRUNCATE ledger_heads, postings, sessions, item_holdings, item_supply, item_flows"
        )

    await database.write(work)


async def _add_user(database: Database, name: str, key: str) -> None:
    async def work(writer: Writer) -> None:
        user = await writer.value(
            "INSERT INTO users (name, name_key, email) VALUES ($1, $2, 'a@b.c') RETURNING id",
            name,
            key,
        )
        await writer.run("INSERT INTO user_names VALUES ($1, $2)", key, user)

    await database.write(work)
