"""
Refresh tokens (RFC 9700): each is exchanged once for its successor.

A browser with two tabs, or a lost response, sends one twice: within the grace period it gets the
same successor again. Later, two parties have it, and the sign-in ends.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth import credentials
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Problem, TooManyRequests
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import operation
from gamekeeper.provider.sign_ins import (
    ACCESS_SECONDS,
    LIVE,
    InvalidGrant,
    Issued,
    end,
    is_allowed,
    issued_of,
    store_tokens,
)

GRACE_SECONDS = 15
MAX_REFRESHES_PER_HOUR = 120
"""Of one sign-in. Used refresh tokens are kept, so that a later use of one is noticed."""
REFRESH_PAUSE_SECONDS = 60


class ScopeNotGranted(Problem):
    """The sign-in does not have all of these scopes."""


class TooManyRefreshes(TooManyRequests):
    """Too many refresh tokens of this sign-in were used within an hour. Wait before the next."""


class Refresh(Struct, frozen=True, kw_only=True):
    token: Hidden
    client_id: str
    scopes: frozenset[str] = frozenset()
    """Those that the client names: it must have all of them."""
    access: Hidden
    refresh: Hidden
    """Both follow from the token, so that a repetition gets the same."""


def successor(vault: Vault, token: str) -> tuple[Hidden, Hidden]:
    """The access and the refresh token that follow from a refresh token; a secret is needed."""
    return (
        credentials.encode("gkoa", vault.hmac(f"openid access;{token}")),
        credentials.encode("gkor", vault.hmac(f"openid refresh;{token}")),
    )


@operation
async def refresh(writer: Writer, commands: Sequence[Refresh]) -> list[Issued | Problem]:
    """Exchange refresh tokens; a repetition within the grace period gets the same tokens."""
    return [await _refreshed(writer, command) for command in commands]


async def _refreshed(writer: Writer, command: Refresh) -> Issued | Problem:
    row = await _locked(writer, command)
    if row is None:
        return InvalidGrant()
    if row["is_reused"]:
        # Two parties have it, one of them a thief (RFC 9700, 4.14.2).
        await end(writer, row["id"])
        return InvalidGrant()
    if not row["is_live"] or not await is_allowed(writer, row["id"]):
        return InvalidGrant()
    if not command.scopes <= set(row["scopes"]):
        return ScopeNotGranted()
    if row["used_at"]:
        return await _repeated(writer, row, command)
    if await _refreshes(writer, row["id"]) >= MAX_REFRESHES_PER_HOUR:
        return TooManyRefreshes(REFRESH_PAUSE_SECONDS)
    await writer.run(
        "UPDATE openid_tokens SET used_at = clock_timestamp() WHERE hash = $1",
        credentials.digest(command.token),
    )
    await store_tokens(writer, row["id"], command.access, command.refresh)
    return issued_of(row, command.access, command.refresh, ACCESS_SECONDS)


async def _locked(writer: Writer, command: Refresh) -> Any:
    """The sign-in of a refresh token of this client, locked; None if there is none."""
    # First the lock: whether the token was used is read after what another request did with it.
    sign_in = await writer.value(
        """
        SELECT openid_sign_ins.id
          FROM openid_tokens JOIN openid_sign_ins ON openid_sign_ins.id = sign_in_id
         WHERE hash = $1 AND kind = 'refresh' AND client_id = $2
           FOR UPDATE OF openid_sign_ins
        """,
        credentials.digest(command.token),
        command.client_id,
    )
    rows = await writer.rows(
        f"""
        SELECT openid_sign_ins.*, used_at,
               openid_tokens.expires_at > statement_timestamp() AND {LIVE} AS is_live,
               coalesce(used_at < statement_timestamp() - make_interval(secs => $3), false)
                   AS is_reused
          FROM openid_tokens JOIN openid_sign_ins ON openid_sign_ins.id = sign_in_id
         WHERE hash = $1 AND openid_sign_ins.id = $2
        """,
        credentials.digest(command.token),
        sign_in,
        GRACE_SECONDS,
    )
    return rows[0] if rows else None


async def _refreshes(writer: Writer, sign_in: UUID) -> int:
    """How often a sign-in was refreshed within the last hour; its old access tokens are deleted."""
    await writer.run(
        """
        DELETE FROM openid_tokens
         WHERE sign_in_id = $1 AND kind = 'access' AND expires_at < statement_timestamp()
        """,
        sign_in,
    )
    return await writer.value(
        """
        SELECT count(*) FROM openid_tokens
         WHERE sign_in_id = $1 AND kind = 'refresh'
           AND created_at > statement_timestamp() - interval '1 hour'
        """,
        sign_in,
    )


async def _repeated(writer: Writer, row: Any, command: Refresh) -> Issued | Problem:
    """The tokens that the first exchange gave; a second branch is never begun."""
    left = await writer.value(
        """
        SELECT extract(epoch FROM access.expires_at - statement_timestamp())::int
          FROM openid_tokens AS access, openid_tokens AS renewal
         WHERE access.hash = $1 AND renewal.hash = $2
        """,
        credentials.digest(command.access),
        credentials.digest(command.refresh),
    )
    # None: the key from which they follow was rotated within these seconds.
    if left is None:
        return InvalidGrant()
    return issued_of(row, command.access, command.refresh, max(0, left))
