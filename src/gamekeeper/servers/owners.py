"""
Owners: a game server belongs to the key that registered it.

Otherwise any game server could take the place of any other, or speak in its name: a fencing
number is no secret. What is replaced in the ordinary way is not in the way: a key of the same
name counts as the same owner, and a server whose key has ended belongs to the next who registers.
"""

from typing import LiteralString
from uuid import UUID

from gamekeeper.core.errors import Forbidden
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import COMMAND_LINE, AuditContext


class ServerOwned(Forbidden):
    """That game server belongs to another key, which is valid."""

    cacheable = False


async def claim(writer: Writer, server: UUID, by: AuditContext) -> ServerOwned | None:
    """Make the caller the owner of a server whose row is locked, unless it is another's."""
    owner = await writer.value("SELECT owner FROM servers WHERE id = $1", server)
    if refused := await check(writer, owner, by):
        return refused
    if by.actor != COMMAND_LINE.actor:
        await writer.run("UPDATE servers SET owner = $2 WHERE id = $1", server, by.actor)
    return None


async def check(writer: Writer, owner: str | None, by: AuditContext) -> ServerOwned | None:
    """What keeps the caller from speaking for a server of `owner`; None if nothing does."""
    if owner is None or by.actor in (owner, COMMAND_LINE.actor):
        return None
    return None if await writer.value(MAY, owner, by.actor) else ServerOwned()


# The owner $1 is gone, the caller $2 has its name, or may manage what belongs to others. Apart
# from the servers, because keys may lie on another machine.
MAY: LiteralString = """
    SELECT NOT EXISTS (
               SELECT FROM api_keys
                WHERE 'key:' || id::text = $1
                  AND revoked_at IS NULL AND expires_at > now()
                  AND coalesce(scopes @> '{servers}', true)
           ) OR EXISTS (
               SELECT FROM api_keys
                WHERE 'key:' || id::text = $2
                  AND (coalesce(scopes @> '{servers.manage}', true)
                       OR name IN (SELECT name FROM api_keys WHERE 'key:' || id::text = $1))
           )
"""
