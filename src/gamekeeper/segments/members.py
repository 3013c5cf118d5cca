"""
The members of a segment, in keyset batches by id.

Characters are examined in slices of a fixed number, so that each batch takes the same time, however
few of them are members: a batch can be empty although there are more.
"""

from collections.abc import Sequence
from datetime import datetime
from time import monotonic
from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.ids import NIL
from gamekeeper.core.schemas import LARGEST_PAGE, Record
from gamekeeper.db.database import Queryable, Reader
from gamekeeper.segments import checks
from gamekeeper.segments.records import Definition, SegmentMember
from gamekeeper.segments.statements import SCANNED, compile_segment

SLICE = 2_000
"""Characters that one statement examines: with 20 conditions about half a second."""

PAGE_SECONDS = 1.0
"""After this a page ends, even if it is not full."""


class MemberBatch(Struct, frozen=True):
    ids: list[UUID]
    next: UUID | None
    """Where the next batch continues; None: that was the last."""


class SegmentMembers(Record, frozen=True, kw_only=True):
    values: list[SegmentMember]
    """Up to `limit` members; fewer, or none, if few of the examined characters are members."""
    next: UUID | None
    """The cursor of the next page; null: that was the last."""


async def member_batch(
    reader: Queryable,
    definition: Definition,
    *,
    started: datetime,
    after: UUID | None = None,
    limit: int = SLICE,
) -> MemberBatch:
    """
    The ids of at most `limit` members after an id, of a slice of all characters.

    For work on all members, such as a campaign. Store `started` at the beginning and `next` after
    each batch; the work can then be interrupted and resumed. Each character is examined once:

    - Relative times ("in the last 7 days") count from `started`, and characters created later are
      not members, so the order in which ids are reached changes nothing.
    - Levels, items, sanctions and other states count as they are when the batch is read. A player
      who was banned since the start is examined as banned.
    """
    declared = await checks.find_variables(reader, definition)
    segment = compile_segment(definition, declared, "each", started=started)
    sql: LiteralString = f"""
        WITH slice AS MATERIALIZED (
            SELECT {SCANNED} FROM players
             WHERE players.id > {segment.after(1)}::uuid
             ORDER BY players.id
             LIMIT {segment.after(4)}::int
        ), found AS MATERIALIZED (
            SELECT players.id FROM slice AS players
             WHERE players.created_at <= {segment.after(2)}::timestamptz AND {segment.where}
             ORDER BY players.id
             LIMIT {segment.after(3)}::int
        )
        SELECT ARRAY(SELECT id FROM found ORDER BY id) AS ids,
               (SELECT count(*) FROM slice) AS examined,
               (SELECT id FROM slice ORDER BY id DESC LIMIT 1) AS last
    """
    [row] = await reader.rows(sql, *segment.args, after or NIL, started, limit, SLICE)
    ids: list[UUID] = row["ids"]
    if len(ids) == limit:
        return MemberBatch(ids, ids[-1])
    return MemberBatch(ids, row["last"] if row["examined"] == SLICE else None)


async def list_members(
    reader: Reader, definition: Definition, cursor: UUID | None, limit: int
) -> SegmentMembers:
    """A page of members by id; it ends early rather than take long."""
    limit = max(1, min(LARGEST_PAGE, limit))
    started: datetime = await reader.value("SELECT now()")
    ids: list[UUID] = []
    deadline = monotonic() + PAGE_SECONDS
    while True:
        batch = await member_batch(
            reader, definition, started=started, after=cursor, limit=limit - len(ids)
        )
        ids += batch.ids
        cursor = batch.next
        if cursor is None or len(ids) == limit or monotonic() > deadline:
            return SegmentMembers(values=await find_members(reader, ids), next=cursor)


async def find_members(reader: Reader, ids: Sequence[UUID]) -> list[SegmentMember]:
    """What is shown of members, in the order of their ids."""
    if not ids:
        return []
    return await reader.all(
        SegmentMember,
        """
        SELECT id, name, level, class_id, user_id FROM players WHERE id = ANY($1) ORDER BY id
        """,
        list(ids),
    )


async def still_members(
    reader: Queryable, definition: Definition, players: Sequence[UUID], *, started: datetime
) -> list[UUID]:
    """Those of the characters who are members now, in the same order."""
    declared = await checks.find_variables(reader, definition)
    segment = compile_segment(definition, declared, "each", started=started)
    sql: LiteralString = f"""
        WITH asked AS MATERIALIZED (
            SELECT {SCANNED} FROM players WHERE players.id = ANY({segment.after(1)}::uuid[])
        )
        SELECT players.id FROM asked AS players WHERE {segment.where}
    """
    found = {row["id"] for row in await reader.rows(sql, *segment.args, list(players))}
    return [player for player in players if player in found]
