"""The report of a soak: a line for each interval, what grew, and a plot."""

import statistics
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from bench.machine import Machine
from bench.paced import Sample

MEGABYTE = 1e6
WIDTH, HEIGHT = 720, 110
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 24, 20
HEADINGS = [
    *("minute", "per s", "failed", "p50 ms", "p99 ms", "serve MB", "worker MB"),
    *("lag s", "dead rows", "state MB"),
]

STYLE = """
text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #24292f }
.quiet { fill: #57606a; font-size: 11px } .end { text-anchor: end }
.grid { stroke: #d0d7de } .line { stroke: #35523f; fill: none; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .quiet { fill: #9da7b1 }
  .grid { stroke: #373e47 } .line { stroke: #7fb38d }
}
"""


class Interval(Struct, frozen=True, kw_only=True):
    """Some seconds at a fixed rate, and the state at their end."""

    minute: float
    """Since the start, at its end."""
    sample: Sample
    service_bytes: int
    worker_bytes: int
    lag: float
    """Seconds since the oldest action that is not in the hash chain."""
    dead_rows: int
    state_bytes: int
    """Of the tables that keep one row for each thing."""


class Soak(Struct, frozen=True, kw_only=True):
    """A whole run."""

    machine: Machine
    players: int
    share: float
    highest: float
    """Requests a second without a fixed rate, before the run."""
    intervals: list[Interval]
    command: str


class Curve(Struct, frozen=True):
    title: str
    of: Callable[[Interval], float]


CURVES = (
    Curve("p99, ms", lambda interval: interval.sample.p99),
    Curve("Memory of serve, MB", lambda interval: interval.service_bytes / MEGABYTE),
    Curve("Memory of the worker, MB", lambda interval: interval.worker_bytes / MEGABYTE),
    Curve("Lag of the hash chain, s", lambda interval: interval.lag),
    Curve("Dead rows, thousands", lambda interval: interval.dead_rows / 1000),
    Curve(
        "Players, slots, heads and holdings, MB", lambda interval: interval.state_bytes / MEGABYTE
    ),
)


def row(interval: Interval) -> list[str]:
    sample = interval.sample
    return [
        f"{interval.minute:.1f}",
        f"{sample.rate:,.0f}",
        f"{sum(sample.failures.values()):,}",
        f"{sample.p50:,.1f}",
        f"{sample.p99:,.1f}",
        f"{interval.service_bytes / MEGABYTE:,.0f}",
        f"{interval.worker_bytes / MEGABYTE:,.0f}",
        f"{interval.lag:,.1f}",
        f"{interval.dead_rows:,}",
        f"{interval.state_bytes / MEGABYTE:,.0f}",
    ]


def summary(soak: Soak) -> list[str]:
    """What was sent, and what changed during the run."""
    requests = sum(interval.sample.requests for interval in soak.intervals)
    failures: dict[str, int] = {}
    for interval in soak.intervals:
        for fault, count in interval.sample.failures.items():
            failures[fault] = failures.get(fault, 0) + count
    faults = ", ".join(f"{count:,} × {fault}" for fault, count in sorted(failures.items()))
    sent = f"{requests:,} requests in {soak.intervals[-1].minute:,.0f} minutes"
    rate = f"{soak.share:.0%} of {soak.highest:,.0f}/s"
    return [f"{sent}, {rate}; failed: {faults or 'none'}", *changes(soak.intervals)]


def changes(intervals: Sequence[Interval]) -> list[str]:
    """Each figure in the first and in the last quarter of the run."""
    quarter = max(1, len(intervals) // 4)
    first, last = intervals[:quarter], intervals[-quarter:]
    return [
        f"{curve.title}: median {_median(curve, first):,.1f} in the first quarter, "
        f"{_median(curve, last):,.1f} in the last"
        for curve in CURVES
    ]


def write(folder: Path, soak: Soak) -> None:
    """Write soak.md and soak.svg."""
    (folder / "soak.svg").write_text(svg(soak.intervals))
    lines = "\n".join(f"- {sentence}" for sentence in summary(soak))
    look = soak.machine
    (folder / "soak.md").write_text(
        f"""# Soak

Written by the command below; do not edit it by hand. It fills a database with {soak.players:,}
characters, measures how many requests a second the machine answers, and sends
{soak.share:.0%} of them at a fixed rate. [Capacity](capacity.md) has the limits of a process.

    {soak.command}

![Latency, memory, lag and bloat over the run](soak.svg)

{lines}

Latency counts from the instant a request was due. *Dead rows* are those that vacuum has not
removed yet. {look.processor}, {look.cores} cores, {look.memory_gib} GiB, PostgreSQL
{look.postgresql} with `fsync` {look.settings["fsync"]}; client, service and PostgreSQL share the
cores. Load average before the start: {look.load:.1f}.
"""
    )


def svg(intervals: Sequence[Interval]) -> str:
    """A small chart for each curve, from zero, so that flat looks flat."""
    height = len(CURVES) * HEIGHT
    charts = [part for at, curve in enumerate(CURVES) for part in _chart(curve, intervals, at)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"',
            f'width="{WIDTH}" height="{height}" role="img"',
            'aria-label="Latency, memory, lag and bloat over the run">',
            f"<style>{STYLE}</style>",
            *charts,
            "</svg>\n",
        ]
    )


def _chart(curve: Curve, intervals: Sequence[Interval], at: int) -> list[str]:
    values = [curve.of(interval) for interval in intervals]
    top, bottom = at * HEIGHT + TOP, (at + 1) * HEIGHT - BOTTOM
    most = max([*values, 1.0])
    wide = (WIDTH - LEFT - RIGHT) / max(1, len(values) - 1)
    points = " ".join(
        f"{LEFT + number * wide:.1f},{bottom - (bottom - top) * value / most:.1f}"
        for number, value in enumerate(values)
    )
    end, minutes = WIDTH - RIGHT, intervals[-1].minute
    return [
        f'<text x="{LEFT}" y="{top - 8}">{curve.title}</text>',
        f'<line class="grid" x1="{LEFT}" y1="{bottom}" x2="{end}" y2="{bottom}"/>',
        f'<line class="grid" x1="{LEFT}" y1="{top}" x2="{end}" y2="{top}"/>',
        f'<text class="quiet end" x="{LEFT - 6}" y="{top + 4}">{most:,.0f}</text>',
        f'<text class="quiet end" x="{LEFT - 6}" y="{bottom + 4}">0</text>',
        f'<text class="quiet end" x="{end}" y="{bottom + 14}">{minutes:,.0f} min</text>',
        f'<polyline class="line" points="{points}"/>',
    ]


def _median(curve: Curve, intervals: Sequence[Interval]) -> float:
    return statistics.median(curve.of(interval) for interval in intervals)
