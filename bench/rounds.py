"""Benchmark rounds: each case bare and served in turn, so that other load affects both."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec import Struct

from bench import equivalence, fixture, programs, servers
from bench.cases import CASES, Case
from bench.fixture import Wanted, World
from bench.machine import Machine
from bench.programs import Figures, Load
from bench.servers import Server
from bench.statements import Bare
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.progress import ProgressCallback
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database

BARE = 0
"""In place of a number of workers: the bare side."""
SPARE = 8
"""Connections of the benchmark itself, and those that PostgreSQL reserves."""


class Lap(Struct, frozen=True, kw_only=True):
    """One case, by one side, in one round."""

    case: str
    round: int
    workers: int
    figures: Figures


class Plan(Struct, frozen=True, kw_only=True):
    wanted: Wanted
    load: Load
    rounds: int
    warm_up: bool
    workers: tuple[int, ...]
    cases: tuple[str, ...]

    @property
    def seconds(self) -> int:
        """How long the rounds take, without setup."""
        each = len(self.cases) * (1 + len(self.workers))
        return each * (self.rounds * self.load.seconds + self.warm_up)


class TooFewConnections(Unavailable):
    """PostgreSQL does not take as many connections as this needs."""


async def run(plan: Plan, machine: Machine, on_progress: ProgressCallback) -> list[Lap]:
    """Create the fixture, check equivalence, and run all rounds."""
    _require_connections(plan, int(machine.settings["max_connections"]))
    async with _arena(plan, on_progress) as arena:
        return await arena.rounds()


class Arena:
    """The running servers and the fixture of a benchmark."""

    def __init__(
        self,
        plan: Plan,
        world: World,
        services: Sequence[Server],
        bares: dict[str, Bare],
        directory: Path,
        on_progress: Callable[[str], None],
    ) -> None:
        self.plan, self.world, self.services = plan, world, services
        self.bares, self.directory, self.on_progress = bares, directory, on_progress
        self.usual: dict[str, float] = {}
        """The bare rate of each case when it was last measured."""

    async def rounds(self) -> list[Lap]:
        cases = [case for case in CASES if case.name in self.plan.cases]
        for case in cases:
            (self.directory / case.name).write_text("\n".join(case.call(self.world).lines) + "\n")
        if self.plan.warm_up:
            brief = Load(seconds=1, connections=self.plan.load.connections)
            for case in cases:
                await self._lap(case, 0, brief)
        laps: list[Lap] = []
        for number in range(1, self.plan.rounds + 1):
            for case in cases:
                laps += await self._lap(case, number, self.plan.load)
        return laps

    async def _lap(self, case: Case, number: int, load: Load) -> list[Lap]:
        """Measure all sides of one case; their order alternates from round to round."""
        sides = [BARE, *self.plan.workers]
        laps = []
        for side in sides if number % 2 else reversed(sides):
            figures = await self._side(case, side, load)
            laps.append(Lap(case=case.name, round=number, workers=side, figures=figures))
            self.on_progress(case.title)
        return laps

    async def _side(self, case: Case, side: int, load: Load) -> Figures:
        if side == BARE:
            url, bare = self.world.settings.database_url, self.bares[case.name]
            usual = self.usual.get(case.name, 0.0)
            figures = await programs.pgbench(load, url, bare, self.directory, usual)
            self.usual[case.name] = figures.rate
            return figures
        [server] = [each for each in self.services if each.workers == side]
        call = case.call(self.world)
        arguments = [call.method, str(self.directory / case.name), self.world.key]
        arguments += [call.body] if call.body else []
        figures = await programs.wrk(load, server.url, arguments)
        server.forget_log()
        return figures


@asynccontextmanager
async def _arena(plan: Plan, on_progress: ProgressCallback) -> AsyncIterator[Arena]:
    with tempfile.TemporaryDirectory(prefix="gamekeeper-bench-") as name:
        directory = Path(name)
        async with fixture.database(plan.wanted) as settings:
            world = await fixture.fill(settings, plan.wanted, on_progress)
            async with Database.open(settings) as database:
                bares = {case.name: await case.bare(database, world) for case in CASES}
            async with servers.running(settings, plan.workers, directory) as services:
                for server in services:
                    await equivalence.prove(server, world, bares)
                yield Arena(plan, world, services, bares, directory, _counting(plan, on_progress))


def _require_connections(plan: Plan, allowed: int) -> None:
    usual = Settings(database_url=Hidden("")).connections
    needed = plan.load.connections + 2 * usual * sum(plan.workers) + SPARE
    if needed > allowed:
        raise TooFewConnections(
            f"This needs {needed} connections, and PostgreSQL's max_connections is {allowed}. "
            "Take fewer --connections or --workers."
        )


def _counting(plan: Plan, on_progress: ProgressCallback) -> Callable[[str], None]:
    done, total = 0, len(plan.cases) * (1 + len(plan.workers)) * (plan.rounds + plan.warm_up)

    def count(_: str) -> None:
        nonlocal done
        done += 1
        on_progress("Laps", done, total)

    return count


def measure(plan: Plan, machine: Machine, on_progress: ProgressCallback) -> list[Lap]:
    return asyncio.run(run(plan, machine, on_progress))
