"""
Sessions of players at the provider: a browser in which a player is signed in, by cookie.

They are apart from the sessions of staff in the console: a player's cookie opens nothing there.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import LiteralString
from uuid import UUID, uuid4

from msgspec import Struct

from gamekeeper.auth import credentials, openid_sessions
from gamekeeper.core.errors import Problem
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Reader, Writer
from gamekeeper.db.operations import operation
from gamekeeper.provider.validity import live
from gamekeeper.users.passwords import InvalidCredentials

DAYS = 14
MAX_SESSIONS = 20
"""Live sessions of one account; the oldest end."""


class PlayerSession(Struct, frozen=True, kw_only=True):
    id: UUID
    user_id: UUID
    name: str
    authenticated_at: datetime
    seconds: float
    """Since the password was checked."""


class NewPlayerSession(Struct, frozen=True, kw_only=True):
    """A player whose password was verified, and the record it was verified against."""

    user_id: UUID
    sealed: str | None
    address: str | None
    """As `client_traces` stores it."""
    former: Hidden | None = None
    """The cookie that the browser had: the same player continues that session."""
    cookie: Hidden

    def __repr__(self) -> str:
        return f"NewPlayerSession({self.user_id})"


class PlayerSessionEnd(Struct, frozen=True, kw_only=True):
    user_id: UUID
    id: UUID


LIVE: LiteralString = live("openid_sessions")


async def find(reader: Reader, cookie: str) -> PlayerSession | None:
    """The live session of a cookie."""
    if credentials.kind_of(cookie) != "gkos":
        return None
    sql: LiteralString = f"""
        SELECT openid_sessions.id, user_id, users.name, authenticated_at,
               extract(epoch FROM statement_timestamp() - authenticated_at)::float8 AS seconds
          FROM openid_sessions JOIN users ON users.id = user_id
         WHERE hash = $1 AND {LIVE}
    """
    return await reader.one(PlayerSession, sql, credentials.digest(cookie))


@operation
async def start(writer: Writer, commands: Sequence[NewPlayerSession]) -> list[UUID | Problem]:
    """Begin sessions, unless the password was changed since it was verified."""
    users = [command.user_id for command in commands]
    former = await writer.rows(
        "SELECT user_id FROM openid_sessions WHERE hash = ANY($1)",
        [credentials.digest(command.former) for command in commands if command.former],
    )
    # Blocks a concurrent ban or change of the password, which would miss the new session, and a
    # grant of a session that ends here, which would miss its end.
    await writer.rows(
        "SELECT FROM users WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE",
        [*users, *(row["user_id"] for row in former)],
    )
    rows = await writer.rows(
        "SELECT user_id, sealed FROM passwords WHERE user_id = ANY($1) FOR SHARE", users
    )
    sealed = {row["user_id"]: row["sealed"] for row in rows}
    return [
        await _started(writer, command)
        if sealed.get(command.user_id) == command.sealed and command.user_id in sealed
        else InvalidCredentials()
        for command in commands
    ]


async def _started(writer: Writer, command: NewPlayerSession) -> UUID:
    former = await _former(writer, command)
    if former and former[0] == command.user_id:
        # The clients know the player by this session. Its cookie is new (session fixation).
        await writer.run(
            """
            UPDATE openid_sessions
               SET hash = $2, address = $4::text::inet, authenticated_at = now(),
                   expires_at = now() + make_interval(days => $3)
             WHERE id = $1
            """,
            former[1],
            credentials.digest(command.cookie),
            DAYS,
            command.address,
        )
        return former[1]
    if former:
        await openid_sessions.end_session(writer, *former)
    made = uuid4()
    await writer.run(
        """
        INSERT INTO openid_sessions (id, user_id, hash, address, expires_at)
        VALUES ($1, $2, $3, $4::text::inet, now() + make_interval(days => $5))
        """,
        made,
        command.user_id,
        credentials.digest(command.cookie),
        command.address,
        DAYS,
    )
    await _trim(writer, command.user_id)
    return made


async def _former(writer: Writer, command: NewPlayerSession) -> tuple[UUID, UUID] | None:
    """The account and the id of the live session that the browser had."""
    if command.former is None:
        return None
    sql: LiteralString = f"""
        SELECT user_id, id FROM openid_sessions WHERE hash = $1 AND {LIVE} FOR UPDATE
    """
    rows = await writer.rows(sql, credentials.digest(command.former))
    return (rows[0]["user_id"], rows[0]["id"]) if rows else None


async def _trim(writer: Writer, user: UUID) -> None:
    rows = await writer.rows(
        f"""
        SELECT id FROM openid_sessions WHERE user_id = $1 AND {LIVE}
         ORDER BY authenticated_at DESC, id OFFSET $2
        """,
        user,
        MAX_SESSIONS,
    )
    for row in rows:
        await openid_sessions.end_session(writer, user, row["id"])


@operation
async def end(writer: Writer, commands: Sequence[PlayerSessionEnd]) -> list[Problem | None]:
    """Sign players out of browsers, and of the clients that they signed in to with them."""
    await writer.rows(
        "SELECT FROM users WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE",
        [command.user_id for command in commands],
    )
    for command in commands:
        await openid_sessions.end_session(writer, command.user_id, command.id)
    return [None for _ in commands]
