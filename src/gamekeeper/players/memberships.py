"""
Memberships of characters in guilds.

Whoever changes a membership holds the row of the guild. Guilds are locked after characters,
each in id order, so that no two transactions wait for each other.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.errors import Conflict
from gamekeeper.db.database import Queryable, Writer

OWNER = 0
"""The rank of the owner."""


class OwnsGuild(Conflict):
    """The character owns a guild; transfer the ownership, or disband the guild first."""

    cacheable = False


class Membership(Struct, frozen=True, kw_only=True):
    player_id: UUID
    guild_id: UUID
    rank: int
    joined_at: datetime

    @property
    def is_owner(self) -> bool:
        return self.rank == OWNER


LOCK: LiteralString = "SELECT id FROM guilds WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE"


async def of_players(reader: Queryable, players: Sequence[UUID]) -> dict[UUID, Membership]:
    found = await reader.all(
        Membership,
        """
        SELECT player_id, guild_id, rank, joined_at FROM guild_members WHERE player_id = ANY($1)
        """,
        list(players),
    )
    return {membership.player_id: membership for membership in found}


async def of_guilds(reader: Queryable, guilds: Sequence[UUID]) -> dict[UUID, list[Membership]]:
    """All members of guilds."""
    found = await reader.all(
        Membership,
        "SELECT player_id, guild_id, rank, joined_at FROM guild_members WHERE guild_id = ANY($1)",
        list(guilds),
    )
    members: dict[UUID, list[Membership]] = {}
    for membership in found:
        members.setdefault(membership.guild_id, []).append(membership)
    return members


async def owners(writer: Writer, players: Sequence[UUID], *, lock: bool = True) -> set[UUID]:
    """
    Those of the locked characters that own a guild.

    With `lock` their guilds are locked first: nobody can become an owner afterwards.
    """
    found = await of_players(writer, players)
    if found and lock:
        await writer.rows(LOCK, list({membership.guild_id for membership in found.values()}))
        found = await of_players(writer, players)
    return {player for player, membership in found.items() if membership.is_owner}


async def relate(writer: Writer, guilds: Sequence[UUID], actions: Sequence[UUID]) -> None:
    """Note which guild each action is about."""
    if guilds:
        await writer.run(
            """
            INSERT INTO guild_actions (guild_id, action_id)
            SELECT * FROM unnest($1::uuid[], $2::uuid[])
            """,
            list(guilds),
            list(actions),
        )


# ── Deleted characters (archive.py) ──


async def end(writer: Writer, players: Sequence[UUID], actions: Sequence[UUID]) -> None:
    """End the memberships of characters that are deleted by these actions."""
    left = dict(zip(players, actions, strict=True))
    rows = await writer.rows(
        "DELETE FROM guild_members WHERE player_id = ANY($1) RETURNING player_id, guild_id",
        list(players),
    )
    await relate(
        writer, [row["guild_id"] for row in rows], [left[row["player_id"]] for row in rows]
    )


async def renew(writer: Writer, players: Sequence[UUID]) -> None:
    """Make restored characters members again, if their guild still exists."""
    await writer.run(RENEW, list(players))


# The guild is locked: it may be about to be disbanded.
RENEW: LiteralString = """
    INSERT INTO guild_members (player_id, guild_id, rank, joined_at)
    SELECT old.player_id, old.guild_id, old.rank, old.joined_at
      FROM deleted_players
     CROSS JOIN LATERAL jsonb_populate_record(
               NULL::guild_members, nullif(kept -> 'guild', 'null')) AS old
      JOIN guilds ON guilds.id = old.guild_id
     WHERE deleted_players.player_id = ANY($1)
       FOR KEY SHARE OF guilds
"""
