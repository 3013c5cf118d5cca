"""
Uploaded lists of names, for conditions: added in parts, matched with characters at once.

A part is bounded, so that a list of a million names needs neither a large body nor a long
transaction, and an interrupted upload continues with the part that failed: adding a name again
changes nothing. Matched names are stored as characters, unmatched ones as they were sent.
"""

from collections.abc import Sequence
from typing import LiteralString

from gamekeeper.core.errors import Conflict, Invalid, NotFound, Problem
from gamekeeper.core.names import LONGEST_KEY
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db import unique_names
from gamekeeper.db.database import Queryable, Reader, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.segments import checks, saved
from gamekeeper.segments.records import NAME

MAX_LISTS = 100
MAX_NAMES = 1_000_000
"""Of a list, repeated ones included."""
MAX_NAMES_PER_PART = 2_000
"""More would delay the other requests of the process while their names are folded."""
MAX_UNMATCHED_PAGE = 1_000


class ListNotFound(NotFound):
    """No list has that name."""


class InvalidList(Invalid):
    """A list's name has 1 to 40 lower-case letters, digits, '-' or '_'."""


class TooManyLists(Conflict):
    """There are already 100 lists. Delete one first."""

    cacheable = False


class ListFull(Conflict):
    """A list has at most 1,000,000 names."""

    cacheable = False


class ListInUse(Conflict):
    """A segment uses the list. Change or delete the segment first."""

    cacheable = False


class SegmentList(Record, frozen=True, kw_only=True):
    name: str
    received: int
    """How many names were sent, repeated ones included."""
    matched: int
    """How many different characters the names matched."""
    unmatched: int
    """How many different names match no character."""
    changed_at: Instant
    changed_by_name: str


class UnmatchedNames(Record, frozen=True, kw_only=True):
    values: list[str]
    """Names as they were sent, in the order of their code points."""
    next: str | None
    """The cursor of the next page; null: that was the last."""


class NameAddition(Command, frozen=True, kw_only=True):
    """Names or ids of characters for a list, which is created by its first part."""

    list: str
    names: Sequence[str]


class ListRemoval(Command, frozen=True, kw_only=True):
    list: str


COLUMNS: LiteralString = "name, received, matched, unmatched, changed_at, changed_by_name"


async def list_lists(reader: Reader) -> list[SegmentList]:
    """All lists, by name."""
    return await reader.all(SegmentList, f"SELECT {COLUMNS} FROM segment_lists ORDER BY name")


async def find_list(reader: Queryable, name: str) -> SegmentList:
    if found := await _find(reader, name):
        return found
    raise missing(name)


async def _find(reader: Queryable, name: str) -> SegmentList | None:
    if not NAME.fullmatch(name):
        return None
    sql: LiteralString = f"SELECT {COLUMNS} FROM segment_lists WHERE name = $1"
    return await reader.one(SegmentList, sql, name)


async def list_unmatched(
    reader: Reader, name: str, cursor: str | None, limit: int
) -> UnmatchedNames:
    """A page of the names that match no character."""
    await find_list(reader, name)
    limit = max(1, min(MAX_UNMATCHED_PAGE, limit))
    rows = await reader.rows(
        """
        SELECT name FROM segment_list_unmatched
         WHERE list = $1 AND name > $2
         ORDER BY name
         LIMIT $3
        """,
        name,
        cursor or "",
        limit + 1,
    )
    names: list[str] = [row["name"] for row in rows]
    return UnmatchedNames(
        values=names[:limit], next=names[limit - 1] if len(names) > limit else None
    )


@operation
async def add(writer: Writer, commands: Sequence[NameAddition]) -> list[SegmentList | Problem]:
    """Add a part to lists; each name is matched with the character that has it now."""
    return [await _added(writer, command) for command in commands]


async def _added(writer: Writer, command: NameAddition) -> SegmentList | Problem:
    if refused := _invalid(command):
        return refused
    await writer.run(saved.LOCK)
    before = await _find(writer, command.list)
    if before is None and await writer.value("SELECT count(*) FROM segment_lists") >= MAX_LISTS:
        return TooManyLists()
    received = (before.received if before else 0) + len(command.names)
    if received > MAX_NAMES:
        return ListFull(f"A list has at most {MAX_NAMES:,} names, and this would be {received:,}.")
    if before is None:
        insert = "INSERT INTO segment_lists (name, changed_by_name) VALUES ($1, $2)"
        await writer.run(insert, command.list, command.by.name)
    found = await unique_names.find(writer, MATCH, command.names)
    matched = [player for player in found if player is not None]
    unmatched = {name for name, player in zip(command.names, found, strict=True) if player is None}
    [row] = await writer.rows(
        STORE, command.list, len(command.names), matched, list(unmatched), command.by.name
    )
    after = SegmentList(**row)
    await _record(writer, "segment_lists.add", command, before, after)
    return after


# As `players.lookup`, for thousands of names: those are looked up in the primary key one by one,
# where `= ANY` would choose the index for searches by a part of a name.
MATCH: LiteralString = """
    SELECT found.id, NULL AS name_key
      FROM unnest($1::uuid[]) AS asked (id)
     CROSS JOIN LATERAL (SELECT id FROM players WHERE players.id = asked.id LIMIT 1) AS found
    UNION ALL
    SELECT found.player_id, asked.name_key
      FROM unnest($2::text[]) AS asked (name_key)
     CROSS JOIN LATERAL (
           SELECT player_id FROM player_names
            WHERE player_names.name_key = asked.name_key ORDER BY name_key LIMIT 1
           ) AS found
"""

STORE: LiteralString = f"""
    WITH matched AS (
        INSERT INTO segment_list_players (list, player_id)
        SELECT DISTINCT $1, player_id FROM unnest($3::uuid[]) AS sent (player_id)
        ON CONFLICT DO NOTHING
        RETURNING player_id
    ), unmatched AS (
        INSERT INTO segment_list_unmatched (list, name)
        SELECT $1, name FROM unnest($4::text[]) AS sent (name)
        ON CONFLICT DO NOTHING
        RETURNING name
    )
    UPDATE segment_lists
       SET received = received + $2,
           matched = matched + (SELECT count(*) FROM matched),
           unmatched = unmatched + (SELECT count(*) FROM unmatched),
           changed_at = now(), changed_by_name = $5
     WHERE segment_lists.name = $1
    RETURNING {COLUMNS}
"""


def _invalid(command: NameAddition) -> InvalidList | None:
    if not NAME.fullmatch(command.list):
        return InvalidList(field="name")
    if not 1 <= len(command.names) <= MAX_NAMES_PER_PART:
        return InvalidList(f"Send 1 to {MAX_NAMES_PER_PART:,} names at a time.", field="names")
    if not all(1 <= len(name) <= LONGEST_KEY and name.isprintable() for name in command.names):
        return InvalidList(
            f"A name has 1 to {LONGEST_KEY} characters, without control characters.", field="names"
        )
    return None


DELETED_AT_ONCE = 50_000
"""A statement for a whole list could take longer than a statement may."""

EMPTY: tuple[LiteralString, ...] = (
    """
    DELETE FROM segment_list_players
     WHERE list = $1
       AND player_id IN (SELECT player_id FROM segment_list_players WHERE list = $1 LIMIT $2)
    """,
    """
    DELETE FROM segment_list_unmatched
     WHERE list = $1
       AND name IN (SELECT name FROM segment_list_unmatched WHERE list = $1 LIMIT $2)
    """,
)


@operation
async def remove(writer: Writer, commands: Sequence[ListRemoval]) -> list[SegmentList | Problem]:
    """Delete lists with their names."""
    return [await _removed(writer, command) for command in commands]


async def _removed(writer: Writer, command: ListRemoval) -> SegmentList | Problem:
    await writer.run(saved.LOCK)
    before = await _find(writer, command.list)
    if before is None:
        return missing(command.list)
    for segment in await saved.list_segments(writer):
        if command.list in checks.list_names(segment.definition):
            return ListInUse(
                f"The segment '{segment.name}' uses the list. Change or delete the segment first."
            )
    for sql in EMPTY:
        while await writer.run(sql, command.list, DELETED_AT_ONCE):
            pass
    await writer.run("DELETE FROM segment_lists WHERE name = $1", command.list)
    await _record(writer, "segment_lists.remove", command, before, None)
    return before


async def _record(
    writer: Writer,
    kind: actions.Kind,
    command: Command,
    before: SegmentList | None,
    after: SegmentList | None,
) -> None:
    states = [
        found
        and {
            "list": found.name,
            "received": found.received,
            "matched": found.matched,
            "unmatched": found.unmatched,
        }
        for found in (before, after)
    ]
    await actions.record(
        writer, [Action(kind=kind, by=command.by, before=states[0], after=states[1])]
    )


def missing(name: str) -> ListNotFound:
    return ListNotFound(f"No list is named '{name[:64]}'.")
