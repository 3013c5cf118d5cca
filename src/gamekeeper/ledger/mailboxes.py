"""
Invariants of letters: an open letter holds what was sent, every other one holds nothing.

The state of a letter is the one that its last action left. That its slots follow from the postings
is checked with all other slots.
"""

from typing import LiteralString

from gamekeeper.ledger.states import ABOUT_PLAYERS, NEWEST_FIRST

# For the players from $1 to $2. A letter without any action was imported with its character.
LETTER_STATES: LiteralString = f"""
    WITH last AS MATERIALIZED (
        SELECT DISTINCT ON (player_id, letter_id) player_id, letter_id, id, state
          FROM (SELECT player_id, id, at, position, seq, after->>'state' AS state,
                       (after->>'letter_id')::uuid AS letter_id
                  FROM {ABOUT_PLAYERS}
                   AND (kind LIKE 'mail.%' OR kind IN ('undo', 'orders.return', 'codes.redeem'))
                   AND after ? 'letter_id') AS about
         ORDER BY player_id, letter_id, {NEWEST_FIRST}
    )
    SELECT 'letters' AS law, last.player_id,
           format('letter %s is %s, but action %s left it %s',
                  letter_id, letters.state, last.id, last.state) AS message
      FROM last JOIN letters ON letters.player_id = last.player_id AND letters.id = letter_id
     WHERE letters.state <> last.state
     ORDER BY last.player_id, letter_id
"""

LETTER_ITEMS: LiteralString = """
    SELECT 'letters' AS law, letters.player_id,
           format('letter %s is %s, but it does not hold what it should',
                  letters.id, letters.state) AS message
      FROM letters
     CROSS JOIN LATERAL (
           SELECT coalesce(jsonb_agg(jsonb_build_object(
                      'item_id', item_id, 'quantity', quantity, 'stat_buffs', stat_buffs)
                      ORDER BY slot), '[]') AS items
             FROM letter_slots
            WHERE letter_slots.player_id = letters.player_id AND letter_id = letters.id) AS held
     WHERE letters.player_id BETWEEN $1 AND $2
       AND held.items <> CASE letters.state WHEN 'open' THEN attached ELSE '[]' END
     ORDER BY letters.player_id, letters.id
"""

OF_PLAYERS = (LETTER_STATES, LETTER_ITEMS)
"""Each for the players from $1 to $2."""

SENT_ITEMS: LiteralString = "(after -> 'items') || coalesce(after -> 'placed', '[]')"
"""All items of an action `mail.send`: in the letter, and those of the gift that had room."""

IS_GIFT_LETTER: LiteralString = "NOT after ? 'transaction' AND after ->> 'sender' <> 'shop'"
"""
A condition on actions `mail.send`: the items are given, as those of `items.give`.

Those of transactions are moved or earned, those of shops are paid.
"""
