"""Endpoints 1 to 19: characters, their items, bags, spells and variables."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta

from gamekeeper.approvals import requests
from gamekeeper.approvals.requests import BEYOND_LIMITS
from gamekeeper.catalog.items import UnknownItem
from gamekeeper.catalog.spells import UnknownSpell
from gamekeeper.catalog.variables import VariableNotFound, WrongVariableType
from gamekeeper.core.parsing import Scalar
from gamekeeper.core.schemas import (
    Body,
    LegacyPage,
    LegacyPaging,
    NameQuery,
    Page,
    Query,
    Record,
    Reply,
    Searching,
    SortDirection,
    SortedSearch,
)
from gamekeeper.core.search import Search
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.history import as_of
from gamekeeper.http.load_shedding import LOW
from gamekeeper.http.routing import Routes
from gamekeeper.ledger.retention import AtTooOld
from gamekeeper.players import (
    display_names,
    items,
    lookup,
    roster,
    rules,
    sort_orders,
    spells,
    variables,
)
from gamekeeper.players.inventory import NO_BUFFS
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.players.records import Bag, Items, Player, Slot
from gamekeeper.players.roster import PlayerHits
from gamekeeper.players.spells import KnownSpell
from gamekeeper.players.variables import PlayerVariable

routes = Routes("/api/v1/players")

READ = "players.read"


@routes.get("", READ, priority=LOW)
async def list_players(reader: Reader, query: SortedSearch) -> Page[Player]:
    """All characters, by name or in another order."""
    return await sort_orders.list_sorted(
        reader, query.window, Search.of(query.search), query.order, query.sort_direction
    )


@routes.get("/search", READ, priority=LOW)
async def search_players(reader: Reader, query: NameQuery) -> PlayerHits:
    """The characters whose names match any part or word, the best first."""
    return await roster.search_players(reader, Search.required(query.search), query.most)


class Ranking(Searching, frozen=True):
    sort_direction: SortDirection = SortDirection.DESCENDING


@routes.get("/rank", READ, priority=LOW)
async def rank_players(reader: Reader, query: Ranking) -> Page[Player]:
    """All characters, by level and experience."""
    return await roster.ranked(reader, query.window, Search.of(query.search), query.sort_direction)


@routes.post("/online", READ, priority=LOW)
async def list_online_players_by_post(reader: Reader, body: LegacyPaging) -> LegacyPage[Player]:
    """The characters that are in the game now."""
    return LegacyPage.of(await roster.online(reader, body.window))


@routes.get("/online", READ, priority=LOW)
async def list_online_players(reader: Reader, query: SortedSearch) -> Page[Player]:
    """The characters that are in the game now, by name or in another order."""
    search = Search.of(query.search)
    is_usual = query.order not in sort_orders.ONLINE and not search
    if is_usual and query.sort_direction is SortDirection.ASCENDING:
        return await roster.online(reader, query.window)
    return await sort_orders.online_sorted(
        reader, query.window, search, query.order, query.sort_direction
    )


class OnlineCount(Reply, frozen=True):
    online_count: int


@routes.get("/online/count", READ)
async def count_online_players(reader: Reader) -> OnlineCount:
    """How many characters are in the game now."""
    return OnlineCount(online_count=await roster.online_count(reader))


@routes.get("/{key}", READ, raises=(PlayerNotFound,))
async def get_player(reader: Reader, key: str) -> Player:
    """One character, by name or id."""
    return await lookup.find_player(reader, key)


class AsOf(Query, frozen=True):
    at: datetime | None = None


class NamedAsOf(AsOf, frozen=True):
    names: bool = False


@routes.get("/{key}/variables", READ, raises=(PlayerNotFound,))
async def list_variables(reader: Reader, key: str, query: NamedAsOf) -> list[PlayerVariable]:
    """The variables that have been set for a character, now or as of an instant."""
    found = (
        await as_of.variables_set(reader, key, query.at)
        if query.at
        else await variables.all_set(reader, key)
    )
    return await display_names.with_variable_names(reader, found) if query.names else found


@routes.get("/{key}/variables/{variable_id}", READ, raises=(PlayerNotFound, VariableNotFound))
async def get_variable(reader: Reader, key: str, variable_id: UUID, query: AsOf) -> PlayerVariable:
    """One variable of a character, now or as of an instant; unset, the default of its type."""
    if query.at:
        return await as_of.variable(reader, key, variable_id, query.at)
    return await variables.find_variable(reader, key, variable_id)


class VariableValue(Reply, frozen=True):
    value: Scalar


@routes.get("/{key}/variables/{variable_id}/value", READ, raises=(PlayerNotFound, VariableNotFound))
async def get_variable_value(
    reader: Reader, key: str, variable_id: UUID, query: AsOf
) -> VariableValue:
    """The value alone of one variable, now or as of an instant."""
    return VariableValue(value=(await get_variable(reader, key, variable_id, query)).value)


class SetVariable(Body, frozen=True):
    value: Scalar


@routes.post(
    "/{key}/variables/{variable_id}",
    "players.variables",
    raises=(PlayerNotFound, VariableNotFound, WrongVariableType),
)
async def set_variable(
    database: Database, by: AuditContext, key: str, variable_id: UUID, body: SetVariable
) -> PlayerVariable:
    """Set one variable of a character."""
    order = variables.Setting(by=by, player=key, variable_id=variable_id, value=body.value)
    return await variables.assign.one(database, order)


@routes.get("/{key}/items", READ, raises=(PlayerNotFound, AtTooOld))
async def list_items(reader: Reader, key: str, query: NamedAsOf) -> Items:
    """Every slot of a character's inventory and bank, now or as of an instant."""
    found = (
        await as_of.carried(reader, key, query.at) if query.at else await items.carried(reader, key)
    )
    return await display_names.in_places(reader, found) if query.names else found


@routes.get("/{key}/items/inventory", READ, raises=(PlayerNotFound, AtTooOld))
async def list_inventory(reader: Reader, key: str, query: NamedAsOf) -> list[Slot]:
    """Every slot of a character's inventory, now or as of an instant."""
    found = (
        await as_of.slots(reader, key, "inventory", query.at)
        if query.at
        else await items.slots(reader, key, "inventory")
    )
    return await display_names.with_item_names(reader, found) if query.names else found


@routes.get("/{key}/items/bank", READ, raises=(PlayerNotFound, AtTooOld))
async def list_bank(reader: Reader, key: str, query: NamedAsOf) -> list[Slot]:
    """Every slot of a character's bank, now or as of an instant."""
    found = (
        await as_of.slots(reader, key, "bank", query.at)
        if query.at
        else await items.slots(reader, key, "bank")
    )
    return await display_names.with_item_names(reader, found) if query.names else found


@routes.get("/bag/{bag_id}", READ, raises=(items.BagNotFound, AtTooOld))
async def get_bag(reader: Reader, bag_id: UUID, query: NamedAsOf) -> Bag:
    """A bag and every slot in it, now or as of an instant."""
    found = (
        await as_of.bag(reader, bag_id, query.at) if query.at else await items.bag(reader, bag_id)
    )
    return await display_names.in_bag(reader, found) if query.names else found


class GiveItem(Body, frozen=True):
    item_id: UUID
    quantity: int
    bank_overflow: bool = False
    stat_buffs: Annotated[list[int], Meta(max_length=len(NO_BUFFS))] | None = None


class GivenItem(Reply, frozen=True):
    id: UUID
    quantity: items.Holding


@routes.post(
    "/{key}/items/give",
    "players.items",
    raises=(
        *(PlayerNotFound, UnknownItem, items.InvalidQuantity),
        *(rules.InvalidStatBuffs, rules.InventoryFull, *BEYOND_LIMITS),
    ),
)
async def give_item(database: Database, by: AuditContext, key: str, body: GiveItem) -> GivenItem:
    """
    Give a character items, all of them or none; with `statbuffs`, all of them have these.

    Beyond the caller's limits nothing is given: the answer is a 202 with the id of a request
    for approval.
    """
    buffs = NO_BUFFS if body.stat_buffs is None else tuple(body.stat_buffs)
    if len(buffs) != len(NO_BUFFS):
        raise rules.InvalidStatBuffs
    order = items.Gift(
        by=by,
        player=key,
        item_id=body.item_id,
        quantity=body.quantity,
        overflow_to_bank=body.bank_overflow,
        stat_buffs=buffs,
    )
    return await requests.carry_out(
        database, items.give, order, lambda held: GivenItem(id=body.item_id, quantity=held)
    )


class TakeItem(Body, frozen=True):
    item_id: UUID
    quantity: int


class TakenItem(
    Record, frozen=True, rename={"item_id": "ItemId", "quantity": "Quantity", "id": "id"}
):
    item_id: UUID
    quantity: int
    id: UUID
    """The same as `item_id`: a client of the ancestor knows success by it, as in a gift."""


@routes.post(
    "/{key}/items/take",
    "players.items",
    raises=(
        PlayerNotFound,
        UnknownItem,
        items.InvalidQuantity,
        rules.NotEnoughItems,
        rules.BagNotEmpty,
    ),
)
async def take_item(database: Database, by: AuditContext, key: str, body: TakeItem) -> TakenItem:
    """Take items out of a character's inventory, all of them or none."""
    order = items.Taking(by=by, player=key, item_id=body.item_id, quantity=body.quantity)
    return await items.take.one(
        database,
        order,
        lambda taken: TakenItem(item_id=taken.item_id, quantity=taken.quantity, id=taken.item_id),
    )


@routes.get("/{key}/spells", READ, raises=(PlayerNotFound,))
async def list_spells(reader: Reader, key: str, query: NamedAsOf) -> list[KnownSpell]:
    """The spells a character knows, now or as of an instant."""
    found = (
        await as_of.spells(reader, key, query.at)
        if query.at
        else await spells.known_spells(reader, key)
    )
    return await display_names.with_spell_names(reader, found) if query.names else found


class SpellLesson(Body, frozen=True):
    spell_id: UUID


class SpellLearned(Record, frozen=True):
    spell_id: UUID


def _learned(lesson: spells.Lesson) -> SpellLearned:
    return SpellLearned(spell_id=lesson.spell_id)


@routes.post(
    "/{key}/spells/teach",
    "players.spells",
    raises=(PlayerNotFound, UnknownSpell, spells.SpellAlreadyKnown, spells.SpellbookFull),
)
async def teach_spell(
    database: Database, by: AuditContext, key: str, body: SpellLesson
) -> SpellLearned:
    """Teach a character a spell."""
    order = spells.Lesson(by=by, player=key, spell_id=body.spell_id)
    return await spells.teach.one(database, order, _learned)


@routes.post(
    "/{key}/spells/forget",
    "players.spells",
    raises=(PlayerNotFound, UnknownSpell, spells.SpellNotKnown, spells.SpellBound),
)
async def forget_spell(
    database: Database, by: AuditContext, key: str, body: SpellLesson
) -> SpellLearned:
    """Make a character forget a spell."""
    order = spells.Lesson(by=by, player=key, spell_id=body.spell_id)
    return await spells.forget.one(database, order, _learned)


@routes.post("", READ, successor="/api/v1/players", priority=LOW)
async def list_players_by_post(reader: Reader, body: LegacyPaging) -> LegacyPage[Player]:
    """All characters, by name, in the older envelope."""
    return LegacyPage.of(await roster.list_players(reader, body.window, None))
