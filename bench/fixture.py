"""Benchmark fixture: a separate database, filled with demo data."""

import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from ipaddress import ip_address
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import asyncpg
from msgspec import Struct

from bench import statements
from gamekeeper.auth import credentials, keys
from gamekeeper.core.errors import Conflict, Invalid
from gamekeeper.core.progress import ProgressCallback
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db import migrate
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.db.paging import pages
from gamekeeper.db.paging.orderings import PLAYERS
from gamekeeper.demo import loader, world
from gamekeeper.players import items

PREFIX = "gamekeeper_bench_"
KEYS = 5_000
"""The number of characters requested, a random sample of all."""
TOKENS = 30_000
"""More than a process caches, so that each token is evicted before its next use."""
SIGNED_IN = 1_000
SUPPLY = 500_000
AT_ONCE = 500
BY = AuditContext(actor="system", name="bench")


class NotLoopback(Invalid):
    """The bench only ever loads this machine."""


class AnotherWorld(Conflict):
    """The database that was kept has another world."""


class Wanted(Struct, frozen=True, kw_only=True):
    """The parameters of the fixture."""

    server: str
    """A URL with {} where the name of a database goes."""
    players: int
    items: int
    keep: bool


class Sample(Struct, frozen=True):
    id: UUID
    name: str
    name_key: str


class World(Struct, frozen=True, kw_only=True):
    settings: Settings
    players: int
    samples: list[Sample]
    tokens: list[Hidden]
    key: Hidden
    actor: str
    item: UUID
    """The item given and taken; every sample carries a stack of it, and has space for more."""


@asynccontextmanager
async def database(wanted: Wanted) -> AsyncIterator[Settings]:
    """A database for the `async with` block; with `keep`, it is kept for the next run."""
    require_loopback(wanted.server)
    name = PREFIX + (f"{wanted.players}_{wanted.items}" if wanted.keep else uuid4().hex[:12])
    admin = await asyncpg.connect(wanted.server.format("postgres"))
    try:
        if not await admin.fetchval("SELECT count(*) FROM pg_database WHERE datname = $1", name):
            await admin.execute(f"CREATE DATABASE {name}")
        try:
            yield Settings(database_url=Hidden(wanted.server.format(name)))
        finally:
            if not wanted.keep:
                await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
    finally:
        await admin.close()


def require_loopback(server: str) -> None:
    """Raise unless the address is certainly this machine's."""
    parts = urlsplit(server)
    host = parts.hostname or ""
    try:
        here = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        here = False
    if not here or parts.query:
        raise NotLoopback(f"The bench only ever loads this machine; {host or server!r} is not it.")


async def fill(settings: Settings, wanted: Wanted, on_progress: ProgressCallback) -> World:
    """Fill an empty database, or reuse a kept one, and prepare the data for requests."""
    await migrate.migrate(settings)
    async with Database.open(settings) as opened:
        there = await pages.total(opened.reader, PLAYERS)
    if not there:
        await loader.fill(
            settings, players=wanted.players, items=wanted.items, seed=1, on_progress=on_progress
        )
    elif there != wanted.players:
        raise AnotherWorld(f"The database that was kept has {there:,} players; drop it.")
    connection = await asyncpg.connect(settings.database_url)
    try:
        # Now, so that autovacuum does not run during a measurement.
        on_progress("Vacuum", 0, 1)
        await connection.execute("VACUUM (ANALYZE)")
        await connection.execute("CHECKPOINT")
        on_progress("Vacuum", 1, 1)
        samples = await _samples(connection, wanted.players)
        tokens = await _sign_in(connection)
        await connection.execute(
            statements.functions(
                [sample.id for sample in samples],
                [sample.name_key for sample in samples],
                [credentials.digest(token) for token in tokens[: len(samples)]],
            )
        )
    finally:
        await connection.close()
    return await _supplied(settings, wanted, samples, tokens)


async def _samples(connection: asyncpg.Connection, players: int) -> list[Sample]:
    rows = await connection.fetch(
        """
        SELECT id, name, name_key
          FROM players TABLESAMPLE BERNOULLI ($1) REPEATABLE (1)
         LIMIT $2
        """,
        min(100.0, 120.0 * KEYS / players),
        KEYS,
    )
    samples = [Sample(**row) for row in rows]
    random.Random(1).shuffle(samples)  # noqa: S311
    return samples


async def _sign_in(connection: asyncpg.Connection) -> list[Hidden]:
    """New access tokens of some accounts, stored as by a sign-in."""
    tokens = [credentials.new_credential("gka") for _ in range(TOKENS)]
    await connection.execute(
        """
        WITH accounts AS (
            UPDATE users SET api = true
             WHERE id IN (SELECT id FROM users ORDER BY id LIMIT $2)
            RETURNING id
        ), numbered AS (
            SELECT id, row_number() OVER () - 1 AS number, count(*) OVER () AS count FROM accounts
        ), families AS (
            INSERT INTO token_families (user_id, id, expires_at)
            SELECT id, gen_random_uuid(), now() + interval '7 days' FROM accounts
            RETURNING user_id, id
        )
        INSERT INTO access_tokens (hash, user_id, family_id, expires_at)
        SELECT hash, families.user_id, families.id, now() + interval '7 days'
          FROM unnest($1::bytea[]) WITH ORDINALITY AS made (hash, position)
          JOIN numbered ON numbered.number = position % numbered.count
          JOIN families ON families.user_id = numbered.id
        """,
        [credentials.digest(token) for token in tokens],
        SIGNED_IN,
    )
    return tokens


async def _supplied(
    settings: Settings, wanted: Wanted, samples: list[Sample], tokens: list[Hidden]
) -> World:
    """Give every sample enough of the item to be taken, and create a key with all rights."""
    item = world.items()["Gold Coin"].id
    async with Database.open(settings) as opened:
        held = await _held(opened, samples, item)
        orders = [
            items.Gift(by=BY, player=str(one.id), item_id=item, quantity=lacking)
            for one in samples
            if (lacking := SUPPLY - held.get(one.id, 0)) > 0
        ]
        await _give(opened, orders)
        key = await keys.create.one(opened, keys.NewKey(by=BY, name="bench"))
        number = await opened.reader.value(
            "SELECT id FROM api_keys WHERE hash = $1", credentials.digest(key)
        )
    return World(
        settings=settings,
        players=wanted.players,
        samples=samples,
        tokens=tokens,
        key=key,
        actor=f"key:{number}",
        item=item,
    )


async def _held(opened: Database, samples: Sequence[Sample], item: UUID) -> dict[UUID, int]:
    """How many of an item each carries; in batches, as the rows may have to be read from disk."""
    held: dict[UUID, int] = {}
    for begin in range(0, len(samples), AT_ONCE):
        rows = await opened.reader.rows(
            """
            SELECT player_id, sum(quantity)::int AS held
              FROM slots
             WHERE player_id = ANY($1) AND place = 'inventory' AND item_id = $2
             GROUP BY player_id
            """,
            [sample.id for sample in samples[begin : begin + AT_ONCE]],
            item,
        )
        held |= {row["player_id"]: row["held"] for row in rows}
    return held


async def _give(opened: Database, orders: Sequence[items.Gift]) -> None:
    for begin in range(0, len(orders), AT_ONCE):
        for outcome in await items.give(opened, orders[begin : begin + AT_ONCE]):
            if isinstance(outcome, Exception):
                raise outcome
