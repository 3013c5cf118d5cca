"""Descriptions and examples for the OpenAPI document: appeals."""

from datetime import UTC, datetime
from uuid import UUID

from msgspec import structs

from gamekeeper.core.errors import Problem
from gamekeeper.core.schemas import Page, Window
from gamekeeper.http.openapi import Example
from gamekeeper.moderation.appeal_queue import Appeal, AppealNotFound
from gamekeeper.moderation.appeals import AppealOutcome, AppealStatus
from gamekeeper.sanctions.records import Sanction

APPEAL = UUID("019cee10-4f2a-7c31-8a55-0b6d2f8e4c17")
APPEALED = UUID("019cedf0-1b7c-7d42-9c66-1c7e3a9f5d28")
"""The sanction of that appeal."""
APPEALABLE_CODE = "7H3K-9QXM"
APPEALED_CODE = "4T8W-2RZE"
SINNER = UUID("5e0c9b1d-6a2f-4b38-9d47-2e1f0a8c7b65")
IMPOSED = datetime(2026, 3, 14, 18, 22, 5, tzinfo=UTC)
OPENED = datetime(2026, 3, 14, 19, 40, 11, tzinfo=UTC)
DECIDED = datetime(2026, 3, 15, 9, 5, 30, tzinfo=UTC)
UNTIL = datetime(2026, 3, 21, 18, 22, 5, tzinfo=UTC)
TEXT = "It was an argument among friends; we have made up since."
ANSWER = "We have read the chat again. You are right, and we are sorry."
MESSAGE = "Insulting other players."

STATUS = AppealStatus(
    code=APPEALABLE_CODE,
    kind="mute",
    target="account",
    state="in_force",
    starts_at=IMPOSED,
    until=UNTIL,
    message=MESSAGE,
    may_appeal=True,
    appeals_left=3,
    appeals=[],
)
RECEIVED = structs.replace(
    STATUS,
    may_appeal=False,
    appeals_left=2,
    appeals=[AppealOutcome(state="open", opened_at=OPENED, decided_at=None, answer=None)],
)
MUTE = Sanction(
    id=APPEALED,
    code=APPEALED_CODE,
    kind="mute",
    user_id=SINNER,
    user_name="bo",
    player_id=None,
    starts_at=IMPOSED,
    ends_at=UNTIL,
    in_force=True,
    reason="three players reported it",
    message=MESSAGE,
    template=None,
    step=None,
    evidence=["https://example.com/chat/8217"],
    imposed_at=IMPOSED,
    imposed_by="user:b0a7d0c2-5d2e-4f7a-8a57-1c1f0a4c9f11",
    imposed_by_name="ines",
    lifted_at=None,
    lifted_by=None,
    lifted_by_name=None,
    lift_reason=None,
)
WAITING = Appeal(
    id=APPEAL,
    state="open",
    text=TEXT,
    opened_at=OPENED,
    decided_at=None,
    decided_by=None,
    decided_by_name=None,
    answer=None,
    reason=None,
    sanction=MUTE,
)
WHO, WHY = "user:7c1e5a90-2d4b-4f6c-8e13-9a0b7d5c3f42", "banter, both sides confirm it"
LIFTED = structs.replace(
    WAITING,
    state="lifted",
    decided_at=DECIDED,
    decided_by=WHO,
    decided_by_name="tom",
    answer=ANSWER,
    reason=WHY,
    sanction=structs.replace(
        MUTE,
        in_force=False,
        lifted_at=DECIDED,
        lifted_by=WHO,
        lifted_by_name="tom",
        lift_reason=WHY,
    ),
)
DECISION = {"lift": True, "answer": ANSWER, "reason": WHY}


APPEAL_EXAMPLES = {
    "submit_appeal": Example(body={"code": APPEALABLE_CODE, "text": TEXT}, answer=RECEIVED),
    "find_appeal_status": Example(body={"code": APPEALABLE_CODE}, answer=STATUS),
    "list_appeals": Example(answer=Page.of([WAITING], 1, Window.of(0, 5))),
    "get_appeal": Example(answer=WAITING),
    "decide_appeal": Example(body=DECISION, answer=LIFTED),
}

APPEAL_REFUSALS: dict[type[Problem], Problem] = {
    AppealNotFound: AppealNotFound(f"No appeal has the id '{APPEAL}'."),
}

CODE = (
    "The code that the player was shown, `XXXX-XXXX`; in any letter case, with or without the "
    "hyphen."
)
