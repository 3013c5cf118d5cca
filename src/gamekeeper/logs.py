"""
One line for each thing that happened, as JSON, on standard error.

Secrets have no way in: nothing logs bodies or headers, and a field with a
telling name is blanked even if somebody tries.
"""

import logging
import sys
from collections.abc import MutableMapping
from datetime import UTC, datetime
from typing import Any, BinaryIO

import msgspec
import structlog
from msgspec import Struct, field, structs

from gamekeeper.settings import Settings

SECRET = frozenset(
    {"authorization", "code", "key", "new", "password", "refresh_token", "secret", "token"}
)


class Served(Struct, kw_only=True):
    """The line for one request."""

    event: str = "request"
    method: str
    path: str
    route: str
    status: int
    ms: float
    request_id: str
    caller: str | None
    address: str
    level: str = "info"
    timestamp: datetime = field(default_factory=lambda: datetime.now(UTC))


_stream: BinaryIO | None = None
_encode = msgspec.json.Encoder().encode


def served(line: Served) -> None:
    """Write the line of a request: the only one that every request pays for, so directly."""
    if _stream is None:
        about = structs.asdict(line)
        structlog.get_logger().info(**{name: about[name] for name in about if name not in ADDED})
    else:
        _stream.write(_encode(line) + b"\n")
        _stream.flush()


ADDED = ("level", "timestamp")


def configure(settings: Settings) -> None:
    global _stream
    direct = settings.log_format == "json" and settings.log_level in ("debug", "info")
    _stream = sys.stderr.buffer if direct else None
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _blank,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer()
            if settings.log_format == "json"
            else structlog.dev.ConsoleRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            getattr(logging, settings.log_level.upper())
        ),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def _blank(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for name in SECRET & event.keys():
        event[name] = "***"
    return event
