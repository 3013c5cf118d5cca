"""
Access bans: bans of a device or of an address range, as they are stored and enforced.

They stop sign-ins, token refreshes and joins that come from there, whichever account it is, and
the tokens and browser sessions that began there. PostgreSQL's clock decides, as for sanctions.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from msgspec import Struct, field, structs

from gamekeeper.core import ids
from gamekeeper.core.errors import Forbidden, InternalError, NotFound
from gamekeeper.core.names import parse_guid
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.arrays import columns
from gamekeeper.db.database import Queryable, Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.sanctions import codes
from gamekeeper.sanctions.in_force import NOT_OVER

ATTEMPTS = 5
"""Fresh codes for those that are taken."""


class AccessBanNotFound(NotFound):
    """No access ban has that id or code."""


class AccessBanned(Forbidden):
    """Sign-in from this device or network is blocked."""

    cacheable = False


class AccessBan(Record, frozen=True, kw_only=True):
    """A ban of a device or of an address range."""

    id: UUID
    code: str
    """The code that the player sees."""
    device: UUID | None
    """The device, as `/api/v1/users/{key}/linked` names it; null: an address range."""
    network: str | None
    """The address range in CIDR notation; null for callers without `users.personal`."""
    prefix_length: int | None
    """The size of the address range: the bits that are the same; null: a device."""
    ends_at: Instant
    in_force: bool
    """Whether it is active: not ended, not lifted."""
    reason: str
    """For staff."""
    message: str
    """The text for the player."""
    imposed_at: Instant
    imposed_by: str
    """The actor who imposed it: `key:<id>`, `user:<id>`, `cli:<name>` or `system`."""
    imposed_by_name: str
    lifted_at: Instant | None
    lifted_by: str | None
    lifted_by_name: str | None
    lift_reason: str | None


class NewAccessBan(Struct, frozen=True, kw_only=True):
    by: AuditContext
    device: UUID | None
    network: str | None
    ends_at: datetime
    reason: str
    message: str
    id: UUID = field(default_factory=ids.new_id)


class AccessRelease(Struct, frozen=True, kw_only=True):
    """An access ban that is to be lifted."""

    by: AuditContext
    id: UUID
    reason: str
    is_undo: bool = False
    """Whether an undo lifts it: the undo is an action of its own."""


class BannedAccess(Struct, frozen=True):
    """What a player reads of an access ban."""

    code: str
    message: str
    until: datetime

    @property
    def text(self) -> str:
        told = self.message or "Sign-in from this device or network is blocked."
        return f"{told} Code: {self.code}"


COLUMNS: LiteralString = f"""
    id, code, device, network::text AS network, masklen(network) AS prefix_length, ends_at,
    {NOT_OVER} AS in_force, reason, message, imposed_at, imposed_by, imposed_by_name, lifted_at,
    lifted_by, lifted_by_name, lift_reason
"""

# Two conditions, not one with OR: each is a lookup in an index of its own.
FAMILY_ALLOWED: LiteralString = f"""
    NOT EXISTS (SELECT FROM access_bans
                 WHERE access_bans.device = token_families.device AND {NOT_OVER})
    AND NOT EXISTS (SELECT FROM access_bans
                     WHERE network >>= token_families.address AND {NOT_OVER})
"""
"""The condition that no access ban stops a row of `token_families`."""

SESSION_ALLOWED: LiteralString = f"""
    NOT EXISTS (SELECT FROM access_bans
                 WHERE access_bans.device = browser_sessions.device AND {NOT_OVER})
    AND NOT EXISTS (SELECT FROM access_bans
                     WHERE network >>= browser_sessions.source AND {NOT_OVER})
"""
"""The same of a row of `browser_sessions`."""

# LATERAL with LIMIT finds each ban by an index, also if the plan is older than the bans.
STOPPED: LiteralString = f"""
    SELECT asked.position, ban.code, ban.message, ban.ends_at
      FROM unnest($1::int[], $2::uuid[], $3::text[]) AS asked (position, device, address)
     CROSS JOIN LATERAL (
           (SELECT code, message, ends_at FROM access_bans
             WHERE access_bans.device = asked.device AND {NOT_OVER}
             ORDER BY ends_at DESC LIMIT 1)
           UNION ALL
           (SELECT code, message, ends_at FROM access_bans
             WHERE network >>= asked.address::inet AND {NOT_OVER}
             ORDER BY ends_at DESC LIMIT 1)) AS ban
     ORDER BY ban.ends_at
"""


async def find_stopped(
    reader: Queryable, asked: Sequence[tuple[int, UUID | None, str | None]]
) -> dict[int, BannedAccess]:
    """For numbered pairs of a device and an address, the ban that stops each and ends last."""
    if not asked:
        return {}
    rows = await reader.rows(STOPPED, *columns(asked))
    return {
        row["position"]: BannedAccess(row["code"], row["message"], row["ends_at"]) for row in rows
    }


async def find_access_bans(reader: Queryable, keys: Sequence[str]) -> list[AccessBan | None]:
    """The access ban with each id or code."""
    wanted = [parse_guid(key) for key in keys]
    spelled = [None if id_ else codes.parse(key) for key, id_ in zip(keys, wanted, strict=True)]
    found = await reader.all(
        AccessBan,
        f"SELECT {COLUMNS} FROM access_bans WHERE id = ANY($1) OR code = ANY($2)",
        [id_ for id_ in wanted if id_],
        [code for code in spelled if code],
    )
    known: dict[object, AccessBan] = {ban.id: ban for ban in found}
    known |= {ban.code: ban for ban in found}
    return [known.get(id_ or code) for id_, code in zip(wanted, spelled, strict=True)]


def missing(key: str) -> AccessBanNotFound:
    return AccessBanNotFound(f"No access ban with id or code '{key[:64]}'.")


async def insert(writer: Writer, new: Sequence[NewAccessBan]) -> list[AccessBan]:
    """Store access bans and their actions."""
    made: dict[UUID, AccessBan] = {}
    for _ in range(ATTEMPTS):
        left = [ban for ban in new if ban.id not in made]
        if not left:
            break
        rows = await writer.rows(INSERT, *columns(_row(ban) for ban in left))
        stored = await find_access_bans(writer, [str(row["id"]) for row in rows])
        made |= {ban.id: ban for ban in stored if ban}
    if len(made) < len(new):
        raise InternalError
    await actions.record(
        writer,
        [
            Action(
                kind="access_bans.impose",
                by=structs.replace(ban.by, reason=None),
                after=_named(made[ban.id]) | {"message": ban.message, "ends_at": ban.ends_at},
            )
            for ban in new
        ],
    )
    return [made[ban.id] for ban in new]


def _row(new: NewAccessBan) -> tuple[Any, ...]:
    return (
        *(new.id, codes.new_code(), new.device, new.network, new.ends_at, new.reason, new.message),
        *(new.by.actor, new.by.name),
    )


INSERT: LiteralString = """
    INSERT INTO access_bans (id, code, device, network, ends_at, reason, message, imposed_by,
                             imposed_by_name)
    SELECT id, code, device, network::cidr, ends_at, reason, message, imposed_by, imposed_by_name
      FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::timestamptz[], $6::text[],
                  $7::text[], $8::text[], $9::text[])
           AS new (id, code, device, network, ends_at, reason, message, imposed_by,
                   imposed_by_name)
    ON CONFLICT (code) DO NOTHING
    RETURNING id
"""


async def mark_lifted(writer: Writer, wanted: Sequence[AccessRelease]) -> dict[UUID, AccessBan]:
    """Lift access bans and record it; one that is lifted already is left out."""
    if not wanted:
        return {}
    rows = await writer.rows(
        """
        UPDATE access_bans
           SET lifted_at = now(), lifted_by = actor, lifted_by_name = actor_name,
               lift_reason = why
          FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[])
               AS new (ban_id, actor, actor_name, why)
         WHERE access_bans.id = new.ban_id AND lifted_at IS NULL
        RETURNING id
        """,
        [release.id for release in wanted],
        [release.by.actor for release in wanted],
        [release.by.name for release in wanted],
        [release.reason for release in wanted],
    )
    found = await find_access_bans(writer, [str(row["id"]) for row in rows])
    done = {ban.id: ban for ban in found if ban}
    await actions.record(
        writer,
        [
            Action(
                kind="access_bans.lift",
                by=structs.replace(release.by, reason=None),
                before=_named(done[release.id]) | {"ends_at": done[release.id].ends_at},
                after=_named(done[release.id]) | {"lifted_at": done[release.id].lifted_at},
            )
            for release in wanted
            if release.id in done and not release.is_undo
        ],
    )
    return done


def _named(ban: AccessBan) -> dict[str, Any]:
    """What the audit log says of it: neither the device nor the address, which are personal."""
    target = "device" if ban.device else "address"
    return {"access_ban_id": ban.id, "code": ban.code, "target": target}
