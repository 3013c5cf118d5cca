"""
Invariants of orders: each line that was delivered has its letter and its postings, once.

The letter is the one that an action sent as a shop, with the items that the line says. A line
that was returned has one action that took them back, and no other line has one.
"""

from typing import LiteralString

from gamekeeper.ledger.places import OF_MAILBOXES

_SUMS: LiteralString = """
    (SELECT jsonb_object_agg(item, quantity)
       FROM (SELECT each->>'item_id' AS item, sum((each->>'quantity')::bigint) AS quantity
               FROM jsonb_array_elements({items}) AS each GROUP BY 1) AS counted)
"""

# Postings of dropped months are gone: then the action alone is compared.
ORDER_DELIVERIES: LiteralString = f"""
    WITH sent AS MATERIALIZED (
        SELECT (after->>'letter_id')::uuid AS letter_id, player_id, id, at,
               {_SUMS.replace("{items}", "after->'items'")} AS items,
               count(*) OVER (PARTITION BY after->>'letter_id') AS times
          FROM actions
         WHERE kind = 'mail.send' AND after->>'sender' = 'shop'
    ), lines AS MATERIALIZED (
        SELECT letter_id, player_id, order_id, number,
               {_SUMS.replace("{items}", "delivered")} AS items
          FROM order_lines WHERE letter_id IS NOT NULL
    ), posted AS MATERIALIZED (
        SELECT action_id, jsonb_object_agg(item_id, quantity) AS items
          FROM (SELECT action_id, item_id, sum(quantity) AS quantity
                  FROM postings
                 WHERE player_id IN (SELECT player_id FROM lines) AND {OF_MAILBOXES}
                   AND against = 'grant'
                 GROUP BY 1, 2) AS counted
         GROUP BY 1
    )
    SELECT 'orders' AS law, coalesce(lines.player_id, sent.player_id) AS player_id,
           CASE WHEN sent.id IS NULL
                THEN format('line %s of order %s was delivered by no letter', number, order_id)
                WHEN lines.order_id IS NULL
                THEN format('letter %s of a shop belongs to no order', letter_id)
                ELSE format('line %s of order %s is not what letter %s delivered',
                            number, order_id, letter_id)
           END AS message
      FROM lines FULL JOIN sent USING (letter_id)
      LEFT JOIN posted ON posted.action_id = sent.id
     WHERE sent.id IS NULL OR lines.order_id IS NULL OR sent.times > 1
        OR lines.player_id <> sent.player_id OR lines.items IS DISTINCT FROM sent.items
        OR posted.items <> lines.items
        OR posted.items IS NULL AND NOT EXISTS (SELECT FROM ledger_beginning)
     ORDER BY letter_id
"""

ORDER_RETURNS: LiteralString = """
    WITH taken AS MATERIALIZED (
        SELECT (after->>'order')::uuid AS order_id, (after->>'line')::int AS number,
               count(*) AS times
          FROM actions WHERE kind = 'orders.return' GROUP BY 1, 2
    )
    SELECT 'orders' AS law, line.player_id,
           format('line %s of order %s is %s, but was taken back %s times',
                  number, order_id, coalesce(line.state, 'unknown'), coalesce(times, 0)) AS message
      FROM (SELECT order_id, number, state, player_id FROM order_lines
             WHERE letter_id IS NOT NULL) AS line
      FULL JOIN taken USING (order_id, number)
     WHERE coalesce(times, 0) <> CASE line.state WHEN 'returned' THEN 1 ELSE 0 END
     ORDER BY order_id, number
"""
