"""
Variables of accounts and of the game, as clients of the Intersect Engine know them.

Those of the game are under `/variables/global`, and for newer clients also without `global`.
"""

from gamekeeper.api.path_parameters import GameVariableId, UserKey, UserVariableId
from gamekeeper.api.v1.players import READ, SetVariable, VariableValue
from gamekeeper.catalog import game_variables as of_game
from gamekeeper.catalog.game_variables import (
    GameVariable,
    GameVariableNotFound,
    GameVariableSetting,
    InvalidGameVariableId,
)
from gamekeeper.catalog.variables import WrongVariableType
from gamekeeper.core.schemas import LegacyPage, LegacyPaging, LenientPaging, Page
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.load_shedding import LOW
from gamekeeper.http.routing import Routes
from gamekeeper.users import variables as of_users
from gamekeeper.users.lookup import UserNotFound
from gamekeeper.users.variables import UserVariable, UserVariableNotFound, UserVariableSetting

routes = Routes("/api/v1/variables")
owners = Routes("/api/v1/users", roles=["users.query"])

SET = "players.variables"
MISSING = (InvalidGameVariableId, GameVariableNotFound)


@owners.get("/{key}/variables", raises=(UserNotFound,))
async def list_user_variables(reader: Reader, key: UserKey) -> list[UserVariable]:
    """The variables that have been set for an account."""
    return await of_users.all_set(reader, key)


@owners.get("/{key}/variables/{variable_id}", raises=(UserNotFound, UserVariableNotFound))
async def get_user_variable(
    reader: Reader, key: UserKey, variable_id: UserVariableId
) -> UserVariable:
    """One variable of an account; unset, the default of its type."""
    return await of_users.find_variable(reader, key, variable_id)


@owners.get("/{key}/variables/{variable_id}/value", raises=(UserNotFound, UserVariableNotFound))
async def get_user_variable_value(
    reader: Reader, key: UserKey, variable_id: UserVariableId
) -> VariableValue:
    """The value alone of one variable of an account."""
    found = await of_users.find_variable(reader, key, variable_id)
    return VariableValue(value=found.value)


@owners.post(
    "/{key}/variables/{variable_id}",
    SET,
    raises=(UserNotFound, UserVariableNotFound, WrongVariableType),
)
async def set_user_variable(
    database: Database,
    by: AuditContext,
    key: UserKey,
    variable_id: UserVariableId,
    body: SetVariable,
) -> UserVariable:
    """Set one variable of an account."""
    order = UserVariableSetting(by=by, user=key, variable_id=variable_id, value=body.value)
    return await of_users.assign.one(database, order)


@routes.post("/global", READ, successor="/api/v1/variables", priority=LOW)
async def list_global_variables_by_post(
    reader: Reader, body: LegacyPaging
) -> LegacyPage[GameVariable]:
    """The variables of the game, by name, in the older envelope."""
    return LegacyPage.of(await of_game.list_variables(reader, body.window))


@routes.get("/global", READ, priority=LOW)
async def list_global_variables(reader: Reader, query: LenientPaging) -> Page[GameVariable]:
    """The variables of the game, by name; the same as without `global`."""
    return await of_game.list_variables(reader, query.window)


@routes.get("", READ, priority=LOW)
async def list_game_variables(reader: Reader, query: LenientPaging) -> Page[GameVariable]:
    """The variables of the game, by name."""
    return await of_game.list_variables(reader, query.window)


@routes.get("/global/{variable_id}", READ, raises=MISSING)
async def get_global_variable(reader: Reader, variable_id: GameVariableId) -> GameVariable:
    """One variable of the game; the same as without `global`."""
    return await of_game.find_variable(reader, variable_id)


@routes.get("/{variable_id}", READ, raises=MISSING)
async def get_game_variable(reader: Reader, variable_id: GameVariableId) -> GameVariable:
    """One variable of the game; unset, with the default of its type."""
    return await of_game.find_variable(reader, variable_id)


@routes.get("/global/{variable_id}/value", READ, raises=MISSING)
async def get_global_variable_value(reader: Reader, variable_id: GameVariableId) -> VariableValue:
    """The value alone of one variable of the game; the same as without `global`."""
    return VariableValue(value=(await of_game.find_variable(reader, variable_id)).value)


@routes.get("/{variable_id}/value", READ, raises=MISSING)
async def get_game_variable_value(reader: Reader, variable_id: GameVariableId) -> VariableValue:
    """The value alone of one variable of the game."""
    return VariableValue(value=(await of_game.find_variable(reader, variable_id)).value)


@routes.post("/global/{variable_id}", SET, raises=(*MISSING, WrongVariableType))
async def set_global_variable(
    database: Database, by: AuditContext, variable_id: GameVariableId, body: SetVariable
) -> GameVariable:
    """Set one variable of the game; the same as without `global`."""
    order = GameVariableSetting(by=by, variable_id=variable_id, value=body.value)
    return await of_game.assign.one(database, order)


@routes.post("/{variable_id}", SET, raises=(*MISSING, WrongVariableType))
async def set_game_variable(
    database: Database, by: AuditContext, variable_id: GameVariableId, body: SetVariable
) -> GameVariable:
    """Set one variable of the game, for all players."""
    order = GameVariableSetting(by=by, variable_id=variable_id, value=body.value)
    return await of_game.assign.one(database, order)
