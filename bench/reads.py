"""`python -m bench.reads URL`: how long each read takes on a large world."""

import asyncio
import random
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct

from bench import machine, programs, servers
from bench.command import run
from bench.fixture import BY, require_loopback
from bench.programs import Figures, Load
from bench.servers import Server
from gamekeeper.auth import keys
from gamekeeper.cli.demo import progress
from gamekeeper.cli.terminal import AsJson, say, show_json, show_table
from gamekeeper.core.progress import ProgressCallback
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.db.paging import pages
from gamekeeper.db.paging.orderings import PLAYERS

PATHS = [
    "/overview",
    "/players",
    "/players?page={page}",
    "/players?search=ar",
    "/players?search=grvoe",
    "/players?sortBy=level&sortDirection=descending",
    "/players?sortBy=creationdate&page={page}",
    "/players?sortBy=playtime&page={page}",
    "/players?sortBy=lastonline&sortDirection=descending",
    "/players?sortBy=lastonline&page={page}",
    "/players/rank?page={page}",
    "/players/online",
    "/players/online?sortBy=level",
    "/players/online/count",
    "/players/{player}",
    "/players/{player}/items",
    "/players/{player}/items/changes?from={past}",
    "/players/{player}/moments?from={past}",
    "/players/{player}/items?at={past}",
    "/players/{player}/sessions",
    "/users",
    "/users?sortBy=registrationdate&page={page}",
    "/users?sortBy=email&page={page}",
    "/users/{user}",
    "/users/{user}/linked",
    "/actions",
    "/actions?player={player}",
    "/actions?actor=key:{key}",
    "/actions?kind=items.take",
    "/actions?reason=nobody%20gave%20it",
    "/events",
    "/economy/items",
    "/sanctions",
    "/guilds",
    "/logs/chat",
    "/logs/chat?search=zzz",
    "/chat/messages?search=zzz",
    "/chat/messages?search=nj",
    "/chat/messages?search=zorfejin",
    "/search?q=gro",
    "/search?q=grvoe",
    "/servers",
    "/approvals",
    "/appeals",
    "/cases",
]
"""All kinds of reads of the API; the console makes the same calls."""

# The character with the longest history, at an instant in the middle of it.
KNOWN = """
    SELECT player_id::text AS player, user_id::text AS user,
           to_char((began + (ended - began) / 2) AT TIME ZONE 'UTC',
                   'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS past,
           md5('1')::uuid::text AS key
      FROM (SELECT player_id, count(*), min(at) AS began, max(at) AS ended
              FROM actions WHERE player_id IS NOT NULL
             GROUP BY 1 ORDER BY 2 DESC LIMIT 1) AS longest
      JOIN players ON players.id = player_id
"""
PAGE_SIZE = 20
REQUESTS = 500
"""Different requests for a path with a random page: more than are in flight together."""
CALLERS = 16
MAX_ALONE_MS = 200
MAX_TOGETHER_MS = 1000
HEADINGS = ["read", "one: p50 ms", "p99", f"{CALLERS}: p50 ms", "p99", "per s", "over the limit"]


class Read(Struct, frozen=True, kw_only=True):
    """One path: the median of all rounds, and the faults of any."""

    path: str
    alone: Figures
    together: Figures

    @property
    def over(self) -> str:
        """Which limits it does not meet; empty if it meets both."""
        faults = [figures.fault for figures in (self.alone, self.together) if figures.fault]
        if self.alone.p50 > MAX_ALONE_MS:
            faults.append(f"one caller: over {MAX_ALONE_MS} ms")
        if self.together.p99 > MAX_TOGETHER_MS:
            faults.append(f"{CALLERS} callers: p99 over {MAX_TOGETHER_MS} ms")
        return ", ".join(faults)


def reads(
    *,
    url: Annotated[str, typer.Argument(help="The database of a large world, on this machine.")],
    seconds: Annotated[
        int, typer.Option(help="How long each read is measured in a round.", min=1, max=60)
    ] = 2,
    rounds: Annotated[
        int, typer.Option(help="How often everything is measured, in turn.", min=1, max=20)
    ] = 3,
    only: Annotated[str, typer.Option(help="Only paths that contain this text.")] = "",
    as_json: AsJson = False,
) -> None:
    """
    Measure each read of the API on a large world, by one caller and by sixteen.

    Starts `serve` with one process and a worker on the database, and sends requests with wrk.
    Lists are read at random pages. The limits: 200 ms for one caller, a p99 of one second for
    sixteen. It leaves an API key named "bench" in the database.

    \b
        GAMEKEEPER_DATABASE_URL=postgresql://… python -m tests.large_world --link
        python -m bench.reads postgresql://…
    """
    programs.require()
    require_loopback(url)
    paths = [path for path in PATHS if only in path]
    if not paths:
        raise typer.BadParameter(f"no path contains '{only}'")
    look = asyncio.run(machine.look(url))
    with progress() as on_progress:
        found = asyncio.run(measure(url, paths, (rounds, seconds), on_progress))
    if as_json:
        show_json({"machine": look, "reads": found})
        return
    show_table(HEADINGS, [_row(read) for read in found])
    over = sum(bool(read.over) for read in found)
    say(f"{len(found)} reads, {over} over a limit; load average before the start {look.load:.1f}")


async def measure(
    url: str, paths: Sequence[str], times: tuple[int, int], on_progress: ProgressCallback
) -> list[Read]:
    """The figures of each path; all paths are measured once in each round."""
    rounds, seconds = times
    # To find the longest history takes longer than a request may.
    settings = Settings(database_url=Hidden(url), statement_seconds=60)
    async with Database.open(settings) as database:
        key = await keys.create.one(database, keys.NewKey(by=BY, name="bench"))
        [known] = await database.reader.rows(KNOWN)
        last_page = await pages.total(database.reader, PLAYERS) // PAGE_SIZE - 1
    with tempfile.TemporaryDirectory(prefix="gamekeeper-reads-") as name:
        directory = Path(name)
        calls = [
            ["GET", str(_file(directory, number, path, dict(known), last_page)), key]
            for number, path in enumerate(paths)
        ]
        laps: list[list[Lap]] = [[] for _ in paths]
        async with (
            servers.running(settings, [1], directory) as [service],
            servers.worker(settings, directory),
        ):
            for lap in range(rounds):
                for number, call in enumerate(calls):
                    laps[number].append(await _lap(service, call, seconds))
                    on_progress("Reads", lap * len(calls) + number + 1, rounds * len(calls))
    return [_read(path, found) for path, found in zip(paths, laps, strict=True)]


Lap = tuple[Figures, Figures]
"""One caller, then sixteen."""


async def _lap(service: Server, call: Sequence[str], seconds: int) -> Lap:
    alone, together = [
        await programs.wrk(Load(seconds=seconds, connections=callers), service.url, call)
        for callers in (1, CALLERS)
    ]
    service.forget_log()
    return alone, together


def _read(path: str, laps: Sequence[Lap]) -> Read:
    alone, together = zip(*laps, strict=True)
    return Read(path=path, alone=_median(alone), together=_median(together))


def _file(directory: Path, number: int, path: str, known: dict[str, str], last_page: int) -> Path:
    """The requests of one path, as load.lua reads them."""
    file = directory / str(number)
    count = REQUESTS if "{page}" in path else 1
    chosen = random.Random(number)  # noqa: S311
    lines = [path.format(**known, page=chosen.randint(0, last_page)) for _ in range(count)]
    file.write_text("".join(f"/api/v1{line}\n" for line in lines))
    return file


def _median(figures: Sequence[Figures]) -> Figures:
    faults = sorted({each.fault for each in figures if each.fault})
    return Figures(
        requests=sum(each.requests for each in figures),
        rate=statistics.median(each.rate for each in figures),
        p50=statistics.median(each.p50 for each in figures),
        p99=statistics.median(each.p99 for each in figures),
        fault="; ".join(faults) or None,
    )


def _row(read: Read) -> list[str]:
    numbers = (read.alone.p50, read.alone.p99, read.together.p50, read.together.p99)
    return [
        read.path,
        *(f"{number:,.1f}" for number in numbers),
        f"{read.together.rate:,.0f}",
        read.over,
    ]


if __name__ == "__main__":
    run(reads)
