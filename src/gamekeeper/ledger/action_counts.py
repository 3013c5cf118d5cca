"""
Counts of actions by hour and kind, and of the items given, by a leader that follows the chain.

Every action is linked once, without gaps, so it is counted once: the counts and how far they
came are written in one transaction.
"""

import asyncio
from datetime import datetime
from typing import LiteralString

import asyncpg

from gamekeeper.core.schemas import Instant, Record
from gamekeeper.core.settings import Settings
from gamekeeper.core.tasks import pause
from gamekeeper.db import leader
from gamekeeper.db.database import Reader, Writer
from gamekeeper.db.leader import Duty
from gamekeeper.ledger.mailboxes import IS_GIFT_LETTER, SENT_ITEMS

PAUSE_SECONDS = 2
MOST_AT_ONCE = 10_000

DUTY = Duty(
    name="counts",
    lock=0x636E7473,  # "cnts"
    # With many monthly partitions, planning takes longer than execution.
    session={"plan_cache_mode": "force_generic_plan"},
)


class ActionCount(Record, frozen=True):
    """The number of actions of a kind in an hour."""

    hour: Instant
    """When the hour began."""
    kind: str
    count: int


async def follow(settings: Settings, stop: asyncio.Event) -> None:
    """Count new links every two seconds until `stop`; leader election picks one process."""
    await leader.lead(
        settings, DUTY, lambda connection: _count_until(connection, settings, stop), stop
    )


async def _count_until(
    connection: asyncpg.Connection, settings: Settings, stop: asyncio.Event
) -> None:
    writer = Writer(connection, settings)
    while not stop.is_set():
        async with connection.transaction():
            counted = await count_next(writer)
        if counted < MOST_AT_ONCE:
            await pause(stop, PAUSE_SECONDS)


async def count_next(writer: Writer, most: int = MOST_AT_ONCE) -> int:
    """Count the next links; returns how many they were."""
    # The lock makes it safe beside another leader.
    seq = await writer.value("SELECT seq FROM action_counts_progress FOR UPDATE")
    return await writer.value(COUNT, seq, most)


# LATERAL finds each action by its key in the partition that its link names. The actions of a
# month that was dropped are not counted.
COUNT: LiteralString = """
    WITH links AS MATERIALIZED (
        SELECT seq, action_id, action_at FROM chain WHERE seq > $1 ORDER BY seq LIMIT $2
    ), found AS MATERIALIZED (
        SELECT action_at, kind, actor, item_id, before, after
          FROM links
         CROSS JOIN LATERAL (SELECT kind, actor, item_id,
                                    CASE kind WHEN 'items.give' THEN before END AS before,
                                    CASE WHEN kind IN ('items.give', 'mail.send')
                                         THEN after END AS after
                               FROM actions
                              WHERE id = links.action_id AND at = links.action_at
                              LIMIT 1) AS action
    ), counted AS (
        INSERT INTO action_counts AS old (hour, kind, count)
        SELECT date_trunc('hour', action_at, 'UTC'), kind, count(*)
          FROM found
         GROUP BY 1, 2
        ON CONFLICT (hour, kind) DO UPDATE SET count = old.count + excluded.count
    ), gifts AS (
        INSERT INTO item_gifts AS old (item_id, hour, actor, quantity)
        SELECT item_id, date_trunc('hour', action_at, 'UTC'), actor, sum(quantity)
          FROM (SELECT item_id, action_at, actor,
                       (after ->> 'total')::bigint - (before ->> 'total')::bigint AS quantity
                  FROM found
                 WHERE kind = 'items.give' AND after ? 'total' AND before ? 'total'
                 UNION ALL
                SELECT (item ->> 'item_id')::uuid, action_at, actor,
                       (item ->> 'quantity')::bigint
                  FROM found
                 CROSS JOIN LATERAL jsonb_array_elements({sent}) AS item
                 WHERE kind = 'mail.send' AND {is_gift}) AS given
         WHERE action_at > statement_timestamp() - interval '70 days'
         GROUP BY 1, 2, 3
        ON CONFLICT (hour, item_id, actor) DO UPDATE SET quantity = old.quantity + excluded.quantity
    ), moved AS (
        UPDATE action_counts_progress
           SET seq = newest.seq, at = newest.action_at
          FROM (SELECT seq, action_at FROM links ORDER BY seq DESC LIMIT 1) AS newest
    )
    SELECT count(*) FROM links
""".replace("{sent}", SENT_ITEMS).replace("{is_gift}", IS_GIFT_LETTER)


async def counts_since(reader: Reader, since: datetime) -> list[ActionCount]:
    """The counts of the hours that began at an instant or later, in order."""
    return await reader.all(
        ActionCount,
        "SELECT hour, kind, count FROM action_counts WHERE hour >= $1 ORDER BY hour, kind",
        since,
    )


async def counted_until(reader: Reader) -> datetime | None:
    """The time of the last action that was counted."""
    return await reader.value("SELECT at FROM action_counts_progress")
