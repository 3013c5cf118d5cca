"""
Answers as objects: a dict as it is spelled on the wire, with an attribute for each field.

    player.name, player.last_online     a str, and an aware datetime
    player["Name"], player["NewField"]  the same dict, with what a newer service adds
"""

from collections.abc import Callable
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Any, ClassVar, Generic, Self, TypeVar, cast, get_args, get_origin, overload

T = TypeVar("T")
R = TypeVar("R", bound="Record")


class Record(dict[str, Any]):
    """One object of an answer. A dict, so JSON, `==` and pickle treat it as one."""

    __slots__ = ()
    _names: ClassVar[dict[str, str]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        fields = {name: field for name, field in vars(cls).items() if isinstance(field, Field)}
        cls._names = {field.key: name for name, field in fields.items()}

    def __repr__(self) -> str:
        shown = ", ".join(self._shown(key, value) for key, value in self.items())
        return f"{type(self).__name__}({shown})"

    def _shown(self, key: str, value: Any) -> str:
        """By the name of the attribute; a key that is not known here as it is."""
        name = self._names.get(key)
        if name is None:
            return f"{key!r}: {value!r}"
        # Instants stay text: a wrong one must not make an answer unprintable.
        return f"{name}={getattr(self, name) if isinstance(value, dict | list) else value!r}"


class Field(Generic[T]):
    """
    A field of a record, as a read-only attribute; None stays None.

    An attribute whose key the answer lacks raises `AttributeError`, unless it is not `needed`.
    """

    __slots__ = ("_needed", "_read", "key")

    def __init__(
        self, key: str, read: Callable[[Any], T] | None = None, *, needed: bool = True
    ) -> None:
        self.key = key
        self._read = read
        self._needed = needed

    @overload
    def __get__(self, record: None, owner: type) -> Self: ...
    @overload
    def __get__(self, record: Record, owner: type) -> T: ...
    def __get__(self, record: Record | None, owner: type) -> Any:
        if record is None:
            return self
        value = record.get(self.key)
        if value is None:
            if self._needed and self.key not in record:
                raise AttributeError(f"the answer has no {self.key!r}; is the service older?")
            return None
        if self._read is None:
            return value
        read = self._read(value)
        if isinstance(read, Record):
            # It equals the dict it replaces, and is made once.
            record[self.key] = read
        return read


def as_instant(text: str) -> datetime:
    when = datetime.fromisoformat(text)
    return when if when.tzinfo is not None else when.replace(tzinfo=UTC)


def as_http_date(text: str) -> datetime:
    when = parsedate_to_datetime(text)
    return when if when.tzinfo is not None else when.replace(tzinfo=UTC)


def as_day(text: str) -> date:
    return date.fromisoformat(text)


def as_record(kind: type[R]) -> Callable[[Any], R]:
    """Read a nested record. What is no object is left as it is."""
    return lambda value: kind(value) if type(value) is dict else value


def as_list(kind: type[R]) -> Callable[[Any], list[R]]:
    """Read a list of records: in place, so that each is made once."""

    def read(values: Any) -> list[R]:
        if type(values) is list:
            entries = cast("list[Any]", values)
            for number, value in enumerate(entries):
                if type(value) is dict:
                    entries[number] = kind(value)
        return values

    return read


class JsonObject(Record):
    """An answer whose keys depend on what was asked for."""

    __slots__ = ()


class Page(Record, Generic[T]):
    """A page of a list that is read by page number."""

    __slots__ = ()
    total = Field[int]("Total")
    page = Field[int]("Page")
    page_size = Field[int]("PageSize")
    count = Field[int]("Count")
    entries = Field[list[T]]("Values")


class LegacyPage(Record, Generic[T]):
    """A page in the older envelope."""

    __slots__ = ()
    total = Field[int]("total")
    page = Field[int]("Page")
    page_size = Field[int]("PageSize")
    count = Field[int]("count")
    entries = Field[list[T]]("entries")


class Cursor(Record, Generic[T]):
    """A page of a list with cursor pagination; `next` is None on the last."""

    __slots__ = ()
    entries = Field[list[T]]("Values")
    next = Field[str | None]("Next")
    searched_to = Field[datetime | None]("SearchedTo", as_instant, needed=False)
    """In a search that goes on: how far back this page looked."""


def reader(answer: Any) -> Callable[[Any], Any]:
    """What reads a decoded answer as the type that a method declares to return."""
    whole = get_origin(answer) or answer
    parts: list[type[Record]] = [part for part in get_args(answer) if isinstance(part, type)]
    if whole is list:
        return _checked(list, as_list(*parts))
    if not issubclass(whole, Record):
        raise TypeError(f"{answer} is not a type of an answer")
    return _checked(dict, _paged(whole, as_list(*parts)) if parts else whole)


def _checked(kind: type, read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def checked(value: Any) -> Any:
        if not isinstance(value, kind):
            raise TypeError(f"The answer is a {type(value).__name__}, not a {kind.__name__}")
        return read(value)

    return checked


def _paged(page: type[Record], read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def paged(value: dict[str, Any]) -> Any:
        lists = [one for key in ("Values", "entries") if isinstance(one := value.get(key), list)]
        if not lists:
            raise TypeError("The answer is not a page of a list")
        for entries in lists:
            read(entries)
        return page(value)

    return paged
