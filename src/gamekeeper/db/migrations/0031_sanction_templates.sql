-- Templates of sanctions: what is imposed the first time, the second time, and so on.

CREATE TABLE sanction_templates (
    name            text COLLATE "C" PRIMARY KEY,
    message         text NOT NULL DEFAULT '',   -- what the player reads
    steps           jsonb NOT NULL,             -- [{"kind", "duration_seconds" or null}, …]
    changed_at      timestamptz NOT NULL DEFAULT now(),
    changed_by_name text NOT NULL,
    CONSTRAINT sanction_templates_name_form CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,39}$'),
    CONSTRAINT sanction_templates_message_length CHECK (char_length(message) <= 2000),
    CONSTRAINT sanction_templates_steps CHECK (jsonb_array_length(steps) BETWEEN 1 AND 20)
);

-- The ladder asks how often an account was sanctioned from a template.
CREATE INDEX sanctions_template_idx ON sanctions (user_id, template)
    WHERE template IS NOT NULL AND lifted_at IS NULL;

-- The mutes there are become sanctions, which from now on are the one truth. The columns
-- users.is_muted and users.mute_reason stay, for the version before, which reads them while
-- this one starts; nobody writes them any more.
DO $$
BEGIN
    LOOP
        INSERT INTO sanctions (code, kind, user_id, message, imposed_by, imposed_by_name)
        SELECT left(letters, 4) || '-' || right(letters, 4), 'mute', id,
               coalesce(mute_reason, ''), 'system', 'migration'
          FROM users
         CROSS JOIN LATERAL (
                   -- Not bytes 6 and 8, which have the version of the id in them.
                   SELECT string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
                                            1 + get_byte(random, place) % 32, 1), '') AS letters
                     FROM (SELECT uuid_send(gen_random_uuid()) AS random, users.id) AS one,
                          unnest(ARRAY[0, 1, 2, 3, 4, 5, 10, 11]) AS place
               ) AS fresh
         WHERE is_muted
           AND NOT EXISTS (SELECT FROM sanctions WHERE user_id = users.id AND kind = 'mute')
        ON CONFLICT (code) DO NOTHING;
        -- Again for those whose code was taken.
        EXIT WHEN NOT FOUND;
    END LOOP;
END $$;
