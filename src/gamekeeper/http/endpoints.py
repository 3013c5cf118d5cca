"""
Endpoints: a route, and where each parameter of its handler comes from.

A handler is a plain coroutine. What it needs, it names; its signature is read once, at
start:
    request: Request      what is known about the call
    query: <Query>        the query string, read
    body: <Body>          the JSON or form body, read
    anything else         a part of the application (by type), what the application makes
                          for each call (by type), or a part of the path (by name)
What it returns is encoded as JSON with status 200, unless it is an ``Response``.
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
from gamekeeper.http import bodies
from gamekeeper.http.requests import Identity, Request
from gamekeeper.http.routing import Route

Resolver = Callable[[Request], Any]


class Providers(Struct, frozen=True, kw_only=True):
    """What the application hands in, so that the frame need not know it."""

    authenticate: Callable[[Request], Awaitable[Identity]]
    """Who is calling; raises Unauthorized."""
    authorise: Callable[[Any, frozenset[str]], None]
    """Raises RoleRequired unless the caller has all of the roles."""
    resolvers: Mapping[type, Resolver] = {}
    """What is made of the request for a parameter of this type."""
    contexts: Mapping[type, Callable[[Request], Awaitable[object]]] = {}
    """The same, once the body was read; what it raises is answered without calling the handler."""


class BoundRoute(Struct, frozen=True):
    route: Route
    resolvers: dict[str, Resolver]
    body: type[Body] | None
    context: tuple[str, Callable[[Request], Awaitable[object]]] | None = None
    headers: list[tuple[str, str]] = []


def unmatched(problem: Problem) -> BoundRoute:
    """What stands for a route where there is none."""

    async def refuse() -> None:
        raise problem

    return BoundRoute(Route(method="", path="unknown", handler=refuse, roles=None), {}, None)


def endpoint(route: Route, services: Mapping[type, object], providers: Providers) -> BoundRoute:
    """Decide, once, where each parameter of the handler will come from."""
    hints = get_type_hints(route.handler)
    names = list(inspect.signature(route.handler).parameters)
    path = [part[1:-1] for part in route.path.split("/") if part.startswith("{")]
    body = next((hints[name] for name in names if issubclass(hints[name], Body)), None)
    contexts = [
        (name, providers.contexts[hints[name]])
        for name in names
        if hints[name] in providers.contexts
    ]
    assert len(contexts) <= 1, f"{route.path} takes two contexts"
    supplies = {
        name: _resolver(name, hints[name], path, providers.resolvers, services)
        for name in names
        if not issubclass(hints[name], Body) and hints[name] not in providers.contexts
    }
    headers = []
    if route.successor:
        headers = [
            ("Deprecation", "@1577836800"),
            ("Link", f'<{route.successor}>; rel="successor-version"'),
        ]
    return BoundRoute(route, supplies, body, contexts[0] if contexts else None, headers)


def _resolver(
    name: str,
    kind: Any,
    path: list[str],
    resolvers: Mapping[type, Resolver],
    services: Mapping[type, object],
) -> Resolver:
    if kind in services:
        return lambda request: services[kind]
    if kind in resolvers:
        return resolvers[kind]
    if kind is Request:
        return lambda request: request
    if issubclass(kind, Query):
        return lambda request: _query(kind, request)
    position = path.index(name)
    if kind is UUID:
        # What is no guid is the guid of nothing, and so simply not found.
        return lambda request: parse_guid(request.parameters[position]) or UUID(int=0)
    return lambda request: request.parameters[position]


def read_body(shape: type[Body], raw: bytes, request: Request) -> Body:
    request.fields = bodies.document(raw, request)
    return parsing.read(shape, request.fields, InvalidBody)


def _query(shape: type[Query], request: Request) -> Query:
    if not request.query_string:
        return _nothing_asked(shape)
    pairs = bodies.pairs(request.query_string, InvalidQuery)
    return parsing.read(shape, pairs, InvalidQuery, bounded=False)


@cache
def _nothing_asked(shape: type[Query]) -> Query:
    return parsing.read(shape, {}, InvalidQuery)
