"""
What rate limits cost: lookups per second without them, counted in memory, and in Redis.

Three servers on one database, asked by wrk in turn, a round each, in an order that changes, so
that whatever else the machine does falls on all of them. The processor time of a request, of the
server's own processes, is told too: on a busy machine it varies less than the rate.

    python -m tests.clusters .venv/bin/python -m tests.torture.rate_limit_cost [rounds] [seconds]
"""

import asyncio
import itertools
import os
import statistics
import sys
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path

from bench import programs
from bench.programs import Load
from gamekeeper.auth import keys
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from tests.databases import cloned
from tests.make import BY, make_player
from tests.redis import serving_redis
from tests.server import free_port, serving

PLAYERS = 500
CONNECTIONS = 32
# More than a window of Redis can see, so that nothing is refused.
GENEROUS = "read 1000000/second"


async def main(rounds: int, seconds: int) -> None:
    with tempfile.TemporaryDirectory(prefix="gamekeeper-rates-") as folder:
        async with cloned("template1") as settings:
            await migrate(settings)
            await _measure(settings, Path(folder), rounds, seconds)


async def _measure(settings: Settings, folder: Path, rounds: int, seconds: int) -> None:
    async with Database.open(settings) as database:
        key = str(await keys.create.one(database, keys.NewKey(by=BY, name="cost")))
        players = [await make_player(database) for _ in range(PLAYERS)]
    paths = folder / "paths"
    paths.write_text("".join(f"/api/v1/players/{player}\n" for player in players))
    port = free_port()
    ways = {
        "off": {"GAMEKEEPER_RATE_LIMITS": "off"},
        "memory": {},
        "redis": {
            "GAMEKEEPER_REDIS_URL": f"redis://127.0.0.1:{port}/0",
            "GAMEKEEPER_KEY_RATE_LIMITS": GENEROUS,
        },
    }
    with ExitStack() as stack:
        stack.enter_context(serving_redis(folder, port))
        servers = {
            way: stack.enter_context(serving(settings, folder / way, **env))
            for way, env in ways.items()
        }
        call = ["GET", str(paths), key]
        found: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
        for number, order in zip(range(rounds + 1), itertools.cycle(itertools.permutations(ways))):
            for way in order:
                load = Load(seconds=seconds, connections=CONNECTIONS)
                url, process = servers[way]
                before = _processor_seconds(process.pid)
                figures = await programs.wrk(load, url, call)
                assert figures.fault is None, f"{way}: {figures.fault}"
                spent = _processor_seconds(process.pid) - before
                # The first round warms up, and does not count.
                if number:
                    found[way].append((figures.rate, spent / (figures.rate * seconds)))
    for way, measured in found.items():
        _show(way, "lookups/s", [rate for rate, _ in measured], [r for r, _ in found["off"]])
        _show(
            way, "µs each", [1e6 * cpu for _, cpu in measured], [1e6 * c for _, c in found["off"]]
        )


def _processor_seconds(group: int) -> float:
    """The processor time that all processes of a group have spent."""
    ticks = 0
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = file.read_text().rpartition(")")[2].split()
            if int(fields[2]) == group:
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _show(way: str, unit: str, figures: list[float], off: list[float]) -> None:
    ratios = sorted(mine / other for mine, other in zip(figures, off, strict=True))
    print(
        f"{way:7} {statistics.median(figures):8,.1f} {unit}; "
        f"of off {statistics.median(ratios):.3f} "
        f"({ratios[0]:.3f} to {ratios[-1]:.3f} in {len(ratios)} rounds)",
        flush=True,
    )


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:]]
    asyncio.run(main(*given, *(12, 3)[len(given) :]))
