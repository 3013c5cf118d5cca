"""
The processes that tests start, and the end of all of them.

Each is started in a session of its own and ended with its whole process group. A test
process may be killed before it can do that. So every process started below it carries a
mark in its environment, and a watchdog, which only waits for the end of the test process,
ends what still carries the mark. The mark also finds those that left their group.
"""

import asyncio
import atexit
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

PATIENCE = float(os.environ.get("TEST_PATIENCE", "300"))
"""
Seconds that tests wait for what must come, where how soon it comes is not the point. What
succeeds does not take them, so they are many: the machine may be doing twenty other things.
"""
MARK = "STARTED_BY_TEST_PROCESS"
GRACE = float(os.environ.get("TEST_GRACE", "5"))
"""Seconds between asking what was left to end, and killing it."""


@contextmanager
def running(command: Sequence[str], **about: Any) -> Iterator[subprocess.Popen[Any]]:
    """A process and all that it starts, until the end of the block."""
    with start(command, **about) as process:
        try:
            yield process
        finally:
            end(process)


def start(command: Sequence[str], **about: Any) -> subprocess.Popen[Any]:
    """A process that leads a group of its own, to be ended by `end` or `kill`."""
    return subprocess.Popen(command, start_new_session=True, **about)


def end(process: subprocess.Popen[Any], seconds: float = PATIENCE) -> None:
    """Have it end by itself; if it does not, that is an error, and it is killed."""
    try:
        process.terminate()
        process.wait(seconds)
    finally:
        kill(process)


def kill(process: subprocess.Popen[Any]) -> None:
    """End it and its process group without warning."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


async def ended(process: asyncio.subprocess.Process) -> None:
    """The same of a process of asyncio's, which must have been started in a new session."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


def run(
    command: Sequence[str],
    *,
    typed: str | None = None,
    timeout: float = PATIENCE,
    **about: Any,
) -> subprocess.CompletedProcess[str]:
    """What a command says and how it ends; nothing that it started is left."""
    pipe = subprocess.PIPE
    stdin = subprocess.DEVNULL if typed is None else pipe
    process = start(command, stdin=stdin, stdout=pipe, stderr=pipe, text=True, **about)
    with process:
        try:
            out, err = process.communicate(typed, timeout=timeout)
        finally:
            kill(process)
    return subprocess.CompletedProcess(list(command), process.returncode, out, err)


_kept: set[int] = set()


def keep(process: subprocess.Popen[Any]) -> None:
    """Let a process, and what it starts, run until the session ends."""
    _kept.add(process.pid)


def is_kept(pid: int) -> bool:
    """Whether it is of the group of such a process."""
    try:
        return os.getpgid(pid) in _kept
    except ProcessLookupError:
        return True


def watch() -> None:
    """Mark what this process will start, and have it ended when this process has ended."""
    mark = f"{os.getpid()}-{uuid4().hex}"
    plain = {name: value for name, value in os.environ.items() if name != MARK}
    watchdog = subprocess.Popen(
        [sys.executable, "-SE", __file__, mark],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env=plain,
    )
    os.environ[MARK] = mark
    atexit.register(_dismiss, watchdog)


def left(mark: str | None = None) -> dict[int, str]:
    """The processes started below this one that still run, with their command lines."""
    needle = f"{MARK}={mark or os.environ[MARK]}".encode()
    found = {}
    for each in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int(each.name) != os.getpid() and needle in (each / "environ").read_bytes():
                command = (each / "cmdline").read_bytes()
                found[int(each.name)] = command.replace(b"\0", b" ").decode()
    # Python's own, one for each process that shares memory; it ends with that process.
    return {pid: line for pid, line in found.items() if "resource_tracker" not in line}


def sweep(mark: str | None = None) -> None:
    """End what is left: PostgreSQL tidies up after itself if it is asked first."""
    for sent in (signal.SIGTERM, signal.SIGKILL):
        for pid in left(mark):
            with suppress(ProcessLookupError):
                os.kill(pid, sent)
        deadline = time.monotonic() + GRACE
        while left(mark) and time.monotonic() < deadline:
            time.sleep(0.05)


def _dismiss(watchdog: subprocess.Popen[bytes]) -> None:
    assert watchdog.stdin is not None
    watchdog.stdin.close()
    watchdog.wait()


if __name__ == "__main__":
    # The test process holds the other end and never writes: this ends when that process does.
    sys.stdin.buffer.read()
    sweep(sys.argv[1])
