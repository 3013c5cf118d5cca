"""
Loggers that import structlog when they log their first event.

The import takes about 0.2 seconds of CPU (structlog imports Rich and Pygments), which a
command that logs nothing should not wait for. `core.logging` configures the output.
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
