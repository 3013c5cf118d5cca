"""What the game remembers about a player: read and set, each value of its declared type."""

import re
from collections.abc import Sequence
from math import inf, isfinite
from uuid import UUID

import msgspec

from gamekeeper import scalars
from gamekeeper.catalog import variables as catalog
from gamekeeper.catalog.variables import DEFAULTS, Variable, VariableNotFound
from gamekeeper.database import Reader, Writer
from gamekeeper.errors import Invalid, Problem
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.operations import Order, operation
from gamekeeper.players.lookup import find, lock_all, unknown
from gamekeeper.scalars import INT64, Scalar, Unreadable
from gamekeeper.shapes import Record

LONGEST = 4096
NUMBER = re.compile(r"-?[0-9]{1,400}(\.[0-9]{1,400})?([eE][+-]?[0-9]{1,3})?")


class WrongVariableType(Invalid):
    """The value is not of the variable's type."""


class PlayerVariable(Record, frozen=True):
    variable_id: UUID
    value: Scalar


class Setting(Order, frozen=True, kw_only=True):
    player: str
    variable_id: UUID
    value: Scalar


async def all_set(reader: Reader, key: str) -> list[PlayerVariable]:
    """The variables that have been set for a player."""
    rows = await reader.rows(
        """
        SELECT variable_id, type, value
          FROM player_variables JOIN variables ON variables.id = variable_id
         WHERE player_id = $1
         ORDER BY variable_id
        """,
        await find(reader, key),
    )
    return [_shown(row["variable_id"], row["type"], row["value"]) for row in rows]


async def one(reader: Reader, key: str, variable_id: UUID) -> PlayerVariable:
    """One variable; if it was never set, the default of its type."""
    player = await find(reader, key)
    variable = (await catalog.known(reader, [variable_id])).get(variable_id)
    if variable is None:
        raise VariableNotFound
    value = await reader.value(
        "SELECT value FROM player_variables WHERE player_id = $1 AND variable_id = $2",
        player,
        variable_id,
    )
    return _shown(variable_id, variable.type, value)


def _shown(variable_id: UUID, kind: catalog.Type, value: Scalar | None) -> PlayerVariable:
    if value is None:
        value = DEFAULTS[kind]
    # PostgreSQL writes 1e300 as a one with three hundred noughts.
    return PlayerVariable(
        variable_id=variable_id, value=float(value) if kind == "number" else value
    )


@operation
async def assign(writer: Writer, orders: Sequence[Setting]) -> list[PlayerVariable | Problem]:
    """Set variables of players; the last order for the same variable wins."""
    declared = await catalog.known(writer, {order.variable_id for order in orders})
    players = await lock_all(writer, [order.player for order in orders])
    outcomes = [
        _decide(order, player, declared.get(order.variable_id))
        for order, player in zip(orders, players, strict=True)
    ]
    await _record(writer, orders, players, outcomes)
    final = {
        (player, outcome.variable_id): outcome.value
        for player, outcome in zip(players, outcomes, strict=True)
        if isinstance(outcome, PlayerVariable)
    }
    await writer.run(
        """
        INSERT INTO player_variables (player_id, variable_id, value)
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::jsonb[])
        ON CONFLICT (player_id, variable_id) DO UPDATE SET value = excluded.value
        """,
        [player for player, _ in final],
        [variable for _, variable in final],
        [msgspec.json.encode(value).decode() for value in final.values()],
    )
    return outcomes


async def _record(
    writer: Writer,
    orders: Sequence[Setting],
    players: Sequence[UUID | None],
    outcomes: Sequence[PlayerVariable | Problem],
) -> None:
    """Write the actions down, each with the value that the one before it left."""
    rows = await writer.rows(
        """
        SELECT player_id, variable_id, value FROM player_variables
         WHERE player_id = ANY($1) AND variable_id = ANY($2)
        """,
        [player for player in players if player],
        [order.variable_id for order in orders],
    )
    value = {(row["player_id"], row["variable_id"]): row["value"] for row in rows}
    done = []
    for order, player, outcome in zip(orders, players, outcomes, strict=True):
        if isinstance(outcome, PlayerVariable):
            spot = (player, order.variable_id)
            before = {"variable_id": order.variable_id, "value": value.get(spot)}
            after = before | {"value": outcome.value}
            done.append(
                Action(
                    kind="variables.set",
                    by=order.by,
                    player_id=player,
                    before=before,
                    after=after,
                )
            )
            value[spot] = outcome.value
    await actions.record(writer, done)


def _decide(
    order: Setting, player: UUID | None, variable: Variable | None
) -> PlayerVariable | Problem:
    if player is None:
        return unknown(order.player)
    if variable is None:
        return VariableNotFound()
    try:
        value = _of_type(variable, order.value)
    except Unreadable as wanted:
        return WrongVariableType(f"'{variable.name}' takes {wanted}.", type=variable.type)
    return PlayerVariable(variable_id=variable.id, value=value)


def _of_type(variable: Variable, value: Scalar) -> Scalar:
    match variable.type:
        case "boolean":
            return scalars.boolean(value)
        case "integer":
            number = scalars.integer(value)
            if number not in INT64:
                raise Unreadable("an integer of 64 bits")
            return number
        case "number":
            return _number(value)
        case "string":
            if not isinstance(value, str) or len(value) > LONGEST:
                raise Unreadable(f"a string of at most {LONGEST} characters")
            return value


def _number(value: Scalar) -> float:
    if isinstance(value, bool) or (isinstance(value, str) and not NUMBER.fullmatch(value)):
        raise Unreadable("a number")
    try:
        number = float(value)
    except OverflowError:
        number = inf
    if not isfinite(number):
        raise Unreadable("a finite number")
    return number
