"""Game server endpoints: leases, heartbeats, and presence of characters."""

from collections.abc import Mapping, Sequence

from gamekeeper_client.calls import Group, How, Id, Key, every, posts, reads
from gamekeeper_client.fields import Page
from gamekeeper_client.records import (
    JoinResult,
    Lease,
    Player,
    PresenceResult,
    Server,
    StoppedServer,
)


class Servers(Group[How]):
    """Game servers; `GameServer` calls all of these by itself."""

    @reads("/api/v1/servers")
    def page(
        self, page: int = 0, page_size: int = 100, *, limit: int | None = None
    ) -> Page[Server]:
        """A page of the game servers, by name."""
        ...

    all = every(page)

    @reads("/api/v1/servers/{server_id}/players")
    def players(
        self, server_id: Id, page: int = 0, page_size: int = 100, *, limit: int | None = None
    ) -> Page[Player]:
        """A page of the characters on one server now, by name."""
        ...

    all_players = every(players)

    @posts("/api/v1/servers")
    def register(self, name: str, *, id: Id | None = None, idempotency_key: Key = None) -> Lease:  # noqa: A002
        """Register, and replace the server of that name, with a new lease and fencing number."""
        ...

    @posts("/api/v1/servers/{server_id}/heartbeat", keyed=False)
    def heartbeat(self, server_id: Id, fence: int) -> Lease:
        """Renew the lease."""
        ...

    @posts("/api/v1/servers/{server_id}/join")
    def join(
        self,
        server_id: Id,
        fence: int,
        players: Sequence[Id],
        *,
        clients: Sequence[Mapping[str, str]] | None = None,
        idempotency_key: Key = None,
    ) -> JoinResult:
        """
        Let characters join.

        `clients` says where they play from: each with `player`, `address` and `deviceid`.
        """
        ...

    @posts("/api/v1/servers/{server_id}/leave")
    def leave(
        self, server_id: Id, fence: int, players: Sequence[Id], *, idempotency_key: Key = None
    ) -> PresenceResult:
        """Let characters leave."""
        ...

    @posts("/api/v1/servers/{server_id}/bank")
    def bank(
        self,
        server_id: Id,
        fence: int,
        *,
        opened: Sequence[Id] = (),
        closed: Sequence[Id] = (),
        idempotency_key: Key = None,
    ) -> PresenceResult:
        """Report which bank windows were opened and closed."""
        ...

    @posts("/api/v1/servers/{server_id}/stop")
    def stop(self, server_id: Id, fence: int, *, idempotency_key: Key = None) -> StoppedServer:
        """End the lease and all sessions on the server now."""
        ...
