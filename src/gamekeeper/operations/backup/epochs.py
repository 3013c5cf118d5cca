"""Recoveries to a point in time that nobody completed: the database is of the past."""

from typing import LiteralString

from gamekeeper.core.errors import Unavailable
from gamekeeper.db.database import Reader


class RecoveryIncomplete(Unavailable):
    """PostgreSQL was recovered to a point in time. Stop here, and run: gamekeeper recovered"""

    code = Unavailable.code


async def incomplete(reader: Reader) -> str | None:
    """The target of a point-in-time recovery that was not completed; None if there is none."""
    return await reader.value(INCOMPLETE)


async def check(reader: Reader) -> None:
    """Raise if PostgreSQL was recovered to a point in time, and that was not completed."""
    if found := await incomplete(reader):
        raise RecoveryIncomplete(
            f"PostgreSQL was recovered to a point in time ({found}), so revoked keys and sign-ins "
            "are valid again. Run: gamekeeper recovered"
        )


# The settings stay when the recovery is over. Those that only say how are not targets.
TARGET: LiteralString = """
    SELECT string_agg(name || ' ' || setting, ', ' ORDER BY name)
      FROM pg_settings
     WHERE name IN ('recovery_target', 'recovery_target_lsn', 'recovery_target_name',
                    'recovery_target_time', 'recovery_target_xid')
       AND setting <> '' AND NOT pg_is_in_recovery()
"""

# Without any action there is nothing that could have been revoked since.
INCOMPLETE: LiteralString = f"""
    SELECT target
      FROM ({TARGET}) AS found (target)
     WHERE target IS NOT NULL
       AND EXISTS (SELECT FROM actions)
       AND NOT EXISTS (SELECT FROM actions
                        WHERE kind = 'database.restore' AND after->>'target' = target)
"""
