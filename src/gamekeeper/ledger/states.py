"""
Invariants of state without postings: each value is the one its last action left.

They cover names, levels, sheets, spells, powers and addresses. A value without any action
cannot be compared: it is older than the audit log, or was imported past it
(docs/reliability.md, "Proofs").

The last action is the one with the highest link; unlinked actions come after all links, in
the order in which they were written. MATERIALIZED finds all of them before they are compared:
for the first breach alone PostgreSQL would choose a plan that assumes an early match.
"""

from typing import LiteralString

NEWEST_FIRST: LiteralString = "seq DESC NULLS FIRST, position DESC NULLS LAST, at DESC, id DESC"

# The traits index covers exactly the actions on players that name no item.
ABOUT_PLAYERS: LiteralString = """
    actions LEFT JOIN chain ON action_id = actions.id
     WHERE actions.player_id BETWEEN $1 AND $2 AND item_id IS NULL
"""

LEVELS: LiteralString = f"""
    WITH last AS MATERIALIZED (
        SELECT DISTINCT ON (player_id) player_id, id, after
          FROM {ABOUT_PLAYERS} AND kind IN ('players.progress', 'undo') AND after ? 'level'
         ORDER BY player_id, {NEWEST_FIRST}
    )
    SELECT 'levels' AS law, player_id,
           format('level %s with %s experience, but action %s left level %s with %s',
                  level, exp, last.id, after->>'level', after->>'exp') AS message
      FROM last JOIN players ON players.id = player_id
     WHERE (after->>'level', after->>'exp') IS DISTINCT FROM (level::text, exp::text)
     ORDER BY player_id
"""

SPELLS: LiteralString = f"""
    WITH last AS MATERIALIZED (
        SELECT DISTINCT ON (player_id, spell_id) player_id, spell_id, id,
               (after->>'slot')::int AS slot
          FROM (SELECT player_id, id, at, position, seq, after,
                       (coalesce(after, before)->>'spell_id')::uuid AS spell_id
                  FROM {ABOUT_PLAYERS}
                   AND kind IN ('spells.teach', 'spells.forget', 'undo')
                   AND coalesce(after, before) ? 'spell_id') AS about
         ORDER BY player_id, spell_id, {NEWEST_FIRST}
    )
    SELECT 'spells' AS law, last.player_id,
           format('spell %s is %s, but action %s left it %s', spell_id,
                  coalesce('known in slot ' || known.slot, 'not known'), last.id,
                  coalesce('known in slot ' || last.slot, 'not known')) AS message
      FROM last JOIN players ON players.id = last.player_id
      LEFT JOIN player_spells AS known USING (player_id, spell_id)
     WHERE known.slot IS DISTINCT FROM last.slot
     ORDER BY last.player_id, spell_id
"""

VARIABLES: LiteralString = f"""
    WITH last AS MATERIALIZED (
        SELECT DISTINCT ON (player_id, variable_id) player_id, variable_id, id,
               nullif(after->'value', 'null') AS value
          FROM (SELECT player_id, id, at, position, seq, after,
                       (coalesce(after, before)->>'variable_id')::uuid AS variable_id
                  FROM {ABOUT_PLAYERS}
                   AND kind IN ('variables.set', 'undo')
                   AND coalesce(after, before) ? 'variable_id') AS about
         ORDER BY player_id, variable_id, {NEWEST_FIRST}
    )
    SELECT 'variables' AS law, last.player_id,
           format('variable %s is %s, but action %s left it %s', variable_id,
                  coalesce(remembered.value::text, 'not set'), last.id,
                  coalesce(last.value::text, 'not set')) AS message
      FROM last JOIN players ON players.id = last.player_id
      LEFT JOIN player_variables AS remembered USING (player_id, variable_id)
     WHERE remembered.value IS DISTINCT FROM last.value
     ORDER BY last.player_id, variable_id
"""

# A character exists if the last such action created it, and not if it deleted it.
CHARACTERS: LiteralString = f"""
    WITH last AS MATERIALIZED (
        SELECT DISTINCT ON (player_id) player_id, id, after ? 'character' AS is_there
          FROM {ABOUT_PLAYERS} AND kind IN ('players.create', 'players.delete', 'undo')
           AND coalesce(after, before) ? 'character'
         ORDER BY player_id, {NEWEST_FIRST}
    )
    SELECT 'characters' AS law, player_id,
           CASE WHEN players.id IS NULL
                THEN format('the character is gone, but action %s left it there', last.id)
                ELSE format('the character is there, but action %s deleted it', last.id)
           END AS message
      FROM last LEFT JOIN players ON players.id = player_id
     WHERE (players.id IS NOT NULL) IS DISTINCT FROM coalesce(is_there, false)
     ORDER BY player_id
"""

NAMES: LiteralString = f"""
    WITH last AS MATERIALIZED (
        SELECT DISTINCT ON (player_id) player_id, id, name
          FROM (SELECT player_id, id, at, position, seq,
                       coalesce(after->>'name', after->'character'->>'name') AS name
                  FROM {ABOUT_PLAYERS}
                   AND kind IN ('players.create', 'players.rename', 'undo')) AS about
         WHERE name IS NOT NULL
         ORDER BY player_id, {NEWEST_FIRST}
    )
    SELECT 'names' AS law, player_id,
           format('the name is %s, but action %s left %s', players.name, last.id, last.name)
               AS message
      FROM last JOIN players ON players.id = player_id
     WHERE players.name <> last.name
     ORDER BY player_id
"""

# Removing an item also unequips it, without an action of its own.
SHEETS: LiteralString = f"""
    WITH last AS MATERIALIZED (
        SELECT DISTINCT ON (player_id, field) player_id, field, value, id
          FROM (SELECT player_id, id, at, position, seq, after->'sheet' AS sheet
                  FROM {ABOUT_PLAYERS}
                   AND kind IN ('players.class', 'players.sheet', 'undo')
                   AND after ? 'sheet') AS about
         CROSS JOIN LATERAL jsonb_each(sheet) AS each (field, value)
         ORDER BY player_id, field, {NEWEST_FIRST}
    )
    SELECT 'sheets' AS law, player_id,
           format('%s is %s, but action %s left %s',
                  field, to_jsonb(players)->field, last.id, value) AS message
      FROM last JOIN players ON players.id = player_id
     WHERE CASE field
               WHEN 'equipment' THEN
                   cardinality(equipment) <> jsonb_array_length(value)
                   OR EXISTS (SELECT
                                FROM unnest(equipment) WITH ORDINALITY AS worn (slot, place)
                               WHERE slot <> -1
                                 AND slot IS DISTINCT FROM (value->>(place::int - 1))::int)
               ELSE to_jsonb(players)->field IS DISTINCT FROM value
           END
     ORDER BY player_id, field
"""

OF_PLAYERS = (CHARACTERS, NAMES, LEVELS, SHEETS, SPELLS, VARIABLES)
"""Each for the players from $1 to $2."""

# ── Accounts and keys: few enough for one pass over all ──

_ABOUT_USERS: LiteralString = """
    actions LEFT JOIN chain ON action_id = actions.id WHERE actions.user_id IS NOT NULL
"""

# A new account has no powers. Each power that the last such action names is a column of
# `users`.
POWERS: LiteralString = f"""
    WITH last AS MATERIALIZED (
        SELECT DISTINCT ON (user_id) user_id, id,
               CASE kind WHEN 'users.register' THEN {{none}} ELSE after END AS powers
          FROM {_ABOUT_USERS} AND (kind = 'users.register' OR after ? 'user_management')
         ORDER BY user_id, {NEWEST_FIRST}
    )
    SELECT 'powers' AS law, user_id,
           format('the powers are not those that action %s left', last.id) AS message
      FROM last JOIN users ON users.id = user_id
     WHERE NOT to_jsonb(users) @> powers
     ORDER BY user_id
""".replace(
    "{none}",
    """'{"editor": false, "ban": false, "kick": false, "mute": false, "api": false,
         "personal_information": false, "user_query": false, "user_management": false}'::jsonb""",
)

ADDRESSES: LiteralString = f"""
    WITH last AS MATERIALIZED (
        SELECT DISTINCT ON (user_id) user_id, id, after->>'email' AS email
          FROM {_ABOUT_USERS} AND after ? 'email'
         ORDER BY user_id, {NEWEST_FIRST}
    )
    SELECT 'addresses' AS law, user_id,
           format('the email address is not the one that action %s left', last.id) AS message
      FROM last JOIN users ON users.id = user_id
     WHERE users.email IS DISTINCT FROM last.email
     ORDER BY user_id
"""

# Of a password only its existence and its time are compared: no action contains the hash.
# The time is that of the transaction's start, the action's is a moment later.
PASSWORDS: LiteralString = f"""
    WITH last AS MATERIALIZED (
        SELECT DISTINCT ON (user_id) user_id, id, actions.at
          FROM {_ABOUT_USERS} AND kind IN ('users.register', 'users.password')
         ORDER BY user_id, {NEWEST_FIRST}
    )
    SELECT 'passwords' AS law, last.user_id,
           CASE WHEN passwords.user_id IS NULL THEN
                    format('the password that action %s set is missing', last.id)
                ELSE format('the password is from %s, but action %s set it at %s',
                            changed_at, last.id, at)
           END AS message
      FROM last JOIN users ON users.id = last.user_id
      LEFT JOIN passwords ON passwords.user_id = last.user_id
     WHERE passwords.user_id IS NULL OR abs(extract(epoch FROM at - changed_at)) > 3600
     ORDER BY last.user_id
"""

USER_VARIABLES: LiteralString = f"""
    WITH last AS MATERIALIZED (
        SELECT DISTINCT ON (user_id, variable_id) user_id, variable_id, id,
               nullif(after->'value', 'null') AS value
          FROM (SELECT actions.user_id, id, actions.at, position, seq, after,
                       (after->>'variable_id')::uuid AS variable_id
                  FROM {_ABOUT_USERS} AND player_id IS NULL AND after ? 'variable_id') AS about
         ORDER BY user_id, variable_id, {NEWEST_FIRST}
    )
    SELECT 'account variables' AS law, last.user_id,
           format('variable %s is %s, but action %s left it %s', variable_id,
                  coalesce(remembered.value::text, 'not set'), last.id,
                  coalesce(last.value::text, 'not set')) AS message
      FROM last JOIN users ON users.id = last.user_id
      LEFT JOIN user_variables AS remembered USING (user_id, variable_id)
     WHERE remembered.value IS DISTINCT FROM last.value
     ORDER BY last.user_id, variable_id
"""

GAME_VARIABLES: LiteralString = f"""
    WITH last AS MATERIALIZED (
        SELECT DISTINCT ON (variable_id) variable_id, id,
               nullif(after->'value', 'null') AS value
          FROM (SELECT id, actions.at, position, seq, after,
                       (after->>'variable_id')::uuid AS variable_id
                  FROM actions LEFT JOIN chain ON action_id = actions.id
                 WHERE kind IN ('game.variable', 'undo') AND actions.player_id IS NULL
                   AND actions.user_id IS NULL AND after ? 'variable_id'
                   AND NOT after ? 'guild_id') AS about
         ORDER BY variable_id, {NEWEST_FIRST}
    )
    SELECT 'game variables' AS law,
           format('variable %s is %s, but action %s left it %s', variable_id,
                  coalesce(remembered.value::text, 'not set'), last.id,
                  coalesce(last.value::text, 'not set')) AS message
      FROM last LEFT JOIN game_variables AS remembered USING (variable_id)
     WHERE remembered.value IS DISTINCT FROM last.value
     ORDER BY variable_id
"""

# A key is identified by the fingerprint in the action that created it. Actions of earlier
# versions have none; there must be as many keys of each name, scopes and duration as such
# actions.
KEYS: LiteralString = """
    WITH ended AS (
        -- Keys whose end a rotation brought forward, and for how many days they were made.
        SELECT one->>'id' AS id, (one->>'at')::timestamptz AS at, (one->>'days')::numeric AS days
          FROM actions, jsonb_array_elements(after->'ends') AS each (one)
         WHERE kind = 'keys.create' AND after ? 'ends'
    ), stored AS (
        SELECT api_keys.id, name, scopes, limits, rates, revoked_at,
               left(encode(sha256(hash), 'hex'), 32) AS fingerprint,
               CASE WHEN ended.id IS NOT NULL THEN ended.days
                    WHEN expires_at <> 'infinity' THEN
                    round(extract(epoch FROM expires_at - created_at) / 86400) END AS days
          FROM api_keys
          LEFT JOIN ended ON ended.id = api_keys.id::text AND ended.at = expires_at
         WHERE created_at >= (SELECT at FROM migrations WHERE name = '0007_ledger')
    ), made AS (
        SELECT id AS action_id, after->>'fingerprint' AS fingerprint, after->>'name' AS name,
               CASE WHEN jsonb_typeof(after->'scopes') = 'array' THEN
                    ARRAY(SELECT lower(scope) FROM jsonb_array_elements_text(after->'scopes')
                                                   WITH ORDINALITY AS each (scope, number)
                           ORDER BY number) END AS scopes,
               (after->>'days')::numeric AS days,
               coalesce(after->'limits', '{}') AS limits, after->>'rates' AS rates
          FROM actions
         WHERE kind = 'keys.create'
    ), revoked AS (
        SELECT before->>'id' AS id, min(id::text) AS action_id
          FROM actions
         WHERE kind = 'keys.revoke'
         GROUP BY before->>'id'
    ), odd AS (
        SELECT format('the key ''%s'' that action %s made is missing or was changed',
                      made.name, action_id) AS message
          FROM made LEFT JOIN stored USING (fingerprint)
         WHERE made.fingerprint IS NOT NULL
           AND (stored.name, stored.days) IS DISTINCT FROM (made.name, made.days)
            OR made.fingerprint = stored.fingerprint
           AND (stored.scopes, stored.limits, stored.rates)
               IS DISTINCT FROM (made.scopes, made.limits, made.rates)
        UNION ALL
        SELECT format('of the key ''%s'' there are %s, but %s were made', name,
                      count(*) FILTER (WHERE is_stored), count(*) FILTER (WHERE NOT is_stored))
          FROM (SELECT name, scopes, days, true AS is_stored
                  FROM stored
                 WHERE fingerprint NOT IN (SELECT fingerprint FROM made
                                            WHERE fingerprint IS NOT NULL)
                UNION ALL
                SELECT name, scopes, days, false FROM made WHERE fingerprint IS NULL) AS others
         GROUP BY name, scopes, days
        HAVING count(*) FILTER (WHERE is_stored) <> count(*) FILTER (WHERE NOT is_stored)
        UNION ALL
        SELECT CASE WHEN revoked_at IS NULL
                    THEN format('the key ''%s'' is live, but action %s revoked it', name, action_id)
                    ELSE format('the key ''%s'' is revoked, but by no action', name) END
          FROM stored LEFT JOIN revoked ON revoked.id = stored.id::text
         WHERE (revoked_at IS NULL) = (revoked.id IS NOT NULL)
    )
    SELECT 'keys' AS law, message FROM odd ORDER BY message
"""

OF_ALL = (POWERS, ADDRESSES, PASSWORDS, USER_VARIABLES, GAME_VARIABLES, KEYS)
