"""
Rules of a file as a whole, each one statement over the staged keys (staged_keys.py).

A statement finds duplicates within the file, and conflicts with what is stored.
"""

from collections.abc import Collection
from typing import LiteralString

Rules = tuple[tuple[str, LiteralString], ...]
"""Fields, each with the statement that finds its faults: `line` and `reason`."""

GUILD_RULES: Rules = (
    (
        "name",
        """
        SELECT line, format('the guild %s has that name', guilds.id) AS reason
          FROM staged JOIN guilds USING (name_key)
         WHERE kind = 'guild' AND guilds.id <> staged.id
        """,
    ),
    (
        "",
        """
        SELECT line, 'a new guild needs a name' AS reason
          FROM staged
         WHERE kind = 'guild' AND NOT is_complete
           AND NOT EXISTS (SELECT FROM guilds WHERE guilds.id = staged.id)
        """,
    ),
    # Only a disbanded guild has a ledger and no row; one with an empty bank may have no ledger.
    (
        "id",
        """
        SELECT line, 'the guild was disbanded here; undo that, or leave the line out' AS reason
          FROM staged JOIN ledger_heads ON ledger_heads.player_id = staged.id
         WHERE kind = 'guild' AND NOT EXISTS (SELECT FROM guilds WHERE guilds.id = staged.id)
         UNION
        SELECT line, 'the guild was disbanded here; undo that, or leave the line out'
          FROM staged JOIN deleted_guilds ON deleted_guilds.guild_id = staged.id
         WHERE kind = 'guild'
        """,
    ),
    (
        "members",
        """
        SELECT line, format('no character has the id %s, here or in the file', player_id)
                   AS reason
          FROM staged_members
         WHERE NOT EXISTS (SELECT FROM players WHERE players.id = staged_members.player_id)
           AND NOT EXISTS (SELECT FROM staged
                            WHERE kind = 'player' AND staged.id = staged_members.player_id)
        """,
    ),
    (
        "members",
        """
        SELECT line, format('the character %s is also in line %s', player_id, first) AS reason
          FROM (SELECT line, player_id, min(line) OVER (PARTITION BY player_id) AS first
                  FROM staged_members) AS all_members
         WHERE line > first
        """,
    ),
    (
        "members",
        """
        SELECT line, format('the character %s is a member of the guild %s, which is not in the '
                            'file', now.player_id, now.guild_id) AS reason
          FROM staged_members JOIN guild_members AS now USING (player_id)
         WHERE now.guild_id <> staged_members.guild_id
           AND NOT EXISTS (SELECT FROM staged
                            WHERE kind = 'guild' AND staged.id = now.guild_id)
        """,
    ),
)

SANCTION_RULES: Rules = (
    (
        "",
        """
        SELECT line, 'a new sanction needs a type and a user_id' AS reason
          FROM staged
         WHERE kind = 'sanction' AND NOT is_complete
           AND NOT EXISTS (SELECT FROM sanctions WHERE sanctions.id = staged.id)
        """,
    ),
    (
        "code",
        """
        SELECT line, format('the sanction %s has that code', sanctions.id) AS reason
          FROM staged JOIN sanctions USING (code)
         WHERE staged.kind = 'sanction' AND sanctions.id <> staged.id
        """,
    ),
    (
        "user_id",
        """
        SELECT line, format('the sanction is on the account %s', user_id) AS reason
          FROM staged JOIN sanctions USING (id)
         WHERE staged.kind = 'sanction' AND owner <> user_id
        """,
    ),
    # A character that is neither here nor in the file was deleted; its sanctions stay.
    (
        "player_id",
        """
        SELECT line, format('the character belongs to the account %s', user_id) AS reason
          FROM staged JOIN players ON players.id = player_id
         WHERE kind = 'sanction' AND owner <> user_id
         UNION
        SELECT staged.line, format('the character belongs to the account %s', other.owner)
          FROM staged JOIN staged AS other ON other.id = staged.player_id
         WHERE staged.kind = 'sanction' AND other.kind = 'player' AND other.owner <> staged.owner
        """,
    ),
)

_TWICE: LiteralString = """
    SELECT line, format('%s is also in line %s', {shown}, first) AS reason
      FROM (SELECT line, {key} AS key, {shown},
                   min(line) OVER (PARTITION BY kind, {key}) AS first
              FROM staged WHERE {key} IS NOT NULL) AS all_lines
     WHERE line > first
"""

RULES: tuple[tuple[str, LiteralString], ...] = (
    ("id", _TWICE.replace("{key}", "id").replace("{shown}", "id")),
    ("name", _TWICE.replace("{key}", "name_key").replace("{shown}", "name_key")),
    ("email", _TWICE.replace("{key}", "email_key").replace("{shown}", "email_key")),
    ("code", _TWICE.replace("{key}", "code").replace("{shown}", "code")),
    (
        "name",
        """
        SELECT line, format('the account %s has that name', user_id) AS reason
          FROM staged JOIN user_names USING (name_key)
         WHERE kind = 'user' AND user_id <> staged.id
        """,
    ),
    (
        "email",
        """
        SELECT line, format('the account %s has that address', user_id) AS reason
          FROM staged JOIN user_emails USING (email_key)
         WHERE kind = 'user' AND user_id <> staged.id
        """,
    ),
    (
        "name",
        """
        SELECT line, format('the character %s has that name', player_names.player_id) AS reason
          FROM staged JOIN player_names USING (name_key)
         WHERE kind = 'player' AND player_names.player_id <> staged.id
        """,
    ),
    (
        "user_id",
        """
        SELECT line, format('no account has the id %s, here or in the file', owner) AS reason
          FROM staged
         WHERE owner IS NOT NULL
           AND NOT EXISTS (SELECT FROM users WHERE users.id = owner)
           AND NOT EXISTS (SELECT FROM staged AS own
                            WHERE own.kind = 'user' AND own.id = staged.owner)
        """,
    ),
    (
        "user_id",
        """
        SELECT line, format('the character belongs to the account %s', user_id) AS reason
          FROM staged JOIN players USING (id)
         WHERE kind = 'player' AND owner <> user_id
        """,
    ),
    (
        "",
        """
        SELECT line, 'a new account needs a name and an email' AS reason
          FROM staged
         WHERE kind = 'user' AND NOT is_complete
           AND NOT EXISTS (SELECT FROM users WHERE users.id = staged.id)
        """,
    ),
    (
        "",
        """
        SELECT line, 'a new character needs a user_id, a name and a class_id' AS reason
          FROM staged
         WHERE kind = 'player' AND NOT is_complete
           AND NOT EXISTS (SELECT FROM players WHERE players.id = staged.id)
        """,
    ),
    # Only a deleted character has a ledger and no row.
    (
        "id",
        """
        SELECT line, 'the character was deleted here; undo that, or leave the line out' AS reason
          FROM staged JOIN ledger_heads ON ledger_heads.player_id = staged.id
         WHERE kind = 'player' AND NOT EXISTS (SELECT FROM players WHERE players.id = staged.id)
         UNION
        SELECT line, 'the character was deleted here; undo that, or leave the line out'
          FROM staged JOIN deleted_players ON deleted_players.player_id = staged.id
         WHERE kind = 'player'
        """,
    ),
    (
        "bag.id",
        """
        SELECT line, format('the bag %s is also in line %s', id, first) AS reason
          FROM (SELECT line, id, min(line) OVER (PARTITION BY id) AS first
                  FROM staged_bags) AS all_bags
         WHERE line > first
        """,
    ),
    (
        "bag.id",
        """
        SELECT line, format('the bag %s belongs to the character %s', id, bag_owners.player_id)
                   AS reason
          FROM staged_bags JOIN bag_owners ON bag_id = id
         WHERE bag_owners.player_id <> staged_bags.player_id
        """,
    ),
)


def rules(kinds: Collection[str]) -> Rules:
    """Those that lines of these kinds can break: most files have no guilds and no sanctions."""
    guilds = GUILD_RULES if "guild" in kinds else ()
    return (*RULES, *guilds, *(SANCTION_RULES if "sanction" in kinds else ()))
