"""The undo command: undo one action, or everything one actor did (bulk undo)."""

from typing import Annotated

import typer
from msgspec import Struct
from msgspec.structs import replace

from gamekeeper.cli.actor import As, audit_context
from gamekeeper.cli.options import DryRun, Reason, Since, Until
from gamekeeper.cli.terminal import AsJson, progress, say, show_json, show_table, with_database
from gamekeeper.cli.times import InUtc, TerminalClock
from gamekeeper.core.errors import Invalid
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import action_ids
from gamekeeper.undo import bulk, execute
from gamekeeper.undo.bulk import Sweep, Swept, Tally
from gamekeeper.undo.execute import UndoConflict, Undoing, Undone
from gamekeeper.undo.plan import Change, Obstacle
from gamekeeper.users.actors import find_only_actor


def undo(
    action: Annotated[
        str | None,
        typer.Argument(metavar="ID", help="The action's id, or at least its first 8 digits."),
    ] = None,
    *,
    actor: Annotated[
        str | None,
        typer.Option(
            metavar="ACTOR",
            help="Undo all actions of this actor: a name, key:NAME, user:NAME, cli:NAME or system.",
        ),
    ] = None,
    since: Since = None,
    until: Until = None,
    dry_run: DryRun = False,
    partial: Annotated[bool, typer.Option("--partial", help="Undo as much as possible.")] = False,
    utc: InUtc = False,
    as_: As = None,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """
    Undo an action by its id, or all actions of an actor in a time range.

    An undo is also an action, so it can be undone. If later changes conflict, nothing
    changes and the command lists the conflicts. Exit code 1: something was not undone.

    gamekeeper actions undo --actor ana --from 'yesterday 18:00' --to '2 hours ago' --dry-run
    """
    by = audit_context(as_, reason)
    if action is not None and actor is None:
        order = UnresolvedUndo(by=by, action=action, partial=partial)
        return _undo_one(order, dry_run=dry_run, as_json=as_json)
    begin, end = TerminalClock(utc=utc).period(since, until)
    if action is None and actor is not None and begin is not None and end is not None:
        sweep = Sweep(by=by, actor=actor, since=begin, until=end, partial=partial)
        return _undo_many(sweep, dry_run=dry_run, as_json=as_json)
    raise Invalid("Give either an action's id, or all of --actor, --from and --to.")


# ── One action ──


class UnresolvedUndo(Struct, frozen=True, kw_only=True):
    """An undo of an action that is named by its id, or by the beginning of it."""

    by: AuditContext
    action: str
    partial: bool

    async def resolve(self, reader: Reader) -> Undoing:
        found = await action_ids.find_action_id(reader, self.action)
        return Undoing(by=self.by, action_id=found, partial=self.partial)


def _undo_one(order: UnresolvedUndo, *, dry_run: bool, as_json: bool) -> None:
    operation = execute.foresee if dry_run else execute.undo

    async def work(database: Database) -> Undone:
        return await operation.one(database, await order.resolve(database.reader))

    try:
        done = with_database(work)
    except UndoConflict as conflict:
        _show_obstacles(conflict.details["in_the_way"])  # pyright: ignore
        raise
    if as_json:
        show_json(done)
    else:
        show_table(["what", "id", "where", "change"], [_row(change) for change in done.done])
        _show_obstacles(done.not_done)
        say(_sentence(done))
    if not done.complete:
        raise typer.Exit(1)


def _sentence(done: Undone) -> str:
    how = "all of it" if done.complete else "a part of it"
    if done.dry_run:
        return f"A dry run: {how} can be undone; nothing was."
    return f"Undone, {how}. To undo that again: gamekeeper actions undo {done.id}"


def _row(change: Change) -> list[str]:
    where = "" if change.slot is None else f"{change.place or ''} {change.slot}".strip()
    moved = f"{change.before} → {change.after}"
    return [
        change.what,
        change.name or str(change.id or ""),
        where,
        moved if change.quantity is None else f"{change.quantity:+}",
    ]


def _show_obstacles(obstacles: list[Obstacle]) -> None:
    rows = [
        [
            obstacle.reason.replace("_", " "),
            obstacle.what,
            obstacle.name or str(obstacle.id or ""),
            obstacle.place or "",
            "" if obstacle.wanted is None else f"{obstacle.possible} of {obstacle.wanted}",
            "" if obstacle.reason != "changed_since" else f"{obstacle.expected}, {obstacle.found}",
        ]
        for obstacle in obstacles
    ]
    if rows:
        show_table(["in the way", "what", "id", "where", "possible", "expected, found"], rows)


# ── Everything one actor did ──


def _undo_many(sweep: Sweep, *, dry_run: bool, as_json: bool) -> None:
    swept = with_database(lambda database: _all(database, sweep, dry_run=dry_run))
    if as_json:
        show_json(swept)
    else:
        show_table(
            ["kind", "found", "undone", "partly", "undone before", "covered", "left"],
            [[tally.kind, *map(str, _counts(tally))] for tally in swept.kinds],
        )
        left = [[str(left.id), left.kind, left.message] for left in swept.left]
        if left:
            show_table(["not undone", "kind", "why"], left)
        say("A dry run: nothing was undone." if dry_run else "Done.")
    if swept.left:
        raise typer.Exit(1)


async def _all(database: Database, sweep: Sweep, *, dry_run: bool) -> Swept:
    """Call the bulk undo until its last page, and add up the results."""
    sweep = replace(sweep, actor=await find_only_actor(database.reader, sweep.actor))
    total = Swept(actor=sweep.actor, dry_run=dry_run, kinds=[], left=[], next=None)
    with progress("actions") as tell:
        while True:
            swept: Swept = await bulk.sweep(database, sweep, dry_run=dry_run)
            kinds = _added(total.kinds, swept.kinds)
            total = replace(total, kinds=kinds, left=total.left + swept.left)
            looked_at = sum(sum(_counts(tally)[1:]) for tally in total.kinds)
            tell(looked_at, sum(tally.found for tally in total.kinds))
            if swept.next is None:
                return total
            sweep = replace(sweep, cursor=swept.next)


def _added(before: list[Tally], now: list[Tally]) -> list[Tally]:
    known = {tally.kind: _counts(tally)[1:] for tally in before}
    sums = {
        tally.kind: [a + b for a, b in zip(_counts(tally)[1:], known[tally.kind], strict=True)]
        for tally in now
        if tally.kind in known
    }
    names = ("undone", "partly", "already_undone", "covered", "left")
    return [
        replace(tally, **dict(zip(names, sums[tally.kind], strict=True)))
        if tally.kind in sums
        else tally
        for tally in now
    ]


def _counts(tally: Tally) -> list[int]:
    return [
        tally.found,
        tally.undone,
        tally.partly,
        tally.already_undone,
        tally.covered,
        tally.left,
    ]
