"""
A game in C# as a process of its own: tests tell it what to do, and hear what it hears.

Mono compiles and runs it. CSHARP_COMPILER and CSHARP_RUNNER name other programs that take the
same arguments, to try it on another platform.
"""

import asyncio
import json
import os
import shutil
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests import processes
from tests.deadlines import PATIENCE

ROOT = Path(__file__).parents[3]
LIBRARY = ROOT / "clients/csharp/src"
PROGRAM = Path(__file__).parent / "program"
# Mono's compiler knows no later language; the project file says 7.3.
COMPILER = os.environ.get("CSHARP_COMPILER", "mcs")
RUNNER = os.environ.get("CSHARP_RUNNER", "mono")
COMPILE = [
    COMPILER,
    "-langversion:7.2",
    "-warnaserror",
    "-d:NETSTANDARD2_0",
    "-r:System.Net.Http.dll",
]

Said = dict[str, Any]


def needed(*tools: str) -> None:
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing and "CI" not in os.environ:
        pytest.skip(f"these are not here, `.ci/run` installs them: {', '.join(missing)}")
    assert not missing


def compiled(into: Path, *sources: Path, library: Path | None = None) -> Path:
    """An assembly of all the files in the folders; a library unless it uses one."""
    files = [str(file) for folder in sources for file in sorted(folder.rglob("*.cs"))]
    kind = ["-target:library"] if library is None else [f"-r:{library}"]
    done = processes.run([*COMPILE, "-r:System.Net.Http.dll", *kind, f"-out:{into}", *files])
    assert done.returncode == 0, done.stdout + done.stderr
    return into


class Game:
    """The process, and everything it has said."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.said: list[Said] = []
        self._news = asyncio.Condition()
        self._is_over = False
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            if not line.startswith(b"{"):
                continue  # Mono says there what it thinks of an error of the disk.
            async with self._news:
                self.said.append(json.loads(line))
                self._news.notify_all()
        async with self._news:
            self._is_over = True
            self._news.notify_all()

    def tell(self, do: str, **about: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"do": do, **about}, default=str).encode() + b"\n")

    def heard(self, notice: str, **about: Any) -> list[Said]:
        return [
            one
            for one in self.said
            if one["notice"] == notice and all(one[name] == value for name, value in about.items())
        ]

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until what was said is enough."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE), self._news:
                await self._news.wait_for(lambda: condition() or self._is_over)
        assert condition(), [one for one in self.said if one["notice"] != "GameEvent"][-20:]

    async def hear(self, notice: str, number: int = 1, **about: Any) -> list[Said]:
        await self.until(lambda: len(self.heard(notice, **about)) >= number)
        return self.heard(notice, **about)

    async def stop(self, seconds: float = 30) -> Said:
        self.tell("stop", seconds=seconds)
        [stopped] = await self.hear("stopped")
        return stopped

    async def kill(self) -> None:
        """Without warning, as a power cut does."""
        self.process.send_signal(signal.SIGKILL)
        await self.process.wait()
        await self._reading

    async def end(self) -> None:
        await processes.ended(self.process)
        self._reading.cancel()


@asynccontextmanager
async def playing(program: Path, before: str = "", /, **wanted: Any) -> AsyncIterator[Game]:
    """A game that begins at once, after what a shell does `before` it becomes the game."""
    command = [RUNNER, str(program), json.dumps(wanted, default=str)]
    if before:
        command = ["bash", "-c", f'{before}; exec "$@"', "game", *command]
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
        limit=2**24,
    )
    game = Game(process)
    try:
        yield game
    finally:
        await game.end()
