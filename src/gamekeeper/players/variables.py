"""What the game remembers about a player: read and set, each value of its declared type."""

import re
from collections.abc import Sequence
from math import inf, isfinite
from uuid import UUID

import msgspec

from gamekeeper import directories, scalars
from gamekeeper.catalog import variables as catalog
from gamekeeper.catalog.variables import DEFAULTS, Variable, VariableNotFound
from gamekeeper.database import Reader, Writer
from gamekeeper.errors import Invalid, Problem
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.operations import Order, merged_operation
from gamekeeper.players.lookup import NAMES, lock_all, unknown
from gamekeeper.queries import query
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
    found = await of_players.one(reader, key)
    if found is None:
        raise unknown(key)
    return found


@query
async def of_players(reader: Reader, keys: Sequence[str]) -> dict[str, list[PlayerVariable]]:
    """What has been set for the players with these names or ids."""
    found = await directories.read(
        reader,
        NAMES,
        """
        SELECT players.id, variable_id, type, value
          FROM players
          LEFT JOIN (player_variables JOIN variables ON variables.id = variable_id)
                 ON player_id = players.id
         WHERE players.id = ANY($1)
         ORDER BY variable_id
        """,
        keys,
    )
    return {
        key: [_shown(*row[1:]) for row in rows if row["variable_id"]] for key, rows in found.items()
    }


async def one(reader: Reader, key: str, variable_id: UUID) -> PlayerVariable:
    """One variable; if it was never set, the default of its type."""
    found = await single.one(reader, (key, variable_id))
    if found is None:
        raise unknown(key)
    if isinstance(found, Problem):
        raise found
    return found


@query
async def single(
    reader: Reader, wanted: Sequence[tuple[str, UUID]]
) -> dict[tuple[str, UUID], PlayerVariable | Problem]:
    """Single variables of players; a player whom nobody knows is left out."""
    declared = await catalog.known(reader, {variable for _, variable in wanted})
    found = await directories.read(
        reader,
        NAMES,
        """
        SELECT players.id, variable_id, value
          FROM players
          LEFT JOIN player_variables ON player_id = players.id AND variable_id = ANY($2)
         WHERE players.id = ANY($1)
        """,
        [key for key, _ in wanted],
        list(declared),
    )
    value = {(key, row["variable_id"]): row["value"] for key in found for row in found[key]}
    return {
        (key, variable): _shown(variable, declared[variable].type, value.get((key, variable)))
        if variable in declared
        else VariableNotFound()
        for key, variable in wanted
        if key in found
    }


def _shown(variable_id: UUID, kind: catalog.Type, value: Scalar | None) -> PlayerVariable:
    if value is None:
        value = DEFAULTS[kind]
    # PostgreSQL writes 1e300 as a one with three hundred noughts.
    return PlayerVariable(
        variable_id=variable_id, value=float(value) if kind == "number" else value
    )


@merged_operation
async def assign(writer: Writer, orders: Sequence[Setting]) -> list[PlayerVariable | Problem]:
    """Set variables of players; the last order for the same variable wins."""
    declared = await catalog.known(writer, {order.variable_id for order in orders})
    players = await lock_all(writer, [order.player for order in orders])
    outcomes = [
        decide(order, player, declared.get(order.variable_id))
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


def decide(
    order: Setting, player: UUID | None, variable: Variable | None
) -> PlayerVariable | Problem:
    """The value that an order sets, of the variable's type, or why not."""
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
