"""
The largest movements of an item: who got or lost most of it at once, by which action.

The twenty largest of each day are kept as postings are added up (`aggregates`), for 92 days; those
beyond the horizon are added when somebody asks.
"""

from datetime import date
from typing import LiteralString
from uuid import UUID

from gamekeeper.core.schemas import LARGEST_PAGE, Instant, Record
from gamekeeper.db.database import Reader
from gamekeeper.ledger.economy.aggregates import IS_PENDING, KEPT_DAYS
from gamekeeper.ledger.economy.supply import ItemNotFound, read_horizon
from gamekeeper.ledger.places import OF_PLAYERS


class ItemMovement(Record, frozen=True):
    """A change of one item of a character in one action; negative for a loss."""

    at: Instant
    quantity: int
    """The total change for the character; negative for a loss."""
    source: str
    """
    Where from or to, as in the flows of an item: `grant`, `removal`, `move` (from or to another
    character), `undo` and so on.
    """
    player_id: UUID
    player_name: str | None
    """Null if the character was deleted."""
    action_id: UUID
    kind: str | None
    """The kind of action: `items.give`, `users.email`, `undo` and so on."""


class ItemMovements(Record, frozen=True):
    item_id: UUID
    item_name: str
    since: date
    """The first of the days, in UTC."""
    values: list[ItemMovement]
    """The largest first."""


async def list_movements(reader: Reader, item: UUID, days: int, limit: int) -> ItemMovements:
    """The largest movements of the last `days` days, including today; the largest first."""
    days, limit = max(1, min(days, KEPT_DAYS)), max(1, min(limit, LARGEST_PAGE))
    [about] = await reader.rows(ABOUT, item, days) or [None]
    if about is None:
        raise ItemNotFound
    rows = await reader.rows(LARGEST, await read_horizon(reader), item, about["since"], limit)
    # By key, after the limit: a join could read all partitions of the actions for it.
    kinds = await reader.lookups.rows(
        "SELECT id, kind FROM actions WHERE id = ANY($1)", [row["action_id"] for row in rows]
    )
    names = await reader.lookups.rows(
        "SELECT id, name FROM players WHERE id = ANY($1)", [row["player_id"] for row in rows]
    )
    kind_of = {row["id"]: row["kind"] for row in kinds}
    name_of = {row["id"]: row["name"] for row in names}
    return ItemMovements(
        item_id=item,
        item_name=about["name"],
        since=about["since"],
        values=[
            ItemMovement(
                **dict(row),
                player_name=name_of.get(row["player_id"]),
                kind=kind_of.get(row["action_id"]),
            )
            for row in rows
        ],
    )


ABOUT: LiteralString = """
    SELECT name, (now() AT TIME ZONE 'UTC')::date - $2::int + 1 AS since FROM items WHERE id = $1
"""

LARGEST: LiteralString = f"""
    WITH beyond AS MATERIALIZED (
        SELECT at, quantity, against, player_id, action_id
          FROM postings
         WHERE {IS_PENDING} AND xid >= (SELECT xid FROM economy_horizon)
           AND item_id = $2 AND {OF_PLAYERS}
    ), moved AS (
        SELECT at, quantity, against, player_id, action_id
          FROM item_movements
         WHERE item_id = $2 AND day >= $3
        UNION ALL
        SELECT min(at), sum(quantity), against, player_id, action_id
          FROM beyond
         GROUP BY against, player_id, action_id
        HAVING sum(quantity) <> 0
    )
    SELECT at, quantity::bigint AS quantity, against AS source, player_id, action_id
      FROM moved
     WHERE at >= $3::date::timestamp AT TIME ZONE 'UTC'
     ORDER BY abs(quantity) DESC, at DESC, action_id DESC, player_id
     LIMIT $4
"""
