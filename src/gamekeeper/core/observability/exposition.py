"""
The exposition of metrics: the text that Prometheus scrapes, and where it is served.

With several processes the one that is scraped adds up the counts of all.
"""

import asyncio
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from os import environ
from pathlib import Path
from time import monotonic

from msgspec import Struct
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    generate_latest,
    multiprocess,
    start_http_server,
)
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import REGISTRY

from gamekeeper.core.environment import wrong
from gamekeeper.core.settings import BadSettings, Settings

CONTENT_TYPE = CONTENT_TYPE_LATEST


class LiveCollector(multiprocess.MultiProcessCollector):
    """The metrics of all processes; without the gauges of those that have crashed."""

    def collect(self) -> Iterable[Metric]:
        for file in Path(environ["PROMETHEUS_MULTIPROC_DIR"]).glob("gauge_live*_*.db"):
            if not _is_running(int(file.stem.rpartition("_")[2])):
                file.unlink(missing_ok=True)
        return super().collect()


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def registry() -> CollectorRegistry:
    """The registry that covers all processes of one `serve`."""
    if "PROMETHEUS_MULTIPROC_DIR" not in environ:
        return REGISTRY
    collected = CollectorRegistry()
    LiveCollector(collected)
    return collected


def serve_metrics(settings: Settings) -> None:
    """Serve /metrics in a thread, if the settings name an address of its own for it."""
    if place := settings.metrics_host_and_port:
        try:
            start_http_server(place[1], place[0], registry())
        except OSError as fault:
            form = f"a free address of this machine: {fault.strerror}"
            raise BadSettings(wrong("metrics_address", form, settings.metrics_address)) from None


FRESH_SECONDS = 0.5


class Exposition:
    """The text exposition, rendered in a thread and cached: at most two renderings a second."""

    def __init__(self) -> None:
        self._making: asyncio.Task[bytes] | None = None
        self._begun = 0.0

    async def text(self) -> bytes:
        if self._making is None or monotonic() - self._begun > FRESH_SECONDS:
            self._begun = monotonic()
            self._making = asyncio.create_task(asyncio.to_thread(_rendered))
        return await asyncio.shield(self._making)


def _rendered() -> bytes:
    return generate_latest(registry())


# ── Gauges of the whole installation ──


class Measure(Struct, frozen=True):
    """A gauge that one process measures for the whole installation."""

    help: str
    label: str = ""


Measured = Mapping[str, Sequence[tuple[str, float]]]
"""The values of measures by name, each with the value of its label."""


class MeasureCollector:
    """
    The latest values of measures; nothing once they are older than `lifetime` seconds.

    An ordinary gauge would keep its last value in a process that has stopped to measure.
    """

    def __init__(self, measures: Mapping[str, Measure], lifetime: float) -> None:
        self._measures, self._lifetime = measures, lifetime
        self._values: Measured = {}
        self._at = -inf

    def update(self, values: Measured) -> None:
        self._values, self._at = values, monotonic()

    def collect(self) -> Iterator[Metric]:
        if monotonic() - self._at > self._lifetime:
            return
        for name, values in self._values.items():
            measure = self._measures[name]
            family = GaugeMetricFamily(
                name, measure.help, labels=[measure.label] if measure.label else []
            )
            for label, value in values:
                family.add_metric([label] if measure.label else [], value)
            yield family
