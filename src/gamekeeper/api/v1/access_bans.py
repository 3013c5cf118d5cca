"""Access ban endpoints: bans of devices and address ranges."""

from datetime import datetime, timedelta
from uuid import UUID

from msgspec import structs

from gamekeeper.api.path_parameters import AccessBanKey
from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import RoleRequired
from gamekeeper.core.schemas import Body, Instant, Query, Record
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.routing import Routes
from gamekeeper.moderation import access_ban_lists, access_bans
from gamekeeper.moderation.access_ban_lists import MAX_COUNTED, AccessBans, AffectedAccount
from gamekeeper.moderation.access_bans import (
    AccessBanLifted,
    AccessImposition,
    AccessLifting,
    AlreadyBannedAccess,
    InvalidAccessBan,
    InvalidRange,
    OwnAccess,
    PlannedBan,
    ProtectedRange,
    TooManyAccessBans,
)
from gamekeeper.moderation.texts import InvalidText
from gamekeeper.sanctions.access_bans import AccessBan, AccessBanNotFound
from gamekeeper.users.ranks import Outranked

routes = Routes("/api/v1/access-bans")

READ = "sanctions.read"
MANAGE = "sanctions.access"


class AccessBanQuery(Query, frozen=True):
    in_force: bool | None = None
    """Only active access bans (`true`), or only inactive ones (`false`)."""
    cursor: UUID | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 50
    """The page size, 1 to 100; values out of range are clamped."""


@routes.get("", READ)
async def list_access_bans(reader: Reader, caller: Principal, query: AccessBanQuery) -> AccessBans:
    """All access bans, newest first; address ranges only for callers with `users.personal`."""
    found = await access_ban_lists.list_access_bans(
        reader, query.cursor, query.limit, in_force=query.in_force
    )
    return AccessBans(values=[_shown(ban, caller) for ban in found.values], next=found.next)


class ImposeAccessBan(Body, frozen=True):
    reason: str
    """The reason, for staff, at most 500 characters."""
    device: UUID | None = None
    """The device, as `/api/v1/users/{key}/linked` names it; or send `range`."""
    range: str | None = None
    """
    An address, or a range in CIDR notation: at most /16 for IPv4 and /32 for IPv6. An IPv6
    address stands for its /64. Needs `users.personal`; or send `device`.
    """
    until: datetime | None = None
    """The end, within 366 days; or send `durationseconds`."""
    duration_seconds: int | None = None
    """The duration in seconds, at most 366 days; or send `until`."""
    message: str = ""
    """The text for the player, at most 2,000 characters."""
    dry_run: bool = False
    """Whether to only return which accounts would be stopped."""


class ImposedAccessBan(Record, frozen=True, kw_only=True):
    """The imposed access ban or, in a dry run, the one that would be imposed."""

    id: UUID | None
    """Null if it was a dry run."""
    code: str | None
    """Null if it was a dry run."""
    dry_run: bool
    device: UUID | None
    network: str | None
    """The address range that is banned; null: a device."""
    ends_at: Instant
    accounts: int
    """How many accounts were used from there; counted to 10,000."""
    more_accounts: bool
    """Whether there may be more than were counted."""
    affected: list[AffectedAccount]
    """At most 50 of these accounts, the last seen first."""


@routes.post(
    "",
    MANAGE,
    raises=(
        *(InvalidAccessBan, InvalidRange, InvalidText, ProtectedRange, OwnAccess, Outranked),
        *(AlreadyBannedAccess, TooManyAccessBans, RoleRequired),
    ),
)
async def impose_access_ban(
    database: Database, caller: Principal, by: AuditContext, body: ImposeAccessBan
) -> ImposedAccessBan:
    """
    Ban a device or an address range until an instant.

    Sign-ins, token refreshes and joins from there are refused, whichever account it is. Tokens
    and browser sessions that began there stop within two seconds. API keys are not affected. With
    `dryrun` nothing is written: the response says which accounts were used from there.
    """
    # Who is in a range says where accounts are used from.
    if body.range is not None and not caller.sees_emails:
        raise RoleRequired("users.personal")
    seconds = body.duration_seconds
    order = AccessImposition(
        by=by,
        device=body.device,
        range=body.range,
        ends_at=body.until,
        duration=None if seconds is None else timedelta(seconds=seconds),
        reason=body.reason,
        message=body.message,
        caller=caller,
    )
    act = access_bans.preview if body.dry_run else access_bans.impose
    return await act.one(database, order, _imposed)


def _imposed(planned: PlannedBan) -> ImposedAccessBan:
    ban, made, accounts = planned.ban, planned.made, planned.accounts
    return ImposedAccessBan(
        id=made.id if made else None,
        code=made.code if made else None,
        dry_run=made is None,
        device=ban.device,
        network=ban.network,
        ends_at=ban.ends_at,
        accounts=accounts.count,
        more_accounts=accounts.count >= MAX_COUNTED,
        affected=accounts.shown,
    )


@routes.get("/{key}", READ, raises=(AccessBanNotFound,))
async def get_access_ban(reader: Reader, caller: Principal, key: AccessBanKey) -> AccessBan:
    """One access ban, by its id or by its code."""
    return _shown(await access_ban_lists.find_access_ban(reader, key), caller)


class LiftAccessBan(Body, frozen=True):
    reason: str
    """The reason, for staff, at most 500 characters."""


@routes.post(
    "/{key}/lift",
    MANAGE,
    raises=(AccessBanNotFound, InvalidAccessBan, InvalidText, AccessBanLifted),
)
async def lift_access_ban(
    database: Database, caller: Principal, by: AuditContext, key: AccessBanKey, body: LiftAccessBan
) -> AccessBan:
    """
    Lift an access ban, by its id or code. The record is kept until its retention ends.

    Without `sanctions.read` the response has no reason.
    """
    order = AccessLifting(by=by, ban=key, reason=body.reason)
    return await access_bans.lift.one(database, order, lambda lifted: _shown(lifted, caller))


def _shown(ban: AccessBan, caller: Principal) -> AccessBan:
    shown = ban if caller.sees_emails else structs.replace(ban, network=None)
    return shown if caller.may(READ) else structs.replace(shown, reason="")
