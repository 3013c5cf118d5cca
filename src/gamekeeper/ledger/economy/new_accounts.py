"""
Receipts of new accounts, for the rules about them: counted with the fold, without another read.

Without such a rule, it costs one look at the small table of rules.
"""

from typing import LiteralString

from gamekeeper.db.database import Writer
from gamekeeper.ledger.economy.aggregates import IS_PENDING
from gamekeeper.ledger.places import OF_PLAYERS


async def add_receipts(writer: Writer, horizon: str, bound: str) -> None:
    """Add the postings of a fold, from `horizon` to `bound`."""
    if await writer.value(IS_WATCHED):
        await writer.run(ADD, horizon, bound)


IS_WATCHED: LiteralString = """
    SELECT EXISTS (SELECT FROM economy_rules WHERE shape = 'received_by_new_account')
"""

# What a character moves between its own places adds up to zero. Items that come back, by an undo
# or a restore, were its own. A rule counts from its last change.
ADD: LiteralString = f"""
    INSERT INTO new_account_receipts AS old (rule, user_id, quantity)
    SELECT rule.name, users.id,
           least(sum(CASE WHEN rule.item_id IS NULL
                          THEN got.quantity::numeric * coalesce(value, 0)
                          ELSE got.quantity END), 9007199254740992)::bigint
      FROM (SELECT player_id, item_id, max(at) AS at, sum(quantity) AS quantity
              FROM postings
             WHERE {IS_PENDING} AND xid < $2::text::xid8 AND {OF_PLAYERS}
               AND against IN ('grant', 'move', 'guild')
             GROUP BY player_id, item_id, action_id
            HAVING sum(quantity) > 0) AS got
      JOIN economy_rules AS rule ON rule.item_id = got.item_id OR rule.item_id IS NULL
      JOIN items ON items.id = got.item_id
      JOIN players ON players.id = got.player_id
      JOIN users ON users.id = players.user_id
     WHERE shape = 'received_by_new_account' AND got.at > rule.changed_at
       AND users.created_at > got.at - make_interval(days => rule.days)
     GROUP BY rule.name, users.id
    ON CONFLICT (rule, user_id) DO UPDATE
       SET quantity = least(old.quantity + excluded.quantity, 9007199254740992),
           changed_at = now()
"""
