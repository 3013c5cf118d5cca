"""Migrations: once, in order, by one process at a time."""

import asyncio
import os
import re

import asyncpg
import pytest

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.migrate import MigrationFailed, check_version, migrate
from gamekeeper.db.schema_files import FILES, numbered

pytestmark = pytest.mark.usefixtures("schema_changes")


async def test_a_second_run_has_nothing_to_do(settings):
    assert await migrate(settings) == []


async def test_several_at_once_apply_each_migration_once(settings, database):
    """Whoever comes second waits for the first, then finds it done."""

    async def work(writer) -> None:
        await writer.run("DROP SCHEMA public CASCADE")
        await writer.run("CREATE SCHEMA public")

    await database.write(work)

    applied = await asyncio.gather(*(migrate(settings) for _ in range(4)))

    assert sorted(name for names in applied for name in names) == [name for name, _ in numbered()]


async def test_a_migration_that_fails_says_which_and_leaves_nothing_of_it(settings, database):
    """A table of the same name stands in the way of the second migration."""

    async def work(writer) -> None:
        await writer.run("DROP SCHEMA public CASCADE")
        await writer.run("CREATE SCHEMA public")
        await writer.run("CREATE TABLE totals (id int)")

    await database.write(work)

    with pytest.raises(MigrationFailed, match=r"0002_users failed: .*totals"):
        await migrate(settings)
    assert await database.reader.value("SELECT to_regclass('users')") is None
    assert await database.reader.value("SELECT max(name) FROM migrations") == "0001_catalog"


@pytest.mark.parametrize(
    ("number", "named"), [(90624, "9.6"), (130014, "13.14"), (140000, "14.0"), (149999, "14.9999")]
)
def test_an_old_postgresql_is_refused(number, named):
    sentence = f"^PostgreSQL {re.escape(named)} is too old: version 15 or newer is needed"
    with pytest.raises(MigrationFailed, match=sentence):
        check_version(number)


@pytest.mark.parametrize("number", [150000, 150004, 160001, 180001])
def test_a_newer_postgresql_is_taken(number):
    check_version(number)


@pytest.mark.parametrize("is_empty", [True, False])
async def test_a_role_that_may_not_change_tables_is_refused_first(settings, database, is_empty):
    """The role that serves, in the environment of the service: the obvious mistake."""
    connection = await asyncpg.connect(settings.database_url)
    role = f"messages_{os.getpid()}"
    try:
        if is_empty:
            await connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        await connection.execute(
            f"CREATE ROLE {role} LOGIN; GRANT USAGE ON SCHEMA public TO {role}"
        )
        server = str(settings.database_url).partition("@")[2]
        serving = Settings(database_url=Hidden(f"postgresql://{role}@{server}"))
        with pytest.raises(MigrationFailed) as refused:
            await migrate(serving)
        tables = await connection.fetchval("SELECT to_regclass('migrations')::text")
    finally:
        await connection.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")
        await connection.close()

    words = "cannot create tables" if is_empty else "The tables belong to the role 'postgres'"
    assert words in str(refused.value)
    assert "Put the URL of " in str(refused.value)
    assert tables == (None if is_empty else "migrations")


def test_numbers_have_no_gaps():
    names = [name for name, _ in numbered()]
    assert [int(name[:4]) for name in names] == list(range(1, len(names) + 1))


async def test_every_constraint_and_index_is_named_after_its_table(database):
    """No generated name like slots_quantity_check1, which a later migration could not trust."""
    rows = await database.reader.rows(
        """
        SELECT conrelid::regclass::text AS relation, conname AS name
          FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
         WHERE connamespace = 'public'::regnamespace AND NOT relispartition
        """
    )
    ours = [row for row in rows if not row["relation"].startswith("pgqueuer")]
    assert all(row["name"].startswith(row["relation"]) for row in ours)
    assert not [row["name"] for row in ours if re.search(r"_check\d*$|_key\d$", row["name"])]


async def test_there_are_no_triggers_of_our_own(database):
    """A reader of an operation does not see them, and they run once for each row."""
    rows = await database.reader.rows(
        "SELECT tgrelid::regclass::text AS relation FROM pg_trigger WHERE NOT tgisinternal"
    )
    assert {row["relation"] for row in rows if not row["relation"].startswith("pgqueuer")} == set()


async def test_what_a_character_owns_is_keyed_by_the_character_first(database):
    """So that all of it lies side by side in the index, and is found by one key."""
    rows = await database.reader.rows(
        """
        SELECT conrelid::regclass::text AS relation, conname AS name, attname AS first
          FROM pg_constraint
          JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
         WHERE contype IN ('p', 'u')
           AND conrelid::regclass::text IN
               ('slots', 'bags', 'bag_slots', 'player_spells', 'player_variables', 'presences',
                'postings', 'ledger_heads')
        """
    )
    assert len(rows) >= 6
    assert {row["name"]: row["first"] for row in rows if row["first"] != "player_id"} == {}


def test_every_migration_says_why():
    for file in FILES.iterdir():
        if file.name.endswith(".sql"):
            assert file.read_text().startswith("-- "), file.name


async def test_an_index_is_made_while_others_write_to_its_table(settings, database):
    """A writer that has not committed holds up the index, and nobody else."""

    async def undo(writer) -> None:
        await writer.run("DELETE FROM migrations WHERE name = '0019_retention'")
        # What a run that was killed halfway leaves behind.
        await writer.run("DROP INDEX known_sources_seen_idx")
        await writer.run("CREATE INDEX known_sources_seen_idx ON known_sources (source)")

    await database.write(undo)
    writing, release = asyncio.Event(), asyncio.Event()

    async def write(writer) -> None:
        await writer.run("INSERT INTO guess_budgets (subject) VALUES ('address:192.0.2.1')")
        writing.set()
        await release.wait()

    first = asyncio.create_task(database.write(write))
    await writing.wait()
    migrating = asyncio.create_task(migrate(settings))
    while not await database.reader.value(
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock'"
    ):
        await asyncio.sleep(0.01)
    await database.write(
        lambda writer: writer.run("INSERT INTO guess_budgets (subject) VALUES ('address:x')")
    )
    assert not migrating.done()
    release.set()
    await first

    assert await migrating == ["0019_retention"]
    made = await database.reader.value("SELECT pg_get_indexdef('known_sources_seen_idx'::regclass)")
    assert "(seen_at)" in made


INDEX = "actions_transaction_idx"
DEFINITION = """
    (coalesce(after ->> 'transaction', before ->> 'transaction'))
    WHERE coalesce(after ->> 'transaction', before ->> 'transaction') IS NOT NULL
"""

INDEXES = """
    SELECT partition.relname AS partition, index.relname AS name, indisvalid AS is_valid
      FROM pg_inherits
      JOIN pg_index ON indexrelid = inhrelid
      JOIN pg_class AS index ON index.oid = indexrelid
      JOIN pg_class AS partition ON partition.oid = indrelid
     WHERE inhparent = 'actions_transaction_idx'::regclass
     ORDER BY partition
"""

PARTITIONS = """
    SELECT relid::regclass::text AS partition
      FROM pg_partition_tree('actions') WHERE isleaf ORDER BY 1
"""

ACT = """
    INSERT INTO actions (id, kind, actor, actor_name, request_id, address, after)
    VALUES (gen_random_uuid(), 'items.move', 'system', 'tests', '', '', '{"transaction": "t"}')
"""


async def _indexed(database) -> list[tuple[str, bool]]:
    rows = await database.reader.rows(INDEXES)
    return [(row["partition"], row["is_valid"]) for row in rows]


async def _forget_the_index(writer) -> None:
    await writer.run("DELETE FROM migrations WHERE name = '0050_transaction_index'")
    await writer.run("DROP INDEX actions_transaction_idx")


async def test_an_index_on_partitions_is_made_while_others_write_to_them(settings, database):
    """A writer that has not committed holds up the index of its partition, and no other writer."""
    await database.write(_forget_the_index)
    # The first step, which locks the table for an instant and reads nothing, is done.
    await database.write(
        lambda writer: writer.run(f"CREATE INDEX {INDEX} ON ONLY actions {DEFINITION}")
    )
    writing, release = asyncio.Event(), asyncio.Event()

    async def write(writer) -> None:
        await writer.run(ACT)
        writing.set()
        await release.wait()

    first = asyncio.create_task(database.write(write))
    await writing.wait()
    migrating = asyncio.create_task(migrate(settings))
    while not await database.reader.value(
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock'"
    ):
        await asyncio.sleep(0.01)
    await database.write(lambda writer: writer.run(ACT))
    assert not migrating.done()
    release.set()
    await first

    assert await migrating == ["0050_transaction_index"]
    partitions = [row["partition"] for row in await database.reader.rows(PARTITIONS)]
    assert await _indexed(database) == [(name, True) for name in partitions]
    assert await database.reader.value(
        "SELECT indisvalid FROM pg_index WHERE indexrelid = 'actions_transaction_idx'::regclass"
    )


async def test_an_index_on_partitions_is_finished_after_an_interruption(settings, database):
    """One partition is done, and the index of another was interrupted."""
    done, interrupted = [row["partition"] for row in await database.reader.rows(PARTITIONS)][:2]

    async def interrupt(writer) -> None:
        await _forget_the_index(writer)
        await writer.run(f"CREATE INDEX {INDEX} ON ONLY actions {DEFINITION}")
        for partition in (done, interrupted):
            await writer.run(
                f"CREATE INDEX {partition}_transaction_idx ON {partition} {DEFINITION}"
            )
        await writer.run(f"ALTER INDEX {INDEX} ATTACH PARTITION {done}_transaction_idx")
        await writer.run(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass($1)",
            f"{interrupted}_transaction_idx",
        )

    await database.write(interrupt)

    assert await migrate(settings) == ["0050_transaction_index"]
    partitions = [row["partition"] for row in await database.reader.rows(PARTITIONS)]
    assert await _indexed(database) == [(name, True) for name in partitions]
