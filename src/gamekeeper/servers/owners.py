"""
Ownership (authorization) of game servers: a server belongs to the caller that registered it.

That is an API key or, seldom, a staff member. Otherwise any game server could replace or
impersonate any other: a fencing number is no secret. Key rotation keeps working: a key of the
same name counts as the same owner, and a server whose owner is no longer valid belongs to the
next caller that registers it.
"""

from typing import LiteralString
from uuid import UUID

from gamekeeper.auth.staff_scopes import STAFF
from gamekeeper.core.errors import Forbidden
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import COMMAND_LINE, AuditContext


class ServerOwned(Forbidden):
    """This game server belongs to another active key or account."""

    cacheable = False


async def claim(writer: Writer, server: UUID, by: AuditContext) -> ServerOwned | None:
    """Make the caller the owner of a server, whose row is locked, unless another owns it."""
    owner = await writer.value("SELECT owner FROM servers WHERE id = $1", server)
    if refused := await check(writer, owner, by):
        return refused
    if by.actor != COMMAND_LINE.actor:
        await writer.run("UPDATE servers SET owner = $2 WHERE id = $1", server, by.actor)
    return None


async def check(writer: Writer, owner: str | None, by: AuditContext) -> ServerOwned | None:
    """Why the caller may not act for a server of `owner`; None if it may."""
    if owner is None or by.actor in (owner, COMMAND_LINE.actor):
        return None
    return None if await writer.value(MAY, owner, by.actor) else ServerOwned()


# The owner $1 is no longer valid, the caller $2 has its name, or may manage servers of others.
# Not joined with `servers`, because keys may be on another machine.
MAY: LiteralString = f"""
    SELECT NOT EXISTS (
               SELECT FROM api_keys
                WHERE 'key:' || id::text = $1
                  AND revoked_at IS NULL AND expires_at > statement_timestamp()
                  AND coalesce(scopes @> '{{servers}}', true)
           ) AND NOT EXISTS (
               SELECT FROM ({STAFF}) AS staff
                WHERE staff_actor = $1 AND staff_scopes @> '{{servers}}'
           ) OR EXISTS (
               SELECT FROM ({STAFF}) AS staff
                WHERE staff_actor = $2 AND staff_scopes @> '{{servers.manage}}'
           ) OR EXISTS (
               SELECT FROM api_keys
                WHERE 'key:' || id::text = $2
                  AND (coalesce(scopes @> '{{servers.manage}}', true)
                       OR name IN (SELECT name FROM api_keys WHERE 'key:' || id::text = $1))
           )
"""
