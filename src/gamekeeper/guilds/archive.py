"""
The archive of disbanded guilds: with everything they had, so that an undo can restore them.

A disbanded guild leaves every table except those of history. Postings remove the items of its
bank and postings return them: each disbanding is a loss identified by its action, and the items
return out of exactly that loss.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

import msgspec
from msgspec import Struct

from gamekeeper.core.parsing import Scalar
from gamekeeper.db.database import Queryable, Writer
from gamekeeper.guilds.records import Guild
from gamekeeper.players.inventory import Slots, Stack
from gamekeeper.players.memberships import Membership


class ArchivedMember(Struct, frozen=True):
    player_id: UUID
    rank: int
    joined_at: datetime


class ArchivedSlot(Struct, frozen=True):
    slot: int
    item_id: UUID
    quantity: int
    stat_buffs: tuple[int, ...]

    @property
    def stack(self) -> Stack:
        return Stack(item_id=self.item_id, quantity=self.quantity, stat_buffs=self.stat_buffs)


class ArchivedVariable(Struct, frozen=True):
    variable_id: UUID
    value: Any
    """Read it by `variables.stored`: a number can be read as an integer of 301 digits."""


class KeptGuild(Struct, frozen=True, kw_only=True):
    """What the archive stores of a guild as JSON; catalog/importer.py reads it too."""

    founded_at: datetime
    bank_slots: int
    instance_id: UUID
    members: list[ArchivedMember]
    """By rank: the owner first."""
    slots: list[ArchivedSlot]
    variables: list[ArchivedVariable]


class ArchivedGuild(Struct, frozen=True, kw_only=True):
    guild_id: UUID
    name: str
    action_id: UUID
    """The action that disbanded it, which is the loss of its items."""
    kept: KeptGuild

    @classmethod
    def of(
        cls,
        guild: Guild,
        action: UUID,
        members: Sequence[Membership],
        bank: Slots,
        variables: Mapping[UUID, Scalar],
    ) -> "ArchivedGuild":
        by_rank = sorted(members, key=lambda one: (one.rank, one.joined_at, one.player_id))
        kept = KeptGuild(
            founded_at=guild.founding_date,
            bank_slots=guild.bank_slots_count,
            instance_id=guild.guild_instance_id,
            members=[
                ArchivedMember(member.player_id, member.rank, member.joined_at)
                for member in by_rank
            ],
            slots=[
                ArchivedSlot(slot, stack.item_id, stack.quantity, stack.stat_buffs)
                for slot, stack in sorted(bank.items())
            ],
            variables=[ArchivedVariable(*variable) for variable in variables.items()],
        )
        return cls(guild_id=guild.id, name=guild.name, action_id=action, kept=kept)

    def guild(self) -> Guild:
        return Guild(
            id=self.guild_id,
            name=self.name,
            founding_date=self.kept.founded_at,
            bank_slots_count=self.kept.bank_slots,
            guild_instance_id=self.kept.instance_id,
        )


async def find(
    reader: Queryable, guilds: Sequence[UUID], *, lock: bool = False
) -> dict[UUID, ArchivedGuild]:
    """The disbanded guilds among `guilds`; with `lock`, until the transaction ends."""
    rows = await reader.rows(FIND_AND_LOCK if lock else FIND, list(guilds))
    return {
        row["guild_id"]: ArchivedGuild(
            guild_id=row["guild_id"],
            name=row["name"],
            action_id=row["action_id"],
            kept=msgspec.convert(row["kept"], KeptGuild),
        )
        for row in rows
    }


FIND: LiteralString = """
    SELECT guild_id, name, action_id, kept FROM deleted_guilds
     WHERE guild_id = ANY($1)
     ORDER BY guild_id
"""
FIND_AND_LOCK: LiteralString = FIND + " FOR UPDATE"


async def add(writer: Writer, archived: Sequence[ArchivedGuild]) -> None:
    """Archive locked guilds; the caller removes them, and their items by postings."""
    if archived:
        await writer.run(
            """
            INSERT INTO deleted_guilds (guild_id, name, action_id, kept)
            SELECT guild_id, name, action_id, kept::jsonb
              FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[])
                   AS new (guild_id, name, action_id, kept)
            """,
            [guild.guild_id for guild in archived],
            [guild.name for guild in archived],
            [guild.action_id for guild in archived],
            [msgspec.json.encode(guild.kept).decode() for guild in archived],
        )


async def remove(writer: Writer, guilds: Sequence[UUID]) -> None:
    """Remove guilds that were restored; their rows must be locked."""
    if guilds:
        await writer.run("DELETE FROM deleted_guilds WHERE guild_id = ANY($1)", list(guilds))
