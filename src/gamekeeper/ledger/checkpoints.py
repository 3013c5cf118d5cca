"""
Checkpoints: what a character held after every 1,000th of its postings, written by the worker.

Point-in-time queries read backwards from the next checkpoint instead of the present, so their cost
does not grow with what happened since. Each checkpoint follows from the one before it and the
postings between them; the first one follows from the opening balances or, if no months were
dropped, from nothing. `ledger verify` checks the same. docs/decisions/0061-checkpoints.md
"""

import asyncio
from collections.abc import Sequence
from typing import LiteralString
from uuid import UUID

from msgspec import Struct, structs

from gamekeeper.core.tasks import pause
from gamekeeper.db.database import Database, Queryable, Writer

INTERVAL = 1_000
"""Postings of a character between two checkpoints."""
MAX_DUE = 10_000
"""Characters that one search finds; it reads the heads of all characters."""
CHARACTERS_AT_ONCE = 20
"""In one transaction, so at most 20,000 postings are read in it."""
BREATH_SECONDS = 0.01
"""Between two transactions: after an upgrade, millions of postings have no checkpoint."""


class Due(Struct, frozen=True):
    """A character that has at least `INTERVAL` postings since its last checkpoint."""

    player_id: UUID
    base: int
    """The posting of its last checkpoint, or of its opening balance; 0 without either."""
    head: int
    """Its last posting."""


async def write_due(database: Database, stop: asyncio.Event, interval: int = INTERVAL) -> int:
    """Write all checkpoints that are due, oldest first, until `stop`; returns how many."""
    written = 0
    while not stop.is_set():
        due = found = await find_due(database.reader, interval)
        while due and not stop.is_set():
            some, due = due[:CHARACTERS_AT_ONCE], due[CHARACTERS_AT_ONCE:]
            written += await database.write(lambda writer, some=some: write(writer, some, interval))
            after = [structs.replace(one, base=one.base + interval) for one in some]
            due += [one for one in after if one.head - one.base >= interval]
            await pause(stop, BREATH_SECONDS)
        if len(found) < MAX_DUE:
            break
    return written


async def find_due(reader: Queryable, interval: int = INTERVAL) -> list[Due]:
    """Characters without a checkpoint for at least `interval` of their postings."""
    return await reader.all(Due, FIND_DUE, interval, MAX_DUE)


async def write(writer: Writer, due: Sequence[Due], interval: int = INTERVAL) -> int:
    """Write the next checkpoint of each; returns how many were new."""
    return await writer.run(
        WRITE, [one.player_id for one in due], [one.base for one in due], interval
    )


# Guilds have heads too, but few postings. The first condition leaves
# few characters for the rest.
FIND_DUE: LiteralString = """
    SELECT player_id, base, seq AS head
      FROM (SELECT heads.player_id, heads.seq,
                   greatest((SELECT max(seq) FROM ledger_checkpoints AS last
                              WHERE last.player_id = heads.player_id),
                            opening_heads.seq, 0) AS base
              FROM ledger_heads AS heads
              JOIN players ON players.id = heads.player_id
              LEFT JOIN opening_heads ON opening_heads.player_id = heads.player_id
             WHERE heads.seq >= $1) AS known
     WHERE seq - base >= $1
     LIMIT $2
"""

# The contents after posting `due.seq`, from those after posting `due.base`: no row if the latter
# are not known, because a checkpoint was deleted or months were dropped meanwhile. What is read
# from a checkpoint stays JSON: a forged one must not make verification fail.
FOLLOWING: LiteralString = """
    WITH base AS (
        SELECT contents
          FROM ledger_checkpoints
         WHERE player_id = due.player_id AND seq = due.base
        UNION ALL
        SELECT coalesce(jsonb_agg(jsonb_build_object(
                   'place', place, 'inside', inside, 'slot', slot, 'item_id', item_id,
                   'quantity', quantity, 'stat_buffs', stat_buffs, 'bag_id', bag_id)), '[]')
          FROM openings
         WHERE player_id = due.player_id
        HAVING due.base = coalesce((SELECT seq FROM opening_heads
                                     WHERE player_id = due.player_id), 0)
         LIMIT 1
    ), changed AS MATERIALIZED (
        SELECT DISTINCT ON (place, inside, slot)
               place, inside, slot, item_id, held_after AS quantity, stat_buffs, bag_id
          FROM postings
         WHERE player_id = due.player_id AND seq > due.base AND seq <= due.seq
         ORDER BY place, inside, slot, seq DESC
    ), stacks AS (
        SELECT to_jsonb(changed) AS stack FROM changed WHERE quantity > 0
        UNION ALL
        SELECT stack
          FROM base, jsonb_array_elements(contents) AS stack
         WHERE NOT EXISTS (SELECT
                             FROM changed
                            WHERE place = stack ->> 'place' AND slot::text = stack ->> 'slot'
                              AND inside::text IS NOT DISTINCT FROM stack ->> 'inside')
    )
    SELECT (SELECT coalesce(
                       jsonb_agg(stack ORDER BY stack ->> 'place' COLLATE "C",
                                                stack ->> 'inside' COLLATE "C",
                                                lpad(stack ->> 'slot', 10, '0') COLLATE "C"),
                       '[]')
              FROM stacks) AS contents
      FROM base
"""

# A second worker may have written some of them: then theirs are the same.
WRITE: LiteralString = f"""
    INSERT INTO ledger_checkpoints (player_id, seq, at, contents)
    SELECT due.player_id, due.seq, last.at, following.contents
      FROM (SELECT player_id, base, base + $3 AS seq
              FROM unnest($1::uuid[], $2::bigint[]) AS given (player_id, base)) AS due
     CROSS JOIN LATERAL (SELECT at FROM postings
                          WHERE player_id = due.player_id AND seq = due.seq) AS last
     CROSS JOIN LATERAL ({FOLLOWING}) AS following
    ON CONFLICT (player_id, seq) DO NOTHING
"""

# A law of `ledger verify`, see invariants.py. Only the first breach of each character: those after
# it may follow from it.
CHECKPOINTS: LiteralString = f"""
    SELECT DISTINCT ON (due.player_id)
           'checkpoints' AS law, due.player_id, due.seq,
           CASE WHEN last.at IS NULL THEN
                    format('there is a checkpoint at posting %s, which does not exist', due.seq)
                WHEN last.at <> due.at THEN
                    format('the checkpoint at posting %s is from %s, but the posting from %s',
                           due.seq, due.at, last.at)
                ELSE format('the checkpoint at posting %s differs from what the postings left',
                            due.seq)
           END AS message
      FROM (SELECT kept.player_id, kept.seq, kept.at, kept.contents,
                   lag(kept.seq, 1, coalesce(opening_heads.seq, 0))
                       OVER (PARTITION BY kept.player_id ORDER BY kept.seq) AS base
              FROM ledger_checkpoints AS kept
              LEFT JOIN opening_heads ON opening_heads.player_id = kept.player_id
             WHERE kept.player_id BETWEEN $1 AND $2
               AND kept.seq > coalesce(opening_heads.seq, 0)) AS due
      LEFT JOIN LATERAL (SELECT at FROM postings
                          WHERE player_id = due.player_id AND seq = due.seq LIMIT 1) AS last ON true
      LEFT JOIN LATERAL ({FOLLOWING}) AS following ON true
     WHERE last.at IS DISTINCT FROM due.at OR following.contents IS DISTINCT FROM due.contents
     ORDER BY due.player_id, due.seq
"""
