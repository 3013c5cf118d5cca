"""
`python -m bench.beside OTHER`: A/B comparison of this version with another one.

Each round measures the other checkout and then this one, with the same cases. The results are
the ratios of one round, so that other load on the machine affects both: of the service's rates,
and of their shares of bare PostgreSQL. Each version brings its own bare statements, which may do
more or less than the other's; the ratio of the rates does not depend on them.
"""

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import Struct

from gamekeeper.cli.terminal import AsJson, show_json, show_table

HERE = Path(__file__).parents[1]


class Rate(Struct, frozen=True):
    """One case in one round."""

    per_second: float
    share: float


class Ratio(Struct, frozen=True):
    """This version divided by the other one, in one round."""

    rate: float
    share: float


def beside(
    other: Annotated[
        Path, typer.Argument(help="A checkout of the other version, with its own .venv.")
    ],
    *,
    players: Annotated[int, typer.Option(help="Characters in each world.", min=10)] = 20_000,
    rounds: Annotated[int, typer.Option(help="How often both are measured.", min=1)] = 5,
    seconds: Annotated[int, typer.Option(help="How long each case lasts.", min=1)] = 3,
    workers: Annotated[int, typer.Option(help="Worker processes of the service.", min=1)] = 1,
    only: Annotated[str, typer.Option(help="Some cases only, with commas.")] = "",
    server: Annotated[str, typer.Option(help="The PostgreSQL; {} is a database's name.")] = (
        "postgresql://postgres@127.0.0.1:5432/{}"
    ),
    as_json: AsJson = False,
) -> None:
    """
    Compare this version's rates, and shares of bare PostgreSQL, with another version's.

    \b
        git worktree add ../before d9a901c          # and install it into ../before/.venv
        python -m bench.beside ../before --rounds 7
    """
    more = ["--seconds", str(seconds), "--workers", str(workers), "--server", server]
    more += ["--only", only] if only else []
    ratios: dict[str, list[Ratio]] = {}
    for number in range(1, rounds + 1):
        before = _rates(other, players, more)
        # One more character, so that each version gets a database of its own.
        after = _rates(HERE, players + 1, more)
        for case in before.keys() & after.keys():
            ratios.setdefault(case, []).append(_ratio(after[case], before[case]))
        sys.stderr.write(f"Round {number} of {rounds} is measured.\n")
    _show(ratios, as_json=as_json)


def _rates(checkout: Path, players: int, more: list[str]) -> dict[str, Rate]:
    command = [str(checkout / ".venv" / "bin" / "python"), "-m", "bench", "--json", "--keep"]
    command += ["--rounds", "1", "--players", str(players), *more]
    environment = os.environ | {"PYTHONPATH": "src:."}
    done = subprocess.run(  # noqa: S603 - both checkouts are the caller's own
        command, cwd=checkout, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"The bench of {checkout} failed:\n{done.stderr}")
    rows: list[dict[str, Any]] = json.loads(done.stdout)["rows"]
    return {
        row["case"]: Rate(row["served"]["rate"], row["share"]["median"])
        for row in rows
        if row["share"]
    }


def _ratio(after: Rate, before: Rate) -> Ratio:
    return Ratio(after.per_second / before.per_second, after.share / before.share)


def _show(ratios: dict[str, list[Ratio]], *, as_json: bool) -> None:
    if as_json:
        show_json(ratios)
        return
    rows = [
        [
            case,
            *_spread([ratio.rate for ratio in found]),
            *_spread([ratio.share for ratio in found]),
        ]
        for case, found in sorted(ratios.items())
    ]
    show_table(["case", "rate here by there", "rounds", "share here by there", "rounds"], rows)


def _spread(found: list[float]) -> tuple[str, str]:
    return f"{statistics.median(found):.2f}", f"{min(found):.2f} to {max(found):.2f}"


if __name__ == "__main__":
    typer.run(beside)
