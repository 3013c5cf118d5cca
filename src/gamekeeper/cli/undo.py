"""The undo command: undo one action, or many (bulk undo)."""

from typing import Annotated

import typer
from msgspec import Struct

from gamekeeper.cli import bulk_undo
from gamekeeper.cli.actor import As, audit_context
from gamekeeper.cli.bulk_undo import UnresolvedBulkUndo, Whose
from gamekeeper.cli.options import DryRun, Reason, Since
from gamekeeper.cli.terminal import AsJson, say, show_json, show_table, with_database
from gamekeeper.cli.times import InUtc, TerminalClock
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.history.undo import execute
from gamekeeper.history.undo.execute import UndoConflict, Undoing, Undone
from gamekeeper.history.undo.plan import Change, Obstacle
from gamekeeper.ledger import action_ids

Until = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="TIME",
        help="Same format as --from; a date includes the whole day. "
        "With --player and --user: now, unless given.",
    ),
]

Actor = Annotated[
    str | None,
    typer.Option(
        metavar="ACTOR",
        help="Undo all actions of this actor: a name, key:NAME, user:NAME, cli:NAME or system.",
    ),
]
Player = Annotated[
    str | None,
    typer.Option(metavar="CHARACTER", help="Undo what left this character, whoever the actor was."),
]
User = Annotated[
    str | None,
    typer.Option(metavar="ACCOUNT", help="Undo what left any character of this account."),
]
Everything = Annotated[
    bool,
    typer.Option(
        "--all", help="With --player or --user: also undo what they received in that time."
    ),
]


def undo(
    action: Annotated[
        str | None,
        typer.Argument(metavar="ID", help="The action's id, or at least its first 8 digits."),
    ] = None,
    *,
    actor: Actor = None,
    player: Player = None,
    user: User = None,
    since: Since = None,
    until: Until = None,
    everything: Everything = False,
    dry_run: DryRun = False,
    partial: Annotated[bool, typer.Option("--partial", help="Undo as much as possible.")] = False,
    utc: InUtc = False,
    as_: As = None,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """
    Undo an action by its id, all actions of an actor, or what left a player or account.

    An undo is also an action, so it can be undone. If later changes conflict, nothing
    changes and the command lists the conflicts. Exit code 1: something was not undone.

    A staff account or an API key was stolen: undo all its actions.

    gamekeeper actions undo --actor ana --from 'yesterday 18:00' --to '2 hours ago' --dry-run

    A player account was stolen: undo what left its characters. Trades are undone whole or not
    at all; the preview lists who received what, and the conflicts.

    gamekeeper actions undo --user ana --from 'yesterday 18:00' --dry-run
    gamekeeper actions undo --user ana --from 'yesterday 18:00' --reason 'stolen account'
    """
    by, whose = audit_context(as_, reason), Whose(actor=actor, player=player, user=user)
    whose.check(action, everything=everything)
    if action is not None:
        order = UnresolvedUndo(by=by, action=action, partial=partial)
        return _undo_one(order, dry_run=dry_run, as_json=as_json)
    begin, end = whose.span(TerminalClock(utc=utc), since, until)
    what = "all" if everything else "left"
    wanted = UnresolvedBulkUndo(
        by=by, whose=whose, since=begin, until=end, what=what, partial=partial
    )
    return bulk_undo.run(wanted, dry_run=dry_run, as_json=as_json)


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
