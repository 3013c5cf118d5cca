"""``gamekeeper actions undo``: one action, or many (bulk undo)."""

from typing import Annotated

import typer

from gamekeeper.cli.actions import bulk_undo
from gamekeeper.cli.actions.bulk_undo import Whose
from gamekeeper.cli.actor import By
from gamekeeper.cli.command import Output, TextTable, change
from gamekeeper.cli.options import DryRun, Since
from gamekeeper.cli.terminal import show_table
from gamekeeper.cli.times import Clock
from gamekeeper.db.database import Database
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

ActionId = Annotated[
    str | None,
    typer.Argument(metavar="ID", help="The action's id, or at least its first 8 digits."),
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
    typer.Option(metavar="CHARACTER", help="Undo all losses of this character, by any actor."),
]
User = Annotated[
    str | None,
    typer.Option(metavar="ACCOUNT", help="Undo all losses of the characters of this account."),
]
Everything = Annotated[
    bool,
    typer.Option(
        "--all", help="With --player or --user: also undo everything received in that time."
    ),
]


@change("actions.undo")
async def undo(
    database: Database,
    action: ActionId = None,
    *,
    actor: Actor = None,
    player: Player = None,
    user: User = None,
    since: Since = None,
    until: Until = None,
    everything: Everything = False,
    dry_run: DryRun = False,
    partial: Annotated[bool, typer.Option("--partial", help="Undo as much as possible.")] = False,
    clock: Clock,
    by: By,
) -> Output:
    """
    Undo an action by its id, all actions of an actor, or losses of a player or account.

    An undo is also an action, so it can be undone. If later changes conflict, nothing
    changes and the command lists the conflicts. Exit code 1: something was not undone.

    A staff account or an API key was stolen: undo all its actions.

    gamekeeper actions undo --actor ana --from 'yesterday 18:00' --to '2 hours ago' --dry-run

    A player account was stolen: undo everything that left its characters. A trade is undone
    whole or not at all; the preview lists the recipients and the conflicts.

    gamekeeper actions undo --user ana --from 'yesterday 18:00' --dry-run
    gamekeeper actions undo --user ana --from 'yesterday 18:00' --reason 'stolen account'
    """
    whose = Whose(actor=actor, player=player, user=user)
    whose.check(action, everything=everything)
    if action is not None:
        found = await action_ids.find_action_id(database.reader, action)
        order = Undoing(by=by, action_id=found, partial=partial)
        return await _undo_one(database, order, dry_run=dry_run)
    span, what = whose.span(clock, since, until), "all" if everything else "left"
    sweep = await whose.sweep(database.reader, span, by=by, what=what, partial=partial)
    return await bulk_undo.run(database, sweep, dry_run=dry_run)


# ── One action ──


async def _undo_one(database: Database, order: Undoing, *, dry_run: bool) -> Output:
    try:
        done = await (execute.undo.preview if dry_run else execute.undo).one(database, order)
    except UndoConflict as conflict:
        if table := _obstacles(conflict.details["in_the_way"]):  # pyright: ignore
            show_table(*table)
        raise
    table = TextTable(["what", "id", "where", "change"], [_row(change) for change in done.done])
    code = 0 if done.complete else 1
    return Output(done, table, _obstacles(done.not_done), _sentence(done), code=code)


def _sentence(done: Undone) -> str:
    how = "all of it" if done.complete else "a part of it"
    if done.dry_run:
        return f"Dry run: {how} can be undone; nothing was changed."
    return f"Undone, {how}. To undo this: gamekeeper actions undo {done.id}"


def _row(change: Change) -> list[str]:
    where = "" if change.slot is None else f"{change.place or ''} {change.slot}".strip()
    moved = f"{change.before} → {change.after}"
    return [
        change.what,
        change.name or str(change.id or ""),
        where,
        moved if change.quantity is None else f"{change.quantity:+}",
    ]


def _obstacles(obstacles: list[Obstacle]) -> TextTable | None:
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
    columns = ["conflict", "what", "id", "where", "possible", "expected, found"]
    return TextTable(columns, rows) if rows else None
