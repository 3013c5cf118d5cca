"""Economy endpoints: all items by supply, and one item in full."""

from gamekeeper.api.path_parameters import ItemId
from gamekeeper.core.schemas import Page, Paging, Query
from gamekeeper.db.database import Reader
from gamekeeper.http.load_shedding import LOW
from gamekeeper.http.routing import Routes
from gamekeeper.ledger.economy import movements, supply
from gamekeeper.ledger.economy.movements import ItemMovements
from gamekeeper.ledger.economy.supply import ItemEconomy, ItemNotFound, ItemSupply

routes = Routes("/api/v1/economy", roles=["economy.read"])

MOST_DAYS = 366


@routes.get("/items", priority=LOW)
async def list_economy(reader: Reader, query: Paging) -> Page[ItemSupply]:
    """All items, by supply, largest first."""
    return await supply.list_supply(reader, query.window)


class Days(Query, frozen=True):
    days: int = 30
    """The number of days, 1 to 366, including today; values out of range are clamped."""


@routes.get("/items/{item_id}", raises=(ItemNotFound,))
async def get_economy(reader: Reader, item_id: ItemId, query: Days) -> ItemEconomy:
    """The supply of an item, its places, its top holders, and its flows by day."""
    return await supply.find_item_economy(reader, item_id, max(1, min(query.days, MOST_DAYS)))


class LargestOfDays(Query, frozen=True):
    days: int = 7
    """The number of days, 1 to 92, including today."""
    limit: int = 50
    """The page size, 1 to 100; values out of range are clamped."""


@routes.get("/items/{item_id}/movements", raises=(ItemNotFound,), priority=LOW)
async def list_item_movements(
    reader: Reader, item_id: ItemId, query: LargestOfDays
) -> ItemMovements:
    """The largest movements of an item in the last days, about twenty per day at most."""
    return await movements.list_movements(reader, item_id, query.days, query.limit)
