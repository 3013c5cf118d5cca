"""What the documentation says of the gate, made of the plan and the stored results."""

import textwrap
from collections.abc import Iterator, Mapping

from tests.gate.plan import RUNS, Run
from tests.gate.results import ROOT, Result

RELIABILITY = ROOT / "docs" / "reliability.md"
PAGE = ROOT / "docs" / "reliability-gate.md"
BEGIN, END = "<!-- gate: begin (just gate) -->\n", "<!-- gate: end -->"
WIDTH = 105
ABOUT = """
`just gate` runs the tests of [reliability](reliability.md) at their full size and writes this page
from the files in `docs/gate`; do not edit it by hand. Each section has what its tests printed in
their last run.
"""


def write(results: Mapping[str, Result]) -> None:
    RELIABILITY.write_text(with_table(RELIABILITY.read_text("utf-8"), results))
    PAGE.write_text(page(results))


def with_table(text: str, results: Mapping[str, Result]) -> str:
    """The page on reliability, with the table anew."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    assert after, f"{RELIABILITY.name} has no place for the table"
    return "\n".join([f"{before}{BEGIN.rstrip()}", *table(results), f"{END}{after}"])


def table(results: Mapping[str, Result]) -> Iterator[str]:
    yield "| Test | Files | In CI | In the gate | Last run of the gate |"
    yield "|---|---|---|---|---|"
    for run in RUNS:
        files = ", ".join(f"`{file}`" for file in run.files())
        last = _last(results.get(run.name))
        yield f"| {run.proves} | {files} | {run.in_ci} | {run.in_gate} | {last} |"


def _last(result: Result | None) -> str:
    if result is None:
        return "not yet"
    return f"[{result.day}: {result.outcome}](reliability-gate.md#{result.name})"


def page(results: Mapping[str, Result]) -> str:
    return "\n".join([*_introduction(results), *_sections(results)]).rstrip() + "\n"


def _introduction(results: Mapping[str, Result]) -> Iterator[str]:
    yield "# Results of the gate"
    yield ""
    yield textwrap.fill(ABOUT.strip(), WIDTH)
    missing = [run.name for run in RUNS if run.name not in results]
    if missing:
        yield ""
        yield textwrap.fill(f"Not run at full size yet: {', '.join(missing)}.", WIDTH)


def _sections(results: Mapping[str, Result]) -> Iterator[str]:
    for run in RUNS:
        if result := results.get(run.name):
            yield ""
            yield from _section(run, result)


def _section(run: Run, result: Result) -> Iterator[str]:
    yield f"## {run.name}"
    yield ""
    yield f"{run.proves}."
    yield ""
    count = sum(test.outcome == "passed" for test in result.tests)
    beside = f"; beside it ran {', '.join(result.beside)}" if result.beside else ""
    changed = " with changes" if result.is_changed else ""
    yield (
        f"{result.outcome.capitalize()}, {count} of {len(result.tests)} tests, "
        f"{result.seconds / 60:.0f} minutes. {result.day}, commit {result.commit[:9]}{changed}; "
        f"{result.machine}; load average before it {result.load:g}{beside}."
    )
    yield ""
    yield f"    just gate --only {run.name} --seed {result.seed}"
    lines = [line for test in result.tests for line in test.printed]
    if lines:
        yield ""
        yield "```text"
        yield from lines
        yield "```"
