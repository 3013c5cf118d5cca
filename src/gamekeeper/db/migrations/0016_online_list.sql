-- Who is online, by page number: a tree of counts over all who joined a server, as the
-- other lists have one (docs/decisions/0013-count-trees.md).

-- Whoever counts must not miss somebody who joins meanwhile.
LOCK TABLE presences IN ACCESS EXCLUSIVE MODE;

-- The character's place in the list by name, as lists/listings.py writes it: the name
-- key, a zero byte, the id. It takes the place of the name key. An older version that
-- still runs would not note who joins and leaves; without that column it lets nobody in.
ALTER TABLE presences ADD COLUMN list_key bytea;
UPDATE presences SET list_key = convert_to(name_key, 'UTF8') || '\x00'::bytea || uuid_send(player_id);
ALTER TABLE presences ALTER COLUMN list_key SET NOT NULL;
ALTER TABLE presences DROP COLUMN name_key;

-- All that a page needs to know of those it passes over, in the index alone.
CREATE INDEX presences_list_idx ON presences (list_key) INCLUDE (server_id, player_id);
-- On a server that died, those between two places of the list are counted.
DROP INDEX presences_server_idx;
CREATE INDEX presences_server_idx ON presences (server_id, list_key);
-- Small and always in motion: cleaned often, so that both indexes can be read alone.
ALTER TABLE presences SET (
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.02
);

CREATE TABLE list_deltas_online PARTITION OF list_deltas FOR VALUES IN ('online')
    WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
ALTER TABLE list_deltas_online REPLICA IDENTITY FULL;

-- The tree of those who are there already: buckets of 256, and twice 64 together above.
WITH begun (place, key) AS (
    SELECT 0, decode(repeat('00', 17), 'hex')
    UNION ALL
    SELECT place, list_key
      FROM (SELECT list_key, row_number() OVER (ORDER BY list_key) - 1 AS place
              FROM presences) AS numbered
     WHERE place > 0 AND place % 256 = 0
)
INSERT INTO list_nodes (list, height, key, count)
SELECT 'online', height, key, least(size, (SELECT count(*) FROM presences) - place)
  FROM begun
  JOIN (VALUES (0, 256), (1, 256 * 64), (2, 256 * 64 * 64)) AS heights (height, size)
       ON place % size = 0;
