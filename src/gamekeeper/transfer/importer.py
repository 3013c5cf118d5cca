"""
Import of whole games (upsert by id): check the whole file, then import it in chunks.

Nothing is written unless every line passes. Each chunk is one transaction with its own action
in the audit log, so an interrupted import is continued by running it again: what is there
already is compared and left alone.
"""

import asyncio
import os
from bisect import bisect
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import aclosing, contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
from msgspec import Struct, field

from gamekeeper.catalog.files import Catalog
from gamekeeper.core import failpoints
from gamekeeper.core.errors import Conflict, Unavailable
from gamekeeper.core.progress import ProgressCallback
from gamekeeper.core.settings import Settings
from gamekeeper.db import search_indexes
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.db.paging import maintenance
from gamekeeper.db.paging.orderings import PLAYERS, RANK, USERS
from gamekeeper.transfer import chunks, staged_keys
from gamekeeper.transfer.chunk_import import SHAPES, ChunkOutcome, ImportContext, Phase
from gamekeeper.transfer.chunks import Checked
from gamekeeper.transfer.files import Chunk, ImportFile
from gamekeeper.transfer.known_catalog import KnownCatalog
from gamekeeper.transfer.lines import Fault

LOCK = 0x696D7072  # "impr": any number that no other lock uses
FEW = 2
"""So many chunks are imported in less time than processes take to start."""
MOST_PROCESSES = 4
MOST_FAULTS = 1000
MANY = 10_000
"""From so many new rows on, a list is counted anew instead of delta by delta."""

Submit = Callable[..., Future[Any]]
"""Takes a function of `chunks` and its arguments after the context."""


class ImportRunning(Conflict):
    """Another import is running on this database. Wait until it ends."""


class TransferCounts(Struct):
    added: int = 0
    changed: int = 0
    unchanged: int = 0


class ImportReport(Struct):
    """What an import did, or with `dry_run` would do."""

    file: str
    sha256: str
    dry_run: bool
    lines: int = 0
    users: TransferCounts = field(default_factory=TransferCounts)
    players: TransferCounts = field(default_factory=TransferCounts)
    guilds: TransferCounts = field(default_factory=TransferCounts)
    sanctions: TransferCounts = field(default_factory=TransferCounts)
    game_variables: TransferCounts = field(default_factory=TransferCounts)
    faults: list[Fault] = []
    newer: list[UUID] = []
    """Accounts and characters that were changed here since the last import."""


async def bring(
    settings: Settings,
    path: Path,
    by: AuditContext,
    *,
    dry_run: bool = False,
    overwrite: bool = False,
    moves_in: Catalog | None = None,
    on_progress: ProgressCallback = lambda step, done, total: None,
) -> ImportReport:
    """
    Import a file, or with `dry_run` only check it and compare it with what is stored.

    With `moves_in`, the catalog of another engine, the file is of its game: stacks may be larger
    than the catalog says, and what was changed here since the import before is left alone.
    With `overwrite`, also items that moved since the export become what the file says.
    """
    file = ImportFile.open(path)
    async with chunks.connected(settings) as connection:
        # The lock ends with the session. A dry run changes nothing, so it needs none.
        if not dry_run and not await connection.fetchval("SELECT pg_try_advisory_lock($1)", LOCK):
            raise ImportRunning
        catalog = await KnownCatalog.load(Writer(connection, settings))
        context = ImportContext(
            file=file,
            settings=settings,
            catalog=catalog.of_another_game(moves_in) if moves_in else catalog,
            by=by,
            digest=file.digest(),
            dry_run=dry_run,
            keeps_newer=moves_in is not None,
            overwrite=overwrite,
        )
        parts = list(file.chunks())
        with _pool(context, len(parts)) as submit:
            return await _Import(context, connection, submit, on_progress).run(parts)


class _Import:
    """One run of an import."""

    def __init__(
        self,
        context: ImportContext,
        connection: asyncpg.Connection,
        submit: Submit,
        on_progress: ProgressCallback,
    ) -> None:
        self.context, self.connection = context, connection
        self.submit, self.on_progress = submit, on_progress
        self.report = ImportReport(context.file.path.name, context.digest, context.dry_run)

    async def run(self, parts: Sequence[Chunk]) -> ImportReport:
        phases = await self._check(parts)
        if not self.context.dry_run and self.report.lines >= MANY:
            await search_indexes.drop_before_import(self.connection)
        for phase, own in phases.items():
            if not self.report.faults:
                await self._phase(phase, own)
        if not self.context.dry_run:
            await self._build_indexes()
            await self._count()
            await self._analyze()
        self.report.faults.sort()
        return self.report

    async def _build_indexes(self) -> None:
        """Also after an import of a few lines: the one before it may have been killed."""
        if missing := await search_indexes.missing(Writer(self.connection, self.context.settings)):
            self.on_progress("Search indexes", 0, len(missing))
            await search_indexes.build_missing(self.connection)
            self.on_progress("Search indexes", len(missing), len(missing))

    async def _count(self) -> None:
        """Rebuild the counts of lists that grew much: their trees are flat until then."""
        report = self.report
        grown = [(USERS, report.users), (PLAYERS, report.players), (RANK, report.players)]
        lists = [listing for listing, counts in grown if counts.added >= MANY]
        for done, listing in enumerate(lists, 1):
            await maintenance.rebuild_ordering(self.context.settings, listing)
            self.on_progress("Lists", done, len(lists))

    async def _analyze(self) -> None:
        """Have PostgreSQL look at tables that grew much, before they are used."""
        report = self.report
        if report.users.added + report.players.added + report.guilds.added >= MANY:
            self.on_progress("Analyzing tables", 0, 1)
            # All of it: another process has written the rows, and PostgreSQL may not know yet
            # which tables have changed.
            await self.connection.execute("ANALYZE")
            self.on_progress("Analyzing tables", 1, 1)

    async def _check(self, parts: Sequence[Chunk]) -> dict[Phase, list[Chunk]]:
        """Check the whole file; returns the chunks that have lines of each phase."""
        await self.connection.execute(staged_keys.TABLES)
        phases: dict[Phase, list[Chunk]] = {phase: [] for phase in SHAPES}
        async with aclosing(self._each("Check", chunks.check_chunk, parts)) as results:
            async for part, found in results:
                checked: Checked = found
                self._refuse(checked.faults)
                for phase, count in checked.counts.items():
                    self.report.lines += count
                    if count:
                        phases[phase].append(part)
                await staged_keys.store(self.connection, checked.staged)
        self._refuse(await staged_keys.faults(self.connection))
        if not self.report.faults and not self.context.ignores_moves:
            await self._check_moves(parts)
        return phases

    async def _check_moves(self, parts: Sequence[Chunk]) -> None:
        """
        Refuse lines that would change items which moved since the export.

        Each chunk looks again when it is written; here all of them are named before anything is.
        """
        moved = await staged_keys.moved_lines(self.connection)
        firsts = [part.first for part in parts]
        odd = [parts[at] for at in sorted({bisect(firsts, line) - 1 for line in moved})]
        async with aclosing(self._each("Check", chunks.moved_in_chunk, odd)) as results:
            async for _, found in results:
                self._refuse(found)

    async def _phase(self, phase: Phase, parts: Sequence[Chunk]) -> None:
        step, counts = phase.replace("_", " ").capitalize(), getattr(self.report, phase)
        async with aclosing(self._each(step, chunks.import_chunk, parts, phase)) as results:
            async for _, found in results:
                done: ChunkOutcome = found
                self._refuse(done.faults)
                counts.added += done.added
                counts.changed += done.changed
                counts.unchanged += done.unchanged
                self.report.newer += done.newer

    def _refuse(self, faults: Sequence[Fault]) -> None:
        room = MOST_FAULTS - len(self.report.faults)
        self.report.faults += faults[: max(0, room)]

    async def _each(
        self, step: str, call: Callable[..., Any], parts: Sequence[Chunk], *args: object
    ) -> AsyncGenerator[tuple[Chunk, Any], None]:
        """The result for each chunk; the next ones are under way. Stops early after a refusal."""
        waiting: deque[tuple[Chunk, asyncio.Future[Any]]] = deque()
        todo, done, total = deque(parts), 0, sum(part.size for part in parts)
        if parts:
            self.on_progress(step, 0, total)
        while todo or waiting:
            while todo and len(waiting) < 2 * MOST_PROCESSES and not self._is_hopeless(step):
                part = todo.popleft()
                waiting.append((part, asyncio.wrap_future(self.submit(call, part, *args))))
            if not waiting:
                return
            part, future = waiting.popleft()
            try:
                yield part, await future
            except BrokenProcessPool:
                raise Unavailable("An import process was killed. Run the import again.") from None
            done += part.size
            self.on_progress(step, done, total)

    def _is_hopeless(self, step: str) -> bool:
        """A check goes on to find all faults; an import stops at the first."""
        return len(self.report.faults) >= (MOST_FAULTS if step == "Check" else 1)


@contextmanager
def _pool(context: ImportContext, count: int) -> Iterator[Submit]:
    """Workers for chunks: processes, or a thread if the chunks are few."""
    if count <= FEW:
        failpoints.arm(context.settings.fail_point)
        executor = ThreadPoolExecutor(1)
        submit = partial(_submit_to_thread, executor, context)
    else:
        executor = ProcessPoolExecutor(
            min(MOST_PROCESSES, max(2, os.cpu_count() or 2)),
            get_context("spawn"),
            initializer=chunks.start_process,
            initargs=(context,),
        )
        submit = partial(executor.submit, chunks.call_in_process)
    try:
        yield submit
    finally:
        executor.shutdown(cancel_futures=True)


def _submit_to_thread(
    executor: Executor, context: ImportContext, work: Callable[..., Any], *args: object
) -> Future[Any]:
    return executor.submit(work, context, *args)
