"""Transaction commands: show every side of a trade, and undo it whole."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

import typer

from gamekeeper.cli import names
from gamekeeper.cli.actor import ByReasonFirst
from gamekeeper.cli.command import Output, TextTable, change, command
from gamekeeper.cli.names import Ids, shown
from gamekeeper.cli.options import DryRun, an_id
from gamekeeper.cli.players.history import counterparties
from gamekeeper.cli.terminal import say, show_table
from gamekeeper.cli.times import Clock, TerminalClock
from gamekeeper.db.database import Database, Reader
from gamekeeper.history.timeline import Event
from gamekeeper.history.transactions import TransactionRecord, find_transaction
from gamekeeper.history.undo import transactions
from gamekeeper.history.undo.conflicts import TradeObstacle
from gamekeeper.history.undo.execute import UndoConflict, UndoingTransaction
from gamekeeper.history.undo.plan import Change
from gamekeeper.history.undo.transactions import UndoneTransaction

Names = dict[UUID, str]
Id = Annotated[UUID, typer.Argument(parser=an_id, metavar="ID", help="The transaction's id.")]


@command
async def show(database: Database, transaction: Id, *, ids: Ids = False, clock: Clock) -> Output:
    """Show a transaction: its actor, its reason, and what each character gave and received."""
    found = await find_transaction(database.reader, transaction)
    moved = [posting.item_id for event in found.actions for posting in event.postings]
    items = await names.names_of(database.reader, "item", moved)
    players = {party.player_id: party.name for party in found.players if party.name}
    rows = [
        [shown(players, event.player_id, ids=ids), *row]
        for event in found.actions
        for row in _rows(event, items, ids=ids)
    ]
    table = TextTable(["character", "what", "item", "slot", "quantity", "with"], rows)
    return Output(found, table, _summary(found, clock))


def _summary(found: TransactionRecord, clock: TerminalClock) -> str:
    why = f" ({found.reason})" if found.reason else ""
    state = "It is undone." if found.is_undone else "It is not undone."
    return f"Done {clock.show(found.at)} by {found.actor_name}{why}. {state}"


def _rows(event: Event, items: dict[UUID, str], *, ids: bool) -> list[list[str]]:
    what = f"{event.kind}{' (undone)' if event.undone_by else ''}"
    moves = [
        [
            shown(items, posting.item_id, ids=ids),
            f"{posting.place}:{posting.slot}",
            f"{posting.quantity:+,}",
            counterparties(posting),
        ]
        for posting in event.postings
    ]
    return [[what, *move] for move in moves or [["", "", "", ""]]]


@change("actions.undo")
async def undo(
    database: Database,
    transaction: Id,
    *,
    dry_run: DryRun = False,
    clock: Clock,
    by: ByReasonFirst,
) -> Output:
    """
    Undo a whole transaction for all characters, or not at all.

    If a character no longer has items that must be returned, nothing changes, and the command
    lists these items and who received them. The undo is also a transaction, so it can be undone.
    """
    order = UndoingTransaction(by=by, transaction_id=transaction)
    try:
        done = await (transactions.undo.preview if dry_run else transactions.undo).one(
            database, order
        )
    except UndoConflict as conflict:
        obstacles = _obstacles(conflict)
        _show_obstacles(obstacles, await _item_names(database.reader, obstacles), clock)
        raise
    changes = [change for action in done.actions for change in action.done]
    table = _changes(done, await _item_names(database.reader, changes))
    end = (
        "Dry run: all of it can be undone; nothing was changed."
        if dry_run
        else f"Undone. To undo this: gamekeeper transactions undo {done.id}"
    )
    return Output(done, table, end)


async def _item_names(reader: Reader, parts: Sequence[Change] | Sequence[TradeObstacle]) -> Names:
    ids = [part.id for part in parts if part.id and part.what == "item"]
    return await names.names_of(reader, "item", ids)


def _obstacles(conflict: UndoConflict) -> list[TradeObstacle]:
    return conflict.details["in_the_way"]  # pyright: ignore[reportReturnType]


def _changes(done: UndoneTransaction, items: Names) -> TextTable:
    rows = [
        [
            action.player_name or str(action.player_id),
            change.name or shown(items, change.id) or change.what,
            "" if change.slot is None else f"{change.place or ''}:{change.slot}".strip(":"),
            f"{change.before} → {change.after}"
            if change.quantity is None
            else f"{change.quantity:+}",
        ]
        for action in done.actions
        for change in action.done
    ]
    return TextTable(["character", "what", "slot", "change"], rows)


def _show_obstacles(obstacles: list[TradeObstacle], items: Names, clock: TerminalClock) -> None:
    rows = [
        [
            obstacle.player_name or str(obstacle.player_id or ""),
            obstacle.reason.replace("_", " "),
            obstacle.name or shown(items, obstacle.id) or obstacle.what,
            "" if obstacle.wanted is None else f"{obstacle.possible} of {obstacle.wanted}",
        ]
        for obstacle in obstacles
    ]
    show_table(["character", "conflict", "what", "possible"], rows)
    for obstacle in obstacles:
        for handed_on in obstacle.handed_on:
            to = " or ".join(party.name or str(party.player_id) for party in handed_on.to)
            say(
                f"{obstacle.player_name} passed {handed_on.quantity} on to {to} on "
                f"{clock.show(handed_on.at)}, in transaction {handed_on.transaction_id}."
            )
