"""Retention: what has expired goes, however much of it there is, and each table for itself."""

import asyncio
from datetime import timedelta
from uuid import uuid4

import pytest
from structlog.testing import capture_logs

from gamekeeper.db import retention
from gamekeeper.db.database import Database
from gamekeeper.db.retention import BATCH
from gamekeeper.db.retention_rules import RULES, Emptied
from tests.make import make_user


async def run(database: Database, sql: str, *args: object) -> int:
    return await database.write(lambda writer: writer.run(sql, *args))


async def swept(database: Database) -> list[str]:
    """Sweep once; which tables are said to be behind or to have failed."""
    with capture_logs() as logs:
        await retention.sweep(database, asyncio.Event())
    return [line["table"] for line in logs if line["event"].startswith("retention")]


async def make_tokens(database: Database, expired: int) -> None:
    """Sign-ins of three days ago, by SQL, and one that is still good."""
    user, family, good = await make_user(database), uuid4(), uuid4()
    await run(
        database,
        """
        INSERT INTO token_families (user_id, id, expires_at)
        VALUES ($1, $2, now() - interval '3 days'), ($1, $3, now() + interval '3 days')
        """,
        user,
        family,
        good,
    )
    for first in range(0, expired, 10_000):
        await run(
            database,
            """
            INSERT INTO access_tokens (hash, user_id, family_id, expires_at)
            SELECT sha256(number::text::bytea), $1, $2, now() - interval '3 days'
              FROM generate_series($3::int, $4::int) AS number
            """,
            user,
            family,
            first,
            min(first + 10_000, expired) - 1,
        )
    await run(
        database,
        """
        INSERT INTO access_tokens (hash, user_id, family_id, expires_at)
        VALUES (sha256('good'), $1, $2, now())
        """,
        user,
        good,
    )


async def make_deliveries(database: Database, expired: int) -> None:
    webhook = uuid4()
    await run(
        database,
        """
        INSERT INTO webhooks (id, url, emails, secret, position)
        VALUES ($1, 'https://example.org/', false, '', 0)
        """,
        webhook,
    )
    for first in range(0, expired, 10_000):
        await run(
            database,
            """
            INSERT INTO webhook_deliveries (webhook_id, id, message, kind, state, tried_at)
            SELECT $1, gen_random_uuid(), '', 'items.give', 'delivered', now() - interval '8 days'
              FROM generate_series($2::int, $3::int)
            """,
            webhook,
            first,
            min(first + 10_000, expired) - 1,
        )
    await run(
        database,
        """
        INSERT INTO webhook_deliveries (webhook_id, id, message, kind, state, tried_at)
        VALUES ($1, gen_random_uuid(), '', 'items.give', 'waiting', now() - interval '8 days'),
               ($1, gen_random_uuid(), '', 'items.give', 'failed', now())
        """,
        webhook,
    )


async def counts(database: Database) -> tuple[int, int, int]:
    [row] = await database.reader.rows(
        """
        SELECT (SELECT count(*) FROM access_tokens), (SELECT count(*) FROM token_families),
               (SELECT count(*) FROM webhook_deliveries)
        """
    )
    return tuple(row.values())


async def test_many_batches_are_swept_in_one_run_and_the_rest_stays(database):
    await make_tokens(database, 3 * BATCH)
    await make_deliveries(database, 3 * BATCH)

    assert await swept(database) == []

    assert await counts(database) == (1, 1, 2)


@pytest.mark.slow
async def test_a_million_and_a_half_expired_tokens_and_deliveries_are_swept(database):
    await make_tokens(database, 1_500_000)
    await make_deliveries(database, 1_500_000)
    begun = asyncio.get_running_loop().time()

    behind = await swept(database)

    assert set(behind) <= {"access_tokens", "webhook_deliveries"}
    print(f"\n3,000,000 rows in {asyncio.get_running_loop().time() - begun:.0f} s")
    assert await counts(database) == (1, 1, 2)


async def test_no_statement_touches_more_than_a_batch(database, statements):
    """And each is a transaction of its own, so that none holds locks for long."""
    await make_tokens(database, 2 * BATCH + 1)

    with statements() as sent:
        await retention.sweep(database, asyncio.Event())

    deletes = [sql for sql in sent if "DELETE FROM access_tokens" in sql]
    assert len(deletes) == 3
    assert sum(sql == "COMMIT" for sql in sent) == len(RULES) + 2


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
async def test_every_table_is_swept_by_an_index(database, rule):
    """Whose order is that of the age, so that a batch reads no more than it deletes."""

    async def plan(writer) -> str:
        await writer.run("SET LOCAL enable_seqscan = off")
        await writer.run("SET LOCAL enable_sort = off")
        await writer.run("SET LOCAL enable_bitmapscan = off")
        lines = await writer.rows(
            f"EXPLAIN SELECT {rule.key} FROM {rule.table} WHERE {rule.where}"
            f" AND {rule.age} < now() - interval '1 day' ORDER BY {rule.age} LIMIT 10"
        )
        return "\n".join(line[0] for line in lines)

    explained = await database.write(plan)

    assert "Index" in explained
    assert "Sort" not in explained


@pytest.mark.usefixtures("schema_changes")
async def test_a_table_that_cannot_be_swept_holds_up_no_other(database):
    """It is said which one, and that its rows are overdue."""
    await make_tokens(database, 10)
    await make_deliveries(database, 10)
    await run(database, "ALTER TABLE access_tokens RENAME COLUMN hash TO digest")

    assert await swept(database) == ["access_tokens", "access_tokens", "token_families"]

    assert await counts(database) == (11, 2, 2)


async def test_the_alarm_is_raised_while_a_table_is_behind_and_others_have_their_turn(
    database, statements, monkeypatch
):
    """Turns are so short that one batch fits into each."""
    monkeypatch.setattr(retention, "BATCH", 5)
    monkeypatch.setattr(retention, "TURN_SECONDS", 0.0001)
    await make_tokens(database, 12)
    await make_deliveries(database, 3)

    with statements() as sent:
        behind = await swept(database)

    assert behind == ["access_tokens"] * 2
    assert await counts(database) == (1, 1, 2)
    turns = [sql.split()[2] for sql in sent if "DELETE FROM" in sql]
    first = sum(not rule.is_dependent and not isinstance(rule, Emptied) for rule in RULES)
    swept_at = [number for number, table in enumerate(turns) if table == "access_tokens"]
    assert swept_at == [0, first, first + 1], "after all others had their first turn"
    # Those that depend on the tables before them have their turn last.
    assert set(turns[-2:]) == {"token_families", "openid_sign_ins"}


async def test_a_sweep_that_is_told_to_stop_stops(database):
    await make_tokens(database, 10)
    stop = asyncio.Event()
    stop.set()

    await retention.sweep(database, stop)

    assert (await counts(database))[0] == 11


async def test_a_row_that_is_renewed_while_it_is_found_stays(database):
    """The sweep found it expired, waits for the one who renews it, and looks again."""
    user = await make_user(database)
    await run(
        database,
        """
        INSERT INTO known_sources (user_id, source, seen_at)
        VALUES ($1, 'address:192.0.2.1', now() - interval '40 days')
        """,
        user,
    )
    renewing, release = asyncio.Event(), asyncio.Event()

    async def renew(writer) -> None:
        await writer.run("UPDATE known_sources SET seen_at = now()")
        renewing.set()
        await release.wait()

    renewal = asyncio.create_task(database.write(renew))
    await renewing.wait()
    sweeping = asyncio.create_task(retention.sweep(database, asyncio.Event()))
    while not await database.reader.value(
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock'"
    ):
        await asyncio.sleep(0.01)
    release.set()
    await asyncio.gather(renewal, sweeping)

    assert await database.reader.value("SELECT count(*) FROM known_sources") == 1


async def test_how_far_behind_it_is_can_be_scraped(client, database):
    """Also if no worker runs, which is when nobody else would say so."""
    await make_tokens(database, 1)

    text = (await client.get("/metrics")).text

    [value] = [
        float(line.rpartition(" ")[2])
        for line in text.splitlines()
        if line.startswith('gamekeeper_retention_overdue_seconds{table="access_tokens"}')
    ]
    assert value == pytest.approx(timedelta(days=2).total_seconds(), abs=60)
