"""Child processes that must not outlive us."""

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
"""The signals that end a process, the gentlest first, each with the seconds it gets."""


class ProcessFailed(Unavailable):
    """A process that is needed has failed."""


class Child:
    """A process of ours, and the file that everything it says goes to."""

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
        A process for as long as the block lasts.

        It gets a session of its own: the Ctrl-C of a terminal goes to everybody in
        the foreground, and who has to stop first is for us to say.
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

    async def ready(self, attempt: Callable[[], Awaitable[bool]]) -> None:
        """Return as soon as an attempt succeeds; to end before that is to fail."""
        try:
            async with asyncio.timeout(START_SECONDS):
                while not await attempt():
                    if self._process.returncode is not None:
                        raise self._failed("ended while it was starting")
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise self._failed(f"was not ready after {START_SECONDS} seconds") from None

    async def finished(self) -> None:
        """Wait for a process that has an end of its own."""
        if await self._process.wait() != 0:
            raise self._failed("did not succeed")

    async def died(self) -> ProcessFailed:
        """Wait for the end of a process that has none, and tell about it."""
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
    """Kill what is left of a process and of those it started."""
    with suppress(ProcessLookupError, PermissionError):
        # The dead stay in their group until somebody collects them, which is not up to
        # us: this waits a little for the group to be gone, and not for ever.
        for _ in range(4):
            os.killpg(group, signal.SIGKILL)
            await asyncio.sleep(0.05)
