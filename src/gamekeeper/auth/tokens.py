"""
Access and refresh tokens (OAuth 2.0), with refresh token rotation and reuse detection.

A sign-in begins a token family, or shares one if its account has many. Access tokens live
for days, because existing clients do not renew them, and can be revoked within seconds. A
refresh token is valid for one exchange. Reuse of a refresh token means that two parties
hold it, so the whole family is revoked.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from msgspec import Struct

from gamekeeper.auth import credentials, shared_sign_ins
from gamekeeper.auth.client_traces import NOWHERE, ClientTrace
from gamekeeper.auth.credentials import Tokens
from gamekeeper.auth.shared_sign_ins import FirstRefresh, SharedOrder, Sharing
from gamekeeper.core.errors import NotFound, Problem
from gamekeeper.db.database import Reader, Writer
from gamekeeper.db.operations import operation
from gamekeeper.sanctions.access_bans import FAMILY_ALLOWED
from gamekeeper.sanctions.in_force import BANNED, banned_accounts


class InvalidGrant(Problem):
    """The credentials are wrong, expired or already used."""


class TokenNotFound(NotFound):
    """The account has no active token with this id."""


class SignIn(Struct, frozen=True, kw_only=True):
    """A user whose password was verified, and the record it was verified against."""

    user_id: UUID
    sealed: str | None
    sharing: Sharing | None = None
    """Without it, the sign-in has a family of its own, however many there are."""
    trace: ClientTrace = NOWHERE

    def __repr__(self) -> str:
        return f"SignIn({self.user_id})"


class Family(Struct, frozen=True, kw_only=True):
    user_id: UUID
    family_id: UUID


MOST_FAMILIES = 32
"""Live families of one account; sign-ins beyond share one for each source."""

CARRIED = ("api", "user_query", "user_management", "personal_information", "kick")
"""The powers that an account's tokens grant."""


def weakened(before: Mapping[str, bool], after: Mapping[str, bool]) -> bool:
    """
    Whether powers that tokens grant were withdrawn: then those tokens must be revoked.

    A token that was only suspended would work again, whoever holds it, once the power is back.
    """
    return any(before[power] and not after[power] for power in CARRIED)


@operation
async def issue(writer: Writer, commands: Sequence[SignIn]) -> list[Tokens | Problem]:
    """Begin a family for each, unless password, power or a ban changed since verification."""
    # FOR SHARE blocks a concurrent withdrawal of powers, which would miss the new family.
    may = await writer.rows(
        "SELECT id FROM users WHERE id = ANY($1) AND api ORDER BY id FOR SHARE",
        [command.user_id for command in commands],
    )
    # Read after the lock: a ban that this sign-in waited for would not be seen before it.
    able = {row["id"] for row in may} - await banned_accounts(writer, [row["id"] for row in may])
    rows = await writer.rows(
        "SELECT user_id, sealed FROM passwords WHERE user_id = ANY($1) FOR SHARE",
        [command.user_id for command in commands],
    )
    sealed = {row["user_id"]: row["sealed"] for row in rows}
    good = [
        place
        for place, command in enumerate(commands)
        if command.user_id in able and sealed.get(command.user_id) == command.sealed
    ]
    shared = await _share(writer, [commands[place] for place in good])
    own = [place for place, tokens in zip(good, shared, strict=True) if tokens is None]
    starts = [commands[place] for place in own]
    begun = await _begin(writer, [(start.user_id, start.trace) for start in starts])
    made = dict(zip(own, begun, strict=True))
    made |= {place: tokens for place, tokens in zip(good, shared, strict=True) if tokens}
    return [made.get(place) or InvalidGrant() for place in range(len(commands))]


async def _begin(writer: Writer, begun: Sequence[tuple[UUID, ClientTrace]]) -> list[Tokens]:
    """Begin a family for each user."""
    families = [Family(user_id=user, family_id=uuid4()) for user, _ in begun]
    rows = await writer.rows(
        """
        INSERT INTO token_families (user_id, id, expires_at, address, device)
        SELECT user_id, id, now() + make_interval(days => $3), address::inet, device
          FROM unnest($1::uuid[], $2::uuid[], $4::text[], $5::uuid[])
               AS begun (user_id, id, address, device)
        RETURNING id, expires_at
        """,
        [user for user, _ in begun],
        [family.family_id for family in families],
        writer.settings.session_days,
        [trace.address for _, trace in begun],
        [trace.device for _, trace in begun],
    )
    return await _tokens(writer, families, {row["id"]: row["expires_at"] for row in rows})


async def _share(writer: Writer, commands: Sequence[SignIn]) -> list[Tokens | None]:
    """The tokens of a shared family for each sign-in of an account that has many, else None."""
    rows = await writer.rows(
        """
        SELECT user_id, count(*) AS families
          FROM token_families
         WHERE user_id = ANY($1) AND revoked_at IS NULL AND expires_at > statement_timestamp()
           AND shared_key IS NULL
         GROUP BY user_id
        """,
        [command.user_id for command in commands if command.sharing],
    )
    families = Counter({row["user_id"]: row["families"] for row in rows})
    wanted: dict[int, SharedOrder] = {}
    for place, command in enumerate(commands):
        if command.sharing and families[command.user_id] >= MOST_FAMILIES:
            wanted[place] = SharedOrder(
                user_id=command.user_id, sealed=command.sealed, sharing=command.sharing
            )
        families[command.user_id] += 1
    given = await shared_sign_ins.claim(writer, list(wanted.values()))
    made = dict(zip(wanted, given, strict=True))
    return [made.get(place) for place in range(len(commands))]


@operation
async def refresh(writer: Writer, commands: Sequence[str]) -> list[Tokens | Problem]:
    """Exchange each refresh token, once, for new tokens of the same family."""
    digests = [credentials.digest(token) for token in commands]
    rows = await writer.rows(
        """
        SELECT hash, user_id, family_id, used_at IS NOT NULL AS used,
               expires_at > statement_timestamp() AS fresh
          FROM refresh_tokens
         WHERE hash = ANY($1)
         ORDER BY hash
           FOR NO KEY UPDATE
        """,
        digests,
    )
    # A refresh token that comes twice has two holders, one of them a thief: end the whole family
    # (RFC 9700, 4.14.2), before the live families are read, so that it is not among them.
    stolen = [row for row in rows if row["used"] or digests.count(row["hash"]) > 1]
    await _end(writer, [row["family_id"] for row in stolen], [row["user_id"] for row in stolen])
    alive = await _alive(writer, [row["user_id"] for row in rows])
    good = [row for row in rows if row["fresh"] and row["family_id"] in alive]
    await writer.run(
        "UPDATE refresh_tokens SET used_at = now() WHERE hash = ANY($1)",
        [row["hash"] for row in good],
    )
    families = [Family(user_id=row["user_id"], family_id=row["family_id"]) for row in good]
    made = await _tokens(writer, families, alive)
    fresh = dict(zip([row["hash"] for row in good], made, strict=True))
    return [fresh.get(digest) or InvalidGrant() for digest in digests]


@operation
async def refresh_shared(
    writer: Writer, commands: Sequence[FirstRefresh]
) -> list[Tokens | Problem]:
    """Exchange each refresh token of a shared sign-in, once, for tokens of a family of its own."""
    users = [command.user_id for command in commands]
    # Blocks a concurrent end of all families, which would miss those begun here.
    await writer.rows("SELECT FROM users WHERE id = ANY($1) ORDER BY id FOR SHARE", users)
    await writer.rows(
        """
        SELECT FROM token_families WHERE user_id = ANY($1) AND id = ANY($2)
         ORDER BY user_id, id FOR NO KEY UPDATE
        """,
        users,
        [command.family_id for command in commands],
    )
    hashes = [command.hash for command in commands]
    used = await writer.rows(
        "SELECT hash, user_id, family_id FROM refresh_tokens WHERE hash = ANY($1)", hashes
    )
    known = {row["hash"] for row in used}
    stolen = [o for o in commands if o.hash in known or hashes.count(o.hash) > 1]
    await _end(
        writer,
        [row["family_id"] for row in used] + [command.family_id for command in stolen],
        [row["user_id"] for row in used] + [command.user_id for command in stolen],
    )
    alive = await _alive(writer, users)
    good = [command for command in commands if command.family_id in alive and command not in stolen]
    made = await _begin(writer, [(command.user_id, NOWHERE) for command in good])
    await _record_use(writer, good, made, alive)
    fresh = {command.hash: tokens for command, tokens in zip(good, made, strict=True)}
    return [fresh.get(command.hash) or InvalidGrant() for command in commands]


async def _record_use(
    writer: Writer,
    commands: Sequence[FirstRefresh],
    made: Sequence[Tokens],
    alive: Mapping[UUID, datetime],
) -> None:
    """Store the refresh tokens as used, in the family that each began; a second use ends it."""
    await writer.run(
        """
        INSERT INTO refresh_tokens (hash, user_id, family_id, expires_at, used_at)
        SELECT *, now() FROM unnest($1::bytea[], $2::uuid[], $3::uuid[], $4::timestamptz[])
        """,
        [command.hash for command in commands],
        [command.user_id for command in commands],
        [tokens.family_id for tokens in made],
        [alive[command.family_id] for command in commands],
    )


async def _alive(writer: Writer, users: list[UUID]) -> dict[UUID, datetime]:
    """The live families of those whom no ban stops and who have the Api power; their ends."""
    rows = await writer.rows(
        f"""
        SELECT token_families.id, expires_at
          FROM token_families JOIN users ON users.id = token_families.user_id
         WHERE token_families.user_id = ANY($1)
           AND expires_at > statement_timestamp() AND revoked_at IS NULL
           AND users.api AND NOT {BANNED} AND {FAMILY_ALLOWED}
        """,
        users,
    )
    return {row["id"]: row["expires_at"] for row in rows}


async def _tokens(
    writer: Writer, families: Sequence[Family], ends: Mapping[UUID, datetime]
) -> list[Tokens]:
    """New tokens of families that end then; no access token lives longer than its family."""
    access = [credentials.new_credential("gka") for _ in families]
    renewal = [credentials.new_credential("gkr") for _ in families]
    now: datetime = await writer.value("SELECT now()")
    longest = now + timedelta(seconds=writer.settings.access_token_seconds)
    until = [min(longest, ends[family.family_id]) for family in families]
    await writer.run(
        """
        WITH given AS (
            SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::bytea[],
                                 $5::timestamptz[])
                       AS given (user_id, family_id, access, renewal, until)
        ), renewed AS (
            INSERT INTO refresh_tokens (hash, user_id, family_id, expires_at)
            SELECT renewal, user_id, family_id, now() + make_interval(days => $6) FROM given
        )
        INSERT INTO access_tokens (hash, user_id, family_id, expires_at)
        SELECT access, user_id, family_id, until FROM given
        """,
        [family.user_id for family in families],
        [family.family_id for family in families],
        [credentials.digest(token) for token in access],
        [credentials.digest(token) for token in renewal],
        until,
        writer.settings.refresh_token_days,
    )
    return [
        Tokens(
            access=access[position],
            refresh=renewal[position],
            family_id=family.family_id,
            issued_at=now,
            expires_at=until[position],
        )
        for position, family in enumerate(families)
    ]


@operation
async def forget(writer: Writer, commands: Sequence[str]) -> list[Problem | None]:
    """Revoke the family of each access or refresh token (RFC 7009); unknown ones are no error."""
    rows = await writer.rows(
        """
        SELECT user_id, family_id FROM access_tokens WHERE hash = ANY($1)
        UNION SELECT user_id, family_id FROM refresh_tokens WHERE hash = ANY($1)
        """,
        [credentials.digest(token) for token in commands],
    )
    await _end(writer, [row["family_id"] for row in rows], [row["user_id"] for row in rows])
    return [None for _ in commands]


@operation
async def end(writer: Writer, commands: Sequence[Family]) -> list[Problem | None]:
    """Revoke single families, each of the user named."""
    ended = await _end(
        writer,
        [command.family_id for command in commands],
        [command.user_id for command in commands],
    )
    return [None if command.family_id in ended else TokenNotFound() for command in commands]


@operation
async def end_all(writer: Writer, commands: Sequence[UUID]) -> list[int | Problem]:
    """Revoke all live families of each user; the outcome is how many."""
    # Waits for a sign-in or an exchange that is about to begin a family.
    await writer.rows(
        "SELECT FROM users WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE", list(commands)
    )
    rows = await writer.rows(
        """
        UPDATE token_families SET revoked_at = now()
         WHERE user_id = ANY($1) AND revoked_at IS NULL AND expires_at > statement_timestamp()
        RETURNING user_id
        """,
        list(commands),
    )
    users = [row["user_id"] for row in rows]
    return [users.count(user) for user in commands]


async def family_of(reader: Reader, refresh_token: str) -> Family | None:
    """The family of a stored refresh token."""
    return await reader.one(
        Family,
        "SELECT user_id, family_id FROM refresh_tokens WHERE hash = $1",
        credentials.digest(refresh_token),
    )


async def _end(writer: Writer, families: list[UUID], users: list[UUID]) -> set[UUID]:
    rows = await writer.rows(
        """
        UPDATE token_families SET revoked_at = now()
         WHERE user_id = ANY($1)
           AND (user_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
           AND revoked_at IS NULL AND expires_at > statement_timestamp()
        RETURNING id
        """,
        users,
        families,
    )
    return {row["id"] for row in rows}
