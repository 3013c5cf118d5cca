"""Guilds, sanctions and game variables as they are stored, in the form of lines."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from msgspec import UNSET

from gamekeeper.core.parsing import Scalar
from gamekeeper.db.database import Queryable
from gamekeeper.transfer.lines import (
    BagSlotLine,
    GameVariableLine,
    GuildLine,
    MemberLine,
    SanctionLine,
)
from gamekeeper.transfer.stored import stat_buffs

# ── Guilds ──


async def read_guilds(reader: Queryable, ids: Sequence[UUID]) -> dict[UUID, GuildLine]:
    """Guilds by id, with members, bank and variables."""
    asked = list(ids)
    members: defaultdict[UUID, list[MemberLine]] = defaultdict(list)
    for guild, player, rank, joined in await reader.rows(MEMBERS, asked):
        members[guild].append(MemberLine(player_id=player, rank=rank, joined_at=joined))
    bank: defaultdict[UUID, list[BagSlotLine]] = defaultdict(list)
    for guild, slot, item, quantity, buffs in await reader.rows(BANK, asked):
        held = BagSlotLine(slot=slot, item_id=item, quantity=quantity, stat_buffs=stat_buffs(buffs))
        bank[guild].append(held)
    variables: defaultdict[UUID, dict[UUID, Scalar]] = defaultdict(dict)
    for guild, variable, value, kind in await reader.rows(VARIABLES, asked):
        variables[guild][variable] = float(value) if kind == "number" else value
    return {
        row["id"]: GuildLine(
            **row,
            members=members[row["id"]],
            bank=bank[row["id"]],
            variables=variables[row["id"]],
        )
        for row in await reader.rows(GUILDS, asked)
    }


GUILDS: LiteralString = """
    SELECT id, name, founded_at, bank_slots, instance_id
      FROM guilds
     WHERE id = ANY($1)
     ORDER BY id
"""

MEMBERS: LiteralString = """
    SELECT guild_id, player_id, rank, joined_at
      FROM guild_members
     WHERE guild_id = ANY($1)
     ORDER BY guild_id, player_id
"""

BANK: LiteralString = """
    SELECT guild_id, slot, item_id, quantity, stat_buffs
      FROM guild_slots
     WHERE guild_id = ANY($1)
     ORDER BY guild_id, slot
"""

VARIABLES: LiteralString = """
    SELECT guild_id, variable_id, value, type
      FROM guild_variables JOIN variables ON variables.id = variable_id
     WHERE guild_id = ANY($1)
     ORDER BY guild_id, variable_id
"""


# ── Sanctions ──


async def read_sanctions(
    reader: Queryable, ids: Sequence[UUID], *, private: bool = True
) -> dict[UUID, SanctionLine]:
    """Sanctions by id; what is for staff only (Sanction.redacted) only if `private`."""
    rows = await reader.rows(SANCTIONS, list(ids))
    return {row["id"]: _sanction(row, private=private) for row in rows}


def _sanction(row: Any, *, private: bool) -> SanctionLine:
    given: dict[str, Any] = {name: value for name, value in row.items() if value is not None}
    line = SanctionLine(**given)
    if not private:
        line.reason = line.evidence = line.lift_reason = UNSET
    return line


SANCTIONS: LiteralString = """
    SELECT id, kind AS type, code, user_id, player_id, starts_at,
           nullif(ends_at, 'infinity') AS ends_at, message, reason, evidence, template, step,
           imposed_at, imposed_by, imposed_by_name, lifted_at, lifted_by, lifted_by_name,
           lift_reason
      FROM sanctions
     WHERE id = ANY($1)
     ORDER BY id
"""


# ── Game variables ──


async def read_game_variables(
    reader: Queryable, ids: Sequence[UUID]
) -> dict[UUID, GameVariableLine]:
    """The variables of the game that are set, by id."""
    return {
        row["id"]: GameVariableLine(
            id=row["id"],
            value=float(row["value"]) if row["type"] == "number" else row["value"],
        )
        for row in await reader.rows(GAME_VARIABLES, list(ids))
    }


GAME_VARIABLES: LiteralString = """
    SELECT id, type, value
      FROM game_variables JOIN variables ON id = variable_id
     WHERE id = ANY($1)
     ORDER BY id
"""
