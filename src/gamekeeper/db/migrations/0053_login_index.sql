-- concurrently by partition
-- The login names under which the command line acted (users/actors.py). Every name that somebody
-- mistypes in a filter of the audit log is looked up here too: in the index of actors, all actions
-- of the command line would be read to find none. An expression, not `WHERE actor = 'system'`, so
-- that no plan can take that index instead.

CREATE INDEX actions_login_idx
    ON actions ((CASE WHEN actor = 'system' THEN actor_name END))
    WHERE CASE WHEN actor = 'system' THEN actor_name END IS NOT NULL;
