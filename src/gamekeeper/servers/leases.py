"""
Leases of game servers: heartbeats, expiry, and fencing tokens against replaced processes.

A lease expires by the database's clock, and one heartbeat renews it for all its players, so
the players of a dead server go offline without any further action. Each registration gets a
larger fencing number. An expired lease is not revived: its players have been offline since,
so its server registers again and lets them join.
"""

from collections.abc import Sequence
from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.errors import Conflict, NotFound, Problem
from gamekeeper.core.schemas import Instant, Page, Record, Window
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Queryable, Reader, Writer
from gamekeeper.db.operations import AuditContext, Command, operation
from gamekeeper.servers import owners


class ServerNotFound(NotFound):
    """No server has that id."""

    cacheable = False


class Fenced(Conflict):
    """The lease has expired or another process took over. Register again. Nothing changed."""

    cacheable = False


class LeaseHolder(Struct, frozen=True):
    """A caller's claim to be a server: its id and fencing number."""

    server_id: UUID
    fence: int


class Lease(Record, frozen=True):
    """A server's place, as long as it is renewed."""

    id: UUID
    name: str
    fence: int
    """Send it with every request of the server."""
    lease_until: Instant
    lease_seconds: int
    heartbeat_seconds: int
    """How often to renew the lease."""


class Server(Record, frozen=True):
    """The public facts about a game server."""

    id: UUID
    name: str
    alive: bool
    """Whether its lease is valid; if not, no player is online on it."""
    online: int
    registered_at: Instant
    lease_until: Instant | None
    """RFC 3339; null if it never ends."""


class Heartbeat(Command, frozen=True, kw_only=True):
    holder: LeaseHolder


IS_ALIVE: LiteralString = "servers.lease_until > statement_timestamp()"

# Of `servers` joined to `crowds`.
COLUMNS: LiteralString = f"""
    id, name, {IS_ALIVE} AS alive, CASE WHEN {IS_ALIVE} THEN crowds.online ELSE 0 END AS online,
    registered_at,
    CASE WHEN isfinite(servers.lease_until) THEN servers.lease_until END AS lease_until
"""


async def list_servers(reader: Reader, window: Window) -> Page[Server]:
    """All servers ever registered, by name; a dead server has nobody online."""
    servers = await reader.all(
        Server,
        f"""
        SELECT {COLUMNS}
          FROM servers JOIN crowds ON crowds.server_id = servers.id
         ORDER BY name_key, id
         LIMIT $1 OFFSET $2
        """,
        window.shown,
        window.offset,
    )
    return Page.of(servers, await reader.value("SELECT count(*) FROM servers"), window)


async def check(reader: Reader, server: UUID) -> None:
    """Raise unless the server exists, alive or not."""
    if not await reader.value("SELECT count(*) FROM servers WHERE id = $1", server):
        raise unknown(server)


async def live(reader: Queryable) -> list[UUID]:
    """The servers whose leases are alive."""
    rows = await reader.rows(
        "SELECT id FROM servers WHERE lease_until > statement_timestamp() ORDER BY id"
    )
    return [row["id"] for row in rows]


def unknown(server: UUID) -> ServerNotFound:
    return ServerNotFound(f"No server with id '{server}'.")


# Conflicts with the FOR UPDATE of a registration: nobody can replace a server during an
# operation in its name. It does not conflict with heartbeats and other operations.
HELD: LiteralString = """
    SELECT fence = $2 AND lease_until > clock_timestamp() AS alive, owner
      FROM servers
     WHERE id = $1
       FOR KEY SHARE
"""


async def hold(
    writer: Writer, holder: LeaseHolder, by: AuditContext | None = None
) -> Problem | None:
    """
    Why `holder` may not act for its server; None if it may, until the commit.

    Call it before any player is locked; the lock order is servers, players, `crowds`. With
    `by`, the caller must be the server's owner too.
    """
    rows = await writer.rows(HELD, holder.server_id, holder.fence)
    if not rows:
        return unknown(holder.server_id)
    [row] = rows
    if by and (refused := await owners.check(writer, row["owner"], by)):
        return refused
    return None if row["alive"] else Fenced()


@operation
async def beat(writer: Writer, commands: Sequence[Heartbeat]) -> list[Lease | Problem]:
    """Renew leases: one row each, for all players on it."""
    return [
        await _renewed(writer, command.holder, command.by.actor) or await _beat(writer, command)
        for command in commands
    ]


async def _beat(writer: Writer, command: Heartbeat) -> Lease | Problem:
    """Renew the lease of another owner's server if the caller may, or say why not."""
    if refused := await hold(writer, command.holder, command.by):
        return refused
    return await _renewed(writer, command.holder, None) or Fenced()


async def _renewed(writer: Writer, holder: LeaseHolder, owner: str | None) -> Lease | None:
    """Renew the lease if `owner` owns the server; with None, for any owner."""
    settings = writer.settings
    return await writer.one(
        Lease,
        """
        UPDATE servers SET lease_until = clock_timestamp() + make_interval(secs => $3)
         WHERE id = $1 AND fence = $2 AND lease_until > clock_timestamp()
           AND ($5::text IS NULL OR owner IS NULL OR owner = $5)
        RETURNING id, name, fence, lease_until,
                  $3::int AS lease_seconds, $4::int AS heartbeat_seconds
        """,
        holder.server_id,
        holder.fence,
        settings.lease_seconds,
        heartbeat_seconds(settings),
        owner,
    )


def heartbeat_seconds(settings: Settings) -> int:
    """How often to renew a lease: two heartbeats may be lost before it ends."""
    return max(1, min(settings.heartbeat_seconds, settings.lease_seconds // 3))
