"""Moments at which a character's state changed: the marks on a time slider."""

from datetime import datetime
from uuid import UUID

from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Reader
from gamekeeper.ledger.audit_log import CLOCK_SKEW, MAX_ID, earliest
from gamekeeper.ledger.kinds.registry import ACTION_KINDS
from gamekeeper.players.lookup import find_player_id

MAX_MOMENTS = 500

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
    found = await reader.all(
        Moment,
        """
        SELECT at, kind, id AS action_id
          FROM actions
         WHERE player_id = $1 AND id >= $2 AND id < $3
           AND at >= coalesce($4, '-infinity'::timestamptz)
           AND at <= coalesce($5, 'infinity'::timestamptz)
           AND kind = ANY($6)
         ORDER BY id DESC
         LIMIT $7
        """,
        await find_player_id(reader, key),
        earliest(since, UUID(int=0), -CLOCK_SKEW),
        earliest(until, MAX_ID, CLOCK_SKEW),
        since,
        until,
        CHANGES_STATE,
        MAX_MOMENTS + 1,
    )
    shown = sorted(found[:MAX_MOMENTS], key=lambda one: (one.at, one.action_id))
    return Moments(values=shown, is_complete=len(found) <= MAX_MOMENTS)
