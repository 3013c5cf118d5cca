"""Retention of events: the oldest event from which a listener may resume."""

from collections.abc import Sequence
from http import HTTPStatus

from msgspec import Struct

from gamekeeper.core.errors import Conflict, Problem
from gamekeeper.core.parsing import INT64
from gamekeeper.db.database import Reader
from gamekeeper.db.queries import batched_query, single_flight
from gamekeeper.events import records


class EventsExpired(Problem):
    """These events have expired. Read the audit log, then resume from the oldest event."""

    status = HTTPStatus.GONE


class EventsUnknown(Conflict):
    """No event has this id. It belongs to another database, or to one restored since."""


async def check(reader: Reader, after: int) -> None:
    """
    Raise if the events after `after` cannot be sent without a gap.

    A listener that heard events which a restored backup does not have is told the last one
    that it shares with the database. It goes on after that; what it heard since is undone.
    """
    place = await _places.one(reader, after)
    assert place is not None
    if not place.known:
        raise EventsUnknown(None, newest=place.newest, shared=place.shared)
    if place.expired:
        raise EventsExpired(None, oldest=await oldest(reader))


class Place(Struct, frozen=True):
    newest: int
    shared: int
    """The last event up to the asked one."""
    known: bool
    """Whether there is that event, or the next, or it is the beginning."""
    expired: bool | None
    """Whether the next event has expired; None if there is no next event yet."""


@batched_query
async def _places(reader: Reader, afters: Sequence[int]) -> dict[int, Place]:
    """The places of ids in the log; listeners that reconnect together share one query."""
    rows = await reader.rows(
        """
        SELECT asked.after, (SELECT coalesce(max(seq), 0) FROM chain),
               (SELECT coalesce(max(seq), 0) FROM chain WHERE seq <= asked.after),
               asked.after = 0
                   OR EXISTS (SELECT FROM chain WHERE seq = asked.after)
                   OR EXISTS (SELECT FROM chain WHERE seq = least(asked.after, $3) + 1),
               (SELECT action_at < statement_timestamp() - make_interval(days => $2)
                  FROM chain WHERE seq > asked.after ORDER BY seq LIMIT 1)
          FROM unnest($1::bigint[]) AS asked (after)
        """,
        list(afters),
        reader.settings.event_days,
        INT64.stop - 2,
    )
    return {row[0]: Place(*row[1:]) for row in rows}


@single_flight
async def oldest(reader: Reader) -> int:
    """
    The number of the oldest event that has not expired.

    By binary search: events are numbered almost in the order of their times, so the few
    listeners that resume too late need no index on times.
    """
    low, high = 1, await records.newest(reader) + 1
    while low < high:
        middle = (low + high) // 2
        if await _is_kept(reader, middle):
            high = middle
        else:
            low = middle + 1
    # No event has this number if it was skipped by a restore.
    found = "SELECT seq FROM chain WHERE seq >= $1 ORDER BY seq LIMIT 1"
    return await reader.value(found, low) or low


async def _is_kept(reader: Reader, seq: int) -> bool:
    # The next one there is: numbers are skipped where a backup was restored.
    return await reader.value(
        """
        SELECT action_at >= statement_timestamp() - make_interval(days => $2)
          FROM chain WHERE seq >= $1 ORDER BY seq LIMIT 1
        """,
        seq,
        reader.settings.event_days,
    )
