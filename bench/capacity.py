"""`python -m bench.capacity`: what each kind of request costs in CPU, WAL and bytes on disk."""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated

import asyncpg
import typer
from msgspec import Struct

from bench import fixture, machine, programs, servers
from bench.cases import CASES, Case
from bench.command import run
from bench.fixture import Wanted, World
from bench.programs import Load
from bench.servers import Server
from bench.usage import Meter, Usage
from gamekeeper.cli.demo import progress
from gamekeeper.cli.terminal import AsJson, say, show_json, show_table
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.progress import ProgressCallback

SERVER = "postgresql://postgres@127.0.0.1:5432/{}"
SETTLE_SECONDS = 300
"""The longest wait until the worker has done what a load left to it."""

MIX = {"by-id": 4, "inventory": 6, "rank-random": 1, "token": 1, "give": 1.5, "take": 1.5}
"""
Requests of one player online in a minute, an assumption: a game server reports a change every 20
seconds, the player's page on a website reads the character and its items, and some look at ranks.
"""
HEADINGS = [
    *("request", "requests", "per s", "service µs", "PostgreSQL µs", "background µs"),
    *("WAL B", "disk B", "grows most"),
]


class Cost(Struct, frozen=True, kw_only=True):
    """What one request of a kind costs."""

    case: str
    requests: int
    rate: float
    service: float
    """Microseconds of CPU, as of the next two."""
    postgresql: float
    """Of the server processes that answer the service."""
    background: float
    """Of the worker, and of all other processes of PostgreSQL."""
    wal: float
    """Bytes."""
    disk: float
    grown: dict[str, float]
    """Bytes in each table that grew."""


class Void(Unavailable):
    """Requests failed, so that the figures mean nothing."""


def capacity(
    *,
    players: Annotated[
        int, typer.Option(help="How many characters the world has.", min=10, max=10_000_000)
    ] = 100_000,
    seconds: Annotated[
        int, typer.Option(help="How long each kind is measured.", min=1, max=3600)
    ] = 10,
    connections: Annotated[int, typer.Option(help="How many ask at once.", min=1, max=80)] = 32,
    only: Annotated[
        str, typer.Option(help=f"Some kinds only, with commas. Usually: {', '.join(MIX)}.")
    ] = ",".join(MIX),
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep the filled database for the next time.")
    ] = False,
    server: Annotated[
        str, typer.Option(help="The PostgreSQL of this machine; {} is a database's name.")
    ] = SERVER,
    as_json: AsJson = False,
) -> None:
    """
    Measure CPU, WAL and growth of tables for each kind of request.

    Fills a database with demo data, starts `serve` with one process and a worker, and sends
    requests with wrk. Background is the worker and the rest of PostgreSQL until the worker
    has done what the requests left to it; what both use without requests is subtracted.
    Use a machine and a PostgreSQL that do nothing else, with fsync on.

    \b
        python -m bench.capacity --players 1000000 --seconds 30
    """
    known = {case.name: case for case in CASES}
    names = [name for name in only.split(",") if name]
    if unknown := sorted({*names} - {*known}):
        raise typer.BadParameter(f"there is no '{unknown[0]}'. Choose of: {', '.join(known)}")
    programs.require()
    look = asyncio.run(machine.look(server))
    wanted = Wanted(server=server, players=players, items=0, keep=keep)
    load = Load(seconds=seconds, connections=connections)
    with progress() as on_progress:
        idle, costs = asyncio.run(
            measure(wanted, load, [known[name] for name in names], on_progress)
        )
    if as_json:
        show_json({"machine": look, "players": players, "idle": idle, "costs": costs})
        return
    show_table(HEADINGS, [_row(cost) for cost in costs])
    say(_idle(idle))
    say(f"fsync {look.settings['fsync']}, load average before the start {look.load:.1f}")
    if {*MIX} <= {*names}:
        say(_thousand(costs))


async def measure(
    wanted: Wanted, load: Load, cases: Sequence[Case], on_progress: ProgressCallback
) -> tuple[Usage, list[Cost]]:
    """The usage of an idle installation in a second, and the cost of each kind."""
    async with installation(wanted, on_progress) as (world, service, meter, directory):
        # Statements are prepared and caches filled before anything counts.
        brief = Load(seconds=1, connections=load.connections)
        for case in cases:
            await _send(case, world, service, brief, directory)
        await _settle(meter)
        idles, runs = [await _idle_usage(meter, load.seconds)], []
        for number, case in enumerate(cases, 1):
            began, before = time.monotonic(), await meter.read()
            requests, rate = await _send(case, world, service, load, directory)
            await _settle(meter)
            after, took = await meter.read(), time.monotonic() - began
            runs.append((case, requests, rate, after, before, took))
            on_progress("Kinds", number, len(cases))
        # Before and after: autovacuum may come in one of them.
        idles.append(await _idle_usage(meter, load.seconds))
        idle = min(idles, key=lambda usage: usage.background + usage.worker)
        return idle, [
            _cost(case, requests, rate, after.since(before, idle, took))
            for case, requests, rate, after, before, took in runs
        ]


async def _idle_usage(meter: Meter, seconds: int) -> Usage:
    began, before = time.monotonic(), await meter.read()
    await asyncio.sleep(seconds)
    return (await meter.read()).since(before).over(time.monotonic() - began)


@asynccontextmanager
async def installation(
    wanted: Wanted, on_progress: ProgressCallback
) -> AsyncIterator[tuple[World, Server, Meter, Path]]:
    """A filled database with `serve` and a worker, a meter of them, and a folder for files."""
    with tempfile.TemporaryDirectory(prefix="gamekeeper-capacity-") as name:
        directory = Path(name)
        async with fixture.database(wanted) as settings:
            world = await fixture.fill(settings, wanted, on_progress)
            async with (
                servers.running(settings, [1], directory) as [service],
                servers.worker(settings, directory) as worker,
            ):
                connection = await asyncpg.connect(settings.database_url)
                try:
                    meter = Meter.of(connection, service.pid, worker.pid)
                    yield world, service, meter, directory
                finally:
                    await connection.close()


async def _send(
    case: Case, world: World, service: Server, load: Load, directory: Path
) -> tuple[int, float]:
    call = case.call(world)
    file = directory / case.name
    file.write_text("\n".join(call.lines) + "\n")
    arguments = [call.method, str(file), world.key, *([call.body] if call.body else [])]
    figures = await programs.wrk(load, service.url, arguments)
    service.forget_log()
    if figures.fault:
        raise Void(f"{case.title}: {figures.fault}.")
    return figures.requests, figures.rate


async def _settle(meter: Meter) -> None:
    """Wait until the worker has done what requests left to it, and a moment longer."""
    for _ in range(SETTLE_SECONDS):
        if not await meter.is_behind():
            break
        await asyncio.sleep(1)
    await asyncio.sleep(1)


def _cost(case: Case, requests: int, rate: float, used: Usage) -> Cost:
    grown = {name: size / requests for name, size in used.sizes.items() if size > 0}
    return Cost(
        case=case.name,
        requests=requests,
        rate=rate,
        service=used.service / requests * 1e6,
        postgresql=used.postgresql / requests * 1e6,
        # Less than nothing is noise of the idle usage that was subtracted.
        background=max(0.0, (used.background + used.worker) / requests * 1e6),
        wal=max(0.0, used.wal / requests),
        disk=sum(grown.values()),
        grown=dict(sorted(grown.items(), key=lambda pair: -pair[1])),
    )


def _row(cost: Cost) -> list[str]:
    most = [f"{name} {size:,.0f}" for name, size in cost.grown.items() if size >= 1][:4]
    numbers = (cost.service, cost.postgresql, cost.background, cost.wal, cost.disk)
    return [
        cost.case,
        f"{cost.requests:,}",
        f"{cost.rate:,.0f}",
        *(f"{number:,.0f}" for number in numbers),
        ", ".join(most),
    ]


def _idle(idle: Usage) -> str:
    shares = (idle.service, idle.background + idle.postgresql, idle.worker)
    service, postgresql, worker = (f"{1000 * share:.0f}" for share in shares)
    return (
        f"Without requests, in a second: service {service} ms, PostgreSQL {postgresql} ms, "
        f"worker {worker} ms, WAL {idle.wal:,} B"
    )


def _thousand(costs: Sequence[Cost]) -> str:
    """What 1,000 players online need, computed from the costs and the mix."""
    each = {cost.case: cost for cost in costs}
    rates = {name: 1000 * number / 60 for name, number in MIX.items()}

    def total(field: str) -> float:
        return sum(rate * getattr(each[name], field) for name, rate in rates.items())

    mix = ", ".join(f"{name} {number:g}" for name, number in MIX.items())
    return (
        f"Computed for 1,000 players online ({mix} a minute each): {sum(rates.values()):,.0f} "
        f"requests/s, cores: service {total('service') / 1e6:.2f}, PostgreSQL "
        f"{total('postgresql') / 1e6:.2f}, background {total('background') / 1e6:.2f}; "
        f"WAL {total('wal') / 1e6:.2f} MB/s, disk {total('disk') * 86_400 / 1e9:.1f} GB a day"
    )


if __name__ == "__main__":
    run(capacity)
