"""The live browser sessions of a staff member, listed and ended."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth import browser_sessions
from gamekeeper.auth.browser_sessions import LIVE, SessionEnd
from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Reader, Writer
from gamekeeper.db.operations import operation
from gamekeeper.users import ranks
from gamekeeper.users.lookup import lock
from gamekeeper.users.ranks import Management


class ListedSession(Struct, frozen=True, kw_only=True):
    id: UUID
    created_at: datetime
    seen_at: datetime
    expires_at: datetime
    verified_at: datetime
    method: str
    address: str
    user_agent: str
    roles: list[str]


class ManagedEnd(SessionEnd, frozen=True, kw_only=True):
    """The end of another's sessions, by somebody who may manage the account."""

    manager: Principal | None = None
    """None: the command line."""


async def live(reader: Reader, user: UUID) -> list[ListedSession]:
    """The signed-in sessions of an account, the last seen first; there are at most a few."""
    account = (await browser_sessions.accounts(reader, [user])).get(user)
    rows = await reader.all(
        ListedSession,
        f"""
        SELECT id, created_at, seen_at, expires_at, verified_at, method, address, user_agent, roles
          FROM browser_sessions
         WHERE user_id = $1 AND verified_at IS NOT NULL AND {LIVE}
         ORDER BY seen_at DESC, id
        """,
        user,
        reader.settings.browser_session_idle_seconds,
    )
    return [row for row in rows if account and account.keeps(row.created_at, row.roles)]


@operation
async def end_by_manager(writer: Writer, commands: Sequence[ManagedEnd]) -> list[int | Problem]:
    """End sessions of accounts that do not outrank their manager; the outcome is how many."""
    await lock(writer, [command.user_id for command in commands])
    refusals = await ranks.refusals(
        writer, [Management(command.manager, command.user_id) for command in commands]
    )
    allowed = [command for command, above in zip(commands, refusals, strict=True) if not above]
    ended = iter(await browser_sessions.end(writer, allowed))
    return [above or next(ended) for above in refusals]
