"""API keys as callers see them: what each may do, when it was last used, without its secret."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, LiteralString
from uuid import UUID

from gamekeeper.auth import credentials
from gamekeeper.auth.keys import KeyNotFound
from gamekeeper.auth.limits import Amount
from gamekeeper.core.schemas import Instant, Page, Record, Window
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Queryable, Reader, Writer

State = Literal["live", "expired", "revoked"]


class KeyLimits(Record, frozen=True):
    """Daily limits of a key for giving and undoing; null: no limit."""

    pieces_per_day: Amount | None = None
    """Pieces of any one item given per day."""
    value_per_day: Amount | None = None
    """Value given per day, by the values of the catalog."""
    largest_gift: Amount | None = None
    """Pieces given by one change."""
    undos_per_day: Amount | None = None
    """Actions undone per day."""


class KeyRecord(Record, frozen=True):
    """An API key, without its secret."""

    id: UUID
    name: str
    scopes: list[str] | None
    """Null: all permissions; only the command line can create this."""
    limits: KeyLimits
    rates: str | None
    """The rate limits of this key; null: those of the settings."""
    state: State
    """`live`, `expired` or `revoked`."""
    created_at: Instant
    expires_at: Instant | None
    """Null: valid until revoked."""
    used_at: Instant | None
    """The last use, to the minute; null: never used."""
    revoked_at: Instant | None


COLUMNS: LiteralString = """
    id, name, scopes, limits, rates, created_at, used_at, revoked_at,
    CASE WHEN isfinite(expires_at) THEN expires_at END AS expires_at,
    CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
         WHEN expires_at <= statement_timestamp() THEN 'expired'
         ELSE 'live' END AS state
"""


async def list_keys(reader: Reader, window: Window, state: State | None) -> Page[KeyRecord]:
    """The keys, or those in one state, newest first."""
    rows = await reader.rows(
        f"""
        SELECT * FROM (SELECT {COLUMNS} FROM api_keys) AS keys
         WHERE $3::text IS NULL OR state = $3
         ORDER BY created_at DESC, id LIMIT $1 OFFSET $2
        """,
        window.shown,
        window.offset,
        state,
    )
    total = await reader.value(
        f"""
        SELECT count(*) FROM (SELECT {COLUMNS} FROM api_keys) AS keys
         WHERE $1::text IS NULL OR state = $1
        """,
        state,
    )
    return Page.of([_record(row) for row in rows], total, window)


async def find_key(reader: Reader, key: UUID) -> KeyRecord:
    found = await by_id(reader, [key])
    if key not in found:
        raise KeyNotFound(f"No key has the id '{key}'.")
    return found[key]


async def by_id(reader: Queryable, ids: Sequence[UUID]) -> dict[UUID, KeyRecord]:
    rows = await reader.rows(f"SELECT {COLUMNS} FROM api_keys WHERE id = ANY($1)", list(ids))
    return {row["id"]: _record(row) for row in rows}


async def by_secret(writer: Writer, secrets: Sequence[Hidden]) -> dict[Hidden, KeyRecord]:
    rows = await writer.rows(
        f"SELECT hash, {COLUMNS} FROM api_keys WHERE hash = ANY($1)",
        [credentials.digest(secret) for secret in secrets],
    )
    found = {row["hash"]: _record(row) for row in rows}
    known = {secret: found.get(credentials.digest(secret)) for secret in secrets}
    return {secret: record for secret, record in known.items() if record}


def _record(row: Mapping[str, Any]) -> KeyRecord:
    limits = {name: row["limits"].get(name) for name in KeyLimits.__struct_fields__}
    facts: dict[str, Any] = {name: row[name] for name in KeyRecord.__struct_fields__}
    facts["limits"] = KeyLimits(**limits)
    return KeyRecord(**facts)
