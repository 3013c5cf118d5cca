"""What consoles show first: one search for everything, and the state of the game."""

from gamekeeper.auth.principal import Principal
from gamekeeper.core.schemas import Query
from gamekeeper.db.database import Reader
from gamekeeper.http.routing import Routes
from gamekeeper.operations.overview import game, search
from gamekeeper.operations.overview.game import GameOverview
from gamekeeper.operations.overview.search import SearchResult

# Every staff role and every account's token has this scope; each group needs its own.
routes = Routes("/api/v1", roles=["players.read"])


class SearchQuery(Query, frozen=True):
    q: str
    """
    Part of a name or, for callers that see emails, of an email; an id; the code of a sanction
    or its first half; the first 8 digits or more of an action's id. 2 to 64 characters, for
    example `lyra`.
    """


@routes.get("/search")
async def search_everything(reader: Reader, caller: Principal, query: SearchQuery) -> SearchResult:
    """
    Players, accounts, items, sanction codes, actions and transactions that match a text.

    The best five of each group, for the groups that the caller's scopes allow.
    """
    return await search.find(reader, query.q, caller)


@routes.get("/overview")
async def get_overview(reader: Reader, caller: Principal) -> GameOverview:
    """
    The state of the game: players online, new players, recent actions, alerts.

    Only the parts that the caller's scopes allow. Every figure has its time.
    """
    return await game.overview(reader, caller)
