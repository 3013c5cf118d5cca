"""Endpoints of characters: listed, ranked, looked up; their variables."""

from datetime import datetime

from gamekeeper.api.path_parameters import PlayerKey, VariableId
from gamekeeper.auth.principal import Principal
from gamekeeper.catalog.variables import VariableNotFound, WrongVariableType
from gamekeeper.core.parsing import Scalar
from gamekeeper.core.schemas import (
    Body,
    LegacyPage,
    LegacyPaging,
    NameQuery,
    Page,
    Query,
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
from gamekeeper.players import details, display_names, lookup, roster, sort_orders, variables
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.players.records import Player
from gamekeeper.players.roster import PlayerHits
from gamekeeper.players.variables import PlayerVariable

routes = Routes("/api/v1/players")

READ = "players.read"


class PlayersQuery(SortedSearch, frozen=True):
    details: bool = False
    """Whether to show the server of each character, and its account's name with `users.query`."""


@routes.get("", READ, priority=LOW)
async def list_players(reader: Reader, caller: Principal, query: PlayersQuery) -> Page[Player]:
    """All characters, by name or in another order."""
    page = await sort_orders.list_sorted(
        reader, query.window, Search.of(query.search), query.order, query.sort_direction
    )
    return await _detailed(reader, caller, page) if query.details else page


async def _detailed(reader: Reader, caller: Principal, page: Page[Player]) -> Page[Player]:
    return await details.in_page(reader, page, accounts=caller.sees_accounts)


@routes.get("/search", READ, priority=LOW)
async def search_players(reader: Reader, query: NameQuery) -> PlayerHits:
    """The characters whose names match any part or word, best matches first."""
    return await roster.search_players(reader, Search.required(query.search), query.most)


class Ranking(Searching, frozen=True):
    details: bool = False
    """Whether to show the server of each character, and its account's name with `users.query`."""
    sort_direction: SortDirection = SortDirection.DESCENDING
    """The sort direction, case-insensitive; also `0` (ascending) or `1` (descending)."""


@routes.get("/rank", READ, priority=LOW)
async def rank_players(reader: Reader, caller: Principal, query: Ranking) -> Page[Player]:
    """All characters, by level and experience."""
    page = await roster.ranked(reader, query.window, Search.of(query.search), query.sort_direction)
    return await _detailed(reader, caller, page) if query.details else page


@routes.post("/online", READ, priority=LOW)
async def list_online_players_by_post(reader: Reader, body: LegacyPaging) -> LegacyPage[Player]:
    """The characters that are online."""
    return LegacyPage.of(await roster.online(reader, body.window))


@routes.get("/online", READ, priority=LOW)
async def list_online_players(
    reader: Reader, caller: Principal, query: PlayersQuery
) -> Page[Player]:
    """The characters that are online, by name or in another order."""
    search = Search.of(query.search)
    is_usual = query.order not in sort_orders.ONLINE_ORDERS and not search
    if is_usual and query.sort_direction is SortDirection.ASCENDING:
        page = await roster.online(reader, query.window)
    else:
        page = await sort_orders.online_sorted(
            reader, query.window, search, query.order, query.sort_direction
        )
    return await _detailed(reader, caller, page) if query.details else page


class OnlineCount(Reply, frozen=True):
    online_count: int


@routes.get("/online/count", READ)
async def count_online_players(reader: Reader) -> OnlineCount:
    """The number of characters online."""
    return OnlineCount(online_count=await roster.online_count(reader))


class PlayerQuery(Query, frozen=True):
    details: bool = False
    """Whether to show its server, and its account's name with `users.query`."""


@routes.get("/{key}", READ, raises=(PlayerNotFound,))
async def get_player(
    reader: Reader, caller: Principal, key: PlayerKey, query: PlayerQuery
) -> Player:
    """One character, by name or id."""
    found = await lookup.find_player(reader, key)
    if not query.details:
        return found
    [detailed] = await details.with_details(reader, [found], accounts=caller.sees_accounts)
    return detailed


class AsOf(Query, frozen=True):
    at: datetime | None = None
    """
    An instant with its offset, such as `2026-03-14T18:22:05.5Z`: return the state at that time,
    including changes at exactly that instant. The future is the same as now.
    """


class NamedAsOf(AsOf, frozen=True):
    names: bool = False
    """Whether to show names beside the ids of items, spells and variables."""


@routes.get("/{key}/variables", READ, raises=(PlayerNotFound,))
async def list_variables(reader: Reader, key: PlayerKey, query: NamedAsOf) -> list[PlayerVariable]:
    """The variables set for a character, now or as of an instant."""
    found = (
        await as_of.variables_set(reader, key, query.at)
        if query.at
        else await variables.all_set(reader, key)
    )
    return await display_names.with_variable_names(reader, found) if query.names else found


@routes.get("/{key}/variables/{variable_id}", READ, raises=(PlayerNotFound, VariableNotFound))
async def get_variable(
    reader: Reader, key: PlayerKey, variable_id: VariableId, query: AsOf
) -> PlayerVariable:
    """One variable of a character, now or as of an instant; unset, the default of its type."""
    if query.at:
        return await as_of.variable(reader, key, variable_id, query.at)
    return await variables.find_variable(reader, key, variable_id)


class VariableValue(Reply, frozen=True):
    value: Scalar


@routes.get("/{key}/variables/{variable_id}/value", READ, raises=(PlayerNotFound, VariableNotFound))
async def get_variable_value(
    reader: Reader, key: PlayerKey, variable_id: VariableId, query: AsOf
) -> VariableValue:
    """The value alone of one variable, now or as of an instant."""
    return VariableValue(value=(await get_variable(reader, key, variable_id, query)).value)


class SetVariable(Body, frozen=True):
    value: Scalar
    """The value, of the type the variable was declared with."""


@routes.post(
    "/{key}/variables/{variable_id}",
    "players.variables",
    raises=(PlayerNotFound, VariableNotFound, WrongVariableType),
)
async def set_variable(
    database: Database, by: AuditContext, key: PlayerKey, variable_id: VariableId, body: SetVariable
) -> PlayerVariable:
    """Set one variable of a character."""
    order = variables.Setting(by=by, player=key, variable_id=variable_id, value=body.value)
    return await variables.assign.one(database, order)


@routes.post("", READ, successor="/api/v1/players", priority=LOW)
async def list_players_by_post(reader: Reader, body: LegacyPaging) -> LegacyPage[Player]:
    """All characters, by name, in the older envelope."""
    return LegacyPage.of(await roster.list_players(reader, body.window, None))
