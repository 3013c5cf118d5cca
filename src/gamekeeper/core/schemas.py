"""
Base classes of request and response schemas, and the naming convention of each.

Python says ``max_vitals`` everywhere. The base class alone decides how a field is
spelled on the wire:

    Record  ->  MaxVitals      a record in a response
    Reply   ->  onlineCount    the few responses that are not records
    Body    ->  bankoverflow   a request body
    Query   ->  pageSize       the query string
"""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, ClassVar, Generic, TypeVar

from msgspec import Meta, Struct

T = TypeVar("T")

Instant = Annotated[datetime, Meta(tz=True)]

LARGEST_PAGE = 100
LAST_PAGE = 2**31 - 1


class Record(Struct, frozen=True, kw_only=True, rename="pascal"):
    """Something the service shows."""


class Reply(Struct, frozen=True, kw_only=True, rename="camel"):
    """An answer that is not a record."""


class Query(Struct, frozen=True, kw_only=True, rename="camel"):
    """The query parameters of a request."""

    lenient: ClassVar[frozenset[str]] = frozenset()
    """Fields whose unreadable values count as absent, as in Intersect; others are refused."""


class Body(Struct, frozen=True, kw_only=True, rename=lambda name: name.replace("_", "")):
    """The body of a request. Keys are case-insensitive; unknown keys are ignored."""

    lenient: ClassVar[frozenset[str]] = frozenset()
    """As of a query."""

    def __repr__(self) -> str:
        # It may hold a password or a token.
        return f"{type(self).__name__}(…)"


class Message(Record, frozen=True):
    message: str


class SortDirection(StrEnum):
    ASCENDING = "Ascending"
    DESCENDING = "Descending"


class Window(Struct, frozen=True):
    """The requested part of a list (pagination): `shown` of the `size` records from `offset` on."""

    page: int
    size: int
    shown: int

    @classmethod
    def of(cls, page: int, size: int, limit: int | None = None) -> "Window":
        """Clamp the numbers to their ranges; the envelope says which were used."""
        size = _clamped(size, 1, LARGEST_PAGE)
        shown = size if limit is None else _clamped(limit, 1, size)
        return cls(_clamped(page, 0, LAST_PAGE), size, shown)

    @property
    def offset(self) -> int:
        return self.page * self.size


def _clamped(number: int, low: int, high: int) -> int:
    return max(low, min(high, number))


class Paging(Query, frozen=True):
    page: int = 0
    """
    The number of the page, from 0; values out of range are clamped. A page past the end is
    empty.
    """
    page_size: int = 5
    """
    The number of records per page, 1 to 100; values out of range are clamped, and `PageSize` in
    the response is the value used.
    """
    limit: int | None = None
    """
    Return only this many records of the page; the offsets of pages do not change. By default,
    and at most, `pageSize`.
    """

    @property
    def window(self) -> Window:
        return Window.of(self.page, self.page_size, self.limit)


class LenientPaging(Paging, frozen=True):
    """Paging of Intersect's lists: real clients send `?page=0pageSize=25`."""

    lenient: ClassVar[frozenset[str]] = frozenset({"page", "page_size", "limit", "sort_direction"})


class Searching(LenientPaging, frozen=True):
    # Never lenient: an unreadable search would return everybody.
    search: str | None = None
    """
    Only names that start with this; if there are none, names that contain it; if there are
    none, similar names. 2 to 64 characters.
    """


class SortedSearch(Searching, frozen=True):
    """A search with Intersect's `sortBy`."""

    lenient: ClassVar[frozenset[str]] = LenientPaging.lenient | {"sort_by"}

    sort_by: str = ""
    """
    The order: `name`; of characters also `level`, `creationdate`, `playtime` or
    `lastonline` (characters that are online, then the end of the last session); of those online
    also `level` or `onlinetime`; of accounts also `registrationdate`, and `email` for callers
    who see emails. Anything else is `name`.
    """
    sort_direction: SortDirection = SortDirection.ASCENDING
    """The sort direction, case-insensitive; also `0` (ascending) or `1` (descending)."""

    @property
    def order(self) -> str:
        """A word; each list knows its own, and takes an unknown one for its default."""
        return self.sort_by.lower()


class NameQuery(Query, frozen=True):
    """A search whose answer is the best few."""

    search: str
    """
    Any part of a name, 2 to 64 characters, `lyra` for example. If no name has it, names with
    one mistake less are found.
    """
    limit: int = 20
    """The page size, 1 to 100; values out of range are clamped."""

    @property
    def most(self) -> int:
        return _clamped(self.limit, 1, LARGEST_PAGE)


class LegacyPaging(Body, frozen=True):
    lenient: ClassVar[frozenset[str]] = frozenset({"page", "count"})

    page: int = 0
    """
    The number of the page, from 0; values out of range are clamped. A page past the end is
    empty.
    """
    count: int = 5
    """The number of records per page, 1 to 100; values out of range are clamped."""

    @property
    def window(self) -> Window:
        return Window.of(self.page, self.count)


class Page(Record, Generic[T], frozen=True):
    total: int
    page: int
    page_size: int
    count: int
    values: list[T]

    @classmethod
    def of(cls, values: list[T], total: int, window: Window) -> "Page[T]":
        return cls(
            total=total,
            page=window.page,
            page_size=window.size,
            count=len(values),
            values=values,
        )


class LegacyPage(
    Struct,
    Generic[T],
    frozen=True,
    kw_only=True,
    rename={"page": "Page", "page_size": "PageSize", "values": "Values"},
):
    """
    The envelope of the deprecated lists; its mixed casing is the contract.

    Newer clients of Intersect look for `Values` here too. `Total` and `Count` are not
    repeated: names that differ only in letter case break generated clients.
    """

    total: int
    page: int
    count: int
    entries: list[T]
    page_size: int
    values: list[T]

    @classmethod
    def of(cls, page: Page[T]) -> "LegacyPage[T]":
        return cls(
            total=page.total,
            page=page.page,
            count=page.count,
            entries=page.values,
            page_size=page.page_size,
            values=page.values,
        )
