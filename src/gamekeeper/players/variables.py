"""Player variables (custom key-value data): read and set, each value of its declared type."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from msgspec import UNSET, UnsetType

from gamekeeper.catalog import variables as catalog
from gamekeeper.catalog.variable_values import PLAYER_VARIABLES
from gamekeeper.catalog.variables import Variable, VariableNotFound
from gamekeeper.core.errors import Problem
from gamekeeper.core.parsing import Scalar
from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Reader, Writer
from gamekeeper.db.operations import Command, batched_operation
from gamekeeper.db.queries import batched_query
from gamekeeper.ledger.actions import Action
from gamekeeper.players.lookup import unknown
from gamekeeper.players.state import Needs, State


class PlayerVariable(Record, frozen=True):
    variable_id: UUID
    value: Scalar
    variable_name: str | UnsetType = UNSET
    """With `names`: the variable's name."""


class Setting(Command, frozen=True, kw_only=True):
    player: str
    variable_id: UUID
    value: Scalar


async def all_set(reader: Reader, key: str) -> list[PlayerVariable]:
    """The variables that have been set for a player."""
    found = await of_players.one(reader, key)
    if found is None:
        raise unknown(key)
    return found


@batched_query
async def of_players(reader: Reader, keys: Sequence[str]) -> dict[str, list[PlayerVariable]]:
    """The variables that are set for the players with these names or ids."""
    found = await PLAYER_VARIABLES.list_set(reader, keys)
    return {key: [_shown(*variable) for variable in values] for key, values in found.items()}


async def find_variable(reader: Reader, key: str, variable_id: UUID) -> PlayerVariable:
    """One variable; if it was never set, the default of its type."""
    found = await single.one(reader, (key, variable_id))
    if found is None:
        raise unknown(key)
    if isinstance(found, Problem):
        raise found
    return found


@batched_query
async def single(
    reader: Reader, wanted: Sequence[tuple[str, UUID]]
) -> dict[tuple[str, UUID], PlayerVariable | Problem]:
    """Single variables of players; an unknown player is left out."""
    found = await PLAYER_VARIABLES.find(reader, wanted)
    return {
        spot: _shown(*owned_value) if owned_value else VariableNotFound()
        for spot, owned_value in found.items()
    }


def _shown(variable: Variable, value: Scalar) -> PlayerVariable:
    return PlayerVariable(variable_id=variable.id, value=value)


@batched_operation
async def assign(writer: Writer, orders: Sequence[Setting]) -> list[PlayerVariable | Problem]:
    """Set variables of players; the last command for the same variable wins."""
    needs = Needs(variables={order.variable_id for order in orders})
    state = await State.lock(writer, [order.player for order in orders], needs)

    def setting(order: Setting) -> PlayerVariable:
        player = state.player(order.player)
        before, after = change(state, player, order.variable_id, order.value)
        state.record(
            Action(kind="variables.set", by=order.by, player_id=player, before=before, after=after)
        )
        return PlayerVariable(variable_id=order.variable_id, value=after["value"])

    outcomes = [state.attempt(lambda order=order: setting(order)) for order in orders]
    await state.save(writer)
    return outcomes


def change(
    state: State, player: UUID, variable_id: UUID, value: Scalar
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Set a variable to a value of its type; returns an action's before and after states."""
    variable = state.known_variables.get(variable_id)
    if variable is None:
        raise VariableNotFound
    new = catalog.typed(variable, value)
    before = {"variable_id": variable_id, "value": state.variables.get((player, variable_id))}
    state.variables.put((player, variable_id), new)
    return before, before | {"value": new}
