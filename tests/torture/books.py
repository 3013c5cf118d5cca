"""Whether the books are right: what lies in slots is what the postings say, number by number."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

SLOTS_AND_POSTINGS = """
    WITH last AS (
        SELECT DISTINCT ON (player_id, place, slot) *
          FROM postings
         WHERE player_id = ANY($1) AND place <> 'bag'
         ORDER BY player_id, place, slot, seq DESC
    )
    SELECT player_id, place, slot,
           'slot ' || coalesce(slots.item_id || ' x ' || slots.quantity, '-') || ', postings '
           || coalesce(last.item_id || ' x ' || last.held_after, '-') AS breach
      FROM (SELECT player_id, place::text AS place, slot, item_id, quantity, stat_buffs, bag_id
              FROM slots WHERE player_id = ANY($1)) AS slots
      FULL JOIN (SELECT * FROM last WHERE held_after > 0) AS last USING (player_id, place, slot)
     WHERE (slots.item_id, slots.quantity, slots.stat_buffs, slots.bag_id)
           IS DISTINCT FROM (last.item_id, last.held_after, last.stat_buffs, last.bag_id)
"""

CHAINS = """
    SELECT player_id, place, slot, 'posting ' || seq || ' does not begin where its slot was left'
           AS breach
      FROM (SELECT *, lag(held_after, 1, 0) OVER spot AS left_with,
                   lag(item_id) OVER spot AS left_item
              FROM postings WHERE player_id = ANY($1)
            WINDOW spot AS (PARTITION BY player_id, place, inside, slot ORDER BY seq)) AS chained
     WHERE held_before <> left_with OR (held_before > 0 AND item_id <> left_item)
"""

NUMBERS = """
    SELECT player_id, 'numbers ' || low || ' to ' || high || ' of ' || many || ', head ' || seq
           AS breach
      FROM (SELECT player_id, min(postings.seq) AS low, max(postings.seq) AS high,
                   count(*) AS many, coalesce(max(ledger_heads.seq), 0) AS seq
              FROM postings LEFT JOIN ledger_heads USING (player_id)
             WHERE player_id = ANY($1) GROUP BY player_id) AS numbered
     WHERE (low, high, seq) IS DISTINCT FROM (1, many, many)
"""

CLOCK = """
    SELECT player_id, 'posting ' || seq || ' is earlier than the one before' AS breach
      FROM (SELECT *, lag(at) OVER (PARTITION BY player_id ORDER BY seq) AS earlier
              FROM postings WHERE player_id = ANY($1)) AS timed
     WHERE at < earlier
"""

NAMELESS = """
    SELECT player_id, 'posting ' || seq || ' belongs to no action' AS breach
      FROM postings
     WHERE player_id = ANY($1)
       AND NOT EXISTS (SELECT FROM actions WHERE actions.id = postings.action_id
                                             AND actions.player_id = postings.player_id)
"""


async def breaches(connection: Any, players: Sequence[UUID]) -> list[str]:
    """What is wrong with the books of `players`, in words; nothing if they are right."""
    found = []
    for question in (SLOTS_AND_POSTINGS, CHAINS, NUMBERS, CLOCK, NAMELESS):
        found += [str(dict(row)) for row in await connection.fetch(question, list(players))]
    return found
