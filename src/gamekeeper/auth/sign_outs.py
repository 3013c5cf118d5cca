"""The end of all sign-ins of an account: of programs by token, and at OpenID clients."""

from collections.abc import Sequence
from uuid import UUID

from gamekeeper.auth import openid_sessions, tokens
from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import operation


@operation
async def end_all(writer: Writer, commands: Sequence[UUID]) -> list[int | Problem]:
    """End all sign-ins of accounts; the outcome is how many of programs there were."""
    ended = await tokens.end_all(writer, commands)
    await openid_sessions.end_all(writer, commands)
    return ended
