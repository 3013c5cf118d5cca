"""
Requests for approval: a change that exceeds the limits of who wants it waits for another's yes.

The change itself was tried first: only what would have been done but for a limit is requested.
The request is made under the same idempotency key, so a retry gets the same answer.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Any, NoReturn, TypeVar
from uuid import UUID

import msgspec
from msgspec import Struct

from gamekeeper.approvals import changes
from gamekeeper.approvals.changes import OF_COMMANDS, ChangeKind
from gamekeeper.core import ids
from gamekeeper.core.errors import Conflict, Problem
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.idempotency import identity
from gamekeeper.db.operations import Command, Operation, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.players.holds import HeldByRule
from gamekeeper.players.quotas import LimitExceeded

O = TypeVar("O", bound=Command)  # noqa: E741  an order
R = TypeVar("R")

MOST_PENDING = 1000
"""Of one actor: who wants more than that should be given other limits."""


class ApprovalRequired(Problem):
    """This exceeds your limits. Another staff member must approve the request."""

    status = HTTPStatus.ACCEPTED


class TooManyPendingApprovals(Conflict):
    """Too many of your requests are waiting for approval. Wait until some are decided."""

    cacheable = False


BEYOND_LIMITS = (ApprovalRequired, TooManyPendingApprovals)
"""What a route may answer beside its own errors, if its change counts against limits."""


class ApprovalRequest(Command, frozen=True, kw_only=True):
    command: Command
    exceeded: LimitExceeded

    @property
    def kind(self) -> ChangeKind:
        return OF_COMMANDS[type(self.command)]


async def carry_out(
    database: Database,
    change: Operation[O, R],
    command: O,
    shape: Callable[[R], Any] = identity,
) -> Any:
    """Make a change or, beyond the limits of its actor, request its approval: raises that."""
    try:
        return await change.one(database, command, shape)
    except LimitExceeded as beyond:
        await request_one(database, command, beyond)


async def request_one(database: Database, command: Command, beyond: LimitExceeded) -> NoReturn:
    """Request the approval of a change; raises ``ApprovalRequired``, or why not."""
    order = ApprovalRequest(by=command.by, command=command, exceeded=beyond)
    [outcome] = await request(database, [order])
    raise outcome


async def carry_out_all(
    database: Database, change: Operation[O, R], commands: Sequence[O]
) -> list[R | Problem]:
    """The same for a list of changes, each with an outcome of its own."""
    outcomes = await change(database, commands)
    wanted = {
        position: ApprovalRequest(by=command.by, command=command, exceeded=outcome)
        for position, (command, outcome) in enumerate(zip(commands, outcomes, strict=True))
        if isinstance(outcome, LimitExceeded)
    }
    made = await request(database, list(wanted.values())) if wanted else []
    answers = dict(zip(wanted, made, strict=True))
    return [answers.get(position, outcome) for position, outcome in enumerate(outcomes)]


@operation
async def request(writer: Writer, orders: Sequence[ApprovalRequest]) -> list[Problem]:
    """Store requests. The outcome of each is ``ApprovalRequired``, with the request's id."""
    free = await _free(writer, sorted({order.by.actor for order in orders}))
    wanted: dict[int, UUID] = {}
    for position, order in enumerate(orders):
        free[order.by.actor] -= 1
        if free[order.by.actor] >= 0:
            wanted[position] = ids.new_id()
    commands = await changes.pinned(writer, [orders[position].command for position in wanted])
    made = [
        _Row(approval, orders[position], orders[position].kind.stored(command))
        for (position, approval), command in zip(wanted.items(), commands, strict=True)
    ]
    expiry = await _insert(writer, made)
    await actions.record(writer, [row.action for row in made])
    return [
        ApprovalRequired(_message(order), approval_id=approval, expires_at=expiry[approval])
        if (approval := wanted.get(position))
        else TooManyPendingApprovals()
        for position, order in enumerate(orders)
    ]


def _message(order: ApprovalRequest) -> str | None:
    return str(order.exceeded) if isinstance(order.exceeded, HeldByRule) else None


async def _free(writer: Writer, actors: Sequence[str]) -> dict[str, int]:
    """
    How many requests more each actor may have.

    Nothing is locked: requests at the same instant may exceed the limit by a few. It only keeps
    a program from filling the table.
    """
    rows = await writer.rows(
        """
        SELECT requested_by, count(*) AS count
          FROM approval_requests
         WHERE requested_by = ANY($1) AND state = 'pending' AND expires_at > statement_timestamp()
         GROUP BY requested_by
        """,
        list(actors),
    )
    pending = {row["requested_by"]: row["count"] for row in rows}
    return {actor: MOST_PENDING - pending.get(actor, 0) for actor in actors}


class _Row(Struct, frozen=True):
    id: UUID
    order: ApprovalRequest
    change: dict[str, Any]

    @property
    def action(self) -> Action:
        about = {"approval": self.id, "kind": self.order.kind.name, "change": self.change}
        exceeded = {"exceeded": self.order.exceeded.details}
        return Action(kind="approvals.request", by=self.order.by, after=about | exceeded)


async def _insert(writer: Writer, made: Sequence[_Row]) -> dict[UUID, datetime]:
    """Insert requests; returns when each expires, by the clock that will decide on it."""
    rows = await writer.rows(
        """
        INSERT INTO approval_requests (id, kind, change, exceeded, requested_by,
                                       requested_by_name, reason)
        SELECT id, kind, change::jsonb, exceeded::jsonb, requested_by, requested_by_name, reason
          FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
                      $7::text[])
               AS new (id, kind, change, exceeded, requested_by, requested_by_name, reason)
        RETURNING id, expires_at
        """,
        [row.id for row in made],
        [row.order.kind.name for row in made],
        [msgspec.json.encode(row.change).decode() for row in made],
        [msgspec.json.encode(row.order.exceeded.details).decode() for row in made],
        [row.order.by.actor for row in made],
        [row.order.by.name for row in made],
        [row.order.by.reason for row in made],
    )
    return {row["id"]: row["expires_at"] for row in rows}
