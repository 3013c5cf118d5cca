"""
Sign-ins of an account: with a browser, as the audit log has them, and for tokens.

Refused attempts are not among them: they are counted and fade (auth/login_throttle.py), and who
tried from where is not stored. A sign-in for tokens is kept until a day after it expired.
"""

import base64
import binascii
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from msgspec import Struct, structs

from gamekeeper.core.errors import InvalidQuery
from gamekeeper.core.schemas import LARGEST_PAGE, Instant, Record
from gamekeeper.db.database import Reader
from gamekeeper.ledger.audit_log import CLOCK_SKEW, MAX_ID, earliest
from gamekeeper.users.lookup import find_user_id

EPOCH = datetime.fromtimestamp(0, UTC)
WHOLE = 24
"""Bytes of a cursor: the microseconds and the id of the last one shown."""


class SignInRecord(Record, frozen=True):
    """A sign-in: of a browser, or for tokens."""

    kind: Literal["session", "token"]
    """`session`: with a browser; `token`: by `/api/oauth/token`."""
    id: UUID
    """Of the session, or the `token_id` that came with the tokens."""
    at: Instant
    method: str | None = None
    """`password`, `identity`, `totp`, `passkey` or `recovery`."""
    address: str | None = None
    """The address of the browser; null for tokens, and for callers without `users.personal`."""
    user_agent: str | None = None
    """The user agent of the browser; null for tokens."""
    is_shared: bool = False
    """Whether later ones for tokens by the same client count as this one."""
    expires_at: Instant | None = None
    """When its tokens expire; null for a browser."""
    ended_at: Instant | None = None
    """The time it was ended; null if it was not."""


class SignIns(Record, frozen=True):
    values: list[SignInRecord]
    next: str | None
    """The `cursor` of the next page; null on the last page."""


class SignInPosition(Struct, frozen=True, order=True):
    """Where a page begins: two sign-ins may be of the same instant."""

    at: datetime
    id: UUID

    @classmethod
    def of(cls, cursor: str | None) -> "SignInPosition":
        if not cursor:
            return cls(datetime.max.replace(tzinfo=UTC), MAX_ID)
        try:
            raw = base64.b64decode(cursor, altchars=b"-_", validate=True)
            at = EPOCH + timedelta(microseconds=int.from_bytes(raw[: WHOLE - 16]))
            return cls(at, UUID(bytes=raw[WHOLE - 16 :]))
        except (ValueError, OverflowError, binascii.Error):
            message = "'cursor' must be the 'Next' of an answer."
            raise InvalidQuery(message, field="cursor") from None

    @property
    def cursor(self) -> str:
        microseconds = (self.at - EPOCH) // timedelta(microseconds=1)
        raw = microseconds.to_bytes(WHOLE - 16) + self.id.bytes
        return base64.urlsafe_b64encode(raw).decode()


async def list_sign_ins(
    reader: Reader, key: str, cursor: str | None, limit: int, *, addresses: bool
) -> SignIns:
    """A page of an account's sign-ins, newest first; without `addresses`, from nowhere."""
    limit, place = max(1, min(limit, LARGEST_PAGE)), SignInPosition.of(cursor)
    user = await find_user_id(reader, key)
    found = [
        *await _sessions(reader, user, place, limit + 1),
        *await _tokens(reader, user, place, limit + 1),
    ]
    found.sort(key=lambda one: SignInPosition(one.at, one.id), reverse=True)
    shown = await _with_ends(reader, user, found[:limit])
    if not addresses:
        shown = [structs.replace(record, address=None) for record in shown]
    last = shown[-1] if len(found) > limit else None
    return SignIns(values=shown, next=SignInPosition(last.at, last.id).cursor if last else None)


async def _sessions(
    reader: Reader, user: UUID, place: SignInPosition, most: int
) -> list[SignInRecord]:
    rows = await reader.rows(
        """
        SELECT (after ->> 'session')::uuid AS id, at, after ->> 'method' AS method, address,
               after ->> 'user_agent' AS user_agent
          FROM actions
         WHERE user_id = $1 AND kind = 'sessions.start' AND id < $2
           AND (at, (after ->> 'session')::uuid) < ($3, $4)
         ORDER BY at DESC, (after ->> 'session')::uuid DESC
         LIMIT $5
        """,
        user,
        earliest(place.at, MAX_ID, CLOCK_SKEW),
        place.at,
        place.id,
        most,
    )
    return [SignInRecord(kind="session", **dict(row)) for row in rows]


async def _tokens(
    reader: Reader, user: UUID, place: SignInPosition, most: int
) -> list[SignInRecord]:
    rows = await reader.rows(
        """
        SELECT id, created_at AS at,
               CASE WHEN identity_id IS NULL THEN 'password' ELSE 'identity' END AS method,
               shared_key IS NOT NULL AS is_shared, expires_at,
               revoked_at AS ended_at
          FROM token_families
         WHERE user_id = $1 AND (created_at, id) < ($2, $3)
         ORDER BY created_at DESC, id DESC
         LIMIT $4
        """,
        user,
        place.at,
        place.id,
        most,
    )
    return [SignInRecord(kind="token", **dict(row)) for row in rows]


async def _with_ends(
    reader: Reader, user: UUID, found: Sequence[SignInRecord]
) -> list[SignInRecord]:
    """The sign-ins, those of browsers with when they were ended, if somebody did."""
    began = [record.at for record in found if record.kind == "session"]
    if not began:
        return list(found)
    rows: list[Any] = await reader.rows(
        """
        SELECT (before ->> 'session')::uuid AS id, min(at) AS at
          FROM actions
         WHERE user_id = $1 AND kind = 'sessions.end' AND id >= $2
           AND (before ->> 'session')::uuid = ANY($3)
         GROUP BY 1
        """,
        user,
        earliest(min(began), None, -CLOCK_SKEW),
        [record.id for record in found if record.kind == "session"],
    )
    ends = {row["id"]: row["at"] for row in rows}
    return [
        structs.replace(record, ended_at=ends.get(record.id))
        if record.kind == "session"
        else record
        for record in found
    ]
