"""
What rate limits cost in processor time, on a machine that does other things too.

The application four times in this process, without rate limits (twice), with them in memory and in
Redis, called as the HTTP server calls it. They take turns every 64 lookups, in random order,
hundreds of times, so that whatever else happens falls on all alike. The time is that of this
process alone, without the HTTP server and PostgreSQL, so the share of a whole lookup is smaller
than what is printed.

    python -m tests.clusters .venv/bin/python -m tests.torture.rate_limit_slices [slices]
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from random import shuffle
from typing import Any

import uvloop
from msgspec import structs

from gamekeeper.app import App
from gamekeeper.auth import keys
from gamekeeper.core.observability import logging
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from tests.databases import cloned
from tests.make import BY, make_player
from tests.redis import serving_redis
from tests.server import free_port
from tests.torture.rate_limit_cost import GENEROUS

AT_ONCE = 32
TURNS = 2
PLAYERS = 500


async def main(slices: int) -> None:
    with tempfile.TemporaryDirectory(prefix="gamekeeper-rates-") as folder:
        port = free_port()
        with serving_redis(Path(folder), port):
            async with cloned("template1") as settings:
                settings = structs.replace(settings, log_level="error")
                logging.configure(settings)
                await migrate(settings)
                await _measure(settings, f"redis://127.0.0.1:{port}/0", slices)


async def _measure(settings: Settings, url: str, slices: int) -> None:
    async with Database.open(settings) as database:
        key = str(await keys.create.one(database, keys.NewKey(by=BY, name="cost")))
        players = [await make_player(database) for _ in range(PLAYERS)]
    paths = [f"/api/v1/players/{player}" for player in players]
    ways = {
        "off": structs.replace(settings, rate_limits="off"),
        # What differs by chance alone.
        "again": structs.replace(settings, rate_limits="off"),
        "memory": settings,
        "redis": structs.replace(settings, redis_url=Hidden(url), key_rate_limits=GENEROUS),
    }
    apps = {way: App(about) for way, about in ways.items()}
    for app in apps.values():
        await app.start()
    spent: dict[str, list[float]] = {way: [] for way in ways}
    order = list(ways)
    for number in range(slices + 20):
        shuffle(order)
        for way in order:
            begun = time.process_time()
            for _ in range(TURNS):
                await asyncio.gather(
                    *(
                        _call(apps[way], paths[(number + one) % PLAYERS], key)
                        for one in range(AT_ONCE)
                    )
                )
            if number >= 20:
                spent[way].append((time.process_time() - begun) / (TURNS * AT_ONCE))
    for app in apps.values():
        await app.stop()
    _show(spent)


async def _call(app: App, path: str, key: str) -> None:
    scope: Mapping[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "client": ("127.0.0.1", 1),
        "headers": [(b"authorization", b"Bearer " + key.encode()), (b"host", b"gamekeeper")],
    }

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Mapping[str, Any]) -> None:
        assert message.get("status", 200) == 200, message

    await app(scope, receive, send)


def _show(spent: dict[str, list[float]]) -> None:
    for way, figures in spent.items():
        ratios = [mine / off for mine, off in zip(figures, spent["off"], strict=True)]
        low, middle, high = statistics.quantiles(ratios, n=4)
        print(
            f"{way:7} {1e6 * statistics.median(figures):6.1f} µs a lookup, "
            f"{1e6 * min(figures):6.1f} at best; of off {middle:.3f} "
            f"(quartiles {low:.3f} and {high:.3f} of {len(ratios)} slices)",
            flush=True,
        )


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 400))
