"""
The ASGI application: converts a request to a typed call, and its result to a response.

This module knows nothing of players, accounts or tables. ``Providers`` inject
authentication, authorisation, and what else a handler needs.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Iterable, Mapping
from http import HTTPStatus
from time import perf_counter
from typing import Any, cast

import msgspec
import structlog
from msgspec import UNSET, structs

from gamekeeper.core import failpoints
from gamekeeper.core.errors import InternalError, Problem, StoredReply, Unauthorized
from gamekeeper.core.observability import logging, metrics
from gamekeeper.core.observability.logging import Served
from gamekeeper.core.settings import Settings
from gamekeeper.http import bodies, endpoints, exports, responses, streaming
from gamekeeper.http.admission import (
    MOST_DOWNLOADS,
    MOST_OUTGOING,
    MOST_OUTGOING_OF_CALLER,
    AnonymousLimits,
    SourceLimiter,
    credential_of,
    source_of,
)
from gamekeeper.http.endpoints import BoundRoute, Providers, read_body, unmatched
from gamekeeper.http.load_shedding import BODY_ARRIVED, ConcurrencyLimiter, Overloaded
from gamekeeper.http.newer_shapes import NewerShape
from gamekeeper.http.rate_limits import RateLimits
from gamekeeper.http.requests import Request, path_of
from gamekeeper.http.responses import Response, error_response
from gamekeeper.http.routing import Route, Router
from gamekeeper.http.streaming import Receive, Send

FORM = "application/x-www-form-urlencoded"

LARGE_BODY = 32 * 1024
"""A body over this size is parsed in a thread: it may take a tenth of a second."""

SLOW_BODY_SECONDS = 0.5
"""If the body took longer than this, the credential is checked again."""

log = structlog.get_logger()


class Application:
    """The ASGI application over a list of routes."""

    def __init__(
        self, routes: Iterable[Route], services: Mapping[type, object], providers: Providers
    ) -> None:
        self._authenticate = providers.authenticate
        self._authorise = providers.authorise
        self._is_newer = providers.is_newer
        settings = cast(Settings, services[Settings])
        self._proxies = settings.proxies
        self._patience = settings.stream_patience_seconds
        self._limiter = ConcurrencyLimiter()
        self._anonymous = AnonymousLimits(settings.anonymous_rate)
        self._rates = cast(RateLimits, services[RateLimits])
        self._downloads = SourceLimiter(MOST_DOWNLOADS, MOST_DOWNLOADS)
        self._outgoing = SourceLimiter(MOST_OUTGOING, MOST_OUTGOING_OF_CALLER)
        self._exports = SourceLimiter(exports.MOST_EXPORTS, exports.EXPORTS_OF_A_CALLER)
        self._router = Router()
        for route in routes:
            if route.path == "/metrics" and settings.metrics_address:
                continue
            endpoint = endpoints.endpoint(route, services, providers)
            self._router.add(route.method, route.path, endpoint)
            if route.method == "GET" and route.head:
                self._router.add("HEAD", route.path, endpoint)

    @property
    def limiter(self) -> ConcurrencyLimiter:
        return self._limiter

    def route_of(self, scope: Mapping[str, Any]) -> str:
        """The path of a request with its placeholders."""
        return self._find(scope["method"], path_of(scope))[0].route.path

    async def serve(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one HTTP request, whatever happens; update metrics and the access log."""
        begun = perf_counter()
        path = path_of(scope)
        endpoint, values = self._find(scope["method"], path)
        credential = credential_of(scope["headers"])
        route = endpoint.route
        known = self._anonymous.is_known(credential)
        if known and route.roles is not None and not self._limiter.has_capacity(route.priority):
            await responses.send_overloaded(send)
            return
        request = Request.of(scope, self._proxies, path)
        request.parameters.extend(values)
        request.credential = credential
        if not known and not await self._admit(route, request):
            await responses.send_overloaded(send)
            return
        answer = await self._answer(endpoint, request, receive)
        if request.body_unread and not await bodies.discarded(request, receive):
            answer = structs.replace(answer, headers=[*answer.headers, ("Connection", "close")])
        # For a stream, the time to its first byte.
        seconds = perf_counter() - begun
        answer = await self._send(receive, send, answer, request, endpoint)
        total = perf_counter() - begun
        if answer.stream is None:
            seconds = total
        metrics.count(request.method, route.path, answer.status, seconds)
        logging.served(
            Served(
                method=request.method[: logging.LONGEST_METHOD],
                path=request.path[: logging.LONGEST_PATH],
                route=route.path,
                status=int(answer.status),
                ms=round(seconds * 1000, 2),
                stream_ms=UNSET if answer.stream is None else round(total * 1000, 2),
                request_id=request.id,
                caller=request.caller.id if request.caller else None,
                address=request.address,
            )
        )

    def _find(self, method: str, path: bytes) -> tuple[BoundRoute, list[str]]:
        try:
            return self._router.find(method, path)
        except Problem as problem:
            return unmatched(problem), []

    async def _admit(self, route: Route, request: Request) -> bool:
        """Whether a request is admitted whose credential is not known to be valid."""
        request.source = source_of(request.address)
        if route.roles is None and route.priority > 1:
            await self._anonymous.delay_health_check(request.source)
            return True
        if route.roles is not None and request.credential:
            return await self._anonymous.admits_lookup(request.source)
        return await self._anonymous.admits(request.source)

    async def _answer(self, endpoint: BoundRoute, request: Request, receive: Receive) -> Response:
        """The response, whatever happens."""
        newer = endpoint.newer if endpoint.newer and self._is_newer(request) else None
        try:
            result = await self._call(endpoint, request, receive, newer)
            if isinstance(result, Response):
                return result
            body = msgspec.json.encode(result)
            if newer:
                return Response(body=newer.encode(body))
            if endpoint.route.revalidated:
                return responses.tagged(body, request)
            return Response(body=body)
        except StoredReply as replay:
            status, body = replay.answer
            if newer and status == HTTPStatus.OK:
                body = newer.encode(body)
            return Response(body=body, status=status, headers=[("Idempotency-Replayed", "true")])
        except Problem as problem:
            problem = newer.refusal(problem, request) if newer else problem
            return error_response(problem, request.id, endpoint.route.failure)
        except Exception:
            log.exception("fault", request_id=request.id, path=request.path)
            return error_response(InternalError(), request.id)

    async def _call(
        self, endpoint: BoundRoute, request: Request, receive: Receive, newer: NewerShape | None
    ) -> Any:
        route = endpoint.route
        if route.roles is not None:
            await (
                self._authenticate_new(request, route.priority)
                if request.source
                else self._authenticate_known(request)
            )
        # Before the permission is checked: refused requests count too.
        if (charged := self._rates.charge(endpoint.rates, request)) is not None:
            await charged
        if route.roles is not None:
            self._authorise(request, request.caller, route)
        given = dict(endpoint.services)
        for name, resolve in endpoint.resolvers.items():
            given[name] = resolve(request)
        if endpoint.body is not None:
            raw = await self._receive_body(route, request, receive)
            if route.keeps_body:
                request.raw_body = raw
            # In a thread: decoding it here would delay every other request of the process.
            if len(raw) > LARGE_BODY:
                given["body"] = await asyncio.to_thread(
                    read_body, endpoint.body, raw, request, newer
                )
            else:
                given["body"] = read_body(endpoint.body, raw, request, newer)
        if endpoint.context is not None:
            name, made = endpoint.context
            given[name] = await made(request, endpoint)
        work = route.handler(**given)
        if route.priority > 1:
            return await work
        if route.roles is not None and not route.calls_out:
            return await self._limiter.run(work)
        return await self._limited_by_source(route, request, work)

    async def _limited_by_source(self, route: Route, request: Request, work: Awaitable[Any]) -> Any:
        """Do `work` within a limit of its own: anonymous requests, and waits for other services."""
        if request.caller is not None and route.calls_out:
            return await self._outgoing.run(work, request.caller.id)
        limiter = self._anonymous.outgoing if route.calls_out else self._anonymous.work
        return await limiter.run(work, request.source or str(request.credential))

    async def _receive_body(self, route: Route, request: Request, receive: Receive) -> bytes:
        begun = perf_counter()
        raw = await bodies.received(request, receive, route.largest)
        if route.roles is None:
            return raw
        # The credential may have been revoked while the body arrived.
        if perf_counter() - begun > SLOW_BODY_SECONDS:
            self._authorise(request, await self._authenticate(request), route)
        # The limit may have been reached while the body arrived; older requests have priority.
        if not self._limiter.has_capacity(route.priority * BODY_ARRIVED):
            raise Overloaded
        return raw

    async def _authenticate_known(self, request: Request) -> None:
        """Set the caller whose credential was valid before: in flight during the check too."""
        self._limiter.in_flight += 1
        try:
            request.caller = await self._authenticate(request)
        except Unauthorized:
            self._anonymous.found_bad(request.credential, source_of(request.address))
            raise
        finally:
            self._limiter.in_flight -= 1
        self._anonymous.found_good(request.credential)

    async def _authenticate_new(self, request: Request, share: float) -> None:
        """Set the caller whose credential is new: in flight only if it is valid."""
        if not self._anonymous.lookups.try_acquire(request.source):
            raise Overloaded
        try:
            request.caller = await self._authenticate(request)
        except Unauthorized:
            if request.credential:
                self._anonymous.found_bad(request.credential, request.source)
            raise
        finally:
            self._anonymous.lookups.release(request.source)
        self._anonymous.found_good(request.credential)
        if not self._limiter.has_capacity(share):
            raise Overloaded

    async def _send(
        self,
        receive: Receive,
        send: Send,
        answer: Response,
        request: Request,
        endpoint: BoundRoute,
    ) -> Response:
        """Send the response; return what was sent, which may be a refusal instead."""
        if answer.stream is not None and request.method != "HEAD":
            return await self._send_stream(receive, send, answer, request, endpoint)
        if len(answer.body) > streaming.LARGE and request.method != "HEAD":
            return await self._send_large(send, answer, request, endpoint)
        await responses.send(send, answer, request, endpoint.headers)
        return answer

    async def _send_large(
        self, send: Send, answer: Response, request: Request, endpoint: BoundRoute
    ) -> Response:
        """Send a large response in chunks, with a deadline, or a 503; return what was sent."""
        limiter = self._downloads if request.caller else self._anonymous.downloads
        source = request.source or source_of(request.address)
        if not limiter.try_acquire(source):
            answer = error_response(Overloaded(), request.id, endpoint.route.failure)
            await responses.send(send, answer, request, endpoint.headers)
            return answer
        try:
            await send(responses.head(answer, request, endpoint.headers))
            body = await failpoints.first_byte(send, answer.body)
            await streaming.hand_over(body, send, self._patience)
        except TimeoutError:
            log.info("answer_cut", request_id=request.id, reason="the client was too slow")
        finally:
            limiter.release(source)
        return answer

    async def _send_stream(
        self,
        receive: Receive,
        send: Send,
        answer: Response,
        request: Request,
        endpoint: BoundRoute,
    ) -> Response:
        """Send a stream until it ends, or refuse one export too many; return what was sent."""
        assert answer.stream is not None
        if not answer.is_export:
            await responses.send(send, answer, request, endpoint.headers)
            await self._pour(answer.stream, receive, send, request)
            return answer
        source = request.caller.id if request.caller else source_of(request.address)
        if not self._exports.try_acquire(source):
            answer = error_response(exports.TooManyExports(), request.id, endpoint.route.failure)
            await responses.send(send, answer, request, endpoint.headers)
            return answer
        try:
            await responses.send(send, answer, request, endpoint.headers)
            await self._pour(exports.paced(answer.stream), receive, send, request)
        finally:
            self._exports.release(source)
        return answer

    async def _pour(
        self, pieces: AsyncGenerator[bytes], receive: Receive, send: Send, request: Request
    ) -> None:
        try:
            await streaming.pour(pieces, receive, send, self._patience)
        except TimeoutError:
            log.info("stream_cut", request_id=request.id, reason="the client is too slow")
        except Exception:
            log.exception("fault", request_id=request.id, path=request.path)
