"""
Aggregates (incremental materialized sums): which postings are pending, and how to add them.

Transaction ids (xid) are specific to a PostgreSQL server. Postings restored from a dump
have those of another server, and may look pending; so a rebuild stores for each player
the last posting that it added (`economy_counted`).
"""

from typing import LiteralString

from gamekeeper.core.errors import Unavailable
from gamekeeper.ledger.places import IS_TRADE, OF_PLAYERS


class OtherServer(Unavailable):
    """The totals come from another PostgreSQL server. A worker is about to rebuild them."""


# The pending postings of transactions from $1 on. No visible posting is of a transaction
# that has yet to begin, so the upper bound ends the index scan there.
IS_PENDING: LiteralString = """
    xid >= $1::text::xid8 AND xid < pg_snapshot_xmax(pg_current_snapshot())
    AND NOT EXISTS (SELECT FROM economy_counted AS counted
                     WHERE counted.player_id = postings.player_id
                       AND counted.seq >= postings.seq)
"""

COLUMNS: LiteralString = """
    item_id, player_id, place, (at AT TIME ZONE 'UTC')::date AS day, against, quantity,
    action_id, at
"""

KEPT_DAYS = 92
"""The days whose largest movements are kept."""

HOUR_DAYS = 70
"""The days whose hours are kept: those that `findings` compares, and two weeks more."""

# Adds `new`, postings with these columns, to all aggregates. A row without a day is an
# opening balance, not a flow. Of the movements of a day only those are kept that are among the
# twenty largest when they are added: the later ones rarely are, so a day stays small. Holders
# and movements are those of characters: a guild's bank is in the supply and in the flows.
ADDED: LiteralString = f"""
    supply AS (
        INSERT INTO item_supply AS old (item_id, place, quantity)
        SELECT item_id, place, sum(quantity) FROM new GROUP BY item_id, place
        ON CONFLICT (item_id, place) DO UPDATE SET quantity = old.quantity + excluded.quantity
    ), flows AS (
        INSERT INTO item_flows AS old (item_id, day, against, came, went)
        SELECT item_id, day, against, sum(greatest(quantity, 0)), -sum(least(quantity, 0))
          FROM new WHERE day IS NOT NULL GROUP BY item_id, day, against
        ON CONFLICT (item_id, day, against) DO UPDATE
           SET came = old.came + excluded.came, went = old.went + excluded.went
    ), sums AS (
        SELECT player_id, item_id, sum(quantity) AS change
          FROM new WHERE {OF_PLAYERS} GROUP BY player_id, item_id HAVING sum(quantity) <> 0
    ), emptied AS (
        DELETE FROM item_holdings AS old USING sums
         WHERE old.player_id = sums.player_id AND old.item_id = sums.item_id
           AND old.quantity + change = 0
        RETURNING old.player_id, old.item_id
    ), holdings AS (
        INSERT INTO item_holdings AS old (player_id, item_id, quantity)
        SELECT player_id, item_id, change FROM sums
         WHERE (player_id, item_id) NOT IN (SELECT player_id, item_id FROM emptied)
        ON CONFLICT (player_id, item_id) DO UPDATE
           SET quantity = old.quantity + excluded.quantity
    ), movements AS (
        SELECT item_id, day, player_id, action_id, against, min(at) AS at,
               sum(quantity) AS quantity,
               row_number() OVER (PARTITION BY item_id, day
                                  ORDER BY abs(sum(quantity)) DESC, action_id, player_id) AS place
          FROM new
         WHERE day > (now() AT TIME ZONE 'UTC')::date - 92 AND {OF_PLAYERS}
         GROUP BY item_id, day, player_id, action_id, against
        HAVING sum(quantity) <> 0
    ), least_kept AS (
        SELECT item_id, day,
               (SELECT abs(quantity) FROM item_movements AS known
                 WHERE known.item_id = days.item_id AND known.day = days.day
                 ORDER BY abs(quantity) DESC LIMIT 1 OFFSET 19) AS quantity
          FROM (SELECT DISTINCT item_id, day FROM movements) AS days
    ), largest AS (
        INSERT INTO item_movements (item_id, day, player_id, action_id, against, at, quantity)
        SELECT item_id, day, player_id, action_id, against, at, movements.quantity
          FROM movements JOIN least_kept USING (item_id, day)
         WHERE place <= 20 AND abs(movements.quantity) > coalesce(least_kept.quantity, 0)
        ON CONFLICT DO NOTHING
    ), by_action AS (
        -- What a character moves between its own places is no trade: the sum of it is zero.
        SELECT item_id, date_trunc('hour', at, 'UTC') AS hour,
               sum(quantity) FILTER (WHERE against = 'grant' AND quantity > 0) AS created,
               -sum(quantity) FILTER (WHERE against = 'removal' AND quantity < 0) AS destroyed,
               greatest(sum(quantity) FILTER (WHERE {IS_TRADE} AND {OF_PLAYERS}), 0) AS traded
          FROM new
         WHERE at > statement_timestamp() - interval '70 days'
         GROUP BY item_id, hour, player_id, action_id
    ), hours AS (
        INSERT INTO item_hours AS old (item_id, hour, created, destroyed, traded)
        SELECT item_id, hour, coalesce(sum(created), 0), coalesce(sum(destroyed), 0),
               coalesce(sum(traded), 0)
          FROM by_action
         WHERE created > 0 OR destroyed > 0 OR traded > 0
         GROUP BY item_id, hour
        ON CONFLICT (item_id, hour) DO UPDATE
           SET created = old.created + excluded.created,
               destroyed = old.destroyed + excluded.destroyed,
               traded = old.traded + excluded.traded
    )
"""
