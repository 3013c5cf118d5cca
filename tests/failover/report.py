"""The report of drills: JSON, and from it the table and the plot of docs/operate/failover.md."""

import os
import platform
import subprocess
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from xml.sax.saxutils import escape

import msgspec
from msgspec import Struct

from bench.plot import STYLE
from tests.failover.drill import Failover, Finished
from tests.failover.nodes import PAGE
from tests.failover.options import KINDS

RUNS = PAGE.with_suffix(".json")
PLOT = PAGE.with_suffix(".svg")
BEGIN, END = "<!-- drill: begin (just failover --docs) -->\n", "<!-- drill: end -->"
FAULTS = {
    "kill": "PostgreSQL and Patroni killed (`kill -9`)",
    "freeze": "frozen (`SIGSTOP`), then returning",
    "cut": "cut off from the other servers and etcd",
    "disk": "disk full",
    "switchover": "switchover",
}
WIDTH, LEFT, TOP, ROW = 860, 250, 64, 30


class Drill(Struct, frozen=True, kw_only=True):
    """One run, and the machine that it was made on."""

    day: str
    machine: str
    load: float
    """The 1-minute load average before the run."""
    versions: str
    finished: Finished

    @property
    def name(self) -> str:
        options = self.finished.options
        mode = "asynchronous" if options.asynchronous else "synchronous"
        return f"{options.settings} settings, {mode}"


def machine() -> tuple[str, float]:
    return f"{os.cpu_count()} cores, Linux {platform.release()}", os.getloadavg()[0]


def described(finished: Finished, where: tuple[str, float]) -> Drill:
    versions = [_version("patroni", "--version"), _version("etcd", "--version")]
    return Drill(
        day=f"{datetime.now(UTC):%Y-%m-%d}",
        machine=where[0],
        load=round(where[1], 1),
        versions=", ".join(versions),
        finished=finished,
    )


def _version(*command: str) -> str:
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return said.splitlines()[0].strip()


def as_json(drills: Sequence[Drill] | Drill) -> str:
    return msgspec.json.format(msgspec.json.encode(drills), indent=1).decode() + "\n"


def read() -> list[Drill]:
    return msgspec.json.decode(RUNS.read_bytes(), type=list[Drill]) if RUNS.exists() else []


def document(drill: Drill) -> None:
    """Put a run in the place of the last one with these settings, and write the page."""
    drills = [*(each for each in read() if each.name != drill.name), drill]
    RUNS.write_text(as_json(drills))
    PLOT.write_text(plot(drills))
    PAGE.write_text(page(PAGE.read_text("utf-8"), drills))


def page(text: str, drills: Sequence[Drill]) -> str:
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    assert after, f"{PAGE.name} has no place for the figures"
    sections = "\n".join(section(drill) for drill in drills)
    figure = f"![Seconds without writes, a dot for each failover]({PLOT.name})\n\n"
    return f"{before}{BEGIN}{figure}{sections}{END}{after}"


def section(drill: Drill) -> str:
    done = drill.finished
    options = done.options
    proofs = [failover.proof for failover in done.failovers]
    last = proofs[-1]
    unknown = sum(count for said, count in done.answers.items() if "outcome_unknown" in said)
    return "\n".join(
        [
            (
                f"**{drill.name.capitalize()}** ({drill.day}: {drill.machine}, load "
                f"{drill.load:g}, {drill.versions}; {options.clients} clients: "
                f"{', '.join(options.operations)})"
            ),
            "",
            *table(done.failovers, asynchronous=options.asynchronous),
            "",
            (
                f"{last.acknowledged:,} changes were acknowledged, {unknown:,} answers were "
                f"`outcome_unknown`. {sum(proof.lost for proof in proofs):,} acknowledged changes "
                f"were lost, {sum(proof.doubled for proof in proofs):,} were made twice, and "
                f"{sum(proof.events_lost for proof in proofs):,} of {last.events:,} streamed "
                f"events no longer existed. {sum(proof.holds for proof in proofs)} of "
                f"{len(proofs)} proofs held."
            ),
            "",
        ]
    )


def table(failovers: Sequence[Failover], *, asynchronous: bool) -> Iterator[str]:
    lost = " | Lost, at most" if asynchronous else ""
    yield (
        "| Fault of the primary | Failovers | Until a standby is promoted | Without writes: "
        f"median, worst | After the promotion, at most{lost} |"
    )
    yield "|---|---|---|---|---|" + ("---|" if asynchronous else "")
    for kind in KINDS:
        those = [each for each in failovers if each.kind == kind]
        if those:
            column = f" | {max(each.proof.lost for each in those):,}" if asynchronous else ""
            yield f"| {FAULTS[kind]} | {len(those)} | {_times(those)}{column} |"


def _times(failovers: Sequence[Failover]) -> str:
    elections = [each.election for each in failovers if each.election is not None]
    resumed = [each.resumed for each in failovers if each.resumed is not None]
    without = [each.without_writes for each in failovers]
    return (
        f"{_seconds(median(elections)) if elections else 'none is'} | "
        f"{_seconds(median(without))}, {_seconds(max(without))} | "
        f"{_seconds(max(resumed)) if resumed else ''}"
    )


def _seconds(number: float) -> str:
    return f"{number:.1f} s"


def plot(drills: Sequence[Drill]) -> str:
    """A line for each kind of each run, and a dot on it for each failover."""
    rows = [
        (f"{kind}, {drill.name.replace(' settings', '')}", those)
        for drill in drills
        for kind in KINDS
        if (those := [f.without_writes for f in drill.finished.failovers if f.kind == kind])
    ]
    most = max([10.0, *(second for _, those in rows for second in those)]) * 1.05
    height = TOP + ROW * len(rows) + 40
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"',
            f'width="{WIDTH}" height="{height}" role="img" aria-label="{TITLE}">',
            f"<style>{STYLE}</style>",
            f'<text class="title" x="14" y="26">{TITLE}</text>',
            *_axis(most, height - 30),
            *(line for place, row in enumerate(rows) for line in _row(place, row, most)),
            "</svg>\n",
        ]
    )


TITLE = "Seconds without writes, a dot for each failover"


def _x(seconds: float, most: float) -> float:
    return round(LEFT + (WIDTH - LEFT - 40) * seconds / most, 1)


def _axis(most: float, bottom: int) -> Iterator[str]:
    step = 5 if most <= 60 else 20
    for second in range(0, int(most) + 1, step):
        x = _x(second, most)
        yield f'<line class="grid" x1="{x}" y1="{TOP - 14}" x2="{x}" y2="{bottom}"/>'
        yield f'<text class="quiet middle" x="{x}" y="{bottom + 16}">{second}</text>'


def _row(place: int, row: tuple[str, Sequence[float]], most: float) -> Iterator[str]:
    name, seconds = row
    y = TOP + ROW * place
    yield f'<text class="end" x="{LEFT - 12}" y="{y + 4}">{escape(name)}</text>'
    for second in seconds:
        yield f'<circle class="one" cx="{_x(second, most)}" cy="{y}" r="5" opacity="0.6"/>'


def written(file: str, drill: Drill) -> None:
    Path(file).write_text(as_json(drill))
