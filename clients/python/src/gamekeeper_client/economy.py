"""Economy endpoints: the supply of items, and how it changed."""

from typing import Literal

from gamekeeper_client.calls import Group, How, Id, Key, deletes, every, posts, puts, reads
from gamekeeper_client.fields import Page
from gamekeeper_client.records import (
    EconomyFinding,
    EconomyRule,
    EconomyRules,
    FindingDetails,
    ItemEconomy,
    ItemMovements,
    ItemSupply,
)


class Economy(Group[How]):
    """How many of each item there are."""

    @reads("/api/v1/economy/items")
    def page(
        self, page: int = 0, page_size: int = 100, *, limit: int | None = None
    ) -> Page[ItemSupply]:
        """A page of all items, largest supply first."""
        ...

    all = every(page)

    @reads("/api/v1/economy/items/{item_id}")
    def get(self, item_id: Id, *, days: int | None = None) -> ItemEconomy:
        """One item: how many, where, who holds most, and how many were added and removed by day."""
        ...

    @reads("/api/v1/economy/items/{item_id}/movements")
    def movements(self, item_id: Id, *, days: int = 7, limit: int = 50) -> ItemMovements:
        """The largest movements of an item in the last days, the largest first."""
        ...

    @reads("/api/v1/economy/findings")
    def findings_page(
        self,
        page: int = 0,
        page_size: int = 100,
        *,
        limit: int | None = None,
        state: Literal["open", "acknowledged"] | None = None,
        item: Id | None = None,
    ) -> Page[EconomyFinding]:
        """A page of unusual increases and exceeded rules, newest first."""
        ...

    findings = every(findings_page)

    @reads("/api/v1/economy/findings/{id}")
    def finding(self, id: Id) -> FindingDetails:  # noqa: A002
        """One finding, and the ids of the actions behind it."""
        ...

    @posts("/api/v1/economy/findings/{id}/acknowledge")
    def acknowledge(
        self,
        id: Id,  # noqa: A002
        note: str,
        *,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> EconomyFinding:
        """Acknowledge a finding, with a note; it stays acknowledged."""
        ...

    @reads("/api/v1/economy/rules")
    def rules(self) -> EconomyRules:
        """All rules, by name."""
        ...

    @reads("/api/v1/economy/rules/{name}")
    def rule(self, name: str) -> EconomyRule:
        """One rule, by its name."""
        ...

    @puts("/api/v1/economy/rules/{name}")
    def put_rule(
        self,
        name: str,
        shape: Literal["created_per_hour", "given_per_day", "received_by_new_account"],
        more_than: int,
        *,
        item_id: Id | None = None,
        days: int | None = None,
        effect: Literal["flag", "hold"] = "flag",
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> EconomyRule:
        """Create a rule, or replace the one with this name."""
        ...

    @deletes("/api/v1/economy/rules/{name}")
    def remove_rule(
        self, name: str, *, reason: str | None = None, idempotency_key: Key = None
    ) -> EconomyRule:
        """Delete a rule; its findings stay."""
        ...
