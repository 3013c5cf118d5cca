"""
Endpoints (dependency injection): a route, and the source of each handler parameter.

A handler is a plain coroutine. Its signature, read once at start, declares what it needs:
    request: Request      the request
    query: <Query>        the parsed query string
    body: <Body>          the parsed JSON or form body
    anything else         a service of the application (by type), an object made for each
                          call (by type), or a path parameter (by name)
Its result is encoded as JSON with status 200, unless it is a ``Response``.
"""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import Any, get_type_hints
from uuid import UUID

from msgspec import Struct

from gamekeeper.core import parsing
from gamekeeper.core.errors import InvalidBody, InvalidQuery, Problem
from gamekeeper.core.names import parse_guid
from gamekeeper.core.schemas import Body, Query
from gamekeeper.http import bodies, rate_limits
from gamekeeper.http.newer_shapes import NewerShape
from gamekeeper.http.rate_limits import RateClass
from gamekeeper.http.requests import Identity, Request
from gamekeeper.http.routing import Route

Resolver = Callable[[Request], Any]


class Providers(Struct, frozen=True, kw_only=True):
    """Functions injected by the application, so that the HTTP layer need not know them."""

    authenticate: Callable[[Request], Awaitable[Identity]]
    """Returns the caller, or raises Unauthorized."""
    authorise: Callable[[Request, Any, Route], None]
    """Raises Forbidden unless this caller may call the route, by this request."""
    resolvers: Mapping[type, Resolver] = {}
    """Makes the value for a parameter of this type from the request."""
    contexts: Mapping[type, "Context"] = {}
    """The same, after the body was read; if it raises, the handler is not called."""
    newer_shapes: Mapping[str, NewerShape] = {}
    """By the names of handlers: their shapes for clients that ask for a newer version."""
    is_newer: Callable[[Request], bool] = lambda request: False
    """Whether a request asks for the newer shape."""


class BoundRoute(Struct, frozen=True):
    route: Route
    services: dict[str, object]
    resolvers: dict[str, Resolver]
    body: type[Body] | None
    context: tuple[str, "Context"] | None = None
    headers: list[tuple[str, str]] = []
    rates: tuple[RateClass, ...] = ()
    newer: NewerShape | None = None


Context = Callable[[Request, BoundRoute], Awaitable[object]]
"""Makes a value from a request whose body was read."""


def unmatched(problem: Problem) -> BoundRoute:
    """A placeholder endpoint for a path or method without a route; it raises `problem`."""

    async def refuse() -> None:
        raise problem

    return BoundRoute(Route(method="", path="unknown", handler=refuse, roles=None), {}, {}, None)


def endpoint(route: Route, services: Mapping[type, object], providers: Providers) -> BoundRoute:
    """Bind each parameter of the handler to its source, once."""
    signature = _signature(route.handler)
    path = [part[1:-1] for part in route.path.split("/") if part.startswith("{")]
    contexts = [
        (name, providers.contexts[kind])
        for name, kind in signature.parameters.items()
        if kind in providers.contexts
    ]
    assert len(contexts) <= 1, f"{route.path} takes two contexts"
    own = {name: services[kind] for name, kind in signature.parameters.items() if kind in services}
    resolvers = {
        name: _resolver(name, kind, path, providers.resolvers)
        for name, kind in signature.parameters.items()
        if kind not in providers.contexts and kind not in services
    }
    headers = []
    if route.successor:
        headers = [
            ("Deprecation", "@1577836800"),
            ("Link", f'<{route.successor}>; rel="successor-version"'),
        ]
    newer = providers.newer_shapes.get(route.handler.__name__)
    if newer is not None:
        headers.append(("Vary", "Accept"))
    context = contexts[0] if contexts else None
    rates = rate_limits.classes_of(route, signature.answer)
    return BoundRoute(route, own, resolvers, signature.body, context, headers, rates, newer)


class Signature(Struct, frozen=True):
    """The types of a handler's parameters and of its result."""

    parameters: Mapping[str, Any]
    """Without the body."""
    body: type[Body] | None
    answer: Any


@cache
def _signature(handler: Callable[..., Any]) -> Signature:
    """The types, read once however many applications a process has."""
    hints = get_type_hints(handler)
    parameters = {name: hints[name] for name in inspect.signature(handler).parameters}
    taken = {name: kind for name, kind in parameters.items() if issubclass(kind, Body)}
    return Signature(
        parameters={name: kind for name, kind in parameters.items() if name not in taken},
        body=next(iter(taken.values()), None),
        answer=hints.get("return"),
    )


def _resolver(
    name: str,
    kind: Any,
    path: list[str],
    resolvers: Mapping[type, Resolver],
) -> Resolver:
    if kind in resolvers:
        return resolvers[kind]
    if kind is Request:
        return lambda request: request
    if issubclass(kind, Query):
        return lambda request: _query(kind, request)
    position = path.index(name)
    if kind is UUID:
        # An unparsable GUID becomes the nil GUID, so the lookup answers 404.
        return lambda request: parse_guid(request.parameters[position]) or UUID(int=0)
    return lambda request: request.parameters[position]


def read_body(shape: type[Body], raw: bytes, request: Request, newer: NewerShape | None) -> Body:
    """The body, by the names of fields that `newer` has, if the request asks for that."""
    fields = bodies.document(raw, request)
    request.fields = newer.renamed(fields) if newer else fields
    return parsing.read(shape, request.fields, InvalidBody)


def _query(shape: type[Query], request: Request) -> Query:
    if not request.query_string:
        return _nothing_asked(shape)
    pairs = bodies.pairs(request.query_string, InvalidQuery)
    return parsing.read(shape, pairs, InvalidQuery, bounded=False)


@cache
def _nothing_asked(shape: type[Query]) -> Query:
    return parsing.read(shape, {}, InvalidQuery)
