"""Rules applied to the sums: whatever exceeds one becomes a finding, once for each period."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, LiteralString

from gamekeeper.db.database import Writer
from gamekeeper.ledger.findings import discoveries
from gamekeeper.ledger.findings.discoveries import Found
from gamekeeper.ledger.findings.records import Measure

MAX_AT_ONCE = 1000
"""Findings of one shape in one pass; the rest comes in the next."""


async def apply(writer: Writer, since: datetime) -> int:
    """Apply all rules to the sums from `since` on; returns the number of new findings."""
    shapes = {row["shape"] for row in await writer.rows("SELECT DISTINCT shape FROM economy_rules")}
    new = 0
    for shape, (measure, exceeded) in EXCEEDED.items():
        if shape in shapes:
            rows = await writer.rows(exceeded, since, MAX_AT_ONCE)
            new += await discoveries.store(writer, _found(measure, rows))
    return new


def _found(measure: Measure, rows: Sequence[Any]) -> list[Found]:
    return [Found(measure=measure, **dict(row)) for row in rows]


# A quantity, or a value if the rule names no item. No sum exceeds the largest limit.
AMOUNT: LiteralString = """
    least(sum(CASE WHEN rule.item_id IS NULL THEN quantity::numeric * coalesce(value, 0)
                   ELSE quantity END), 9007199254740992)::bigint
"""

# A rule looks at no period that was over when it was last changed.
CREATED: LiteralString = f"""
    SELECT rule.name AS rule, rule.item_id, hour AS began_at,
           hour + interval '1 hour' AS ended_at, amount AS quantity, more_than AS threshold
      FROM economy_rules AS rule
     CROSS JOIN LATERAL (
               SELECT hour, {AMOUNT} AS amount
                 FROM (SELECT item_id, hour, created AS quantity FROM item_hours
                        WHERE hour >= $1
                          AND (rule.item_id IS NULL OR item_id = rule.item_id)) AS hours
                 JOIN items ON items.id = hours.item_id
                GROUP BY hour
           ) AS sums
     WHERE shape = 'created_per_hour' AND amount > more_than
       AND hour + interval '1 hour' > changed_at
     ORDER BY hour DESC, rule.name
     LIMIT $2
"""

GIVEN: LiteralString = f"""
    SELECT rule.name AS rule, rule.item_id, actor, day AS began_at,
           day + interval '1 day' AS ended_at, amount AS quantity, more_than AS threshold
      FROM economy_rules AS rule
     CROSS JOIN LATERAL (
               SELECT actor, day, {AMOUNT} AS amount
                 FROM (SELECT item_id, actor, date_trunc('day', hour, 'UTC') AS day, quantity
                         FROM item_gifts
                        WHERE hour >= date_trunc('day', $1::timestamptz, 'UTC')
                          AND (rule.item_id IS NULL OR item_id = rule.item_id)) AS gifts
                 JOIN items ON items.id = gifts.item_id
                GROUP BY actor, day
           ) AS sums
     WHERE shape = 'given_per_day' AND amount > more_than
       AND day + interval '1 day' > changed_at
     ORDER BY day DESC, rule.name, actor
     LIMIT $2
"""

RECEIVED: LiteralString = """
    SELECT rule.name AS rule, rule.item_id, users.id AS user_id, users.created_at AS began_at,
           users.created_at + make_interval(days => days) AS ended_at, quantity,
           more_than AS threshold
      FROM new_account_receipts AS receipt
      JOIN economy_rules AS rule ON rule.name = receipt.rule
      JOIN users ON users.id = receipt.user_id
     WHERE receipt.changed_at >= $1 AND quantity > more_than
     ORDER BY receipt.changed_at DESC, user_id, rule.name
     LIMIT $2
"""

EXCEEDED: dict[str, tuple[Measure, LiteralString]] = {
    "created_per_hour": ("created", CREATED),
    "given_per_day": ("given", GIVEN),
    "received_by_new_account": ("received", RECEIVED),
}
