"""
Sanctions in force: who is banned, muted or may not trade, and until when.

PostgreSQL's clock decides, whenever it is asked: a sanction begins and ends without a job.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, LiteralString
from uuid import UUID

from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Queryable

NOT_OVER: LiteralString = "lifted_at IS NULL AND ends_at > statement_timestamp()"
"""Of a row of `sanctions`: in force, or yet to begin."""

# Not now(), which is when the transaction began: it may have waited for the lock of a ban since.
IN_FORCE: LiteralString = f"{NOT_OVER} AND starts_at <= statement_timestamp()"

BANNED: LiteralString = f"""
    EXISTS (SELECT FROM sanctions
             WHERE sanctions.user_id = users.id AND sanctions.player_id IS NULL
               AND sanctions.kind = 'ban' AND {IN_FORCE})
"""
"""The condition that an account of `users` is banned."""

STANDING: LiteralString = f"""
    {BANNED} AS is_banned,
    EXISTS (SELECT FROM sanctions
             WHERE sanctions.user_id = users.id AND sanctions.player_id IS NULL
               AND sanctions.kind = 'mute' AND {IN_FORCE}) AS is_muted,
    (SELECT nullif(message, '') FROM sanctions
      WHERE sanctions.user_id = users.id AND sanctions.player_id IS NULL
        AND sanctions.kind = 'mute' AND {IN_FORCE}
      ORDER BY ends_at DESC, id LIMIT 1) AS mute_reason
"""
"""Columns that say whether an account of `users` is banned or muted, and what it reads of that."""


async def banned_accounts(reader: Queryable, users: Sequence[UUID]) -> set[UUID]:
    """Those of the accounts that are banned now."""
    rows = await reader.rows(
        f"""
        SELECT user_id FROM sanctions
         WHERE user_id = ANY($1) AND player_id IS NULL AND kind = 'ban' AND {IN_FORCE}
        """,
        list(users),
    )
    return {row["user_id"] for row in rows}


class Restriction(Record, frozen=True, kw_only=True):
    """A sanction in force that keeps a character from something, as its player reads it."""

    kind: Literal["ban", "mute", "trade_lock"]
    """`mute` or `trade_lock`."""
    code: str
    message: str
    until: Instant | None
    """Null: permanent."""


Restrictions = Mapping[UUID, Sequence[Restriction]]


async def restrictions(reader: Queryable, players: Sequence[UUID]) -> Restrictions:
    """What keeps characters from something, on themselves or their accounts, longest first."""
    rows = await reader.rows(
        f"""
        SELECT players.id AS player_id, sanctions.kind, code, message,
               nullif(ends_at, 'infinity') AS until
          FROM players JOIN sanctions ON sanctions.user_id = players.user_id
         WHERE players.id = ANY($1)
           AND (sanctions.player_id IS NULL OR sanctions.player_id = players.id)
           AND sanctions.kind IN ('ban', 'mute', 'trade_lock') AND {IN_FORCE}
         ORDER BY ends_at DESC, sanctions.id
        """,
        list(players),
    )
    found: dict[UUID, list[Restriction]] = {}
    for row in rows:
        about = {name: value for name, value in row.items() if name != "player_id"}
        found.setdefault(row["player_id"], []).append(Restriction(**about))
    return found
