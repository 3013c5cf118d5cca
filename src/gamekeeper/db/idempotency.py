"""
Idempotency: replies stored under idempotency keys.

A key is claimed before the work and its reply is stored with the work, in one
transaction: there is never one without the other. After thirty days the body of the
reply is deleted; the record that the work was done stays.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, LiteralString, TypeVar

import asyncpg
import msgspec
from msgspec import Struct

from gamekeeper.core.errors import Conflict, Failure, Invalid, Problem, StoredReply
from gamekeeper.db.arrays import columns
from gamekeeper.db.database import LockedByOther, Queryable, Reader, RetryTransaction, Writer
from gamekeeper.db.queries import batched_query

R = TypeVar("R")

Shape = Callable[[R], Any]
"""Converts the result of an operation to the response that a client sees."""


def identity(result: Any) -> Any:
    return result


class IdempotencyKey(Struct, frozen=True):
    """A caller's key for a request, and the fingerprint of the request."""

    caller: str
    key: str
    fingerprint: bytes


class InvalidIdempotencyKey(Invalid):
    """An Idempotency-Key must have 1 to 255 visible ASCII characters."""


class IdempotencyKeyReused(Problem):
    """This Idempotency-Key was used for another request."""

    status = HTTPStatus.UNPROCESSABLE_ENTITY


class StillRunning(Conflict):
    """A request with this Idempotency-Key is still being processed. Try again."""


class AlreadyDone(Conflict):
    """This request was processed more than thirty days ago. Its response has expired."""


class DuplicateInBatch(Problem):
    """The same key appears earlier in the list."""

    def __init__(self, first: int) -> None:
        super().__init__()
        self.first = first


class PendingReply(Struct, frozen=True):
    """The key of a command, and the conversion of its outcome to the reply."""

    key: IdempotencyKey | None
    request_id: str
    shape: Shape[Any]

    def encoded(self, outcome: object) -> tuple[int, bytes]:
        if isinstance(outcome, Problem):
            failure = Failure.of(outcome, self.request_id)
            return int(outcome.status), msgspec.json.encode(failure)
        return 200, msgspec.json.encode(self.shape(outcome))


async def find_reply(reader: Reader, key: IdempotencyKey) -> Problem | None:
    """The reply to a request that was carried out before; None if it was not."""
    row = await BATCHED_REPLIES.one(reader, (key.caller, key.key))
    return _answer_to(key, row) if row else None


Name = tuple[str, str]
"""A caller and its idempotency key."""


async def stored_replies(reader: Queryable, names: Sequence[Name]) -> dict[Name, Any]:
    """The stored replies for these keys."""
    rows = await reader.rows(FIND, *columns(names))
    return {(row["caller"], row["key"]): row for row in rows}


# LATERAL with LIMIT looks up each key in the primary key. A join planned while the table was tiny
# reads the whole index, and its prepared statement still does when there are a million replies.
FIND: LiteralString = """
    SELECT reply.*
      FROM unnest($1::text[], $2::text[]) AS asked (caller, key)
     CROSS JOIN LATERAL (
           SELECT caller, key, fingerprint, status, body
             FROM replies
            WHERE replies.caller = asked.caller AND replies.key = asked.key
            LIMIT 1) AS reply
"""
BATCHED_REPLIES = batched_query(stored_replies)


async def claim(writer: Writer, entries: Sequence[PendingReply]) -> list[Problem | None]:
    """
    Claim the keys of commands; None for a command that this transaction must carry out.

    If the writer waits for locks, it waits at most two seconds for another transaction
    with the same key. The claim is an advisory lock on the key's hash until the transaction
    ends: it can be tried without waiting, which a row that is not yet visible cannot, and
    lets the reply be written once instead of twice. Even without the lock, the
    primary key guarantees one reply for a key.
    """
    positions: dict[Name, list[int]] = {}
    for position, entry in enumerate(entries):
        if entry.key:
            positions.setdefault((entry.key.caller, entry.key.key), []).append(position)
    if writer.wait_for_locks:
        await _hold(writer, positions)
        stored = await stored_replies(writer, list(positions))
    else:
        stored = await _claim_free(writer, positions)
    return [
        _state_of(position, entry.key, positions, stored) for position, entry in enumerate(entries)
    ]


async def _hold(writer: Writer, names: Iterable[Name]) -> None:
    """Lock keys in sorted order: two batches that share some must not deadlock."""
    try:
        await writer.rows(LOCK, *columns(sorted(names)))
    except asyncpg.LockNotAvailableError:
        raise StillRunning from None


LOCK: LiteralString = """
    SELECT pg_advisory_xact_lock(hashtextextended(caller || ' ' || key, 0))
      FROM unnest($1::text[], $2::text[]) AS asked (caller, key)
"""


async def _claim_free(writer: Writer, positions: Mapping[Name, list[int]]) -> dict[Name, Any]:
    """
    Lock keys and return their stored replies; raise LockedByOther for those locked elsewhere.

    The snapshot of the statement is older than its locks. If the holder of a lock commits between
    the two, its reply is not seen here, and `_insert` finds it: then the transaction is retried.
    """
    names = list(positions)
    rows = await writer.rows(CLAIM_FREE, *columns(names))
    held = [positions[name] for name, row in zip(names, rows, strict=True) if not row["free"]]
    if held:
        raise LockedByOther(held)
    return {name: row for name, row in zip(names, rows, strict=True) if row["status"] is not None}


CLAIM_FREE: LiteralString = """
    SELECT pg_try_advisory_xact_lock(hashtextextended(asked.caller || ' ' || asked.key, 0)) AS free,
           reply.fingerprint, reply.status, reply.body
      FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (caller, key, place)
      LEFT JOIN LATERAL (
           SELECT fingerprint, status, body
             FROM replies
            WHERE replies.caller = asked.caller AND replies.key = asked.key
            LIMIT 1) AS reply ON true
     ORDER BY asked.place
"""


def _state_of(
    position: int,
    key: IdempotencyKey | None,
    positions: Mapping[Name, list[int]],
    stored: Mapping[Name, Any],
) -> Problem | None:
    if key is None:
        return None
    name = (key.caller, key.key)
    if name in stored:
        return _answer_to(key, stored[name])
    first = positions[name][0]
    return None if first == position else DuplicateInBatch(first)


def _answer_to(key: IdempotencyKey, row: Any) -> Problem:
    if row["fingerprint"] != key.fingerprint:
        return IdempotencyKeyReused()
    return AlreadyDone() if row["body"] is None else StoredReply(row["status"], row["body"])


async def store(
    writer: Writer, entries: Sequence[PendingReply], outcomes: Sequence[Any]
) -> list[Any]:
    """Store the replies of new commands; a duplicate in the batch gets the reply of the first."""
    made = {
        position: entry.encoded(outcomes[position])
        for position, entry in enumerate(entries)
        if entry.key and not isinstance(outcomes[position], _SAID_BEFORE)
    }
    to_store = {
        position: reply for position, reply in made.items() if not _passing(outcomes[position])
    }
    if to_store:
        await _insert(writer, entries, to_store)
    return [
        _of_duplicate(entries, position, outcomes, made)
        if isinstance(outcome, DuplicateInBatch)
        else outcome
        for position, outcome in enumerate(outcomes)
    ]


def _passing(outcome: Any) -> bool:
    """Whether the command failed for a temporary reason: the key may be used again."""
    return isinstance(outcome, Problem) and not outcome.cacheable


async def _insert(
    writer: Writer, entries: Sequence[PendingReply], made: Mapping[int, tuple[int, bytes]]
) -> None:
    rows = [
        (key.caller, key.key, key.fingerprint, status, body)
        for position, (status, body) in made.items()
        if (key := entries[position].key)
    ]
    try:
        await writer.run(
            """
            INSERT INTO replies (caller, key, fingerprint, status, body)
            SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::int[], $5::bytea[])
                       AS made (caller, key, fingerprint, status, body)
             ORDER BY caller, key
            """,
            *columns(rows),
        )
    except asyncpg.LockNotAvailableError:
        raise StillRunning from None
    except asyncpg.UniqueViolationError as late:
        # Another transaction, without the lock, carried it out after our read: roll back ours.
        raise RetryTransaction from late


_SAID_BEFORE = (StoredReply, IdempotencyKeyReused, AlreadyDone, DuplicateInBatch)


def _of_duplicate(
    entries: Sequence[PendingReply],
    position: int,
    outcomes: Sequence[Any],
    made: dict[int, tuple[int, bytes]],
) -> Problem:
    twin: DuplicateInBatch = outcomes[position]
    mine, its = entries[position].key, entries[twin.first].key
    assert mine is not None
    assert its is not None
    if mine.fingerprint != its.fingerprint:
        return IdempotencyKeyReused()
    # What was not stored is no reply yet: both may go on with the same key.
    first = outcomes[twin.first]
    return first if _passing(first) else StoredReply(*made[twin.first])
