"""Lookup of guilds by id, and how Intersect says that there is none."""

from uuid import UUID

from gamekeeper.core.errors import Invalid, NotFound
from gamekeeper.db.database import Queryable
from gamekeeper.guilds.records import COLUMNS, Guild


class GuildNotFound(NotFound):
    """No guild has that id."""


class UnknownGuild(Invalid):
    """Guild does not exist."""

    # Intersect answers some routes with 400 and others with 404; the code is one.
    code = "guild_not_found"


def missing(guild: UUID) -> GuildNotFound:
    return GuildNotFound(f"No guild with id '{guild}'.")


async def find_guilds(reader: Queryable, ids: list[UUID]) -> dict[UUID, Guild]:
    found = await reader.all(Guild, f"SELECT {COLUMNS} FROM guilds WHERE id = ANY($1)", ids)
    return {guild.id: guild for guild in found}


async def find_guild(reader: Queryable, guild: UUID) -> Guild | None:
    return (await find_guilds(reader, [guild])).get(guild)
