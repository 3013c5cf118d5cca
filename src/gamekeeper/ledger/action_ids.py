"""Actions by the beginning of their id, as people type it."""

import re
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from gamekeeper.core.errors import Conflict
from gamekeeper.db.database import Reader
from gamekeeper.ledger.audit_log import ActionNotFound

FULL = 32
SHORTEST_PREFIX = 8
MAX_MATCHES = 10
HEX = re.compile(r"[0-9a-f]+")


class AmbiguousActionId(Conflict):
    """This id is ambiguous: several actions have an id that begins with it."""


async def find_action_id(reader: Reader, text: str) -> UUID:
    """The id of the only action whose id begins so; at least 8 hexadecimal digits."""
    digits = text.strip("{}").replace("-", "").lower()
    if not HEX.fullmatch(digits) or not SHORTEST_PREFIX <= len(digits) <= FULL:
        raise ActionNotFound(
            f"'{text}' is not an action's id, nor its first {SHORTEST_PREFIX} digits or more."
        )
    rows = await reader.rows(
        """
        SELECT found.id, at, kind, coalesce(players.name, users.name, '') AS name
          FROM (SELECT id, at, kind, player_id, user_id FROM actions
                 WHERE id BETWEEN $1 AND $2 ORDER BY id LIMIT $3) AS found
          LEFT JOIN players ON players.id = found.player_id
          LEFT JOIN users ON users.id = found.user_id AND found.player_id IS NULL
         ORDER BY found.id
        """,
        UUID(digits.ljust(FULL, "0")),
        UUID(digits.ljust(FULL, "f")),
        MAX_MATCHES + 1,
    )
    if len(rows) == 1:
        return rows[0]["id"]
    if rows:
        raise AmbiguousActionId(_matches(rows))
    raise ActionNotFound(f"No action's id begins with '{text}'.")


def _matches(rows: Sequence[Any]) -> str:
    """What each of several actions is, so that the right one can be chosen."""
    lines = [
        f"  {row['id']}  {row['at']:%Y-%m-%d %H:%M:%S} UTC  {row['kind']}  {row['name']}".rstrip()
        for row in rows[:MAX_MATCHES]
    ]
    more = ["  … and more"] if len(rows) > MAX_MATCHES else []
    return "\n".join(["This id is ambiguous. It matches:", *lines, *more])
