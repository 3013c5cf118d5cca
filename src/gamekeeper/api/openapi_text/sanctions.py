"""Text and examples for the OpenAPI document: sanctions, their templates, and admin actions."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from msgspec import structs

from gamekeeper.api.openapi_text.examples import PLAYER, USER
from gamekeeper.api.v1.admin_actions import (
    ActionDoneBefore,
    ActionNotImplemented,
    ActionNotSupported,
)
from gamekeeper.api.v1.sanctions import ImposedSanction, SanctionTemplates
from gamekeeper.core.errors import Problem
from gamekeeper.core.schemas import Message
from gamekeeper.http.openapi import Example
from gamekeeper.moderation.lists import Sanctions
from gamekeeper.moderation.sanctions import AlreadyLifted
from gamekeeper.moderation.templates import SanctionTemplate, ShownStep, TemplateNotFound
from gamekeeper.sanctions.records import Sanction, SanctionNotFound

SANCTION = UUID("019cede4-9b7e-7c11-8d20-4e6a7f1c2b3d")
CODE = "7K3M-Q9XA"
BEGUN = datetime(2026, 3, 14, 18, 30, tzinfo=UTC)
WEEK = timedelta(days=7)
TEXT = "You flooded the trade channel. You can write again in a week."

MUTE = Sanction(
    id=SANCTION,
    code=CODE,
    kind="mute",
    user_id=USER.id,
    user_name=USER.name,
    player_id=None,
    player_name=None,
    starts_at=BEGUN,
    ends_at=BEGUN + WEEK,
    in_force=True,
    reason="Third report in a day; see the log of the channel.",
    message=TEXT,
    template="spam",
    step=2,
    evidence=["https://tickets.example.com/4711"],
    imposed_at=BEGUN,
    imposed_by="key:019cede0-77aa-7b10-8c3e-2f6a94d1b0c5",
    imposed_by_name="moderation",
    lifted_at=None,
    lifted_by=None,
    lifted_by_name=None,
    lift_reason=None,
)
LIFTED = structs.replace(
    MUTE,
    in_force=False,
    lifted_at=BEGUN + timedelta(days=1),
    lifted_by=MUTE.imposed_by,
    lifted_by_name=MUTE.imposed_by_name,
    lift_reason="It was a bot that wrote under this name.",
)
IMPOSED = ImposedSanction(
    id=SANCTION,
    code=CODE,
    dry_run=False,
    kind="mute",
    user_id=USER.id,
    player_id=None,
    starts_at=BEGUN,
    ends_at=BEGUN + WEEK,
    message=TEXT,
    template=None,
    step=None,
)
WANTED = {
    "user": USER.name,
    "kind": "mute",
    "durationseconds": 604_800,
    "reason": MUTE.reason,
    "message": TEXT,
    "evidence": MUTE.evidence,
}
STEPS = [
    ShownStep(kind="warning", duration_seconds=None),
    ShownStep(kind="mute", duration_seconds=604_800),
    ShownStep(kind="ban", duration_seconds=None),
]
TEMPLATE = SanctionTemplate(
    name="spam",
    message=TEXT,
    steps=STEPS,
    changed_at=BEGUN,
    changed_by_name="moderation",
)
LADDER = {
    "message": TEXT,
    "steps": [
        {"kind": "warning"},
        {"kind": "mute", "durationseconds": 604_800},
        {"kind": "ban"},
    ],
}


LIMIT = "How many, 1 to 100; out of range, the nearest is taken."

SANCTION_EXAMPLES = {
    "list_sanctions": Example(answer=Sanctions(values=[MUTE], next=None)),
    "impose_sanction": Example(body=WANTED, answer=IMPOSED),
    "get_sanction": Example(answer=MUTE),
    "lift_sanction": Example(body={"reason": LIFTED.lift_reason}, answer=LIFTED),
    "list_user_sanctions": Example(answer=Sanctions(values=[MUTE], next=None)),
    "list_player_sanctions": Example(answer=Sanctions(values=[MUTE], next=None)),
    "list_sanction_templates": Example(answer=SanctionTemplates(values=[TEMPLATE])),
    "get_sanction_template": Example(answer=TEMPLATE),
    "put_sanction_template": Example(body=LADDER, answer=TEMPLATE),
    "remove_sanction_template": Example(answer=TEMPLATE),
    "act_on_user": Example(body={}, answer=Message(message=f"{USER.name} has been unmuted!")),
    "act_on_player": Example(body={}, answer=Message(message=f"{PLAYER.name} has been unmuted!")),
}

SANCTION_REFUSALS: dict[type[Problem], Problem] = {
    SanctionNotFound: SanctionNotFound(f"No sanction with id or code '{CODE}'."),
    TemplateNotFound: TemplateNotFound("There is no template of sanctions with the name 'spam'."),
    AlreadyLifted: AlreadyLifted(None, code=CODE),
    ActionNotSupported: ActionNotSupported("'WarpMeTo' not supported by the API."),
    ActionNotImplemented: ActionNotImplemented("SetSprite"),
    ActionDoneBefore: ActionDoneBefore(f"{USER.name} has already been banned!"),
}
