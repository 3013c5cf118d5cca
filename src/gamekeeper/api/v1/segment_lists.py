"""Endpoints of lists of names for segments: upload in parts, state, unmatched names, deletion."""

from typing import Annotated

from msgspec import Meta

from gamekeeper.api.path_parameters import SegmentListName
from gamekeeper.core.schemas import Body, Query, Record
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.routing import Routes
from gamekeeper.segments import name_lists
from gamekeeper.segments.name_lists import (
    MAX_NAMES_PER_PART,
    InvalidList,
    ListFull,
    ListInUse,
    ListNotFound,
    ListRemoval,
    NameAddition,
    SegmentList,
    TooManyLists,
    UnmatchedNames,
)

routes = Routes("/api/v1/segment-lists")

READ = "segments.read"
MANAGE = "segments.manage"

LARGEST = 512 * 1024
"""Bytes of a part: its names with quotes and commas, most of them short."""


class SegmentLists(Record, frozen=True):
    values: list[SegmentList]


class AddNames(Body, frozen=True):
    names: Annotated[list[str], Meta(max_length=MAX_NAMES_PER_PART)]
    """1 to 2,000 names or ids of characters, each of at most 64 characters."""


class UnmatchedQuery(Query, frozen=True):
    cursor: str | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 100
    """The page size, 1 to 1,000; values out of range are clamped."""


@routes.get("", READ)
async def list_segment_lists(reader: Reader) -> SegmentLists:
    """All lists of names, by name; at most 100."""
    return SegmentLists(values=await name_lists.list_lists(reader))


@routes.get("/{name}", READ, raises=(ListNotFound,))
async def get_segment_list(reader: Reader, name: SegmentListName) -> SegmentList:
    """One list: how many names were received, and how many matched."""
    return await name_lists.find_list(reader, name)


@routes.post("/{name}/names", MANAGE, raises=(InvalidList, ListFull, TooManyLists), largest=LARGEST)
async def add_segment_list_names(
    database: Database, by: AuditContext, name: SegmentListName, body: AddNames
) -> SegmentList:
    """
    Add up to 2,000 names to a list; the first part creates it.

    Send a long list in parts, up to 1,000,000 names in all. A name is matched with the character
    that has it now: a later change of the name does not change the list. Adding a name again
    changes only `Received`.
    """
    order = NameAddition(by=by, list=name, names=body.names)
    return await name_lists.add.one(database, order)


@routes.get("/{name}/unmatched", READ, raises=(ListNotFound,))
async def list_unmatched_names(
    reader: Reader, name: SegmentListName, query: UnmatchedQuery
) -> UnmatchedNames:
    """The names on a list that match no character."""
    return await name_lists.list_unmatched(reader, name, query.cursor, query.limit)


@routes.delete("/{name}", MANAGE, raises=(ListNotFound, ListInUse))
async def remove_segment_list(
    database: Database, by: AuditContext, name: SegmentListName
) -> SegmentList:
    """Delete a list and its names; a list that a segment uses cannot be deleted."""
    return await name_lists.remove.one(database, ListRemoval(by=by, list=name))
