"""Statistics: medians over the rounds, and the share of bare PostgreSQL with its spread."""

import statistics
from collections.abc import Callable, Sequence

from msgspec import Struct

from bench.cases import CASES
from bench.programs import Figures
from bench.rounds import BARE, Lap


class Spread(Struct, frozen=True):
    median: float
    least: float
    most: float


class Row(Struct, frozen=True, kw_only=True):
    """One case with one number of workers."""

    case: str
    title: str
    workers: int
    rounds: int
    """The valid rounds, in which neither side had a fault."""
    bare: Figures
    served: Figures
    share: Spread | None
    """The service's rate divided by the bare rate, per round, and the median of these."""
    faults: list[str]


def rows(laps: Sequence[Lap]) -> list[Row]:
    workers = sorted({lap.workers for lap in laps} - {BARE})
    measured = {lap.case for lap in laps}
    return [
        _row([lap for lap in laps if lap.case == case.name], case.name, case.title, number)
        for case in CASES
        if case.name in measured
        for number in workers
    ]


def _row(laps: Sequence[Lap], case: str, title: str, workers: int) -> Row:
    bare = {lap.round: lap.figures for lap in laps if lap.workers == BARE}
    served = {lap.round: lap.figures for lap in laps if lap.workers == workers}
    good = [number for number in bare if not (bare[number].fault or served[number].fault)]
    shares = [served[number].rate / bare[number].rate for number in good]
    return Row(
        case=case,
        title=title,
        workers=workers,
        rounds=len(good),
        bare=_medians([bare[number] for number in good]),
        served=_medians([served[number] for number in good]),
        share=Spread(statistics.median(shares), min(shares), max(shares)) if shares else None,
        faults=[
            f"{title}, {side}, round {number}: {figures[number].fault}"
            for number in bare
            for side, figures in (("bare", bare), (f"service with {workers}", served))
            if figures[number].fault
        ],
    )


def _medians(figures: Sequence[Figures]) -> Figures:
    def median(of: Callable[[Figures], float]) -> float:
        return statistics.median([of(one) for one in figures]) if figures else 0.0

    return Figures(
        rate=median(lambda one: one.rate),
        p50=median(lambda one: one.p50),
        p99=median(lambda one: one.p99),
    )


def faults(of: Sequence[Row]) -> list[str]:
    """All faults, once each: a fault of the bare side affects every row of its case."""
    return list(dict.fromkeys(fault for row in of for fault in row.faults))


HEADINGS = ("request", "workers", "bare/s", "p50 ms", "p99 ms")
HEADINGS += ("service/s", "p50 ms", "p99 ms", "share", "spread")


def table(of: Sequence[Row]) -> list[list[str]]:
    return [[row.title, str(row.workers), *_figures(row)] for row in of]


def _figures(row: Row) -> list[str]:
    if row.share is None:
        return ["void", *[""] * 7]
    return [
        *(f"{row.bare.rate:,.0f}", f"{row.bare.p50:.2f}", f"{row.bare.p99:.2f}"),
        *(f"{row.served.rate:,.0f}", f"{row.served.p50:.2f}", f"{row.served.p99:.2f}"),
        f"{row.share.median:.2f}",
        f"{row.share.least:.2f} – {row.share.most:.2f}",
    ]
