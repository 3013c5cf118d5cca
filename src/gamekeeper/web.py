"""
The HTTP door: from a request to a typed call, and back.

A handler is a plain coroutine. What it needs, it names; this module reads the
signature once, at start, and hands it over:

    reader: Reader        to look at the database, or at its replica, and decide nothing by it
    database: Database    for operations, which open their own transaction
    caller: Caller        who is calling
    by: By                the same, with what orders need to know: the reason, the request,
                          the idempotency key. A request that was carried out before under
                          its key is answered as it was then, and the handler not called.
    request: Request      the rest of what is known about the call
    query: <Query>        the query string, read
    body: <Body>          the JSON or form body, read
    anything else         a part of the application (by type) or of the path (by name)

What it returns is encoded as JSON with status 200, unless it is an ``Answer``.
"""

import inspect
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from functools import cache
from time import perf_counter
from typing import Any, cast, get_type_hints
from uuid import UUID

import msgspec
import structlog
from msgspec import Struct, structs

from gamekeeper import bodies, crowding, failing, logs, metrics, replies, scalars, streaming
from gamekeeper.access.callers import Caller
from gamekeeper.crowding import ARRIVED, Crowded, Gate
from gamekeeper.database import Database
from gamekeeper.errors import (
    Failure,
    InternalError,
    InvalidBody,
    InvalidQuery,
    Problem,
    RoleRequired,
)
from gamekeeper.logs import Served
from gamekeeper.lookup import parse_guid
from gamekeeper.operations import By
from gamekeeper.replies import InvalidIdempotencyKey, Key, Replayed
from gamekeeper.requests import Request, path_of
from gamekeeper.routing import Route, Router
from gamekeeper.settings import Settings
from gamekeeper.shapes import Body, Query
from gamekeeper.streaming import Receive, Send
from gamekeeper.users.vault import Vault

IDEMPOTENCY_KEY = re.compile(r"[!-~]{1,255}")
JSON = "application/json; charset=utf-8"
FORM = "application/x-www-form-urlencoded"

ALWAYS = [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]

log = structlog.get_logger()

Identify = Callable[[Request], Awaitable[Caller]]
Supply = Callable[[Request], Any]


class Answer(Struct, frozen=True, kw_only=True):
    body: bytes
    status: int = 200
    content_type: str = JSON
    headers: list[tuple[str, str]] = []
    pieces: AsyncGenerator[bytes] | None = None
    """What is sent instead of the body, one after the other, as long as there are any."""


class Endpoint(Struct, frozen=True):
    route: Route
    supplies: dict[str, Supply]
    body: type[Body] | None
    wants_by: bool = False
    headers: list[tuple[str, str]] = []


class Frame:
    """The ASGI application over a list of routes."""

    def __init__(
        self, routes: Iterable[Route], parts: Mapping[type, object], identify: Identify
    ) -> None:
        self._identify = identify
        settings = cast(Settings, parts[Settings])
        self._proxies = settings.proxies
        self._patience = settings.stream_patience_seconds
        self._reader = cast(Database, parts[Database]).reader
        self._gate = Gate()
        # Keyed, because a request may hold what must not be guessable from our tables.
        self._fingerprint = cast(Vault, parts[Vault]).tag
        self._router = Router()
        for route in routes:
            endpoint = _endpoint(route, parts)
            self._router.add(route.method, route.path, endpoint)
            if route.method == "GET" and route.head:
                self._router.add("HEAD", route.path, endpoint)

    async def serve(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one HTTP request, whatever happens; count it and write its line in the log."""
        begun = perf_counter()
        endpoint, values = self._find(scope["method"], path_of(scope))
        if not self._gate.admits(endpoint.route.share):
            await _turn_away(send)
            return
        request = Request.of(scope, self._proxies)
        request.parameters.extend(values)
        try:
            answer = await self._call(endpoint, request, receive)
        except Replayed as replay:
            status, body = replay.answer
            answer = Answer(body=body, status=status, headers=[("Idempotency-Replayed", "true")])
        except Problem as problem:
            answer = refused(problem, request, endpoint)
        except Exception:
            log.exception("fault", request_id=request.id, path=request.path)
            answer = refused(InternalError(), request)
        if request.body_unread and not await bodies.discarded(request, receive):
            answer = structs.replace(answer, headers=[*answer.headers, ("Connection", "close")])
        # Of what is streamed, the time to its beginning.
        seconds = perf_counter() - begun
        await _send(send, answer, request, endpoint)
        if answer.pieces is None:
            seconds = perf_counter() - begun
        elif request.method != "HEAD":
            await self._pour(answer.pieces, receive, send, request)
        metrics.count(request.method, endpoint.route.path, answer.status, seconds)
        logs.served(
            Served(
                method=request.method,
                path=request.path,
                route=endpoint.route.path,
                status=int(answer.status),
                ms=round(seconds * 1000, 2),
                request_id=request.id,
                caller=request.caller.id if request.caller else None,
                address=request.address,
            )
        )

    def _find(self, method: str, path: bytes) -> tuple[Endpoint, list[str]]:
        try:
            return self._router.find(method, path)
        except Problem as problem:
            return _nowhere(problem), []

    async def _call(self, endpoint: Endpoint, request: Request, receive: Receive) -> Answer:
        if endpoint.route.roles is not None:
            request.caller = await self._identify(request)
            _admit(request.caller, endpoint.route.roles)
        given = {name: supply(request) for name, supply in endpoint.supplies.items()}
        if endpoint.body is not None:
            raw = await bodies.received(request, receive, endpoint.route.largest)
            # Others may have come in while it arrived; who was at the door first goes before.
            if not self._gate.admits(endpoint.route.share * ARRIVED):
                raise Crowded
            request.fields = bodies.document(raw, request)
            given["body"] = scalars.read(endpoint.body, request.fields, InvalidBody)
        if endpoint.wants_by:
            given["by"] = await self._by(request)
        work = endpoint.route.handler(**given)
        result = await (work if endpoint.route.share > 1 else self._gate.through(work))
        return result if isinstance(result, Answer) else Answer(body=msgspec.json.encode(result))

    async def _pour(
        self, pieces: AsyncGenerator[bytes], receive: Receive, send: Send, request: Request
    ) -> None:
        try:
            await streaming.pour(pieces, receive, send, self._patience)
        except TimeoutError:
            log.info("stream cut", request_id=request.id, why="nothing was taken for long")
        except Exception:
            log.exception("fault", request_id=request.id, path=request.path)

    async def _by(self, request: Request) -> By:
        """Who gives the order; raises what was answered, if it was given before."""
        by = By(
            actor=request.caller.id if request.caller else "anonymous",
            name=request.caller.name if request.caller else "anonymous",
            request_id=request.id,
            address=request.address,
            reason=request.reason,
        )
        name = request.headers.get("idempotency-key")
        if name is None or request.caller is None:
            return by
        if not IDEMPOTENCY_KEY.fullmatch(name):
            raise InvalidIdempotencyKey
        key = Key(by.actor, name, self._fingerprint(request.fingerprint))
        if known := await replies.find(self._reader, key):
            raise known
        return structs.replace(by, key=key)


def _nowhere(problem: Problem) -> Endpoint:
    """What stands for a route where there is none."""

    async def refuse() -> None:
        raise problem

    return Endpoint(Route(method="", path="unknown", handler=refuse, roles=None), {}, None)


def _endpoint(route: Route, parts: Mapping[type, object]) -> Endpoint:
    """Decide, once, where each parameter of the handler will come from."""
    hints = get_type_hints(route.handler)
    names = list(inspect.signature(route.handler).parameters)
    path = [part[1:-1] for part in route.path.split("/") if part.startswith("{")]
    body = next((hints[name] for name in names if issubclass(hints[name], Body)), None)
    supplies = {
        name: _supply(name, hints[name], path, parts)
        for name in names
        if not issubclass(hints[name], Body | By)
    }
    headers = []
    if route.successor:
        headers = [
            ("Deprecation", "@1577836800"),
            ("Link", f'<{route.successor}>; rel="successor-version"'),
        ]
    return Endpoint(route, supplies, body, "by" in names, headers)


def _supply(name: str, kind: Any, path: list[str], parts: Mapping[type, object]) -> Supply:
    if kind in parts:
        return lambda request: parts[kind]
    if kind is Request:
        return lambda request: request
    if kind is Caller:
        return lambda request: request.caller
    if issubclass(kind, Query):
        return lambda request: _query(kind, request)
    position = path.index(name)
    if kind is UUID:
        # What is no guid is the guid of nothing, and so simply not found.
        return lambda request: parse_guid(request.parameters[position]) or UUID(int=0)
    return lambda request: request.parameters[position]


def _admit(caller: Caller, roles: frozenset[str]) -> None:
    for role in sorted(roles):
        if not caller.may(role):
            raise RoleRequired(role)


def _query(shape: type[Query], request: Request) -> Query:
    if not request.query_string:
        return _nothing_asked(shape)
    pairs = bodies.pairs(request.query_string, InvalidQuery)
    return scalars.read(shape, pairs, InvalidQuery, bounded=False)


@cache
def _nothing_asked(shape: type[Query]) -> Query:
    return scalars.read(shape, {}, InvalidQuery)


async def _turn_away(send: Send) -> None:
    headers, body = crowding.refusal()
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def refused(problem: Problem, request: Request, endpoint: Endpoint | None = None) -> Answer:
    reword = endpoint.route.failure if endpoint else None
    failure = (reword(problem) if reword else None) or Failure.of(problem, request.id)
    return Answer(body=msgspec.json.encode(failure), status=problem.status, headers=problem.headers)


async def _send(send: Send, answer: Answer, request: Request, endpoint: Endpoint) -> None:
    body = b"" if request.method == "HEAD" else answer.body
    headers = [
        (b"content-type", answer.content_type.encode()),
        (b"x-request-id", request.id.encode()),
        *ALWAYS,
    ]
    if answer.pieces is None:
        headers.append((b"content-length", b"%d" % len(answer.body)))
    for name, value in [*answer.headers, *endpoint.headers]:
        headers.append((name.lower().encode(), value.encode("latin-1")))
    await send({"type": "http.response.start", "status": int(answer.status), "headers": headers})
    if answer.pieces is None or request.method == "HEAD":
        body = await failing.first_byte(send, body)
        await send({"type": "http.response.body", "body": body})
