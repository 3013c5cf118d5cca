"""
Shared sign-ins: beyond an account's first few, a sign-in is answered with a live token.

Some clients sign in before every call, and each sign-in would be a family for weeks. So
those of one account, password and source share a family for a part of its life. Only the
hash of its access token is stored, but the token is derived from the family's id (HMAC)
and can be answered again. Each answer has a refresh token of its own, which is signed
instead of stored: its first use is recorded, so a second one is detected.
"""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from hmac import compare_digest
from time import time
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from msgspec import Struct

from gamekeeper.auth import credentials
from gamekeeper.auth.client_traces import NOWHERE, ClientTrace
from gamekeeper.auth.credentials import Tokens
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Writer

if TYPE_CHECKING:  # Its cryptography takes a while to import, and commands load this module.
    from gamekeeper.auth.secrets import Vault

PARTS = 4
"""A family is shared for this part of a token's life, so three parts are always left."""

TAG_BYTES = 16
NONCE_BYTES = 16
SIGNED_BYTES = 16 + 16 + NONCE_BYTES


class Sharing(Struct, frozen=True):
    """What is needed to answer a sign-in with a shared token."""

    vault: "Vault"
    source: str
    """Where the client is: programs elsewhere share nothing with it."""
    trace: ClientTrace = NOWHERE


class SharedOrder(Struct, frozen=True, kw_only=True):
    user_id: UUID
    sealed: str | None
    sharing: Sharing

    def key(self, settings: Settings) -> bytes:
        """The name of the family; a new password, key or lifetime makes another one."""
        life = access_seconds(settings)
        part = int(time() // max(1, life // PARTS))
        source = self.sharing.source
        if device := self.sharing.trace.device:
            # A ban of one device must not end the tokens of another.
            source = f"{source};{device}"
        text = f"{self.user_id};{source};{self.sealed};{life};{part}"
        return self.sharing.vault.hmac(f"shared sign-in;{text}")

    def __repr__(self) -> str:
        return f"SharedOrder({self.user_id})"


class FirstRefresh(Struct, frozen=True, kw_only=True):
    """A refresh token that was signed and not stored."""

    user_id: UUID
    family_id: UUID
    hash: bytes


def access_seconds(settings: Settings) -> int:
    """No token outlives its sign-in."""
    return min(settings.access_token_seconds, settings.session_days * 86_400)


def access_token(vault: "Vault", family: UUID) -> Hidden:
    return credentials.encode("gka", vault.hmac(f"shared access token;{family}"))


def new_refresh_token(vault: "Vault", user: UUID, family: UUID) -> Hidden:
    signed = user.bytes + family.bytes + secrets.token_bytes(NONCE_BYTES)
    return credentials.encode("gkr", signed + vault.hmac(_about(signed))[:TAG_BYTES])


def read_refresh_token(vault: "Vault", token: str) -> FirstRefresh | None:
    """The content of a signed refresh token; None for any other string."""
    raw = credentials.decode(token)
    if raw is None or len(raw) != SIGNED_BYTES + TAG_BYTES:
        return None
    signed, tag = raw[:SIGNED_BYTES], raw[SIGNED_BYTES:]
    expected = [known[:TAG_BYTES] for known in vault.hmacs(_about(signed))]
    if not any(compare_digest(tag, known) for known in expected):
        return None
    return FirstRefresh(
        user_id=UUID(bytes=signed[:16]),
        family_id=UUID(bytes=signed[16:32]),
        hash=credentials.digest(token),
    )


def _about(signed: bytes) -> str:
    return f"shared refresh token;{signed.hex()}"


async def claim(writer: Writer, orders: Sequence[SharedOrder]) -> list[Tokens | None]:
    """Tokens of the shared family of each sign-in, begun if there is none; None if it ended."""
    keys = [order.key(writer.settings) for order in orders]
    found = await _find(writer, orders, keys)
    missing = {key: order for order, key in zip(orders, keys, strict=True) if key not in found}
    if missing:
        await _begin(writer, missing)
        found = await _find(writer, orders, keys)
    life = timedelta(seconds=access_seconds(writer.settings))
    return [
        _tokens(order, found[key], life) if key in found else None
        for order, key in zip(orders, keys, strict=True)
    ]


async def _find(
    writer: Writer, orders: Sequence[SharedOrder], keys: Sequence[bytes]
) -> dict[bytes, Any]:
    rows = await writer.rows(
        """
        SELECT shared_key, id, created_at, now() AS issued_at
          FROM token_families
         WHERE user_id = ANY($1) AND shared_key = ANY($2)
           AND revoked_at IS NULL AND expires_at > statement_timestamp()
        """,
        [order.user_id for order in orders],
        keys,
    )
    return {row["shared_key"]: row for row in rows}


def _tokens(order: SharedOrder, family: Any, life: timedelta) -> Tokens:
    vault = order.sharing.vault
    return Tokens(
        access=access_token(vault, family["id"]),
        refresh=new_refresh_token(vault, order.user_id, family["id"]),
        family_id=family["id"],
        issued_at=family["issued_at"],
        # Of the access token; the family lives on for the refresh tokens.
        expires_at=family["created_at"] + life,
    )


async def _begin(writer: Writer, missing: dict[bytes, SharedOrder]) -> None:
    """Begin the families; one that another process has begun meanwhile is left as it is."""
    settings = writer.settings
    life = access_seconds(settings)
    longest = max(life, settings.refresh_token_days * 86_400) + life // PARTS
    proposed = {uuid4(): key for key in sorted(missing)}
    rows = await writer.rows(
        """
        INSERT INTO token_families (user_id, id, shared_key, expires_at, address, device)
        SELECT user_id, id, shared_key, now() + make_interval(secs => $4), address::inet, device
          FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $5::text[], $6::uuid[])
               AS begun (user_id, id, shared_key, address, device)
        ON CONFLICT (user_id, shared_key) WHERE revoked_at IS NULL AND shared_key IS NOT NULL
        DO NOTHING
        RETURNING user_id, id
        """,
        [missing[key].user_id for key in proposed.values()],
        list(proposed),
        list(proposed.values()),
        min(longest, settings.session_days * 86_400),
        [missing[key].sharing.trace.address for key in proposed.values()],
        [missing[key].sharing.trace.device for key in proposed.values()],
    )
    vaults = {family: missing[key].sharing.vault for family, key in proposed.items()}
    await writer.run(
        """
        INSERT INTO access_tokens (hash, user_id, family_id, expires_at)
        SELECT hash, user_id, family_id, now() + make_interval(secs => $4)
          FROM unnest($1::bytea[], $2::uuid[], $3::uuid[]) AS given (hash, user_id, family_id)
        """,
        [credentials.digest(access_token(vaults[row["id"]], row["id"])) for row in rows],
        [row["user_id"] for row in rows],
        [row["id"] for row in rows],
        life,
    )
