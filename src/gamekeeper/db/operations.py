"""
Operations (commands in batches): every change goes through one.

An operation takes a list of commands and returns a list of outcomes. It owns one
transaction, or joins its caller's. Each command names its actor; if it carries an
idempotency key, the reply is stored in the same transaction as the change, so a retry
gets the same bytes and never makes the change twice.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import wraps
from time import perf_counter
from typing import Any, Generic, Protocol, TypeVar, overload

from msgspec import Struct

from gamekeeper.core.errors import InternalError, Problem, Unavailable
from gamekeeper.core.observability import loggers, meters, traces
from gamekeeper.db import idempotency
from gamekeeper.db.batching import Batcher, bisect, bisect_on_failure, split_future
from gamekeeper.db.database import Database, LockedByOther, Writer
from gamekeeper.db.idempotency import IdempotencyKey, PendingReply, Shape, identity

O = TypeVar("O")  # noqa: E741  an order
R = TypeVar("R")
A = TypeVar("A")

log = loggers.get_logger()

CONCURRENCY = 1
"""Two concurrent batches of one kind would only wait for each other's player locks."""


class Allowance(Struct, frozen=True):
    """The limits that a change counts against, and the actor whose they are."""

    actor: str
    limits: Mapping[str, int]
    """By name: auth/limits.py."""


class Approver(Struct, frozen=True):
    """Who approved a change that another actor requested."""

    actor: str
    name: str


class AuditContext(Struct, frozen=True, kw_only=True):
    """The actor of a command, and what the audit log records about the request."""

    actor: str
    """`key:<id>`, `user:<id>` or `system`: from the credential, never from the body.
    `cli:<name>` is only claimed, at the command line, which has no credentials."""
    name: str
    request_id: str = ""
    address: str = ""
    reason: str | None = None
    key: IdempotencyKey | None = None
    allowance: Allowance | None = None
    """None: no limits apply."""
    approved_by: Approver | None = None


COMMAND_LINE = AuditContext(actor="system", name="command line")
CLAIMED = "cli:"
"""The prefix of an actor that somebody at the command line claims to be."""


def login_name(login: str) -> str:
    """The actor's name of a change at the command line by a login of the operating system."""
    return f"{COMMAND_LINE.name} ({login})"


class Command(Struct, frozen=True, kw_only=True):
    """One change to be made; the base class of all commands."""

    by: AuditContext


class Submission(Struct, frozen=True, eq=False):
    """A command, and the conversion of its result to the response."""

    order: Any
    shape: Shape[Any]

    @property
    def entry(self) -> PendingReply:
        by: AuditContext | None = getattr(self.order, "by", None)
        return PendingReply(by.key if by else None, by.request_id if by else "", self.shape)


class Operation(Generic[O, R]):
    """
    One kind of change.

    A rejected command has a ``Problem`` as its outcome, and the others in the list are
    carried out all the same. An unexpected exception rolls back the whole transaction;
    then the list is bisected, so that only the faulty command fails.

    If it is `batched`, concurrent single commands are carried out as one list.
    """

    def __init__(
        self,
        step: Callable[[Writer, Sequence[O]], Awaitable[list[R | Problem]]],
        *,
        batched: bool = False,
    ) -> None:
        self._step = step
        self._batched = batched
        self._measured_as = meters.name_of(step)
        self.__name__ = step.__name__
        self.__doc__ = step.__doc__

    async def __call__(self, database: Database | Writer, orders: Sequence[O]) -> list[R | Problem]:
        """Given a database, own the transaction; given a writer, join its transaction."""
        if isinstance(database, Writer):
            return await self._step(database, orders)
        outcomes = await self._batch(database, [Submission(order, identity) for order in orders])
        if outcomes and all(isinstance(outcome, Unavailable) for outcome in outcomes):
            raise outcomes[0]
        return [self._value(outcome, alone=len(orders) == 1) for outcome in outcomes]

    @overload
    async def one(self, database: Database | Writer, order: O) -> R: ...

    @overload
    async def one(self, database: Database | Writer, order: O, shape: Callable[[R], A]) -> A: ...

    async def one(
        self, database: Database | Writer, order: O, shape: Callable[[R], Any] = identity
    ) -> Any:
        """
        Carry out a single command; a ``Problem`` is raised.

        `shape` converts the result to the response. With an idempotency key the response
        is stored, and raised as ``StoredReply`` on a retry.
        """
        outcome: Any
        if isinstance(database, Writer):
            [outcome] = await self._step(database, [order])
        elif self._batched:
            batcher = database.batcher(self, lambda: self._batcher(database))
            outcome = await batcher.submit(Submission(order, shape))
        else:
            [outcome] = await self._batch(database, [Submission(order, shape)])
        if isinstance(outcome, Exception):
            raise outcome
        return shape(outcome)

    def _value(self, outcome: R | Exception, *, alone: bool) -> R | Problem:
        if isinstance(outcome, Problem) or not isinstance(outcome, Exception):
            return outcome
        if alone:
            raise outcome
        log.error("batch_fault", operation=self.__name__, exc_info=outcome)
        return InternalError()

    async def _batch(self, database: Database, wanted: list[Submission]) -> list[Any]:
        """Carry out a list, and wait for rows that other transactions lock."""

        async def work(some: list[Submission]) -> list[Any]:
            return await database.write(lambda writer: self._once(writer, some))

        begun = perf_counter()
        with traces.operation(self._measured_as):
            outcomes = await bisect_on_failure(work, wanted)
        meters.meter.batch_ended(self._measured_as, 0, perf_counter() - begun, outcomes)
        return outcomes

    def _batcher(self, database: Database) -> Batcher[Submission, Any]:
        return Batcher(
            lambda wanted: self._merge(database, wanted),
            concurrency=CONCURRENCY,
            name=self._measured_as,
        )

    async def _merge(self, database: Database, wanted: list[Submission]) -> list[Any]:
        """
        Carry out a list without waiting for locks of other transactions.

        Commands that need a locked resource are split off, grouped by resource, and wait
        separately; the rest of the list does not wait. A list that fails otherwise is bisected.
        """
        try:
            return await database.write(
                lambda writer: self._once(writer, wanted), wait_for_locks=False
            )
        except LockedByOther as elsewhere:
            groups = elsewhere.groups
        except Exception as fault:
            return await bisect(fault, lambda half: self._merge(database, half), wanted)
        outcomes: dict[int, Any] = {}
        for group in groups:
            meters.meter.commands_locked(self._measured_as, len(group))
            later = self._later(database, [wanted[position] for position in group])
            outcomes |= dict(zip(group, split_future(later, len(group)), strict=True))
        rest = [position for position in range(len(wanted)) if position not in outcomes]
        if rest:
            done = await self._merge(database, [wanted[position] for position in rest])
            outcomes |= dict(zip(rest, done, strict=True))
        return [outcomes[position] for position in range(len(wanted))]

    def _later(self, database: Database, wanted: list[Submission]) -> "asyncio.Future[list[Any]]":
        """Carry out commands that must wait for a lock; only a few connections may do that."""

        async def work(turns: list[Callable[[], Awaitable[Any]]]) -> list[Any]:
            return [await turn() for turn in turns]

        concurrency = max(1, database.settings.connections // 2)
        batcher = database.batcher(
            "later", lambda: Batcher(work, concurrency=concurrency, largest=1)
        )
        return batcher.submit(lambda: self._batch(database, wanted))

    async def _once(self, writer: Writer, wanted: Sequence[Submission]) -> list[R | Problem]:
        """Carry out the commands without a stored reply; store the replies of those with a key."""
        entries = [submission.entry for submission in wanted]
        if not any(entry.key for entry in entries):
            return await self._step(writer, [submission.order for submission in wanted])
        known = await idempotency.claim(writer, entries)
        fresh = [position for position, answer in enumerate(known) if answer is None]
        try:
            orders = [wanted[position].order for position in fresh]
            done = iter(await self._step(writer, orders) if orders else [])
        except LockedByOther as elsewhere:
            raise elsewhere.among(fresh) from None
        outcomes = [answer or next(done) for answer in known]
        return await idempotency.store(writer, entries, outcomes)


operation = Operation


C_contra = TypeVar("C_contra", contravariant=True)


class PreviewableStep(Protocol[C_contra, R]):
    """The function of a previewable operation: with `dry_run` it neither locks nor writes."""

    async def __call__(
        self, writer: Writer, orders: Sequence[C_contra], /, *, dry_run: bool
    ) -> list[R | Problem]: ...


class PreviewableOperation(Operation[O, R]):
    """An operation with a dry run: `preview` returns the outcomes that a list would have now."""

    def __init__(self, step: PreviewableStep[O, R]) -> None:
        super().__init__(_bound(step, dry_run=False))
        self.preview: Operation[O, R] = Operation(_bound(step, dry_run=True))


def _bound(
    step: PreviewableStep[O, R], *, dry_run: bool
) -> Callable[[Writer, Sequence[O]], Awaitable[list[R | Problem]]]:
    @wraps(step)
    async def bound(writer: Writer, orders: Sequence[O]) -> list[R | Problem]:
        return await step(writer, orders, dry_run=dry_run)

    if dry_run:
        # In metrics and log lines: history.undo.execute.undo.preview.
        bound.__name__ += ".preview"
    return bound


previewable_operation = PreviewableOperation


def batched_operation(
    step: Callable[[Writer, Sequence[O]], Awaitable[list[R | Problem]]],
) -> Operation[O, R]:
    """An operation that carries out concurrent single commands as one list."""
    return Operation(step, batched=True)


__all__ = [
    "CLAIMED",
    "COMMAND_LINE",
    "Allowance",
    "Approver",
    "AuditContext",
    "Command",
    "IdempotencyKey",
    "Operation",
    "PreviewableOperation",
    "batched_operation",
    "login_name",
    "operation",
    "previewable_operation",
]
