"""Requesters of approvals: whether two actors are one person."""

from datetime import UTC, datetime, timedelta
from typing import LiteralString
from uuid import UUID

from gamekeeper.auth.current_rights import actor_parts
from gamekeeper.core import ids
from gamekeeper.db.database import Queryable

LONGEST_CHAIN = 10
"""Keys that made keys that made keys: more than anybody has."""

TAKEOVER_DAYS = 30
"""For this long an account counts as the person who set its password, too."""


async def is_same_person(reader: Queryable, one: str, other: str) -> bool:
    """Whether two actors are one, or one made the other's key, or somebody made both's."""
    return bool(await _makers(reader, one) & await _makers(reader, other))


async def has_taken_over(reader: Queryable, one: str, other: str) -> bool:
    """
    Whether one of two actors could have signed in as the other, within the last 30 days.

    So it is if one set the other's password or email, or removed its second factors: by itself,
    by a key, or by an account that it could sign in as. Two accounts that a third one helped
    are still two people.
    """
    first, second = await _makers(reader, one), await _makers(reader, other)
    return bool(
        await _intruders(reader, first) & second or await _intruders(reader, second) & first
    )


async def _intruders(reader: Queryable, actors: set[str]) -> set[str]:
    """All who could have signed in as one of these, and as each other in turn."""
    found: set[str] = set()
    new = actors
    for _ in range(LONGEST_CHAIN):
        users = [id_ for kind, id_ in map(actor_parts, new) if kind == "user" and id_]
        if not users:
            break
        rows = await reader.rows(TAKEOVERS, users, _oldest_id(), TAKEOVER_DAYS)
        managers = [await _makers(reader, row["actor"]) for row in rows]
        new = set[str]().union(*managers) - found
        found |= new
    return found


# By the log, which is never shortened and cannot be changed unnoticed. An undo of an email is
# always a manager's. Few rows are read: the index has the account, and then the id, which has
# the time in it.
TAKEOVERS: LiteralString = """
    SELECT DISTINCT actor
      FROM actions
     WHERE user_id = ANY($1) AND id >= $2
       AND at > statement_timestamp() - make_interval(days => $3)
       AND actor <> 'user:' || user_id::text
       AND (kind = 'factors.reset'
            OR kind IN ('users.password', 'users.email') AND after ? 'managed'
            OR kind = 'undo' AND after ? 'email')
"""


def _oldest_id() -> UUID:
    """The first id of the day before the interval: the clocks of machines differ."""
    return ids.id_at(UUID(int=0), datetime.now(UTC) - timedelta(days=TAKEOVER_DAYS + 1))


async def _makers(reader: Queryable, actor: str) -> set[str]:
    """The actor and, if it is a key, who made it, and so on; the command line is nobody."""
    found: set[str] = set()
    for _ in range(LONGEST_CHAIN):
        kind, id_ = actor_parts(actor)
        if actor in found or kind not in ("key", "user"):
            break
        found.add(actor)
        if kind == "user" or id_ is None:
            break
        actor = await reader.value("SELECT created_by FROM api_keys WHERE id = $1", id_) or ""
    return found
