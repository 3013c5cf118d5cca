"""
The state of the game that is never cached: a row of numbers and times, by one statement.

Each column is found at the end of an index, whatever history there is. An action's id begins with
its time, so a range of ids finds the newest action of a span without a walk along `at`, which no
index has.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.approvals.records import PENDING
from gamekeeper.core.ids import NIL, id_at
from gamekeeper.db.database import Reader
from gamekeeper.db.queries import single_flight
from gamekeeper.ledger.findings.records import OPEN
from gamekeeper.ledger.verifications import LAST, ChainState
from gamekeeper.moderation.appeal_queue import OPEN_COUNT
from gamekeeper.players.roster import ONLINE_COUNT

LATE = timedelta(minutes=1)
"""Actions and postings are linked, counted and added up within seconds."""
DAY = timedelta(days=1)


class GameState(Struct, frozen=True, kw_only=True):
    """What all processes and workers have left in the tables by now."""

    at: datetime
    online: int
    sampled_at: datetime | None
    """When a worker last counted who is online."""
    unlinked_at: datetime | None
    """The time of the newest action that should be in the hash chain by now and is not."""
    uncounted_at: datetime | None
    """The time of the first link that is not in the counts yet."""
    unadded_at: datetime | None
    """The time of the first posting that is not in the flows of items yet."""
    first_link_at: datetime | None
    pending_approvals: int
    open_appeals: int
    claims: dict[str, int] | None
    """How many open cases each member of staff has claimed; None if there are none."""
    findings: list[dict[str, Any]] | None
    """The newest open findings; None if there are none."""
    verified_at: datetime | None
    verified_through: UUID | None
    verified_through_at: datetime | None
    breaches: int | None

    @property
    def is_counted(self) -> bool:
        """Whether the counts of actions are complete, up to the last minute."""
        return self.unlinked_at is None and not self._is_late(self.uncounted_at)

    @property
    def is_added_up(self) -> bool:
        """Whether the flows of items are complete, up to the last minute."""
        return not self._is_late(self.unadded_at)

    @property
    def chain(self) -> ChainState:
        return ChainState(
            verified_at=self.verified_at,
            verified_through=self.verified_through,
            verified_through_at=self.verified_through_at,
            breaches=self.breaches,
        )

    def _is_late(self, first: datetime | None) -> bool:
        return first is not None and first < self.at - LATE


@single_flight
async def read_state(reader: Reader) -> GameState:
    """The state as of now."""
    # By the clock that makes ids, which is ours and not PostgreSQL's.
    now = datetime.now(UTC)
    [row] = await reader.rows(STATE, id_at(NIL, now - DAY), id_at(NIL, now - LATE), now)
    return GameState(**row)


# `at` only chooses the partitions; it may differ from the time in the id by what two clocks differ.
CLAIMS: LiteralString = """
    SELECT claimed_by, count(*) AS number
      FROM (SELECT claimed_by FROM cases
             WHERE closed_at IS NULL AND claimed_by IS NOT NULL LIMIT 1000) AS claimed
     GROUP BY claimed_by
"""

STATE: LiteralString = f"""
    SELECT now() AS at,
           ({ONLINE_COUNT}) AS online,
           (SELECT max(at) FROM online_counts WHERE span = 'minute') AS sampled_at,
           (SELECT at FROM (SELECT id, at FROM actions
                             WHERE id >= $1 AND id < $2
                               AND at BETWEEN $3::timestamptz - interval '25 hours'
                                          AND $3::timestamptz + interval '1 hour'
                             ORDER BY id DESC LIMIT 1) AS newest
             WHERE NOT EXISTS (SELECT FROM chain WHERE action_id = newest.id)) AS unlinked_at,
           (SELECT action_at FROM chain
             WHERE seq > (SELECT seq FROM action_counts_progress)
             ORDER BY seq LIMIT 1) AS uncounted_at,
           (SELECT at FROM postings
             WHERE xid >= (SELECT xid FROM economy_horizon)
               AND xid < pg_snapshot_xmax(pg_current_snapshot())
             ORDER BY xid LIMIT 1) AS unadded_at,
           (SELECT action_at FROM chain ORDER BY seq LIMIT 1) AS first_link_at,
           ({PENDING}) AS pending_approvals,
           ({OPEN_COUNT}) AS open_appeals,
           (SELECT jsonb_object_agg(claimed_by, number) FROM ({CLAIMS}) AS claimed) AS claims,
           (SELECT jsonb_agg(to_jsonb(newest) ORDER BY id DESC) FROM ({OPEN}) AS newest)
               AS findings,
           verified_at, verified_through, verified_through_at, breaches
      FROM (SELECT) AS once
      LEFT JOIN ({LAST}) AS verification ON true
"""
