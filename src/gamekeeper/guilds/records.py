"""Guild records: the read model of guilds and their members, and its SQL columns."""

from typing import Any, LiteralString
from uuid import UUID

from msgspec import UNSET, UnsetType, field

from gamekeeper.core.schemas import Instant, Record
from gamekeeper.players.lookup import Party
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
    owner: Party | UnsetType | None = UNSET
    """With `details`: the owner; null if the guild has none."""
    members: int | UnsetType = UNSET
    """With `details`: the number of members."""
    bank_value: int | UnsetType = UNSET
    """
    With `details`: the value of the items in the bank, in the game's own unit. Items without a
    value in the catalog count as 0.
    """
    bank_slots_used: int | UnsetType = UNSET
    """With `details`: the number of bank slots that are not empty."""


class GuildCount(Record, frozen=True):
    """A guild, and how many members it has."""

    key: Guild
    """The guild."""
    value: int
    """The number of members."""


class GuildMember(Player, frozen=True, kw_only=True):
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
