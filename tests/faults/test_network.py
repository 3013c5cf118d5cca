"""The network between the service and PostgreSQL is cut, one-way, flapping or slow."""

import asyncio
import os
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID, uuid4

import httpx2
import pytest

from gamekeeper.auth import keys
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from tests.db.proxy import Proxy, database_proxy
from tests.deadlines import PATIENCE, until
from tests.make import BY, make_item, make_player
from tests.server import serving_in_thread

pytestmark = pytest.mark.torture

CUT_SECONDS = float(os.environ.get("FAULT_CUT_SECONDS", "4"))
FLAPS = int(os.environ.get("FAULT_FLAPS", "6"))
CLIENTS = 16
MAX_SECONDS = 15.0
"""No answer takes longer, whatever the fault: a COMMIT is never cancelled, only given up."""
CONNECTIONS = """
SELECT count(*) FROM pg_stat_activity
 WHERE datname = current_database() AND application_name = 'gamekeeper'
"""


@dataclass
class World:
    """A server behind a proxy, and clients that repeat each gift until it is answered."""

    network: Proxy
    client: httpx2.AsyncClient
    database: Database
    player: UUID
    item: UUID
    statuses: Counter[int] = field(default_factory=Counter[int])
    slowest: float = 0.0
    given: int = 0

    async def give(self) -> None:
        headers = {"Idempotency-Key": uuid4().hex}
        body = {"itemid": str(self.item), "quantity": 1}
        path = f"/api/v1/players/{self.player}/items/give"
        status = 0
        while status != 200:
            begun = time.monotonic()
            status = (await self.client.post(path, json=body, headers=headers)).status_code
            self.slowest = max(self.slowest, time.monotonic() - begun)
            self.statuses[status] += 1
            await asyncio.sleep(0.05)
        self.given += 1

    async def give_until(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            await self.give()

    async def check(self) -> None:
        """Each gift was made once; callers got 200 or 503, and none waited for long."""
        print(f"{self.given} gifts, answers {dict(self.statuses)}, slowest {self.slowest:.2f} s")
        held = await self.database.reader.value("SELECT coalesce(sum(quantity), 0) FROM slots")
        assert held == self.given
        assert set(self.statuses) <= {200, 503}
        assert self.slowest < MAX_SECONDS


@pytest.fixture
async def world(settings: Settings, database: Database, tmp_path: Path) -> AsyncIterator[World]:
    key = await keys.create.one(database, keys.NewKey(by=BY, name="network"))
    player = await make_player(database)
    item = await make_item(database, inventory_stack=1_000_000)
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        database_proxy(settings) as (network, through),
        serving_in_thread(through, tmp_path / "log") as (url, _),
        httpx2.AsyncClient(base_url=url, headers=headers, timeout=PATIENCE) as client,
    ):
        yield World(network, client, database, player, item)


@asynccontextmanager
async def gifts(world: World) -> AsyncIterator[None]:
    """Clients that give before, in and after the block, and have all answers at its end."""
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as clients:
        for _ in range(CLIENTS):
            clients.create_task(world.give_until(stop))
        await asyncio.sleep(0.5)
        yield
        await asyncio.sleep(0.5)
        stop.set()


@pytest.mark.parametrize(
    "cut",
    [
        pytest.param({}, id="both ways"),
        # The change is made, and nobody hears of it.
        pytest.param({"requests": False}, id="answers only"),
        pytest.param({"answers": False}, id="requests only"),
    ],
)
async def test_gifts_during_a_cut_are_made_once(world: World, cut: dict[str, bool]):
    async with gifts(world):
        world.network.silence(**cut)
        await asyncio.sleep(CUT_SECONDS)
        world.network.resume()

    await world.check()
    assert world.statuses[503] > 0


async def test_a_flapping_network_leaves_no_connections_behind(world: World):
    async with gifts(world):
        for _ in range(FLAPS):
            world.network.silence()
            await asyncio.sleep(1)
            world.network.resume()
            await asyncio.sleep(1)

    await world.check()
    limit = 2.5 * Settings(database_url=Hidden("")).connections

    async def are_few() -> bool:
        return await world.database.reader.value(CONNECTIONS) <= limit

    await until(are_few, f"at most {limit:g} connections")


async def test_a_slow_database_is_served_slowly(world: World):
    async with gifts(world):
        world.network.delay_seconds = 0.2
        await asyncio.sleep(CUT_SECONDS)
        made = world.given
        world.network.delay_seconds = 0.0

    await world.check()
    # Not one after the other: callers that wait together share their statements.
    assert made > CLIENTS


async def test_a_database_that_is_too_slow_is_503(world: World):
    async with gifts(world):
        world.network.delay_seconds = 3.0
        await asyncio.sleep(CUT_SECONDS)
        world.network.delay_seconds = 0.0

    await world.check()
    assert world.statuses[503] > 0
