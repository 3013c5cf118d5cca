"""
New guilds, written by COPY in the caller's transaction.

The ledger of their banks is opened by one statement, against the account `import`, as those of
characters are.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from msgspec import UNSET

from gamekeeper.catalog.variable_values import GUILD_VARIABLES
from gamekeeper.core import ids
from gamekeeper.core.names import fold
from gamekeeper.db.database import Writer
from gamekeeper.guilds.state import insert_members
from gamekeeper.players import memberships
from gamekeeper.players.memberships import Membership
from gamekeeper.players.state import lock_rows
from gamekeeper.transfer.bulk_rows import copy
from gamekeeper.transfer.lines import GuildLine
from gamekeeper.transfer.positions import keep_positions

GUILD_COLUMNS = ("id", "name", "name_key", "founded_at", "bank_slots", "instance_id")
SLOT_COLUMNS = ("guild_id", "slot", "item_id", "quantity", "stat_buffs")


async def add_guilds(
    writer: Writer, lines: Sequence[GuildLine], at: datetime, action_id: UUID
) -> None:
    """Write guilds that have a name, which no other guild has, with all they own."""
    if not lines:
        return
    # Characters before guilds, as everywhere: who joins a guild waits for the character.
    await lock_rows(writer, {member.player_id for line in lines for member in line.members or ()})
    # In the order of their names: two transactions that want the same ones cannot deadlock.
    ordered = sorted(lines, key=lambda line: fold(str(line.name)))
    slots = writer.settings.guild_bank_slots
    await copy(writer, "guilds", GUILD_COLUMNS, [_row(line, at, slots) for line in ordered])
    await set_members(writer, [membership for line in lines for membership in members_of(line, at)])
    bank = [
        (line.id, slot.slot, slot.item_id, slot.quantity, slot.stat_buffs)
        for line in lines
        for slot in line.bank or ()
    ]
    await copy(writer, "guild_slots", SLOT_COLUMNS, bank)
    await set_variables(writer, lines)
    guilds = [line.id for line in lines]
    then = await writer.value("SELECT statement_timestamp()")
    await writer.run(POSTINGS, guilds, action_id, then)
    await writer.run(HEADS, guilds, then)
    await memberships.relate(writer, guilds, [action_id] * len(guilds))
    await keep_positions(writer, lines)


def _row(line: GuildLine, at: datetime, slots: int) -> tuple[object, ...]:
    """The row of a guild, as `GUILD_COLUMNS` says."""
    return (
        line.id,
        line.name,
        fold(str(line.name)),
        line.founded_at or at,
        bank_size(line, slots),
        line.instance_id or ids.new_id(),
    )


def bank_size(line: GuildLine, default: int) -> int:
    """As the line says; without that the default, or more if the bank is fuller."""
    if line.bank_slots is not UNSET:
        return line.bank_slots
    return max([default, *(slot.slot + 1 for slot in line.bank or ())])


def members_of(line: GuildLine, at: datetime) -> list[Membership]:
    return [
        Membership(
            player_id=member.player_id,
            guild_id=line.id,
            rank=member.rank,
            joined_at=member.joined_at or at,
        )
        for member in line.members or ()
    ]


async def set_members(writer: Writer, members: Sequence[Membership]) -> None:
    """Make locked characters members, wherever they were before."""
    if members:
        await writer.run(
            "DELETE FROM guild_members WHERE player_id = ANY($1)",
            [member.player_id for member in members],
        )
        await insert_members(writer, members)


async def set_variables(writer: Writer, lines: Sequence[GuildLine]) -> None:
    """Replace the variables of the guilds whose lines have some."""
    given = [line for line in lines if line.variables is not UNSET]
    await writer.run(
        "DELETE FROM guild_variables WHERE guild_id = ANY($1)", [line.id for line in given]
    )
    wanted = {
        (line.id, variable): value
        for line in given
        for variable, value in (line.variables or {}).items()
    }
    await GUILD_VARIABLES.save(writer, wanted)


POSTINGS: LiteralString = """
    INSERT INTO postings (player_id, seq, at, action_id, place, slot, item_id, quantity, against,
                          held_before, held_after, stat_buffs)
    SELECT guild_id, row_number() OVER (PARTITION BY guild_id ORDER BY slot), $3, $2, 'guild',
           slot, item_id, quantity, 'import', 0, quantity, stat_buffs
      FROM guild_slots
     WHERE guild_id = ANY($1)
"""

HEADS: LiteralString = """
    INSERT INTO ledger_heads (player_id, seq, at)
    SELECT guild_id, count(*), $2 FROM guild_slots WHERE guild_id = ANY($1) GROUP BY guild_id
"""
