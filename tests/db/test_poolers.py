"""PgBouncer between the service and PostgreSQL: it works in session mode, and only there."""

import re
from pathlib import Path

import asyncpg
import httpx2
import pytest

from gamekeeper.app import ROUTES
from gamekeeper.auth import keys
from gamekeeper.auth.keys import NewKey
from gamekeeper.core.settings import Settings
from gamekeeper.db import outages, poolers
from gamekeeper.db.database import Database
from gamekeeper.http.routing import Route
from tests.contract.endpoints import Stage, body_of, label
from tests.in_process import in_process
from tests.make import BY
from tests.pgbouncer import pooled
from tests.server import serving

pytestmark = [pytest.mark.engines, pytest.mark.usefixtures("copied_database")]

ENDPOINTS = Path(__file__).parents[2] / "docs" / "reference" / "endpoints.md"
SETTINGS = ("default_transaction_read_only", "lock_timeout", "enable_seqscan", "plan_cache_mode")


async def shown(url: str) -> list[str]:
    """Settings of a session in which nobody set any."""
    connection = await asyncpg.connect(url, statement_cache_size=0)
    try:
        async with connection.transaction():
            return [await connection.fetchval(f"SHOW {name}") for name in SETTINGS]
    finally:
        await connection.close()


async def used(database: Database) -> list[list[str]]:
    """The same in the three kinds of connections of the service."""
    readers = (database.reader, database.reader.lookups)
    found = [[await reader.value(f"SHOW {name}") for name in SETTINGS] for reader in readers]

    async def write(writer) -> list[str]:
        return [await writer.value(f"SHOW {name}") for name in SETTINGS]

    return [*found, await database.write(write)]


async def test_every_kind_of_connection_has_its_settings(settings, database, tmp_path):
    with pooled(settings, tmp_path) as through:
        async with Database.open(through) as own:
            behind = await used(own)
            with pytest.raises(asyncpg.ReadOnlySQLTransactionError):
                await own.reader.rows("DELETE FROM migrations")

        assert behind == await used(database)
        # What one client set is gone when the next one gets the connection.
        assert await shown(through.database_url) == await shown(settings.database_url)


async def test_transaction_mode_is_refused_and_nothing_is_left_behind(settings, tmp_path):
    with pooled(settings, tmp_path, mode="transaction") as through:
        url = through.database_url
        with pytest.raises(poolers.TransactionPooling) as refused:
            await outages.connect(url, server_settings={"lock_timeout": "1234"})
        explained = outages.explain(refused.value, url)

        assert "use pool_mode = session" in explained
        assert await shown(url) == await shown(settings.database_url)
        async with in_process(through) as client:
            assert (await client.get("/readyz")).status_code == 503


async def test_a_pooler_that_rejects_the_settings_is_named(settings, tmp_path):
    with pooled(settings, tmp_path, options="") as through:
        url = through.database_url
        with pytest.raises(asyncpg.ProtocolViolationError) as refused:
            await outages.connect(url, server_settings={"lock_timeout": "1234"})

    explained = outages.explain(refused.value, url)
    assert "unsupported startup parameter: lock_timeout" in explained
    assert "set ignore_startup_parameters of PgBouncer" in explained


async def test_the_31_endpoints_answer_as_without_it(settings: Settings, database, tmp_path):
    key = await keys.create.one(database, NewKey(by=BY, name="pooler"))
    headers = {"Authorization": f"Bearer {key}"}
    with (
        pooled(settings, tmp_path) as through,
        serving(through, tmp_path / "log", "--workers", "2") as (url, _),
    ):
        async with httpx2.AsyncClient(base_url=url, headers=headers, timeout=30) as client:
            behind = [await status(client, database, route) for route in specified()]
    async with in_process(settings, database, headers) as client:
        direct = [await status(client, database, route) for route in specified()]

    assert len(direct) == 31
    assert behind == direct
    # There is no bag.
    failed = [answer for answer in direct if not answer.endswith(" 200")]
    assert failed == ["GET /api/v1/players/bag/{bag_id} 404"]


def specified() -> list[Route]:
    """The routes of the 31 endpoints, as the reference numbers them."""
    rows = re.findall(r"^\| \d+ \| (GET|POST) `(\S+)` \|", ENDPOINTS.read_text(), re.MULTILINE)
    routes = {(route.method, plain(route.path)): route for route in ROUTES}
    return [routes[method, plain(path)] for method, path in rows]


def plain(path: str) -> str:
    return re.sub(r"\{\w+\}", "{}", path)


async def status(client: httpx2.AsyncClient, database: Database, route: Route) -> str:
    stage = await Stage.make(database, route)
    shape = body_of(route)
    body = stage.fields(route, shape) if shape else None
    answer = await client.request(route.method, stage.path(route), json=body)
    return f"{label(route)} {answer.status_code}"
