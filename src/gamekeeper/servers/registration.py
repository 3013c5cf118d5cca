"""
Registration and deregistration of game servers (takeover with fencing).

A caller that registers under the id or name of its own server replaces it, alive or not: a
process that crashed must not have to wait until its former lease expires. The sessions of the
replaced process end. If there are many, its lease is ended first, which fences it and takes
its players offline at once; then its sessions are ended in batches, one transaction each, and
then the caller is registered.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from gamekeeper.core import names
from gamekeeper.core.errors import Conflict, Invalid, Problem, Unavailable
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action, Kind
from gamekeeper.servers import leases, owners, presence
from gamekeeper.servers.leases import Lease, LeaseHolder

MAX_NAME_LENGTH = 64
AT_ONCE = 1000
"""Sessions ended per transaction, which locks their characters."""


class InvalidServerName(Invalid):
    """The name of a server must have 1 to 64 visible characters."""


class ServerNameTaken(Conflict):
    """Another server has that name."""


class ServerRegistration(Command, frozen=True, kw_only=True):
    name: str
    id: UUID | None = None
    """None: the server of that name, or a new one."""


class Stopping(Command, frozen=True, kw_only=True):
    holder: LeaseHolder


class Occupied(Unavailable):
    """The sessions of the previous process are still being ended. Try again shortly."""

    code = Unavailable.code
    cacheable = False

    def __init__(self, server: UUID) -> None:
        super().__init__()
        self.server = server


async def register_one(database: Database, command: ServerRegistration) -> Lease:
    """Register a server, after all sessions of the replaced one have ended."""
    while True:
        try:
            return await register.one(database, command)
        except Occupied as occupied:
            await _vacate(database, occupied.server)


async def _vacate(database: Database, server: UUID) -> None:
    """End the sessions of an expired lease in batches; session expiry may do so concurrently."""

    async def piece(writer: Writer) -> int:
        dead = await writer.value(
            "SELECT lease_until <= clock_timestamp() FROM servers WHERE id = $1 FOR UPDATE", server
        )
        return await presence.clear(writer, server, most=AT_ONCE) if dead else 0

    while await database.write(piece) == AT_ONCE:
        pass


@operation
async def register(writer: Writer, commands: Sequence[ServerRegistration]) -> list[Lease | Problem]:
    """Give servers a lease, and fence the processes that held it before."""
    return [await _register(writer, command) for command in commands]


async def _register(writer: Writer, command: ServerRegistration) -> Lease | Problem:
    if not 1 <= len(command.name.strip()) <= MAX_NAME_LENGTH or not command.name.isprintable():
        return InvalidServerName()
    claimed = await _claim(writer, command)
    if isinstance(claimed, Problem):
        return claimed
    if refused := await owners.claim(writer, claimed, command.by):
        return refused
    if await presence.clear(writer, claimed, most=AT_ONCE) == AT_ONCE:
        await _end_lease(writer, claimed)
        return Occupied(claimed)
    settings = writer.settings
    lease = await writer.one(
        Lease,
        """
        UPDATE servers
           SET name = $2, name_key = $3, fence = nextval('fences'), registered_at = now(),
               lease_until = clock_timestamp() + make_interval(secs => $4), stopped_at = NULL
         WHERE id = $1
        RETURNING id, name, fence, lease_until,
                  $4::int AS lease_seconds, $5::int AS heartbeat_seconds
        """,
        claimed,
        command.name.strip(),
        names.fold(command.name.strip()),
        settings.lease_seconds,
        leases.heartbeat_seconds(settings),
    )
    assert lease is not None
    await _record(writer, "servers.register", command, lease.id, {"fence": lease.fence})
    return lease


async def _claim(writer: Writer, command: ServerRegistration) -> UUID | Problem:
    """Lock the server's row until the commit, and create it if there is none."""
    name = command.name.strip()
    key = names.fold(name)
    server = command.id or uuid4()
    await writer.run(
        """
        INSERT INTO servers (id, name, name_key, lease_until) VALUES ($1, $2, $3, now())
        ON CONFLICT DO NOTHING
        """,
        server,
        name,
        key,
    )
    rows = await writer.rows(
        """
        SELECT id, name_key FROM servers
         WHERE id = $1 OR name_key = $2
         ORDER BY id FOR UPDATE
        """,
        server,
        key,
    )
    named = [row["id"] for row in rows if row["name_key"] == key]
    if command.id and named not in ([], [command.id]):
        return ServerNameTaken(f"Another server is named '{name}'.")
    [claimed] = [command.id] if command.id else named
    await writer.run("INSERT INTO crowds (server_id) VALUES ($1) ON CONFLICT DO NOTHING", claimed)
    return claimed


@operation
async def stop(writer: Writer, commands: Sequence[Stopping]) -> list[LeaseHolder | Problem]:
    """End leases and their sessions now, before they expire."""
    return [await _stop(writer, command) for command in commands]


async def _stop(writer: Writer, command: Stopping) -> LeaseHolder | Problem:
    server = command.holder.server_id
    await writer.rows("SELECT FROM servers WHERE id = $1 FOR UPDATE", server)
    if problem := await leases.hold(writer, command.holder, command.by):
        return problem
    # Players beyond the batch go offline with the lease; session expiry or the next
    # registration ends their sessions.
    await presence.clear(writer, server, most=AT_ONCE)
    await _end_lease(writer, server)
    await writer.run("UPDATE servers SET stopped_at = clock_timestamp() WHERE id = $1", server)
    await _record(writer, "servers.stop", command, server, {"fence": command.holder.fence})
    return command.holder


async def _end_lease(writer: Writer, server: UUID) -> None:
    # Only the demo has infinite leases; no time played is counted there.
    await writer.run(
        """
        UPDATE servers
           SET lease_until = CASE WHEN isfinite(lease_until)
                                  THEN least(lease_until, clock_timestamp())
                                  ELSE '-infinity' END
         WHERE id = $1
        """,
        server,
    )


async def _record(writer: Writer, kind: Kind, command: Command, server: UUID, about: Any) -> None:
    after = {"server_id": server} | about
    await actions.record(writer, [Action(kind=kind, by=command.by, after=after)])
