"""The result of a run: a JSON file in docs/gate, of the commit and machine it was made on."""

import os
import platform
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree

import msgspec
from msgspec import Struct

from tests.gate.plan import RUNS, Run

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "gate"
MAX_LINES = 40
"""Of what a test printed; the last ones are kept."""

Outcome = Literal["passed", "failed", "timed out", "ran nothing"]


class CaseResult(Struct, frozen=True, kw_only=True):
    """One test, with the figures that it printed."""

    name: str
    outcome: Literal["passed", "failed", "skipped"]
    seconds: float
    printed: list[str]


class Result(Struct, frozen=True, kw_only=True):
    """One run of the gate."""

    name: str
    outcome: Outcome
    day: str
    commit: str
    is_changed: bool
    """Whether files differed from the commit."""
    machine: str
    load: float
    """The 1-minute load average before the run."""
    beside: list[str]
    """The runs that ran at the same time."""
    size: Mapping[str, str]
    seed: int
    seconds: float
    tests: list[CaseResult]


def machine() -> str:
    return f"{os.cpu_count()} cores, Linux {platform.release()}, Python {platform.python_version()}"


def commit() -> tuple[str, bool]:
    """The commit of the tree, and whether files differ from it."""
    return _git("rev-parse", "HEAD"), bool(_git("status", "--porcelain", "--", "src", "tests"))


def _git(*words: str) -> str:
    command = ["git", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def today() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d}"


def read_tests(report: Path) -> list[CaseResult]:
    """The tests of a JUnit report that pytest wrote."""
    if not report.exists():
        return []
    cases = ElementTree.parse(report).iter("testcase")
    return [_test(case) for case in cases]


def _test(case: ElementTree.Element) -> CaseResult:
    printed = (case.findtext("system-out") or "").splitlines()
    lines = [line.rstrip() for line in printed if line.strip() and not line.startswith("----")]
    if case.find("failure") is not None or case.find("error") is not None:
        outcome = "failed"
    else:
        outcome = "passed" if case.find("skipped") is None else "skipped"
    return CaseResult(
        name=case.get("name", ""),
        outcome=outcome,
        seconds=round(float(case.get("time", "0")), 1),
        printed=lines[-MAX_LINES:],
    )


def write(result: Result, folder: Path = FOLDER) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = msgspec.json.format(msgspec.json.encode(result), indent=1)
    (folder / f"{result.name}.json").write_bytes(text + b"\n")


def stored(folder: Path = FOLDER) -> dict[str, Result]:
    """The last result of each run that has one, in the order of the plan."""
    files = {run.name: folder / f"{run.name}.json" for run in RUNS}
    return {
        name: msgspec.json.decode(file.read_bytes(), type=Result)
        for name, file in files.items()
        if file.exists()
    }


def outcome_of(run: Run, code: int | None, tests: list[CaseResult]) -> Outcome:
    """The outcome, by the exit code (None: it was ended) and what was run."""
    if code is None:
        return "timed out"
    if run.tests and not any(test.outcome != "skipped" for test in tests):
        return "ran nothing"
    return "passed" if code == 0 else "failed"
