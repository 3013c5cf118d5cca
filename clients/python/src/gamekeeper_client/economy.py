"""Economy endpoints: the supply of items, and how it changed."""

from gamekeeper_client.calls import Group, How, Id, every, reads
from gamekeeper_client.fields import Page
from gamekeeper_client.records import (
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
