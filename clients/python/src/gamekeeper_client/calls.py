"""
Endpoint descriptors: each endpoint is declared once, by a signature, for both clients.

    @posts("/api/v1/players/{key}/spells/teach")
    def teach(self, key: str, spell_id: Id, *, idempotency_key: Key = None) -> SpellLearned:
        '''Teach a character a spell.'''
        ...

Arguments that are named in the path go there; the others go into the query of a GET and
the body of any other method. On a `Group[Sync]` the method returns the answer, on a
`Group[Async]` an awaitable.
"""

import inspect
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, cast, overload
from urllib.parse import quote
from uuid import UUID, uuid4

from gamekeeper_client.fields import Cursor, Page, reader
from gamekeeper_client.retries import RetryPolicy

P = ParamSpec("P")
T = TypeVar("T")
How = TypeVar("How", bound="Sync | Async")

KEY = "idempotency_key"
KINDS = "kinds"
LARGEST_PAGE = 100
Id = str | UUID
Key = str | None


@dataclass(frozen=True)
class Call:
    """A request that can be sent any number of times."""

    method: str
    path: str
    query: dict[str, str]
    body: dict[str, Any]
    key: str | None
    once: bool
    read: Callable[[Any], Any] = field(compare=False, repr=False)

    @property
    def about(self) -> str:
        """What is logged: neither the query nor the body, which may be personal."""
        return f"{self.method} {self.path}"

    @property
    def headers(self) -> dict[str, str]:
        return {} if self.key is None else {"Idempotency-Key": self.key}

    def after(self, page: Mapping[str, Any]) -> "Call | None":
        """The call for the next page; None after the last."""
        if "Next" in page:
            more = {"cursor": str(page["Next"])} if page["Next"] is not None else None
        else:
            number = page["Page"] + 1
            ends = not page["Count"] or number * page["PageSize"] >= page["Total"]
            more = None if ends else {"page": str(number)}
        return None if more is None else replace(self, query=self.query | more)


class Sync(ABC):
    """A transport that sends a call and blocks until the answer."""

    @abstractmethod
    def send(self, call: Call) -> Any: ...

    @abstractmethod
    def every(self, call: Call, most: int | None = None) -> Generator[Any]: ...

    @abstractmethod
    def with_options(
        self, *, timeout: float | None = None, retries: RetryPolicy | int | None = None
    ) -> "Sync": ...


class Async(ABC):
    """A transport that sends a call with asyncio."""

    @abstractmethod
    def send(self, call: Call) -> Coroutine[Any, Any, Any]: ...

    @abstractmethod
    def every(self, call: Call, most: int | None = None) -> AsyncGenerator[Any]: ...

    @abstractmethod
    def with_options(
        self, *, timeout: float | None = None, retries: RetryPolicy | int | None = None
    ) -> "Async": ...


class Group(Generic[How]):
    """A group of related endpoints."""

    def __init__(self, client: How) -> None:
        self._client = client

    @property
    def client(self) -> How:
        return self._client

    def with_options(
        self, *, timeout: float | None = None, retries: RetryPolicy | int | None = None
    ) -> Self:
        """The same endpoints with another timeout in seconds, or other retries."""
        other = copy(self)
        client = self._client.with_options(timeout=timeout, retries=retries)
        vars(other).update(_client=client)
        return other


class Endpoint(Generic[P, T]):
    """One route of the service, as a method of a group."""

    def __init__(
        self, method: str, path: str, asked: Callable[Concatenate[Any, P], T], **about: bool
    ) -> None:
        self.method, self.path, self.asked = method, path, asked
        self.keyed = about.get("keyed", method != "GET")
        self.once = about.get("once", False)
        self._asks = about.get("asks", method == "GET")
        spelling = _camel if self._asks else _flat
        self._spell = _verbatim if about.get("verbatim") else spelling
        self._signature = inspect.signature(asked)
        self._read = reader(self._signature.return_annotation)

    @overload
    def __get__(self, group: Group[Sync], owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, group: Group[Async], owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    @overload
    def __get__(self, group: None, owner: type) -> "Endpoint[P, T]": ...
    def __get__(self, group: Group[Any] | None, owner: type) -> Any:
        if group is None:
            return self

        @wraps(self.asked)
        def method(*args: P.args, **given: P.kwargs) -> Any:
            return group.client.send(self.call(*args, **given))

        return method

    @property
    def names(self) -> set[str]:
        """The names of the query or body fields, as on the wire."""
        arguments = set(self._signature.parameters) - {"self", KEY}
        return {self._spell(name) for name in arguments if f"{{{name}}}" not in self.path}

    def call(self, *args: P.args, **given: P.kwargs) -> Call:
        """
        The request. Arguments left at an "off" default are omitted: with the caller's own
        idempotency key, a later client with more such arguments must send the same body.
        """
        bound = self._signature.bind(None, *args, **given)
        bound.apply_defaults()
        values = {
            name: value
            for name, value in bound.arguments.items()
            if not (value is None or value is self._signature.parameters[name].default is False)
        }
        key = values.pop(KEY, None) or (str(uuid4()) if self.keyed else None)
        path = "/".join(
            _segment(values.pop(part[1:-1])) if part.startswith("{") else part
            for part in self.path.split("/")
        )
        if not isinstance(values.get(KINDS, ""), str):
            values[KINDS] = ",".join(values[KINDS])
        fields = {self._spell(name): _plain(value) for name, value in values.items()}
        query = {name: _text(value) for name, value in fields.items()}
        return Call(
            method=self.method,
            path=path,
            query=query if self._asks else {},
            body={} if self._asks else fields,
            key=key,
            once=self.once,
            read=self._read,
        )


class Every(Generic[P, T]):
    """An iterator over all entries of a list, which fetches pages lazily (auto-pagination)."""

    def __init__(self, page: Endpoint[P, Any]) -> None:
        self._page = page
        self._name = page.asked.__name__
        self._doc = (page.asked.__doc__ or "").strip().replace("A page of", "Iterate over", 1)

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, group: Group[Sync], owner: type) -> Callable[P, Generator[T]]: ...
    @overload
    def __get__(self, group: Group[Async], owner: type) -> Callable[P, AsyncGenerator[T]]: ...
    @overload
    def __get__(self, group: None, owner: type) -> "Every[P, T]": ...
    def __get__(self, group: Group[Any] | None, owner: type) -> Any:
        if group is None:
            return self

        @wraps(self._page.asked)
        def method(*args: P.args, **given: P.kwargs) -> Any:
            return group.client.every(*self._call(*args, **given))

        method.__name__ = self._name
        method.__qualname__ = f"{owner.__qualname__}.{self._name}"
        method.__doc__ = f"{self._doc} With `limit`, at most so many in all."
        return method

    def _call(self, *args: P.args, **given: P.kwargs) -> tuple[Call, int | None]:
        """The call for the first page, and how many entries were asked for in all."""
        call = self._page.call(*args, **given)
        limit = call.query.get("limit")
        if limit is None:
            return call, None
        if int(limit) < 1:
            raise ValueError("'limit' must be at least 1")
        size = min(int(limit), int(call.query.get("pageSize", LARGEST_PAGE)))
        query = {name: value for name, value in call.query.items() if name != "limit"}
        query["pageSize" if "page" in query else "limit"] = str(size)
        return replace(call, query=query), int(limit)


def reads(path: str) -> Callable[[Callable[Concatenate[Any, P], T]], Endpoint[P, T]]:
    return lambda asked: Endpoint("GET", path, asked)


def posts(path: str, **about: bool) -> Callable[[Callable[Concatenate[Any, P], T]], Endpoint[P, T]]:
    """
    A POST, with an idempotency key of its own.

    `keyed=False`: it is read-only or idempotent. `once=True`: no key protects it, so it is
    not retried after it was sent. `verbatim=True`: field names keep their underscores.
    """
    return lambda asked: Endpoint("POST", path, asked, **about)


def puts(path: str, **about: bool) -> Callable[[Callable[Concatenate[Any, P], T]], Endpoint[P, T]]:
    """A PUT, with an idempotency key of its own; `keyed=False`: its path alone is the key."""
    return lambda asked: Endpoint("PUT", path, asked, **about)


def patches(path: str) -> Callable[[Callable[Concatenate[Any, P], T]], Endpoint[P, T]]:
    return lambda asked: Endpoint("PATCH", path, asked)


def deletes(
    path: str, **about: bool
) -> Callable[[Callable[Concatenate[Any, P], T]], Endpoint[P, T]]:
    """A DELETE; `asks=True`: its arguments are in the query, as those of a GET are."""
    return lambda asked: Endpoint("DELETE", path, asked, **about)


@overload
def every(page: Endpoint[P, Page[T]]) -> Every[P, T]: ...
@overload
def every(page: Endpoint[P, Cursor[T]]) -> Every[P, T]: ...
def every(page: Endpoint[P, Any]) -> Every[P, Any]:
    """Iterate over a list's entries instead of its pages."""
    return Every(page)


def _flat(name: str) -> str:
    return name.replace("_", "")


def _camel(name: str) -> str:
    first, *rest = name.strip("_").split("_")
    return first + "".join(word.title() for word in rest)


def _verbatim(name: str) -> str:
    return name


def _segment(value: object) -> str:
    """Escape a path segment, dots too, which would change the path; reject an empty one."""
    text = quote(str(value), safe="")
    if not text:
        raise ValueError("a name or id must not be empty")
    return text.replace(".", "%2E") if text in (".", "..") else text


def _plain(value: object) -> Any:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone")
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(one) for one in value]
    return value


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
