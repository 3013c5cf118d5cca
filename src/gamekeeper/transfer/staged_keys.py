"""
Staging: the keys of all lines in a temporary table, to check the file as a whole.

Duplicates within the file and conflicts with what is stored are found by one statement each,
whatever the size of the file; no process has to hold the keys of a million lines.
"""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

import asyncpg
from msgspec import UNSET, Struct

from gamekeeper.core.names import fold
from gamekeeper.transfer.lines import Fault, Line, UserLine

MOST_FAULTS = 1000
"""Faults kept of each rule; nobody corrects more at once."""

TABLES: LiteralString = """
    CREATE TEMPORARY TABLE staged (
        line int NOT NULL, is_user boolean NOT NULL, id uuid NOT NULL, owner uuid,
        name_key text COLLATE "C", email_key text COLLATE "C", is_complete boolean NOT NULL
    );
    CREATE TEMPORARY TABLE staged_bags (
        line int NOT NULL, id uuid NOT NULL, player_id uuid NOT NULL
    );
"""


class Staged(Struct):
    """The keys of some lines, as rows of the two tables."""

    keys: list[tuple[Any, ...]] = []
    bags: list[tuple[int, UUID, UUID]] = []

    def add(self, number: int, line: Line) -> None:
        name = None if line.name is UNSET else fold(line.name)
        if isinstance(line, UserLine):
            email = None if line.email is UNSET else fold(line.email)
            complete = name is not None and email is not None
            self.keys.append((number, True, line.id, None, name, email, complete))
            return
        owner = None if line.user_id is UNSET else line.user_id
        complete = None not in (name, owner) and line.class_id is not UNSET
        self.keys.append((number, False, line.id, owner, name, None, complete))
        for place in (line.inventory, line.bank):
            for slot in place or ():
                if slot.bag and slot.bag.id:
                    self.bags.append((number, slot.bag.id, line.id))


async def store(connection: asyncpg.Connection, staged: Staged) -> None:
    """Add keys to the tables, which `TABLES` made in this session."""
    await connection.copy_records_to_table("staged", records=staged.keys)
    await connection.copy_records_to_table("staged_bags", records=staged.bags)


async def faults(connection: asyncpg.Connection) -> list[Fault]:
    """What is wrong with the file as a whole, and beside what is stored."""
    await connection.execute("ANALYZE staged; ANALYZE staged_bags")
    found: list[Fault] = []
    for field, sql in RULES:
        rows: Sequence[Any] = await connection.fetch(f"{sql} ORDER BY line LIMIT {MOST_FAULTS}")
        found += [Fault(row["line"], field, row["reason"]) for row in rows]
    return sorted(found)


_TWICE: LiteralString = """
    SELECT line, format('%s is also in line %s', {shown}, first) AS reason
      FROM (SELECT line, {key} AS key, {shown},
                   min(line) OVER (PARTITION BY is_user, {key}) AS first
              FROM staged WHERE {key} IS NOT NULL) AS all_lines
     WHERE line > first
"""

RULES: tuple[tuple[str, LiteralString], ...] = (
    ("id", _TWICE.replace("{key}", "id").replace("{shown}", "id")),
    ("name", _TWICE.replace("{key}", "name_key").replace("{shown}", "name_key")),
    ("email", _TWICE.replace("{key}", "email_key").replace("{shown}", "email_key")),
    (
        "name",
        """
        SELECT line, format('the account %s has that name', user_id) AS reason
          FROM staged JOIN user_names USING (name_key)
         WHERE is_user AND user_id <> staged.id
        """,
    ),
    (
        "email",
        """
        SELECT line, format('the account %s has that address', user_id) AS reason
          FROM staged JOIN user_emails USING (email_key)
         WHERE is_user AND user_id <> staged.id
        """,
    ),
    (
        "name",
        """
        SELECT line, format('the character %s has that name', player_id) AS reason
          FROM staged JOIN player_names USING (name_key)
         WHERE NOT is_user AND player_id <> staged.id
        """,
    ),
    (
        "user_id",
        """
        SELECT line, format('no account has the id %s, here or in the file', owner) AS reason
          FROM staged
         WHERE owner IS NOT NULL
           AND NOT EXISTS (SELECT FROM users WHERE users.id = owner)
           AND NOT EXISTS (SELECT FROM staged AS own WHERE own.is_user AND own.id = staged.owner)
        """,
    ),
    (
        "user_id",
        """
        SELECT line, format('the character belongs to the account %s', user_id) AS reason
          FROM staged JOIN players USING (id)
         WHERE NOT is_user AND owner <> user_id
        """,
    ),
    (
        "",
        """
        SELECT line, 'a new account needs a name and an email' AS reason
          FROM staged
         WHERE is_user AND NOT is_complete
           AND NOT EXISTS (SELECT FROM users WHERE users.id = staged.id)
        """,
    ),
    (
        "",
        """
        SELECT line, 'a new character needs a user_id, a name and a class_id' AS reason
          FROM staged
         WHERE NOT is_user AND NOT is_complete
           AND NOT EXISTS (SELECT FROM players WHERE players.id = staged.id)
        """,
    ),
    # Only a deleted character has a ledger and no row.
    (
        "id",
        """
        SELECT line, 'the character was deleted here; undo that, or leave the line out' AS reason
          FROM staged JOIN ledger_heads ON player_id = staged.id
         WHERE NOT is_user AND NOT EXISTS (SELECT FROM players WHERE players.id = staged.id)
         UNION
        SELECT line, 'the character was deleted here; undo that, or leave the line out'
          FROM staged JOIN deleted_players ON player_id = staged.id
         WHERE NOT is_user
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
