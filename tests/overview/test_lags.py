"""Lags: one worker measures what waits in the tables, and only while it leads."""

import asyncio
from uuid import uuid4

import asyncpg
from prometheus_client.registry import REGISTRY

from gamekeeper.core.observability.log_throttle import LogThrottle
from gamekeeper.db import jobs
from gamekeeper.db.database import Database
from gamekeeper.operations.overview import lags
from gamekeeper.users import resets
from tests.deadlines import until
from tests.ledger.chains import act, link
from tests.make import join, make_player, make_server


async def measured(database: Database) -> dict[str, dict[str, float]]:
    connection = await asyncpg.connect(database.settings.database_url)
    try:
        values = await lags.measure(connection, database, LogThrottle())
    finally:
        await connection.close()
    return {name: dict(pairs) for name, pairs in values.items()}


async def test_every_measure_is_there_in_an_empty_game(database):
    found = await measured(database)

    assert found.keys() == lags.MEASURES.keys()
    assert found["gamekeeper_jobs_waiting"] == {
        "password_reset_mail": 0,
        "email_verification_mail": 0,
        "email_change_mail": 0,
        "identity_mail": 0,
        "staff_invitation_mail": 0,
        "report_outcome_mail": 0,
        "webhooks.test": 0,
    }
    assert found["gamekeeper_webhooks"] == {"working": 0, "failing": 0, "off": 0}
    assert found["gamekeeper_servers"] == {"alive": 0, "lost": 0}
    assert found["gamekeeper_list_deltas"] == dict.fromkeys(
        ("rank", "players", "users", "online"), 0
    )
    assert found["gamekeeper_database_size_bytes"][""] > 1_000_000
    assert found["gamekeeper_database_connections"][""] > 0
    assert found["gamekeeper_database_connections_max"][""] >= 10


async def test_actions_wait_until_they_are_linked_and_counted(database):
    await act(database, 3)
    await asyncio.sleep(0.2)
    waiting = await measured(database)
    assert waiting["gamekeeper_chain_unlinked_actions"] == {"": 3}
    assert 0.2 <= waiting["gamekeeper_chain_lag_seconds"][""] < 60
    assert waiting["gamekeeper_action_counts_behind"] == {"": 0}

    await link(database)
    linked = await measured(database)
    assert linked["gamekeeper_chain_unlinked_actions"] == {"": 0}
    assert linked["gamekeeper_chain_lag_seconds"] == {"": 0}
    assert linked["gamekeeper_action_counts_behind"] == {"": 3}


async def test_jobs_wait_from_when_they_were_enqueued(database):
    order = resets.Reset(user_id=uuid4(), id=uuid4())
    await database.write(lambda writer: jobs.enqueue(writer, resets.MAIL, [order, order]))
    await database.write(
        lambda writer: writer.run("UPDATE pgqueuer SET created = now() - interval '7 minutes'")
    )

    found = await measured(database)
    assert found["gamekeeper_jobs_waiting"]["password_reset_mail"] == 2
    assert 420 <= found["gamekeeper_jobs_oldest_seconds"]["password_reset_mail"] < 480
    assert found["gamekeeper_jobs_oldest_seconds"]["webhooks.test"] == 0


async def test_servers_are_alive_or_lost_and_players_on_live_ones_are_online(database):
    alive = await make_server(database)
    await make_server(database, lease_seconds=-60)
    await make_server(database, lease_seconds=-3 * 86_400)
    await join(database, await make_player(database, "Ana"), alive)

    found = await measured(database)
    assert found["gamekeeper_servers"] == {"alive": 1, "lost": 1}
    assert found["gamekeeper_players_online"] == {"": 1}
    assert found["gamekeeper_list_deltas"]["players"] == 1
    assert found["gamekeeper_list_deltas"]["online"] == 1


async def test_webhooks_by_state_and_for_how_long_they_fail(database):
    async def work(writer):
        await writer.run(
            """
            INSERT INTO webhooks (id, url, emails, secret, position, enabled, failing_since)
            SELECT gen_random_uuid(), 'https://x', false, '', 0, enabled, now() - failing::interval
              FROM (VALUES (true, NULL), (true, '2 hours'), (true, '1 hour'), (false, '9 hours'))
                   AS made (enabled, failing)
            """
        )

    await database.write(work)

    found = await measured(database)
    assert found["gamekeeper_webhooks"] == {"working": 1, "failing": 2, "off": 1}
    assert 7200 <= found["gamekeeper_webhook_failing_seconds"][""] < 7300


async def test_a_connection_that_waits_for_a_lock_and_an_old_transaction_are_seen(
    database, settings
):
    player = await make_player(database, "Ana")
    lock = "SELECT FROM players WHERE id = $1 FOR UPDATE"
    holder, waiter = [await asyncpg.connect(settings.database_url) for _ in range(2)]
    try:
        await holder.execute("BEGIN")
        await holder.fetch(lock, player)
        blocked = asyncio.create_task(waiter.fetch(lock, player))

        async def is_seen() -> bool:
            found = await measured(database)
            return found["gamekeeper_database_lock_waiters"][""] > 0

        await until(is_seen, "a waiter is counted")
        found = await measured(database)
        assert found["gamekeeper_database_oldest_transaction_seconds"][""] > 0
        await holder.execute("COMMIT")
        await blocked
    finally:
        await holder.close()
        await waiter.close()


async def test_only_the_leader_shows_them_and_only_while_it_leads(database, settings):
    def shown() -> list[str]:
        return [family.name for family in REGISTRY.collect() if family.name in lags.MEASURES]

    async def is_shown() -> bool:
        return set(shown()) == lags.MEASURES.keys()

    stops = [asyncio.Event(), asyncio.Event()]
    tasks = [asyncio.create_task(lags.follow(database, stop)) for stop in stops]
    await until(is_shown, "one measures")
    assert len(shown()) == len(lags.MEASURES), "the other shows nothing"
    for stop in stops:
        stop.set()
    await asyncio.gather(*tasks)
    assert shown() == []
