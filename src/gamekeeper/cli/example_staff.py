"""
Staff of the demo world, and what they did: sanctions of every kind, a ladder, and appeals.

All of it is made by the public operations, so the audit log tells it as it would tell
a real game's. Two codes and an appeal are those of the API's examples.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID, uuid4

from msgspec import Struct

from gamekeeper.api.example_world import (
    APPEAL,
    APPEAL_ANSWER,
    APPEALABLE_CODE,
    APPEALED,
    APPEALED_CODE,
    POTION,
    SANCTION_MESSAGE,
    SEGMENT,
)
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import COMMAND_LINE, AuditContext
from gamekeeper.demo.story import dates
from gamekeeper.moderation import appeal_queue, appeals, sanctions, templates
from gamekeeper.moderation.appeal_queue import AppealDecision
from gamekeeper.moderation.appeals import NewAppeal
from gamekeeper.moderation.sanctions import Imposition
from gamekeeper.moderation.templates import LadderStep, TemplateChange
from gamekeeper.sanctions import changes
from gamekeeper.sanctions.changes import NewSanction
from gamekeeper.segments import saved
from gamekeeper.segments.records import Condition, ConditionGroup, Definition
from gamekeeper.segments.saved import SegmentChange
from gamekeeper.users import accounts, lookup
from gamekeeper.users.accounts import UserRegistration
from gamekeeper.users.staff import members
from gamekeeper.users.staff.members import RoleGrant

ROLES = {"Maren": "owner", "Ines": "moderator", "Tomas": "support", "Kjell": "live-operations"}
OWNER, MODERATOR, LIVE_OPERATIONS = "Maren", "Ines", "Kjell"

DAY = timedelta(days=1)
LADDER = "spam"
STEPS = (
    LadderStep(kind="warning"),
    LadderStep(kind="mute", duration_seconds=86_400),
    LadderStep(kind="mute", duration_seconds=7 * 86_400),
    LadderStep(kind="ban"),
)
PLAYER = AuditContext(actor="anonymous", name="anonymous")


class Colleague(Struct, frozen=True):
    """A staff member, as an actor."""

    name: str
    user_id: UUID

    @property
    def by(self) -> AuditContext:
        return AuditContext(actor=f"user:{self.user_id}", name=self.name)

    @property
    def caller(self) -> Principal:
        return Principal(id=self.by.actor, name=self.name, user_id=self.user_id)


async def create(
    database: Database, password: str, dated: tuple[datetime, datetime] | None = None
) -> list[str]:
    """
    Create staff with this password, and their history; returns the names.

    With `dated` they were hired then, and did their work since; otherwise all of it is of now.
    """
    staff = {name: Colleague(name, uuid4()) for name in ROLES}
    vault, secret = Vault(database.settings, waits=True), sha256(password.encode()).digest()
    sealed = await asyncio.gather(
        *(vault.hash(colleague.user_id, secret) for colleague in staff.values())
    )

    async def hire(writer: Writer) -> None:
        await _hire(writer, staff, sealed)
        if dated:
            await dates.backdate(writer, dates.evenly(dated[0], dated[0] + DAY / 24))

    async def act(writer: Writer) -> None:
        await _act(writer, staff)
        if dated:
            await dates.backdate(writer, dates.evenly(dated[1] - DAY / 2, dated[1] - DAY / 48))

    await database.write(hire)
    await database.write(act)
    return list(staff)


async def _act(writer: Writer, staff: dict[str, Colleague]) -> None:
    sanctioned = await _accounts(writer, staff)
    await _tell_examples(writer, staff[MODERATOR], sanctioned[0])
    await _climb(writer, staff[MODERATOR], sanctioned[1 % len(sanctioned)])
    await _impose_others(writer, staff[MODERATOR], sanctioned)
    await _decide_one(writer, staff, sanctioned[-1])
    await _save_segments(writer, staff[LIVE_OPERATIONS])


async def _hire(writer: Writer, staff: dict[str, Colleague], sealed: Sequence[str]) -> None:
    for colleague, hashed in zip(staff.values(), sealed, strict=True):
        email = f"{colleague.name.lower()}@example.com"
        account = UserRegistration(
            by=COMMAND_LINE, id=colleague.user_id, name=colleague.name, email=email, sealed=hashed
        )
        await accounts.register.one(writer, account)
        grant = RoleGrant(
            by=COMMAND_LINE, caller=None, user=str(colleague.user_id), role=ROLES[colleague.name]
        )
        await members.grant.one(writer, grant)


async def _accounts(writer: Writer, staff: dict[str, Colleague]) -> list[UUID]:
    """The first accounts of the world, of those without powers; at least one."""
    rows = await writer.rows(
        # The index on created_at finds the oldest characters without reading a million others.
        # An account has at most three, so a hundred belong to more than enough accounts.
        """
        SELECT user_id
          FROM (SELECT user_id, created_at
                  FROM players
                 WHERE user_id <> ALL($1)
                   AND EXISTS (SELECT FROM users WHERE id = user_id AND NOT api)
                 ORDER BY created_at, id
                 LIMIT 100) AS oldest
         GROUP BY user_id ORDER BY min(created_at), user_id LIMIT 5
        """,
        [colleague.user_id for colleague in staff.values()],
    )
    return [row["user_id"] for row in rows]


async def _tell_examples(writer: Writer, moderator: Colleague, user: UUID) -> None:
    """The sanctions and the appeal that the documentation names."""
    now = await writer.value("SELECT now()")

    await lookup.lock(writer, [user])
    mute = NewSanction(
        by=moderator.by,
        kind="mute",
        user_id=user,
        code=APPEALABLE_CODE,
        ends_at=now + 7 * DAY,
        reason="three players reported it",
        message=SANCTION_MESSAGE,
    )
    lock = NewSanction(
        by=moderator.by,
        kind="trade_lock",
        user_id=user,
        id=APPEALED,
        code=APPEALED_CODE,
        ends_at=now + 30 * DAY,
        reason="bought gold, it seems",
        message="Trading for real money.",
    )
    await changes.insert(writer, [mute, lock])
    text = "It was a present for a friend. Nobody paid for it."
    new = NewAppeal(by=PLAYER, id=APPEAL, sanction_id=APPEALED, text=text)
    await appeals.submit.one(writer, new)


async def _climb(writer: Writer, moderator: Colleague, user: UUID) -> None:
    """Somebody who did not stop: a warning, then a mute of a day, then one of a week."""
    await templates.change.one(
        writer, TemplateChange(by=moderator.by, name=LADDER, message=SANCTION_MESSAGE, steps=STEPS)
    )
    for reason in ("in the trade channel", "again, the day after", "and again, in a guild chat"):
        order = Imposition(by=moderator.by, user=str(user), template=LADDER, reason=reason)
        await sanctions.impose.one(writer, order)


async def _impose_others(writer: Writer, moderator: Colleague, users: Sequence[UUID]) -> None:
    """A ban without end with a note, and a mute of one character only."""
    bot, loud = users[2 % len(users)], users[3 % len(users)]
    character = await writer.value(
        "SELECT id::text FROM players WHERE user_id = $1 ORDER BY created_at, id LIMIT 1", loud
    )
    orders = [
        Imposition(
            by=moderator.by,
            user=str(bot),
            kind="ban",
            reason="the same route for 19 hours",
            message="Playing by a program.",
            evidence=["https://example.com/replays/4711"],
        ),
        Imposition(
            by=moderator.by, user=str(bot), kind="note", reason="says his brother plays as well"
        ),
        Imposition(
            by=moderator.by,
            player=character,
            kind="mute",
            duration=DAY,
            reason="shouts the same line all evening",
            message="Flooding the global channel.",
        ),
    ]
    await sanctions.impose(writer, orders)


async def _decide_one(writer: Writer, staff: dict[str, Colleague], user: UUID) -> None:
    """A warning that was appealed, and lifted by somebody else than who gave it."""
    order = Imposition(
        by=staff[MODERATOR].by,
        user=str(user),
        kind="warning",
        reason="reported once",
        message="Posing as a moderator.",
    )
    warning = await sanctions.impose.one(writer, order)
    text = "My name was there before the moderator's."
    new = NewAppeal(by=PLAYER, sanction_id=warning.id, text=text)
    appeal = await appeals.submit.one(writer, new)
    decision = AppealDecision(
        by=staff[OWNER].by,
        appeal_id=appeal,
        lift=True,
        answer=APPEAL_ANSWER,
        caller=staff[OWNER].caller,
    )
    await appeal_queue.decide.one(writer, decision)


async def _save_segments(writer: Writer, colleague: Colleague) -> None:
    """The segment that the documentation names, and one with a single condition."""
    played = [Condition(field="level", at_least=20), Condition(field="last_online", within_days=7)]
    lacks = [
        Condition(field="guild", negate=True),
        Condition(field="item", id=POTION, at_least=3),
    ]
    returning = Definition(
        groups=[ConditionGroup(conditions=played), ConditionGroup(match="any", conditions=lacks)]
    )
    new = Definition(
        groups=[ConditionGroup(conditions=[Condition(field="created", within_days=7)])]
    )
    orders = [
        SegmentChange(by=colleague.by, name=name, description=description, definition=definition)
        for name, description, definition in (
            (SEGMENT, "Level 20 or higher, online in the last week", returning),
            ("newcomers", "Created in the last week", new),
        )
    ]
    for order in orders:
        await saved.change.one(writer, order)
