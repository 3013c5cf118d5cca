"""
Structured logging, on standard error: JSON lines, or lines for people on a terminal.

Secrets are redacted: nothing logs bodies or headers, and a field with the name of a
secret is masked.

A thread writes the lines, so a slow reader of the log blocks no request. Lines are dropped
and counted when the buffer is full, or when they cannot be written: the disk is full, or the
reader has closed the pipe.
"""

import atexit
import logging
import os
import re
import sys
import time
from collections import deque
from collections.abc import MutableMapping
from datetime import UTC, datetime
from threading import Event, Thread
from typing import Any, TextIO, cast

import msgspec
import structlog
from msgspec import UNSET, Struct, UnsetType, field, structs

from gamekeeper.core.escapes import escaped
from gamekeeper.core.observability import loggers, metrics
from gamekeeper.core.settings import Settings

LONGEST_METHOD = 32
LONGEST_PATH = 1024
"""The method and path of a request are cut to this length: clients choose them."""

MOST_LINES = 10_000
"""The size of the buffer in lines; a few megabytes."""

WRITTEN_EVERY = 0.05
"""Seconds between two writes: a thread that wakes up for each line slows down the event loop."""

FLUSH_SECONDS = 2.0
"""How long the process waits at exit for its last lines to be written."""

CREDENTIAL = re.compile(r"(gk[ar]?_)[A-Za-z0-9_-]{20,}")
"""In a path: clients of Intersect name a sign-in by its refresh token."""

SECRET = frozenset(
    {"authorization", "code", "key", "new", "password", "refresh_token", "secret", "token"}
)


class Served(Struct, kw_only=True):
    """The access log line of one request."""

    event: str = "request"
    method: str
    path: str
    route: str
    status: int
    ms: float
    stream_ms: float | UnsetType = UNSET
    """Until a stream ended; `ms` is until its first byte."""
    request_id: str
    caller: str | None
    address: str
    level: str = "info"
    timestamp: datetime = field(default_factory=lambda: datetime.now(UTC))


class Sink:
    """A file descriptor that may stall, and the thread that writes lines to it."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: deque[bytes] = deque()
        self._dropped = 0
        self._waiting = Event()
        self._ended = False
        self._thread = Thread(target=self._run, name="log writer", daemon=True)
        self._thread.start()

    def put(self, line: bytes) -> None:
        if len(self._lines) >= MOST_LINES:
            self._drop(1)
            return
        self._lines.append(line)
        if not self._waiting.is_set():
            self._waiting.set()

    def write(self, text: str) -> None:
        self.put(text.encode())

    def flush(self) -> None:
        """Nothing to do: the thread writes, and `close` waits for it."""

    def close(self) -> None:
        """Wait for the last lines, but only a moment: a stalled reader must not block the exit."""
        self._ended = True
        self._waiting.set()
        self._thread.join(FLUSH_SECONDS)

    def _run(self) -> None:
        while self._lines or not self._ended:
            self._waiting.wait()
            self._waiting.clear()
            self._write_all()
            if not self._ended:
                time.sleep(WRITTEN_EVERY)

    def _write_all(self) -> None:
        while self._lines:
            batch = [self._lines.popleft() for _ in range(min(len(self._lines), 500))]
            lost = self._write(b"".join(batch))
            if lost:
                self._drop(lost.count(b"\n"))
            elif (dropped := self._dropped) and not self._write(
                _encode(DroppedLines(count=dropped)) + b"\n"
            ):
                self._dropped -= dropped

    def _drop(self, lines: int) -> None:
        self._dropped += lines
        metrics.LOG_LINES_DROPPED.inc(lines)

    def _write(self, text: bytes) -> bytes:
        """Return what could not be written."""
        while text:
            try:
                text = text[os.write(self._descriptor, text) :]
            except BlockingIOError:
                time.sleep(WRITTEN_EVERY)
            except OSError:
                return text
        return b""


class DroppedLines(Struct, kw_only=True):
    """The line that says how many lines were dropped before it."""

    event: str = "log_lines_dropped"
    count: int
    level: str = "warning"
    timestamp: datetime = field(default_factory=lambda: datetime.now(UTC))


class ServerHandler(logging.Handler):
    """Forwards the log records of the HTTP server to our log."""

    def emit(self, record: logging.LogRecord) -> None:
        structlog.get_logger().log(
            record.levelno, record.getMessage(), logger=record.name, exc_info=record.exc_info
        )


_sink: Sink | None = None
_direct = False
_encode = msgspec.json.Encoder().encode


def served(line: Served) -> None:
    """Write the access log line; every request pays for it, so it bypasses structlog."""
    if "gk" in line.path:
        line.path = CREDENTIAL.sub(r"\1***", line.path)
    if _sink is None or not _direct:
        about = structs.asdict(line)
        structlog.get_logger().info(
            **{
                name: value
                for name, value in about.items()
                if name not in ADDED and value is not UNSET
            }
        )
    else:
        line.path = escaped(line.path)
        _sink.put(_encode(line) + b"\n")


ADDED = ("level", "timestamp")


def is_for_people(settings: Settings) -> bool:
    """Whether the log is read by a person: standard error is a terminal, or the setting says so."""
    if settings.log_format == "auto":
        return sys.stderr.isatty()
    return settings.log_format == "console"


def configure(settings: Settings) -> None:
    global _sink, _direct
    as_json = not is_for_people(settings)
    _direct = as_json and settings.log_level in ("debug", "info")
    if _sink is None:
        _sink = Sink(sys.stderr.fileno())
        atexit.register(_sink.close)
    loggers.has_log = True
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _blank,
            structlog.processors.format_exc_info,
            *(
                [structlog.processors.JSONRenderer()]
                if as_json
                else [_escape, structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())]
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            getattr(logging, settings.log_level.upper())
        ),
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, _sink)),
        cache_logger_on_first_use=True,
    )


def _escape(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Escape control characters of paths and names; a traceback keeps its line breaks."""
    for name, value in event.items():
        if isinstance(value, str):
            event[name] = escaped(value, keep="\n" if name == "exception" else "")
    return event


def _blank(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for name in SECRET & event.keys():
        event[name] = "***"
    return event
