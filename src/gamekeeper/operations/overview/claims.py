"""The open cases that a member of staff has claimed."""

from gamekeeper.auth.principal import Principal
from gamekeeper.db.database import Reader

SCOPE = "reports.manage"


async def claimed_cases(reader: Reader, caller: Principal) -> int | None:
    """Their number, at most 1,000; None for those who cannot claim any."""
    if not caller.may(SCOPE):
        return None
    return await reader.value(
        """
        SELECT count(*)
          FROM (SELECT FROM cases WHERE claimed_by = $1 AND closed_at IS NULL LIMIT 1000) AS mine
        """,
        caller.id,
    )
