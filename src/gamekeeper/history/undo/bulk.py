"""
Bulk undo: undo all actions of one actor, or all that left a character or an account, newest first.

By actor: for stolen staff accounts and API keys. By character or account: for stolen player
accounts, whose items leave by actions of a game server's key.

Each batch is its own transaction: after an interruption call again, and finished batches count
as already undone. Somebody with limits undoes all in one transaction, or beyond a limit nothing.
Actions that cannot be undone are listed with their obstacles. A transaction in which items were
moved is undone whole, where its newest action stands; by character or account, every transaction
is.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct, field
from msgspec.structs import replace

from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Problem, RoleRequired
from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Database, Queryable, Writer
from gamekeeper.db.idempotency import Shape, identity
from gamekeeper.db.operations import Command, operation, previewable_operation
from gamekeeper.history.undo import selection, transactions
from gamekeeper.history.undo.execute import (
    Undoing,
    UndoingTransaction,
    UndoOrder,
)
from gamekeeper.history.undo.outcomes import Fate, Left, SweptAction, Tally, fate_of, tallies
from gamekeeper.history.undo.recipients import UndoRecipient, Unit, list_recipients
from gamekeeper.history.undo.selection import Selection, What
from gamekeeper.history.undo.transactions import TransactionWorld
from gamekeeper.ledger.audit_log import MAX_ID
from gamekeeper.ledger.retention import AtTooOld
from gamekeeper.ledger.transactions import TRANSACTION
from gamekeeper.players.quotas import LimitExceeded
from gamekeeper.users.ranks import Outranked

MAX_ACTIONS = 1000
"""The most actions per call; the answer has the cursor for the next call."""
BATCH = 100
"""Undos per transaction, which limits how long their players stay locked."""


class Sweep(Command, frozen=True, kw_only=True):
    """A bulk undo by exactly one of an actor, a character and an account."""

    actor: str | None = None
    player_id: UUID | None = None
    user_id: UUID | None = None
    since: datetime
    until: datetime
    """The last instant; by character or account, the first instant after."""
    what: What = "left"
    """Which actions, by character or account."""
    partial: bool = False
    cursor: UUID | None = None
    """Continue after an earlier call: its `next`."""
    caller: Principal | None = None
    """The caller whose rights apply; None: the command line, which may undo everything."""


class Swept(Record, frozen=True):
    """The result of a bulk undo or, in a dry run, its preview."""

    actor: str | None
    """Null if undone by character or account."""
    dry_run: bool
    kinds: list[Tally]
    left: list[Left]
    """Actions that were not undone, or only in part."""
    next: UUID | None
    """The `cursor` for the next call; null at the end."""
    player_id: UUID | None = None
    user_id: UUID | None = None
    recipients: list[UndoRecipient] = field(default_factory=list)
    """
    The recipients of the items, without the actions beyond the permissions of the caller; empty if
    undone by actor.
    """


async def sweep(
    database: Database, order: Sweep, shape: Shape[Swept] = identity, *, dry_run: bool = False
) -> Any:
    """Undo the selected actions; with `dry_run`, only report what would happen."""
    if order.by.allowance and not dry_run:
        return await sweep_at_once.one(database, order, shape)
    page = await _Page.of(database.reader, order)
    fates = list(page.covered)
    undo = transactions.undo_any.preview if dry_run else transactions.undo_any
    # In a dry run the outcome of an action depends on those before it, so use one batch.
    size = MAX_ACTIONS if dry_run else BATCH
    for start in range(0, len(page.units), size):
        batch = page.units[start : start + size]
        outcomes = await undo(database, [_order(order, unit) for unit in batch])
        for unit, outcome in zip(batch, outcomes, strict=True):
            fates += [fate_of(entry, outcome) for entry in unit]
    swept = await _swept(database.reader, order, page, fates, dry_run=dry_run)
    return await report.one(database, SweepReport(by=order.by, swept=swept), shape)


@previewable_operation
async def sweep_at_once(
    writer: Writer, orders: Sequence[Sweep], *, dry_run: bool
) -> list[Swept | Problem]:
    """Undo the selected actions, each sweep in one go; beyond a limit, nothing of it is done."""
    return [await _sweep_at_once(writer, order, dry_run=dry_run) for order in orders]


async def _sweep_at_once(writer: Writer, order: Sweep, *, dry_run: bool) -> Swept | Problem:
    try:
        page = await _Page.of(writer, order)
    except AtTooOld as refusal:
        return refusal
    undos = [_order(order, unit) for unit in page.units]
    world = await TransactionWorld.of(writer, undos, dry_run=dry_run)
    outcomes = await world.undo_each(writer, undos)
    beyond = [outcome for outcome in outcomes if isinstance(outcome, LimitExceeded)]
    if beyond:
        return beyond[0]
    if not dry_run:
        await world.save(writer)
    fates = list(page.covered)
    for unit, outcome in zip(page.units, outcomes, strict=True):
        fates += [fate_of(entry, outcome) for entry in unit]
    return await _swept(writer, order, page, fates, dry_run=dry_run)


async def _swept(
    reader: Queryable, order: Sweep, page: "_Page", fates: Sequence[Fate], *, dry_run: bool
) -> Swept:
    owners = page.selection.owners
    return Swept(
        actor=order.actor,
        dry_run=dry_run,
        kinds=await tallies(reader, page.selection, fates),
        left=[fate.left for fate in fates if fate.left],
        next=page.next,
        player_id=order.player_id,
        user_id=order.user_id,
        recipients=await list_recipients(reader, owners, _shown(page, fates)) if owners else [],
    )


def _shown(page: "_Page", fates: Sequence[Fate]) -> list[Unit]:
    """The units whose items the caller may see: not those that it has no right to undo."""
    known = {fate.entry.id: fate for fate in fates}
    found = [(unit, known[unit[0].id]) for unit in page.units]
    return [
        Unit(unit, fate.became, fate.returned)
        for unit, fate in found
        if not (fate.left and fate.left.code in (RoleRequired.code, Outranked.code))
    ]


class SweepReport(Command, frozen=True, kw_only=True):
    swept: Swept


@operation
async def report(writer: Writer, orders: Sequence[SweepReport]) -> list[Swept | Problem]:
    """
    Return the results of sweeps, to store the answer under the idempotency key.

    If the process ends before that, a retry of the request undoes only what is left.
    """
    return [order.swept for order in orders]


class _Page(Struct, frozen=True):
    """The actions that one call undoes: what belongs together, and what needs no undo."""

    selection: Selection
    units: list[list[SweptAction]]
    covered: list[Fate]
    next: UUID | None

    @classmethod
    async def of(cls, reader: Queryable, order: Sweep) -> "_Page":
        selected = await _selection(reader, order)
        entries, more = await _entries(reader, selected, order.cursor)
        covered = await _covered(reader, selected, entries)
        left = [entry for entry in entries if entry.id not in covered]
        return cls(
            selected,
            _units(left, whole=selected.is_by_character),
            [Fate(entry, "covered") for entry in entries if entry.id in covered],
            more,
        )


async def _selection(reader: Queryable, order: Sweep) -> Selection:
    span = order.since, order.until
    if order.actor is not None:
        return selection.of_actor(order.actor, *span)
    if order.user_id is not None:
        owners = await selection.characters_of(reader, order.user_id)
    else:
        assert order.player_id is not None
        owners = [order.player_id]
    return await selection.of_characters(reader, owners, *span, order.what)


def _units(entries: Sequence[SweptAction], *, whole: bool) -> list[list[SweptAction]]:
    """
    What is undone together: an action, or all those of a transaction that moved items.

    With `whole`, of any transaction: a price paid to the game and the goods received for it
    belong together.
    """
    shared = {entry.transaction for entry in entries if whole or entry.is_shared}
    units: dict[UUID, list[SweptAction]] = {}
    for entry in entries:
        together = entry.transaction if entry.transaction in shared else None
        units.setdefault(together or entry.id, []).append(entry)
    return list(units.values())


def _order(order: Sweep, unit: Sequence[SweptAction]) -> UndoOrder:
    # The idempotency key belongs to the whole sweep; `report` stores its answer.
    by, first = replace(order.by, key=None), unit[0]
    whole = order.actor is None or any(entry.is_shared for entry in unit)
    if first.transaction and whole:
        return UndoingTransaction(by=by, transaction_id=first.transaction, caller=order.caller)
    return Undoing(by=by, action_id=first.id, partial=order.partial, caller=order.caller)


async def _entries(
    reader: Queryable, selected: Selection, cursor: UUID | None
) -> tuple[list[SweptAction], UUID | None]:
    """The next page of the selected actions, newest first, and the next cursor."""
    found = await reader.all(
        SweptAction,
        f"""
        SELECT id, at, xid::text AS xid, kind, undoes, ({TRANSACTION})::uuid AS transaction
          FROM actions
         WHERE {selected.condition} AND id < $6
         ORDER BY id DESC
         LIMIT $7
        """,
        *selected.arguments,
        cursor or MAX_ID,
        MAX_ACTIONS + 1,
    )
    entries = found[:MAX_ACTIONS]
    more = entries[-1].id if len(found) > MAX_ACTIONS else None
    # Ids within one millisecond are unordered; `at` is the time of the write.
    return sorted(entries, key=lambda entry: (entry.at, entry.id), reverse=True), more


async def _covered(
    reader: Queryable, selected: Selection, entries: Sequence[SweptAction]
) -> set[UUID]:
    """
    The undos among `entries` whose target is selected too.

    The sweep undoes the target itself, so undos and redos of it do not matter.
    """
    undone = [entry.undoes for entry in entries if entry.undoes]
    if not undone:
        return set()
    rows = await reader.rows(
        f"SELECT id FROM actions WHERE {selected.condition} AND id = ANY($6)",
        *selected.arguments,
        undone,
    )
    targets = {row["id"] for row in rows}
    return {entry.id for entry in entries if entry.undoes in targets}
