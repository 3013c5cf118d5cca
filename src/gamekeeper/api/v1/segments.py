"""Segment endpoints: saved conditions over characters, previews and members."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, structs

from gamekeeper.api.path_parameters import SegmentName
from gamekeeper.core.parsing import Scalar, Wide
from gamekeeper.core.schemas import Body, Query, Record
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.load_shedding import LOW
from gamekeeper.http.routing import Routes
from gamekeeper.segments import counts, members, saved
from gamekeeper.segments.checks import InvalidSegment
from gamekeeper.segments.counts import CountTooSlow
from gamekeeper.segments.members import SegmentMembers
from gamekeeper.segments.records import (
    MAX_CONDITIONS,
    MAX_GROUPS,
    Condition,
    ConditionField,
    ConditionGroup,
    Definition,
    Match,
    RestrictionKind,
    Segment,
    SegmentPreview,
)
from gamekeeper.segments.saved import (
    SegmentChange,
    SegmentNotFound,
    SegmentRemoval,
    TooManySegments,
)

routes = Routes("/api/v1/segments")

READ = "segments.read"
MANAGE = "segments.manage"


class Segments(Record, frozen=True):
    values: list[Segment]


class ConditionBody(Body, frozen=True, forbid_unknown_fields=True):
    field: ConditionField
    """The property to compare; it decides which of the other fields apply."""
    negate: bool = False
    """Whether characters match that do not meet the rest of the condition."""
    at_least: Wide | None = None
    """`level`, `hours_played`, `item` (by default 1) and variables: the smallest value."""
    at_most: Wide | None = None
    """`level`, `hours_played` and variables: the largest value."""
    since: datetime | None = None
    """`created`, `account_created` and `last_online`: at this instant or later."""
    before: datetime | None = None
    """`created`, `account_created` and `last_online`: before this instant."""
    within_days: int | None = None
    """`created`, `account_created` and `last_online`: in the last days, 1 to 36,500."""
    id: UUID | None = None
    """The class, item, variable or guild; `guild` without it is any guild."""
    equals: Scalar | None = None
    """Variables: exactly this value; one that was never set has the default of its type."""
    kind: RestrictionKind | None = None
    """`sanction`: the kind that is in force; by default any of the three."""
    list: str | None = None
    """`list`: the name of an uploaded list."""


class GroupBody(Body, frozen=True, forbid_unknown_fields=True):
    conditions: Annotated[list[ConditionBody], Meta(max_length=MAX_CONDITIONS)]
    """1 to 20 conditions; a segment has at most 20 in all groups."""
    match: Match = "all"
    """Whether a character must meet `all` conditions or `any` of them."""


class PreviewSegment(Body, frozen=True):
    groups: Annotated[list[GroupBody], Meta(max_length=MAX_GROUPS)]
    """1 to 10 groups of conditions."""
    match: Match = "all"
    """Whether a character must meet `all` groups or `any` of them."""
    exact: bool = False
    """Whether to wait for the exact count, up to 20 seconds, instead of an estimate."""


class PutSegment(Body, frozen=True):
    groups: Annotated[list[GroupBody], Meta(max_length=MAX_GROUPS)]
    """1 to 10 groups of conditions."""
    match: Match = "all"
    """Whether a character must meet `all` groups or `any` of them."""
    description: str = ""
    """One line for staff, at most 500 characters."""


class MemberQuery(Query, frozen=True):
    cursor: UUID | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 100
    """The page size, 1 to 100; values out of range are clamped."""


@routes.get("", READ)
async def list_segments(reader: Reader) -> Segments:
    """All segments, by name; at most 200."""
    return Segments(values=await saved.list_segments(reader))


@routes.get("/{name}", READ, raises=(SegmentNotFound,))
async def get_segment(reader: Reader, name: SegmentName) -> Segment:
    """One segment, by its name."""
    return await saved.find_segment(reader, name)


@routes.put("/{name}", MANAGE, raises=(InvalidSegment, TooManySegments))
async def put_segment(
    database: Database, by: AuditContext, name: SegmentName, body: PutSegment
) -> Segment:
    """
    Create a segment, or replace the one with this name.

    A segment is a condition over characters, in two levels: groups of conditions. Classes, items,
    variables, guilds and lists must exist; one that is deleted later matches no character.
    """
    order = SegmentChange(
        by=by, name=name, description=body.description, definition=_definition(body)
    )
    return await saved.change.one(database, order)


@routes.delete("/{name}", MANAGE, raises=(SegmentNotFound,))
async def remove_segment(database: Database, by: AuditContext, name: SegmentName) -> Segment:
    """Delete a segment; its members are not changed."""
    return await saved.remove.one(database, SegmentRemoval(by=by, name=name))


@routes.post("/preview", READ, raises=(InvalidSegment, CountTooSlow), priority=LOW, takes_key=False)
async def preview_segment(reader: Reader, body: PreviewSegment) -> SegmentPreview:
    """
    Count the members of a segment that is not saved, and return up to 20 of them.

    Answers within two seconds: if counting takes longer, `Count` is an estimate from a sample,
    with its interval. Repeat the request with `exact` for the exact number.
    """
    return await counts.preview(reader, _definition(body), exact=body.exact)


@routes.get("/{name}/members", READ, raises=(SegmentNotFound,), priority=LOW)
async def list_segment_members(
    reader: Reader, name: SegmentName, query: MemberQuery
) -> SegmentMembers:
    """
    The members of a segment, by id.

    A page can have fewer members than `limit`, or none, while `Next` is not null: each request
    examines a limited number of characters.
    """
    segment = await saved.find_segment(reader, name)
    return await members.list_members(reader, segment.definition, query.cursor, query.limit)


def _definition(body: PreviewSegment | PutSegment) -> Definition:
    groups = [
        ConditionGroup(
            match=group.match,
            conditions=[Condition(**structs.asdict(condition)) for condition in group.conditions],
        )
        for group in body.groups
    ]
    return Definition(match=body.match, groups=groups)
