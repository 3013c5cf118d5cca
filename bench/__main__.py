"""`python -m bench`: run the benchmarks, show the results, write the report."""

import asyncio
import shlex
import sys
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from bench import machine, programs, ratios, report
from bench import rounds as bench_rounds
from bench.cases import CASES
from bench.command import run
from bench.fixture import Wanted
from bench.machine import Machine
from bench.programs import Load
from bench.rounds import Lap, Plan
from gamekeeper.cli.demo import progress
from gamekeeper.cli.terminal import AsJson, say, show_json, show_table

NAMES = tuple(case.name for case in CASES)
SERVER = "postgresql://postgres@127.0.0.1:5432/{}"


def _names(listed: str) -> tuple[str, ...]:
    names = tuple(name for name in listed.split(",") if name)
    if unknown := sorted(set(names) - set(NAMES)):
        raise typer.BadParameter(f"there is no '{unknown[0]}'. Choose one of: {', '.join(NAMES)}")
    return names or NAMES


def _workers(listed: str) -> tuple[int, ...]:
    numbers = tuple(int(word) for word in listed.split(",") if word.isdigit())
    if not numbers or not all(1 <= number <= 64 for number in numbers):
        raise typer.BadParameter("numbers from 1 to 64 with commas, for example 1,2")
    return numbers


def bench(
    *,
    players: Annotated[
        int, typer.Option(help="How many characters the world has.", min=10, max=10_000_000)
    ] = 100_000,
    items: Annotated[
        int, typer.Option(help="How many slots of each are filled at least, as in demo.", min=0)
    ] = 0,
    rounds: Annotated[
        int, typer.Option(help="How often everything is measured, in turn.", min=1, max=100)
    ] = 5,
    seconds: Annotated[
        int, typer.Option(help="How long each case is measured in a round.", min=1, max=300)
    ] = 5,
    connections: Annotated[
        int, typer.Option(help="How many ask at once, wrk and pgbench alike.", min=1, max=80)
    ] = 32,
    workers: Annotated[
        str, typer.Option(help="Numbers of worker processes of the service, with commas.")
    ] = "1,2",
    only: Annotated[
        str, typer.Option(help=f"Some cases only, with commas, of: {', '.join(NAMES)}.")
    ] = "",
    warm_up: Annotated[
        bool, typer.Option(help="Measure a second of each first, and forget it.")
    ] = True,
    keep: Annotated[
        bool,
        typer.Option("--keep", help="Keep the filled database, and use it again the next time."),
    ] = False,
    server: Annotated[
        str, typer.Option(help="The PostgreSQL of this machine; {} is a database's name.")
    ] = SERVER,
    docs: Annotated[
        Path, typer.Option(help="Where benchmarks.md and benchmarks.svg go.", file_okay=False)
    ] = Path("docs"),
    as_json: AsJson = False,
) -> None:
    """
    Measure the service against bare PostgreSQL, and write docs/benchmarks.md.

    Fills a database of its own with the demo data, starts the service, and sends
    the same requests in turn: with pgbench directly to PostgreSQL, and with wrk
    to the service. The result is the share: the service's requests per second
    divided by those of bare PostgreSQL in the same round.

    \b
        python -m bench                             # the usual, about 17 minutes
        python -m bench --players 10000000 --items 20 --keep
        python -m bench --only by-id,give --rounds 3 --seconds 2

    Only a run of all cases with at least 5 rounds is written to the report; any
    run is shown. It needs wrk and pgbench, and puts load on this machine only.
    """
    plan = Plan(
        wanted=Wanted(server=server, players=players, items=items, keep=keep),
        load=Load(seconds=seconds, connections=connections),
        rounds=rounds,
        warm_up=warm_up,
        workers=_workers(workers),
        cases=_names(only),
    )
    programs.require()
    sys.stderr.write(f"The rounds take about {timedelta(seconds=plan.seconds)}.\n")
    look = asyncio.run(machine.look(server))
    with progress() as on_progress:
        measured = bench_rounds.measure(plan, look, on_progress)
    _show(plan, look, measured, as_json=as_json)
    _write(plan, look, measured, docs)


def _show(plan: Plan, look: Machine, measured: list[Lap], *, as_json: bool) -> None:
    rows = ratios.rows(measured)
    if as_json:
        show_json({"machine": look, "plan": plan, "rows": rows, "laps": measured})
        return
    show_table(ratios.HEADINGS, ratios.table(rows))
    for fault in ratios.faults(rows):
        say(f"void: {fault}")


def _write(plan: Plan, look: Machine, measured: list[Lap], docs: Path) -> None:
    if plan.rounds < report.ROUNDS or set(plan.cases) != set(NAMES):
        sys.stderr.write("Nothing is written: that takes all cases and 5 rounds.\n")
        return
    command = shlex.join(["python", "-m", "bench", *sys.argv[1:]])
    report.write(docs, plan, look, ratios.rows(measured), command)
    sys.stderr.write(f"Written: {docs / 'benchmarks.md'} and its picture.\n")


if __name__ == "__main__":
    run(bench)
