"""Account variables: read and set, each value of its declared type."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import msgspec

from gamekeeper.catalog import variables as catalog
from gamekeeper.catalog.variables import Variable
from gamekeeper.core import names
from gamekeeper.core.errors import NotFound, Problem
from gamekeeper.core.parsing import Scalar
from gamekeeper.core.schemas import Record
from gamekeeper.db import unique_names
from gamekeeper.db.database import Queryable, Reader, Writer
from gamekeeper.db.operations import Command, batched_operation
from gamekeeper.db.queries import batched_query
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.users.lookup import NAMES, UserNotFound, lock_keys

Values = dict[tuple[UUID, UUID], Scalar]
"""By account and variable."""


class UserVariableNotFound(NotFound):
    """No account variable has that id."""


class UserVariable(Record, frozen=True):
    variable_id: UUID
    value: Scalar
    variable_name: str


class UserVariableSetting(Command, frozen=True, kw_only=True):
    user: str
    variable_id: UUID
    value: Scalar


async def all_set(reader: Reader, key: str) -> list[UserVariable]:
    """The variables that have been set for an account."""
    found = await of_users.one(reader, key)
    if found is None:
        raise UserNotFound(names.missing("user", key))
    return found


@batched_query
async def of_users(reader: Reader, keys: Sequence[str]) -> dict[str, list[UserVariable]]:
    """The variables that are set for the accounts with these names or ids."""
    found = await unique_names.read(
        reader,
        NAMES,
        """
        SELECT users.id, variable_id, variables.name, type, value
          FROM users
          LEFT JOIN (user_variables JOIN variables ON variables.id = variable_id)
                 ON user_id = users.id
         WHERE users.id = ANY($1)
         ORDER BY variable_id
        """,
        keys,
    )
    return {
        key: [
            UserVariable(
                variable_id=row["variable_id"],
                value=catalog.shown(row["type"], row["value"]),
                variable_name=row["name"],
            )
            for row in rows
            if row["variable_id"]
        ]
        for key, rows in found.items()
    }


async def find_variable(reader: Reader, key: str, variable_id: UUID) -> UserVariable:
    """One variable; if it was never set, the default of its type."""
    found = await single.one(reader, (key, variable_id))
    if found is None:
        raise UserNotFound(names.missing("user", key))
    if isinstance(found, Problem):
        raise found
    return found


@batched_query
async def single(
    reader: Reader, wanted: Sequence[tuple[str, UUID]]
) -> dict[tuple[str, UUID], UserVariable | Problem]:
    """Single variables of accounts; an unknown account is left out."""
    declared = await catalog.find_variables(reader, {one for _, one in wanted}, "user")
    found = await unique_names.read(
        reader,
        NAMES,
        """
        SELECT users.id, variable_id, value
          FROM users
          LEFT JOIN user_variables ON user_id = users.id AND variable_id = ANY($2)
         WHERE users.id = ANY($1)
        """,
        [key for key, _ in wanted],
        list(declared),
    )
    value = {(key, row["variable_id"]): row["value"] for key in found for row in found[key]}
    return {
        (key, variable): _shown(declared[variable], value.get((key, variable)))
        if variable in declared
        else _missing(variable)
        for key, variable in wanted
        if key in found
    }


def _missing(variable_id: UUID) -> UserVariableNotFound:
    return UserVariableNotFound(f"Variable not found for id {variable_id}.")


def _shown(variable: Variable, value: Scalar | None) -> UserVariable:
    return UserVariable(
        variable_id=variable.id,
        value=catalog.shown(variable.type, value),
        variable_name=variable.name,
    )


@batched_operation
async def assign(
    writer: Writer, orders: Sequence[UserVariableSetting]
) -> list[UserVariable | Problem]:
    """Set variables of accounts; the last command for the same variable wins."""
    wanted = {order.variable_id for order in orders}
    declared = await catalog.find_variables(writer, wanted, "user")
    found = await lock_keys(writer, [order.user for order in orders])
    now = await values(writer, [user for user in found if user], list(declared))
    changed: dict[tuple[UUID, UUID], Scalar | None] = {}
    done: list[Action] = []
    outcomes: list[UserVariable | Problem] = []
    for order, user in zip(orders, found, strict=True):
        try:
            if user is None:
                raise UserNotFound(names.missing("user", order.user))
            variable = declared.get(order.variable_id)
            if variable is None:
                raise _missing(order.variable_id)
            value = catalog.typed(variable, order.value)
        except Problem as problem:
            outcomes.append(problem)
            continue
        done.append(_action(order, user, now.get((user, variable.id)), value))
        now[user, variable.id] = changed[user, variable.id] = value
        outcomes.append(_shown(variable, value))
    await save(writer, changed)
    await actions.record(writer, done)
    return outcomes


def _action(order: UserVariableSetting, user: UUID, former: Scalar | None, value: Scalar) -> Action:
    about: dict[str, Any] = {"variable_id": order.variable_id}
    return Action(
        kind="users.variable",
        by=order.by,
        user_id=user,
        before=about | {"value": former},
        after=about | {"value": value},
    )


async def values(reader: Queryable, users: Sequence[UUID], variables: Sequence[UUID]) -> Values:
    """The values that are set, of these accounts and variables."""
    rows = await reader.rows(
        """
        SELECT user_id, variable_id, value FROM user_variables
         WHERE user_id = ANY($1) AND variable_id = ANY($2)
        """,
        list(users),
        list(variables),
    )
    return {(row["user_id"], row["variable_id"]): catalog.stored(row["value"]) for row in rows}


async def save(writer: Writer, changed: Mapping[tuple[UUID, UUID], Scalar | None]) -> None:
    """Write the values of locked accounts; None unsets one."""
    unset = [spot for spot, value in changed.items() if value is None]
    if unset:
        await writer.run(
            """
            DELETE FROM user_variables
             WHERE user_id = ANY($1)
               AND (user_id, variable_id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
            """,
            [user for user, _ in unset],
            [variable for _, variable in unset],
        )
    assigned = {spot: value for spot, value in changed.items() if value is not None}
    if assigned:
        await writer.run(
            """
            INSERT INTO user_variables (user_id, variable_id, value)
            SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::jsonb[])
            ON CONFLICT (user_id, variable_id) DO UPDATE SET value = excluded.value
            """,
            [user for user, _ in assigned],
            [variable for _, variable in assigned],
            [msgspec.json.encode(value).decode() for value in assigned.values()],
        )
