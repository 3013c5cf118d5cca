"""Deposits into the banks of guilds, and withdrawals: the two sides of each in the ledger."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from gamekeeper.db.database import Queryable
from gamekeeper.ledger.audit_log import CLOCK_SKEW
from gamekeeper.ledger.places import IS_GUILD_TRANSFER, OF_GUILDS, OF_PLAYERS


class GuildMove(Struct, frozen=True):
    """The two sides of one deposit or withdrawal."""

    guild_id: UUID
    player_id: UUID

    def other_side(self, owner: UUID) -> UUID:
        return self.player_id if owner == self.guild_id else self.guild_id


async def find_guild_moves(
    reader: Queryable, xids: Sequence[str], since: datetime, until: datetime
) -> dict[UUID, GuildMove]:
    """By action: those of the database transactions `xids`, which ended between the instants."""
    if not xids:
        return {}
    rows = await reader.rows(
        f"""
        SELECT action_id,
               (array_agg(player_id) FILTER (WHERE {OF_GUILDS}))[1] AS guild_id,
               (array_agg(player_id) FILTER (WHERE {OF_PLAYERS}))[1] AS player_id
          FROM postings
         WHERE xid = ANY($1::text[]::xid8[]) AND {IS_GUILD_TRANSFER} AND at BETWEEN $2 AND $3
         GROUP BY action_id
        """,
        sorted(set(xids)),
        since - CLOCK_SKEW,
        until + CLOCK_SKEW,
    )
    # Where old months were dropped, one side of the oldest ones is missing.
    return {
        row["action_id"]: GuildMove(row["guild_id"], row["player_id"])
        for row in rows
        if row["guild_id"] and row["player_id"]
    }
