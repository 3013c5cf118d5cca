"""The results of the matrix: a JSON file for each pair, and the page that is made of them."""

import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from tests.gate.results import ROOT
from tests.matrix.versions import PAIRS, POSTGRESQLS, PYTHONS, Pair

FOLDER = ROOT / "docs" / "matrix"
PAGE = ROOT / "docs" / "operate" / "versions.md"
WIDTH = 105
ABOUT = """
Gamekeeper runs on Linux with Python 3.11 or newer and PostgreSQL 15 or newer. CI has Python 3.11
and PostgreSQL 15, those of Debian 12. `just matrix` runs the tests on the other versions and writes
this page from the files in `docs/matrix`; do not edit it by hand.
"""
PARTS = """
*All* is every test that needs only PostgreSQL. *Core* is the contract, the ledger with undo,
migrations, the upgrade from the version before, backups, the import from Intersect, and the live
link of game servers with events.
"""


class PairResult(Struct, frozen=True, kw_only=True):
    """What the tests of a pair came to."""

    python: str
    """The exact version, such as 3.13.0."""
    postgresql: str
    part: Literal["all", "core"]
    outcome: Literal["passed", "failed"]
    passed: int
    skipped: int
    failed: list[str]
    """The names of tests."""
    seconds: int
    day: str
    commit: str
    is_changed: bool
    """Whether files differed from the commit."""
    machine: str


def write(pair: Pair, result: PairResult, folder: Path = FOLDER) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = msgspec.json.format(msgspec.json.encode(result), indent=1)
    (folder / f"{pair.file_name}.json").write_bytes(text + b"\n")


def stored(folder: Path = FOLDER) -> dict[Pair, PairResult]:
    """The last result of each pair that has one."""
    files = {pair: folder / f"{pair.file_name}.json" for pair in PAIRS}
    return {
        pair: msgspec.json.decode(file.read_bytes(), type=PairResult)
        for pair, file in files.items()
        if file.exists()
    }


def page(results: Mapping[Pair, PairResult]) -> str:
    return "\n".join(_lines(results)) + "\n"


def _lines(results: Mapping[Pair, PairResult]) -> Iterator[str]:
    yield "# Supported versions"
    yield ""
    yield textwrap.fill(ABOUT.strip(), WIDTH)
    yield ""
    yield "| | " + " | ".join(f"PostgreSQL {major}" for major in POSTGRESQLS) + " |"
    yield "|---|" + "---|" * len(POSTGRESQLS)
    for python in PYTHONS:
        cells = [_cell(results.get(Pair(python, major))) for major in POSTGRESQLS]
        yield f"| Python {python} | " + " | ".join(cells) + " |"
    yield ""
    yield textwrap.fill(PARTS.strip(), WIDTH)
    for pair, result in results.items():
        yield ""
        yield from _section(pair, result)


def _cell(result: PairResult | None) -> str:
    return f"{result.part}: {result.outcome}" if result else "not tested"


def _section(pair: Pair, result: PairResult) -> Iterator[str]:
    changed = " with changes" if result.is_changed else ""
    yield f"## Python {result.python} and PostgreSQL {result.postgresql}"
    yield ""
    yield textwrap.fill(
        f"{result.passed:,} tests passed, {len(result.failed)} failed, {result.skipped} skipped, "
        f"in {result.seconds / 60:.0f} minutes. {result.day}, commit {result.commit[:9]}{changed}; "
        f"{result.machine}.",
        WIDTH,
    )
    yield ""
    yield f"    just matrix {'--core ' if result.part == 'core' else ''}--only {pair}"
    for name in result.failed:
        yield f"* `{name}`"
