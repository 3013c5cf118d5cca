"""Verification of actions without a link in the hash chain: too new, forged, or overdue."""

from typing import LiteralString

import asyncpg

from gamekeeper.ledger.chain import LOCK
from gamekeeper.ledger.reports import MOST_NAMED, ChainBreach, ChainReport, Unlinked

FORGED = {
    "passed": "Action {} was inserted by another program: it is not linked.",
    "future": "Action {} names a transaction that has not begun yet: it is forged.",
}


async def check(connection: asyncpg.Connection, report: ChainReport) -> None:
    """Report the actions that will never be linked (forged), and count those that wait."""
    [counted] = await connection.fetch(UNLINKED, MOST_NAMED, LOCK)
    report.waiting = counted["waiting"]
    report.unlinked = Unlinked(
        count=counted["waiting"],
        oldest_seconds=float(counted["oldest"] or 0),
        sequencer=counted["sequencer"],
    )
    for why, message in FORGED.items():
        named = counted[f"first_{why}"] or []
        report.add(
            [
                ChainBreach(kind="inserted", action_id=action, message=message.format(action))
                for action in named
            ]
        )
        report.total += counted[why] - len(named)


# Passed: the sequencer's snapshot already contains that transaction. Future: no transaction
# has that id yet, so none can have written the action. Both are known only on the server
# whose transaction ids the sequencer saved: on another server all of them wait. The age is
# that of the time furthest from now, which may be a forged one.
UNLINKED: LiteralString = """
    WITH unlinked AS MATERIALIZED (
        SELECT actions.id, actions.at,
               CASE WHEN server <> system_identifier THEN 'waiting'
                    WHEN pg_visible_in_snapshot(actions.xid, seen) THEN 'passed'
                    WHEN actions.xid >= pg_snapshot_xmax(pg_current_snapshot()) THEN 'future'
                    ELSE 'waiting' END AS state
          FROM actions CROSS JOIN chain_progress CROSS JOIN pg_control_system()
         WHERE NOT EXISTS (SELECT FROM chain WHERE action_id = actions.id)
    )
    SELECT count(*) FILTER (WHERE state = 'passed') AS passed,
           count(*) FILTER (WHERE state = 'future') AS future,
           count(*) FILTER (WHERE state = 'waiting') AS waiting,
           (array_agg(id ORDER BY id) FILTER (WHERE state = 'passed'))[:$1] AS first_passed,
           (array_agg(id ORDER BY id) FILTER (WHERE state = 'future'))[:$1] AS first_future,
           max(abs(extract(epoch FROM clock_timestamp() - at)))
               FILTER (WHERE state = 'waiting') AS oldest,
           EXISTS (SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
                    WHERE locktype = 'advisory' AND granted AND datname = current_database()
                      AND classid = 0 AND objid = $2::bigint::oid AND objsubid = 1) AS sequencer
      FROM unlinked
"""
