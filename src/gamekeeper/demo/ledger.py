"""
The ledger of the demo world: one action, and a posting for every filled slot.

One statement makes the postings from the slots, in the order of their index, so that
the index grows at its end.
"""

from collections.abc import Callable
from datetime import datetime
from typing import LiteralString

from msgspec import structs

from gamekeeper.core import ids
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import COMMAND_LINE
from gamekeeper.demo import bulk_load
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.ledger.economy import initial_totals

STEPS = 4
BARE = ["ledger_heads", "item_holdings"]
"""Loaded without indexes and keys. Not `postings`: its partitions share those of the parent."""


async def enter(
    writer: Writer,
    *,
    players: int,
    seed: int,
    items: int,
    began: datetime | None = None,
    on_progress: Callable[[int], None] = lambda done: None,
) -> None:
    """Post the contents of all slots, in the caller's transaction; as of `began`, if given."""
    world = {"players": players, "random_seed": seed} | ({"items": items} if items else {})
    action = Action(kind="demo.fill", by=COMMAND_LINE, after=world)
    before = action.id
    await actions.record(writer, [action])
    at = await writer.value("SELECT clock_timestamp()")
    if began:
        at, action = began, structs.replace(action, id=ids.id_at(action.id, began))
        await writer.run(DATED, before, action.id, at)
    on_progress(1)
    await writer.run(POSTINGS, action.id, at)
    on_progress(2)
    taken = await bulk_load.strip(writer.connection, BARE)
    await writer.run(HEADS, at)
    await initial_totals.count_all(writer, against="demo", at=at)
    on_progress(3)
    async for _ in bulk_load.restore_indexes(writer.connection, taken):
        pass
    async for _ in bulk_load.restore_foreign_keys(writer.connection, taken):
        pass
    on_progress(STEPS)


DATED: LiteralString = "UPDATE actions SET id = $2, at = $3, position = NULL WHERE id = $1"

# Their xid is 0, which no transaction has: so they are not pending for the aggregates.
POSTINGS: LiteralString = """
    INSERT INTO postings (player_id, seq, at, xid, action_id, place, inside, slot, item_id,
                          quantity, against, held_before, held_after, stat_buffs, bag_id)
    SELECT player_id, row_number() OVER (PARTITION BY player_id ORDER BY rank, inside, slot), $2,
           '0', $1, place, inside, slot, item_id, quantity, 'demo', 0, quantity, stat_buffs, bag_id
      FROM (SELECT player_id, place::text AS place,
                   CASE place WHEN 'inventory' THEN 0 ELSE 1 END AS rank, NULL::uuid AS inside,
                   slot, item_id, quantity, stat_buffs, bag_id
              FROM slots
            UNION ALL
            SELECT player_id, 'bag', 2, bag_id, slot, item_id, quantity, stat_buffs, NULL
              FROM bag_slots) AS held
"""

HEADS: LiteralString = """
    INSERT INTO ledger_heads (player_id, seq, at)
    SELECT player_id, count(*), $1
      FROM (SELECT player_id FROM slots UNION ALL SELECT player_id FROM bag_slots) AS held
     GROUP BY player_id
"""
