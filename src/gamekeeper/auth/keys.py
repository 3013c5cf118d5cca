"""API keys for websites, bots and game servers: shown once, stored as a hash."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

import msgspec
from msgspec import Struct

from gamekeeper.auth import credentials, limits
from gamekeeper.auth.limits import Limits
from gamekeeper.auth.principal import SCOPES
from gamekeeper.core import rates
from gamekeeper.core.errors import Conflict, Invalid, NotFound, Problem
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Reader, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action


class UnknownScope(Invalid):
    """The scope does not exist."""


class KeyNotFound(NotFound):
    """No key has that name or id."""


class KeyNameTaken(Conflict):
    """An active key already has this name."""


class InvalidKeyName(Invalid):
    """The name of a key must have 1 to 64 characters."""


class InvalidKeyRates(Invalid):
    """Rate limits must look like 'read 600/minute, write 100/second'."""


class NewKey(Command, frozen=True, kw_only=True):
    name: str
    scopes: tuple[str, ...] | None = None
    """None: all scopes."""
    days: int | None = None
    """Days until it expires; None: valid until revoked."""
    unique: bool = False
    """Whether to refuse it if an active key has this name."""
    grace_hours: int | None = None
    """Rotation: live keys of that name expire this many hours later; None: they stay."""
    limits: Limits | None = None
    """Limits on giving and undoing; None: no limits."""
    rates: str | None = None
    """The rate limits of this caller (core/rates.py); None: those of the settings."""
    secret: Hidden = msgspec.field(default_factory=lambda: credentials.new_credential("gk"))
    """The key itself."""


class Revocation(Command, frozen=True, kw_only=True):
    key: str
    """The key's name or id."""


class ApiKey(Struct, frozen=True, kw_only=True):
    id: UUID
    name: str
    scopes: list[str] | None
    limits: dict[str, int]
    """Only what is limited."""
    rates: str | None
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None
    revoked_at: datetime | None


@operation
async def create(writer: Writer, commands: Sequence[NewKey]) -> list[Hidden | Problem]:
    """Create keys. The outcome is the key itself, which cannot be shown again."""
    taken = await _taken(writer, [command.name for command in commands if command.unique])
    outcomes = [_judged(command, taken) for command in commands]
    ended = [
        await _end_others(writer, command) if not isinstance(outcome, Problem) else []
        for command, outcome in zip(commands, outcomes, strict=True)
    ]
    await writer.run(
        """
        INSERT INTO api_keys (hash, name, scopes, expires_at, limits, rates, created_by)
        SELECT hash, name, string_to_array(scopes, ' '),
               coalesce(now() + make_interval(days => days), 'infinity'), limits::jsonb,
               rates, created_by
          FROM unnest($1::bytea[], $2::text[], $3::text[], $4::int[], $5::text[], $6::boolean[],
                      $7::text[], $8::text[])
               AS made (hash, name, scopes, days, limits, wanted, created_by, rates)
         WHERE wanted
        """,
        [credentials.digest(command.secret) for command in commands],
        [command.name for command in commands],
        [
            None if command.scopes is None else " ".join(command.scopes).lower()
            for command in commands
        ],
        [command.days for command in commands],
        [msgspec.json.encode(limits.as_json(command.limits)).decode() for command in commands],
        [not isinstance(outcome, Problem) for outcome in outcomes],
        [command.by.actor for command in commands],
        [command.rates for command in commands],
    )
    await actions.record(
        writer,
        [
            _creation(command, outcome, others)
            for command, outcome, others in zip(commands, outcomes, ended, strict=True)
            if not isinstance(outcome, Problem)
        ],
    )
    return outcomes


def _judged(command: NewKey, taken: set[str]) -> Hidden | Problem:
    """The key, or why there will be none; adds its name to those that are taken."""
    if refusal := _unknown(command):
        return refusal
    if command.unique and command.name in taken:
        return _duplicate(command)
    taken.add(command.name)
    return command.secret


def _creation(command: NewKey, key: Hidden, ended: list[dict[str, Any]]) -> Action:
    about = {
        "name": command.name,
        "scopes": command.scopes,
        "days": command.days,
        "fingerprint": _fingerprint(key),
    }
    amounts = limits.as_json(command.limits)
    limited: dict[str, object] = {"limits": amounts} if amounts else {}
    if command.rates is not None:
        limited["rates"] = command.rates
    ends = {"ends": ended} if ended else {}
    return Action(kind="keys.create", by=command.by, after=about | limited | ends)


async def _taken(writer: Writer, names: Sequence[str]) -> set[str]:
    """Those of the names that live keys have; locked, so that two at once do not both get one."""
    if not names:
        return set()
    # In the order of the names: two requests that share some must not deadlock.
    await writer.run(
        """
        SELECT pg_advisory_xact_lock(hashtextextended('key ' || name, 0))
          FROM (SELECT DISTINCT unnest($1::text[]) AS name ORDER BY name) AS wanted
        """,
        # PostgreSQL takes no NUL in text; such a name is refused later.
        [name.replace("\0", "") for name in names],
    )
    rows = await writer.rows(f"SELECT name FROM api_keys WHERE {LIVE} AND name = ANY($1)", names)
    return {row["name"] for row in rows}


LIVE: LiteralString = "revoked_at IS NULL AND expires_at > statement_timestamp()"


def _duplicate(command: NewKey) -> KeyNameTaken:
    return KeyNameTaken(
        f"An active key is already called '{command.name}'. To replace it, use --rotate: the old "
        "key stays valid for one more day."
    )


async def _end_others(writer: Writer, command: NewKey) -> list[dict[str, Any]]:
    """
    Let the live keys of that name expire after the grace period; return which, and when.

    The whole days for which a key was made are recorded, since the ledger's invariant compares
    them. A key that ends already has no whole hours, and keeps its end.
    """
    if command.grace_hours is None:
        return []
    rows = await writer.rows(
        f"""
        UPDATE api_keys SET expires_at = now() + make_interval(hours => $2)
          FROM (SELECT hash, CASE WHEN expires_at <> 'infinity' THEN
                       round(extract(epoch FROM expires_at - created_at) / 86400)::int END AS days
                  FROM api_keys
                 WHERE {LIVE} AND name = $1
                   AND expires_at > statement_timestamp() + make_interval(hours => $2)
                   AND (expires_at = 'infinity'
                        OR extract(epoch FROM expires_at - created_at)::numeric % 3600 = 0)
                   FOR UPDATE) AS old
         WHERE api_keys.hash = old.hash
        RETURNING id::text, expires_at::text AS at, days
        """,
        command.name,
        command.grace_hours,
    )
    return [dict(row) for row in rows]


def _fingerprint(key: Hidden) -> str:
    """Identify the key that an action created: a hash of the stored hash, useless as a secret."""
    return hashlib.sha256(credentials.digest(key)).hexdigest()[:32]


def _unknown(command: NewKey) -> Problem | None:
    if not 1 <= len(command.name) <= 64 or "\0" in command.name:
        return InvalidKeyName()
    if command.rates is not None and not _are_rates(command.rates):
        return InvalidKeyRates(f"The rate limits of a key must be {rates.ALLOWED}.")
    unknown = sorted({scope.lower() for scope in command.scopes or ()} - SCOPES.keys())
    if not unknown:
        return None
    return UnknownScope(
        f"There is no scope '{unknown[0]}'. Choose one of: {', '.join(sorted(SCOPES))}."
    )


def _are_rates(words: str) -> bool:
    return (
        1 <= len(words) <= rates.MAX_RATES_LENGTH
        and rates.is_right(words)
        and bool(rates.parse(words))
    )


async def list_keys(reader: Reader) -> list[ApiKey]:
    return await reader.all(
        ApiKey,
        """
        SELECT id, name, scopes, limits, rates, created_at, expires_at, used_at, revoked_at
          FROM api_keys
         ORDER BY created_at, id
        """,
    )


@operation
async def revoke(writer: Writer, commands: Sequence[Revocation]) -> list[int | Problem]:
    """Revoke keys, each by its name or id; the outcome is how many matched."""
    found = await writer.rows(
        """
        SELECT name, id::text FROM api_keys
         WHERE revoked_at IS NULL AND (name = ANY($1) OR id::text = ANY($1))
        """,
        [command.key for command in commands],
    )
    ended_now = await end(writer, [UUID(row["id"]) for row in found])
    rows = [row for row in found if UUID(row["id"]) in ended_now]
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
        or KeyNotFound(f"No active key is called '{command.key}'; see gamekeeper keys list.")
        for command, theirs in zip(commands, ended, strict=True)
    ]


async def end(writer: Writer, ids: Sequence[UUID]) -> set[UUID]:
    """Revoke the live ones of these keys; returns which they were."""
    # A function of the owner: who serves may revoke a key, but not bring one back.
    rows = await writer.rows("SELECT id FROM revoke_api_keys($1) AS id", list(ids))
    return {row["id"] for row in rows}
