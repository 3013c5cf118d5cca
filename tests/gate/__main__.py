"""`just gate`: every reliability test at its full size."""

import argparse
import asyncio
import os
import sys
from pathlib import Path

import msgspec

from tests import processes
from tests.gate import pages, results
from tests.gate.execution import Gate
from tests.gate.plan import Run, chosen
from tests.gate.results import Result

LOGS = results.ROOT / ".gate"

ABOUT = """
Runs the reliability tests at their full size, two at a time on two cores, and those that measure
time alone. Each run writes docs/gate/NAME.json with its commit, machine, load and seed; from these
files the table of docs/reliability.md and docs/reliability-gate.md are made.
"""
EXAMPLES = """
examples:
  just gate                              everything, for some hours on an idle machine
  just gate --only kills,trades          two runs
  just gate --only kills --size ci       as CI runs it; nothing is stored
  just gate --list                       the runs, their sizes and minutes
  just gate --pages                      write the pages again from the stored results

The output of a run is in .gate/NAME.log while it runs. With GAMEKEEPER_TEST_SERVER the tests use
that PostgreSQL, otherwise one of their own, which waits for no disk.
"""


def main(words: list[str]) -> int:
    options = _parser().parse_args(words)
    runs = list(chosen(options.only))
    if options.list:
        print(_described(runs))
    elif options.pages:
        pages.write(results.stored())
    else:
        processes.watch()
        return asyncio.run(_execute(runs, options))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "just gate",
        description=ABOUT,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", metavar="NAMES", help="some runs only, with commas")
    parser.add_argument("--size", choices=["full", "ci"], default="full")
    parser.add_argument("--seed", type=int, default=1, help="of generated tests (default: 1)")
    parser.add_argument(
        "--places", type=int, default=os.cpu_count() or 1, help="runs at a time (default: cores)"
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.add_argument("--list", action="store_true", help="list the runs and end")
    parser.add_argument("--pages", action="store_true", help="write the pages and end")
    return parser


def _described(runs: list[Run]) -> str:
    lines = [f"{run.name:<20} {run.minutes:>3} min  {run.in_gate}" for run in runs]
    minutes = sum(run.minutes for run in runs)
    return "\n".join([*lines, f"{minutes} minutes one after the other, {len(runs)} runs"])


async def _execute(runs: list[Run], options: argparse.Namespace) -> int:
    is_full = options.size == "full"
    gate = Gate(LOGS, seed=options.seed, full_size=is_full, places=options.places)
    done: list[Result] = []
    async for result in gate.run_all(runs):
        done.append(result)
        if is_full:
            results.write(result)
            pages.write(results.stored())
        if not options.json:
            _report(result, len(done), len(runs))
    if options.json:
        sys.stdout.write(msgspec.json.encode(done).decode() + "\n")
    return any(result.outcome != "passed" for result in done)


def _report(result: Result, done: int, of: int) -> None:
    passed = sum(test.outcome == "passed" for test in result.tests)
    print(
        f"{done}/{of} {result.name}: {result.outcome}, {passed} of {len(result.tests)} tests, "
        f"{result.seconds / 60:.1f} min",
        flush=True,
    )
    if result.outcome != "passed":
        print(f"  {_log(result.name)} has the output", flush=True)


def _log(name: str) -> Path:
    return (LOGS / f"{name}.log").relative_to(results.ROOT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
