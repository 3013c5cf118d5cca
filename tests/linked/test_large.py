"""Linked accounts among a million rows: the lookup reads few blocks, whatever the size."""

import json
import time
from uuid import UUID

import asyncpg
import pytest

from gamekeeper.auth.client_traces import MAX_ADDRESSES, MAX_DEVICES
from gamekeeper.moderation import access_ban_lists
from gamekeeper.users import linked
from tests.make import make_user

pytestmark = pytest.mark.slow

USERS, EACH = 25_000, 40
"""A million rows."""
MAX_BLOCKS = 6000
"""
Of 8 kB, mostly in memory. The worst account has 50 addresses and 20 devices, each with 30 others,
whose rows are read one by one: 2,100 rows, with a walk down the index for each of the 70.
"""


async def _fill(database) -> UUID:
    """Accounts with addresses that 250 share, and one that has as many of them as possible."""
    ana = await make_user(database, "Ana")

    connection = await asyncpg.connect(database.settings.database_url)
    await connection.execute("SET session_replication_role = replica")
    days = "datemultirange(daterange(current_date - 9, current_date, '[]'))"
    await connection.execute(
        f"""
        INSERT INTO user_addresses (user_id, address, first_seen, last_seen, days)
        SELECT md5(account::text)::uuid,
               '10.0.0.0'::inet + account % 100 + number * 65536,
               now() - interval '9 days', now() - make_interval(secs => account), {days}
          FROM generate_series(1, $1::int) AS account, generate_series(1, $2::int) AS number
        ON CONFLICT DO NOTHING
        """,
        USERS,
        EACH,
    )
    await connection.execute(
        f"""
        INSERT INTO user_addresses (user_id, address, first_seen, last_seen, days)
        SELECT $1, address, now(), now(), {days}
          FROM (SELECT address FROM user_addresses GROUP BY address
                 ORDER BY count(*) DESC LIMIT $2) AS busiest
        """,
        ana,
        MAX_ADDRESSES,
    )
    await connection.execute(
        f"""
        INSERT INTO user_devices (user_id, device, first_seen, last_seen, days)
        SELECT CASE account WHEN 0 THEN $1 ELSE md5(account::text)::uuid END,
               md5('device' || number)::uuid, now(), now(), {days}
          FROM generate_series(0, 300) AS account, generate_series(1, $2::int) AS number
        """,
        ana,
        MAX_DEVICES,
    )
    await connection.execute(
        """
        INSERT INTO orders (id, shop, order_id, state, user_id, buyer_id)
        SELECT md5(number::text)::uuid, 'shop', number, 'delivered', $1,
               md5((number % 1000)::text)::uuid
          FROM generate_series(1, 100000) AS number
        """,
        ana,
    )
    await connection.execute(
        """
        INSERT INTO former_identities (id, user_id, issuer, subject, linked_at, unlinked_at)
        SELECT gen_random_uuid(), CASE WHEN account = 0 THEN $1 ELSE md5(account::text)::uuid END,
               'discord', identity, now(), now()
          FROM generate_series(0, 300) AS account, generate_series(1, $2::int) AS identity
        """,
        ana,
        linked.MAX_IDENTITIES,
    )
    await connection.execute(
        "ANALYZE user_addresses, user_devices, orders, former_identities, identities"
    )
    await connection.close()
    return ana


async def _blocks(database, statement: str, *values) -> int:
    rows = await database.reader.rows(
        f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}", *values
    )
    plan = rows[0][0]
    top = (json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]
    return top["Shared Hit Blocks"] + top["Shared Read Blocks"]


@pytest.mark.timeout(1800)
@pytest.mark.usefixtures("schema_changes")
async def test_the_worst_account_is_looked_up_at_a_constant_cost(database):
    ana = await _fill(database)
    total = await database.reader.value("SELECT count(*) FROM user_addresses")
    assert total > 900_000

    by_address = await _blocks(database, linked.BY_ADDRESS, ana, MAX_ADDRESSES, linked.MAX_OTHERS)
    by_device = await _blocks(database, linked.BY_DEVICE, ana, MAX_DEVICES, linked.MAX_OTHERS)
    by_payment = await _blocks(
        database, linked.BY_PAYMENT, ana, linked.MAX_ORDERS, linked.MAX_OTHERS
    )
    by_identity = await _blocks(
        database, linked.BY_IDENTITY, ana, linked.MAX_IDENTITIES, linked.MAX_OTHERS
    )
    took = []
    for _ in range(5):
        begun = time.perf_counter()
        found = await linked.list_linked(database.reader, ana, addresses=True)
        took.append(time.perf_counter() - begun)
    in_range = await _blocks(database, access_ban_lists.COUNT_BY_NETWORK, "10.5.0.0/16", 10_000)

    print(f"{total} rows, blocks {by_address} + {by_device}, range {in_range}, seconds {took}")
    assert found.is_cut
    assert by_address + by_device + by_payment + by_identity < MAX_BLOCKS
    assert in_range < MAX_BLOCKS
    assert min(took) < 0.2
