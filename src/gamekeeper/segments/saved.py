"""Saved segments: list, find, create, replace and delete them."""

from collections.abc import Sequence
from typing import Any, LiteralString

import msgspec

from gamekeeper.core.errors import Conflict, NotFound, Problem
from gamekeeper.db.database import Queryable, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.segments import checks
from gamekeeper.segments.records import MAX_SEGMENTS, NAME, Definition, Segment


class SegmentNotFound(NotFound):
    """No segment has that name."""


class TooManySegments(Conflict):
    """There are already 200 segments. Delete one first."""

    cacheable = False


class SegmentChange(Command, frozen=True, kw_only=True):
    """A segment as it shall be from now on."""

    name: str
    description: str
    definition: Definition


class SegmentRemoval(Command, frozen=True, kw_only=True):
    name: str


COLUMNS: LiteralString = "name, description, definition, changed_at, changed_by_name"

# One lock for segments and lists: two new ones at once must not exceed the limit together, and a
# list must not be deleted while a segment that uses it is saved.
LOCK: LiteralString = "SELECT pg_advisory_xact_lock(65, 0)"


async def list_segments(reader: Queryable) -> list[Segment]:
    """All segments, by name."""
    rows = await reader.rows(f"SELECT {COLUMNS} FROM segments ORDER BY name")
    return [_segment(row) for row in rows]


async def find_segment(reader: Queryable, name: str) -> Segment:
    found = await _find(reader, name)
    if found is None:
        raise missing(name)
    return found


async def _find(reader: Queryable, name: str) -> Segment | None:
    if not NAME.fullmatch(name):
        return None
    rows = await reader.rows(f"SELECT {COLUMNS} FROM segments WHERE name = $1", name)
    return _segment(rows[0]) if rows else None


@operation
async def change(writer: Writer, commands: Sequence[SegmentChange]) -> list[Segment | Problem]:
    """Create segments, or replace those of the same names."""
    return [await _attempt(writer, command) for command in commands]


async def _attempt(writer: Writer, command: SegmentChange) -> Segment | Problem:
    try:
        return await _changed(writer, command)
    except Problem as refusal:
        # Everything is checked before anything is written.
        return refusal


async def _changed(writer: Writer, command: SegmentChange) -> Segment:
    checks.check_name(command.name)
    description = checks.check_description(command.description)
    checks.check(command.definition)
    await writer.run(LOCK)
    await checks.check_objects(writer, command.definition)
    before = await _find(writer, command.name)
    if before is None and await writer.value("SELECT count(*) FROM segments") >= MAX_SEGMENTS:
        raise TooManySegments
    [row] = await writer.rows(
        f"""
        INSERT INTO segments (name, description, definition, changed_by_name)
        VALUES ($1, $2, $3::text::jsonb, $4)
        ON CONFLICT (name) DO UPDATE
           SET description = excluded.description, definition = excluded.definition,
               changed_at = now(), changed_by_name = excluded.changed_by_name
        RETURNING {COLUMNS}
        """,
        command.name,
        description,
        msgspec.json.encode(command.definition).decode(),
        command.by.name,
    )
    after = _segment(row)
    await _record(writer, "segments.change", command, before, after)
    return after


@operation
async def remove(writer: Writer, commands: Sequence[SegmentRemoval]) -> list[Segment | Problem]:
    """Delete segments; their members are not changed."""
    return [await _removed(writer, command) for command in commands]


async def _removed(writer: Writer, command: SegmentRemoval) -> Segment | Problem:
    await writer.run(LOCK)
    before = await _find(writer, command.name)
    if before is None:
        return missing(command.name)
    await writer.run("DELETE FROM segments WHERE name = $1", command.name)
    await _record(writer, "segments.remove", command, before, None)
    return before


async def _record(
    writer: Writer,
    kind: actions.Kind,
    command: Command,
    before: Segment | None,
    after: Segment | None,
) -> None:
    states = [segment and _facts(segment) for segment in (before, after)]
    await actions.record(
        writer, [Action(kind=kind, by=command.by, before=states[0], after=states[1])]
    )


def _facts(segment: Segment) -> dict[str, Any]:
    return {
        "segment": segment.name,
        "description": segment.description,
        "definition": msgspec.to_builtins(segment.definition),
    }


def _segment(row: Any) -> Segment:
    definition = msgspec.convert(row["definition"], Definition)
    return Segment(
        name=row["name"],
        description=row["description"],
        match=definition.match,
        groups=definition.groups,
        changed_at=row["changed_at"],
        changed_by_name=row["changed_by_name"],
    )


def missing(name: str) -> SegmentNotFound:
    return SegmentNotFound(f"No segment is named '{name[:64]}'.")
