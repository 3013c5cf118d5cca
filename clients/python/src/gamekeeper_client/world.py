"""Everything that is not a character or an account: the log, items, servers, webhooks."""

from collections.abc import Sequence
from datetime import datetime
from typing import NotRequired, TypedDict

from gamekeeper_client.calls import (
    Cursor,
    Group,
    How,
    Id,
    Key,
    Page,
    deletes,
    every,
    patches,
    posts,
    reads,
)
from gamekeeper_client.moves import Expected, Move
from gamekeeper_client.records import (
    Changed,
    Delivery,
    DeliveryShown,
    Entry,
    Health,
    ItemEconomy,
    ItemSupply,
    Joining,
    Lease,
    NewlyKeyed,
    Readiness,
    Replayed,
    Server,
    StoppedServer,
    Swept,
    TransactionOutcomes,
    Undone,
    Webhook,
    Webhooks,
)


class Transaction(TypedDict):
    """Moves that are all made or none, under a key of their own."""

    key: str
    moves: list[Move]
    expected: NotRequired[list[Expected]]
    reason: NotRequired[str]


class Actions(Group[How]):
    """The log: who did what, to whom, when and why."""

    @reads("/api/v1/actions")
    def page(
        self,
        *,
        actor: str | None = None,
        player: Id | None = None,
        user: Id | None = None,
        kind: str | None = None,
        item: Id | None = None,
        from_: datetime | None = None,
        to: datetime | None = None,
        cursor: str | None = None,
        limit: int = 100,
    ) -> Cursor[Entry]:
        """A page of everything that was done, newest first."""
        ...

    all = every(page)

    @reads("/api/v1/actions/{action_id}")
    def get(self, action_id: Id) -> Entry:
        """One action, and what undid it."""
        ...

    @posts("/api/v1/actions/{action_id}/undo")
    def undo(
        self,
        action_id: Id,
        *,
        dry_run: bool = False,
        partial: bool = False,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> Undone:
        """Undo an action, all of it or nothing; with `partial` what can be undone."""
        ...

    @posts("/api/v1/actions/undo")
    def undo_actor(
        self,
        actor: str,
        from_: datetime,
        to: datetime,
        *,
        dry_run: bool = False,
        partial: bool = False,
        reason: str | None = None,
        cursor: str | None = None,
        idempotency_key: Key = None,
    ) -> Swept:
        """Undo what one actor did, at most 1,000 actions; go on with `Next` as `cursor`."""
        ...


class Economy(Group[How]):
    """How many of each item there are."""

    @reads("/api/v1/economy/items")
    def page(
        self, page: int = 0, page_size: int = 100, *, limit: int | None = None
    ) -> Page[ItemSupply]:
        """A page of all items, those first of which there are most."""
        ...

    all = every(page)

    @reads("/api/v1/economy/items/{item_id}")
    def get(self, item_id: Id, *, days: int | None = None) -> ItemEconomy:
        """One item: how many, where, who has most, what came and went by day."""
        ...


class Servers(Group[How]):
    """Game servers; `GameServer` does all of this by itself."""

    @reads("/api/v1/servers")
    def page(
        self, page: int = 0, page_size: int = 100, *, limit: int | None = None
    ) -> Page[Server]:
        """A page of the game servers, by name."""
        ...

    all = every(page)

    @posts("/api/v1/servers")
    def register(self, name: str, *, id: Id | None = None, idempotency_key: Key = None) -> Lease:  # noqa: A002
        """Take the place of the server of that name, with a new lease and fencing number."""
        ...

    @posts("/api/v1/servers/{server_id}/heartbeat", keyed=False)
    def heartbeat(self, server_id: Id, fence: int) -> Lease:
        """Renew the lease."""
        ...

    @posts("/api/v1/servers/{server_id}/join")
    def join(
        self, server_id: Id, fence: int, players: Sequence[Id], *, idempotency_key: Key = None
    ) -> Joining:
        """Let characters join."""
        ...

    @posts("/api/v1/servers/{server_id}/leave")
    def leave(
        self, server_id: Id, fence: int, players: Sequence[Id], *, idempotency_key: Key = None
    ) -> Changed:
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
    ) -> Changed:
        """Say whose bank windows were opened and closed."""
        ...

    @posts("/api/v1/servers/{server_id}/stop")
    def stop(self, server_id: Id, fence: int, *, idempotency_key: Key = None) -> StoppedServer:
        """End the lease, and the sessions of all on the server, now."""
        ...


class Transactions(Group[How]):
    """Many changes to many characters, each transaction whole or not at all."""

    @posts("/api/v1/transactions", keyed=False)
    def send(
        self,
        transactions: Sequence[Transaction],
        *,
        server: Id | None = None,
        fence: int | None = None,
    ) -> TransactionOutcomes:
        """Carry them out; the key of each sees to it that it happens once."""
        ...


class Hooks(Group[How]):
    """Events sent to addresses."""

    @posts("/api/v1/webhooks")
    def create(
        self, url: str, *, kinds: str | None = None, idempotency_key: Key = None
    ) -> NewlyKeyed:
        """
        Have events sent to an address; `kinds` with commas, or all.

        `Secret` is None if the first answer was lost and this one is a replay: then
        `renew_secret` gives another.
        """
        ...

    @reads("/api/v1/webhooks")
    def list(self) -> Webhooks:
        """All webhooks."""
        ...

    @reads("/api/v1/webhooks/{webhook_id}")
    def get(self, webhook_id: Id) -> Webhook:
        """One webhook, and whether it works."""
        ...

    @patches("/api/v1/webhooks/{webhook_id}")
    def change(
        self,
        webhook_id: Id,
        *,
        url: str | None = None,
        kinds: str | None = None,
        enabled: bool | None = None,
        idempotency_key: Key = None,
    ) -> Webhook:
        """Change what is given (`kinds="*"`: all); the rest stays."""
        ...

    @deletes("/api/v1/webhooks/{webhook_id}")
    def remove(self, webhook_id: Id, *, idempotency_key: Key = None) -> Webhook:
        """Remove it."""
        ...

    @posts("/api/v1/webhooks/{webhook_id}/secret")
    def renew_secret(self, webhook_id: Id, *, idempotency_key: Key = None) -> NewlyKeyed:
        """A new secret; for a day everything is signed with both."""
        ...

    @posts("/api/v1/webhooks/{webhook_id}/test")
    def test(self, webhook_id: Id, *, idempotency_key: Key = None) -> Delivery:
        """Send a test at once."""
        ...

    @posts("/api/v1/webhooks/{webhook_id}/replay")
    def replay(
        self,
        webhook_id: Id,
        *,
        delivery: Id | None = None,
        from_: datetime | None = None,
        to: datetime | None = None,
        idempotency_key: Key = None,
    ) -> Replayed:
        """Send events again: of one delivery, or of a span of time."""
        ...

    @reads("/api/v1/webhooks/{webhook_id}/deliveries")
    def deliveries_page(
        self, webhook_id: Id, *, cursor: str | None = None, limit: int = 100
    ) -> Cursor[Delivery]:
        """A page of what was sent and what came back, newest first."""
        ...

    deliveries = every(deliveries_page)

    @reads("/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}")
    def delivery(self, webhook_id: Id, delivery_id: Id) -> DeliveryShown:
        """One delivery, with what was sent."""
        ...


class Condition(Group[How]):
    """Whether the service is there."""

    @reads("/livez")
    def alive(self) -> Health:
        """The process runs."""
        ...

    @reads("/readyz")
    def ready(self) -> Readiness:
        """It can serve."""
        ...
