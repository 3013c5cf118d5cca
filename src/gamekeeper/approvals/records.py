"""Approvals as clients see them: one, and lists."""

from collections.abc import Sequence
from typing import Any, Literal, LiteralString
from uuid import UUID

from msgspec import UNSET, UnsetType, structs

from gamekeeper.core.errors import NotFound
from gamekeeper.core.names import parse_guid
from gamekeeper.core.schemas import Instant, Page, Record, Window
from gamekeeper.db.database import Queryable, Reader
from gamekeeper.history.entry_names import PEOPLE

State = Literal["pending", "approved", "rejected", "expired"]


class ApprovalNotFound(NotFound):
    """No request for approval has that id."""


class Exceeded(Record, frozen=True):
    """The limit that a change exceeds."""

    limit: str
    """
    `pieces_per_day`, `value_per_day`, `largest_gift` or `undos_per_day`; or `rule:` and the name of
    the economy rule that holds the change.
    """
    allowed: int
    """The limit at the time of the request."""
    used: int
    """The amount used that day."""
    wanted: int
    """The amount the change needs."""


class Approval(Record, frozen=True):
    """A change that exceeds the limits of who requested it."""

    id: UUID
    kind: str
    """
    `items.give`, `mail.send`, `items.restore`, `transaction`, `undo.action`, `undo.transaction`,
    `undo.actor`, which is every bulk undo, `campaigns.start`, `campaigns.reverse` or
    `schedules.create`.
    """
    state: State
    """`pending`, `approved`, `rejected`, or `expired` 72 hours after the request."""
    change: dict[str, Any]
    """The requested change; its fields depend on the kind."""
    exceeded: Exceeded
    reason: str | None
    """The reason that came with the change."""
    requested_by: str
    """The actor: `key:` or `user:` and an id."""
    requested_by_name: str
    requested_at: Instant
    expires_at: Instant
    decided_by: str | None
    """The actor who approved or rejected it."""
    decided_by_name: str | None
    decided_at: Instant | None
    decision_reason: str | None
    result: Any
    """The result of the change; null until it is executed."""
    player_name: str | UnsetType | None = UNSET
    """With `names`: the current name of the character in the change; null if none."""
    user_name: str | UnsetType | None = UNSET
    """The same of an account, for callers with `users.query`."""


STATE: LiteralString = """
    CASE WHEN state = 'pending' AND expires_at <= statement_timestamp() THEN 'expired'
         ELSE state END
"""
COLUMNS: LiteralString = f"""
    id, kind, {STATE} AS state, change, exceeded, reason, requested_by, requested_by_name,
    requested_at, expires_at, decided_by, decided_by_name, decided_at, decision_reason, result
"""


async def list_approvals(
    reader: Reader, window: Window, state: State | None, requested_by: str | None
) -> Page[Approval]:
    """A page of requests, newest first: all, or those in a state, or of one actor."""
    conditions: LiteralString = " AND ".join(
        [
            "$1::text IS NULL" if state is None else f"{STATE} = $1",
            "$2::text IS NULL" if requested_by is None else "requested_by = $2",
        ]
    )
    rows = await reader.rows(
        f"""
        SELECT {COLUMNS} FROM approval_requests WHERE {conditions}
         ORDER BY requested_at DESC, id LIMIT $3 OFFSET $4
        """,
        state,
        requested_by,
        window.shown,
        window.offset,
    )
    total = await reader.value(
        f"SELECT count(*) FROM approval_requests WHERE {conditions}", state, requested_by
    )
    return Page.of([approval_of(row) for row in rows], total, window)


async def with_names(
    reader: Reader, approvals: Sequence[Approval], *, accounts: bool
) -> list[Approval]:
    """Requests with the names of whom they are about; without `accounts`, none of an account."""
    players = [_named(approval, "player", "player_id") for approval in approvals]
    users = [_named(approval, "user_id") for approval in approvals]
    rows = await reader.lookups.rows(PEOPLE, list(filter(None, players)), list(filter(None, users)))
    names = {(row["id"], row["is_account"]): row["name"] for row in rows}
    return [
        structs.replace(
            approval,
            player_name=names.get((player, False)),
            user_name=names.get((user, True)) if accounts else UNSET,
        )
        for approval, player, user in zip(approvals, players, users, strict=True)
    ]


def _named(approval: Approval, *fields: str) -> UUID | None:
    """The id in one of these fields of a change, if it has one."""
    found = next(filter(None, map(approval.change.get, fields)), None)
    return parse_guid(found) if isinstance(found, str) else None


# How many requests wait for a decision.
PENDING: LiteralString = """
    SELECT count(*) FROM approval_requests
     WHERE state = 'pending' AND expires_at > statement_timestamp()
"""


async def find_approval(
    reader: Queryable, approval: UUID, requested_by: str | None = None
) -> Approval:
    """One request; with `requested_by` only if it is of that actor."""
    rows = await reader.rows(f"SELECT {COLUMNS} FROM approval_requests WHERE id = $1", approval)
    if not rows or requested_by not in (None, rows[0]["requested_by"]):
        raise ApprovalNotFound(f"No request for approval has the id '{approval}'.")
    return approval_of(rows[0])


def approval_of(row: Any) -> Approval:
    return Approval(**{**row, "exceeded": Exceeded(**row["exceeded"])})
