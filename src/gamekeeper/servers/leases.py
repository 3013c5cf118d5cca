"""
Leases: how a game server stays alive, and how one that was replaced is kept out.

A lease is alive by this database's clock and is renewed by one heartbeat for all
its players, so a server that dies takes them offline by doing nothing. Each
registration gets a larger fencing number. A lease that ran out is not revived: its
players have been offline since, so its server registers again and lets them join.
"""

from collections.abc import Sequence
from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.errors import Conflict, NotFound, Problem
from gamekeeper.core.schemas import Instant, Page, Record, Window
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Reader, Writer
from gamekeeper.db.operations import AuditContext, Command, operation
from gamekeeper.servers import owners


class ServerNotFound(NotFound):
    """No server has that id."""

    cacheable = False


class Fenced(Conflict):
    """Another process took that place, or the lease ran out: register again. Nothing changed."""

    cacheable = False


class LeaseHolder(Struct, frozen=True):
    """Who claims to be a server."""

    server_id: UUID
    fence: int


class Lease(Record, frozen=True):
    id: UUID
    name: str
    fence: int
    lease_until: Instant
    lease_seconds: int
    heartbeat_seconds: int


class Server(Record, frozen=True):
    """What the world may know about a game server."""

    id: UUID
    name: str
    alive: bool
    online: int
    registered_at: Instant
    lease_until: Instant | None


class Heartbeat(Command, frozen=True, kw_only=True):
    holder: LeaseHolder


async def list_servers(reader: Reader, window: Window) -> Page[Server]:
    """The servers that were ever registered, by name; on those not alive nobody is online."""
    servers = await reader.all(
        Server,
        """
        SELECT id, name, lease_until > now() AS alive,
               CASE WHEN lease_until > now() THEN crowds.online ELSE 0 END AS online,
               registered_at,
               CASE WHEN isfinite(lease_until) THEN lease_until END AS lease_until
          FROM servers JOIN crowds ON crowds.server_id = servers.id
         ORDER BY name_key, id
         LIMIT $1 OFFSET $2
        """,
        window.shown,
        window.offset,
    )
    return Page.of(servers, await reader.value("SELECT count(*) FROM servers"), window)


async def check(reader: Reader, server: UUID) -> None:
    """Raise unless there is such a server, alive or not."""
    if not await reader.value("SELECT count(*) FROM servers WHERE id = $1", server):
        raise _unknown(server)


def _unknown(server: UUID) -> ServerNotFound:
    return ServerNotFound(f"No server with id '{server}'.")


# Against FOR UPDATE, which registering takes: while somebody acts in a server's name
# nobody takes its place. Heartbeats and other acts need not wait for each other.
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
    What keeps `holder` from acting for its server; None if nothing does, until we commit.

    To be asked before any player is locked: servers first, then players, then crowds. With
    `by`, the caller must be the server's owner too.
    """
    rows = await writer.rows(HELD, holder.server_id, holder.fence)
    if not rows:
        return _unknown(holder.server_id)
    [row] = rows
    if by and (refused := await owners.check(writer, row["owner"], by)):
        return refused
    return None if row["alive"] else Fenced()


@operation
async def beat(writer: Writer, orders: Sequence[Heartbeat]) -> list[Lease | Problem]:
    """Renew leases, each with all the players on it, by one row."""
    return [
        await _renewed(writer, order.holder, order.by.actor) or await _beat(writer, order)
        for order in orders
    ]


async def _beat(writer: Writer, order: Heartbeat) -> Lease | Problem:
    """Renew the lease of a server that is not the caller's, if they may, or say why not."""
    if refused := await hold(writer, order.holder, order.by):
        return refused
    return await _renewed(writer, order.holder, None) or Fenced()


async def _renewed(writer: Writer, holder: LeaseHolder, owner: str | None) -> Lease | None:
    """The lease, renewed if `owner` owns it; None: whoever does."""
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
