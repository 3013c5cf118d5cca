"""The input of the OpenAPI document: routes with their signatures, and descriptions."""

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

SCALAR = "Scalar"
"""The schema of a variable's value."""


def beside(schema: Json, more: Json) -> Json:
    """`schema` with `more` said about it; many generators ignore what stands beside `$ref`."""
    if not more or "$ref" not in schema:
        return schema | more
    return {"allOf": [schema]} | more


class Example(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An example call of an operation, as JSON."""

    answer: Any
    body: Json | None = None
    refusal: Json | None = None
    """The body of a 400, if the route has an error format of its own."""


class ErrorExample(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An error whose message or details depend on the request."""

    message: str | None = None
    details: Json = {}


class Examples(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    operations: dict[str, Example]
    """By handler name."""
    errors: dict[str, ErrorExample]
    """By `error_name`."""


def error_name(kind: type[Problem]) -> str:
    """The name of an error in the examples, with its module: class names are not unique."""
    return f"{kind.__module__.removeprefix('gamekeeper.')}.{kind.__name__}"


class PathParameter(Struct, frozen=True):
    """The annotation of a path parameter's type, `Annotated[str, PathParameter(…)]`."""

    description: str
    example: object


class Words(Struct, frozen=True, kw_only=True):
    """Descriptions and examples, which signatures do not have."""

    introduction: str
    """Markdown. Generators copy it into every file they write, so it is short."""
    tags: dict[str, str]
    examples: Examples
    stores: frozenset[type]
    """A handler that takes one of these needs the database, so it can answer 503."""
    context: type
    """A handler that takes this is audited: it has `X-Reason` and, with a caller, a key."""
    repeated: tuple[type[Problem], ...]
    """The errors of an operation with an `Idempotency-Key`."""
    codes: tuple[type[Problem], ...]
    """Errors that no route lists: of no route at all, or inside an answer."""
    names: dict[str, str]
    """The name of a schema in the document, if it is not that of the class."""
    cookie: str
    """The name of the session cookie."""
    reason_required: tuple[frozenset[str], type[Problem]]
    """The permissions whose changes may need a reason, and the error without one."""
    step_up: type[Problem]
    """The errors of an operation with `step_up`, for a browser session."""
    without_session: type[Problem]
    """An operation that lists this takes nothing but the cookie."""
    bearer_only: str
    """The prefix of paths that do not take the cookie."""


class OpenApiOperation(Struct, frozen=True):
    """A route, and the types in its handler's signature."""

    route: Route
    tag: str
    query: type[Query] | None
    body: type[Body] | None
    path: dict[str, Any]
    """The types of the path parameters, each annotated with a `PathParameter`."""
    answer: Any
    """None if the handler returns text."""
    stored: bool
    """Whether it needs the database, so it can answer 503."""
    audited: bool
    """Whether a reason is kept with what it does."""
    idempotent: bool
    """Whether it takes an `Idempotency-Key`."""

    @classmethod
    def of(cls, route: Route, words: Words) -> "OpenApiOperation":
        hints = get_type_hints(route.handler)
        annotated = get_type_hints(route.handler, include_extras=True)
        answers = _parts(hints.pop("return"))
        audited = words.context in hints.values()
        named = {part[1:-1] for part in route.path.split("/") if part.startswith("{")}
        return cls(
            route,
            _tag(route.path),
            next((kind for kind in hints.values() if issubclass(kind, Query)), None),
            next((kind for kind in hints.values() if issubclass(kind, Body)), None),
            {name: kind for name, kind in annotated.items() if name in named},
            next((kind for kind in answers if kind is not Response), None),
            route.roles is not None or not words.stores.isdisjoint(hints.values()),
            audited,
            audited and route.takes_key and route.roles is not None,
        )

    @property
    def name(self) -> str:
        return self.route.handler.__name__

    @property
    def refusal(self) -> type[Struct] | None:
        """The schema of a 400, if the route has an error format of its own."""
        if self.route.failure is None:
            return None
        return _parts(get_type_hints(self.route.failure)["return"])[0]


def _tag(path: str) -> str:
    """The tag of an operation: the first segment of its path after /api/v1 or /api."""
    if not path.startswith("/api/"):
        return "health"
    return path.removeprefix("/api").removeprefix("/v1").split("/")[1]


def _parts(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
