"""
Access bans imposed and lifted: of a device, or of an address range.

A preview lists the accounts that were used from there. Nobody bans the device or the address they
use themselves, nor that of an account that holds more than they do.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth import client_traces
from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Conflict, Forbidden, Invalid, Problem
from gamekeeper.db.database import Queryable, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.moderation.access_ban_lists import AffectedAccounts, affected
from gamekeeper.moderation.texts import check_reason, check_text
from gamekeeper.sanctions import access_bans
from gamekeeper.sanctions.access_bans import AccessBan, AccessRelease, NewAccessBan
from gamekeeper.sanctions.in_force import NOT_OVER
from gamekeeper.users import ranks
from gamekeeper.users.ranks import Management, Outranked

MAX_DURATION = timedelta(days=366)
"""An address has another owner some day, and a device too."""
MAX_ACTIVE = 10_000
SHORTEST_PREFIX = {4: 16, 6: 32}
HOME_PREFIX = 64
"""IPv6 addresses are stored by the /64, so a smaller range would stop nobody."""
LOOPBACK = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


class InvalidAccessBan(Invalid):
    """Send a 'device' or a 'range', an end and a reason."""


class InvalidRange(Invalid):
    """A range is at most /16 for IPv4 and /32 for IPv6, for example 203.0.113.0/24."""


class ProtectedRange(Conflict):
    """The range contains this machine or a trusted proxy: all players would be banned."""


class OwnAccess(Forbidden):
    """You use this device or address yourself, so you cannot ban it."""

    cacheable = False


class AlreadyBannedAccess(Conflict):
    """An access ban of this device or range is already active."""


class TooManyAccessBans(Conflict):
    """10,000 access bans are active. Lift those that are no longer needed."""

    cacheable = False


class AccessBanLifted(Conflict):
    """This access ban has already been lifted."""


class AccessImposition(Command, frozen=True, kw_only=True):
    """An access ban to be imposed."""

    device: UUID | None = None
    range: str | None = None
    ends_at: datetime | None = None
    duration: timedelta | None = None
    reason: str
    message: str = ""
    caller: Principal | None = None
    """None: the command line."""


class AccessLifting(Command, frozen=True, kw_only=True):
    """An access ban, by id or code, to be lifted."""

    ban: str
    reason: str


class PlannedBan(Struct, frozen=True):
    """An access ban as it would be imposed, and whom it would stop."""

    ban: NewAccessBan
    accounts: AffectedAccounts
    made: AccessBan | None = None


@operation
async def impose(
    writer: Writer, commands: Sequence[AccessImposition]
) -> list[PlannedBan | Problem]:
    """Impose access bans; they apply to sign-ins at once, and to tokens within two seconds."""
    # One at a time, so that of two equal ones the second is refused.
    await writer.run("SELECT pg_advisory_xact_lock(hashtext('access_bans'))")
    outcomes: list[PlannedBan | Problem] = []
    for command in commands:
        planned = await _planned(writer, command)
        if isinstance(planned, PlannedBan):
            [made] = await access_bans.insert(writer, [planned.ban])
            planned = PlannedBan(planned.ban, planned.accounts, made)
        outcomes.append(planned)
    return outcomes


@operation
async def preview(
    writer: Writer, commands: Sequence[AccessImposition]
) -> list[PlannedBan | Problem]:
    """Dry run: what `impose` would store, and the accounts that were used from there."""
    return [await _planned(writer, command) for command in commands]


async def _planned(writer: Writer, command: AccessImposition) -> PlannedBan | Problem:
    now: datetime = await writer.value("SELECT now()")
    try:
        draft = _draft(writer, command, now)
        await _check_free(writer, draft)
        await _check_own(writer, command, draft)
    except Problem as refusal:
        return refusal
    return PlannedBan(draft, await affected(writer, draft.device, draft.network))


def _draft(writer: Writer, command: AccessImposition, now: datetime) -> NewAccessBan:
    if (command.device is None) == (command.range is None):
        raise InvalidAccessBan("Send either a 'device' or a 'range'.")
    network = parse_range(command.range) if command.range is not None else None
    if network and _is_protected(network, writer.settings.proxies):
        raise ProtectedRange(None, range=str(network))
    reason = check_reason(command.reason)
    if not reason:
        raise InvalidAccessBan("'reason' is required.", field="reason")
    if (command.ends_at is None) == (command.duration is None):
        raise InvalidAccessBan("Send either 'until' or 'durationseconds'.")
    ends_at = command.ends_at or now + (command.duration or timedelta())
    if not now < ends_at <= now + MAX_DURATION:
        raise InvalidAccessBan("An access ban must end in the future, within 366 days.")
    return NewAccessBan(
        by=command.by,
        device=command.device,
        network=str(network) if network else None,
        ends_at=ends_at,
        reason=reason,
        message=check_text("message", command.message),
    )


def parse_range(text: str) -> IPv4Network | IPv6Network:
    """The range of an address or of CIDR notation; of IPv6 at least a /64."""
    try:
        network = ip_network(text.strip()[:64], strict=False)
    except ValueError:
        raise InvalidRange(None, field="range") from None
    if isinstance(network, IPv6Network) and (mapped := network.network_address.ipv4_mapped):
        if network.prefixlen < 96:
            raise InvalidRange(None, field="range")
        network = ip_network(f"{mapped}/{network.prefixlen - 96}", strict=False)
    if isinstance(network, IPv6Network) and network.prefixlen > HOME_PREFIX:
        network = network.supernet(new_prefix=HOME_PREFIX)
    if network.prefixlen < SHORTEST_PREFIX[network.version]:
        raise InvalidRange(None, field="range")
    return network


def _is_protected(
    network: IPv4Network | IPv6Network, proxies: Sequence[IPv4Network | IPv6Network]
) -> bool:
    return any(
        kept.version == network.version and network.overlaps(kept) for kept in (*LOOPBACK, *proxies)
    )


async def _check_free(reader: Queryable, draft: NewAccessBan) -> None:
    rows = await reader.rows(
        f"""
        SELECT code FROM access_bans
         WHERE (device = $1 OR network = $2::text::cidr) AND {NOT_OVER}
        """,
        draft.device,
        draft.network,
    )
    if rows:
        raise AlreadyBannedAccess(None, code=rows[0]["code"])
    active = await reader.rows(f"SELECT FROM access_bans WHERE {NOT_OVER} LIMIT $1", MAX_ACTIVE)
    if len(active) >= MAX_ACTIVE:
        raise TooManyAccessBans


async def _check_own(reader: Queryable, command: AccessImposition, draft: NewAccessBan) -> None:
    """Refuse what stops the caller, or staff above the caller."""
    here = client_traces.canonical_address(command.by.address)
    if draft.network and here and _contains(draft.network, here):
        raise OwnAccess
    if command.caller is None:
        return
    rows = await reader.rows(
        STAFF_BY_DEVICE if draft.device else STAFF_BY_NETWORK, draft.device or draft.network
    )
    staff = [row["user_id"] for row in rows]
    if command.caller.user_id in staff or await _uses(reader, command.caller.user_id, draft):
        raise OwnAccess
    refused = await ranks.refusals(reader, [Management(command.caller, user) for user in staff])
    if any(refused):
        raise Outranked("A staff member with permissions that you lack uses this device or range.")


def _contains(network: str, address: str) -> bool:
    outer, inner = ip_network(network), ip_network(address)
    return outer.version == inner.version and outer.overlaps(inner)


async def _uses(reader: Queryable, user: UUID | None, draft: NewAccessBan) -> bool:
    """Whether an account without a role was used from there."""
    if user is None:
        return False
    rows = await reader.rows(
        """
        SELECT FROM user_devices WHERE user_id = $1 AND device = $2
        UNION ALL
        SELECT FROM user_addresses WHERE user_id = $1 AND address <<= $3::text::cidr
        """,
        user,
        draft.device,
        draft.network,
    )
    return bool(rows)


@operation
async def lift(writer: Writer, commands: Sequence[AccessLifting]) -> list[AccessBan | Problem]:
    """Lift access bans, once each."""
    found = await access_bans.find_access_bans(writer, [command.ban for command in commands])
    outcomes: list[AccessBan | Problem] = []
    for command, ban in zip(commands, found, strict=True):
        try:
            outcomes.append(await _lift(writer, command, ban))
        except Problem as refusal:
            outcomes.append(refusal)
    return outcomes


async def _lift(writer: Writer, command: AccessLifting, ban: AccessBan | None) -> AccessBan:
    if ban is None:
        raise access_bans.missing(command.ban)
    reason = check_reason(command.reason)
    if not reason:
        raise InvalidAccessBan("'reason' is required.", field="reason")
    done = await access_bans.mark_lifted(
        writer, [AccessRelease(by=command.by, id=ban.id, reason=reason)]
    )
    if ban.id not in done:
        raise AccessBanLifted(None, code=ban.code)
    return done[ban.id]


STAFF_BY_DEVICE: LiteralString = """
    SELECT DISTINCT staff_roles.user_id
      FROM staff_roles JOIN user_devices ON user_devices.user_id = staff_roles.user_id
     WHERE device = $1
"""
STAFF_BY_NETWORK: LiteralString = """
    SELECT DISTINCT staff_roles.user_id
      FROM staff_roles JOIN user_addresses ON user_addresses.user_id = staff_roles.user_id
     WHERE address <<= $1::text::cidr
"""
