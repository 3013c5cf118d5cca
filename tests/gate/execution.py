"""Executes runs, as many at a time as the machine has cores, and those that measure time alone."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from tests.gate.plan import Run
from tests.gate.results import (
    ROOT,
    Result,
    commit,
    machine,
    outcome_of,
    read_tests,
    today,
)

MINUTES_AT_LEAST = 10
"""Before a run is ended: starting takes a while on a busy machine."""
PATIENCE = 3
"""A run may take so many times the minutes that it takes on idle cores."""
END_SECONDS = 30
"""For a run to stop its processes when it is ended."""


class Gate:
    """Runs tests in processes; their output goes to files that can be followed."""

    def __init__(self, logs: Path, *, seed: int, full_size: bool, places: int) -> None:
        self._logs = logs
        self._seed = seed
        self._full_size = full_size
        self._places = asyncio.Semaphore(places)
        self._running: set[str] = set()
        self._commit = commit()
        logs.mkdir(parents=True, exist_ok=True)

    async def run_all(self, runs: Sequence[Run]) -> AsyncIterator[Result]:
        """Each result as soon as it is there; the longest run begins first."""
        for run in runs:
            if run.alone:
                yield await self._run(run)
        together = sorted((run for run in runs if not run.alone), key=lambda run: -run.minutes)
        for result in asyncio.as_completed([self._run(run) for run in together]):
            yield await result

    async def _run(self, run: Run) -> Result:
        async with self._places, self._listed(run) as beside:
            load, begun = os.getloadavg()[0], time.monotonic()
            report = self._logs / f"{run.name}.xml"
            report.unlink(missing_ok=True)
            code = await self._execute(run, report)
            tests = read_tests(report)
            return Result(
                name=run.name,
                outcome=outcome_of(run, code, tests),
                day=today(),
                commit=self._commit[0],
                is_changed=self._commit[1],
                machine=machine(),
                load=round(load, 1),
                beside=sorted(beside),
                size=dict(run.size) if self._full_size else {},
                seed=self._seed,
                seconds=round(time.monotonic() - begun),
                tests=tests,
            )

    @asynccontextmanager
    async def _listed(self, run: Run) -> AsyncIterator[set[str]]:
        beside = set(self._running)
        self._running.add(run.name)
        try:
            yield beside
        finally:
            beside |= self._running - {run.name}
            self._running.discard(run.name)

    async def _execute(self, run: Run, report: Path) -> int | None:
        """The exit code, or None if the run took too long and was ended."""
        size = run.size if self._full_size else {}
        environment = {**os.environ, "PYTHONPATH": f"src{os.pathsep}.", **size}
        with (self._logs / f"{run.name}.log").open("wb") as log:
            process = await asyncio.create_subprocess_exec(
                *self._command(run, report),
                cwd=ROOT,
                env=environment,
                stdout=log,
                stderr=asyncio.subprocess.STDOUT,
                stdin=asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )
            try:
                limit = 60 * max(MINUTES_AT_LEAST, PATIENCE * run.minutes)
                return await asyncio.wait_for(process.wait(), limit)
            except TimeoutError:
                return None
            finally:
                await _end(process)

    def _command(self, run: Run, report: Path) -> list[str]:
        if run.command:
            return [sys.executable, "-m", *run.command]
        marks = run.marks if self._full_size else "not slow"
        pytest = [sys.executable, "-m", "pytest", "-m", marks, "--capture=tee-sys"]
        pytest += [f"--junitxml={report}", "-o", "junit_logging=system-out"]
        pytest += [
            "-o",
            "cache_dir=" + str(self._logs / "cache"),
            f"--hypothesis-seed={self._seed}",
        ]
        return [sys.executable, "-m", "tests.clusters", *pytest, *run.tests]


async def _end(process: asyncio.subprocess.Process) -> None:
    """Stop a process and its children, unless it has ended."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.returncode is not None:
            return
        os.killpg(process.pid, number)
        try:
            await asyncio.wait_for(process.wait(), END_SECONDS)
        except TimeoutError:
            continue
