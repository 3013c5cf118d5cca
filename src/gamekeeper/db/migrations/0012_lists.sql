-- Trees that know where in a list each page begins and how long the list is, so that
-- nobody walks over what comes before a page: docs/decisions/0013-count-trees.md.

-- Whoever counts must not miss somebody who is being created meanwhile.
LOCK TABLE users, players IN SHARE MODE;

-- A node stands for the rows of its list from its own key up to the key of the next node
-- of the same height. Nodes of height 0 are buckets of rows, those above hold the nodes
-- below them that begin within them. The first of each height has the lowest key there
-- is, and always stays. Half empty, so that a changed count stays on its page.
CREATE TABLE list_nodes (
    list        text NOT NULL,
    height      smallint NOT NULL,
    key         bytea NOT NULL,                 -- a row's place in the order: lists/listings.py
    count       int NOT NULL,
    CONSTRAINT list_nodes_pkey PRIMARY KEY (list, height, key)
) WITH (fillfactor = 50);

-- What came to a list (1) and what left it (-1) since its counts were last brought up to
-- date. Only added to by those who change a list, and emptied by the worker. A list's
-- part has no index: it is always read as a whole, and is a second's changes long.
CREATE TABLE list_deltas (
    list        text NOT NULL,
    key         bytea NOT NULL,
    change      smallint NOT NULL
) PARTITION BY LIST (list);
CREATE TABLE list_deltas_rank PARTITION OF list_deltas FOR VALUES IN ('rank')
    WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
CREATE TABLE list_deltas_players PARTITION OF list_deltas FOR VALUES IN ('players')
    WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
CREATE TABLE list_deltas_users PARTITION OF list_deltas FOR VALUES IN ('users')
    WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
-- They have no key by which a logical replica could find what was removed.
ALTER TABLE list_deltas_rank REPLICA IDENTITY FULL;
ALTER TABLE list_deltas_players REPLICA IDENTITY FULL;
ALTER TABLE list_deltas_users REPLICA IDENTITY FULL;

-- The trees of those who are there already: buckets of 256, and twice 64 together above.
SET LOCAL work_mem = '128MB';
WITH begun (list, place, key) AS (
    SELECT list, 0, decode(repeat('00', length), 'hex')
      FROM (VALUES ('rank', 28), ('players', 17), ('users', 17)) AS lowest (list, length)
    UNION ALL
    SELECT 'rank', place, int4send(level) || int8send(exp) || uuid_send(id)
      FROM (SELECT level, exp, id, row_number() OVER (ORDER BY level, exp, id) - 1 AS place
              FROM players) AS numbered
     WHERE place > 0 AND place % 256 = 0
    UNION ALL
    SELECT list, place, convert_to(name_key, 'UTF8') || '\x00'::bytea || uuid_send(id)
      FROM (SELECT 'players' AS list, name_key, id,
                   row_number() OVER (ORDER BY name_key, id) - 1 AS place
              FROM players
            UNION ALL
            SELECT 'users', name_key, id, row_number() OVER (ORDER BY name_key, id) - 1
              FROM users) AS numbered
     WHERE place > 0 AND place % 256 = 0
), totals (list, total) AS (
    SELECT 'rank', count(*) FROM players
    UNION ALL SELECT 'players', count(*) FROM players
    UNION ALL SELECT 'users', count(*) FROM users
)
INSERT INTO list_nodes (list, height, key, count)
SELECT list, height, key, least(size, total - place)
  FROM begun JOIN totals USING (list)
  JOIN (VALUES (0, 256), (1, 256 * 64), (2, 256 * 64 * 64)) AS heights (height, size)
       ON place % size = 0;

-- Gone with what it was for. An older version that still runs would not write deltas;
-- without this table it can neither create anybody nor show a list.
DROP TABLE totals;
