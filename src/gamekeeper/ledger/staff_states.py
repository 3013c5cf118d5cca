"""
Invariants of staff: every role, and who has it, is as its last action left it.

Roles are younger than the audit log, so all of them can be compared: a role that no action
gave is a breach.
"""

from typing import LiteralString

from gamekeeper.ledger.states import NEWEST_FIRST

HELD_ROLES: LiteralString = f"""
    WITH last AS MATERIALIZED (
        SELECT DISTINCT ON (user_id, role) user_id, role, id, is_given
          FROM (SELECT user_id, id, at, position, seq, after IS NOT NULL AS is_given,
                       coalesce(after, before)->>'role' AS role
                  FROM actions LEFT JOIN chain ON action_id = actions.id
                 WHERE kind IN ('staff.grant', 'staff.withdraw')) AS about
         ORDER BY user_id, role, {NEWEST_FIRST}
    )
    SELECT 'staff' AS law, user_id,
           CASE WHEN last.id IS NULL
                THEN format('the account has the role %s, but no action gave it', role)
                WHEN is_given
                THEN format('the account lacks the role %s, but action %s gave it', role, last.id)
                ELSE format('the account has the role %s, but action %s withdrew it',
                            role, last.id)
           END AS message
      FROM last FULL JOIN staff_roles USING (user_id, role)
     WHERE (granted_at IS NOT NULL) IS DISTINCT FROM coalesce(is_given, false)
     ORDER BY user_id, role
"""

# Of a built-in role the table has the limits only.
ROLES: LiteralString = f"""
    WITH last AS MATERIALIZED (
        SELECT DISTINCT ON (name) name, id, after
          FROM (SELECT id, at, position, seq, after, coalesce(after, before)->>'name' AS name
                  FROM actions LEFT JOIN chain ON action_id = actions.id
                 WHERE kind IN ('roles.create', 'roles.change', 'roles.delete')) AS about
         ORDER BY name, {NEWEST_FIRST}
    )
    SELECT 'roles' AS law,
           CASE WHEN last.id IS NULL THEN format('no action made or changed the role %s', name)
                ELSE format('the role %s is not as action %s left it', name, last.id)
           END AS message
      FROM last FULL JOIN roles USING (name)
     WHERE CASE WHEN created_at IS NULL THEN after IS NOT NULL
                WHEN after IS NULL THEN scopes IS NOT NULL OR limits <> '{{}}'
                ELSE limits <> after->'limits'
                     OR scopes IS NOT NULL AND to_jsonb(scopes) <> after->'scopes'
           END
     ORDER BY name
"""

OF_STAFF = (HELD_ROLES, ROLES)
