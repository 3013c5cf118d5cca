"""Variables of guilds: read and set, each value of its declared type."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec

from gamekeeper.catalog import variables as catalog
from gamekeeper.catalog.variables import Variable
from gamekeeper.core.errors import Invalid, Problem
from gamekeeper.core.parsing import Scalar
from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Reader, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.guilds import lookup
from gamekeeper.guilds.lookup import UnknownGuild
from gamekeeper.guilds.state import lock_guilds, save_actions
from gamekeeper.ledger.actions import Action


class UnknownGuildVariable(Invalid):
    """No variable of guilds has that id."""

    code = "variable_not_found"


class GuildVariable(Record, frozen=True):
    variable_id: UUID
    value: Scalar
    variable_name: str


class GuildSetting(Command, frozen=True, kw_only=True):
    guild_id: UUID
    variable_id: UUID
    value: Scalar


async def list_set(reader: Reader, guild: UUID) -> list[GuildVariable]:
    """The variables that have been set for a guild."""
    if await lookup.find_guild(reader, guild) is None:
        raise UnknownGuild
    rows = await reader.rows(
        """
        SELECT variables.id, name, type, value
          FROM guild_variables JOIN variables ON variables.id = variable_id
         WHERE guild_id = $1
         ORDER BY variables.id
        """,
        guild,
    )
    return [
        _shown(Variable(id=row["id"], name=row["name"], type=row["type"]), row["value"])
        for row in rows
    ]


async def find_variable(reader: Reader, guild: UUID, variable_id: UUID) -> GuildVariable:
    """One variable of a guild; if it was never set, the default of its type."""
    if await lookup.find_guild(reader, guild) is None:
        raise UnknownGuild
    declared = await catalog.find_variables(reader, [variable_id], "guild")
    value = await reader.value(
        "SELECT value FROM guild_variables WHERE guild_id = $1 AND variable_id = $2",
        guild,
        variable_id,
    )
    return _shown(_declared(declared, variable_id), value)


def _declared(declared: dict[UUID, Variable], variable_id: UUID) -> Variable:
    if variable_id not in declared:
        raise UnknownGuildVariable(f"Invalid variable id ${variable_id}.")
    return declared[variable_id]


def _shown(variable: Variable, value: Any) -> GuildVariable:
    return GuildVariable(
        variable_id=variable.id,
        value=catalog.shown(variable.type, value),
        variable_name=variable.name,
    )


@operation
async def assign(writer: Writer, orders: Sequence[GuildSetting]) -> list[GuildVariable | Problem]:
    """Set variables of guilds; the last command for the same variable wins."""
    declared = await catalog.find_variables(
        writer, {order.variable_id for order in orders}, "guild"
    )
    guilds = await lock_guilds(writer, [order.guild_id for order in orders])
    outcomes: list[GuildVariable | Problem] = []
    for order in orders:
        try:
            if order.guild_id not in guilds:
                raise UnknownGuild
            variable = _declared(declared, order.variable_id)
            value = catalog.typed(variable, order.value)
        except Problem as refusal:
            outcomes.append(refusal)
        else:
            before = await _assign(writer, order, value)
            about = {"guild_id": order.guild_id, "guild": guilds[order.guild_id].name}
            about |= {"variable_id": order.variable_id}
            action = Action(
                kind="guilds.variable",
                by=order.by,
                before=about | {"value": before},
                after=about | {"value": value},
            )
            await save_actions(writer, [(order.guild_id, action)])
            outcomes.append(_shown(variable, value))
    return outcomes


async def _assign(writer: Writer, order: GuildSetting, value: Scalar) -> Any:
    """Store a value; returns the former one."""
    before = await writer.value(
        "SELECT value FROM guild_variables WHERE guild_id = $1 AND variable_id = $2",
        order.guild_id,
        order.variable_id,
    )
    await writer.run(
        """
        INSERT INTO guild_variables (guild_id, variable_id, value)
        VALUES ($1, $2, $3::jsonb)
        ON CONFLICT (guild_id, variable_id) DO UPDATE SET value = excluded.value
        """,
        order.guild_id,
        order.variable_id,
        msgspec.json.encode(value).decode(),
    )
    return catalog.stored(before)
