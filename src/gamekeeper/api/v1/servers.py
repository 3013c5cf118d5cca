"""Game server endpoints: leases and fencing, heartbeat, presence, online history."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta

from gamekeeper.api.path_parameters import ServerId
from gamekeeper.auth import client_traces
from gamekeeper.auth.client_traces import (
    ClientTrace,
    DeviceIdText,
    InvalidClientAddress,
    InvalidDeviceId,
)
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.campaigns import joins
from gamekeeper.core.errors import InvalidQuery
from gamekeeper.core.schemas import Body, Page, Paging, Query, Record
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.load_shedding import ALWAYS
from gamekeeper.http.routing import Routes
from gamekeeper.players import details, roster
from gamekeeper.players.records import Player
from gamekeeper.servers import leases, online_history, presence, registration
from gamekeeper.servers.leases import Fenced, Lease, LeaseHolder, Server, ServerNotFound
from gamekeeper.servers.online_history import SPANS, OnlineHistory
from gamekeeper.servers.owners import ServerOwned
from gamekeeper.servers.presence import Changed, Joining

routes = Routes("/api/v1/servers")
online = Routes("/api/v1/players/online")

BE = "servers"
READ = "players.read"
KEPT_OUT = (ServerNotFound, Fenced, ServerOwned)
REGISTERING = (registration.InvalidServerName, registration.ServerNameTaken, ServerOwned)

Keys = Annotated[list[str], Meta(max_length=1000)]


@routes.get("", READ)
async def list_servers(reader: Reader, query: Paging) -> Page[Server]:
    """The game servers by name, with the number of players on each."""
    return await leases.list_servers(reader, query.window)


@routes.get("/{server_id}/players", READ, raises=(ServerNotFound,))
async def list_server_players(
    reader: Reader, caller: Principal, server_id: ServerId, query: Paging
) -> Page[Player]:
    """The characters on one server now, by name; with account names for `users.query`."""
    await leases.check(reader, server_id)
    page = await roster.on_server(reader, server_id, query.window)
    return await details.in_page(reader, page, accounts=caller.sees_accounts)


class RegisterServer(Body, frozen=True):
    name: str
    """1 to 64 characters. Registering under an existing name takes over that server."""
    id: UUID | None = None
    """
    The id of the server; by default, the id of the server with this name, or a new one.
    """


# It is sent commands and what players say, and may take the place of another server.
@routes.post("", BE, raises=REGISTERING, step_up=True)
async def register_server(database: Database, by: AuditContext, body: RegisterServer) -> Lease:
    """
    Register a game server and get its lease and fencing number.

    Registering under the id or name of an existing server takes it over: the sessions of the
    previous process end, and its late calls are refused as `fenced`. The server belongs to the
    caller that registered it; other callers are refused as `server_owned`.
    """
    order = registration.ServerRegistration(by=by, name=body.name, id=body.id)
    return await registration.register_one(database, order)


class Fence(Body, frozen=True):
    fence: int
    """The fencing number that came with the lease."""


@routes.post("/{server_id}/heartbeat", BE, raises=KEPT_OUT, priority=ALWAYS)
async def renew_lease(
    database: Database, by: AuditContext, server_id: ServerId, body: Fence
) -> Lease:
    """Renew the lease of the server and the sessions of its players."""
    order = leases.Heartbeat(by=by, holder=LeaseHolder(server_id, body.fence))
    return await leases.beat.one(database, order)


class PlayersOfServer(Fence, frozen=True):
    players: Keys
    """Names or ids of characters, at most 1,000. JSON bodies only."""


class PlayerClient(Body, frozen=True):
    player: str
    """The name or id, as in `players`."""
    address: Annotated[str, Meta(max_length=64)] | None = None
    """The IP address that the player is connected from."""
    device_id: DeviceIdText | None = None
    """
    An id of the device, as the game client sent it, 1 to 128 characters. Only a keyed hash of it
    is stored.
    """


class JoinServer(PlayersOfServer, frozen=True):
    clients: Annotated[list[PlayerClient], Meta(max_length=1000)] | None = None
    """
    Where the characters play from, for access bans and linked accounts. JSON bodies only.
    """


@routes.post("/{server_id}/join", BE, raises=(*KEPT_OUT, InvalidDeviceId, InvalidClientAddress))
async def join_server(
    database: Database, vault: Vault, by: AuditContext, server_id: ServerId, body: JoinServer
) -> Joining:
    """
    Let characters join the server.

    A character on another server moves, and that server can no longer act for it. Each result
    has the number of the character's last posting, which a transaction may expect. Characters
    that are banned, or play from a banned device or address in `clients`, are refused.

    Letters of campaigns with `onjoin` are in the mailboxes when the response arrives.
    """
    order = presence.PresenceChange(
        by=by,
        holder=LeaseHolder(server_id, body.fence),
        players=body.players,
        traces={client.player: _trace(vault, client) for client in body.clients or ()},
    )
    return await joins.join.one(database, order)


def _trace(vault: Vault, client: PlayerClient) -> ClientTrace:
    if client.address is not None and client_traces.canonical_address(client.address) is None:
        raise InvalidClientAddress(None, field="address")
    return client_traces.of_client(vault, client.address or "", client.device_id)


@routes.post("/{server_id}/leave", BE, raises=KEPT_OUT)
async def leave_server(
    database: Database, by: AuditContext, server_id: ServerId, body: PlayersOfServer
) -> Changed:
    """Let characters leave the server; characters that are not on it do not change."""
    holder = LeaseHolder(server_id, body.fence)
    return await presence.leave.one(
        database, presence.PresenceChange(by=by, holder=holder, players=body.players)
    )


class VisitBank(Fence, frozen=True):
    opened: Keys | None = None
    """Characters whose bank window was opened. JSON bodies only."""
    closed: Keys | None = None
    """Characters whose bank window was closed. JSON bodies only."""


@routes.post("/{server_id}/bank", BE, raises=KEPT_OUT)
async def visit_bank(
    database: Database, by: AuditContext, server_id: ServerId, body: VisitBank
) -> Changed:
    """Report opened and closed bank windows: the `InBank` of characters."""
    order = presence.BankVisits(
        by=by,
        holder=LeaseHolder(server_id, body.fence),
        opened=body.opened or [],
        closed=body.closed or [],
    )
    return await presence.visit_bank.one(database, order)


class StoppedServer(Record, frozen=True):
    id: UUID
    fence: int


@routes.post("/{server_id}/stop", BE, raises=KEPT_OUT)
async def stop_server(
    database: Database, by: AuditContext, server_id: ServerId, body: Fence
) -> StoppedServer:
    """End the lease and the sessions of all players on the server, before it expires."""
    order = registration.Stopping(by=by, holder=LeaseHolder(server_id, body.fence))
    return await registration.stop.one(
        database, order, lambda holder: StoppedServer(id=holder.server_id, fence=holder.fence)
    )


class OverTime(Query, frozen=True):
    span: str = "hour"
    """`minute` (kept for 8 days), `hour` (2 years) or `day` (always)."""
    from_: datetime | None = None
    """The first instant, for example `2026-03-14T18:00:00Z`."""
    to: datetime | None = None
    """The last instant; by default now."""
    servers: bool = False
    """Whether to include a curve for each game server."""


@online.get("/history", READ)
async def list_online_history(reader: Reader, query: OverTime) -> OnlineHistory:
    """How many were in the game, by the minute, the hour or the day; at most the latest 1,500."""
    for span in SPANS:
        if span == query.span.lower():
            found = await online_history.history(reader, span, query.from_, query.to)
            return await online_history.with_servers(reader, found) if query.servers else found
    raise InvalidQuery("'span' must be minute, hour or day.", field="span")
