"""What people read about guilds beside Intersect's record: owner, members, value of the bank."""

from collections.abc import Sequence
from typing import LiteralString

from msgspec.structs import replace

from gamekeeper.core.schemas import Page
from gamekeeper.db.database import Reader
from gamekeeper.guilds.records import Guild, GuildCount
from gamekeeper.players.lookup import Party
from gamekeeper.players.memberships import OWNER

# By guild: the cost grows with the guilds of a page and what their banks hold, never with the
# number of guilds. So there is no order by value.
DETAILS: LiteralString = """
    SELECT wanted.id, owner.player_id, owner.name,
           (SELECT count(*) FROM guild_members WHERE guild_id = wanted.id) AS members,
           bank.value, bank.slots
      FROM unnest($1::uuid[]) AS wanted (id)
      LEFT JOIN LATERAL (
          SELECT guild_members.player_id, players.name
            FROM guild_members JOIN players ON players.id = guild_members.player_id
           WHERE guild_members.guild_id = wanted.id AND guild_members.rank = $2
      ) AS owner ON true
     CROSS JOIN LATERAL (
          SELECT coalesce(sum(quantity * items.value), 0)::bigint AS value, count(*) AS slots
            FROM guild_slots JOIN items ON items.id = guild_slots.item_id
           WHERE guild_slots.guild_id = wanted.id
      ) AS bank
"""


async def with_details(reader: Reader, guilds: Sequence[Guild]) -> list[Guild]:
    """The guilds with their owners, numbers of members and values of banks, by one statement."""
    rows = await reader.rows(DETAILS, [guild.id for guild in guilds], OWNER) if guilds else []
    found = {row["id"]: row for row in rows}
    return [
        replace(
            guild,
            owner=Party(player_id=row["player_id"], name=row["name"]) if row["player_id"] else None,
            members=row["members"],
            bank_value=row["value"],
            bank_slots_used=row["slots"],
        )
        for guild in guilds
        for row in [found[guild.id]]
    ]


async def in_page(reader: Reader, page: Page[GuildCount]) -> Page[GuildCount]:
    """A page of guilds with the same."""
    detailed = await with_details(reader, [entry.key for entry in page.values])
    values = [replace(entry, key=guild) for entry, guild in zip(page.values, detailed, strict=True)]
    return replace(page, values=values)
