"""Text and examples for the OpenAPI document: approvals."""

from datetime import UTC, datetime
from uuid import UUID

from msgspec import structs

from gamekeeper.api.openapi_text.examples import ANA, POTION
from gamekeeper.approvals.decisions import ApprovalDecided
from gamekeeper.approvals.records import Approval, ApprovalNotFound, Exceeded
from gamekeeper.approvals.requests import ApprovalRequired
from gamekeeper.core.errors import Problem
from gamekeeper.core.schemas import Page, Window
from gamekeeper.http.openapi import Example
from gamekeeper.players.quotas import LimitExceeded
from gamekeeper.players.records import Holding

APPROVAL = UUID("019cede5-4f10-7a3b-9c21-5d7e9f1b3a55")
EXPIRY = datetime(2026, 3, 17, 18, 22, 5, tzinfo=UTC)
REQUESTED = Approval(
    id=APPROVAL,
    kind="items.give",
    state="pending",
    change={
        "player": str(ANA),
        "item_id": str(POTION),
        "quantity": 25,
        "overflow_to_bank": False,
        "stat_buffs": [0, 0, 0, 0, 0],
    },
    exceeded=Exceeded(limit="pieces_per_day", allowed=20, used=5, wanted=25),
    reason="lost in the crash of yesterday",
    requested_by="user:b0a7d0c2-5d2e-4f7a-8a57-1c1f0a4c9f11",
    requested_by_name="sam",
    requested_at=datetime(2026, 3, 14, 18, 22, 5, tzinfo=UTC),
    expires_at=EXPIRY,
    decided_by=None,
    decided_by_name=None,
    decided_at=None,
    decision_reason=None,
    result=None,
)
DECIDED = structs.replace(
    REQUESTED,
    state="approved",
    decided_by="user:7c1e9a40-3b52-4d8f-a6c0-2e4b6d8f0a13",
    decided_by_name="robin",
    decided_at=datetime(2026, 3, 14, 18, 40, tzinfo=UTC),
    decision_reason="the log shows the crash",
    result=Holding(total=28, bank=0, inventory=28),
)
REJECTED = structs.replace(
    DECIDED, state="rejected", decision_reason="already restored", result=None
)


APPROVAL_EXAMPLES = {
    "list_approvals": Example(answer=Page.of([REQUESTED], 1, Window.of(0, 50))),
    "get_approval": Example(answer=REQUESTED),
    "approve_change": Example(body={"reason": "the log shows the crash"}, answer=DECIDED),
    "reject_change": Example(body={"reason": "already restored"}, answer=REJECTED),
}

APPROVAL_REFUSALS: dict[type[Problem], Problem] = {
    ApprovalNotFound: ApprovalNotFound(f"No request for approval has the id '{APPROVAL}'."),
    ApprovalDecided: ApprovalDecided("That request was rejected before.", state="rejected"),
    ApprovalRequired: ApprovalRequired(None, approval_id=APPROVAL, expires_at=EXPIRY),
    LimitExceeded: LimitExceeded(
        "That is more than your limits allow: pieces_per_day is 20, of which 5 are used, and this "
        "takes 25. Somebody else has to approve it.",
        limit="pieces_per_day",
        allowed=20,
        used=5,
        wanted=25,
    ),
}
