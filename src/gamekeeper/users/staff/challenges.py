"""Challenges of WebAuthn: kept in the session that asked, good once and for five minutes."""

from typing import Literal

from gamekeeper.core.errors import Conflict
from gamekeeper.db.database import Database, Writer
from gamekeeper.users.staff.verification import SessionContext

MINUTES = 5

Purpose = Literal["registration", "authentication"]


class ChallengeExpired(Conflict):
    """The challenge was used, or is more than five minutes old. Ask for the options again."""

    cacheable = False


async def store(
    database: Database, context: SessionContext, purpose: Purpose, challenge: bytes
) -> None:
    """Keep the challenge of a session, instead of any that it had."""
    await database.write(
        lambda writer: writer.run(
            """
            UPDATE browser_sessions
               SET challenge = $3, challenge_for = $4,
                   challenge_until = now() + make_interval(mins => $5)
             WHERE id = $1 AND user_id = $2
            """,
            context.session_id,
            context.user_id,
            challenge,
            purpose,
            MINUTES,
        )
    )


async def take(database: Database, context: SessionContext, purpose: Purpose) -> bytes:
    """The challenge of a session, which has none afterwards, whatever comes of it."""

    async def work(writer: Writer) -> bytes | None:
        challenge = await writer.value(
            """
            SELECT challenge FROM browser_sessions
             WHERE id = $1 AND user_id = $2 AND challenge_for = $3
               AND challenge_until > statement_timestamp()
               FOR UPDATE
            """,
            context.session_id,
            context.user_id,
            purpose,
        )
        await writer.run(
            """
            UPDATE browser_sessions
               SET challenge = NULL, challenge_for = NULL, challenge_until = NULL
             WHERE id = $1 AND user_id = $2
            """,
            context.session_id,
            context.user_id,
        )
        return challenge

    if challenge := await database.write(work):
        return challenge
    raise ChallengeExpired
