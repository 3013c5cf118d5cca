"""
Claims: what a client reads of an account, by the scopes that the player agreed to.

An address that is not verified is never sent: forums would join the account with that of whoever
has the address (docs/guides/game-account-sign-in.md). `email_verified` is sent with the scope
`email` always, because some clients take its absence for true.
"""

from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from gamekeeper.db.database import Reader
from gamekeeper.sanctions.in_force import IN_FORCE
from gamekeeper.users.verified_emails import IS_VERIFIED

MAX_CHARACTERS = 100

ACCOUNT: LiteralString = f"""
    SELECT name, CASE WHEN {IS_VERIFIED} THEN email END AS email,
           (SELECT max(ends_at) FROM sanctions
             WHERE sanctions.user_id = users.id AND player_id IS NULL AND kind = 'ban'
               AND {IN_FORCE}) AS banned_until,
           EXISTS (SELECT FROM sanctions
                    WHERE sanctions.user_id = users.id AND player_id IS NULL AND kind = 'ban'
                      AND {IN_FORCE} AND NOT isfinite(ends_at)) AS is_permanent,
           ARRAY(SELECT role FROM staff_roles WHERE user_id = users.id ORDER BY role) AS roles
      FROM users WHERE id = $1
"""


async def of_account(reader: Reader, user: UUID, scopes: list[str]) -> dict[str, Any] | None:
    """The claims of an account by scope; None if it is gone."""
    rows = await reader.rows(ACCOUNT, user)
    if not rows:
        return None
    account = rows[0]
    claims: dict[str, Any] = {"sub": str(user)}
    if "profile" in scopes:
        claims |= {"name": account["name"], "preferred_username": account["name"]}
        claims |= _ban(account["banned_until"], is_permanent=account["is_permanent"])
    if "email" in scopes:
        # Neither address nor proof of one that is not verified.
        claims["email_verified"] = account["email"] is not None
        if account["email"] is not None:
            claims["email"] = account["email"]
    if "roles" in scopes:
        claims["roles"] = account["roles"]
    return claims


def _ban(until: datetime | None, *, is_permanent: bool) -> dict[str, Any]:
    """Whether the account is banned; without an end, if the ban is permanent."""
    if until is None:
        return {"banned": False}
    end = {} if is_permanent else {"banned_until": int(until.timestamp())}
    return {"banned": True} | end


async def characters(reader: Reader, user: UUID) -> list[dict[str, Any]]:
    """The characters of an account, those with the highest level first."""
    rows = await reader.rows(
        """
        SELECT id, name, level FROM players WHERE user_id = $1
         ORDER BY level DESC, created_at, id LIMIT $2
        """,
        user,
        MAX_CHARACTERS,
    )
    return [{"id": str(row["id"]), "name": row["name"], "level": row["level"]} for row in rows]
