"""
Queries of the economy: the supply of items, their places, top holders and daily flows.

Every answer is exact: folded sums plus the postings beyond the horizon, in one
snapshot. The horizon is read twice. The first value lets PostgreSQL plan for the few
postings beyond it; the second, in the snapshot of the query, decides, and can only be
later.
"""

from datetime import date
from typing import Any, LiteralString
from uuid import UUID

import msgspec

from gamekeeper.core.errors import NotFound
from gamekeeper.core.schemas import Page, Record, Window
from gamekeeper.db.database import Reader
from gamekeeper.ledger.economy.aggregates import IS_PENDING, OtherServer
from gamekeeper.ledger.places import OF_PLAYERS

HOLDERS = 10


class ItemNotFound(NotFound):
    """No item has that id."""


class ItemSupply(Record, frozen=True):
    """The supply of an item, by place."""

    id: UUID
    name: str
    total: int
    inventories: int
    banks: int
    bags: int
    guilds: int
    """In the banks of guilds."""
    mailboxes: int
    """In letters that are not claimed yet."""


class Flow(Record, frozen=True):
    """The flow from and to one source in one day."""

    day: date
    """In UTC."""
    source: str
    """`grant`, `removal`, `refund`, `import`, `demo`, `undo`, `restore` or `move`."""
    came: int
    went: int


class Holder(Record, frozen=True):
    player_id: UUID
    name: str | None
    """Null if the character no longer exists."""
    quantity: int
    """In the inventory, the bank, bags and letters together."""


class ItemEconomy(ItemSupply, frozen=True):
    """An item: how many there are, and where they came from and went."""

    flows: list[Flow]
    """By day, newest first, and by source."""
    holders: list[Holder]
    """The ten top holders."""


async def list_supply(reader: Reader, window: Window) -> Page[ItemSupply]:
    """All items, by total, descending. The catalog is small enough to sort."""
    items = await reader.all(
        ItemSupply,
        ALL,
        await read_horizon(reader),
        window.shown,
        window.offset,
    )
    return Page.of(items, await reader.value("SELECT count(*) FROM items"), window)


ALL: LiteralString = f"""
    WITH counted AS (
        SELECT item_id, place, quantity FROM item_supply
        UNION ALL
        SELECT item_id, place, quantity
          FROM postings
         WHERE {IS_PENDING} AND xid >= (SELECT xid FROM economy_horizon)
    )
    SELECT items.id, items.name,
           coalesce(sum(quantity), 0)::bigint AS total,
           coalesce(sum(quantity) FILTER (WHERE place = 'inventory'), 0)::bigint AS inventories,
           coalesce(sum(quantity) FILTER (WHERE place = 'bank'), 0)::bigint AS banks,
           coalesce(sum(quantity) FILTER (WHERE place = 'bag'), 0)::bigint AS bags,
           coalesce(sum(quantity) FILTER (WHERE place = 'guild'), 0)::bigint AS guilds,
           coalesce(sum(quantity) FILTER (WHERE place = 'mail'), 0)::bigint AS mailboxes
      FROM items
      LEFT JOIN counted ON counted.item_id = items.id
     GROUP BY items.id
     ORDER BY total DESC, items.name, items.id
     LIMIT $2 OFFSET $3
"""


async def find_item_economy(reader: Reader, item: UUID, days: int) -> ItemEconomy:
    """One item, with its flows in the last `days` days, including today."""
    [row] = await reader.rows(
        ONE,
        await read_horizon(reader),
        item,
        days,
        HOLDERS,
    ) or [None]
    if row is None:
        raise ItemNotFound
    return _economy(item, row)


ONE: LiteralString = f"""
    WITH beyond AS MATERIALIZED (
        SELECT player_id, place, (at AT TIME ZONE 'UTC')::date AS day, against, quantity
          FROM postings
         WHERE {IS_PENDING} AND xid >= (SELECT xid FROM economy_horizon)
           AND item_id = $2
    ), supply AS (
        SELECT place, sum(quantity) AS quantity
          FROM (SELECT place, quantity FROM item_supply WHERE item_id = $2
                UNION ALL SELECT place, quantity FROM beyond) AS counted
         GROUP BY place
    ), flows AS (
        SELECT day, against AS source, sum(came) AS came, sum(went) AS went
          FROM (SELECT day, against, came, went FROM item_flows WHERE item_id = $2
                UNION ALL
                SELECT day, against, greatest(quantity, 0), -least(quantity, 0)
                  FROM beyond) AS counted
         WHERE day > (now() AT TIME ZONE 'UTC')::date - $3::int
         GROUP BY day, against
    ), changed AS (
        SELECT player_id, sum(quantity) AS quantity
          FROM beyond WHERE {OF_PLAYERS} GROUP BY player_id
    ), most AS (
        -- Who is not in the postings beyond the horizon has what was folded.
        (SELECT player_id, quantity
           FROM item_holdings
          WHERE item_id = $2 AND player_id NOT IN (SELECT player_id FROM changed)
          ORDER BY quantity DESC, player_id LIMIT $4)
        UNION ALL
        SELECT changed.player_id, changed.quantity + coalesce(held.quantity, 0)
          FROM changed
          LEFT JOIN item_holdings AS held
            ON held.player_id = changed.player_id AND held.item_id = $2
    ), holders AS (
        SELECT player_id, name, quantity
          FROM (SELECT * FROM most WHERE quantity > 0
                 ORDER BY quantity DESC, player_id LIMIT $4) AS most
          LEFT JOIN players ON players.id = player_id
    )
    SELECT name,
           (SELECT jsonb_object_agg(place, quantity) FROM supply) AS supply,
           (SELECT jsonb_agg(jsonb_build_object('Day', day, 'Source', source,
                                                'Came', came, 'Went', went)
                             ORDER BY day DESC, source) FROM flows) AS flows,
           (SELECT jsonb_agg(jsonb_build_object('PlayerId', player_id, 'Name', name,
                                                'Quantity', quantity)
                             ORDER BY quantity DESC, player_id) FROM holders) AS holders
      FROM items
     WHERE id = $2
"""


def _economy(item: UUID, row: Any) -> ItemEconomy:
    supply: dict[str, int] = row["supply"] or {}
    return ItemEconomy(
        id=item,
        name=row["name"],
        total=sum(supply.values()),
        inventories=supply.get("inventory", 0),
        banks=supply.get("bank", 0),
        bags=supply.get("bag", 0),
        guilds=supply.get("guild", 0),
        mailboxes=supply.get("mail", 0),
        flows=msgspec.convert(row["flows"] or [], list[Flow]),
        holders=msgspec.convert(row["holders"] or [], list[Holder]),
    )


async def read_horizon(reader: Reader) -> str:
    """The first xid not in the sums."""
    [row] = await reader.rows(
        """
        SELECT xid::text AS xid, server = system_identifier AS is_ours
          FROM economy_horizon, pg_control_system()
        """
    )
    if not row["is_ours"]:
        raise OtherServer
    return row["xid"]
