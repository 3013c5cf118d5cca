"""
Spans of requests, batches, statements and deliveries, sent to a collector by OTLP over HTTP.

Imported only while traces are on. No span has a value: no argument of a statement, no path, no
query, no body, no message of an exception (PostgreSQL quotes values in them). A thread sends the
spans; while the collector is away they are dropped, and the log says so.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any

from opentelemetry import context, trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace import Link, Span, SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from gamekeeper.core.observability import loggers
from gamekeeper.core.observability.log_throttle import LogThrottle

EXPORT_SECONDS = 2
LONGEST_STATEMENT = 4000

log = loggers.get_logger()


class SpanRecorder:
    def __init__(self, url: str, percent: int) -> None:
        _take_over_log()
        # A caller from the internet may name a trace, but not make us record more than our share.
        share = TraceIdRatioBased(percent / 100)
        about = {"service.name": "gamekeeper", "service.version": version("gamekeeper")}
        self._provider = TracerProvider(
            sampler=ParentBased(share, remote_parent_sampled=share),
            resource=Resource.create(about),
            shutdown_on_exit=False,
        )
        exporter = OTLPSpanExporter(endpoint=url, timeout=EXPORT_SECONDS)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("gamekeeper")
        self._propagator = TraceContextTextMapPropagator()

    def here(self) -> Context:
        """Where the caller is in its trace."""
        return context.get_current()

    @contextmanager
    def request(
        self, method: str, route: str, headers: Iterable[tuple[bytes, bytes]]
    ) -> Iterator[Span]:
        """The span of a request; its parent is the one that the header `traceparent` names."""
        carrier = {
            name.decode("latin-1"): value.decode("latin-1")
            for name, value in headers
            if name in (b"traceparent", b"tracestate")
        }
        about = {"http.request.method": method, "http.route": route}
        parent = self._propagator.extract(carrier, context=Context())
        with self._span(f"{method} {route}", SpanKind.SERVER, about, parent) as span:
            yield span

    @contextmanager
    def batch(self, name: str, callers: Sequence[Context]) -> Iterator[None]:
        """
        The span of a batch: a child of the first caller that is recorded, linked to the others.

        Without a name there is no span, but what happens belongs to that caller all the same.
        """
        recorded = [caller for caller in callers if trace.get_current_span(caller).is_recording()]
        if not recorded:
            # Not of the request that happened to start this task.
            token = context.attach(Context())
            try:
                yield
            finally:
                context.detach(token)
            return
        first, *others = recorded
        if not name:
            token = context.attach(first)
            try:
                yield
            finally:
                context.detach(token)
            return
        about = {"gamekeeper.operation": name, "gamekeeper.batch.size": len(callers)}
        links = [Link(trace.get_current_span(other).get_span_context()) for other in others]
        with self._span(name, SpanKind.INTERNAL, about, first, links):
            yield

    @contextmanager
    def statement(self, sql: str) -> Iterator[None]:
        """The span of a statement: its text with `$1`, never what stands for it."""
        if not trace.get_current_span().is_recording():
            yield
            return
        text = " ".join(sql.split())
        about = {"db.system.name": "postgresql", "db.query.text": text[:LONGEST_STATEMENT]}
        with self._span(text.partition(" ")[0], SpanKind.CLIENT, about):
            yield

    @contextmanager
    def delivery(self, kind: str) -> Iterator[tuple[Span, list[tuple[str, str]]]]:
        """The span of a delivery to a webhook, and the headers that tell the target of it."""
        about = {"http.request.method": "POST", "gamekeeper.event": kind}
        with self._span("webhook delivery", SpanKind.CLIENT, about, Context()) as span:
            carrier: dict[str, str] = {}
            self._propagator.inject(carrier)
            yield span, list(carrier.items())

    @contextmanager
    def _span(
        self,
        name: str,
        kind: SpanKind,
        about: dict[str, Any],
        parent: Context | None = None,
        links: Sequence[Link] = (),
    ) -> Iterator[Span]:
        with self._tracer.start_as_current_span(
            name,
            context=parent,
            kind=kind,
            attributes=about,
            links=links,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield span
            except BaseException as fault:
                span.set_attribute("error.type", type(fault).__name__)
                span.set_status(StatusCode.ERROR)
                raise

    def close(self) -> None:
        self._provider.shutdown()


def answered(span: Span, status: int, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    """Note the status of a response, and the request's id, which the log has too."""
    span.set_attribute("http.response.status_code", status)
    for name, value in headers:
        if name == b"x-request-id":
            span.set_attribute("gamekeeper.request_id", value.decode("latin-1"))
    if status >= 500:
        span.set_status(StatusCode.ERROR)


class Complaints(logging.Handler):
    """What OpenTelemetry complains about goes to our log, once in a while."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._throttle = LogThrottle()

    def emit(self, record: logging.LogRecord) -> None:
        if self._throttle.is_due("traces_unsent"):
            log.warning("traces_unsent", reason=record.getMessage()[:300])


def _take_over_log() -> None:
    library = logging.getLogger("opentelemetry")
    library.handlers, library.propagate = [Complaints()], False
