"""
Replies kept under idempotency keys.

A key is claimed before the work and its reply is kept with the work, in one
transaction: there is never one without the other. After thirty days the reply is
forgotten, but never that the work was done.
"""

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any, LiteralString, TypeVar

import asyncpg
import msgspec
from msgspec import Struct

from gamekeeper.database import Reader, Writer
from gamekeeper.errors import Conflict, Failure, Invalid, Problem

R = TypeVar("R")

Shape = Callable[[R], Any]
"""Makes the answer that a client sees of the result of an operation."""

DAYS = 30


def as_is(result: Any) -> Any:
    return result


class Key(Struct, frozen=True):
    """What a caller named an order, and what the order was."""

    caller: str
    key: str
    fingerprint: bytes


class InvalidIdempotencyKey(Invalid):
    """An Idempotency-Key has 1 to 255 visible ASCII characters."""


class IdempotencyKeyReused(Problem):
    """That Idempotency-Key was used for another request."""

    status = HTTPStatus.UNPROCESSABLE_ENTITY


class StillRunning(Conflict):
    """A request with that Idempotency-Key is still being carried out; ask again."""


class AlreadyDone(Conflict):
    """That was done more than thirty days ago; the answer is no longer kept."""


class Replayed(Problem):
    """That was done before, and this is what was answered."""

    def __init__(self, status: int, body: bytes) -> None:
        super().__init__()
        self.answer = (status, body)


class Twin(Problem):
    """The same key stands earlier in the same list."""

    def __init__(self, first: int) -> None:
        super().__init__()
        self.first = first


class Entry(Struct, frozen=True):
    """An order's key, and how its outcome becomes the reply."""

    key: Key | None
    request_id: str
    shape: Shape[Any]

    def encoded(self, outcome: object) -> tuple[int, bytes]:
        if isinstance(outcome, Problem):
            failure = Failure.of(outcome, self.request_id)
            return int(outcome.status), msgspec.json.encode(failure)
        return 200, msgspec.json.encode(self.shape(outcome))


async def find(reader: Reader, key: Key) -> Problem | None:
    """What to answer to a request that was carried out before; None if it was not."""
    [row] = await reader.rows(SELECT, [key.caller], [key.key]) or [None]
    return _known(key, row) if row and row["status"] else None


SELECT: LiteralString = """
    SELECT caller, key, fingerprint, status, body
      FROM replies
      JOIN unnest($1::text[], $2::text[]) AS asked (caller, key) USING (caller, key)
"""


async def claim(writer: Writer, entries: Sequence[Entry]) -> list[Problem | None]:
    """
    Take hold of the keys of orders; None for an order that is now ours to carry out.

    Somebody else's order with the same key is waited for, two seconds at most.
    """
    first: dict[tuple[str, str], int] = {}
    for position, entry in enumerate(entries):
        if entry.key:
            first.setdefault((entry.key.caller, entry.key.key), position)
    ours = await _insert(writer, [entries[position].key for position in first.values()])
    theirs = [name for name in first if name not in ours]
    rows = await writer.rows(SELECT, [name[0] for name in theirs], [name[1] for name in theirs])
    stored = {(row["caller"], row["key"]): row for row in rows}
    return [
        _standing(position, entry.key, first, ours, stored)
        for position, entry in enumerate(entries)
    ]


def _standing(
    position: int,
    key: Key | None,
    first: dict[tuple[str, str], int],
    ours: set[tuple[str, str]],
    stored: dict[tuple[str, str], Any],
) -> Problem | None:
    name = (key.caller, key.key) if key else None
    if key is None or name is None or (name in ours and first[name] == position):
        return None
    return Twin(first[name]) if name in ours else _known(key, stored[name])


async def _insert(writer: Writer, keys: Sequence[Key | None]) -> set[tuple[str, str]]:
    wanted = [key for key in keys if key]
    try:
        rows = await writer.rows(
            """
            INSERT INTO replies (caller, key, fingerprint)
            SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[]) AS new (caller, key, print)
             ORDER BY caller, key
            ON CONFLICT DO NOTHING
            RETURNING caller, key
            """,
            [key.caller for key in wanted],
            [key.key for key in wanted],
            [key.fingerprint for key in wanted],
        )
    except asyncpg.LockNotAvailableError:
        raise StillRunning from None
    return {(row["caller"], row["key"]) for row in rows}


def _known(key: Key, row: Any) -> Problem:
    if row["fingerprint"] != key.fingerprint:
        return IdempotencyKeyReused()
    return AlreadyDone() if row["body"] is None else Replayed(row["status"], row["body"])


async def keep(writer: Writer, entries: Sequence[Entry], outcomes: Sequence[Any]) -> list[Any]:
    """Write down the replies of what was carried out, and give twins the reply of the first."""
    made = {
        position: entry.encoded(outcomes[position])
        for position, entry in enumerate(entries)
        if entry.key and not isinstance(outcomes[position], _SAID_BEFORE)
    }
    keys = [key for position in made if (key := entries[position].key)]
    await writer.run(
        """
        UPDATE replies SET status = made.status, body = made.body
          FROM unnest($1::text[], $2::text[], $3::int[], $4::bytea[])
               AS made (caller, key, status, body)
         WHERE replies.caller = made.caller AND replies.key = made.key
        """,
        [key.caller for key in keys],
        [key.key for key in keys],
        [status for status, _ in made.values()],
        [body for _, body in made.values()],
    )
    return [
        _of_twin(entries, position, outcome, made) if isinstance(outcome, Twin) else outcome
        for position, outcome in enumerate(outcomes)
    ]


_SAID_BEFORE = (Replayed, IdempotencyKeyReused, AlreadyDone, Twin)


def _of_twin(
    entries: Sequence[Entry], position: int, twin: Twin, made: dict[int, tuple[int, bytes]]
) -> Problem:
    mine, its = entries[position].key, entries[twin.first].key
    assert mine is not None
    assert its is not None
    if mine.fingerprint != its.fingerprint:
        return IdempotencyKeyReused()
    return Replayed(*made[twin.first])


async def forget(writer: Writer) -> None:
    """Drop replies of more than thirty days ago; that the work was done stays."""
    await writer.run(
        """
        UPDATE replies SET body = NULL
         WHERE body IS NOT NULL AND created_at < now() - make_interval(days => $1)
        """,
        DAYS,
    )
