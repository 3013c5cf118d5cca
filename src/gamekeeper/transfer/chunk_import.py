"""The lines of one kind in a chunk, compared with what is stored and written in one transaction."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal, LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth.secrets import Vault
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Queryable, Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.players.characters import playing
from gamekeeper.players.state import lock_rows
from gamekeeper.transfer import additions, differences, stored, stored_guilds
from gamekeeper.transfer.account_changes import change_users, new_password
from gamekeeper.transfer.character_changes import ONLINE, change_players
from gamekeeper.transfer.files import ImportFile
from gamekeeper.transfer.game_variable_changes import set_game_variables
from gamekeeper.transfer.guild_additions import add_guilds
from gamekeeper.transfer.guild_changes import bank_faults, change_guilds, guild_fields
from gamekeeper.transfer.known_catalog import KnownCatalog
from gamekeeper.transfer.lines import (
    Fault,
    GameVariableLine,
    GuildLine,
    InvalidLine,
    Line,
    PlayerLine,
    SanctionLine,
    UserLine,
)
from gamekeeper.transfer.marks import (
    MarkKind,
    find_marks,
    save_marks,
    sort_lines,
    source_digest,
)
from gamekeeper.transfer.positions import find_moved
from gamekeeper.transfer.sanction_changes import add_sanctions, lift_sanctions
from gamekeeper.users.lookup import lock

Phase = Literal["users", "players", "guilds", "sanctions", "game_variables"]

SHAPES: dict[Phase, type[Line]] = {
    "users": UserLine,
    "players": PlayerLine,
    "guilds": GuildLine,
    "sanctions": SanctionLine,
    "game_variables": GameVariableLine,
}
"""The lines of each phase, in the order of the phases: each needs what those before it wrote."""

Read = Callable[[Queryable, list[UUID]], Awaitable[Mapping[UUID, Line]]]
READ: dict[Phase, Read] = {
    "users": stored.read_users,
    "players": stored.read_players,
    "guilds": stored_guilds.read_guilds,
    "sanctions": stored_guilds.read_sanctions,
    "game_variables": stored_guilds.read_game_variables,
}
EXISTING: dict[Phase, LiteralString] = {
    "users": "SELECT id FROM users WHERE id = ANY($1)",
    "players": "SELECT id FROM players WHERE id = ANY($1)",
    "guilds": "SELECT id FROM guilds WHERE id = ANY($1)",
    "sanctions": "SELECT id FROM sanctions WHERE id = ANY($1)",
    "game_variables": "SELECT variable_id AS id FROM game_variables WHERE variable_id = ANY($1)",
}


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
    overwrite: bool = False
    """Whether to change items that moved since the export (positions.py)."""

    @property
    def ignores_moves(self) -> bool:
        """Marks are stricter than positions: they leave alone whatever differs."""
        return self.overwrite or self.keeps_newer


class ChunkOutcome(Struct):
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    faults: list[Fault] = []
    newer: list[UUID] = []
    """Left alone: the source has changed, but so has what is stored here."""


class ChunkImport:
    def __init__(self, context: ImportContext, lines: Mapping[int, Any], phase: Phase) -> None:
        self.context, self.lines = context, lines
        self.phase: Phase = phase

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
        await (lock(writer, odd) if self.phase == "users" else lock_rows(writer, odd))
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

    async def _read(self, reader: Queryable, ids: list[UUID]) -> Mapping[UUID, Any]:
        return await READ[self.phase](reader, ids)

    async def _write(self, writer: Writer, lines: Mapping[int, Any]) -> ChunkOutcome:
        there = await self._existing(writer)
        old = {number: line for number, line in lines.items() if line.id in there}
        new = [line for line in lines.values() if line.id not in there]
        action = Action(kind="players.import", by=self.context.by)
        changed = await self._store(writer, new, old, action.id)
        done = ChunkOutcome(len(new), changed, len(old) - changed)
        if done.added or done.changed:
            await actions.record(writer, [self._recorded(action, done)])
        return done

    async def _store(
        self, writer: Writer, new: list[Any], old: Mapping[int, Any], action: UUID
    ) -> int:
        """Add the new entries and change the old ones; returns how many of those differed."""
        context, by = self.context, self.context.by
        at = await writer.value("SELECT now()")
        match self.phase:
            case "users":
                vault = Vault(context.settings, waits=True)
                await additions.add_users(writer, new, vault, at, by)
                return await change_users(writer, old, vault, by) if old else 0
            case "players":
                await additions.add_players(writer, new, context.catalog, at, action)
                if not old:
                    return 0
                overwrite = context.ignores_moves
                return await change_players(writer, old, context.catalog, by, overwrite=overwrite)
            case "guilds":
                # Changes first: a member may leave a guild of the file to join a new one.
                changed = await change_guilds(writer, old, by, overwrite=context.ignores_moves)
                await add_guilds(writer, new, at, action)
                return changed
            case "sanctions":
                await add_sanctions(writer, new, by)
                return await lift_sanctions(writer, list(old.values()), by)
            case "game_variables":
                await set_game_variables(writer, new, by)
                return await set_game_variables(writer, list(old.values()), by)

    def _recorded(self, action: Action, done: ChunkOutcome) -> Action:
        after = {
            "file": self.context.file.path.name,
            "sha256": self.context.digest,
            "first_line": min(self.lines),
            "last_line": max(self.lines),
            self.phase: {"added": done.added, "changed": done.changed},
        }
        return Action(id=action.id, kind=action.kind, by=action.by, after=after)

    # ── Without writing ──

    async def moved(self, reader: Queryable) -> list[Fault]:
        """The lines that would change items which moved since the export."""
        there = await self._read(reader, [line.id for line in self.lines.values()])
        return await find_moved(reader, self.lines, there)

    async def preview(self, writer: Writer) -> ChunkOutcome:
        """What an import would do; changes nothing."""
        ids = [line.id for line in self.lines.values()]
        there = await self._read(writer, ids)
        vault = Vault(self.context.settings, waits=True)
        lines, newer = self.lines, list[UUID]()
        if self.context.keeps_newer:
            marks = await find_marks(writer, self._kind, ids)
            found = sort_lines(lines, marks, there, await playing(writer, ids))
            lines, newer = found.wanted, found.newer
        new = [line for line in lines.values() if line.id not in there]
        changed = {
            number: line
            for number, line in lines.items()
            if line.id in there and _differs(line, there[line.id], vault)
        }
        faults = await self._impossible(writer, changed, there)
        same = len(self.lines) - len(new) - len(changed)
        return ChunkOutcome(len(new), len(changed), same, faults, newer)

    async def _impossible(
        self, writer: Writer, changed: Mapping[int, Any], there: Mapping[UUID, Any]
    ) -> list[Fault]:
        """What a change of these lines would be refused for."""
        context = self.context
        faults = [
            fault
            for number, line in changed.items()
            for fault in _faults(number, line, there[line.id], context.settings, context.catalog)
        ]
        if self.phase == "players":
            numbers = {line.id: number for number, line in changed.items()}
            online = await playing(writer, list(numbers))
            faults += [Fault(numbers[player], "id", ONLINE) for player in online]
        if self.phase in ("players", "guilds") and not context.ignores_moves:
            faults += await find_moved(writer, changed, there)
        return faults


def _differs(line: Line, before: Any, vault: Vault) -> bool:
    if isinstance(line, UserLine) and new_password(line, before, vault):
        return True
    if isinstance(line, GuildLine):
        return bool(guild_fields(line, before))
    return bool(differences.fields(line, before))


def _faults(
    number: int, line: Line, before: Any, settings: Settings, catalog: KnownCatalog
) -> list[Fault]:
    if isinstance(line, GuildLine):
        return bank_faults(number, line, before)
    if not isinstance(line, PlayerLine):
        return []
    try:
        after = differences.new_sheet(line, before, settings)
        differences.new_progress(line, before, catalog.classes[after.class_id])
    except InvalidLine as wrong:
        return [Fault(number, wrong.field, wrong.reason)]
    return []
