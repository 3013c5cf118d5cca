"""
Game variables (global variables): one value for all who play, of its declared type.

Their declarations are in the catalog; `catalog_objects` has what the game's editor knows more
of them, if an import brought it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID

import msgspec

from gamekeeper.catalog import variable_values
from gamekeeper.catalog import variables as catalog
from gamekeeper.catalog.variable_values import Assigned, Assignment
from gamekeeper.catalog.variables import Type
from gamekeeper.core.errors import Invalid, NotFound, Problem
from gamekeeper.core.ids import NIL
from gamekeeper.core.parsing import Scalar
from gamekeeper.core.schemas import Page, Record, Window
from gamekeeper.db.database import LockedByOther, Queryable, Reader, Writer
from gamekeeper.db.operations import Command, batched_operation
from gamekeeper.db.queries import batched_query, single_flight
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action

TYPES: Mapping[Type, int] = {"boolean": 1, "integer": 2, "string": 3, "number": 4}
"""As Intersect numbers them."""


class InvalidGameVariableId(Invalid):
    """Invalid global variable id."""


class GameVariableNotFound(NotFound):
    """No global variable has that id."""


class GameVariable(Record, frozen=True):
    """A variable with one value for all who play."""

    id: UUID
    name: str
    text_id: str
    """As the game's editor has it; empty if no import brought it."""
    type: int
    """1 boolean, 2 integer, 3 string, 4 number."""
    value: Scalar
    folder: str
    """As the game's editor has it; empty if no import brought it."""
    time_created: int
    """As the game's editor has it; 0 if no import brought it."""


class GameVariableSetting(Command, frozen=True, kw_only=True):
    variable_id: UUID
    value: Scalar


@single_flight
async def list_variables(reader: Reader, window: Window) -> Page[GameVariable]:
    """A page of the game's variables, by name, those that were never set included."""
    rows = await reader.rows(
        f"""
        {DESCRIBED}
         ORDER BY lower(variables.name) COLLATE "C", variables.id LIMIT $1 OFFSET $2
        """,
        window.shown,
        window.offset,
    )
    total = await reader.value("SELECT count(*) FROM variables WHERE owner = 'game'")
    return Page.of([_shown(row) for row in rows], total, window)


async def find_variable(reader: Reader, variable_id: UUID) -> GameVariable:
    """One variable; if it was never set, with the default of its type."""
    found = await single.one(reader, variable_id)
    if found is None:
        raise missing(variable_id)
    return found


@batched_query
async def single(reader: Reader, ids: Sequence[UUID]) -> dict[UUID, GameVariable]:
    """The variables with these ids."""
    return await described(reader, ids)


async def described(reader: Queryable, ids: Sequence[UUID]) -> dict[UUID, GameVariable]:
    rows = await reader.rows(f"{DESCRIBED} AND variables.id = ANY($1)", list(ids))
    return {row["id"]: _shown(row) for row in rows}


# The facts of an object are as an import brought them: each is answered only if it has the type
# that clients expect.
DESCRIBED: LiteralString = """
    SELECT variables.id, variables.name, variables.type, value,
           CASE jsonb_typeof(facts -> 'TextId') WHEN 'string' THEN facts ->> 'TextId'
                ELSE '' END AS text_id,
           CASE jsonb_typeof(facts -> 'Folder') WHEN 'string' THEN facts ->> 'Folder'
                ELSE '' END AS folder,
           CASE WHEN facts ->> 'TimeCreated' ~ '^-?[0-9]{1,18}$'
                THEN (facts ->> 'TimeCreated')::bigint ELSE 0 END AS time_created
      FROM variables
      LEFT JOIN game_variables ON variable_id = variables.id
      LEFT JOIN catalog_objects AS object
             ON object.type = 'servervariable' AND object.id = variables.id
     WHERE owner = 'game'
"""


def _shown(row: Any) -> GameVariable:
    return GameVariable(
        id=row["id"],
        name=row["name"],
        text_id=row["text_id"],
        type=TYPES[row["type"]],
        value=catalog.shown(row["type"], row["value"]),
        folder=row["folder"],
        time_created=row["time_created"],
    )


def missing(variable_id: UUID) -> Problem:
    """Intersect refuses the nil id, and what is no id, before it looks."""
    if variable_id == NIL:
        return InvalidGameVariableId()
    return GameVariableNotFound(f"No global variable with id '{variable_id}'.")


@batched_operation
async def assign(
    writer: Writer, orders: Sequence[GameVariableSetting]
) -> list[GameVariable | Problem]:
    """Set variables of the game; the last command for the same variable wins."""
    wanted = [order.variable_id for order in orders]
    declared = await catalog.find_variables(writer, wanted, "game")
    if writer.wait_for_locks:
        await lock(writer)
    elif not await _try_lock(writer):
        raise LockedByOther([list(range(len(orders)))])
    now = {(None, variable): value for variable, value in (await values(writer, declared)).items()}
    assignments = [Assignment(None, order.variable_id, order.value) for order in orders]
    outcomes, changed = variable_values.assign(declared, now, assignments, missing)
    await save(writer, {variable: value for (_, variable), value in changed.items()})
    done: list[Action] = []
    for order, outcome in zip(orders, outcomes, strict=True):
        if isinstance(outcome, Assigned):
            before, after = outcome.states()
            done.append(Action(kind="game.variable", by=order.by, before=before, after=after))
    await actions.record(writer, done)
    # A variable that is set twice in one list is answered with its last value.
    answers = await described(writer, wanted)
    return [
        outcome if isinstance(outcome, Problem) else answers[outcome.variable.id]
        for outcome in outcomes
    ]


async def lock(writer: Writer) -> None:
    """Lock all values until the transaction ends: one that was never set has no row to lock."""
    await writer.rows("SELECT pg_advisory_xact_lock(hashtextextended('game variables', 0))")


async def _try_lock(writer: Writer) -> bool:
    return await writer.value(
        "SELECT pg_try_advisory_xact_lock(hashtextextended('game variables', 0))"
    )


async def values(reader: Queryable, ids: Iterable[UUID]) -> dict[UUID, Scalar]:
    """The values that are set, of these variables."""
    rows = await reader.rows(
        "SELECT variable_id, value FROM game_variables WHERE variable_id = ANY($1)", list(ids)
    )
    return {row["variable_id"]: catalog.stored(row["value"]) for row in rows}


async def save(writer: Writer, changed: Mapping[UUID, Scalar | None]) -> None:
    """Write values, which must be locked; None unsets one."""
    if unset := [variable for variable, value in changed.items() if value is None]:
        await writer.run("DELETE FROM game_variables WHERE variable_id = ANY($1)", unset)
    if assigned := {variable: value for variable, value in changed.items() if value is not None}:
        await writer.run(
            """
            INSERT INTO game_variables (variable_id, value)
            SELECT * FROM unnest($1::uuid[], $2::jsonb[])
            ON CONFLICT (variable_id) DO UPDATE SET value = excluded.value
            """,
            list(assigned),
            [msgspec.json.encode(value).decode() for value in assigned.values()],
        )
