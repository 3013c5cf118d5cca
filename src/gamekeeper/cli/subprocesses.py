"""Child processes (subprocesses) that must not outlive this process."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from gamekeeper.core.errors import Unavailable

START_SECONDS = 60
LINES_SHOWN = 20

Ends = Sequence[tuple[signal.Signals, float]]
"""The signals that end a process, the gentlest first, each with its timeout in seconds."""


class ProcessFailed(Unavailable):
    """A required process has failed."""


class Child:
    """A child process, and the file that receives its output."""

    def __init__(self, name: str, process: asyncio.subprocess.Process, log: Path) -> None:
        self._name, self._process, self._log = name, process, log

    @classmethod
    @asynccontextmanager
    async def start(
        cls,
        name: str,
        command: Sequence[str | Path],
        *,
        log: Path,
        ends: Ends,
        **options: Any,
    ) -> AsyncIterator["Child"]:
        """
        Run a process during the block.

        It gets a session of its own: the terminal sends Ctrl-C to all foreground
        processes, but we decide the order in which they stop.
        """
        with log.open("ab") as stream:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                start_new_session=True,
                **options,
            )
        try:
            yield cls(name, process, log)
        finally:
            await _end(process, ends)

    @property
    def pid(self) -> int:
        return self._process.pid

    async def ready(self, attempt: Callable[[], Awaitable[bool]]) -> None:
        """Poll until an attempt succeeds; raise ProcessFailed if the process ends first."""
        try:
            async with asyncio.timeout(START_SECONDS):
                while not await attempt():
                    if self._process.returncode is not None:
                        raise self._failed("ended while it was starting")
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise self._failed(f"was not ready after {START_SECONDS} seconds") from None

    async def finished(self) -> None:
        """Wait for a process that ends by itself; raise ProcessFailed unless it succeeds."""
        if await self._process.wait() != 0:
            raise self._failed("did not succeed")

    async def died(self) -> ProcessFailed:
        """Wait until a process that should keep running ends; return the error."""
        await self._process.wait()
        return self._failed("ended by itself")

    def _failed(self, what: str) -> ProcessFailed:
        last = self._log.read_text("utf-8", "replace").splitlines()[-LINES_SHOWN:]
        return ProcessFailed("\n  ".join([f"{self._name} {what}.", *last]))


async def _end(process: asyncio.subprocess.Process, ends: Ends) -> None:
    for number, seconds in ends:
        if process.returncode is not None:
            break
        with suppress(ProcessLookupError):
            process.send_signal(number)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await process.wait()
    await _sweep(process.pid)
    await process.wait()


async def _sweep(group: int) -> None:
    """Kill the rest of a process group."""
    with suppress(ProcessLookupError, PermissionError):
        # Zombies stay in their group until their parent reaps them, which may not be us:
        # wait a little for the group to disappear, not for ever.
        for _ in range(4):
            os.killpg(group, signal.SIGKILL)
            await asyncio.sleep(0.05)
