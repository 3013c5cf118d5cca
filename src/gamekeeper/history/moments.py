"""Moments at which a character's state changed: the marks on a time slider."""

from datetime import datetime
from typing import LiteralString
from uuid import UUID

from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Reader
from gamekeeper.ledger.audit_log import CLOCK_SKEW, MAX_ID, earliest
from gamekeeper.ledger.kinds.registry import ACTION_KINDS
from gamekeeper.players.lookup import find_player_id

MAX_MOMENTS = 500
"""The query has one more as its limit, to know whether there are more."""

CHANGES_STATE = [kind.name for kind in ACTION_KINDS.values() if kind.moment]
"""Kinds of action that change what a character has or is; a sanction or a command does not."""


class Moment(Record, frozen=True):
    at: Instant
    kind: str
    """The kind of action: `items.give`, `users.email`, `undo` and so on."""
    action_id: UUID


class Moments(Record, frozen=True):
    """The newest 500 of the time asked for, oldest first."""

    values: list[Moment]
    """The newest 500 of the time asked for, oldest first."""
    is_complete: bool
    """Whether these are all; otherwise narrow the time."""


async def list_moments(
    reader: Reader, key: str, since: datetime | None, until: datetime | None
) -> Moments:
    """When a player's state changed, between two instants; one walk along an index."""
    found = await reader.lookups.all(
        Moment,
        MOMENTS,
        await find_player_id(reader, key),
        earliest(since, UUID(int=0), -CLOCK_SKEW),
        earliest(until, MAX_ID, CLOCK_SKEW),
        since,
        until,
        CHANGES_STATE,
    )
    shown = sorted(found[:MAX_MOMENTS], key=lambda one: (one.at, one.action_id))
    return Moments(values=shown, is_complete=len(found) <= MAX_MOMENTS)


# A generic plan must walk the index on player and id and stop at the limit, however few rows it
# expects. So rows are compared, which fits this index only, and the rest is one CASE, which the
# planner takes for half of the rows. By plain conditions it expects two rows, and reads all actions
# of all players in that time.
MOMENTS: LiteralString = """
    SELECT at, kind, id AS action_id
      FROM actions
     WHERE player_id IS NOT NULL
       AND (player_id, id) >= ($1, $2) AND (player_id, id) < ($1, $3)
       AND CASE WHEN at < $4 OR at > $5 THEN false ELSE kind = ANY($6) END
     ORDER BY player_id DESC, id DESC
     LIMIT 501
"""
