"""Play time of accounts: the sum over their characters, with the sessions that go on."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from gamekeeper.db.database import Queryable, Reader
from gamekeeper.db.queries import batched_query
from gamekeeper.players.records import SESSION_SECONDS
from gamekeeper.users.records import User, user


@batched_query
async def play_times(reader: Reader, users: Sequence[UUID]) -> dict[UUID, int]:
    """The seconds that each account has played; a deleted character no longer counts."""
    return await seconds_played(reader, users)


async def seconds_played(reader: Queryable, users: Sequence[UUID]) -> dict[UUID, int]:
    rows = await reader.rows(
        f"""
        SELECT players.user_id,
               sum(players.play_time_seconds + {SESSION_SECONDS})::bigint AS seconds
          FROM players
          LEFT JOIN (presences JOIN servers ON servers.id = presences.server_id)
                 ON presences.player_id = players.id
         WHERE players.user_id = ANY($1)
         GROUP BY players.user_id
        """,
        list(users),
    )
    return dict.fromkeys(users, 0) | {row["user_id"]: row["seconds"] for row in rows}


async def with_play_time(
    reader: Queryable, rows: Sequence[Any], *, sees_emails: bool
) -> list[User]:
    """The records of accounts, from their rows."""
    played = await seconds_played(reader, [row["id"] for row in rows]) if rows else {}
    return [user(row, sees_emails=sees_emails, play_time_seconds=played[row["id"]]) for row in rows]
