"""Variables of guilds: read and set, each value of its declared type."""

from collections.abc import Sequence
from uuid import UUID

from gamekeeper.catalog.variable_values import GUILD_VARIABLES, Assigned, Assignment
from gamekeeper.catalog.variables import Variable
from gamekeeper.core.errors import Invalid, Problem
from gamekeeper.core.parsing import Scalar
from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Reader, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.guilds.lookup import UnknownGuild
from gamekeeper.guilds.state import lock_guilds, save_actions
from gamekeeper.ledger.actions import Action


class VariableNotFound(Invalid):
    """No guild variable has that id."""


class GuildVariable(Record, frozen=True):
    """A variable of a guild."""

    variable_id: UUID
    value: Scalar
    variable_name: str
    """The variable's name in the catalog."""


class GuildSetting(Command, frozen=True, kw_only=True):
    guild_id: UUID
    variable_id: UUID
    value: Scalar


async def list_set(reader: Reader, guild: UUID) -> list[GuildVariable]:
    """The variables set for a guild."""
    found = await GUILD_VARIABLES.list_set(reader, [str(guild)])
    if not found:
        raise UnknownGuild
    return [_shown(*variable) for variable in found[str(guild)]]


async def find_variable(reader: Reader, guild: UUID, variable_id: UUID) -> GuildVariable:
    """One variable of a guild; if it was never set, the default of its type."""
    wanted = str(guild), variable_id
    found = await GUILD_VARIABLES.find(reader, [wanted])
    if not found:
        raise UnknownGuild
    value = found[wanted]
    if value is None:
        raise _missing(variable_id)
    return _shown(*value)


def _missing(variable_id: UUID) -> VariableNotFound:
    return VariableNotFound(f"Invalid variable id ${variable_id}.")


def _shown(variable: Variable, value: Scalar) -> GuildVariable:
    return GuildVariable(variable_id=variable.id, value=value, variable_name=variable.name)


@operation
async def assign(writer: Writer, orders: Sequence[GuildSetting]) -> list[GuildVariable | Problem]:
    """Set variables of guilds; the last command for the same variable wins."""
    guilds = await lock_guilds(writer, [order.guild_id for order in orders])
    wanted = [
        Assignment(
            order.guild_id if order.guild_id in guilds else UnknownGuild(),
            order.variable_id,
            order.value,
        )
        for order in orders
    ]
    outcomes = await GUILD_VARIABLES.assign(writer, wanted, _missing)
    done: list[tuple[UUID, Action]] = []
    for order, outcome in zip(orders, outcomes, strict=True):
        if isinstance(outcome, Assigned):
            guild = guilds[order.guild_id]
            before, after = outcome.states(guild_id=guild.id, guild=guild.name)
            action = Action(kind="guilds.variable", by=order.by, before=before, after=after)
            done.append((guild.id, action))
    await save_actions(writer, done)
    return [
        outcome if isinstance(outcome, Problem) else _shown(outcome.variable, outcome.value)
        for outcome in outcomes
    ]
