"""Pagination commands: verify and rebuild the counts of the lists."""

from collections.abc import Awaitable, Callable
from enum import StrEnum
from time import perf_counter
from typing import Annotated, TypeVar

import typer

from gamekeeper.cli.command import Output, change, command
from gamekeeper.core.settings import Settings
from gamekeeper.db.paging import maintenance
from gamekeeper.db.paging import verify as paging_verify
from gamekeeper.db.paging.orderings import ORDERINGS, Ordering
from gamekeeper.db.paging.verify import Finding, Miscount

T = TypeVar("T")

SHOWN = 10
"""Wrong counts of a list that are printed; --json has all."""


class Which(StrEnum):
    RANK = "rank"
    PLAYERS = "players"
    USERS = "users"
    ONLINE = "online"


Only = Annotated[Which | None, typer.Argument(help="The list; default: all lists.")]


@command
async def verify(settings: Settings, only: Only = None) -> Output:
    """
    Compare the counts of the lists with the rows themselves.

    Pagination uses stored counts: the number of players in each bucket of the
    ranking. Gamekeeper keeps them exact, but a script that writes directly into the
    tables does not. This command counts the rows of each bucket and reports each wrong
    count. The exit code is then 1, and `gamekeeper lists rebuild` repairs the counts.

    It reads one snapshot, changes nothing and can run while the game is live.
    """
    findings = await _each(settings, only, paging_verify.check)
    lines = [line for finding, seconds in findings for line in _for_people(finding, seconds)]
    found = [finding for finding, _ in findings]
    return Output(found, *lines, code=1 if any(finding.wrong for finding in found) else 0)


@change()
async def rebuild(settings: Settings, only: Only = None) -> Output:
    """
    Rebuild the counts of the lists while the service runs.

    Needed after a script wrote directly into `players`, `users` or `presences`, or when
    `gamekeeper lists verify` reports a wrong count. Players and users can be created and
    changed during the rebuild, and pages use the old counts until the new ones replace them
    in one step. If the command is interrupted, nothing changes.
    """
    done = await _each(settings, only, maintenance.rebuild_ordering)
    lists = [(each.name, *result) for each, result in zip(_chosen(only), done, strict=True)]
    return Output(
        [
            {"list": name, "total": total, "seconds": round(seconds, 3)}
            for name, total, seconds in lists
        ],
        *(f"{name}: rebuilt, {total:,} rows in {seconds:.1f} s." for name, total, seconds in lists),
    )


def _chosen(only: Which | None) -> list[Ordering]:
    return [listing for listing in ORDERINGS if only in (None, listing.name)]


async def _each(
    settings: Settings, only: Which | None, work: Callable[[Settings, Ordering], Awaitable[T]]
) -> list[tuple[T, float]]:
    """Run `work` on each list; return the results, with the seconds each took."""
    done = []
    for listing in _chosen(only):
        begun = perf_counter()
        result = await work(settings, listing)
        done.append((result, perf_counter() - begun))
    return done


def _for_people(finding: Finding, seconds: float) -> list[str]:
    if not finding.wrong:
        rows, buckets = _counted(finding.total, "row"), _counted(finding.buckets, "bucket")
        return [f"{finding.name}: correct, {rows} in {buckets}, counted in {seconds:.1f} s."]
    lines = [f"{finding.name}: wrong in {len(finding.wrong):,} places."]
    lines += [f"  {_line(wrong)}" for wrong in finding.wrong[:SHOWN]]
    if len(finding.wrong) > SHOWN:
        lines.append("  … and others; --json shows all.")
    return [*lines, "  Run: gamekeeper lists rebuild " + finding.name]


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _line(wrong: Miscount) -> str:
    what = "the bucket" if wrong.height == 0 else f"the sum of height {wrong.height}"
    if wrong.kept is None:
        return f"{what} at the start of the list is missing"
    found = "starts where no bucket starts" if wrong.found is None else f"has {wrong.found:,}"
    return f"{what} from {wrong.begins} on is stored as {wrong.kept:,}, but {found}"
