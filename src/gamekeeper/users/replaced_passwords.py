"""What ends with a password that is replaced: everything that it opened."""

from collections.abc import Mapping
from uuid import UUID

from gamekeeper.auth import browser_sessions, login_throttle, openid_sessions, tokens
from gamekeeper.auth.browser_sessions import SessionEnd
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext


async def end_access(writer: Writer, by: Mapping[UUID, AuditContext]) -> None:
    """End what the former passwords of accounts opened, in the transaction that replaces them."""
    users = sorted(by)
    await tokens.end_all(writer, users)
    await openid_sessions.end_all(writer, users)
    await browser_sessions.end(writer, [SessionEnd(user_id=user, by=by[user]) for user in users])
    await login_throttle.clear(writer, users)
    # Whoever knew the former password may have begun to add a way in.
    await writer.run("DELETE FROM link_codes WHERE user_id = ANY($1)", users)
    await writer.run("DELETE FROM identity_flows WHERE user_id = ANY($1)", users)
    # An unused reset link must not be able to replace the new password.
    await writer.run(
        "UPDATE password_resets SET used_at = now() WHERE user_id = ANY($1) AND used_at IS NULL",
        users,
    )
