"""
One chunk of an import: check it, or import its lines of one kind, all or none.

These functions run in processes of a pool, so that several chunks are decoded and stored at
once. Accounts of all chunks are imported before characters, and characters before guilds: a
character may stand in an earlier chunk than its account.
"""

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from multiprocessing import parent_process
from os import _exit
from typing import Any, TypeVar

import asyncpg
from msgspec import Struct

from gamekeeper.core import failpoints
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.settings import Settings
from gamekeeper.db import primary
from gamekeeper.db.database import Writer, prepare, translate_errors
from gamekeeper.transfer.character_changes import RefusedLines
from gamekeeper.transfer.checks import check
from gamekeeper.transfer.chunk_import import (
    SHAPES,
    ChunkImport,
    ChunkOutcome,
    ImportContext,
    Phase,
)
from gamekeeper.transfer.files import Chunk
from gamekeeper.transfer.lines import Fault, Line
from gamekeeper.transfer.staged_keys import Staged

T = TypeVar("T")

ATTEMPTS = 5
PATIENT_SECONDS = 30
"""To connect: nobody waits for an answer, and a busy server is no reason to stop half way."""


class Checked(Struct):
    """The result of a check: how many lines each phase has, their keys, and what is wrong."""

    counts: dict[Phase, int]
    staged: Staged
    faults: list[Fault]


# Set once in each process of the pool, never in the parent: with its catalog the context is too
# large to be sent with every chunk.
_of_process: ImportContext | None = None


def start_process(context: ImportContext) -> None:
    """Initialize a process of the pool for `call_in_process`."""
    global _of_process
    # Only the parent handles Ctrl-C; a chunk that was begun is finished.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    failpoints.arm(context.settings.fail_point)
    _of_process = context


def call_in_process(work: Callable[..., T], *args: object) -> T:
    """Call one of the functions below with the context of this process."""
    assert _of_process is not None
    return work(_of_process, *args)


def _end_with_parent() -> None:
    """A killed parent cannot stop its processes; the transaction is rolled back."""
    if parent := parent_process():
        parent.join()
        _exit(1)


# ── Checking ──


def check_chunk(context: ImportContext, chunk: Chunk) -> Checked:
    """Check each line by itself, and collect the keys for the check of the whole file."""
    result = Checked(dict.fromkeys(SHAPES, 0), Staged(), [])
    for number, line in context.file.read(chunk):
        if isinstance(line, Fault):
            result.faults.append(line)
            continue
        found = [
            Fault(number, field, reason)
            for field, reason in check(line, context.catalog, context.settings)
        ]
        result.faults += found
        if not found:
            result.staged.add(number, line)
        result.counts[PHASES[type(line)]] += 1
    return result


PHASES: dict[type[Line], Phase] = {shape: phase for phase, shape in SHAPES.items()}


def moved_in_chunk(context: ImportContext, chunk: Chunk) -> list[Fault]:
    """The lines that would change items which moved since the export; changes nothing."""
    return asyncio.run(_moved(context, chunk))


async def _moved(context: ImportContext, chunk: Chunk) -> list[Fault]:
    found: list[Fault] = []
    async with connected(context.settings) as connection:
        for phase in ("players", "guilds"):
            work = ChunkImport(context, _lines(context, chunk, phase), phase)
            found += await work.moved(Writer(connection, context.settings))
    return found


# ── Importing ──


def import_chunk(context: ImportContext, chunk: Chunk, phase: Phase) -> ChunkOutcome:
    """Import the lines of one phase of a chunk in one transaction."""
    return asyncio.run(_import(context, _lines(context, chunk, phase), phase))


def _lines(context: ImportContext, chunk: Chunk, phase: Phase) -> dict[int, Any]:
    return {
        number: line
        for number, line in context.file.read(chunk)
        if isinstance(line, SHAPES[phase])
        and not any(check(line, context.catalog, context.settings))
    }


async def _import(context: ImportContext, lines: Mapping[int, Any], phase: Phase) -> ChunkOutcome:
    try:
        async with connected(context.settings) as connection:
            work = ChunkImport(context, lines, phase)
            if context.dry_run:
                return await work.preview(Writer(connection, context.settings))
            return await _transact(connection, context.settings, work.run)
    except RefusedLines as refused:
        return ChunkOutcome(faults=refused.faults)
    except asyncpg.UniqueViolationError as fault:
        detail = getattr(fault, "detail", fault)
        reason = f"taken during the import by another account, or in a later line: {detail}"
        return ChunkOutcome(faults=[Fault(min(lines), "", reason)])


@asynccontextmanager
async def connected(settings: Settings) -> AsyncIterator[asyncpg.Connection]:
    """A connection without the timeouts of requests."""
    with translate_errors():
        connection = await primary.connect(
            settings.database_url,
            timeout=PATIENT_SECONDS,
            server_settings={
                "application_name": "gamekeeper import",
                "statement_timeout": "0",
                "idle_in_transaction_session_timeout": "0",
                "work_mem": "64MB",
                "jit": "off",
            },
        )
        try:
            await prepare(connection)
            yield connection
        finally:
            await connection.close(timeout=5)


async def _transact(
    connection: asyncpg.Connection, settings: Settings, work: Callable[[Writer], Awaitable[T]]
) -> T:
    """Run `work` in a transaction; retry after a deadlock with the running service."""
    for _ in range(ATTEMPTS):
        try:
            async with connection.transaction():
                result = await work(Writer(connection, settings))
                failpoints.reach("before_commit")
        except asyncpg.TransactionRollbackError:
            continue
        failpoints.reach("after_commit")
        return result
    raise Unavailable("Other requests keep changing the same data. Try again.")
