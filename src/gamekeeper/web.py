"""
The HTTP door: from a request to a typed call, and back.

A handler is a plain coroutine. What it needs, it names; this module reads the
signature once, at start, and hands it over:
    request: Request      what is known about the call
    query: <Query>        the query string, read
    body: <Body>          the JSON or form body, read
    anything else         a part of the application (by type), what the application makes
                          for each call (by type), or a part of the path (by name)
What it returns is encoded as JSON with status 200, unless it is an ``Answer``.

This module knows nothing of players, accounts or tables. Who is calling, whether they
may, and what else a handler needs is handed in as ``Providers``.
"""

import asyncio
import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from functools import cache
from time import perf_counter
from typing import Any, cast, get_type_hints
from uuid import UUID

import msgspec
import structlog
from msgspec import Struct, structs

from gamekeeper import answers, bodies, failing, logs, metrics, scalars, streaming
from gamekeeper.admission import MOST_DOWNLOADS, Limiter, Strangers, credential_of, source_of
from gamekeeper.answers import Answer, refused
from gamekeeper.crowding import ARRIVED, Crowded, Gate
from gamekeeper.errors import (
    InternalError,
    InvalidBody,
    InvalidQuery,
    Problem,
    Replayed,
    Unauthorized,
)
from gamekeeper.logs import Served
from gamekeeper.lookup import parse_guid
from gamekeeper.requests import Identity, Request, path_of
from gamekeeper.routing import Route, Router
from gamekeeper.settings import Settings
from gamekeeper.shapes import Body, Query
from gamekeeper.streaming import Receive, Send

FORM = "application/x-www-form-urlencoded"

LARGE_BODY = 32 * 1024
"""A body over this size is read in a thread: it may take a tenth of a second."""

SLOW_BODY_SECONDS = 0.5
"""After so long for its body, a call must show again that its credential is good."""

log = structlog.get_logger()

Supply = Callable[[Request], Any]


class Providers(Struct, frozen=True, kw_only=True):
    """What the application hands in, so that the frame need not know it."""

    authenticate: Callable[[Request], Awaitable[Identity]]
    """Who is calling; raises Unauthorized."""
    authorise: Callable[[Any, frozenset[str]], None]
    """Raises RoleRequired unless the caller has all of the roles."""
    supplies: Mapping[type, Supply] = {}
    """What is made of the request for a parameter of this type."""
    contexts: Mapping[type, Callable[[Request], Awaitable[object]]] = {}
    """The same, once the body was read; what it raises is answered without calling the handler."""


class Endpoint(Struct, frozen=True):
    route: Route
    supplies: dict[str, Supply]
    body: type[Body] | None
    context: tuple[str, Callable[[Request], Awaitable[object]]] | None = None
    headers: list[tuple[str, str]] = []


class Frame:
    """The ASGI application over a list of routes."""

    def __init__(
        self, routes: Iterable[Route], parts: Mapping[type, object], providers: Providers
    ) -> None:
        self._authenticate = providers.authenticate
        self._authorise = providers.authorise
        settings = cast(Settings, parts[Settings])
        self._proxies = settings.proxies
        self._patience = settings.stream_patience_seconds
        self._gate = Gate()
        self._strangers = Strangers(settings.anonymous_rate)
        self._downloads = Limiter(MOST_DOWNLOADS, MOST_DOWNLOADS)
        self._router = Router()
        for route in routes:
            if route.path == "/metrics" and settings.metrics_address:
                continue
            endpoint = _endpoint(route, parts, providers)
            self._router.add(route.method, route.path, endpoint)
            if route.method == "GET" and route.head:
                self._router.add("HEAD", route.path, endpoint)

    async def serve(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one HTTP request, whatever happens; count it and write its line in the log."""
        begun = perf_counter()
        endpoint, values = self._find(scope["method"], path_of(scope))
        credential = credential_of(scope["headers"])
        route = endpoint.route
        known = self._strangers.knows(credential)
        if known and route.roles is not None and not self._gate.admits(route.share):
            await answers.turn_away(send)
            return
        request = Request.of(scope, self._proxies)
        request.parameters.extend(values)
        request.credential = credential
        if not known and not await self._lets_in(route, request):
            await answers.turn_away(send)
            return
        answer = await self._answer(endpoint, request, receive)
        if request.body_unread and not await bodies.discarded(request, receive):
            answer = structs.replace(answer, headers=[*answer.headers, ("Connection", "close")])
        # Of what is streamed, the time to its beginning.
        seconds = perf_counter() - begun
        if len(answer.body) > streaming.LARGE and request.method != "HEAD":
            answer = await self._send_large(send, answer, request, endpoint)
        else:
            await answers.send(send, answer, request, endpoint.headers)
        if answer.pieces is None:
            seconds = perf_counter() - begun
        elif request.method != "HEAD":
            await self._pour(answer.pieces, receive, send, request)
        metrics.count(request.method, route.path, answer.status, seconds)
        logs.served(
            Served(
                method=request.method[: logs.LONGEST_METHOD],
                path=request.path[: logs.LONGEST_PATH],
                route=route.path,
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

    async def _lets_in(self, route: Route, request: Request) -> bool:
        """Whether somebody may go on whose credential is not known to be good."""
        request.source = source_of(request.address)
        if route.roles is None and route.share > 1:
            await self._strangers.hears(request.source)
            return True
        if route.roles is not None and request.credential:
            return await self._strangers.admits_lookup(request.source)
        return await self._strangers.admits(request.source)

    async def _answer(self, endpoint: Endpoint, request: Request, receive: Receive) -> Answer:
        """What is answered, whatever happens."""
        try:
            result = await self._call(endpoint, request, receive)
            if isinstance(result, Answer):
                return result
            return Answer(body=msgspec.json.encode(result))
        except Replayed as replay:
            status, body = replay.answer
            return Answer(body=body, status=status, headers=[("Idempotency-Replayed", "true")])
        except Problem as problem:
            return refused(problem, request.id, endpoint.route.failure)
        except Exception:
            log.exception("fault", request_id=request.id, path=request.path)
            return refused(InternalError(), request.id)

    async def _call(self, endpoint: Endpoint, request: Request, receive: Receive) -> Any:
        route = endpoint.route
        if route.roles is not None:
            await (self._meet(request, route.share) if request.source else self._know(request))
            self._authorise(request.caller, route.roles)
        given = {name: supply(request) for name, supply in endpoint.supplies.items()}
        if endpoint.body is not None:
            begun = perf_counter()
            raw = await bodies.received(request, receive, route.largest)
            # Whoever sent it may have been revoked while it arrived.
            if route.roles is not None and perf_counter() - begun > SLOW_BODY_SECONDS:
                self._authorise(await self._authenticate(request), route.roles)
            # Others may have come in while it arrived; who was at the door first goes before.
            if route.roles is not None and not self._gate.admits(route.share * ARRIVED):
                raise Crowded
            if len(raw) > LARGE_BODY:
                given["body"] = await asyncio.to_thread(_read_body, endpoint.body, raw, request)
            else:
                given["body"] = _read_body(endpoint.body, raw, request)
        if endpoint.context is not None:
            name, made = endpoint.context
            given[name] = await made(request)
        work = route.handler(**given)
        if route.share > 1:
            return await work
        if route.roles is not None:
            return await self._gate.through(work)
        return await self._strangers.work.through(work, request.source or str(request.credential))

    async def _know(self, request: Request) -> None:
        """Set the caller whose credential was good before: counted from the door on."""
        self._gate.inside += 1
        try:
            request.caller = await self._authenticate(request)
        except Unauthorized:
            self._strangers.found_bad(request.credential, source_of(request.address))
            raise
        finally:
            self._gate.inside -= 1
        self._strangers.found_good(request.credential)

    async def _meet(self, request: Request, share: float) -> None:
        """Set the caller whose credential is new: it counts as inside only if it is good."""
        if not self._strangers.lookups.enter(request.source):
            raise Crowded
        try:
            request.caller = await self._authenticate(request)
        except Unauthorized:
            if request.credential:
                self._strangers.found_bad(request.credential, request.source)
            raise
        finally:
            self._strangers.lookups.leave(request.source)
        self._strangers.found_good(request.credential)
        if not self._gate.admits(share):
            raise Crowded

    async def _send_large(
        self, send: Send, answer: Answer, request: Request, endpoint: Endpoint
    ) -> Answer:
        """Send what is large in pieces, with a deadline; what was answered, if it was too much."""
        limiter = self._downloads if request.caller else self._strangers.downloads
        source = request.source or source_of(request.address)
        if not limiter.enter(source):
            answer = refused(Crowded(), request.id, endpoint.route.failure)
            await answers.send(send, answer, request, endpoint.headers)
            return answer
        try:
            await send(answers.head(answer, request, endpoint.headers))
            body = await failing.first_byte(send, answer.body)
            await streaming.hand_over(body, send, self._patience)
        except TimeoutError:
            log.info("answer_cut", request_id=request.id, reason="the client was too slow")
        finally:
            limiter.leave(source)
        return answer

    async def _pour(
        self, pieces: AsyncGenerator[bytes], receive: Receive, send: Send, request: Request
    ) -> None:
        try:
            await streaming.pour(pieces, receive, send, self._patience)
        except TimeoutError:
            log.info("stream cut", request_id=request.id, why="nothing was taken for long")
        except Exception:
            log.exception("fault", request_id=request.id, path=request.path)


def _nowhere(problem: Problem) -> Endpoint:
    """What stands for a route where there is none."""

    async def refuse() -> None:
        raise problem

    return Endpoint(Route(method="", path="unknown", handler=refuse, roles=None), {}, None)


def _endpoint(route: Route, parts: Mapping[type, object], providers: Providers) -> Endpoint:
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
        name: _supply(name, hints[name], path, providers.supplies, parts)
        for name in names
        if not issubclass(hints[name], Body) and hints[name] not in providers.contexts
    }
    headers = []
    if route.successor:
        headers = [
            ("Deprecation", "@1577836800"),
            ("Link", f'<{route.successor}>; rel="successor-version"'),
        ]
    return Endpoint(route, supplies, body, contexts[0] if contexts else None, headers)


def _supply(
    name: str,
    kind: Any,
    path: list[str],
    supplies: Mapping[type, Supply],
    parts: Mapping[type, object],
) -> Supply:
    if kind in parts:
        return lambda request: parts[kind]
    if kind in supplies:
        return supplies[kind]
    if kind is Request:
        return lambda request: request
    if issubclass(kind, Query):
        return lambda request: _query(kind, request)
    position = path.index(name)
    if kind is UUID:
        # What is no guid is the guid of nothing, and so simply not found.
        return lambda request: parse_guid(request.parameters[position]) or UUID(int=0)
    return lambda request: request.parameters[position]


def _read_body(shape: type[Body], raw: bytes, request: Request) -> Body:
    request.fields = bodies.document(raw, request)
    return scalars.read(shape, request.fields, InvalidBody)


def _query(shape: type[Query], request: Request) -> Query:
    if not request.query_string:
        return _nothing_asked(shape)
    pairs = bodies.pairs(request.query_string, InvalidQuery)
    return scalars.read(shape, pairs, InvalidQuery, bounded=False)


@cache
def _nothing_asked(shape: type[Query]) -> Query:
    return scalars.read(shape, {}, InvalidQuery)
