"""Initial aggregates of a whole world, for a bulk load; `maintenance` does the rest."""

from datetime import datetime
from typing import LiteralString

from gamekeeper.db.database import Writer
from gamekeeper.ledger.actions import Against
from gamekeeper.ledger.places import HELD, HELD_BY_PLAYERS


async def count_all(writer: Writer, *, against: Against, at: datetime) -> None:
    """
    Add up all holdings, as a flow from `against` on the day of `at`.

    The caller loads the world in the same transaction, with postings whose xid is 0:
    otherwise a fold would add them a second time.
    """
    await writer.run(HOLDINGS)
    await writer.run(SUPPLY)
    await writer.run(FLOWS, against, at)


HOLDINGS: LiteralString = f"""
    INSERT INTO item_holdings (player_id, item_id, quantity)
    SELECT owner_id, item_id, sum(quantity)
      FROM ({HELD_BY_PLAYERS}) AS held
     GROUP BY owner_id, item_id
"""

SUPPLY: LiteralString = f"""
    INSERT INTO item_supply AS old (item_id, place, quantity)
    SELECT item_id, place, sum(quantity)
      FROM ({HELD}) AS held
     GROUP BY item_id, place
    ON CONFLICT (item_id, place) DO UPDATE SET quantity = old.quantity + excluded.quantity
"""

FLOWS: LiteralString = f"""
    INSERT INTO item_flows AS old (item_id, day, against, came, went)
    SELECT item_id, ($2::timestamptz AT TIME ZONE 'UTC')::date, $1, sum(quantity), 0
      FROM ({HELD}) AS held
     GROUP BY item_id
    ON CONFLICT (item_id, day, against) DO UPDATE SET came = old.came + excluded.came
"""
