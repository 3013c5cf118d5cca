"""Sanction endpoints: bans, mutes, trade locks, warnings and notes, and their templates."""

from datetime import datetime, timedelta
from typing import Annotated
from uuid import UUID

from msgspec import Meta

from gamekeeper.api.path_parameters import PlayerKey, SanctionKey, TemplateName, UserKey
from gamekeeper.auth.principal import Principal
from gamekeeper.core.schemas import Body, Instant, Query, Record
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.routing import Routes
from gamekeeper.ledger import audit_log
from gamekeeper.moderation import lists, sanctions, templates
from gamekeeper.moderation.evidence import MAX_LINES, ChatMessageNotFound
from gamekeeper.moderation.lists import SanctionFilter, Sanctions
from gamekeeper.moderation.sanctions import (
    AlreadyLifted,
    Imposition,
    InvalidPeriod,
    InvalidSanction,
    Lifting,
    OwnSanction,
)
from gamekeeper.moderation.targets import InvalidTarget
from gamekeeper.moderation.templates import (
    MOST_STEPS,
    InvalidTemplate,
    LadderStep,
    SanctionTemplate,
    TemplateChange,
    TemplateNotFound,
    TemplateRemoval,
)
from gamekeeper.moderation.texts import MOST_LINKS, InvalidEvidence, InvalidText, check_text
from gamekeeper.players.lookup import PlayerNotFound, find_player, find_player_id
from gamekeeper.sanctions.changes import NewSanction
from gamekeeper.sanctions.records import Sanction, SanctionKind, SanctionNotFound
from gamekeeper.users import actors
from gamekeeper.users.actors import UnknownActor
from gamekeeper.users.lookup import UserNotFound, find_user_id
from gamekeeper.users.ranks import Outranked

routes = Routes("/api/v1/sanctions")
of_users = Routes("/api/v1/users")
of_players = Routes("/api/v1/players")

READ = "sanctions.read"
MANAGE = "sanctions.manage"
TEMPLATES = "sanctions.templates"
REFUSED = (
    *(InvalidTarget, InvalidSanction, InvalidPeriod, InvalidText, InvalidEvidence),
    *(UserNotFound, PlayerNotFound, TemplateNotFound, Outranked, OwnSanction),
    ChatMessageNotFound,
)


class SanctionQuery(Query, frozen=True):
    kind: SanctionKind | None = None
    """Only this kind: `ban`, `mute`, `trade_lock`, `warning` or `note`."""
    user: str | None = None
    """Only sanctions on this account and its characters, by name or id."""
    player: str | None = None
    """Only sanctions on this character itself, by name or id."""
    actor: str | None = None
    """Only sanctions imposed by this actor, by name or id."""
    template: str | None = None
    """Only sanctions imposed from this template."""
    in_force: bool | None = None
    """Only active sanctions (`true`), or only inactive ones (`false`)."""
    cursor: UUID | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 50
    """The page size, 1 to 100; values out of range are clamped."""


class SanctionPaging(Query, frozen=True):
    kind: SanctionKind | None = None
    """Only this kind: `ban`, `mute`, `trade_lock`, `warning` or `note`."""
    in_force: bool | None = None
    """Only active sanctions (`true`), or only inactive ones (`false`)."""
    cursor: UUID | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 50
    """The page size, 1 to 100; values out of range are clamped."""


@routes.get("", READ, raises=(UserNotFound, PlayerNotFound, UnknownActor))
async def list_sanctions(reader: Reader, caller: Principal, query: SanctionQuery) -> Sanctions:
    """All sanctions, newest first: active, ended, lifted and scheduled."""
    found = query.actor and await actors.find_actors(
        reader, query.actor, names_users=caller.sees_accounts
    )
    wanted = SanctionFilter(
        kind=query.kind,
        user_id=await audit_log.subject_id(reader, query.user or None, find_user_id),
        player_id=await audit_log.subject_id(reader, query.player or None, find_player_id),
        actors=tuple(actor.actor for actor in found) if found else None,
        template=query.template,
        in_force=query.in_force,
    )
    return await lists.list_sanctions(reader, wanted, query.cursor, query.limit)


class ImposeSanction(Body, frozen=True):
    user: str | None = None
    """The account, by name or id; or send `player`."""
    player: str | None = None
    """The character, by name or id; or send `user`."""
    kind: SanctionKind | None = None
    """`ban`, `mute`, `trade_lock`, `warning` or `note`; or send `template`."""
    template: str | None = None
    """A template; its next step sets the kind and the duration."""
    from_: datetime | None = None
    """The start; by default now."""
    until: datetime | None = None
    """The end; or send `durationseconds`. Without both, the sanction is permanent."""
    duration_seconds: int | None = None
    """The duration in seconds; by default, permanent."""
    reason: str = ""
    """The reason, for staff, at most 500 characters; required without a template."""
    message: str = ""
    """The text for the player, at most 2,000 characters; by default, that of the template."""
    evidence: Annotated[list[str], Meta(max_length=MOST_LINKS)] | None = None
    """At most 20 links, http or https, for staff."""
    excerpt: Annotated[list[UUID], Meta(max_length=MAX_LINES)] | None = None
    """
    At most 50 ids of chat messages that are evidence; they are kept with the sanction. Needs
    `logs.read`, and for private messages `chat.private`.
    """
    dry_run: bool = False
    """Whether to only return what would be imposed."""


class ImposedSanction(Record, frozen=True, kw_only=True):
    """The imposed sanction or, in a dry run, the one that would be imposed."""

    id: UUID | None
    """Null if it was a dry run."""
    code: str | None
    """Null if it was a dry run."""
    dry_run: bool
    kind: SanctionKind
    user_id: UUID
    player_id: UUID | None
    starts_at: Instant
    ends_at: Instant | None
    message: str
    template: str | None
    step: int | None
    """The step of the template, from 1."""


@routes.post(
    "",
    MANAGE,
    raises=REFUSED,
)
async def impose_sanction(
    database: Database, caller: Principal, by: AuditContext, body: ImposeSanction
) -> ImposedSanction:
    """
    Impose a sanction on an account (`user`) or on one character (`player`).

    It starts now or at `from`, and ends at `until`, after `durationseconds`, or never. With a
    `template` the next step sets the kind and the duration: the step after those imposed from
    it on the account and not lifted. `reason` and `evidence` are for staff, `message` is for
    the player. With `dryrun` nothing is written.
    """
    reason = body.reason or by.reason or ""
    if not reason.strip() and not body.template:
        raise InvalidSanction("'reason' is required without a template.", field="reason")
    seconds = body.duration_seconds
    order = Imposition(
        by=by,
        user=body.user,
        player=body.player,
        kind=body.kind,
        template=body.template,
        starts_at=body.from_,
        ends_at=body.until,
        duration=None if seconds is None else timedelta(seconds=seconds),
        reason=reason,
        message=body.message,
        evidence=body.evidence or (),
        excerpt=body.excerpt or (),
        caller=caller,
    )
    if body.dry_run:
        return await sanctions.preview.one(database, order, _previewed)
    return await sanctions.impose.one(database, order, _imposed)


def _imposed(made: Sanction) -> ImposedSanction:
    return ImposedSanction(
        id=made.id,
        code=made.code,
        dry_run=False,
        kind=made.kind,
        user_id=made.user_id,
        player_id=made.player_id,
        starts_at=made.starts_at,
        ends_at=made.ends_at,
        message=made.message,
        template=made.template,
        step=made.step,
    )


def _previewed(draft: NewSanction) -> ImposedSanction:
    assert draft.starts_at is not None
    return ImposedSanction(
        id=None,
        code=None,
        dry_run=True,
        kind=draft.kind,
        user_id=draft.user_id,
        player_id=draft.player_id,
        starts_at=draft.starts_at,
        ends_at=draft.ends_at,
        message=draft.message,
        template=draft.template,
        step=draft.step,
    )


@routes.get("/{key}", READ, raises=(SanctionNotFound,))
async def get_sanction(reader: Reader, key: SanctionKey) -> Sanction:
    """One sanction, by its id or by its code."""
    return await lists.find_sanction(reader, key)


class LiftSanction(Body, frozen=True):
    reason: str
    """The reason, for staff, at most 500 characters."""


@routes.post(
    "/{key}/lift",
    MANAGE,
    raises=(SanctionNotFound, InvalidSanction, InvalidText, AlreadyLifted, Outranked, OwnSanction),
)
async def lift_sanction(
    database: Database, caller: Principal, by: AuditContext, key: SanctionKey, body: LiftSanction
) -> Sanction:
    """
    Lift a sanction, by its id or code: it ends now, and no longer counts as a step.

    The record is kept, with the actor, the time and the reason. A sanction can be lifted once.
    Without `sanctions.read` the response has neither the reason nor the evidence.
    """
    if not body.reason.strip():
        raise InvalidSanction("'reason' is required.", field="reason")
    order = Lifting(by=by, sanction=key, reason=body.reason, caller=caller)
    return await sanctions.lift.one(
        database, order, lambda lifted: lifted if caller.may(READ) else lifted.redacted()
    )


@of_users.get("/{key}/sanctions", READ, raises=(UserNotFound,))
async def list_user_sanctions(reader: Reader, key: UserKey, query: SanctionPaging) -> Sanctions:
    """The sanctions on an account and on its characters, newest first."""
    wanted = SanctionFilter(
        kind=query.kind, user_id=await find_user_id(reader, key), in_force=query.in_force
    )
    return await lists.list_sanctions(reader, wanted, query.cursor, query.limit)


@of_players.get("/{key}/sanctions", READ, raises=(PlayerNotFound,))
async def list_player_sanctions(reader: Reader, key: PlayerKey, query: SanctionPaging) -> Sanctions:
    """The sanctions that concern a character, its own and those of its account, newest first."""
    player = await find_player(reader, key)
    wanted = SanctionFilter(
        kind=query.kind,
        user_id=player.user_id,
        player_id=player.id,
        in_force=query.in_force,
    )
    return await lists.list_sanctions(reader, wanted, query.cursor, query.limit)


# ── Templates ──


class SanctionTemplates(Record, frozen=True):
    values: list[SanctionTemplate]


class TemplateStep(Body, frozen=True):
    kind: SanctionKind
    """`ban`, `mute`, `trade_lock`, `warning` or `note`."""
    duration_seconds: int | None = None
    """The duration in seconds; by default, permanent."""


class PutTemplate(Body, frozen=True):
    steps: Annotated[list[TemplateStep], Meta(max_length=MOST_STEPS)]
    """The escalation steps: the first sanction, the second, and so on; 1 to 20."""
    message: str = ""
    """The text for the player, at most 2,000 characters."""


@routes.get("/templates", READ)
async def list_sanction_templates(reader: Reader) -> SanctionTemplates:
    """The templates with their steps, by name."""
    return SanctionTemplates(values=await templates.list_templates(reader))


@routes.get("/templates/{name}", READ, raises=(TemplateNotFound,))
async def get_sanction_template(reader: Reader, name: TemplateName) -> SanctionTemplate:
    """One template, by its name."""
    return await templates.find_template(reader, name)


@routes.put("/templates/{name}", TEMPLATES, raises=(InvalidTemplate, InvalidText))
async def put_sanction_template(
    database: Database, by: AuditContext, name: TemplateName, body: PutTemplate
) -> SanctionTemplate:
    """
    Create a template, or replace the one with this name.

    The first step is imposed the first time, and so on; the last step is repeated.
    """
    steps = [
        LadderStep(kind=step.kind, duration_seconds=step.duration_seconds) for step in body.steps
    ]
    message = check_text("message", body.message)
    order = TemplateChange(by=by, name=name, message=message, steps=steps)
    return await templates.change.one(database, order)


@routes.delete("/templates/{name}", TEMPLATES, raises=(TemplateNotFound,))
async def remove_sanction_template(
    database: Database, by: AuditContext, name: TemplateName
) -> SanctionTemplate:
    """Delete a template; sanctions imposed from it do not change."""
    return await templates.remove.one(database, TemplateRemoval(by=by, name=name))
