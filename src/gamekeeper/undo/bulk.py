"""
Bulk undo: undo all actions of one actor between two instants, newest first.

For stolen accounts and API keys. Each batch is its own transaction: after an
interruption call again, and finished batches count as already undone. Somebody with limits
undoes all in one transaction, or beyond a limit nothing. Actions that
cannot be undone are listed with their obstacles. A transaction in which items were moved is
undone whole, where its newest action stands.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct, field
from msgspec.structs import replace

from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Problem
from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Database, Queryable, Writer
from gamekeeper.db.idempotency import Shape, identity
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger.audit_log import APART, LAST, earliest
from gamekeeper.ledger.transactions import TRANSACTION
from gamekeeper.players.quotas import LimitExceeded
from gamekeeper.undo import transactions
from gamekeeper.undo.execute import (
    AlreadyUndone,
    Undoing,
    UndoingTransaction,
    Undone,
    UndoOrder,
)
from gamekeeper.undo.plan import Obstacle
from gamekeeper.undo.transactions import TransactionWorld, UndoneTransaction

MOST = 1000
"""The most actions per call; the answer has the cursor for the next call."""
BATCH = 100
"""Undos per transaction, which limits how long their players stay locked."""


class Sweep(Command, frozen=True, kw_only=True):
    actor: str
    since: datetime
    until: datetime
    partial: bool = False
    cursor: UUID | None = None
    """Continue after another sweep: its `next`."""
    caller: Principal | None = None
    """The caller whose rights apply; None: the command line, which may undo everything."""


class Tally(Record, frozen=True):
    """What became of the actions of one kind."""

    kind: str
    found: int
    """Between the two instants, whether this call came to them or not."""
    undone: int = 0
    partly: int = 0
    already_undone: int = 0
    covered: int = 0
    """Undos of actions that are undone by the same sweep, so nothing is left to do."""
    left: int = 0


class Left(Record, frozen=True):
    """An action that was not undone, or not all of it."""

    id: UUID
    kind: str
    code: str
    message: str
    in_the_way: list[Obstacle] = field(default_factory=list)


class Swept(Record, frozen=True):
    actor: str
    dry_run: bool
    kinds: list[Tally]
    left: list[Left]
    next: UUID | None


class SweptAction(Struct, frozen=True):
    """The fields of an action that decide whether to undo it."""

    id: UUID
    at: datetime
    kind: str
    undoes: UUID | None
    transaction: UUID | None

    @property
    def is_shared(self) -> bool:
        """Whether it can only be undone with its whole transaction."""
        return self.kind in ("items.move", "undo") and self.transaction is not None


class _Fate(Struct, frozen=True):
    """The outcome of one action: the count of its kind's tally that it adds to."""

    entry: SweptAction
    became: str
    left: Left | None = None


async def sweep(
    database: Database, order: Sweep, shape: Shape[Swept] = identity, *, dry_run: bool = False
) -> Any:
    """Undo the actor's actions; with `dry_run`, only report what would happen."""
    if order.by.allowance and not dry_run:
        return await sweep_at_once.one(database, order, shape)
    page = await _Page.of(database.reader, order)
    fates = list(page.covered)
    undo = transactions.foresee_any if dry_run else transactions.undo_any
    # In a dry run the outcome of an action depends on those before it, so use one batch.
    size = MOST if dry_run else BATCH
    for start in range(0, len(page.units), size):
        batch = page.units[start : start + size]
        outcomes = await undo(database, [_order(order, unit) for unit in batch])
        for unit, outcome in zip(batch, outcomes, strict=True):
            fates += [_fate(entry, outcome) for entry in unit]
    swept = await _swept(database.reader, order, fates, page.next, dry_run=dry_run)
    return await report.one(database, SweepReport(by=order.by, swept=swept), shape)


@operation
async def sweep_at_once(writer: Writer, orders: Sequence[Sweep]) -> list[Swept | Problem]:
    """Undo actors' actions, each sweep in one go; if it exceeds a limit, nothing of it is done."""
    return [await _sweep_at_once(writer, order, lasting=True) for order in orders]


@operation
async def foresee_at_once(writer: Writer, orders: Sequence[Sweep]) -> list[Swept | Problem]:
    """Dry run: what `sweep_at_once` would return now, without locks and writes."""
    return [await _sweep_at_once(writer, order, lasting=False) for order in orders]


async def _sweep_at_once(writer: Writer, order: Sweep, *, lasting: bool) -> Swept | LimitExceeded:
    page = await _Page.of(writer, order)
    undos = [_order(order, unit) for unit in page.units]
    world = await TransactionWorld.of(writer, undos, lasting=lasting)
    outcomes = [world.undo_any(undo) for undo in undos]
    beyond = [outcome for outcome in outcomes if isinstance(outcome, LimitExceeded)]
    if beyond:
        return beyond[0]
    if lasting:
        await world.save(writer)
    fates = list(page.covered)
    for unit, outcome in zip(page.units, outcomes, strict=True):
        fates += [_fate(entry, outcome) for entry in unit]
    return await _swept(writer, order, fates, page.next, dry_run=not lasting)


async def _swept(
    reader: Queryable, order: Sweep, fates: Sequence[_Fate], more: UUID | None, *, dry_run: bool
) -> Swept:
    return Swept(
        actor=order.actor,
        dry_run=dry_run,
        kinds=await _tallies(reader, order, fates),
        left=[fate.left for fate in fates if fate.left],
        next=more,
    )


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

    units: list[list[SweptAction]]
    covered: list[_Fate]
    next: UUID | None

    @classmethod
    async def of(cls, reader: Queryable, order: Sweep) -> "_Page":
        entries, more = await _entries(reader, order)
        covered = await _covered(reader, order, entries)
        return cls(
            _units([entry for entry in entries if entry.id not in covered]),
            [_Fate(entry, "covered") for entry in entries if entry.id in covered],
            more,
        )


def _units(entries: Sequence[SweptAction]) -> list[list[SweptAction]]:
    """What is undone together: an action, or all those of a transaction that moved items."""
    shared = {entry.transaction for entry in entries if entry.is_shared}
    units: dict[UUID, list[SweptAction]] = {}
    for entry in entries:
        whole = entry.transaction if entry.transaction in shared else None
        units.setdefault(whole or entry.id, []).append(entry)
    return list(units.values())


def _order(order: Sweep, unit: Sequence[SweptAction]) -> UndoOrder:
    # The idempotency key belongs to the whole sweep; `report` stores its answer.
    by, first = replace(order.by, key=None), unit[0]
    if first.transaction and any(entry.is_shared for entry in unit):
        return UndoingTransaction(by=by, transaction_id=first.transaction, caller=order.caller)
    return Undoing(by=by, action_id=first.id, partial=order.partial, caller=order.caller)


async def _entries(reader: Queryable, order: Sweep) -> tuple[list[SweptAction], UUID | None]:
    """The next page of the actor's actions, newest first, and the next cursor."""
    found = await reader.all(
        SweptAction,
        f"""
        SELECT id, at, kind, undoes, ({TRANSACTION})::uuid AS transaction
          FROM actions
         WHERE actor = $1 AND at BETWEEN $2 AND $3 AND id BETWEEN $4 AND $5 AND id < $6
         ORDER BY id DESC
         LIMIT $7
        """,
        order.actor,
        order.since,
        order.until,
        # Ids are time-ordered except for clock skew; so bounds on them limit the index scan.
        earliest(order.since, None, -APART),
        earliest(order.until, None, APART),
        order.cursor or LAST,
        MOST + 1,
    )
    entries = found[:MOST]
    more = entries[-1].id if len(found) > MOST else None
    # Ids within one millisecond are unordered; `at` is the time of the write.
    return sorted(entries, key=lambda entry: (entry.at, entry.id), reverse=True), more


async def _covered(reader: Queryable, order: Sweep, entries: Sequence[SweptAction]) -> set[UUID]:
    """
    The undos among `entries` whose target is the actor's own action in the same interval.

    The sweep undoes the target itself, so undos and redos of it do not matter.
    """
    rows = await reader.rows(
        "SELECT id FROM actions WHERE id = ANY($1) AND actor = $2 AND at BETWEEN $3 AND $4",
        [entry.undoes for entry in entries if entry.undoes],
        order.actor,
        order.since,
        order.until,
    )
    targets = {row["id"] for row in rows}
    return {entry.id for entry in entries if entry.undoes in targets}


def _fate(entry: SweptAction, outcome: Undone | UndoneTransaction | Problem) -> _Fate:
    if isinstance(outcome, AlreadyUndone):
        return _Fate(entry, "already_undone")
    if isinstance(outcome, Problem):
        left = Left(
            id=entry.id,
            kind=entry.kind,
            code=outcome.code,
            message=str(outcome),
            in_the_way=list(outcome.details.get("in_the_way", ())),  # pyright: ignore
        )
        return _Fate(entry, "left", left)
    if isinstance(outcome, UndoneTransaction) or outcome.complete:
        return _Fate(entry, "undone")
    left = Left(
        id=entry.id,
        kind=entry.kind,
        code="partly_undone",
        message="Only a part of it was undone.",
        in_the_way=outcome.not_done,
    )
    return _Fate(entry, "partly", left)


async def _tallies(reader: Queryable, order: Sweep, fates: Sequence[_Fate]) -> list[Tally]:
    rows = await reader.rows(
        """
        SELECT kind, count(*) AS found
          FROM actions
         WHERE actor = $1 AND at BETWEEN $2 AND $3 AND id BETWEEN $4 AND $5
         GROUP BY kind
         ORDER BY kind
        """,
        order.actor,
        order.since,
        order.until,
        earliest(order.since, None, -APART),
        earliest(order.until, None, APART),
    )
    became = {row["kind"]: Counter[str]() for row in rows}
    for fate in fates:
        became[fate.entry.kind][fate.became] += 1
    return [Tally(kind=row["kind"], found=row["found"], **became[row["kind"]]) for row in rows]
