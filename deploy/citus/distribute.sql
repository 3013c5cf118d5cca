-- Spread a migrated database over a Citus cluster (docs/scale.md says when and why).
--
--     psql -v ON_ERROR_STOP=1 -f deploy/citus/distribute.sql "$GAMEKEEPER_DATABASE_URL"
--
-- On the coordinator, as the owner of the tables, after `gamekeeper migrate`, while
-- nothing serves. It may be run again, after an upgrade or after it failed half way:
-- what is spread already is left as it is. A new table is one new line below, and
-- until it has one the last block refuses.

-- Tables here refer to each other. One connection to each worker, one after another,
-- is the order in which Citus can follow that.
SET citus.multi_shard_modify_mode TO 'sequential';

-- ── Foreign keys: all off, and back on below where they can hold ──
-- A key from a table that is not spread yet to one that is would be refused, and so
-- would the spreading; so nothing refers to anything while the tables move.
DO $$
DECLARE
    foreign_key record;
BEGIN
    FOR foreign_key IN
        SELECT conrelid::regclass AS relation, conname
          FROM pg_constraint
         WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0
    LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I',
                       foreign_key.relation, foreign_key.conname);
    END LOOP;
END $$;

-- ── Reference tables: small, read by everybody, whole on every machine ──
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY[
        'items',
        'item_icons',
        'spells',
        'variables',
        'classes',
        'catalog_objects',
        -- As many rows as the game has variables of its own.
        'game_variables',
        -- At most a hundred, read with the roles of whoever signs in.
        'roles',
        -- As many rows as the game has variables of its own.
        'game_variables',
        -- A few rows, in every question of who is online. A lease renewed is written to
        -- every machine.
        'servers',
        -- How many are on each of them. Written by whoever joins, in its order.
        'crowds',
        -- A few in a hundred accounts have one; asked for by every sign-in and every join, and
        -- unique by its code, which says nothing of its account.
        'sanctions',
        -- Few, and looked for by the address of whoever registers.
        'erased_users'
    ] LOOP
        IF NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = name::regclass) THEN
            PERFORM create_reference_table(name::regclass);
        END IF;
    END LOOP;
END $$;

-- ── Spread tables: name, the column that says where a row lies, and beside which ──
-- The first of a group lies beside 'none', which makes it a group of its own: one group
-- can then be moved without another.
DO $$
DECLARE
    one text[];
BEGIN
    FOREACH one SLICE 1 IN ARRAY ARRAY[
        -- Characters and all they own: one character is one place.
        ['players', 'id', 'none'],
        ['bags', 'player_id', 'players'],
        ['slots', 'player_id', 'players'],
        ['bag_slots', 'player_id', 'players'],
        ['player_spells', 'player_id', 'players'],
        ['player_variables', 'player_id', 'players'],
        ['player_extras', 'player_id', 'players'],
        ['deleted_players', 'player_id', 'players'],
        ['presences', 'player_id', 'players'],
        ['sessions', 'player_id', 'players'],
        ['ledger_heads', 'player_id', 'players'],
        ['postings', 'player_id', 'players'],
        ['opening_heads', 'player_id', 'players'],
        ['openings', 'player_id', 'players'],
        ['item_holdings', 'player_id', 'players'],
        ['economy_counted', 'player_id', 'players'],

        -- Accounts and all they own.
        ['users', 'id', 'none'],
        ['passwords', 'user_id', 'users'],
        ['token_families', 'user_id', 'users'],
        ['known_sources', 'user_id', 'users'],
        ['password_resets', 'user_id', 'users'],
        ['user_variables', 'user_id', 'users'],
        ['staff_roles', 'user_id', 'users'],
        ['second_factors', 'user_id', 'users'],
        ['recovery_codes', 'user_id', 'users'],

        -- Directories: what is unique across characters or accounts, keyed by exactly that.
        ['player_names', 'name_key', 'none'],
        ['user_names', 'name_key', 'player_names'],
        ['user_emails', 'email_key', 'player_names'],
        ['user_skeletons', 'skeleton', 'player_names'],
        ['player_skeletons', 'skeleton', 'player_names'],
        ['bag_owners', 'bag_id', 'none'],
        ['access_tokens', 'hash', 'none'],
        ['refresh_tokens', 'hash', 'access_tokens'],
        ['api_keys', 'hash', 'access_tokens'],
        -- By the key and not by the caller: one website sends most of them.
        ['replies', 'key', 'none'],
        -- Of accounts and of characters, and asked for by an import only.
        ['import_marks', 'id', 'none'],
        ['import_positions', 'id', 'import_marks'],

        -- An action may be about a character, an account or neither, and a row must
        -- always have the column it is placed by; so by its own id.
        ['actions', 'id', 'none']
    ] LOOP
        IF NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = one[1]::regclass) THEN
            PERFORM create_distributed_table(one[1]::regclass, one[2], colocate_with => one[3]);
        END IF;
    END LOOP;
END $$;

-- ── Foreign keys that hold: to the same character or account, or to a reference table ──
ALTER TABLE players ADD CONSTRAINT players_class_fkey
    FOREIGN KEY (class_id) REFERENCES classes (id);
ALTER TABLE bags ADD CONSTRAINT bags_player_fkey
    FOREIGN KEY (player_id) REFERENCES players (id) ON DELETE CASCADE;
ALTER TABLE slots ADD CONSTRAINT slots_player_fkey
    FOREIGN KEY (player_id) REFERENCES players (id) ON DELETE CASCADE;
ALTER TABLE slots ADD CONSTRAINT slots_item_fkey
    FOREIGN KEY (item_id) REFERENCES items (id);
ALTER TABLE slots ADD CONSTRAINT slots_bag_fkey
    FOREIGN KEY (player_id, bag_id) REFERENCES bags (player_id, id);
ALTER TABLE bag_slots ADD CONSTRAINT bag_slots_bag_fkey
    FOREIGN KEY (player_id, bag_id) REFERENCES bags (player_id, id) ON DELETE CASCADE;
ALTER TABLE bag_slots ADD CONSTRAINT bag_slots_item_fkey
    FOREIGN KEY (item_id) REFERENCES items (id);
ALTER TABLE player_spells ADD CONSTRAINT player_spells_player_fkey
    FOREIGN KEY (player_id) REFERENCES players (id) ON DELETE CASCADE;
ALTER TABLE player_spells ADD CONSTRAINT player_spells_spell_fkey
    FOREIGN KEY (spell_id) REFERENCES spells (id);
ALTER TABLE player_variables ADD CONSTRAINT player_variables_player_fkey
    FOREIGN KEY (player_id) REFERENCES players (id) ON DELETE CASCADE;
ALTER TABLE player_variables ADD CONSTRAINT player_variables_variable_fkey
    FOREIGN KEY (variable_id) REFERENCES variables (id);
ALTER TABLE player_extras ADD CONSTRAINT player_extras_player_fkey
    FOREIGN KEY (player_id) REFERENCES players (id) ON DELETE CASCADE;
ALTER TABLE presences ADD CONSTRAINT presences_player_fkey
    FOREIGN KEY (player_id) REFERENCES players (id) ON DELETE CASCADE;
ALTER TABLE presences ADD CONSTRAINT presences_server_fkey
    FOREIGN KEY (server_id) REFERENCES servers (id) ON DELETE CASCADE;
ALTER TABLE crowds ADD CONSTRAINT crowds_server_fkey
    FOREIGN KEY (server_id) REFERENCES servers (id) ON DELETE CASCADE;
ALTER TABLE passwords ADD CONSTRAINT passwords_user_fkey
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE;
ALTER TABLE token_families ADD CONSTRAINT token_families_user_fkey
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE;
ALTER TABLE known_sources ADD CONSTRAINT known_sources_user_fkey
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE;
ALTER TABLE password_resets ADD CONSTRAINT password_resets_user_fkey
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE;
ALTER TABLE user_variables ADD CONSTRAINT user_variables_user_fkey
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE;
ALTER TABLE user_variables ADD CONSTRAINT user_variables_variable_fkey
    FOREIGN KEY (variable_id) REFERENCES variables (id);
ALTER TABLE game_variables ADD CONSTRAINT game_variables_variable_fkey
    FOREIGN KEY (variable_id) REFERENCES variables (id);
ALTER TABLE staff_roles ADD CONSTRAINT staff_roles_user_fkey
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE;
ALTER TABLE staff_roles ADD CONSTRAINT staff_roles_role_fkey
    FOREIGN KEY (role) REFERENCES roles (name);

ALTER TABLE second_factors ADD CONSTRAINT second_factors_user_fkey
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE;
ALTER TABLE recovery_codes ADD CONSTRAINT recovery_codes_user_fkey
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE;

ALTER TABLE item_icons ADD CONSTRAINT item_icons_item_fkey
    FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE CASCADE;
ALTER TABLE guild_members ADD CONSTRAINT guild_members_guild_fkey
    FOREIGN KEY (guild_id) REFERENCES guilds (id);
ALTER TABLE guild_slots ADD CONSTRAINT guild_slots_guild_fkey
    FOREIGN KEY (guild_id) REFERENCES guilds (id);
ALTER TABLE guild_variables ADD CONSTRAINT guild_variables_guild_fkey
    FOREIGN KEY (guild_id) REFERENCES guilds (id) ON DELETE CASCADE;
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_webhook_fkey
    FOREIGN KEY (webhook_id) REFERENCES webhooks (id) ON DELETE CASCADE;

-- ── What stays on the coordinator, and that nothing was forgotten ──
DO $$
DECLARE
    forgotten text;
BEGIN
    SELECT string_agg(relname, ', ' ORDER BY relname) INTO forgotten
      FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = pg_class.oid)
       AND relname <> ALL (ARRAY[
           'migrations',
           -- The job queue: PgQueuer wakes its workers by a trigger, and a spread table
           -- cannot have one.
           'pgqueuer', 'pgqueuer_log', 'pgqueuer_schedules', 'pgqueuer_statistics',
           -- One wrong password charges two subjects, both locked: never in one place.
           'guess_budgets',
           -- Of staff: few rows, found by their hash, by their id and by their account.
           'browser_sessions', 'sign_in_links',
           -- One order over all actions, written by one process; unique by number and
           -- by action, and no column is in both keys.
           'chain', 'chain_progress', 'chain_verifications',
           'action_counts', 'action_counts_progress',
           -- Sums over all characters, few rows, folded by one process.
           'list_nodes', 'list_deltas',
           'item_supply', 'item_flows', 'item_movements', 'economy_horizon',
           'opening_accounts', 'ledger_beginning',
           'online_counts', 'server_online_counts',
           -- Few rows that players and staff write; a sanction is never deleted.
           'appeals',
           -- A few hundred addresses and what was sent to them, by one process.
           'webhooks', 'webhook_deliveries',
           -- A few rows for each limited actor, locked by advisory locks of the coordinator.
           'quota_usage', 'approval_requests',
           -- A few rows that staff write.
           'sanction_templates',
           -- Few rows: for a character or for a server, never for both.
           'commands',
           -- A month of what was said: found by who said it, to whom, and when.
           'chat_messages',
           -- A few thousand, each with members all over the machines. What passes through their
           -- banks is in `postings`, which are spread.
           'guilds', 'guild_members', 'guild_slots', 'guild_variables', 'guild_actions'
       ]);
    IF forgotten IS NOT NULL THEN
        RAISE EXCEPTION 'deploy/citus/distribute.sql says nothing about: %', forgotten;
    END IF;
END $$;
