"""
The end of an account's sign-ins at OpenID clients, in the transaction of what ends them.

A ban, a new password or an erasure ends them all. The clients that want to know get a job in the
same transaction, so that none is forgotten: the worker sends it (back-channel logout).
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct

from gamekeeper.db import jobs
from gamekeeper.db.database import Writer

LOGOUT = "openid_logout"
"""The kind of the job."""
BULK_PRIORITY = -1
"""Of the notices of a sign-out of all players: those of a ban are sent first."""
END_BATCH = 500


class LogoutNotice(Struct, frozen=True, kw_only=True):
    """The job: which client learns that which account was signed out, and of which session."""

    client_id: str
    user_id: UUID
    session_id: UUID


async def end_all(writer: Writer, users: Sequence[UUID]) -> None:
    """End all sessions and sign-ins of accounts. They must be locked: none may begin meanwhile."""
    await writer.run(
        "UPDATE openid_sessions SET ended_at = now() WHERE user_id = ANY($1) AND ended_at IS NULL",
        list(users),
    )
    rows = await writer.rows(
        """
        UPDATE openid_sign_ins SET ended_at = now()
         WHERE user_id = ANY($1) AND ended_at IS NULL
        RETURNING client_id, user_id, session_id
        """,
        list(users),
    )
    await notify(writer, rows)


async def end_session(writer: Writer, user: UUID, session: UUID) -> None:
    """End one session and its sign-ins, except those that the player allowed to go on without."""
    await writer.run(
        """
        UPDATE openid_sessions SET ended_at = now()
         WHERE user_id = $1 AND id = $2 AND ended_at IS NULL
        """,
        user,
        session,
    )
    rows = await writer.rows(
        """
        UPDATE openid_sign_ins
           SET ended_at = CASE WHEN 'offline_access' = ANY(scopes) THEN NULL ELSE now() END
         WHERE user_id = $1 AND session_id = $2 AND ended_at IS NULL
        RETURNING client_id, user_id, session_id
        """,
        user,
        session,
    )
    await notify(writer, rows)


async def end_some(writer: Writer, client: str, began_before: datetime) -> int:
    """
    End some of the sign-ins at a client that began before; returns how many, 0 if none is left.

    Only some, because a ban waits for the rows that this transaction changes.
    """
    rows = await writer.rows(
        """
        UPDATE openid_sign_ins SET ended_at = now()
         WHERE id IN (SELECT id FROM openid_sign_ins
                       WHERE client_id = $1 AND ended_at IS NULL AND created_at <= $2
                       LIMIT $3)
        RETURNING client_id, user_id, session_id
        """,
        client,
        began_before,
        END_BATCH,
    )
    await notify(writer, rows, BULK_PRIORITY)
    return len(rows)


async def notify(writer: Writer, ended: Sequence[Any], priority: int = 0) -> None:
    """Enqueue a notice of sign-ins that ended: for each client with a URL for it, and session."""
    if not ended:
        return
    wanted = sorted({(row["client_id"], row["user_id"], row["session_id"]) for row in ended})
    rows = await writer.rows(
        "SELECT id FROM openid_clients WHERE id = ANY($1) AND backchannel_uri IS NOT NULL",
        sorted({client for client, _, _ in wanted}),
    )
    listening = {row["id"] for row in rows}
    notices = [
        LogoutNotice(client_id=client, user_id=user, session_id=session)
        for client, user, session in wanted
        if client in listening
    ]
    await jobs.enqueue(writer, LOGOUT, notices, priority)
