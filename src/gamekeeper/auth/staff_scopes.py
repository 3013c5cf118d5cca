"""
The scopes that staff have by their roles now, in SQL: for who owns a webhook or a game server.

`auth.roles` answers the same about a caller. Here the question is part of a statement, so that
an owner whose role was withdrawn, or who is banned, is known as such without a further one.
"""

from typing import LiteralString

from gamekeeper.sanctions.in_force import IN_FORCE

ASKED_FOR = frozenset({"webhooks", "events.read", "users.personal", "servers", "servers.manage"})
"""The scopes of built-in roles that the statement knows."""

# Of `BUILT_IN` in `auth.roles`, which a test compares; one of a newer version grants nothing.
BUILT_IN_SCOPES: LiteralString = """
    CASE roles.name
        WHEN 'owner' THEN '{webhooks,events.read,users.personal,servers,servers.manage}'::text[]
        WHEN 'administrator' THEN '{webhooks,events.read,users.personal}'
        WHEN 'support' THEN '{events.read,users.personal}'
        WHEN 'moderator' THEN '{events.read}'
        WHEN 'live-operations' THEN '{webhooks,events.read}'
        WHEN 'analyst' THEN '{events.read}'
    END
"""

# Not joined with `users`, which are many: a name that nobody asks for is not looked up.
STAFF: LiteralString = f"""
    SELECT 'user:' || staff_roles.user_id::text AS staff_actor,
           (SELECT name FROM users WHERE users.id = staff_roles.user_id) AS staff_name,
           CASE WHEN EXISTS (SELECT FROM sanctions
                              WHERE sanctions.user_id = staff_roles.user_id
                                AND player_id IS NULL AND kind = 'ban' AND {IN_FORCE})
                THEN '{{}}' ELSE array_agg(DISTINCT scope) END AS staff_scopes
      FROM staff_roles
      JOIN roles ON roles.name = staff_roles.role
      LEFT JOIN LATERAL unnest(coalesce(roles.scopes, {BUILT_IN_SCOPES})) AS scope ON true
     GROUP BY staff_roles.user_id
"""
"""All staff: as actions write their actor, by name, with the scopes of all their roles."""
