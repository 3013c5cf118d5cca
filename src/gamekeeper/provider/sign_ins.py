"""
Sign-ins at clients (OAuth 2.0, RFC 9700): authorization codes, access and refresh tokens.

A code is good once, for a minute, for the client, the redirect URI and the challenge that it was
made for; a second use ends what the first began.
"""

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from datetime import datetime
from secrets import compare_digest
from typing import Any, LiteralString
from uuid import UUID, uuid4

from msgspec import Struct

from gamekeeper.auth import credentials, openid_sessions
from gamekeeper.core.errors import Problem
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Reader, Writer
from gamekeeper.db.operations import operation
from gamekeeper.provider import sessions
from gamekeeper.provider.validity import live
from gamekeeper.sanctions.in_force import BANNED

CODE_SECONDS = 60
ACCESS_SECONDS = 600

# What one account can store is bounded: a ban must end all of it within one statement.
MAX_CODES = 20
"""Unused codes of one account for one client; older ones are void."""
MAX_SIGN_INS_OF_SESSION = 10
"""Sign-ins at one client in one session; older ones are void."""
MAX_SIGN_INS = 200
"""Sign-ins of one account at one client; older ones end."""

ALLOWED: LiteralString = f"(openid_clients.admits_banned OR NOT {BANNED})"
LIVE: LiteralString = live("openid_sign_ins")


class InvalidGrant(Problem):
    """The code or refresh token is wrong, expired or already used, or the sign-in has ended."""


class SessionEnded(Problem):
    """The session has ended, or the account was banned, since the page was opened."""


class Grant(Struct, frozen=True, kw_only=True):
    """An authorization that the player allowed, or had allowed before."""

    user_id: UUID
    session_id: UUID
    client_id: str
    redirect_uri: str
    scopes: list[str]
    nonce: str | None
    challenge: str | None
    consents: bool
    """Whether the player was asked just now."""
    code: Hidden


class Exchange(Struct, frozen=True, kw_only=True):
    code: Hidden
    client_id: str
    redirect_uri: str | None
    verifier: Hidden | None
    access: Hidden
    refresh: Hidden


class Issued(Struct, frozen=True, kw_only=True):
    """Tokens, and the sign-in that they are of."""

    id: UUID
    user_id: UUID
    session_id: UUID
    scopes: list[str]
    nonce: str | None
    authenticated_at: datetime
    access: Hidden
    refresh: Hidden | None
    expires_in: int
    """Seconds until the access token expires."""


async def consented(reader: Reader, user: UUID, client: str) -> set[str]:
    """What a player agreed to share with a client."""
    scopes = await reader.value(
        "SELECT scopes FROM openid_consents WHERE user_id = $1 AND client_id = $2", user, client
    )
    return set(scopes or ())


# ── The code ──


@operation
async def grant(writer: Writer, commands: Sequence[Grant]) -> list[Problem | None]:
    """Store authorization codes, unless the session ended or a ban began."""
    # Blocks a concurrent ban or change of the password, which would miss the new sign-in.
    await writer.rows(
        "SELECT FROM users WHERE id = ANY($1) ORDER BY id FOR SHARE",
        [command.user_id for command in commands],
    )
    return [await _granted(writer, command) for command in commands]


async def _granted(writer: Writer, command: Grant) -> Problem | None:
    made = await writer.rows(
        GRANT,
        uuid4(),
        command.client_id,
        command.user_id,
        command.session_id,
        command.scopes,
        command.nonce,
        credentials.digest(command.code),
        command.redirect_uri,
        command.challenge,
        CODE_SECONDS,
    )
    if not made:
        return SessionEnded()
    await writer.run(DROP_CODES, command.user_id, command.client_id, MAX_CODES)
    if command.consents:
        await writer.run(CONSENT, command.user_id, command.client_id, command.scopes)
    return None


GRANT: LiteralString = f"""
    INSERT INTO openid_sign_ins (id, client_id, user_id, session_id, scopes, nonce,
                                 authenticated_at, address, code_hash, redirect_uri, challenge,
                                 code_expires_at, expires_at)
    SELECT $1, openid_clients.id, users.id, openid_sessions.id, $5, $6, authenticated_at, address,
           $7, $8, $9, now() + make_interval(secs => $10), now() + make_interval(secs => $10)
      FROM openid_sessions
      JOIN users ON users.id = openid_sessions.user_id
      JOIN openid_clients ON openid_clients.id = $2
     WHERE openid_sessions.id = $4 AND users.id = $3 AND {sessions.LIVE} AND {ALLOWED}
    RETURNING id
"""

# SKIP LOCKED: another request may be exchanging one of them.
DROP_CODES: LiteralString = """
    DELETE FROM openid_sign_ins
     WHERE id IN (SELECT id FROM openid_sign_ins
                   WHERE id IN (SELECT id FROM openid_sign_ins
                                 WHERE user_id = $1 AND client_id = $2 AND code_used_at IS NULL
                                 ORDER BY code_expires_at DESC, id OFFSET $3)
                     AND code_used_at IS NULL
                     FOR UPDATE SKIP LOCKED)
"""

CONSENT: LiteralString = """
    INSERT INTO openid_consents AS former (user_id, client_id, scopes) VALUES ($1, $2, $3)
    ON CONFLICT (user_id, client_id) DO UPDATE
       SET scopes = ARRAY(SELECT DISTINCT unnest(former.scopes || excluded.scopes)),
           granted_at = now()
"""


@operation
async def exchange(writer: Writer, commands: Sequence[Exchange]) -> list[Issued | Problem]:
    """Exchange authorization codes for tokens, each once."""
    return [await _exchanged(writer, command) for command in commands]


async def _exchanged(writer: Writer, command: Exchange) -> Issued | Problem:
    rows = await writer.rows(
        f"""
        SELECT openid_sign_ins.*, code_expires_at > statement_timestamp() AND {LIVE} AS is_live
          FROM openid_sign_ins WHERE code_hash = $1 AND client_id = $2
           FOR UPDATE
        """,
        credentials.digest(command.code),
        command.client_id,
    )
    if not rows:
        return InvalidGrant()
    row = rows[0]
    if row["code_used_at"]:
        # Two parties have it (RFC 6749, 4.1.2): what the first got is void.
        await end(writer, row["id"])
        return InvalidGrant()
    if not row["is_live"] or not _fits(row, command) or not await is_allowed(writer, row["id"]):
        return InvalidGrant()
    await writer.run(
        """
        UPDATE openid_sign_ins
           SET code_used_at = now(), expires_at = now() + make_interval(days => $2)
         WHERE id = $1
        """,
        row["id"],
        writer.settings.session_days,
    )
    await _trim(writer, row)
    refresh = command.refresh if "offline_access" in row["scopes"] else None
    await store_tokens(writer, row["id"], command.access, refresh)
    return issued_of(row, command.access, refresh, ACCESS_SECONDS)


async def _trim(writer: Writer, row: Any) -> None:
    """Remove the oldest sign-ins of the account at the client, beyond those that it can have."""
    gone = await writer.rows(
        TRIM,
        row["user_id"],
        row["client_id"],
        row["id"],
        MAX_SIGN_INS_OF_SESSION,
        MAX_SIGN_INS,
    )
    kept = await writer.rows(
        """
        SELECT DISTINCT session_id FROM openid_sign_ins
         WHERE user_id = $1 AND client_id = $2 AND ended_at IS NULL
        """,
        row["user_id"],
        row["client_id"],
    )
    # A session with a newer sign-in goes on there.
    left = {sign_in["session_id"] for sign_in in kept}
    ended = [old for old in gone if old["ended_at"] is None]
    await openid_sessions.notify(writer, [old for old in ended if old["session_id"] not in left])


TRIM: LiteralString = """
    DELETE FROM openid_sign_ins
     WHERE id IN (SELECT id FROM openid_sign_ins
                   WHERE id IN (SELECT id
                                  FROM (SELECT id,
                                               row_number() OVER (PARTITION BY session_id
                                                                  ORDER BY code_used_at DESC, id)
                                                   AS place_in_session,
                                               row_number() OVER (ORDER BY code_used_at DESC, id)
                                                   AS place
                                          FROM openid_sign_ins
                                         WHERE user_id = $1 AND client_id = $2
                                           AND code_used_at IS NOT NULL) AS ranked
                                 WHERE place_in_session > $4 OR place > $5)
                     AND id <> $3
                     FOR UPDATE SKIP LOCKED)
    RETURNING client_id, user_id, session_id, ended_at
"""


def _fits(row: Any, command: Exchange) -> bool:
    """Whether the code was made for this redirect URI and this verifier."""
    if row["redirect_uri"] != command.redirect_uri:
        return False
    if row["challenge"] is None or command.verifier is None:
        # A verifier without a challenge: somebody removed the challenge from the request.
        return row["challenge"] is None and command.verifier is None
    return compare_digest(row["challenge"], challenge_of(command.verifier))


def challenge_of(verifier: str) -> str:
    """The challenge of a PKCE verifier, by S256."""
    return urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


async def is_allowed(writer: Writer, sign_in: UUID) -> bool:
    """Whether no ban keeps the account from this client."""
    return await writer.value(
        f"""
        SELECT {ALLOWED}
          FROM openid_sign_ins
          JOIN users ON users.id = openid_sign_ins.user_id
          JOIN openid_clients ON openid_clients.id = openid_sign_ins.client_id
         WHERE openid_sign_ins.id = $1
        """,
        sign_in,
    )


# ── Tokens ──


async def store_tokens(
    writer: Writer, sign_in: UUID, access: Hidden, refresh: Hidden | None
) -> None:
    """Store new tokens; none lives longer than its sign-in."""
    made = [("access", access), *([("refresh", refresh)] if refresh else [])]
    await writer.run(
        """
        INSERT INTO openid_tokens (hash, sign_in_id, kind, expires_at)
        SELECT new.hash, id, new.kind,
               least(openid_sign_ins.expires_at,
                     now() + CASE new.kind WHEN 'access' THEN make_interval(secs => $4)
                                           ELSE make_interval(days => $5) END)
          FROM openid_sign_ins, unnest($2::bytea[], $3::text[]) AS new (hash, kind)
         WHERE id = $1
        """,
        sign_in,
        [credentials.digest(token) for _, token in made],
        [kind for kind, _ in made],
        ACCESS_SECONDS,
        writer.settings.refresh_token_days,
    )


def issued_of(row: Any, access: Hidden, refresh: Hidden | None, seconds: int) -> Issued:
    return Issued(
        id=row["id"],
        user_id=row["user_id"],
        session_id=row["session_id"],
        scopes=row["scopes"],
        nonce=row["nonce"],
        authenticated_at=row["authenticated_at"],
        access=access,
        refresh=refresh,
        expires_in=seconds,
    )


async def end(writer: Writer, sign_in: UUID) -> None:
    """End a sign-in, without a notice: the client itself is at fault, or asked for it."""
    await writer.run(
        "UPDATE openid_sign_ins SET ended_at = now() WHERE id = $1 AND ended_at IS NULL", sign_in
    )
