"""
One line for each thing that happened, as JSON, on standard error.

Secrets have no way in: nothing logs bodies or headers, and a field with a
telling name is blanked even if somebody tries.
"""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

from gamekeeper.settings import Settings

SECRET = frozenset(
    {"authorization", "code", "key", "new", "password", "refresh_token", "secret", "token"}
)


def configure(settings: Settings) -> None:
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
