"""
Invariants of the banks of guilds: every posting has an action, and each action adds up to 0.

A posting of a bank has the guild's id as its player, and the place `guild`. It is of the same
action as the postings of the character that deposits or withdraws, or of the one that disbands
the guild. That the slots follow from the postings is checked with all other slots.
"""

from typing import LiteralString

from gamekeeper.ledger.places import IS_GUILD_TRANSFER, OF_GUILDS

# Few postings are of guilds, so one pass over all of them.
GUILD_ORIGINS: LiteralString = f"""
    WITH odd AS MATERIALIZED (
        SELECT postings.player_id, seq, place, slot, postings.item_id, action_id,
               actions.id, kind || ' ' || against = ANY($1::text[]) AS is_fitting
          FROM postings LEFT JOIN actions ON actions.id = action_id
         WHERE {OF_GUILDS}
           AND (actions.id IS NULL
                OR actions.item_id <> postings.item_id
                OR kind || ' ' || against <> ALL($1::text[])
                OR actions.xid <> postings.xid AND (postings.xid <> '0' OR kind <> 'demo.fill'))
    )
    SELECT 'guilds' AS law, player_id, seq, place, slot, item_id,
           CASE WHEN id IS NULL THEN
                    format('posting %s of a guild is of action %s, which does not exist',
                           seq, action_id)
                WHEN NOT is_fitting THEN
                    format('posting %s of a guild does not fit the kind of its action %s',
                           seq, action_id)
                ELSE format('posting %s of a guild was not written with its action %s, or is '
                            'about another item', seq, action_id)
           END AS message
      FROM odd
     ORDER BY player_id, seq
"""

# The two sides of an action have times of their own. Where old months were dropped, one side
# may have been dropped and the other not, so actions of the first day are not looked at.
GUILD_ACTIONS: LiteralString = f"""
    SELECT 'guilds' AS law, item_id,
           format('action %s moved %s that came from neither the character nor the guild',
                  action_id, sum(quantity)) AS message
      FROM postings
     WHERE {IS_GUILD_TRANSFER}
     GROUP BY action_id, item_id, stat_buffs
    HAVING sum(quantity) <> 0
       AND min(at) >= coalesce((SELECT at FROM ledger_beginning) + interval '1 day', '-infinity')
     ORDER BY action_id
"""
