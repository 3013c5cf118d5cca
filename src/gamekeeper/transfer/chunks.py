"""
One chunk of an import: check it, or import its accounts or its characters, all or none.

These functions run in a process of their own, so that several chunks are decoded and stored
at once. Accounts of all chunks are imported before characters: a character may stand in an
earlier chunk than its account.
"""

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from multiprocessing import parent_process
from os import _exit
from typing import Any, Literal, TypeVar
from uuid import UUID

import asyncpg
from msgspec import Struct

from gamekeeper.auth.secrets import Vault
from gamekeeper.core import failpoints
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Writer, prepare, translate_errors
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.players.characters import playing
from gamekeeper.players.state import LOCK
from gamekeeper.transfer import additions, differences, stored
from gamekeeper.transfer.account_changes import change_users, new_password
from gamekeeper.transfer.character_changes import ONLINE, RefusedLines, change_players
from gamekeeper.transfer.checks import KnownCatalog, check
from gamekeeper.transfer.files import Chunk, ImportFile
from gamekeeper.transfer.lines import Fault, InvalidLine, Line, PlayerLine, UserLine
from gamekeeper.transfer.marks import (
    MarkKind,
    find_marks,
    save_marks,
    sort_lines,
    source_digest,
)
from gamekeeper.transfer.staged_keys import Staged
from gamekeeper.users.lookup import lock

T = TypeVar("T")
Phase = Literal["users", "players"]

ATTEMPTS = 5
PATIENT_SECONDS = 30
"""To connect: nobody waits for an answer, and a busy server is no reason to stop half way."""


class ImportContext(Struct, frozen=True):
    """What all chunks of an import share."""

    file: ImportFile
    settings: Settings
    catalog: KnownCatalog
    by: AuditContext
    digest: str
    dry_run: bool
    keeps_newer: bool = False
    """Whether to leave alone what was changed here since the last import (marks.py)."""


class Checked(Struct):
    """The result of a check: how many lines of each kind, their keys, and what is wrong."""

    users: int
    players: int
    staged: Staged
    faults: list[Fault]


class ChunkOutcome(Struct):
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    faults: list[Fault] = []
    newer: list[UUID] = []
    """Left alone: the source has changed, but so has what is stored here."""


_context: ImportContext | None = None


def enter(context: ImportContext) -> None:
    """Initialize this process, or the calling one, for `check_chunk` and `import_chunk`."""
    global _context
    _context = context
    failpoints.arm(context.settings.fail_point)


def enter_process(context: ImportContext) -> None:
    # Only the parent handles Ctrl-C; a chunk that was begun is finished.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    enter(context)


def _end_with_parent() -> None:
    """A killed parent cannot stop its processes; the transaction is rolled back."""
    if parent := parent_process():
        parent.join()
        _exit(1)


def _entered() -> ImportContext:
    assert _context is not None
    return _context


# ── Checking ──


def check_chunk(chunk: Chunk) -> Checked:
    """Check each line by itself, and collect the keys for the check of the whole file."""
    context = _entered()
    result = Checked(0, 0, Staged([], []), [])
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
        if isinstance(line, UserLine):
            result.users += 1
        else:
            result.players += 1
    return result


# ── Importing ──


def import_chunk(chunk: Chunk, phase: Phase) -> ChunkOutcome:
    """Import the accounts or the characters of a chunk in one transaction."""
    context = _entered()
    shape: type[Line] = UserLine if phase == "users" else PlayerLine
    lines = {
        number: line
        for number, line in context.file.read(chunk)
        if isinstance(line, shape) and not any(check(line, context.catalog, context.settings))
    }
    return asyncio.run(_import(context, lines, phase))


async def _import(context: ImportContext, lines: Mapping[int, Any], phase: Phase) -> ChunkOutcome:
    try:
        async with connected(context.settings) as connection:
            work = _ChunkImport(context, lines, phase)
            if context.dry_run:
                return await work.preview(Writer(connection, context.settings))
            return await _transact(connection, context.settings, work.run)
    except RefusedLines as refused:
        return ChunkOutcome(faults=refused.faults)
    except asyncpg.UniqueViolationError as fault:
        detail = getattr(fault, "detail", fault)
        reason = f"taken by somebody else during the import, here or in a later line: {detail}"
        return ChunkOutcome(faults=[Fault(min(lines), "", reason)])


@asynccontextmanager
async def connected(settings: Settings) -> AsyncIterator[asyncpg.Connection]:
    """A connection without the timeouts of requests."""
    with translate_errors():
        connection = await asyncpg.connect(
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
    raise Unavailable("Others kept changing the same things; try again.")


class _ChunkImport:
    def __init__(self, context: ImportContext, lines: Mapping[int, Any], phase: Phase) -> None:
        self.context, self.lines, self.phase = context, lines, phase

    async def _existing(self, writer: Writer) -> set[UUID]:
        sql = EXISTING[self.phase]
        rows = await writer.connection.fetch(sql, [line.id for line in self.lines.values()])
        return {row["id"] for row in rows}

    async def run(self, writer: Writer) -> ChunkOutcome:
        if not self.context.keeps_newer:
            return await self._write(writer, self.lines)
        ids = [line.id for line in self.lines.values()]
        marks = await find_marks(writer, self._kind, ids)
        odd = [
            line.id
            for line in self.lines.values()
            if line.id not in marks or marks[line.id].source != source_digest(line)
        ]
        await (lock(writer, odd) if self.phase == "users" else writer.rows(LOCK, odd))
        found = sort_lines(
            self.lines, marks, await self._read(writer, odd), await playing(writer, odd)
        )
        done = await self._write(writer, found.wanted) if found.wanted else ChunkOutcome()
        if found.wanted:
            written = found.wanted.values()
            now = await self._read(writer, [line.id for line in written])
            await save_marks(writer, self._kind, written, now)
        done.unchanged += len(found.same) + len(found.newer)
        done.newer = found.newer
        return done

    @property
    def _kind(self) -> MarkKind:
        return "user" if self.phase == "users" else "player"

    async def _read(self, writer: Writer, ids: list[UUID]) -> Mapping[UUID, Any]:
        read: Any = stored.read_users if self.phase == "users" else stored.read_players
        return await read(writer, ids)

    async def _write(self, writer: Writer, lines: Mapping[int, Any]) -> ChunkOutcome:
        context = self.context
        there = await self._existing(writer)
        old = {number: line for number, line in lines.items() if line.id in there}
        new = [line for line in lines.values() if line.id not in there]
        action = Action(kind="players.import", by=context.by)
        at = await writer.value("SELECT now()")
        if self.phase == "users":
            vault = Vault(context.settings, waits=True)
            await additions.add_users(writer, new, vault, at, context.by)
            changed = await change_users(writer, old, vault, context.by) if old else 0
        else:
            await additions.add_players(writer, new, context.catalog, at, action.id)
            changed = await change_players(writer, old, context.catalog, context.by) if old else 0
        done = ChunkOutcome(len(new), changed, len(old) - changed)
        if done.added or done.changed:
            await actions.record(writer, [self._recorded(action, done)])
        return done

    def _recorded(self, action: Action, done: ChunkOutcome) -> Action:
        after = {
            "file": self.context.file.path.name,
            "sha256": self.context.digest,
            "first_line": min(self.lines),
            "last_line": max(self.lines),
            self.phase: {"added": done.added, "changed": done.changed},
        }
        return Action(id=action.id, kind=action.kind, by=action.by, after=after)

    async def preview(self, writer: Writer) -> ChunkOutcome:
        """What an import would do; changes nothing."""
        settings, catalog = self.context.settings, self.context.catalog
        ids = [line.id for line in self.lines.values()]
        there = await self._read(writer, ids)
        vault = Vault(settings, waits=True)
        lines, newer = self.lines, list[UUID]()
        if self.context.keeps_newer:
            marks = await find_marks(writer, self._kind, ids)
            found = sort_lines(lines, marks, there, await playing(writer, ids))
            lines, newer = found.wanted, found.newer
        new = [line for line in lines.values() if line.id not in there]
        changed = {
            line.id: number
            for number, line in lines.items()
            if line.id in there and _differs(line, there[line.id], vault)
        }
        faults = [
            fault
            for user_or_player, number in changed.items()
            for fault in _impossible(
                number, self.lines[number], there[user_or_player], settings, catalog
            )
        ]
        online = await playing(writer, list(changed))
        faults += [Fault(changed[player], "id", ONLINE) for player in online]
        same = len(self.lines) - len(new) - len(changed)
        return ChunkOutcome(len(new), len(changed), same, faults, newer)


def _differs(line: Line, before: Any, vault: Vault) -> bool:
    if isinstance(line, UserLine) and new_password(line, before, vault):
        return True
    return bool(differences.fields(line, before))


def _impossible(
    number: int, line: Line, before: Any, settings: Settings, catalog: KnownCatalog
) -> list[Fault]:
    if isinstance(line, UserLine):
        return []
    try:
        after = differences.new_sheet(line, before, settings)
        differences.new_progress(line, before, catalog.classes[after.class_id])
    except InvalidLine as wrong:
        return [Fault(number, wrong.field, wrong.reason)]
    return []


EXISTING = {
    "users": "SELECT id FROM users WHERE id = ANY($1)",
    "players": "SELECT id FROM players WHERE id = ANY($1)",
}
