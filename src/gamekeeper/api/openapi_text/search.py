"""Text and examples for the OpenAPI document: the search for characters and accounts."""

from gamekeeper.api.openapi_text.examples import PLAYER, USER
from gamekeeper.http.openapi import Example
from gamekeeper.players.roster import PlayerHits
from gamekeeper.users.directory import UserHits

SEARCH_FIELDS = {
    "NameQuery.search": "Any part of a name, 2 to 64 characters, `lyra` for example. If no name "
    "has it, names with one mistake less are found.",
    "NameQuery.limit": "How many, 1 to 100; out of range, the nearest is taken.",
    "PlayerHits": "Characters whose names match: first those that begin so, then those with a "
    "word that does, then the others.",
    "PlayerHits.More": "Whether there are more than these.",
    "UserHits": "Accounts whose names match, in the order of characters; then, for callers that "
    "see emails, those whose emails do.",
    "UserHits.More": "Whether there are more than these.",
}

SEARCH_EXAMPLES = {
    "search_players": Example(answer=PlayerHits(values=[PLAYER], more=False)),
    "search_users": Example(answer=UserHits(values=[USER], more=False)),
}
