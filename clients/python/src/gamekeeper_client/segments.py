"""Segments: the endpoints under /api/v1/segments and /api/v1/segment-lists."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from gamekeeper_client.calls import Group, How, Key, deletes, every, posts, puts, reads
from gamekeeper_client.fields import Cursor
from gamekeeper_client.records import (
    Segment,
    SegmentList,
    SegmentLists,
    SegmentMember,
    SegmentPreview,
    Segments,
    UnmatchedNames,
)

Match = Literal["all", "any"]
Groups = Sequence[Mapping[str, Any]]
"""Groups of conditions: `[{"match": "any", "conditions": [{"field": "level", "atleast": 20}]}]`."""


class SavedSegments(Group[How]):
    """Saved conditions over characters."""

    @reads("/api/v1/segments")
    def list(self) -> Segments:
        """All segments, by name."""
        ...

    @reads("/api/v1/segments/{name}")
    def get(self, name: str) -> Segment:
        """One segment, by its name."""
        ...

    @puts("/api/v1/segments/{name}")
    def put(
        self,
        name: str,
        groups: Groups,
        *,
        match: Match = "all",
        description: str = "",
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> Segment:
        """Create a segment, or replace the one with this name."""
        ...

    @deletes("/api/v1/segments/{name}")
    def remove(
        self, name: str, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Segment:
        """Delete a segment; its members are not changed."""
        ...

    @posts("/api/v1/segments/preview", keyed=False)
    def preview(
        self, groups: Groups, *, match: Match = "all", exact: bool = False
    ) -> SegmentPreview:
        """Count the members of a segment that is not saved, and return up to 20 of them."""
        ...

    @reads("/api/v1/segments/{name}/members")
    def members_page(
        self, name: str, *, cursor: str | None = None, limit: int | None = None
    ) -> Cursor[SegmentMember]:
        """A page of members, by id; it can be empty although there are more."""
        ...

    members = every(members_page)


class NameLists(Group[How]):
    """Uploaded lists of names, for conditions of segments."""

    @reads("/api/v1/segment-lists")
    def list(self) -> SegmentLists:
        """All lists, by name."""
        ...

    @reads("/api/v1/segment-lists/{name}")
    def get(self, name: str) -> SegmentList:
        """One list: how many names were received, and how many matched."""
        ...

    @posts("/api/v1/segment-lists/{name}/names")
    def add(
        self,
        name: str,
        names: Sequence[str],
        *,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> SegmentList:
        """Add up to 2,000 names to a list; the first part creates it."""
        ...

    @reads("/api/v1/segment-lists/{name}/unmatched")
    def unmatched(
        self, name: str, *, cursor: str | None = None, limit: int | None = None
    ) -> UnmatchedNames:
        """A page of the names that match no character."""
        ...

    @deletes("/api/v1/segment-lists/{name}")
    def remove(
        self, name: str, *, reason: str | None = None, idempotency_key: Key = None
    ) -> SegmentList:
        """Delete a list and its names."""
        ...
