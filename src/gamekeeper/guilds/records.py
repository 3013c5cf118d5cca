"""Guild records: the read model of guilds and their members, and its SQL columns."""

from typing import Any, LiteralString
from uuid import UUID

from msgspec import field

from gamekeeper.core.schemas import Instant, Record
from gamekeeper.players.records import Player


class Guild(Record, frozen=True):
    id: UUID
    name: str
    founding_date: Instant
    bank_slots_count: int
    guild_instance_id: UUID
    updated_variables: dict[str, Any] = field(default_factory=dict)
    """Always empty: what a game server of the ancestor has not saved yet. Clients look for it."""


class GuildCount(Record, frozen=True):
    """A guild, and how many members it has: a pair of the ancestor's lists."""

    key: Guild
    value: int


class GuildMember(Player, frozen=True):
    guild_id: UUID
    guild_rank: int
    guild_join_date: Instant


COLUMNS: LiteralString = """
    guilds.id, guilds.name, guilds.founded_at AS founding_date,
    guilds.bank_slots AS bank_slots_count, guilds.instance_id AS guild_instance_id
"""
