"""
One connection to another service: sends a request and parses the response as it arrives.

httptools (the parser of Node.js, llhttp) checks what the target sends. It resolves nothing,
follows no redirects and decompresses nothing; the limits of size are here.
"""

import asyncio
from contextlib import suppress
from time import monotonic
from typing import cast

from httptools import HttpParserError, HttpResponseParser

MAX_HEAD = 16 * 1024
MAX_INTERIM = 4
"""Interim responses (1xx) that may precede a response."""
MAX_BODY = 1000
"""Bytes of a response body, by default. A shorter one is read to its end, and its connection
reused."""
MAX_AGE_SECONDS = 60
SWITCHING_PROTOCOLS = 101
VERSIONS = ("1.0", "1.1")


class ResponseError(OSError):
    """The target sent something that is not an HTTP response, or nothing."""


class HttpConnection(asyncio.Protocol):
    """An open connection: one request at a time."""

    def __init__(self, max_body: int = MAX_BODY) -> None:
        self._max_body = max_body
        self._opened = monotonic()
        self._transport: asyncio.Transport | None = None
        self._parser = HttpResponseParser(self)
        self._response: _Response | None = None
        self._is_complete = True
        self._is_reusable = True

    @property
    def is_good(self) -> bool:
        """Whether another request can be sent."""
        young = monotonic() - self._opened < MAX_AGE_SECONDS
        return young and self._is_reusable and self._is_complete and not self._is_closed

    @property
    def is_complete(self) -> bool:
        """Whether the last response was read to its end."""
        return self._is_complete

    async def exchange(self, request: bytes, body_seconds: float) -> tuple[int, bytes]:
        """Send a whole request; the status of the response and the first part of its body."""
        if self._transport is None or self._is_closed:
            raise ConnectionResetError("The connection is closed.")
        self._is_complete = False
        response = self._response = _Response()
        self._transport.write(request)
        try:
            status = await response.status
            # The status says all that matters, so a body that is cut off is no failure.
            with suppress(TimeoutError):
                async with asyncio.timeout(body_seconds):
                    await response.end
        finally:
            self._response = None
        return status, bytes(response.body[: self._max_body])

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    @property
    def _is_closed(self) -> bool:
        return self._transport is None or self._transport.is_closing()

    # ── Called by the event loop ──

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Not asserted: the transports of uvloop are no subclass of it.
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        if self._response is None or self._is_complete:
            # Unsolicited: it must never be taken for the next response.
            self._is_reusable = False
            self.close()
            return
        self._response.received += len(data)
        try:
            self._parser.feed_data(data)
        except HttpParserError as error:
            self._fail(ResponseError(f"Not an HTTP response: {error}"))
        else:
            if not self._response.status.done() and self._response.received > MAX_HEAD:
                self._fail(ResponseError("The response headers are too long."))

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_reusable = False
        if self._response is not None:
            self._fail(exc or ResponseError("The target closed the connection."))

    # ── Called by the parser ──

    def on_message_begin(self) -> None:
        if self._is_complete:
            self._is_reusable = False

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._response is not None and not self._is_complete:
            self._response.head += len(name) + len(value)

    def on_headers_complete(self) -> None:
        response = self._response
        if response is None or self._is_complete:
            return
        status = self._parser.get_status_code()
        if response.head > MAX_HEAD:
            self._fail(ResponseError("The response headers are too long."))
        elif status == SWITCHING_PROTOCOLS or self._parser.get_http_version() not in VERSIONS:
            self._fail(ResponseError("The target wants to speak another protocol."))
        elif status < 200:
            response.interim += 1
            if response.interim > MAX_INTERIM:
                self._fail(ResponseError("The target sent too many interim (1xx) responses."))
        else:
            response.set_status(status)

    def on_body(self, body: bytes) -> None:
        response = self._response
        if response is None or self._is_complete:
            return
        response.body += body[: self._max_body + 1 - len(response.body)]
        if len(response.body) > self._max_body:
            self._is_reusable = False
            response.set_end()
            self.close()

    def on_message_complete(self) -> None:
        if self._response is not None and self._response.status.done():
            self._is_reusable = self._is_reusable and self._parser.should_keep_alive()
            self._is_complete = True
            self._response.set_end()

    def _fail(self, error: Exception) -> None:
        self._is_reusable = False
        if self._response is not None:
            self._response.fail(error)
        self.close()


class _Response:
    """What has arrived of the response to a request."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.status: asyncio.Future[int] = loop.create_future()
        self.end: asyncio.Future[None] = loop.create_future()
        self.body = bytearray()
        self.received = self.head = self.interim = 0

    def set_status(self, status: int) -> None:
        if not self.status.done():
            self.status.set_result(status)

    def set_end(self) -> None:
        if not self.end.done():
            self.end.set_result(None)

    def fail(self, error: Exception) -> None:
        """No response, or the end of its body if the status has arrived."""
        if self.status.done():
            self.set_end()
        else:
            self.status.set_exception(error)
