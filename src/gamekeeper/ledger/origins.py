"""
Invariants of origin: every posting has an action, and returned items were lost before.

An action and its postings agree on the transaction, the player, the item if the action names
one, and the account: one that an action of this kind may move items from or to. And an undo
or a restore returns no more than was taken.
"""

from typing import LiteralString

from gamekeeper.ledger.kinds.registry import ACTION_KINDS, BULK_LOADS, sql_names
from gamekeeper.ledger.places import OF_PLAYERS

FITTING = [f"{kind.name} {against}" for kind in ACTION_KINDS.values() for against in kind.accounts]
"""Each kind of action, with each of the named accounts that its postings may use."""

# For the players from $1 to $2. Only actions of these players are read, so a posting that
# names an action of another range has no action here. The demo's postings have transaction
# id 0: see demo/ledger.py. MATERIALIZED finds all breaches before LIMIT picks the first:
# otherwise PostgreSQL would choose a plan that assumes an early match. The banks of guilds are
# in `guild_banks`: their postings are of actions of characters.
ORIGINS: LiteralString = f"""
    WITH known AS (
        SELECT id, xid, kind, player_id, item_id
          FROM actions
         WHERE player_id BETWEEN $1 AND $2
        UNION ALL
        SELECT id, xid, kind, player_id, item_id
          FROM actions
         WHERE kind IN ({sql_names(BULK_LOADS)}) AND player_id IS NULL
    ), odd AS MATERIALIZED (
        SELECT postings.player_id, seq, place, inside, slot, postings.item_id, against, action_id,
               known.id, kind, known.player_id AS player, known.item_id AS item,
               kind || ' ' || against = ANY($3::text[]) AS is_fitting
          FROM postings LEFT JOIN known ON known.id = action_id
         WHERE postings.player_id BETWEEN $1 AND $2 AND {OF_PLAYERS}
           AND (known.id IS NULL
                OR known.player_id <> postings.player_id
                OR known.item_id <> postings.item_id
                OR kind || ' ' || against <> ALL($3::text[])
                OR known.xid <> postings.xid AND (postings.xid <> '0' OR kind <> 'demo.fill'))
    )
    SELECT 'actions' AS law, player_id, seq, place, inside, slot, item_id,
           CASE WHEN id IS NULL THEN
                    format('posting %s is of action %s, which is not one of this player',
                           seq, action_id)
                WHEN player <> player_id THEN
                    format('posting %s is of action %s, which is about another player',
                           seq, action_id)
                WHEN item <> item_id THEN
                    format('posting %s is of action %s, which is about another item',
                           seq, action_id)
                WHEN NOT is_fitting THEN
                    format('posting %s is against %s, but its action %s is of the kind %s',
                           seq, against, action_id, kind)
                ELSE format('posting %s was not written with its action %s', seq, action_id)
           END AS message
      FROM odd
     ORDER BY player_id, seq
"""

# If old months were dropped, the losses in them are unknown.
LOSSES: LiteralString = """
    SELECT 'losses' AS law, player_id, seq, item_id,
           format('%s came back of what action %s took, and it took %s', back, loss, lost)
               AS message
      FROM (SELECT player_id, coalesce(loss_id, action_id) AS loss, item_id, max(seq) AS seq,
                   -coalesce(sum(quantity) FILTER (WHERE loss_id IS NULL), 0) AS lost,
                   coalesce(sum(quantity) FILTER (WHERE loss_id IS NOT NULL), 0) AS back
              FROM postings
             WHERE player_id BETWEEN $1 AND $2 AND against IN ('removal', 'undo', 'restore')
             GROUP BY player_id, coalesce(loss_id, action_id), item_id, stat_buffs) AS losses
     WHERE back > greatest(lost, 0)
       AND (lost > 0 OR NOT EXISTS (SELECT FROM ledger_beginning))
     ORDER BY player_id, seq
"""
