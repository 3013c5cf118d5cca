"""
Browser sessions (cookies): who has signed in, and whether the session still holds.

A session is looked up by the hash of its cookie. The lookup reads all that can end it: its
two deadlines, the roles, the password and the bans of its account. So it ends everywhere
within the two seconds that the authenticator remembers, whichever process changed what.
What ended a session once ends it for good: a role that comes back does not revive it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth import roles
from gamekeeper.auth.principal import BrowserSession, Principal, SessionState
from gamekeeper.auth.roles import NO_ROLES, Held
from gamekeeper.core.errors import NotFound, Problem
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Queryable, Reader, Writer
from gamekeeper.db.operations import AuditContext, Command, operation
from gamekeeper.db.queries import batched_query
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.sanctions.access_bans import SESSION_ALLOWED
from gamekeeper.sanctions.in_force import IN_FORCE

GRACE: LiteralString = "interval '10 seconds'"
"""How long the cookie before a rotation is good, for the other tabs of the browser."""

LIVE: LiteralString = """
    ended_at IS NULL AND expires_at > statement_timestamp()
        AND seen_at > statement_timestamp() - make_interval(secs => $2)
"""
"""Of a row of `browser_sessions`; $2 is the setting for idle ones."""


class SessionNotFound(NotFound):
    """The account has no active session with this id."""


class SessionRow(Struct, frozen=True, kw_only=True):
    hash: bytes
    is_previous: bool
    id: UUID
    user_id: UUID
    created_at: datetime
    verified_at: datetime | None
    method: str | None
    roles: list[str]
    worth_noting: bool


class StaffAccount(Struct, frozen=True, kw_only=True):
    """What of an account decides over its sessions."""

    id: UUID
    name: str
    has_factor: bool
    is_banned: bool
    changed_at: datetime | None
    """When its password, a role or a ban last changed in a way that ends sessions."""
    held: Held = NO_ROLES

    def keeps(self, began: datetime, with_roles: Sequence[str]) -> bool:
        """Whether a session that began then, with those roles, still holds."""
        if self.is_banned or not with_roles or tuple(with_roles) != self.held.roles:
            return False
        return self.changed_at is None or self.changed_at <= began


class FoundSession(Struct, frozen=True):
    principal: Principal
    worth_noting: bool


@batched_query
async def callers(reader: Reader, digests: Sequence[bytes]) -> dict[bytes, FoundSession]:
    """The principals of session cookies, by the hashes of these."""
    rows = await _rows(reader, digests)
    known = await accounts(reader, [row.user_id for row in rows])
    return {
        row.hash: FoundSession(_principal(row, account, reader.settings), row.worth_noting)
        for row in rows
        if (account := known.get(row.user_id)) and account.keeps(row.created_at, row.roles)
    }


async def _rows(reader: Reader, digests: Sequence[bytes]) -> list[SessionRow]:
    return await reader.all(
        SessionRow,
        f"""
        SELECT hash, false AS is_previous, id, user_id, created_at, verified_at, method, roles,
               seen_at < statement_timestamp() - interval '1 minute' AS worth_noting
          FROM browser_sessions
         WHERE hash = ANY($1) AND {LIVE} AND {SESSION_ALLOWED}
        UNION ALL
        -- The cookie before a rotation: requests that were on their way when it changed.
        SELECT previous_hash, true, id, user_id, created_at, verified_at, method, roles, false
          FROM browser_sessions
         WHERE previous_hash = ANY($1) AND rotated_at > statement_timestamp() - {GRACE} AND {LIVE}
           AND {SESSION_ALLOWED}
        """,
        list(digests),
        reader.settings.browser_session_idle_seconds,
    )


async def accounts(reader: Queryable, users: Sequence[UUID]) -> dict[UUID, StaffAccount]:
    """The accounts of sessions, with what they hold by their roles."""
    if not users:
        return {}
    held = await roles.held(reader, users)
    rows = await reader.rows(
        f"""
        SELECT id, name,
               EXISTS (SELECT FROM second_factors
                        WHERE user_id = users.id AND confirmed_at IS NOT NULL) AS has_factor,
               EXISTS (SELECT FROM sanctions
                        WHERE user_id = users.id AND kind = 'ban' AND player_id IS NULL
                          AND {IN_FORCE}) AS is_banned,
               greatest(
                   (SELECT changed_at FROM passwords WHERE user_id = users.id),
                   (SELECT max(granted_at) FROM staff_roles WHERE user_id = users.id),
                   (SELECT max(greatest(imposed_at, starts_at)) FROM sanctions
                     WHERE user_id = users.id AND kind = 'ban' AND player_id IS NULL
                       AND starts_at <= statement_timestamp())
               ) AS changed_at
          FROM users
         WHERE id = ANY($1)
        """,
        list(users),
    )
    return {
        row["id"]: StaffAccount(**dict(row), held=held.get(row["id"], NO_ROLES)) for row in rows
    }


def _principal(row: SessionRow, account: StaffAccount, settings: Settings) -> Principal:
    state = state_of(account, row.method, settings)
    signed_in = state == "signed_in"
    return Principal(
        id=f"user:{account.id}",
        name=account.name,
        # An unfinished session has no rights at all, whatever its account holds.
        scopes=account.held.scopes if signed_in else frozenset(),
        user_id=account.id,
        roles=account.held.roles if signed_in else (),
        limits=account.held.limits,
        session=BrowserSession(
            id=row.id,
            # The cookie before a step-up was not stepped up.
            verified_at=None if row.is_previous or not signed_in else row.verified_at,
            state=state,
            has_factor=account.has_factor,
        ),
    )


def state_of(account: StaffAccount, method: str | None, settings: Settings) -> SessionState:
    """How far a session has come that was verified by `method`; None: by its password only."""
    needs_factor = account.has_factor or settings.staff_second_factor == "required"
    if method is None or (method == "password" and needs_factor):
        return "second_factor_required" if account.has_factor else "enrolment_required"
    return "signed_in"


# ── Their end ──


class SessionEnd(Command, frozen=True, kw_only=True):
    """The end of sessions of one account: of all, of one, or of all but one."""

    user_id: UUID
    only: UUID | None = None
    but: UUID | None = None


@operation
async def end(writer: Writer, commands: Sequence[SessionEnd]) -> list[int | Problem]:
    """End live sessions; the outcome is how many."""
    users = [command.user_id for command in commands]
    # Waits for a sign-in that is about to begin a session.
    await writer.rows("SELECT FROM users WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE", users)
    rows = await writer.rows(
        f"""
        UPDATE browser_sessions SET ended_at = now(), previous_hash = NULL
          FROM unnest($1::uuid[], $3::uuid[], $4::uuid[])
               WITH ORDINALITY AS wanted (owner, only_id, but_id, position)
         WHERE user_id = owner AND id = coalesce(only_id, id) AND id IS DISTINCT FROM but_id
           AND {LIVE}
        RETURNING id, user_id, verified_at, position
        """,
        users,
        writer.settings.browser_session_idle_seconds,
        [command.only for command in commands],
        [command.but for command in commands],
    )
    await record_ends(
        writer,
        # One that never was signed in leaves no trace, as its beginning left none.
        [
            (commands[row["position"] - 1].by, row["user_id"], row["id"])
            for row in rows
            if row["verified_at"]
        ],
    )
    ended = [row["position"] - 1 for row in rows]
    return [
        SessionNotFound() if command.only and place not in ended else ended.count(place)
        for place, command in enumerate(commands)
    ]


async def record_ends(writer: Writer, ends: Sequence[tuple[AuditContext, UUID, UUID]]) -> None:
    """Write to the audit log who ended which session of which account."""
    await actions.record(
        writer,
        [
            Action(kind="sessions.end", by=by, user_id=user, before={"session": session})
            for by, user, session in ends
        ],
    )
