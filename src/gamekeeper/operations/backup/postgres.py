"""
PostgreSQL's pg_dump and pg_restore: found, run and followed.

A password is never among their arguments, which every user of the machine can read: it goes
into a file that only we can read (libpq's `passfile`), for as long as they run.
"""

import asyncio
import os
import re
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from gamekeeper.core.errors import Unavailable
from gamekeeper.db import programs

END_SECONDS = 10
LINES_SHOWN = 8
FAULTS = re.compile(r"(error|fatal|detail|hint)\b", re.IGNORECASE)
TABLE = re.compile(r"(?:dumping contents of|processing data for) table \"(.*)\"")


class PostgresToolMissing(Unavailable):
    """PostgreSQL's client programs are not installed on this machine."""


class PostgresToolFailed(Unavailable):
    """pg_dump or pg_restore failed."""


def find(program: str, *, oldest: int, best: int) -> Path:
    """The program in a version that fits; raises with what to install."""
    if (found := programs.find(program, oldest=oldest, best=best)) is None:
        raise PostgresToolMissing(
            f"{program} of PostgreSQL {oldest} or newer is not on this machine. Install it "
            f"(Debian, Ubuntu: apt install postgresql-client-{best}), or put its directory on "
            "the PATH."
        )
    return found


def major(program: Path) -> int:
    """The major version of a program that was found."""
    return programs.major(program) or 0


@contextmanager
def connection_string(url: str) -> Iterator[str]:
    """The URL for programs of PostgreSQL, with its password in a file; of several, the primary."""
    parts = urlsplit(url)
    account, at, server = parts.netloc.rpartition("@")
    user, _, password = account.partition(":")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    if "," in server:
        options.setdefault("target_session_attrs", "read-write")
    secret = unquote(password) or options.pop("password", "")
    if not secret:
        query = urlencode(options, quote_via=quote)
        yield urlunsplit((parts.scheme, parts.netloc, parts.path, query, ""))
        return
    with tempfile.TemporaryDirectory(prefix="gamekeeper-") as directory:
        file = Path(directory) / "pgpass"
        file.touch(mode=0o600)
        escaped = secret.replace("\\", "\\\\").replace(":", "\\:")
        file.write_text(f"*:*:*:*:{escaped}\n")
        query = urlencode(options | {"passfile": str(file)}, quote_via=quote)
        yield urlunsplit((parts.scheme, f"{user}{at}{server}", parts.path, query, ""))


async def run(command: Sequence[str | Path], on_progress: Callable[[str], None]) -> None:
    """Run a program to its end; `on_progress` gets the name of each table it comes to."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        # Ctrl-C in a terminal reaches us alone, and we end it.
        start_new_session=True,
    )
    try:
        faults = await _follow(process, on_progress)
        code = await process.wait()
    finally:
        await _end(process)
    if code != 0:
        said = "\n  ".join(faults[-LINES_SHOWN:]) or f"it ended with code {code}"
        raise PostgresToolFailed(f"{Path(command[0]).name} failed:\n  {said}")


async def _follow(
    process: asyncio.subprocess.Process, on_progress: Callable[[str], None]
) -> list[str]:
    """Read what it says to the end; return what it complained about."""
    assert process.stderr is not None
    faults: list[str] = []
    rest = b""
    while piece := await process.stderr.read(1 << 16):
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            text = line.decode("utf-8", "replace")
            if table := TABLE.search(text):
                on_progress(table[1])
            elif FAULTS.search(text):
                faults.append(text[:500])
    return faults


async def _end(process: asyncio.subprocess.Process) -> None:
    """End it with its parallel jobs, if it still runs."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(TimeoutError):
            async with asyncio.timeout(END_SECONDS):
                await process.wait()
