"""API keys for websites, bots and game servers: shown once, stored as a hash."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth import credentials
from gamekeeper.auth.principal import SCOPES
from gamekeeper.core.errors import Invalid, NotFound, Problem
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Reader, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action


class UnknownScope(Invalid):
    """There is no such scope."""


class KeyNotFound(NotFound):
    """No key has that name or id."""


class InvalidKeyName(Invalid):
    """A key's name has 1 to 64 characters."""


class NewKey(Command, frozen=True, kw_only=True):
    name: str
    scopes: tuple[str, ...] | None = None
    """None: all scopes."""
    days: int | None = None
    """Days until it expires; None: valid until revoked."""


class Revocation(Command, frozen=True, kw_only=True):
    key: str
    """The key's name or id."""


class ApiKey(Struct, frozen=True, kw_only=True):
    id: UUID
    name: str
    scopes: list[str] | None
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None
    revoked_at: datetime | None


@operation
async def create(writer: Writer, commands: Sequence[NewKey]) -> list[Hidden | Problem]:
    """Create keys. The outcome is the key itself, which cannot be shown again."""
    keys = [credentials.new_credential("gk") for _ in commands]
    outcomes: list[Hidden | Problem] = [
        _unknown(command) or key for command, key in zip(commands, keys, strict=True)
    ]
    await writer.run(
        """
        INSERT INTO api_keys (hash, name, scopes, expires_at)
        SELECT hash, name, string_to_array(scopes, ' '),
               coalesce(now() + make_interval(days => days), 'infinity')
          FROM unnest($1::bytea[], $2::text[], $3::text[], $4::int[], $5::boolean[])
               AS made (hash, name, scopes, days, wanted)
         WHERE wanted
        """,
        [credentials.digest(key) for key in keys],
        [command.name for command in commands],
        [
            None if command.scopes is None else " ".join(command.scopes).lower()
            for command in commands
        ],
        [command.days for command in commands],
        [not isinstance(outcome, Problem) for outcome in outcomes],
    )
    await actions.record(
        writer,
        [
            Action(
                kind="keys.create",
                by=command.by,
                after={
                    "name": command.name,
                    "scopes": command.scopes,
                    "days": command.days,
                    "fingerprint": _fingerprint(outcome),
                },
            )
            for command, outcome in zip(commands, outcomes, strict=True)
            if not isinstance(outcome, Problem)
        ],
    )
    return outcomes


def _fingerprint(key: Hidden) -> str:
    """Identify the key that an action created: a hash of the stored hash, useless as a secret."""
    return hashlib.sha256(credentials.digest(key)).hexdigest()[:32]


def _unknown(command: NewKey) -> Problem | None:
    if not 1 <= len(command.name) <= 64 or "\0" in command.name:
        return InvalidKeyName()
    unknown = sorted({scope.lower() for scope in command.scopes or ()} - SCOPES.keys())
    if not unknown:
        return None
    return UnknownScope(
        f"There is no scope '{unknown[0]}'. There are: {', '.join(sorted(SCOPES))}."
    )


async def list_keys(reader: Reader) -> list[ApiKey]:
    return await reader.all(
        ApiKey,
        """
        SELECT id, name, scopes, created_at, expires_at, used_at, revoked_at
          FROM api_keys
         ORDER BY created_at, id
        """,
    )


@operation
async def revoke(writer: Writer, commands: Sequence[Revocation]) -> list[int | Problem]:
    """Revoke keys, each by its name or id; the outcome is how many matched."""
    rows = await writer.rows(
        """
        UPDATE api_keys SET revoked_at = now()
         WHERE revoked_at IS NULL AND (name = ANY($1) OR id::text = ANY($1))
        RETURNING name, id::text
        """,
        [command.key for command in commands],
    )
    ended = [
        [row for row in rows if command.key in (row["name"], row["id"])] for command in commands
    ]
    await actions.record(
        writer,
        [
            Action(kind="keys.revoke", by=command.by, before=dict(row))
            for command, theirs in zip(commands, ended, strict=True)
            for row in theirs
        ],
    )
    return [
        len(theirs)
        or KeyNotFound(f"No live key is called '{command.key}'; see gamekeeper keys list.")
        for command, theirs in zip(commands, ended, strict=True)
    ]
