"""
Traces (OpenTelemetry): off unless `GAMEKEEPER_TRACES_URL` names a collector.

Whoever has something to trace asks here for the recorder. While traces are off there is none, and
OpenTelemetry is not even imported: it is an optional dependency.
"""

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from gamekeeper.core.environment import wrong
from gamekeeper.core.settings import BadSettings, Settings

if TYPE_CHECKING:
    from gamekeeper.core.observability.spans import SpanRecorder

recorder: "SpanRecorder | None" = None

NO_SPAN: AbstractContextManager[Any] = nullcontext()


def check(settings: Settings) -> None:
    """Raise BadSettings if traces are wanted and the packages for them are not there."""
    if settings.traces_url:
        try:
            import gamekeeper.core.observability.spans  # noqa: F401
        except ModuleNotFoundError as missing:
            needs = f"unset, or run: pip install 'gamekeeper[traces]' ({missing.name} is missing)"
            raise BadSettings(wrong("traces_url", needs)) from None


def start(settings: Settings) -> None:
    """Record spans from now on, if the settings name a collector."""
    global recorder
    check(settings)
    if settings.traces_url and recorder is None:
        from gamekeeper.core.observability.spans import SpanRecorder

        recorder = SpanRecorder(settings.traces_url, settings.traces_percent)


def stop() -> None:
    """Send what is left; blocks for some seconds if the collector is away."""
    global recorder
    if recorder is not None:
        recorder.close()
        recorder = None


def operation(name: str) -> AbstractContextManager[Any]:
    """A span for an operation that is carried out for this caller alone."""
    return NO_SPAN if recorder is None else recorder.batch(name, [recorder.here()])
