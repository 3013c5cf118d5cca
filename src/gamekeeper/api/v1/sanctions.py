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
)


class SanctionQuery(Query, frozen=True):
    kind: SanctionKind | None = None
    """Only this kind: `ban`, `mute`, `trade_lock`, `warning` or `note`."""
    user: str | None = None
    """Only those on this account and its characters, by name or id."""
    player: str | None = None
    """Only those on this character itself, by name or id."""
    actor: str | None = None
    """Only those imposed by this actor, by name or id."""
    template: str | None = None
    """Only those imposed from this template."""
    in_force: bool | None = None
    """Only those in force now, or only those that are not."""
    cursor: UUID | None = None
    """Go on where a list ended: the `Next` of its answer."""
    limit: int = 50
    """How many, 1 to 100; out of range, the nearest is taken."""


class SanctionPaging(Query, frozen=True):
    kind: SanctionKind | None = None
    """Only this kind: `ban`, `mute`, `trade_lock`, `warning` or `note`."""
    in_force: bool | None = None
    """Only those in force now, or only those that are not."""
    cursor: UUID | None = None
    """Go on where a list ended: the `Next` of its answer."""
    limit: int = 50
    """How many, 1 to 100; out of range, the nearest is taken."""


@routes.get("", READ, raises=(UserNotFound, PlayerNotFound, UnknownActor))
async def list_sanctions(reader: Reader, caller: Principal, query: SanctionQuery) -> Sanctions:
    """All sanctions, newest first: in force, ended, lifted and yet to begin."""
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
    """The account, by name or id; or say `player`."""
    player: str | None = None
    """The character, by name or id; or say `user`."""
    kind: SanctionKind | None = None
    """`ban`, `mute`, `trade_lock`, `warning` or `note`. Or say `template`."""
    template: str | None = None
    """Its ladder says which kind, and for how long."""
    from_: datetime | None = None
    """When it begins; now, without it."""
    until: datetime | None = None
    """When it ends; or say `durationseconds`; without either, never."""
    duration_seconds: int | None = None
    """For how long; without it, without end."""
    reason: str = ""
    """Why, for staff, at most 500 characters; required without a template."""
    message: str = ""
    """What the player reads, at most 2,000 characters; without it, the text of the template."""
    evidence: Annotated[list[str], Meta(max_length=MOST_LINKS)] | None = None
    """At most 20 links, http or https, for staff."""
    dry_run: bool = False
    """Only say what would be imposed."""


class ImposedSanction(Record, frozen=True, kw_only=True):
    """What was imposed or, if it was a dry run, would be."""

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
    """Which step of the template's ladder, from 1."""


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

    From now or `from` on, `until` an instant, for `durationseconds`, or without end. With a
    `template` its ladder says which kind and for how long: the step after those that were
    imposed from it on the account and not lifted. `reason` and `evidence` are for staff,
    `message` is what the player reads. With `dryrun` nothing is written.
    """
    reason = body.reason or by.reason or ""
    if not reason.strip() and not body.template:
        raise InvalidSanction("Say why: 'reason' is required without a template.", field="reason")
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
        caller=caller,
    )
    if body.dry_run:
        return await sanctions.foresee.one(database, order, _foreseen)
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


def _foreseen(draft: NewSanction) -> ImposedSanction:
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
    """One sanction, by its id or by the code that the player quotes."""
    return await lists.find_sanction(reader, key)


class LiftSanction(Body, frozen=True):
    reason: str
    """Why, for staff, at most 500 characters."""


@routes.post(
    "/{key}/lift",
    MANAGE,
    raises=(SanctionNotFound, InvalidSanction, InvalidText, AlreadyLifted, Outranked, OwnSanction),
)
async def lift_sanction(
    database: Database, caller: Principal, by: AuditContext, key: SanctionKey, body: LiftSanction
) -> Sanction:
    """
    Lift a sanction, by its id or code: it ends now, and counts on no ladder any more.

    It stays on record, with who lifted it, when and why. A lifted one cannot be lifted again.
    Without `sanctions.read` the answer has neither the reason nor the evidence.
    """
    if not body.reason.strip():
        raise InvalidSanction("Say why: 'reason' is required.", field="reason")
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
    """For how long; without it, without end."""


class PutTemplate(Body, frozen=True):
    steps: Annotated[list[TemplateStep], Meta(max_length=MOST_STEPS)]
    """What is imposed the first time, the second time, and so on; 1 to 20."""
    message: str = ""
    """What the player reads, at most 2,000 characters."""


@routes.get("/templates", READ)
async def list_sanction_templates(reader: Reader) -> SanctionTemplates:
    """The templates, by name, each with its ladder."""
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
    Make a template, or replace the one of that name.

    The first step is imposed the first time, and so on; beyond the last it stays the last.
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
    """Remove a template; the sanctions that were imposed from it stay as they are."""
    return await templates.remove.one(database, TemplateRemoval(by=by, name=name))
