"""Bearers of access tokens: whose a token is, and its revocation (RFC 7009)."""

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth import credentials
from gamekeeper.core.errors import Problem
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Reader, Writer
from gamekeeper.db.operations import operation
from gamekeeper.provider.sign_ins import ALLOWED, LIVE


class TokenRevocation(Struct, frozen=True, kw_only=True):
    token: Hidden
    client_id: str


class Bearer(Struct, frozen=True, kw_only=True):
    """Whose access token it is, and what it may read."""

    user_id: UUID
    client_id: str
    scopes: list[str]


async def bearer(reader: Reader, token: str) -> Bearer | None:
    """Whose live access token it is."""
    if credentials.kind_of(token) != "gkoa":
        return None
    return await reader.one(
        Bearer,
        f"""
        SELECT openid_sign_ins.user_id, client_id, openid_sign_ins.scopes
          FROM openid_tokens
          JOIN openid_sign_ins ON openid_sign_ins.id = sign_in_id
          JOIN openid_clients ON openid_clients.id = client_id
          JOIN users ON users.id = openid_sign_ins.user_id
         WHERE hash = $1 AND kind = 'access'
           AND openid_tokens.expires_at > statement_timestamp() AND {LIVE} AND {ALLOWED}
        """,
        credentials.digest(token),
    )


@operation
async def revoke(writer: Writer, commands: Sequence[TokenRevocation]) -> list[Problem | None]:
    """Revoke tokens of clients (RFC 7009); with a refresh token its sign-in ends."""
    rows = await writer.rows(
        """
        SELECT hash, sign_in_id, kind, client_id
          FROM openid_tokens JOIN openid_sign_ins ON openid_sign_ins.id = sign_in_id
         WHERE hash = ANY($1)
        """,
        [credentials.digest(command.token) for command in commands],
    )
    own = {(credentials.digest(command.token), command.client_id) for command in commands}
    revoked = [row for row in rows if (row["hash"], row["client_id"]) in own]
    await writer.run(
        "DELETE FROM openid_tokens WHERE hash = ANY($1)",
        [row["hash"] for row in revoked if row["kind"] == "access"],
    )
    await writer.run(
        "UPDATE openid_sign_ins SET ended_at = now() WHERE id = ANY($1) AND ended_at IS NULL",
        [row["sign_in_id"] for row in revoked if row["kind"] == "refresh"],
    )
    return [None for _ in commands]
