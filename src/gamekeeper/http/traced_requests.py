"""Requests as spans of a trace (W3C trace context); used only while traces are on."""

from collections.abc import Callable, Mapping
from typing import Any

from gamekeeper.core.observability import metrics, spans
from gamekeeper.core.observability.spans import SpanRecorder
from gamekeeper.http.cors import Serve
from gamekeeper.http.streaming import Receive, Send


class TracedRequests:
    """Calls the application within the span of each request."""

    def __init__(
        self, serve: Serve, route_of: Callable[[Mapping[str, Any]], str], recorder: SpanRecorder
    ) -> None:
        self._serve, self._route_of, self._recorder = serve, route_of, recorder

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        method = scope["method"] if scope["method"] in metrics.METHODS else "other"
        with self._recorder.request(method, self._route_of(scope), scope["headers"]) as span:

            async def watched(message: Any) -> None:
                if message["type"] == "http.response.start":
                    spans.answered(span, message["status"], message["headers"])
                await send(message)

            await self._serve(scope, receive, watched)
