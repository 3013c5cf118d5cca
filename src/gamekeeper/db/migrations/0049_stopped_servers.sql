-- A game server that stopped is not down: its lease ended because it said so.
ALTER TABLE servers ADD COLUMN stopped_at timestamptz;

UPDATE servers
   SET stopped_at = lease_until
 WHERE lease_until <= statement_timestamp() AND isfinite(lease_until)
   AND EXISTS (SELECT FROM actions
                WHERE kind = 'servers.stop'
                  AND at BETWEEN lease_until - interval '1 minute'
                             AND lease_until + interval '1 minute'
                  AND after ->> 'server_id' = servers.id::text);
