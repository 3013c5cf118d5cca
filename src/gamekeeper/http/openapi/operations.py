"""What there is to describe: the routes, read from their handlers, and words for the rest."""

from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from gamekeeper.core.errors import Problem
from gamekeeper.core.schemas import Body, Query
from gamekeeper.http.responses import Response
from gamekeeper.http.routing import Route

Json = dict[str, Any]

REF = "#/components/schemas/{name}"
PLAIN_JSON = "application/json"


class Example(Struct, frozen=True, kw_only=True):
    """One call of an operation."""

    answer: object
    body: Json | None = None
    refusal: Struct | None = None
    """What a 400 holds, where that is not the shape of every other refusal."""


class Words(Struct, frozen=True, kw_only=True):
    """What signatures cannot say."""

    introduction: str
    """Markdown; `{errors}` in it becomes the table of all refusals."""
    tags: dict[str, str]
    parameters: dict[str, tuple[str, str]]
    """The meaning of a part of the path, and an example; by the tag and the name, `users.key`."""
    fields: dict[str, str]
    """By the shape and the field, `Register.password`; alone, a field of many bodies or a shape."""
    patterns: dict[str, str]
    """What strings must look like; by the shape and the field."""
    examples: dict[str, Example]
    """By the name of the handler."""
    refusals: dict[type[Problem], Problem]
    """Examples of refusals whose sentence has facts in it."""
    stores: frozenset[type]
    """A handler that takes one of these needs the database, and so can be unavailable."""

    def about(self, *names: str) -> Json:
        """The description for a schema, under the first of the names that has one."""
        return next(
            ({"description": self.fields[name]} for name in names if name in self.fields), {}
        )


class OpenApiOperation(Struct, frozen=True):
    """A route, and what its handler's signature says."""

    route: Route
    tag: str
    query: type[Query] | None
    body: type[Body] | None
    path: dict[str, Any]
    answer: Any
    """None if the handler writes text of its own."""
    stored: bool
    """Whether it needs the database, and so can be unavailable."""

    @classmethod
    def of(cls, route: Route, words: Words) -> "OpenApiOperation":
        hints = get_type_hints(route.handler)
        answers = _parts(hints.pop("return"))
        named = {part[1:-1] for part in route.path.split("/") if part.startswith("{")}
        return cls(
            route,
            _tag(route.path),
            next((kind for kind in hints.values() if issubclass(kind, Query)), None),
            next((kind for kind in hints.values() if issubclass(kind, Body)), None),
            {name: kind for name, kind in hints.items() if name in named},
            next((kind for kind in answers if kind is not Response), None),
            route.roles is not None or not words.stores.isdisjoint(hints.values()),
        )

    @property
    def name(self) -> str:
        return self.route.handler.__name__


def _tag(path: str) -> str:
    """What an operation is about: the first word of its path after /api/v1 or /api."""
    if not path.startswith("/api/"):
        return "health"
    return path.removeprefix("/api").removeprefix("/v1").split("/")[1]


def _parts(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
