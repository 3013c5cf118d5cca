"""
Staging: the keys of all lines in a temporary table, to check the file as a whole.

Duplicates within the file and conflicts with what is stored are found by one statement each,
whatever the size of the file; no process has to hold the keys of a million lines.
"""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

import asyncpg
from msgspec import UNSET, Struct, UnsetType, structs

from gamekeeper.core.names import fold
from gamekeeper.transfer import staged_rules
from gamekeeper.transfer.lines import (
    Fault,
    GameVariableLine,
    GuildLine,
    Line,
    PlayerLine,
    SanctionLine,
    UserLine,
)

MOST_FAULTS = 1000
"""Faults kept of each rule; nobody corrects more at once."""

TABLES: LiteralString = """
    CREATE TEMPORARY TABLE staged (
        line int NOT NULL, kind text NOT NULL, id uuid NOT NULL, owner uuid,
        name_key text COLLATE "C", email_key text COLLATE "C", code text COLLATE "C",
        player_id uuid, position bigint, is_complete boolean NOT NULL
    );
    CREATE TEMPORARY TABLE staged_bags (
        line int NOT NULL, id uuid NOT NULL, player_id uuid NOT NULL
    );
    CREATE TEMPORARY TABLE staged_members (
        line int NOT NULL, player_id uuid NOT NULL, guild_id uuid NOT NULL
    );
"""


class StagedLine(Struct, kw_only=True):
    """A row of `staged`."""

    line: int
    kind: str
    id: UUID
    owner: UUID | None = None
    name_key: str | None = None
    email_key: str | None = None
    code: str | None = None
    player_id: UUID | None = None
    position: int | None = None
    is_complete: bool = True


class Staged(Struct):
    """The keys of some lines, as rows of the tables."""

    keys: list[tuple[Any, ...]] = []
    bags: list[tuple[int, UUID, UUID]] = []
    members: list[tuple[int, UUID, UUID]] = []

    def add(self, number: int, line: Line) -> None:
        self.keys.append(structs.astuple(_keys(number, line)))
        if isinstance(line, PlayerLine):
            for place in (line.inventory, line.bank):
                for slot in place or ():
                    if slot.bag and slot.bag.id:
                        self.bags.append((number, slot.bag.id, line.id))
        elif isinstance(line, GuildLine):
            self.members += [(number, member.player_id, line.id) for member in line.members or ()]


def _keys(number: int, line: Line) -> StagedLine:
    kind = str(line.__struct_config__.tag)
    row = StagedLine(line=number, kind=kind, id=line.id)
    match line:
        case UserLine():
            row.name_key, row.email_key = _folded(line.name), _folded(line.email)
            row.is_complete = None not in (row.name_key, row.email_key)
        case PlayerLine():
            row.owner, row.name_key = line.user_id or None, _folded(line.name)
            row.position = None if line.position is UNSET else line.position
            row.is_complete = None not in (row.name_key, row.owner) and bool(line.class_id)
        case GuildLine():
            row.name_key = _folded(line.name)
            row.position = None if line.position is UNSET else line.position
            row.is_complete = row.name_key is not None
        case SanctionLine():
            row.owner, row.player_id = line.user_id or None, line.player_id or None
            row.code = line.code or None
            row.is_complete = bool(row.owner and line.type)
        case GameVariableLine():
            pass
    return row


def _folded(text: str | UnsetType) -> str | None:
    return None if text is UNSET else fold(text)


async def store(connection: asyncpg.Connection, staged: Staged) -> None:
    """Add keys to the tables, which `TABLES` made in this session."""
    await connection.copy_records_to_table("staged", records=staged.keys)
    await connection.copy_records_to_table("staged_bags", records=staged.bags)
    await connection.copy_records_to_table("staged_members", records=staged.members)


async def moved_lines(connection: asyncpg.Connection) -> list[int]:
    """The numbers of lines whose position is another one here, in their order."""
    rows = await connection.fetch(MOVED)
    return [row["line"] for row in rows]


MOVED: LiteralString = """
    SELECT line
      FROM staged
      LEFT JOIN ledger_heads ON ledger_heads.player_id = staged.id
      LEFT JOIN import_positions ON import_positions.id = staged.id
     WHERE position <> coalesce(seq, 0) + coalesce(shift, 0)
       AND (kind = 'player' AND EXISTS (SELECT FROM players WHERE players.id = staged.id)
            OR kind = 'guild' AND EXISTS (SELECT FROM guilds WHERE guilds.id = staged.id))
     ORDER BY line
"""


async def faults(connection: asyncpg.Connection) -> list[Fault]:
    """What is wrong with the file as a whole, and beside what is stored."""
    await connection.execute("ANALYZE staged; ANALYZE staged_bags; ANALYZE staged_members")
    kinds = {row["kind"] for row in await connection.fetch("SELECT DISTINCT kind FROM staged")}
    found: list[Fault] = []
    for field, sql in staged_rules.rules(kinds):
        rows: Sequence[Any] = await connection.fetch(f"{sql} ORDER BY line LIMIT {MOST_FAULTS}")
        found += [Fault(row["line"], field, row["reason"]) for row in rows]
    return sorted(found)
