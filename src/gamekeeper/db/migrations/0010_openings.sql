-- What was held before there was a ledger, opened: a posting for every filled slot of
-- every player who has none yet, all of them by one action. Where there is nothing to
-- open, there is no action either.

-- Nobody begins a ledger of their own meanwhile; whoever waits here goes on from ours.
LOCK TABLE ledger_heads IN SHARE ROW EXCLUSIVE MODE;

WITH held AS MATERIALIZED (
    SELECT player_id, place, inside, slot, item_id, quantity, stat_buffs, bag_id,
           row_number() OVER (PARTITION BY player_id ORDER BY rank, inside, slot) AS seq
      FROM (SELECT player_id, place::text AS place,
                   CASE place WHEN 'inventory' THEN 0 ELSE 1 END AS rank, NULL::uuid AS inside,
                   slot, item_id, quantity, stat_buffs, bag_id
              FROM slots
            UNION ALL
            SELECT player_id, 'bag', 2, bag_id, slot, item_id, quantity, stat_buffs, NULL
              FROM bag_slots) AS everything
     WHERE NOT EXISTS (SELECT FROM ledger_heads AS heads
                        WHERE heads.player_id = everything.player_id)
), found AS (
    SELECT clock_timestamp() AS at, count(DISTINCT player_id) AS players, count(*) AS postings
      FROM held
), opened AS (
    -- The id is in the order of time like all of ours: 48 bits of milliseconds, the
    -- version, and chance.
    INSERT INTO actions (id, at, kind, actor, actor_name, after, request_id, address)
    SELECT encode(
               set_bit(set_bit(
                   overlay(uuid_send(gen_random_uuid())
                           PLACING substring(int8send((extract(epoch FROM at) * 1000)::bigint)
                                             FROM 3)
                           FROM 1 FOR 6),
                   52, 1), 53, 1),
               'hex')::uuid,
           at, 'ledger.open', 'system', 'migration',
           jsonb_build_object('players', players, 'postings', postings), '', ''
      FROM found
     WHERE postings > 0
    RETURNING id, at
), heads AS (
    INSERT INTO ledger_heads (player_id, seq, at)
    SELECT player_id, count(*), at FROM held, opened GROUP BY player_id, at
)
INSERT INTO postings (player_id, seq, at, action_id, place, inside, slot, item_id, quantity,
                      against, held_before, held_after, stat_buffs, bag_id)
SELECT player_id, seq, at, id, place, inside, slot, item_id, quantity,
       'import', 0, quantity, stat_buffs, bag_id
  FROM held, opened;
