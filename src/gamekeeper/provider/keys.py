"""
Signing keys (RS256) and their rotation: who has an ID token checks it with the published keys.

RSA, because widely used clients verify nothing newer. A new key is published a day before it
signs, since clients cache the keys, and stays published for as long as a logout may be asked for
with a token that it signed. The private keys are encrypted at rest.
"""

import asyncio
from datetime import timedelta
from functools import lru_cache
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Problem
from gamekeeper.db.batching import Batcher
from gamekeeper.db.database import Database, Queryable, Reader, Writer

if TYPE_CHECKING:
    from joserfc.jwk import RSAKey

ALGORITHM = "RS256"
BITS = 2048
LIFETIME = timedelta(days=90)
"""How long a key signs."""
NOTICE = timedelta(days=1)
"""How long a new key is published before it signs."""
KEPT = timedelta(days=90)
"""How long a key is published after it signed."""

LOCK = 0x6F696463  # "oidc": any number that no other lock uses


class InvalidToken(Problem):
    """The token was not signed here, or not for this."""


class StoredKey(Struct, frozen=True, kw_only=True):
    id: str
    sealed: str
    public_key: str

    def __repr__(self) -> str:
        return f"StoredKey({self.id})"


async def published(reader: Queryable) -> list[dict[str, Any]]:
    """The public keys (JWK), newest first: those that sign, will sign or have signed."""
    rows = await reader.rows("SELECT public_key FROM openid_keys ORDER BY signs_from DESC, id")
    return [msgspec.json.decode(row["public_key"]) for row in rows]


async def sign(database: Database, vault: Vault, claims: dict[str, Any], kind: str = "JWT") -> str:
    """The claims as a token (JWT), signed with the current key; `kind` is its type."""
    from joserfc import jwt

    stored = await _current(database.reader) or await _first(database, vault)
    key = _private(stored.id, vault.decrypt(_about(stored.id), stored.sealed))
    header = {"alg": ALGORITHM, "kid": stored.id, "typ": kind}
    return jwt.encode(header, claims, key, algorithms=[ALGORITHM])


async def verified(reader: Reader, token: str, kind: str = "JWT") -> dict[str, Any]:
    """
    The claims of a token that was signed here, expired or not; raise InvalidToken.

    The key comes from our own table, by the id in the header, never from the token.
    """
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    known = await published(reader)
    try:
        found = jwt.decode(token, KeySet.import_key_set({"keys": known}), algorithms=[ALGORITHM])
    except (JoseError, ValueError, TypeError):
        raise InvalidToken from None
    if found.header.get("typ") != kind or found.header.get("kid") is None:
        raise InvalidToken
    return found.claims


async def _current(reader: Queryable) -> StoredKey | None:
    return await reader.one(
        StoredKey,
        """
        SELECT id, sealed, public_key FROM openid_keys
         WHERE signs_from <= statement_timestamp()
         ORDER BY signs_from DESC, id LIMIT 1
        """,
    )


async def ensure(database: Database, vault: Vault) -> None:
    """Make the first key, unless there is one."""
    if await _current(database.reader) is None:
        await _first(database, vault)


async def _first(database: Database, vault: Vault) -> StoredKey:
    """The first key, as a single flight: each key takes a third of a second of a processor."""

    async def make(calls: list[None]) -> list[StoredKey | Problem]:
        known = await _current(database.reader) or await _make_first(database, vault)
        return [known] * len(calls)

    batcher = database.reader.batcher(
        _first,
        lambda: Batcher(make, concurrency=1, at_rest=lambda: database.reader.forget(_first)),
    )
    return await batcher.submit(None)


async def _make_first(database: Database, vault: Vault) -> StoredKey:
    new = await asyncio.to_thread(_generate, vault)

    async def work(writer: Writer) -> StoredKey:
        # One at a time: the others take the key of the first.
        await writer.rows("SELECT pg_advisory_xact_lock($1)", LOCK)
        if known := await _current(writer):
            return known
        await _insert(writer, new, timedelta())
        return new

    return await database.write(work)


async def rotate(database: Database, vault: Vault) -> None:
    """Publish the next key if the newest one is old, and remove the oldest; encrypt them anew."""
    due = await database.reader.value(
        "SELECT max(signs_from) < statement_timestamp() - $1::interval FROM openid_keys", LIFETIME
    )
    new = await asyncio.to_thread(_generate, vault) if due else None

    async def work(writer: Writer) -> None:
        await writer.rows("SELECT pg_advisory_xact_lock($1)", LOCK)
        still_due = await writer.value(
            "SELECT max(signs_from) < statement_timestamp() - $1::interval FROM openid_keys",
            LIFETIME,
        )
        if new and still_due:
            await _insert(writer, new, NOTICE)
        await writer.run(
            """
            DELETE FROM openid_keys AS old
             WHERE EXISTS (SELECT FROM openid_keys AS next
                            WHERE next.signs_from > old.signs_from
                              AND next.signs_from < statement_timestamp() - $1::interval)
            """,
            KEPT,
        )
        await _reseal(writer, vault)

    await database.write(work)


async def _reseal(writer: Writer, vault: Vault) -> None:
    """Encrypt private keys with the current password key, so that older ones can be removed."""
    for stored in await writer.all(StoredKey, "SELECT id, sealed, public_key FROM openid_keys"):
        if not vault.is_current(stored.sealed):
            about = _about(stored.id)
            await writer.run(
                "UPDATE openid_keys SET sealed = $2 WHERE id = $1",
                stored.id,
                vault.encrypt(about, vault.decrypt(about, stored.sealed)),
            )


async def _insert(writer: Writer, new: StoredKey, notice: timedelta) -> None:
    await writer.run(
        """
        INSERT INTO openid_keys (id, sealed, public_key, signs_from)
        VALUES ($1, $2, $3, statement_timestamp() + $4::interval)
        """,
        new.id,
        new.sealed,
        new.public_key,
        notice,
    )


def _generate(vault: Vault) -> StoredKey:
    """A new key; takes a third of a second."""
    from joserfc.jwk import RSAKey

    id_ = token_hex(8)
    key = RSAKey.generate_key(BITS, {"kid": id_, "use": "sig", "alg": ALGORITHM}, private=True)
    private = msgspec.json.encode(key.as_dict(private=True)).decode()
    return StoredKey(
        id=id_,
        sealed=vault.encrypt(_about(id_), private),
        public_key=msgspec.json.encode(key.as_dict(private=False)).decode(),
    )


@lru_cache(maxsize=4)
def _private(id_: str, jwk: str) -> "RSAKey":
    from joserfc.jwk import RSAKey

    return RSAKey.import_key(msgspec.json.decode(jwk))


def _about(id_: str) -> str:
    return f"openid key {id_}"
