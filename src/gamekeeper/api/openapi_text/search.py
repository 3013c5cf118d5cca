"""Text and examples for the OpenAPI document: the search for characters and accounts."""

from gamekeeper.api.openapi_text.examples import PLAYER, USER
from gamekeeper.http.openapi import Example
from gamekeeper.players.roster import PlayerHits
from gamekeeper.users.directory import UserHits

SEARCH_EXAMPLES = {
    "search_players": Example(answer=PlayerHits(values=[PLAYER], more=False)),
    "search_users": Example(answer=UserHits(values=[USER], more=False)),
}
