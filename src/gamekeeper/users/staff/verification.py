"""
Verification of a browser session: the second factor was right, and the cookie is rotated.

The first verification signs the session in; later ones are step-up authentication. Each gives
the session a new cookie (session fixation). Between two of a signed-in session the former
cookie is good for ten seconds more, for other tabs, but does not count as verified.
"""

from collections.abc import Sequence
from typing import Any, Literal
from uuid import UUID

from msgspec import Struct, structs

from gamekeeper.auth import browser_sessions, credentials
from gamekeeper.auth.browser_sessions import LIVE, StaffAccount
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action

Method = Literal["totp", "passkey", "recovery"]

MOST_SESSIONS = 20
"""Live sessions of one account, and as many unfinished ones; the oldest end."""


class SessionContext(Struct, frozen=True, kw_only=True):
    """The browser session that asks for something, and its audit context."""

    user_id: UUID
    session_id: UUID
    by: AuditContext
    is_fresh: bool = False
    """Whether the session was verified within ten minutes, as the request saw it."""
    origin: str = ""
    """The origin of the page that asks, as its browser says."""


class LiveSession(Struct, frozen=True, kw_only=True):
    id: UUID
    user_id: UUID
    is_finished: bool
    """Whether a second factor was verified in it before."""
    user_agent: str


class VerifiedSession(Struct, frozen=True, kw_only=True):
    """A session whose second factor was just verified, and by whose request."""

    session: LiveSession
    method: Method
    by: AuditContext


async def lock(
    writer: Writer, sessions: Sequence[tuple[UUID, UUID]]
) -> dict[tuple[UUID, UUID], LiveSession]:
    """Lock the accounts, then the live sessions, of these pairs of both; in id order."""
    users = [user for user, _ in sessions]
    await writer.rows("SELECT FROM users WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE", users)
    rows = await writer.all(
        LiveSession,
        f"""
        SELECT id, user_id, coalesce(method <> 'password', false) AS is_finished, user_agent
          FROM browser_sessions
         WHERE id = ANY($1) AND {LIVE}
         ORDER BY id
           FOR UPDATE
        """,
        [session for _, session in sessions],
        writer.settings.browser_session_idle_seconds,
    )
    return {(row.user_id, row.id): row for row in rows}


async def renew(writer: Writer, verified: Sequence[VerifiedSession]) -> dict[UUID, Hidden]:
    """Rotate the cookies of locked sessions; return the new ones by session."""
    new = {command.session.id: command for command in verified}
    cookies = {session: credentials.new_credential("gks") for session in new}
    await writer.run(
        """
        UPDATE browser_sessions
           SET hash = new.hash, rotated_at = now(), verified_at = now(), method = new.method,
               previous_hash = CASE WHEN finished THEN browser_sessions.hash END,
               expires_at = CASE WHEN finished THEN expires_at
                                 ELSE now() + make_interval(secs => $5) END
          FROM unnest($1::uuid[], $2::bytea[], $3::text[], $4::boolean[])
               AS new (id, hash, method, finished)
         WHERE browser_sessions.id = new.id
        """,
        list(cookies),
        [credentials.digest(cookie) for cookie in cookies.values()],
        [command.method for command in new.values()],
        [command.session.is_finished for command in new.values()],
        writer.settings.browser_session_seconds,
    )
    started = [command for command in new.values() if not command.session.is_finished]
    await _record(writer, started)
    await trim(writer, [command.session.user_id for command in started])
    return cookies


async def _record(writer: Writer, started: Sequence[VerifiedSession]) -> None:
    accounts = await browser_sessions.accounts(
        writer, [command.session.user_id for command in started]
    )
    await record_starts(
        writer,
        [
            (
                command.by,
                accounts[command.session.user_id],
                command.session.id,
                command.method,
                command.session.user_agent,
            )
            for command in started
        ],
    )


async def trim(writer: Writer, users: Sequence[UUID]) -> None:
    """End the oldest sessions of accounts that have too many, finished ones apart from others."""
    await writer.run(
        """
        UPDATE browser_sessions SET ended_at = now()
         WHERE id IN (
               SELECT id
                 FROM (SELECT id, row_number() OVER (PARTITION BY user_id, verified_at IS NULL
                                                     ORDER BY created_at DESC, id) AS number
                         FROM browser_sessions
                        WHERE user_id = ANY($1) AND ended_at IS NULL
                          AND expires_at > statement_timestamp()
                      ) AS live
                WHERE number > $2)
        """,
        list(users),
        MOST_SESSIONS,
    )


async def record_starts(
    writer: Writer, starts: Sequence[tuple[AuditContext, StaffAccount, UUID, str, str]]
) -> None:
    """Write to the audit log who signed in, by which method and with which browser."""
    await actions.record(
        writer,
        [
            Action(
                kind="sessions.start",
                by=structs.replace(by, actor=f"user:{account.id}", name=account.name),
                user_id=account.id,
                after=_facts(session, method, user_agent),
            )
            for by, account, session, method, user_agent in starts
        ],
    )


def _facts(session: UUID, method: str, user_agent: str) -> dict[str, Any]:
    return {"session": session, "method": method, "user_agent": user_agent}
