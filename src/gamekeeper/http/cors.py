"""
CORS (cross-origin resource sharing): which web pages may call the API from a browser.

Off by default. Credentials mode is never allowed, so a page can only use a credential that it
has itself: the cookie of a browser session is for our own pages alone. Only paths below
`/api/` take part, and those at which an OpenID client uses its tokens: no page may read metrics or
health checks through a visitor's browser.

With `*` every page may call, but only without a credential: a key that is pasted into
somebody else's page must not work from there.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from gamekeeper.http.requests import path_of
from gamekeeper.http.streaming import Receive, Send

ANY = "*"
PATHS = (b"/api/", b"/openid/token", b"/openid/userinfo", b"/openid/revoke")
METHODS = b"GET, HEAD, POST, PUT, PATCH, DELETE"
MAX_AGE_SECONDS = b"600"

SAFE_HEADERS = (
    b"Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Reason, X-Request-Id"
)
EXPOSED = (
    b"Deprecation, ETag, Idempotency-Replayed, Link, RateLimit, RateLimit-Policy, Retry-After, "
    b"X-Request-Id"
)
VARY = (b"vary", b"Origin")

Serve = Callable[[Mapping[str, Any], Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]


class CrossOrigin:
    """Adds CORS headers to the responses of `serve`, and answers preflight requests."""

    def __init__(self, serve: Serve, origins: frozenset[str]) -> None:
        self._serve = serve
        self._named = frozenset(origin.encode() for origin in origins if origin != ANY)
        self._any = ANY in origins

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        if not path_of(scope).lower().startswith(PATHS):
            await self._serve(scope, receive, send)
            return
        asked = dict(scope["headers"])
        origin = asked.get(b"origin", b"")
        if scope["method"] == "OPTIONS" and b"access-control-request-method" in asked:
            headers = self._preflight(origin)
            if headers:
                await _answer(send, headers)
                return
        added = [*self._allowed(origin, with_credential=b"authorization" in asked), VARY]

        async def send_with_headers(message: Mapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        await self._serve(scope, receive, send_with_headers)

    def _allowed(self, origin: bytes, *, with_credential: bool) -> Headers:
        """The headers that let a page of this origin read the response, if it may."""
        if origin in self._named:
            allowed = origin
        elif origin and self._any and not with_credential:
            allowed = ANY.encode()
        else:
            return []
        return [
            (b"access-control-allow-origin", allowed),
            (b"access-control-expose-headers", EXPOSED),
        ]

    def _preflight(self, origin: bytes) -> Headers:
        """The response to a preflight request, or nothing: then it is an ordinary request."""
        if origin in self._named:
            headers = b"Authorization, " + SAFE_HEADERS
        elif origin and self._any:
            origin, headers = ANY.encode(), SAFE_HEADERS
        else:
            return []
        return [
            (b"access-control-allow-origin", origin),
            (b"access-control-allow-methods", METHODS),
            (b"access-control-allow-headers", headers),
            (b"access-control-max-age", MAX_AGE_SECONDS),
            VARY,
        ]


async def _answer(send: Send, headers: Headers) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
