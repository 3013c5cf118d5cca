"""The benchmark report: docs/benchmarks.md and its chart."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench import plot, ratios
from bench.fixture import KEYS, TOKENS
from bench.machine import Machine
from bench.ratios import HEADINGS, Row
from bench.rounds import Plan

ROUNDS = 5
"""The minimum for a report: with fewer, a median says little."""
BUSY = 0.25
"""A load average per core above this means that other programs are running."""


def write(folder: Path, plan: Plan, machine: Machine, rows: Sequence[Row], command: str) -> None:
    day = datetime.now(UTC).date()
    title = (
        f"{plan.wanted.players:,} players, {plan.load.connections} connections, "
        f"median of {plan.rounds} rounds of {plan.load.seconds} s, "
        f"{machine.cores} cores for client, service and PostgreSQL; {day}"
    )
    (folder / "benchmarks.svg").write_text(plot.svg(rows, title))
    (folder / "benchmarks.md").write_text(
        PAPER.format(
            day=day,
            command=command,
            players=f"{plan.wanted.players:,}",
            rounds=plan.rounds,
            seconds=plan.load.seconds,
            connections=plan.load.connections,
            table=_table(rows),
            faults=_faults(rows),
            machine=_machine(machine),
            quiet=_quiet(machine),
            keys=f"{KEYS:,}",
            tokens=f"{TOKENS:,}",
        )
    )


def _table(rows: Sequence[Row]) -> str:
    lines = [HEADINGS, ["---", *["---:"] * (len(HEADINGS) - 1)], *ratios.table(rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _faults(rows: Sequence[Row]) -> str:
    faults = [f"* {fault}" for fault in ratios.faults(rows)]
    if not faults:
        return "No round is void: every request of every round was answered with 2xx."
    return "\n".join(["Void rounds, which do not count above:", "", *faults])


def _machine(machine: Machine) -> str:
    settings = ", ".join(f"`{name}` {value}" for name, value in machine.settings.items())
    return f"""\
* {machine.processor}, {machine.cores} cores, {machine.memory_gib} GiB, Linux {machine.kernel};
  load average before the start {machine.load:.1f}
* PostgreSQL {machine.postgresql}: {settings}
* Python {machine.python}, wrk {machine.wrk}"""


def _quiet(machine: Machine) -> str:
    if machine.load < BUSY * machine.cores:
        return "The machine was quiet before the start."
    return "The machine was busy with other work already: this is a first look, and no more."


PAPER = """\
# Benchmarks

How much of what PostgreSQL can do is left when it is asked through the service. Written by
`just bench`; do not edit it by hand.

![Shares of bare PostgreSQL, one bar for each kind of request](benchmarks.svg)

{day}, {players} players, {connections} connections, medians of {rounds} rounds of {seconds} s.

{table}

*Bare* is pgbench, *service* is the whole service over HTTP, asked by wrk. The *share* is the
service's rate divided by the bare rate of the same round; its median is shown, and the least
and the most of all rounds. Figures per second are of this machine on that day; on another day
the same machine may give half as many. The shares are what to compare.

{faults}

## The machine

{machine}

{quiet}

Client, service and PostgreSQL share these cores. So a share also pays for the client, and two
workers can gain little where there are two cores.

## To repeat it

    {command}

It needs `wrk` and `pgbench` (Debian: `apt-get install wrk postgresql`) and a PostgreSQL
on this machine; it makes a database of its own and drops it. What it runs for each case and
side:

    pgbench --no-vacuum --protocol prepared --file CASE.sql --client {connections} --jobs 1 \\
        --time {seconds} --log --sampling-rate …
    wrk --threads 1 --connections {connections} --duration {seconds}s --latency \\
        --script bench/load.lua http://127.0.0.1:PORT -- METHOD REQUESTS CREDENTIAL [BODY]

`gamekeeper serve` runs with the settings it has by default, its log of a line for each request
included. In each round every case is run bare, then by one worker process, then by two (in the
next round the other way round), so that what else the machine does falls on all. A warm-up of a
second each comes before. An answer other than 2xx makes the round of its case void.

## Comparison

* **player by id, inventory**: bare is the one statement that fetches the answer, taken from the
  service as it runs, not copied. What else the service asks counts against the service.
* **player by name**: bare is one statement with the service's own columns that goes from the
  name to the character.
* **random pages**: each request asks for another page, of all there are; bare is the service's
  own statement, taken from it as it runs, with a random page. These are the figures of a list.
* **pages, shared; online count**: all ask for the same, and equal reads that wait at the same
  time are done once for all of them: that is why these shares are above 1. It is what a page that
  everybody looks at costs, and no measure of the lists. What a deep page costs beside the first
  one is told by the bare rates.
* **give, take**: bare is one statement that locks the player, changes the slot, the ledger's
  head, and adds a posting, an action and a reply, in the same tables with the same indexes and
  keys. Before anything is measured, one of each is made by the service and by that statement,
  and the rows they leave behind must be the same. Every request has an `Idempotency-Key` of its
  own.
* **token check, player by id**: each of {tokens} access tokens in turn, so that none is
  remembered from its last turn; bare is the statement that checks the token, then the player's.

All others send one API key, which the service looks up once every two seconds. Requests go over
{keys} characters picked at random. pgbench has no way to take one of many strings: its
statements call a function from a number to a key, which PostgreSQL puts into the plan as a
constant array. In one
connection, alternating, that took 36 µs and a parameter 37 (one run of 12 s). Across separate runs
of 1 s, planning included, on a busy machine, it reached 0.78 of a parameter (0.67 to 1.12 in seven
rounds): what it costs bare is not settled, and whatever it costs flatters the shares of the cases
with keys. A table of keys would be a second lookup. With these functions pgbench plans once for
each connection (`plan_cache_mode`); pages are planned as for the service. The p50 and p99 of
pgbench are of some 5,000 transactions of each round, because a log of all slows it down.

## The lines of others

Shares of bare PostgreSQL measured in the same way on such a machine (2 shared vCPU, wrk with 32
connections, three rounds of 5 seconds, 2026-11-14): Nakama's `GET /v2/account` 0.20 and `PUT
/v2/storage` 0.29, each with its own check of a token; a FastAPI application with SQLAlchemy's
ORM reading one player by id, without any check, 0.05. Their bare read was one lookup by primary
key, simpler than ours, which joins what a player's record shows: that makes our bare slower and
our share of it larger. Differences of less than a quarter between two such runs mean nothing.
"""
