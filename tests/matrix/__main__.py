"""`just matrix`: the tests on each supported Python and PostgreSQL."""

import argparse
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import msgspec

from tests import processes
from tests.gate.results import ROOT, commit, today
from tests.matrix import installation, results
from tests.matrix.installation import FOLDER, CannotInstall
from tests.matrix.results import PairResult
from tests.matrix.versions import CORE, Pair, chosen, run_version

ALL = "not (browser or engines or deploy or torture or slow)"
ABOUT = """
Runs the tests that need only PostgreSQL on each supported version of Python and PostgreSQL, one
pair after the other. Each writes a file into docs/matrix; docs/operate/versions.md is made of them.
"""
EXAMPLES = """
examples:
  just matrix                            every pair, some hours
  just matrix --core                     every pair, the parts that a version can break
  just matrix --only 3.13/18,3.12/17     two pairs
  just matrix --pages                    write the page again from the stored results

Python must be there as python3.12 and so on (with pyenv: PYENV_VERSION=3.11.7:3.12.1:3.13.0);
PostgreSQL 16 to 18 are installed. The output is in .matrix/python-3.13-postgresql-18.log.
"""


def main(words: list[str]) -> int:
    options = _parser().parse_args(words)
    if not options.pages:
        processes.watch()
        done = [_run(pair, options) for pair in chosen(options.only)]
        if options.json:
            sys.stdout.write(msgspec.json.encode([each for each in done if each]).decode() + "\n")
        if not all(result and result.outcome == "passed" for result in done):
            return 1
    results.PAGE.write_text(results.page(results.stored()))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "just matrix",
        description=ABOUT,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", metavar="PAIRS", help="some pairs only, with commas")
    parser.add_argument("--core", action="store_true", help="only the parts that a version breaks")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.add_argument("--pages", action="store_true", help="write the page and end")
    return parser


def _run(pair: Pair, options: argparse.Namespace) -> PairResult | None:
    """The result of a pair, which is stored; None if it cannot be installed here."""
    try:
        python = installation.environment(pair.python)
        programs = installation.server(pair.postgresql)
    except CannotInstall as reason:
        _say(options, f"{pair}: not run. {reason}")
        return None
    begun = time.monotonic()
    report = _execute(pair, python, programs, is_core=options.core)
    result = _result(python, programs, report, begun, is_core=options.core)
    results.write(pair, result)
    results.PAGE.write_text(results.page(results.stored()))
    _say(options, f"{pair}: {result.passed} passed, {len(result.failed)} failed")
    return result


def _say(options: argparse.Namespace, text: str) -> None:
    print(text, file=sys.stderr if options.json else sys.stdout, flush=True)


def _execute(pair: Pair, python: Path, programs: Path, *, is_core: bool) -> Path:
    """Run the tests of a pair on a server of its own; returns their report."""
    report = FOLDER / f"{pair.file_name}.xml"
    report.unlink(missing_ok=True)
    path = os.pathsep.join([str(python / "bin"), str(programs), os.environ["PATH"]])
    own = {"PATH": path, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    own |= {"VIRTUAL_ENV": str(python)}
    environment = {name: value for name, value in os.environ.items() if name != "PYENV_VERSION"}
    workers = (os.cpu_count() or 1) * 3 // 2
    pytest = [python / "bin/pytest", "-n", str(workers), "--dist", "loadfile", "-m", ALL]
    pytest += [f"--junitxml={report}", "-o", f"cache_dir={FOLDER / 'cache'}"]
    command = [python / "bin/python", "-m", "tests.clusters", *pytest, *(CORE if is_core else ())]
    with (FOLDER / f"{pair.file_name}.log").open("wb") as log:
        subprocess.run(
            command,
            cwd=ROOT,
            env=environment | own,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            check=False,
        )
    return report


def _result(
    python: Path, programs: Path, report: Path, begun: float, *, is_core: bool
) -> PairResult:
    cases = list(ElementTree.parse(report).iter("testcase")) if report.exists() else []
    failed = [case for case in cases if _has(case, "failure", "error")]
    skipped = [case for case in cases if _has(case, "skipped")]
    names = {f"{case.get('classname')}::{case.get('name')}" for case in failed}
    made_on, is_changed = commit()
    return PairResult(
        python=run_version(python / "bin/python") or "",
        postgresql=run_version(programs / "postgres") or "",
        part="core" if is_core else "all",
        outcome="passed" if cases and not failed else "failed",
        passed=len(cases) - len(failed) - len(skipped),
        skipped=len(skipped),
        failed=sorted(names),
        seconds=round(time.monotonic() - begun),
        day=today(),
        commit=made_on,
        is_changed=is_changed,
        machine=f"{os.cpu_count()} cores, Linux {platform.release()}",
    )


def _has(case: ElementTree.Element, *outcomes: str) -> bool:
    return any(case.find(outcome) is not None for outcome in outcomes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
