"""Segment commands: saved conditions over characters, their members, and lists of names."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from gamekeeper.cli.actor import By
from gamekeeper.cli.command import Output, TextTable, change, command
from gamekeeper.cli.options import Limit
from gamekeeper.core import parsing
from gamekeeper.db.database import Database
from gamekeeper.segments import counts, members, name_lists, saved
from gamekeeper.segments.checks import InvalidSegment
from gamekeeper.segments.name_lists import (
    MAX_NAMES_PER_PART,
    MAX_UNMATCHED_PAGE,
    InvalidList,
    ListRemoval,
    NameAddition,
    SegmentList,
)
from gamekeeper.segments.records import Definition, Segment, SegmentMember
from gamekeeper.segments.saved import SegmentChange, SegmentRemoval

SegmentName = Annotated[str, typer.Argument(metavar="NAME", help="The segment's name.")]
ListName = Annotated[str, typer.Argument(metavar="LIST", help="The list's name.")]
DefinitionFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A JSON file.", show_default=False)
]
NamesFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="A text file, one name or id per line.", show_default=False
    ),
]
Exact = Annotated[
    bool, typer.Option("--exact", help="Wait for the exact number, up to 20 seconds.")
]
Description = Annotated[
    str, typer.Option(metavar="TEXT", help="One line for staff, at most 500 characters.")
]


@command
async def list_(database: Database) -> Output:
    """Show all segments."""
    found = await saved.list_segments(database.reader)
    rows = [
        [segment.name, str(len(segment.definition.conditions)), segment.description]
        for segment in found
    ]
    return Output(found, TextTable(["name", "conditions", "description"], rows))


@command
async def show(database: Database, name: SegmentName) -> Output:
    """
    Show a segment as JSON, for `set`.

    Fields that are not set are left out.
    """
    segment = await saved.find_segment(database.reader, name)
    text = msgspec.json.format(msgspec.json.encode(_given(segment.definition)), indent=2)
    return Output(segment, *text.decode().splitlines())


@command
async def count(database: Database, name: SegmentName, *, exact: Exact = False) -> Output:
    """
    Count the members of a segment, or estimate their number.

    If counting takes longer than a second, the number is an estimate from a sample.
    """
    segment = await saved.find_segment(database.reader, name)
    found = await counts.preview(database.reader, segment.definition, exact=exact)
    line = f"{found.count:,} members."
    if found.is_estimate:
        line = f"About {found.count:,} members ({found.at_least:,} to {found.at_most:,})."
    return Output(found, line, _table(found.samples))


@command
async def members_(database: Database, name: SegmentName, *, limit: Limit = 20) -> Output:
    """Show members of a segment, by id."""
    segment = await saved.find_segment(database.reader, name)
    found: list[SegmentMember] = []
    cursor = None
    while True:
        left = limit - len(found)
        page = await members.list_members(database.reader, segment.definition, cursor, left)
        found += page.values
        cursor = page.next
        if cursor is None or len(found) >= limit:
            more = None if cursor is None else "There can be more members."
            return Output(found, _table(found), more)


@change("segments.manage")
async def set_(
    database: Database,
    name: SegmentName,
    file: DefinitionFile,
    *,
    description: Description = "",
    by: By,
) -> Output:
    """
    Create a segment from a JSON file, or replace the one with this name.

    The file has groups of conditions, as the API takes them. For example, characters of level
    20 or higher that were online in the last 7 days:

        {"match": "all", "groups": [{"match": "all", "conditions": [
            {"field": "level", "atLeast": 20},
            {"field": "last_online", "withinDays": 7}]}]}
    """
    order = SegmentChange(by=by, name=name, description=description, definition=_read(file))
    made = await saved.change.one(database, order)
    return Output(made, f"Saved the segment {made.name}.")


@change("segments.manage")
async def delete(database: Database, name: SegmentName, *, by: By) -> Output:
    """Delete a segment; its members are not changed."""
    gone: Segment = await saved.remove.one(database, SegmentRemoval(by=by, name=name))
    return Output(gone, f"Deleted the segment {gone.name}.")


@command
async def lists(database: Database) -> Output:
    """Show all uploaded lists of names."""
    found = await name_lists.list_lists(database.reader)
    rows = [_numbers(each) for each in found]
    return Output(found, TextTable(["name", "received", "matched", "unmatched"], rows))


@change("segments.manage")
async def upload(database: Database, name: ListName, file: NamesFile, *, by: By) -> Output:
    """
    Add the names in a file to a list, one per line.

    The file is read in parts, at most 1,000,000 names in all. Names that are on the list
    already are not added again.
    """
    after: SegmentList | None = None
    with _opened(file) as lines:
        names = (line.strip() for line in lines)
        for part in _parts(name for name in names if name):
            after = await name_lists.add.one(database, NameAddition(by=by, list=name, names=part))
    if after is None:
        raise InvalidList("The file has no names.")
    return Output(after, f"{after.matched:,} characters, {after.unmatched:,} names unmatched.")


@command
async def unmatched(database: Database, name: ListName) -> Output:
    """Show the names on a list that match no character."""
    found: list[str] = []
    cursor = None
    while True:
        page = await name_lists.list_unmatched(database.reader, name, cursor, MAX_UNMATCHED_PAGE)
        found += page.values
        cursor = page.next
        if cursor is None:
            return Output(found, *found)


@change("segments.manage")
async def delete_list(database: Database, name: ListName, *, by: By) -> Output:
    """Delete a list and its names."""
    gone = await name_lists.remove.one(database, ListRemoval(by=by, list=name))
    return Output(gone, f"Deleted the list {gone.name}.")


def _table(found: list[SegmentMember]) -> TextTable:
    rows = [[member.name, str(member.level), str(member.id)] for member in found]
    return TextTable(["name", "level", "id"], rows)


def _numbers(found: SegmentList) -> list[str]:
    return [found.name, f"{found.received:,}", f"{found.matched:,}", f"{found.unmatched:,}"]


def _given(value: Any) -> Any:
    """The same as JSON, without fields that are null."""
    plain = msgspec.to_builtins(value)
    if isinstance(plain, dict):
        return {name: _given(each) for name, each in plain.items() if each is not None}
    return [_given(each) for each in plain] if isinstance(plain, list) else plain


def _read(file: Path) -> Definition:
    try:
        document = msgspec.json.decode(file.read_bytes())
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as wrong:
        raise InvalidSegment(f"{file} cannot be read as JSON: {wrong}.") from None
    return parsing.read(Definition, parsing.fields_of(document), InvalidSegment)


def _opened(file: Path) -> Any:
    try:
        return file.open(encoding="utf-8-sig")
    except OSError as wrong:
        raise InvalidList(f"{file} cannot be read: {wrong.strerror}.") from None


def _parts(names: Iterator[str]) -> Iterator[list[str]]:
    while part := list(islice(names, MAX_NAMES_PER_PART)):
        yield part
