"""Account variables: read and set, each value of its declared type."""

from collections.abc import Sequence
from uuid import UUID

from gamekeeper.catalog.variable_values import USER_VARIABLES, Assigned, Assignment
from gamekeeper.catalog.variables import Variable
from gamekeeper.core import names
from gamekeeper.core.errors import NotFound, Problem
from gamekeeper.core.parsing import Scalar
from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Reader, Writer
from gamekeeper.db.operations import Command, batched_operation
from gamekeeper.db.queries import batched_query
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.users.lookup import UserNotFound, lock_keys


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
    found = await USER_VARIABLES.list_set(reader, keys)
    return {key: [_shown(*variable) for variable in values] for key, values in found.items()}


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
    found = await USER_VARIABLES.find(reader, wanted)
    return {
        spot: _shown(*owned_value) if owned_value else _missing(spot[1])
        for spot, owned_value in found.items()
    }


def _missing(variable_id: UUID) -> UserVariableNotFound:
    return UserVariableNotFound(f"Variable not found for id {variable_id}.")


def _shown(variable: Variable, value: Scalar) -> UserVariable:
    return UserVariable(variable_id=variable.id, value=value, variable_name=variable.name)


@batched_operation
async def assign(
    writer: Writer, orders: Sequence[UserVariableSetting]
) -> list[UserVariable | Problem]:
    """Set variables of accounts; the last command for the same variable wins."""
    users = await lock_keys(writer, [order.user for order in orders])
    wanted = [
        Assignment(
            user or UserNotFound(names.missing("user", order.user)), order.variable_id, order.value
        )
        for order, user in zip(orders, users, strict=True)
    ]
    outcomes = await USER_VARIABLES.assign(writer, wanted, _missing)
    done: list[Action] = []
    for order, user, outcome in zip(orders, users, outcomes, strict=True):
        if isinstance(outcome, Assigned):
            before, after = outcome.states()
            action = Action(
                kind="users.variable", by=order.by, user_id=user, before=before, after=after
            )
            done.append(action)
    await actions.record(writer, done)
    return [
        outcome if isinstance(outcome, Problem) else _shown(outcome.variable, outcome.value)
        for outcome in outcomes
    ]
