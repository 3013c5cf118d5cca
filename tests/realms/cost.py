"""
CPU for a give with one realm and with two, in turn: `python -m tests.realms.cost`.

Each realm has its own PostgreSQL, its own `serve` and its own callers, so what is compared is
what two of them on one machine cost each other.
"""

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from statistics import median
from uuid import UUID

import asyncpg
import httpx2
from msgspec import Struct

from bench.usage import Meter
from gamekeeper.auth import keys
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from tests import processes
from tests.clusters import cluster
from tests.make import BY, make_item, make_player
from tests.server import serving

CALLERS = 8
GIVES = 400
"""Of each realm in a round."""
WARM_UP_GIVES = 200
ROUNDS = 8


class Realm(Struct, frozen=True):
    client: httpx2.AsyncClient
    players: list[UUID]
    item: UUID
    meter: Meter

    async def used(self) -> float:
        """Seconds of CPU of the service, and of all of PostgreSQL."""
        usage = await self.meter.read()
        return usage.service + usage.postgresql + usage.background

    async def give(self, gives: int) -> None:
        async def call(number: int) -> None:
            for each in range(number, gives, CALLERS):
                player = self.players[each % len(self.players)]
                answer = await self.client.post(
                    f"/api/v1/players/{player}/items/give",
                    json={"itemid": str(self.item), "quantity": 1},
                )
                assert answer.status_code == 200, answer.text

        await asyncio.gather(*map(call, range(CALLERS)))


@asynccontextmanager
async def opened(log: Path) -> AsyncIterator[Realm]:
    with cluster() as made:
        await migrate(made.settings)
        async with Database.open(made.settings) as database:
            key = await keys.create.one(database, keys.NewKey(by=BY, name="callers"))
            item = await make_item(database, inventory_stack=1_000_000)
            players = [await make_player(database) for _ in range(100)]
        headers = {"Authorization": f"Bearer {key}"}
        connection = await asyncpg.connect(str(made.settings.database_url))
        with serving(made.settings, log) as (url, process):
            async with httpx2.AsyncClient(base_url=url, headers=headers, timeout=60) as client:
                meter = Meter.of(connection, process.pid, process.pid)
                yield Realm(client, players, item, meter)
        await connection.close()


async def cost(realms: list[Realm]) -> float:
    """Microseconds of CPU for a give, of all realms together."""
    before = sum([await realm.used() for realm in realms])
    await asyncio.gather(*(realm.give(GIVES) for realm in realms))
    after = sum([await realm.used() for realm in realms])
    return (after - before) / (GIVES * len(realms)) * 1e6


async def main() -> None:
    async with AsyncExitStack() as stack:
        logs = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        realms = [await stack.enter_async_context(opened(logs / name)) for name in "ab"]
        for realm in realms:
            await realm.give(WARM_UP_GIVES)
        ratios = []
        for number in range(ROUNDS):
            # Each realm alone: so one that is dearer than the other does not count as a cost.
            first, second = await cost(realms[:1]), await cost(realms[1:])
            both = await cost(realms)
            ratios.append(both / ((first + second) / 2))
            print(f"{number}: {first:.0f} and {second:.0f} µs alone, {both:.0f} µs together: "
                  f"{ratios[-1]:.3f}", flush=True)  # fmt: skip
        print(f"median {median(ratios):.3f}, {min(ratios):.3f} to {max(ratios):.3f}")


if __name__ == "__main__":
    processes.watch()
    asyncio.run(main())
    sys.exit(0)
