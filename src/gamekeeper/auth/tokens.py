"""
Access and refresh tokens (OAuth 2.0), with refresh token rotation and reuse detection.

A sign-in begins a token family. Its access tokens live for minutes; its refresh token
is valid for one exchange. Reuse of a refresh token means that two parties hold it, so
the whole family is revoked.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from msgspec import Struct

from gamekeeper.auth import credentials
from gamekeeper.core.errors import NotFound, Problem
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import operation


class InvalidGrant(Problem):
    """The credentials are wrong, expired or already used."""


class TokenNotFound(NotFound):
    """That account has no such live token."""


class Tokens(Struct, frozen=True, kw_only=True):
    access: Hidden
    refresh: Hidden
    family_id: UUID
    issued_at: datetime
    expires_at: datetime


class SignIn(Struct, frozen=True, kw_only=True):
    """A user whose password was verified, and the record it was verified against."""

    user_id: UUID
    sealed: str | None

    def __repr__(self) -> str:
        return f"SignIn({self.user_id})"


class Family(Struct, frozen=True, kw_only=True):
    user_id: UUID
    family_id: UUID


CARRIED = ("api", "user_query", "user_management", "personal_information")
"""The powers that an account's tokens grant."""


def weakened(before: Mapping[str, bool], after: Mapping[str, bool]) -> bool:
    """
    Whether powers that tokens grant were withdrawn: then those tokens must be revoked.

    A token that was only suspended would work again, whoever holds it, once the power is back.
    """
    return any(before[power] and not after[power] for power in CARRIED)


@operation
async def issue(writer: Writer, commands: Sequence[SignIn]) -> list[Tokens | Problem]:
    """Begin a family for each user, unless password or power changed since verification."""
    # FOR SHARE blocks a concurrent withdrawal of powers, which would miss the new family.
    may = await writer.rows(
        "SELECT id FROM users WHERE id = ANY($1) AND api ORDER BY id FOR SHARE",
        [command.user_id for command in commands],
    )
    able = {row["id"] for row in may}
    rows = await writer.rows(
        "SELECT user_id, sealed FROM passwords WHERE user_id = ANY($1) FOR SHARE",
        [command.user_id for command in commands],
    )
    sealed = {row["user_id"]: row["sealed"] for row in rows}
    good = [
        command
        for command in commands
        if command.user_id in able and sealed.get(command.user_id) == command.sealed
    ]
    families = [Family(user_id=command.user_id, family_id=uuid4()) for command in good]
    await writer.run(
        """
        INSERT INTO token_families (user_id, id, expires_at)
        SELECT user_id, id, now() + make_interval(days => $3)
          FROM unnest($1::uuid[], $2::uuid[]) AS begun (user_id, id)
        """,
        [family.user_id for family in families],
        [family.family_id for family in families],
        writer.settings.session_days,
    )
    made = iter(await _tokens(writer, families))
    return [next(made) if command in good else InvalidGrant() for command in commands]


@operation
async def refresh(writer: Writer, commands: Sequence[str]) -> list[Tokens | Problem]:
    """Exchange each refresh token, once, for new tokens of the same family."""
    digests = [credentials.digest(token) for token in commands]
    rows = await writer.rows(
        """
        SELECT hash, user_id, family_id, used_at IS NOT NULL AS used, expires_at > now() AS fresh
          FROM refresh_tokens
         WHERE hash = ANY($1)
         ORDER BY hash
           FOR NO KEY UPDATE
        """,
        digests,
    )
    stolen = [row for row in rows if row["used"] or digests.count(row["hash"]) > 1]
    await _end(writer, [row["family_id"] for row in stolen], [row["user_id"] for row in stolen])
    alive = await _alive(writer, [row["user_id"] for row in rows])
    good = [row for row in rows if row["fresh"] and row["family_id"] in alive]
    await writer.run(
        "UPDATE refresh_tokens SET used_at = now() WHERE hash = ANY($1)",
        [row["hash"] for row in good],
    )
    families = [Family(user_id=row["user_id"], family_id=row["family_id"]) for row in good]
    fresh = dict(zip([row["hash"] for row in good], await _tokens(writer, families), strict=True))
    return [fresh.get(digest) or InvalidGrant() for digest in digests]


async def _alive(writer: Writer, users: list[UUID]) -> set[UUID]:
    """The families of these users that are live and whose account has the Api power."""
    rows = await writer.rows(
        """
        SELECT token_families.id
          FROM token_families JOIN users ON users.id = token_families.user_id
         WHERE token_families.user_id = ANY($1)
           AND expires_at > now() AND revoked_at IS NULL AND users.api
        """,
        users,
    )
    return {row["id"] for row in rows}


async def _tokens(writer: Writer, families: Sequence[Family]) -> list[Tokens]:
    access = [credentials.new_credential("gka") for _ in families]
    renewal = [credentials.new_credential("gkr") for _ in families]
    rows = await writer.rows(
        """
        WITH given AS (
            SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::bytea[])
                       AS given (user_id, family_id, access, renewal)
        ), renewed AS (
            INSERT INTO refresh_tokens (hash, user_id, family_id, expires_at)
            SELECT renewal, user_id, family_id, now() + make_interval(days => $6) FROM given
        )
        INSERT INTO access_tokens (hash, user_id, family_id, expires_at)
        SELECT access, user_id, family_id, now() + make_interval(secs => $5) FROM given
        RETURNING expires_at
        """,
        [family.user_id for family in families],
        [family.family_id for family in families],
        [credentials.digest(token) for token in access],
        [credentials.digest(token) for token in renewal],
        writer.settings.access_token_seconds,
        writer.settings.refresh_token_days,
    )
    lifetime = timedelta(seconds=writer.settings.access_token_seconds)
    return [
        Tokens(
            access=access[position],
            refresh=renewal[position],
            family_id=family.family_id,
            issued_at=rows[position]["expires_at"] - lifetime,
            expires_at=rows[position]["expires_at"],
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
    rows = await writer.rows(
        """
        UPDATE token_families SET revoked_at = now()
         WHERE user_id = ANY($1) AND revoked_at IS NULL AND expires_at > now()
        RETURNING user_id
        """,
        list(commands),
    )
    users = [row["user_id"] for row in rows]
    return [users.count(user) for user in commands]


async def _end(writer: Writer, families: list[UUID], users: list[UUID]) -> set[UUID]:
    rows = await writer.rows(
        """
        UPDATE token_families SET revoked_at = now()
         WHERE user_id = ANY($1)
           AND (user_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
           AND revoked_at IS NULL AND expires_at > now()
        RETURNING id
        """,
        users,
        families,
    )
    return {row["id"] for row in rows}
