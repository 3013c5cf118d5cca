"""
Authentication: resolves a credential to a principal (TTL cache, single flight).

A credential is looked up by its hash and cached for two seconds. So a revoked
credential is refused everywhere within two seconds, and a busy client costs one
lookup every two seconds, however many concurrent calls it makes.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from time import monotonic
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth import browser_sessions, credentials, last_use, limits
from gamekeeper.auth.credentials import Kind
from gamekeeper.auth.last_use import LastUse
from gamekeeper.auth.principal import PLAYER_SCOPES, Principal
from gamekeeper.core.errors import Unauthorized, Unavailable
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.queries import batched_query
from gamekeeper.sanctions.access_bans import FAMILY_ALLOWED
from gamekeeper.sanctions.in_force import BANNED

REMEMBERED_SECONDS = 2.0
REMEMBERED_MOST = 10_000

BEARERS: frozenset[Kind] = frozenset({"gk", "gka"})
COOKIES: frozenset[Kind] = frozenset({"gks"})

Lookup = asyncio.Future[Principal | Unavailable | None]


class Authenticator:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._remembered: OrderedDict[bytes, tuple[float, Principal]] = OrderedDict()
        self._lookups: dict[bytes, tuple[float, Lookup]] = {}
        self._key_uses = LastUse(database, last_use.OF_KEYS)
        self._session_uses = LastUse(database, last_use.OF_SESSIONS)

    async def close(self) -> None:
        await self._key_uses.close()
        await self._session_uses.close()

    async def authenticate(self, credential: str) -> Principal:
        """Return the caller of a bearer credential, or raise Unauthorized."""
        return await self._caller(credential, BEARERS)

    async def authenticate_session(self, cookie: str) -> Principal:
        """Return the caller of a session cookie; no other credential is good as a cookie."""
        return await self._caller(cookie, COOKIES)

    def forget(self, credential: str) -> None:
        """Look this credential up anew: it has ended."""
        self._remembered.pop(credentials.digest(credential), None)

    async def _caller(self, credential: str, kinds: frozenset[Kind]) -> Principal:
        kind = credentials.kind_of(credential)
        if kind not in kinds:
            raise Unauthorized
        digest = credentials.digest(credential)
        until, caller = self._remembered.get(digest, (0.0, None))
        if caller is not None and monotonic() < until:
            return caller
        begun, lookup = self._lookups.get(digest, (0.0, None))
        # An older lookup may have read a credential that was revoked since.
        is_recent = monotonic() - begun < REMEMBERED_SECONDS
        # No caller: the lookup was cancelled, or the key may have been created since it began.
        joined = await asyncio.shield(lookup) if lookup and is_recent else None
        if isinstance(joined, Unavailable):
            raise joined
        return joined or await self._look_up(kind, digest)

    async def _look_up(self, kind: str, digest: bytes) -> Principal:
        """Look the caller up (single flight: others may join); if it fails, they do their own."""
        begun = monotonic()
        shared: Lookup = asyncio.get_running_loop().create_future()
        self._lookups[digest] = (begun, shared)
        found: Principal | Unavailable | None = None
        try:
            found = await self._find(kind, digest)
        except Unavailable as fault:
            # Joined callers have waited as long; a lookup of their own would double the wait.
            found = fault
            raise
        else:
            self._remember(digest, begun + REMEMBERED_SECONDS, found)
            return found
        finally:
            shared.set_result(found)
            if self._lookups.get(digest, (0.0, None))[1] is shared:
                del self._lookups[digest]

    def _remember(self, digest: bytes, until: float, caller: Principal) -> None:
        self._remembered[digest] = (until, caller)
        self._remembered.move_to_end(digest)
        if len(self._remembered) > REMEMBERED_MOST:
            self._remembered.popitem(last=False)

    async def _find(self, kind: str, digest: bytes) -> Principal:
        match kind:
            case "gk":
                return await self._by_key(digest)
            case "gks":
                return await self._by_session(digest)
            case _:
                return await self._by_token(digest)

    async def _by_session(self, digest: bytes) -> Principal:
        found = await browser_sessions.callers.one(self._database.reader, digest)
        if found is None:
            raise Unauthorized
        if found.worth_noting:
            self._session_uses.note(digest)
        return found.principal

    async def _by_key(self, digest: bytes) -> Principal:
        row = await _keys.one(self._database.reader, digest)
        if row is None:
            raise Unauthorized
        if row.worth_noting:
            self._key_uses.note(digest)
        scopes = None if row.scopes is None else frozenset(row.scopes)
        return Principal(
            id=f"key:{row.id}",
            name=row.name,
            scopes=scopes,
            limits=limits.of_json(row.limits),
            rates=row.rates,
        )

    async def _by_token(self, digest: bytes) -> Principal:
        row = await _tokens.one(self._database.reader, digest)
        if row is None:
            raise Unauthorized
        return Principal(
            id=f"user:{row.user_id}",
            name=row.name,
            scopes=PLAYER_SCOPES.union(
                ["users.query", "logs.read"] if row.user_query else [],
                ["users.manage"] if row.user_management else [],
                ["users.personal"] if row.personal_information else [],
                ["commands"] if row.kick else [],
            ),
            user_id=row.user_id,
        )


class KeyRow(Struct, frozen=True):
    id: UUID
    name: str
    scopes: list[str] | None
    limits: dict[str, int]
    rates: str | None
    worth_noting: bool


class TokenRow(Struct, frozen=True):
    user_id: UUID
    name: str
    user_query: bool
    user_management: bool
    personal_information: bool
    kick: bool


@batched_query
async def _keys(reader: Reader, digests: Sequence[bytes]) -> dict[bytes, KeyRow]:
    rows = await reader.rows(
        """
        SELECT hash, id, name, scopes, limits, rates,
               -- Kept to the minute: a write for each call would cost more than the call.
               coalesce(used_at < statement_timestamp() - interval '1 minute', true) AS worth_noting
          FROM api_keys
         WHERE hash = ANY($1) AND revoked_at IS NULL AND expires_at > statement_timestamp()
        """,
        list(digests),
    )
    return {row[0]: KeyRow(*row[1:]) for row in rows}


@batched_query
async def _tokens(reader: Reader, digests: Sequence[bytes]) -> dict[bytes, TokenRow]:
    # LATERAL with LIMIT finds each row by its primary key, also if the statement was planned while
    # the tables were empty.
    rows = await reader.rows(
        f"""
        SELECT token.hash, owner.*
          FROM unnest($1::bytea[]) AS asked (hash)
         CROSS JOIN LATERAL (
               SELECT hash, user_id, family_id
                 FROM access_tokens
                WHERE access_tokens.hash = asked.hash AND expires_at > statement_timestamp()
                LIMIT 1) AS token
         CROSS JOIN LATERAL (
               SELECT 1
                 FROM token_families
                WHERE token_families.user_id = token.user_id AND token_families.id = token.family_id
                  AND revoked_at IS NULL AND expires_at > statement_timestamp()
                  AND {FAMILY_ALLOWED}
                LIMIT 1) AS family
         CROSS JOIN LATERAL (
               SELECT users.id, users.name, user_query, user_management, personal_information, kick
                 FROM users
                WHERE users.id = token.user_id AND users.api
                  -- Also a ban that began after the sign-in, without any job.
                  AND NOT {BANNED}
                LIMIT 1) AS owner
        """,
        list(digests),
    )
    return {row[0]: TokenRow(*row[1:]) for row in rows}
