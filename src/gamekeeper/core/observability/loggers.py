"""
Loggers that import structlog when they log their first event.

The import takes more CPU than those of Typer and asyncpg together (structlog imports Rich
and Pygments); a command that logs nothing should not wait for it. `core.logging` configures
the output.
"""

from typing import Any


class LazyLogger:
    """Stands for a structlog logger, which is made when it is first used."""

    _made: Any = None

    def __getattr__(self, name: str) -> Any:
        if self._made is None:
            import structlog

            self._made = structlog.get_logger()
        return getattr(self._made, name)


def get_logger() -> Any:
    return LazyLogger()


has_log = False
"""Whether this process has a log; commands have none, and print their errors."""
