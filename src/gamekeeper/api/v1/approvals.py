"""Approval endpoints: changes beyond somebody's limits, listed, approved and rejected."""

from msgspec import structs

from gamekeeper.api.path_parameters import ApprovalId
from gamekeeper.approvals import decisions, records
from gamekeeper.approvals.decisions import (
    ApprovalDecided,
    ApprovalDecision,
    ApprovalExpired,
    OwnRequest,
    RequesterLostRights,
)
from gamekeeper.approvals.records import Approval, ApprovalNotFound, State
from gamekeeper.auth.principal import Principal
from gamekeeper.core.schemas import Body, Page, Paging
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.history.undo.execute import AlreadyUndone, UndoConflict
from gamekeeper.http.routing import Routes
from gamekeeper.ledger.retention import AtTooOld
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.players.quotas import LimitExceeded
from gamekeeper.players.rules import InventoryFull
from gamekeeper.servers.leases import Fenced
from gamekeeper.servers.transactions import Stale
from gamekeeper.users.ranks import Outranked

routes = Routes("/api/v1/approvals")

APPROVE = "approvals"


class ApprovalQuery(Paging, frozen=True):
    page_size: int = 50
    state: State | None = None
    """Only requests in this state: `pending`, `approved`, `rejected` or `expired`."""
    names: bool = False
    """
    Whether to show the name of the character a change is about, and of the account for callers
    with the scope `users.query`.
    """


@routes.get("")
async def list_approvals(reader: Reader, caller: Principal, query: ApprovalQuery) -> Page[Approval]:
    """
    Requests for approval, newest first.

    With the scope `approvals` all requests, otherwise your own.
    """
    page = await records.list_approvals(reader, query.window, query.state, _whose(caller))
    if not query.names:
        return page
    named = await records.with_names(reader, page.values, accounts=caller.sees_accounts)
    return structs.replace(page, values=named)


@routes.get("/{id}", raises=(ApprovalNotFound,))
async def get_approval(
    reader: Reader,
    caller: Principal,
    id: ApprovalId,  # noqa: A002
) -> Approval:
    """One request for approval; without the scope `approvals`, only your own."""
    return await records.find_approval(reader, id, _whose(caller))


def _whose(caller: Principal) -> str | None:
    return None if caller.may(APPROVE) else caller.id


class DecisionBody(Body, frozen=True):
    reason: str | None = None
    """The reason, for the audit log; at most 500 characters."""


@routes.post(
    "/{id}/approve",
    APPROVE,
    step_up=True,
    raises=(
        *(ApprovalNotFound, OwnRequest, LimitExceeded),
        *(ApprovalDecided, ApprovalExpired, RequesterLostRights),
        # What the change itself may answer by now.
        *(PlayerNotFound, InventoryFull, AtTooOld, Stale, Fenced),
        *(Outranked, AlreadyUndone, UndoConflict),
    ),
)
async def approve_change(
    database: Database,
    caller: Principal,
    by: AuditContext,
    id: ApprovalId,  # noqa: A002
    body: DecisionBody,
) -> Approval:
    """
    Approve a change, which is then executed at once.

    Besides `approvals` you need the scopes of the change itself, and the change counts against
    your limits, if you have any. You cannot approve your own request. If the change is no
    longer possible, the error says why, and the request stays pending.
    """
    order = ApprovalDecision(by=by, approval_id=id, caller=caller)
    return await decisions.approve.one(database, order)


@routes.post(
    "/{id}/reject",
    APPROVE,
    step_up=True,
    raises=(ApprovalNotFound, OwnRequest, ApprovalDecided, ApprovalExpired),
)
async def reject_change(
    database: Database,
    caller: Principal,
    by: AuditContext,
    id: ApprovalId,  # noqa: A002
    body: DecisionBody,
) -> Approval:
    """Reject a change, which is then not executed. You cannot reject your own request."""
    order = ApprovalDecision(by=by, approval_id=id, caller=caller)
    return await decisions.reject.one(database, order)
