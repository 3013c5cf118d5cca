"""Linked accounts: who else uses the same devices and addresses, and bans of all of them."""

from datetime import datetime, timedelta
from typing import Annotated
from uuid import UUID

from msgspec import Meta

from gamekeeper.api.path_parameters import UserKey
from gamekeeper.auth.principal import Principal
from gamekeeper.core.schemas import Body, Record
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.load_shedding import LOW
from gamekeeper.http.routing import Routes
from gamekeeper.moderation import linked_bans
from gamekeeper.moderation.linked_bans import MAX_BANNED, LinkedBan, LinkedBanOutcome
from gamekeeper.moderation.sanctions import InvalidSanction
from gamekeeper.users import linked
from gamekeeper.users.linked import LinkedAccounts
from gamekeeper.users.lookup import UserNotFound, find_user_id

routes = Routes("/api/v1/users", roles=["users.query", "users.linked"])


@routes.get("/{key}/linked", raises=(UserNotFound,), priority=LOW)
async def list_linked_accounts(reader: Reader, caller: Principal, key: UserKey) -> LinkedAccounts:
    """
    Other accounts that were used from the same devices and addresses, the strongest links first.

    A device or address that many accounts use, as in a café or behind a carrier, is marked as
    shared and weighs less. Addresses are shown to callers with `users.personal`.
    """
    user = await find_user_id(reader, key)
    return await linked.list_linked(reader, user, addresses=caller.sees_emails)


class BanLinked(Body, frozen=True):
    users: Annotated[list[UUID], Meta(min_length=1, max_length=MAX_BANNED)]
    """The ids of the accounts to ban: this one, and those that are linked with it; at most 51."""
    reason: str
    """The reason, for staff, at most 500 characters."""
    until: datetime | None = None
    """The end; or send `durationseconds`. Without both, the bans are permanent."""
    duration_seconds: int | None = None
    """The duration in seconds; by default, permanent."""
    message: str = ""
    """The text for the players, at most 2,000 characters."""
    dry_run: bool = False
    """Whether to only return what would be imposed."""


class BannedLinked(Record, frozen=True):
    """The result for each account, in the order of `users`."""

    dry_run: bool
    values: list[LinkedBanOutcome]


@routes.post(
    "/{key}/linked/ban", "sanctions.manage", raises=(UserNotFound, InvalidSanction), priority=LOW
)
async def ban_linked_accounts(
    database: Database, caller: Principal, by: AuditContext, key: UserKey, body: BanLinked
) -> BannedLinked:
    """
    Ban an account and accounts that are linked with it, each by an ordinary ban.

    An account that is banned already, is not linked or has permissions that the caller lacks is
    left as it is, and its result says why. With `dryrun` nothing is written.
    """
    if not body.reason.strip():
        raise InvalidSanction("'reason' is required.", field="reason")
    seconds = body.duration_seconds
    order = LinkedBan(
        by=by,
        user_id=await find_user_id(database.reader, key),
        users=body.users,
        ends_at=body.until,
        duration=None if seconds is None else timedelta(seconds=seconds),
        reason=body.reason,
        message=body.message,
        caller=caller,
        dry_run=body.dry_run,
    )
    return await linked_bans.ban_linked.one(
        database, order, lambda done: BannedLinked(dry_run=body.dry_run, values=done.outcomes)
    )
