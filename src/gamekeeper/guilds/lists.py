"""Lists: all guilds, the members of one, and the slots of its bank; paginated."""

from typing import Any, LiteralString
from uuid import UUID

from gamekeeper.core.schemas import Page, SortDirection, Window
from gamekeeper.core.search import Search
from gamekeeper.db.database import Reader
from gamekeeper.db.queries import single_flight
from gamekeeper.guilds import lookup
from gamekeeper.guilds.records import COLUMNS, Guild, GuildCount, GuildMember
from gamekeeper.players import records
from gamekeeper.players.items import padded
from gamekeeper.players.records import Slot

# What Intersect's `sortBy` may name; anything else is the name.
GUILD_ORDERS: dict[str, tuple[LiteralString, LiteralString]] = {
    "name": ("guilds.name_key, guilds.id", "guilds.name_key DESC, guilds.id DESC"),
    "foundingdate": ("guilds.founded_at, guilds.id", "guilds.founded_at DESC, guilds.id DESC"),
    "members": ("members, guilds.name_key", "members DESC, guilds.name_key"),
}
MEMBER_ORDERS: dict[str, tuple[LiteralString, LiteralString]] = {
    "name": ("players.name_key, players.id", "players.name_key DESC, players.id DESC"),
    "level": (
        "players.level, players.exp, players.id",
        "players.level DESC, players.exp DESC, players.id DESC",
    ),
    "guildrank": (
        "guild_members.rank, players.name_key, players.id",
        "guild_members.rank DESC, players.name_key, players.id",
    ),
}


def _order(
    orders: dict[str, tuple[LiteralString, LiteralString]], asked: str, direction: SortDirection
) -> LiteralString:
    up, down = orders.get(asked.lower(), orders["name"])
    return down if direction is SortDirection.DESCENDING else up


@single_flight
async def list_guilds(
    reader: Reader, window: Window, search: Search | None, sort_by: str, direction: SortDirection
) -> Page[GuildCount]:
    """Guilds with the numbers of their members, by name unless `sort_by` says otherwise."""
    part = search.part if search else "%"
    total = await reader.value("SELECT count(*) FROM guilds WHERE name_key LIKE $1", part)
    rows = await reader.rows(
        f"""
        SELECT {COLUMNS},
               (SELECT count(*) FROM guild_members
                 WHERE guild_members.guild_id = guilds.id) AS members
          FROM guilds
         WHERE name_key LIKE $3
         ORDER BY {_order(GUILD_ORDERS, sort_by, direction)}
         LIMIT $1 OFFSET $2
        """,
        window.shown,
        window.offset,
        part,
    )
    found = [GuildCount(key=_guild(row), value=row["members"]) for row in rows]
    return Page.of(found, total, window)


def _guild(row: Any) -> Guild:
    return Guild(**{name: value for name, value in row.items() if name != "members"})


async def list_members(
    reader: Reader,
    guild: UUID,
    window: Window,
    search: Search | None,
    sort_by: str,
    direction: SortDirection,
) -> Page[GuildMember]:
    """The members of a guild, by name unless `sort_by` says otherwise."""
    if await lookup.find_guild(reader, guild) is None:
        raise lookup.missing(guild)
    part = search.part if search else "%"
    total = await reader.value(
        """
        SELECT count(*) FROM guild_members JOIN players ON players.id = player_id
         WHERE guild_id = $1 AND name_key LIKE $2
        """,
        guild,
        part,
    )
    found = await reader.all(
        GuildMember,
        f"""
        SELECT {records.COLUMNS}, guild_members.guild_id, guild_members.rank AS guild_rank,
               guild_members.joined_at AS guild_join_date
          FROM guild_members JOIN players ON players.id = guild_members.player_id {records.JOINS}
         WHERE guild_members.guild_id = $3 AND players.name_key LIKE $4
         ORDER BY {_order(MEMBER_ORDERS, sort_by, direction)}
         LIMIT $1 OFFSET $2
        """,
        window.shown,
        window.offset,
        guild,
        part,
    )
    return Page.of(found, total, window)


async def list_bank(reader: Reader, guild: UUID) -> list[Slot]:
    """Every slot of a guild's bank, the empty ones too."""
    found = await lookup.find_guild(reader, guild)
    if found is None:
        raise lookup.missing(guild)
    rows = await reader.rows(
        """
        SELECT slot, NULL::uuid, item_id, quantity, stat_buffs
          FROM guild_slots
         WHERE guild_id = $1
        """,
        guild,
    )
    return padded([Slot(*row) for row in rows], found.bank_slots_count)
