"""
Marks of imports: what a source said of an account or a character, and what was stored then.

With them an import can be repeated while its source is still in use and after this game was
opened: a line that says what it said before is left alone, and so is whatever was changed here.
"""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Literal, TypeVar
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct, structs

from gamekeeper.db.database import Queryable, Writer
from gamekeeper.transfer.lines import Line, PlayerLine, UserLine

MarkKind = Literal["user", "player", "user_variables", "game_variables", "guild"]
L = TypeVar("L", UserLine, PlayerLine)


class Mark(Struct, frozen=True):
    source: bytes
    stored: bytes


async def find_marks(reader: Queryable, kind: MarkKind, ids: Iterable[UUID]) -> dict[UUID, Mark]:
    rows = await reader.rows(
        "SELECT id, source, stored FROM import_marks WHERE id = ANY($1) AND kind = $2",
        list(ids),
        kind,
    )
    return {row["id"]: Mark(row["source"], row["stored"]) for row in rows}


async def save_marks(
    writer: Writer, kind: MarkKind, lines: Iterable[Line], stored: Mapping[UUID, Line]
) -> None:
    """Remember what the lines said and what is stored after them."""
    marks = {line.id: Mark(source_digest(line), stored_digest(stored[line.id])) for line in lines}
    await write_marks(writer, kind, marks)


async def write_marks(writer: Writer, kind: MarkKind, marks: Mapping[UUID, Mark]) -> None:
    await writer.run(
        """
        INSERT INTO import_marks (id, kind, source, stored)
        SELECT id, $2, source, stored
          FROM unnest($1::uuid[], $3::bytea[], $4::bytea[]) AS new (id, source, stored)
         ORDER BY id
        ON CONFLICT (id, kind) DO UPDATE SET source = excluded.source, stored = excluded.stored
        """,
        list(marks),
        kind,
        [mark.source for mark in marks.values()],
        [mark.stored for mark in marks.values()],
    )


def source_digest(line: Line) -> bytes:
    return hashlib.sha256(msgspec.json.encode(line)).digest()


def stored_digest(line: Line) -> bytes:
    """
    Without what changes by itself: a sign-in renews a password, and a mute ends.

    Nor the variables of an account: they have a mark of their own.
    """
    if isinstance(line, UserLine):
        line = structs.replace(
            line, password=UNSET, is_muted=UNSET, mute_reason=UNSET, variables=UNSET
        )
    return hashlib.sha256(msgspec.json.encode(line)).digest()


class Sorted(Struct):
    """Lines by what an import does with them; keys are the numbers of the lines."""

    wanted: dict[int, Line]
    same: list[UUID]
    """The source says what it said before."""
    newer: list[UUID]
    """The source says something else, but it was changed here."""


def sort_lines(
    lines: Mapping[int, L],
    marks: Mapping[UUID, Mark],
    there: Mapping[UUID, Line],
    busy: Iterable[UUID] = (),
) -> Sorted:
    """Sort lines by their marks; those of characters that are `busy` playing are newer here."""
    result = Sorted({}, [], [])
    played = frozenset(busy)
    for number, line in lines.items():
        mark = marks.get(line.id)
        if mark is not None and mark.source == source_digest(line):
            result.same.append(line.id)
        elif line.id not in there:
            result.wanted[number] = line
        elif line.id in played or mark is None or mark.stored != stored_digest(there[line.id]):
            result.newer.append(line.id)
        else:
            result.wanted[number] = line
    return result
