"""
Decisions on requests for approval: approve, which carries the change out, or reject.

An approved change is carried out once, in the transaction that marks its request. It is the
requester's action, and names who approved it; it counts against the limits of the approver, if
there are any. If it is refused, nothing is written, and the request stays as it was.
"""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

import msgspec

from gamekeeper.approvals import records, requesters
from gamekeeper.approvals.changes import KINDS
from gamekeeper.approvals.records import Approval, ApprovalNotFound
from gamekeeper.auth import current_rights
from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Conflict, Forbidden, Problem
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Approver, AuditContext, Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action


class OwnRequest(Forbidden):
    """You cannot decide your own request, not even with an API key that you created."""

    cacheable = False


SAME_PERSON = (
    "In the last 30 days one of you set the password or email of the other, or removed their "
    "second factors. Ask a third person to decide."
)


class ApprovalDecided(Conflict):
    """This request has already been decided."""


class ApprovalExpired(Conflict):
    """This request expired after 72 hours. Request the change again."""


class RequesterLostRights(Conflict):
    """The requester no longer has this permission."""

    cacheable = False


class ApprovalDecision(Command, frozen=True, kw_only=True):
    approval_id: UUID
    caller: Principal


@operation
async def approve(
    writer: Writer, decisions: Sequence[ApprovalDecision]
) -> list[Approval | Problem]:
    """Carry out requested changes, in the order of the list; each at most once."""
    found = await _lock(writer, decisions)
    outcomes: list[Approval | Problem] = []
    for decision in decisions:
        outcome = await _approve(writer, decision, found.get(decision.approval_id))
        outcomes.append(outcome)
        if isinstance(outcome, Approval):
            found[outcome.id] = outcome
    return outcomes


@operation
async def reject(writer: Writer, decisions: Sequence[ApprovalDecision]) -> list[Approval | Problem]:
    """Reject requests; nothing is changed but their state."""
    found = await _lock(writer, decisions)
    outcomes: list[Approval | Problem] = []
    for decision in decisions:
        asked = found.get(decision.approval_id)
        outcome = await _refusal(writer, decision, asked)
        if asked and not outcome:
            found[asked.id] = outcome = await _decide(writer, decision, asked, "rejected", None)
        assert outcome is not None
        outcomes.append(outcome)
    return outcomes


async def _lock(writer: Writer, decisions: Sequence[ApprovalDecision]) -> dict[UUID, Approval]:
    rows = await writer.rows(LOCK, [decision.approval_id for decision in decisions])
    return {row["id"]: records.approval_of(row) for row in rows}


LOCK: LiteralString = f"""
    SELECT {records.COLUMNS} FROM approval_requests WHERE id = ANY($1) ORDER BY id FOR UPDATE
"""


async def _approve(
    writer: Writer, decision: ApprovalDecision, asked: Approval | None
) -> Approval | Problem:
    refusal = await _refusal(writer, decision, asked)
    if refusal or asked is None:
        return refusal or ApprovalNotFound()
    kind, by = KINDS[asked.kind], _by(decision, asked)
    requester = await current_rights.find_principal(
        writer, asked.requested_by, asked.requested_by_name
    )
    if requester is None or not requester.may(kind.scope):
        return RequesterLostRights()
    refusal = await kind.refusal(writer, asked.change, by, decision.caller)
    if refusal:
        return refusal
    [outcome] = await kind.operation(writer, [kind.restored(asked.change, by, requester)])
    if isinstance(outcome, Problem):
        return outcome
    return await _decide(writer, decision, asked, "approved", msgspec.to_builtins(outcome))


async def _refusal(
    writer: Writer, decision: ApprovalDecision, asked: Approval | None
) -> Problem | None:
    if asked is None:
        return ApprovalNotFound(f"No request for approval has the id '{decision.approval_id}'.")
    if await requesters.is_same_person(writer, asked.requested_by, decision.caller.id):
        return OwnRequest()
    if await requesters.has_taken_over(writer, asked.requested_by, decision.caller.id):
        return OwnRequest(SAME_PERSON)
    if asked.state == "expired":
        return ApprovalExpired()
    if asked.state != "pending":
        return ApprovalDecided(f"This request has already been {asked.state}.", state=asked.state)
    return None


def _by(decision: ApprovalDecision, asked: Approval) -> AuditContext:
    """The requester, by the call of the approver, whose limits count."""
    return AuditContext(
        actor=asked.requested_by,
        name=asked.requested_by_name,
        request_id=decision.by.request_id,
        address=decision.by.address,
        reason=asked.reason,
        allowance=decision.caller.allowance,
        approved_by=Approver(decision.by.actor, decision.by.name),
    )


async def _decide(
    writer: Writer, decision: ApprovalDecision, asked: Approval, state: str, result: Any
) -> Approval:
    by = decision.by
    [row] = await writer.rows(
        f"""
        UPDATE approval_requests
           SET state = $2, decided_by = $3, decided_by_name = $4, decided_at = now(),
               decision_reason = $5, result = $6::text::jsonb
         WHERE id = $1 AND state = 'pending'
        RETURNING {records.COLUMNS}
        """,
        asked.id,
        state,
        by.actor,
        by.name,
        by.reason,
        None if result is None else msgspec.json.encode(result).decode(),
    )
    about = {"approval": asked.id, "kind": asked.kind, "requested_by": asked.requested_by}
    action = Action(
        kind="approvals.approve" if state == "approved" else "approvals.reject",
        by=by,
        before=about | {"state": "pending"},
        after=about | {"state": state},
    )
    await actions.record(writer, [action])
    return records.approval_of(row)
