"""Guild records: the read model of guilds and their members, and its SQL columns."""

from typing import Any, LiteralString
from uuid import UUID

from msgspec import field

from gamekeeper.core.schemas import Instant, Record
from gamekeeper.players.records import Player


class Guild(Record, frozen=True):
    """A guild."""

    id: UUID
    name: str
    founding_date: Instant
    """RFC 3339."""
    bank_slots_count: int
    """The number of bank slots."""
    guild_instance_id: UUID
    """The id of its own copies of maps."""
    updated_variables: dict[str, Any] = field(default_factory=dict)
    """Always empty; existing clients expect it."""


class GuildCount(Record, frozen=True):
    """A guild, and how many members it has."""

    key: Guild
    """The guild."""
    value: int
    """The number of members."""


class GuildMember(Player, frozen=True):
    """A character, with its membership."""

    guild_id: UUID
    """The guild's id."""
    guild_rank: int
    """0 is the owner, 1 the highest rank below."""
    guild_join_date: Instant
    """RFC 3339."""


COLUMNS: LiteralString = """
    guilds.id, guilds.name, guilds.founded_at AS founding_date,
    guilds.bank_slots AS bank_slots_count, guilds.instance_id AS guild_instance_id
"""
