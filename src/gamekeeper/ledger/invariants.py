"""
The invariants of the ledger, each as a SQL statement that finds its breaches.

They check the players from $1 to $2 and return no row if the invariant holds. A row has the
columns of a breach: `law`, `message`, and what it is about. A statement ends with ORDER BY:
verify_ledger appends the LIMIT.

Each exists in two variants. If months were dropped, an opening balance counts as one more
posting, the first of its player or slot. If none were, the statement does not read openings.
"""

from typing import LiteralString, NamedTuple

from gamekeeper.ledger.places import HELD, IS_GUILD_TRANSFER, IS_TRADE


class Laws(NamedTuple):
    numbers: LiteralString
    slots_follow: LiteralString
    slots: LiteralString
    accounts: LiteralString


# An index-only scan: the primary key has all the columns, in the right order.
_NUMBERS: LiteralString = """
    WITH numbered AS (
        SELECT player_id, seq, at, is_opening,
               lag(seq, 1, 0::bigint) OVER numbers AS before,
               lag(at) OVER numbers AS at_before,
               lead(seq) OVER numbers IS NULL AS is_last
          FROM (SELECT player_id, seq, at, false AS is_opening
                  FROM postings
                 WHERE player_id BETWEEN $1 AND $2
                {opening_heads}) AS known
        WINDOW numbers AS (PARTITION BY player_id ORDER BY seq)
    ), kept AS (
        SELECT *, CASE WHEN is_last THEN player_id END AS head
          FROM numbered
         WHERE is_last OR seq <> before + 1 OR at < at_before OR is_opening
    )
    SELECT 'numbers' AS law,
           coalesce(kept.player_id, heads.player_id) AS player_id,
           kept.seq,
           CASE WHEN kept.seq IS NULL THEN
                    format('the head says %s postings, but there are none', heads.seq)
                WHEN kept.seq < 1 THEN format('a posting has the number %s', kept.seq)
                WHEN is_opening AND before <> 0 THEN
                    format('posting %s is from before the opening at %s', before, kept.seq)
                WHEN kept.seq = before THEN format('posting %s is there twice', kept.seq)
                WHEN kept.seq > before + 1 AND NOT is_opening THEN
                    format('posting %s is missing: %s follows %s', before + 1, kept.seq, before)
                WHEN kept.at < at_before THEN
                    format('posting %s is from %s, but posting %s before it from %s',
                           kept.seq, kept.at, before, at_before)
                WHEN heads.seq IS NULL THEN
                    format('there are %s postings, but no head', kept.seq)
                WHEN heads.seq <> kept.seq THEN
                    format('the head says %s postings, but the last is %s', heads.seq, kept.seq)
                ELSE format('the head is from %s, but the last posting from %s',
                            heads.at, kept.at)
           END AS message
      FROM kept
      FULL JOIN (SELECT * FROM ledger_heads WHERE player_id BETWEEN $1 AND $2) AS heads
        ON heads.player_id = kept.head
     WHERE kept.seq IS NULL OR kept.at < at_before
        OR CASE WHEN is_opening THEN before <> 0 ELSE kept.seq <> before + 1 END
        OR kept.is_last AND (heads.seq IS DISTINCT FROM kept.seq OR heads.at <> kept.at)
     ORDER BY coalesce(kept.player_id, heads.player_id), kept.seq
"""

# A place as a number, of which the slot is the lower half.
_PLACE_NUMBER: LiteralString = """
    CASE place WHEN 'inventory' THEN 0::bigint WHEN 'bank' THEN 1 WHEN 'bag' THEN 2
               WHEN 'mail' THEN 4 ELSE 3 END
""".strip()

# Fast check that slots follow from their postings: two numbers that must both be 0. The
# current content of a slot is treated as one more posting, the last, which finds it and
# leaves 0. Then each posting must find what the one before it left; and if all do, the sum
# of (left - found) is what the last ones left. Place and slot are packed into one number,
# and a hash that does not affect the result is the first sort key, because one number sorts
# much faster than several columns.
_SLOTS_FOLLOW: LiteralString = """
    WITH entries AS (
        SELECT player_id, inside, seq, item_id, held_before, held_after,
               ({place_number} << 32) + slot AS spot,
               CASE WHEN bag_id IS NOT NULL OR stat_buffs <> '{0,0,0,0,0}'
                    THEN stat_buffs::text || coalesce(bag_id::text, '') END AS special
          FROM postings
         WHERE player_id BETWEEN $1 AND $2
        {openings_entered}
        UNION ALL
        SELECT player_id, NULL, 9223372036854775807, item_id, quantity, 0,
               (CASE place WHEN 'inventory' THEN 0::bigint ELSE 1 END << 32) + slot,
               CASE WHEN bag_id IS NOT NULL OR stat_buffs <> '{0,0,0,0,0}'
                    THEN stat_buffs::text || coalesce(bag_id::text, '') END
          FROM slots
         WHERE player_id BETWEEN $1 AND $2
        UNION ALL
        SELECT player_id, bag_id, 9223372036854775807, item_id, quantity, 0,
               (2::bigint << 32) + slot,
               CASE WHEN stat_buffs <> '{0,0,0,0,0}' THEN stat_buffs::text END
          FROM bag_slots
         WHERE player_id BETWEEN $1 AND $2
        UNION ALL
        SELECT guild_id, NULL, 9223372036854775807, item_id, quantity, 0, (3::bigint << 32) + slot,
               CASE WHEN stat_buffs <> '{0,0,0,0,0}' THEN stat_buffs::text END
          FROM guild_slots
         WHERE guild_id BETWEEN $1 AND $2
        UNION ALL
        SELECT player_id, letter_id, 9223372036854775807, item_id, quantity, 0,
               (4::bigint << 32) + slot,
               CASE WHEN bag_id IS NOT NULL OR stat_buffs <> '{0,0,0,0,0}'
                    THEN stat_buffs::text || coalesce(bag_id::text, '') END
          FROM letter_slots
         WHERE player_id BETWEEN $1 AND $2
    ), chained AS (
        SELECT item_id, held_before, held_after, special,
               lag(item_id) OVER chain AS item_before,
               lag(held_after, 1, 0) OVER chain AS left_before,
               lag(special) OVER chain AS special_before
          FROM entries
        WINDOW chain AS (
            PARTITION BY uuid_hash_extended(player_id, spot), player_id, inside, spot
            ORDER BY seq)
    )
    SELECT count(*) FILTER (
               WHERE held_before <> left_before
                  OR held_before > 0 AND (item_id <> item_before
                                          OR special IS DISTINCT FROM special_before)) = 0
           AND coalesce(sum(held_after - held_before), 0) = 0
      FROM chained
"""

# The slow variant, run only after the fast check failed: it names the breaches. A null
# `inside` means "not in a bag" and must join with null, so it is replaced by a value.
_SLOTS: LiteralString = """
    WITH chained AS (
        SELECT player_id, seq, place, inside, slot, item_id, held_before, held_after,
               stat_buffs, bag_id,
               lag(item_id) OVER chain AS item_before,
               lag(held_after, 1, 0) OVER chain AS left_before,
               lag(seq) OVER chain AS seq_before,
               lag(stat_buffs) OVER chain AS buffs_before,
               lag(bag_id) OVER chain AS bag_before,
               lead(seq) OVER chain IS NULL AS is_last
          FROM (SELECT player_id, seq, place, inside, slot, item_id, held_before, held_after,
                       stat_buffs, bag_id
                  FROM postings
                 WHERE player_id BETWEEN $1 AND $2
                {openings}) AS known
        WINDOW chain AS (PARTITION BY player_id, inside, place, slot ORDER BY seq)
    ), judged AS (
        SELECT *,
               CASE seq WHEN 0 THEN 'the opening' ELSE 'posting ' || seq END AS this,
               CASE seq_before WHEN 0 THEN 'the opening' ELSE 'posting ' || seq_before END
                   AS the_one_before,
               held_before <> left_before
                   OR held_before > 0 AND (item_id <> item_before
                                           OR stat_buffs <> buffs_before
                                           OR bag_id IS DISTINCT FROM bag_before) AS is_broken
          FROM chained
    ), kept AS (
        SELECT *, CASE WHEN is_last THEN player_id END AS holder,
               coalesce(inside, '00000000-0000-0000-0000-000000000000') AS within
          FROM judged
         WHERE is_last OR is_broken
    ), held AS (
        SELECT owner_id AS player_id, place, slot, item_id, quantity, stat_buffs, bag_id,
               coalesce(inside, '00000000-0000-0000-0000-000000000000') AS within
          FROM ({held}) AS everywhere
         WHERE owner_id BETWEEN $1 AND $2
    )
    SELECT 'slots' AS law,
           coalesce(kept.player_id, held.player_id) AS player_id,
           nullif(seq, 0) AS seq,
           coalesce(kept.place, held.place) AS place,
           coalesce(inside, nullif(held.within, '00000000-0000-0000-0000-000000000000')) AS inside,
           coalesce(kept.slot, held.slot) AS slot,
           coalesce(kept.item_id, held.item_id) AS item_id,
           CASE WHEN kept.seq IS NULL THEN
                    format('the slot holds %s, but no posting ever put anything there',
                           held.quantity)
                WHEN is_broken AND seq_before IS NULL THEN
                    format('posting %s found %s where nothing had been put', seq, held_before)
                WHEN is_broken AND held_before <> left_before THEN
                    format('posting %s found %s, but %s left %s',
                           seq, held_before, the_one_before, left_before)
                WHEN is_broken AND item_before <> kept.item_id THEN
                    format('posting %s found another item than %s left', seq, the_one_before)
                WHEN is_broken THEN
                    format('posting %s found other stat buffs or another bag than %s left',
                           seq, the_one_before)
                WHEN held.player_id IS NULL THEN
                    format('the slot is empty, but %s left %s', this, held_after)
                WHEN held.quantity <> held_after THEN
                    format('the slot holds %s, but %s left %s',
                           held.quantity, this, held_after)
                WHEN held.item_id <> kept.item_id THEN
                    format('the slot holds the item %s, but %s left another',
                           held.item_id, this)
                ELSE format('the slot has other stat buffs or another bag than %s left',
                            this)
           END AS message
      FROM kept
      FULL JOIN held
        ON held.player_id = kept.holder AND held.place = kept.place
       AND held.within = kept.within AND held.slot = kept.slot
     WHERE kept.seq IS NULL OR is_broken
        OR is_last AND (held.quantity IS DISTINCT FROM nullif(held_after, 0)
                        OR held.item_id <> kept.item_id
                        OR held.stat_buffs <> kept.stat_buffs
                        OR held.quantity > 0 AND held.bag_id IS DISTINCT FROM kept.bag_id)
     ORDER BY coalesce(kept.player_id, held.player_id), kept.seq
"""

# Over all players and guilds. What passes between them is in none of the named accounts, so it
# must add up to 0 by itself.
_ACCOUNTS: LiteralString = """
    WITH posted AS (
        SELECT item_id, sum(quantity) AS came,
               coalesce(sum(quantity) FILTER (WHERE {is_trade}), 0) AS moved,
               coalesce(sum(quantity) FILTER (WHERE {is_guild_transfer}), 0) AS banked
          FROM (SELECT item_id, quantity, against FROM postings
                {opening_accounts}) AS known
         GROUP BY item_id
    ), held AS (
        SELECT item_id, sum(quantity) AS held
          FROM ({held}) AS everywhere
         GROUP BY item_id
    )
    SELECT 'accounts' AS law,
           item_id,
           CASE WHEN coalesce(held, 0) <> coalesce(came, 0) THEN
                    format('players hold %s, but %s came out of the named accounts',
                           coalesce(held, 0), coalesce(came, 0))
                WHEN moved <> 0 THEN
                    format('of what players passed on, %s came from nobody', moved)
                ELSE format('of what passed through guilds, %s came from nobody', banked)
           END AS message
      FROM posted FULL JOIN held USING (item_id)
     WHERE coalesce(held, 0) <> coalesce(came, 0) OR moved <> 0 OR banked <> 0
     ORDER BY item_id
"""

# ── With openings and without ──

_OPENING_HEADS: LiteralString = """
    UNION ALL
    SELECT player_id, seq, at, true FROM opening_heads WHERE player_id BETWEEN $1 AND $2
"""

_OPENINGS_ENTERED: LiteralString = """
    UNION ALL
    SELECT player_id, inside, 0, item_id, 0, quantity,
           ({place_number} << 32) + slot,
           CASE WHEN bag_id IS NOT NULL OR stat_buffs <> '{0,0,0,0,0}'
                THEN stat_buffs::text || coalesce(bag_id::text, '') END
      FROM openings
     WHERE player_id BETWEEN $1 AND $2
"""

_OPENINGS: LiteralString = """
    UNION ALL
    SELECT player_id, 0, place, inside, slot, item_id, 0, quantity, stat_buffs, bag_id
      FROM openings
     WHERE player_id BETWEEN $1 AND $2
"""

_OPENING_ACCOUNTS: LiteralString = """
    UNION ALL
    SELECT item_id, quantity, against FROM opening_accounts
"""


def _follow(openings: LiteralString) -> LiteralString:
    entered: LiteralString = _SLOTS_FOLLOW.replace("{openings_entered}", openings)
    return entered.replace("{place_number}", _PLACE_NUMBER)


def _slots(openings: LiteralString) -> LiteralString:
    known: LiteralString = _SLOTS.replace("{openings}", openings)
    return known.replace("{held}", HELD)


def _accounts(openings: LiteralString) -> LiteralString:
    text: LiteralString = _ACCOUNTS.replace("{opening_accounts}", openings)
    text = text.replace("{is_trade}", IS_TRADE).replace("{held}", HELD)
    return text.replace("{is_guild_transfer}", IS_GUILD_TRANSFER)


FROM_THE_FIRST = Laws(
    numbers=_NUMBERS.replace("{opening_heads}", ""),
    slots_follow=_follow(""),
    slots=_slots(""),
    accounts=_accounts(""),
)
FROM_OPENINGS = Laws(
    numbers=_NUMBERS.replace("{opening_heads}", _OPENING_HEADS),
    slots_follow=_follow(_OPENINGS_ENTERED),
    slots=_slots(_OPENINGS),
    accounts=_accounts(_OPENING_ACCOUNTS),
)
