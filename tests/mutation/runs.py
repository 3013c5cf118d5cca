"""`just mutants --random`: mutants picked by a seed, and which of them the tests notice."""

import json
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

from msgspec import Struct, structs
from rich.console import Console

from tests import processes
from tests.clusters import HASTE, MEMORY, ROOM, cluster
from tests.mutation import equivalents
from tests.mutation.selection import Mutant, modules, mutants, pick
from tests.mutation.trials import ROOT, Copy, Verdict, cpu_seconds

PACKAGE = ROOT / "src" / "gamekeeper"


class Options(Struct, frozen=True):
    number: int
    seed: int
    words: list[str]
    """Only modules whose names hold one of them."""
    processes: int
    as_json: bool


class Result(Struct, frozen=True):
    mutant: Mutant
    verdict: Verdict
    reason: str
    """Why it is equivalent, if it is."""

    @property
    def outcome(self) -> str:
        return "equivalent" if self.reason else self.verdict.outcome


def main(options: Options) -> int:
    """Try the picked mutants; a survivor that is not known as equivalent is an error."""
    console = Console(stderr=True, width=160, markup=False, highlight=False)
    names = [name for name in modules(PACKAGE) if _is_named(name, options.words)]
    every = [mutant for name in names for mutant in mutants(PACKAGE, name)]
    picked = pick(every, options.number, options.seed)
    console.print(f"{len(picked)} of {len(every)} mutants of {len(names)} modules.")
    # Python would end at once, without stopping PostgreSQL; if it is killed, the watchdog stops it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    processes.watch()
    results = _results(picked, options.processes, console)
    print(_json(results, options.seed) if options.as_json else _summary(results))
    return 1 if any(result.outcome == "survived" for result in results) else 0


def _is_named(module: str, words: list[str]) -> bool:
    return not words or any(word in module for word in words)


def _results(picked: list[Mutant], side_by_side: int, console: Console) -> list[Result]:
    known = equivalents.read()
    untried = Verdict("survived", "", 0)
    results = [Result(each, untried, known[each.key]) for each in picked if each.key in known]
    unknown = [mutant for mutant in picked if mutant.key not in known]
    unsound: set[str] = set()
    with (
        _copies(side_by_side, unsound) as copies,
        ThreadPoolExecutor(side_by_side) as pool,
    ):

        def attempt(mutant: Mutant) -> Result:
            copy = copies.get()
            try:
                return Result(mutant, copy.trial(mutant), "")
            finally:
                copies.put(copy)

        try:
            for done in as_completed([pool.submit(attempt, mutant) for mutant in unknown]):
                results.append(done.result())
                console.print(f"{len(results):4}/{len(picked)} {_line(results[-1])}")
        finally:
            # An interrupted run ends after the mutants that are being tried, not after all.
            pool.shutdown(cancel_futures=True)
    console.print(f"{cpu_seconds() / max(1, len(unknown)):.1f} s of CPU for each, on average")
    for test in sorted(unsound):
        console.print(f"left out, because it fails without a mutant: {test}")
    return results


@contextmanager
def _copies(number: int, unsound: set[str]) -> Iterator[SimpleQueue[Copy]]:
    """Copies of the tree on a PostgreSQL in memory; they share the tests that are left out."""
    parent = MEMORY if Path(MEMORY).is_mount() else "/tmp"
    with (
        cluster(options=f"{HASTE} {ROOM}", parent=parent) as postgres,
        TemporaryDirectory(prefix="gamekeeper-mutants-") as made,
    ):
        server = str(postgres.settings.database_url).rpartition("/")[0] + "/{}"
        copies: SimpleQueue[Copy] = SimpleQueue()
        for each in range(number):
            copies.put(Copy(Path(made) / str(each), server, unsound))
        yield copies


def _line(result: Result) -> str:
    mutant, verdict = result.mutant, result.verdict
    place = f"{mutant.module}:{mutant.line} ({mutant.kind})"
    test = verdict.test.rpartition("::")[2][:70]
    return f"{result.outcome:9} {verdict.seconds:4.0f} s  {place}  {test}"


def _summary(results: list[Result]) -> str:
    lines = [
        f"\n{result.mutant.module}:{result.mutant.line} in {result.mutant.function}\n"
        f"  - {result.mutant.before}\n  + {result.mutant.after}"
        for result in results
        if result.outcome == "survived"
    ]
    lines += ["", *(f"{name}: {value}" for name, value in _figures(results).items())]
    return "\n".join(lines)


def _figures(results: list[Result]) -> dict[str, float]:
    counted = Counter(result.outcome for result in results)
    killed, total = counted["killed"] + counted["timed out"], len(results)
    return {
        "mutants": total,
        **{each: counted[each] for each in ("killed", "timed out", "survived", "equivalent")},
        "killed, percent": round(100 * killed / max(1, total), 1),
        "killed without equivalents, percent": round(
            100 * killed / max(1, total - counted["equivalent"]), 1
        ),
    }


def _json(results: list[Result], seed: int) -> str:
    shown = [
        {
            **{
                name: value
                for name, value in structs.asdict(result.mutant).items()
                if name != "source"
            },
            **structs.asdict(result.verdict),
            "outcome": result.outcome,
            "reason": result.reason,
        }
        for result in results
    ]
    return json.dumps({"seed": seed, "figures": _figures(results), "mutants": shown}, indent=1)
