"""Words and examples for the OpenAPI document: accounts, their variables and the game's."""

from uuid import UUID

from gamekeeper.api.openapi_text.examples import USER
from gamekeeper.api.v1.players import VariableValue
from gamekeeper.catalog.game_variables import GameVariable, GameVariableNotFound
from gamekeeper.core.errors import Problem
from gamekeeper.core.schemas import LegacyPage, Page, Window
from gamekeeper.http.openapi import Example
from gamekeeper.users.variables import UserVariable, UserVariableNotFound

VOTES = UUID("5a0a4c9e-6f0d-4b5e-9d0c-0d6f7b1d8a31")
SEASON = UUID("b7c3f0de-21c5-4a43-8a3b-6a1c1f0a9f02")

OF_ACCOUNT = UserVariable(variable_id=VOTES, value=3, variable_name="Votes")
OF_GAME = GameVariable(
    id=SEASON, name="Season", text_id="season", type=3, value="winter", folder="", time_created=0
)
GAME_PAGE = Page.of([OF_GAME], 1, Window.of(0, 5))

VARIABLE_EXAMPLES = {
    "rename_user": Example(body={"name": USER.name}, answer=USER),
    "delete_user": Example(answer=USER),
    "list_user_variables": Example(answer=[OF_ACCOUNT]),
    "get_user_variable": Example(answer=OF_ACCOUNT),
    "get_user_variable_value": Example(answer=VariableValue(value=3)),
    "set_user_variable": Example(body={"value": 3}, answer=OF_ACCOUNT),
    "list_global_variables_by_post": Example(
        body={"page": 0, "count": 5}, answer=LegacyPage.of(GAME_PAGE)
    ),
    "list_global_variables": Example(answer=GAME_PAGE),
    "list_game_variables": Example(answer=GAME_PAGE),
    "get_global_variable": Example(answer=OF_GAME),
    "get_game_variable": Example(answer=OF_GAME),
    "get_global_variable_value": Example(answer=VariableValue(value="winter")),
    "get_game_variable_value": Example(answer=VariableValue(value="winter")),
    "set_global_variable": Example(body={"value": "winter"}, answer=OF_GAME),
    "set_game_variable": Example(body={"value": "winter"}, answer=OF_GAME),
}
VARIABLE_REFUSALS: dict[type[Problem], Problem] = {
    UserVariableNotFound: UserVariableNotFound(f"Variable not found for id {VOTES}."),
    GameVariableNotFound: GameVariableNotFound(f"No global variable with id '{SEASON}'."),
}
