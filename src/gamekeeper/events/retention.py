"""Retention of events: the oldest event from which a listener may resume."""

from collections.abc import Sequence
from http import HTTPStatus

from msgspec import Struct

from gamekeeper.core.errors import Conflict, Problem
from gamekeeper.db.database import Reader
from gamekeeper.db.queries import batched_query, single_flight
from gamekeeper.events import records


class EventsExpired(Problem):
    """Events so old are no longer told; read the log of actions, and go on from the oldest."""

    status = HTTPStatus.GONE


class EventsUnknown(Conflict):
    """There is no event with that id: it is of another database, or of one since restored."""


async def check(reader: Reader, after: int) -> None:
    """Raise if the events after `after` cannot be sent without a gap."""
    place = await _places.one(reader, after)
    assert place is not None
    if after > place.newest:
        raise EventsUnknown(None, newest=place.newest)
    if place.expired:
        raise EventsExpired(None, oldest=await oldest(reader))


class Place(Struct, frozen=True):
    newest: int
    expired: bool | None
    """Whether the next event has expired; None if there is no next event yet."""


@batched_query
async def _places(reader: Reader, afters: Sequence[int]) -> dict[int, Place]:
    """The places of ids in the log; listeners that reconnect together share one query."""
    rows = await reader.rows(
        """
        SELECT asked.after, (SELECT coalesce(max(seq), 0) FROM chain),
               (SELECT action_at < now() - make_interval(days => $2)
                  FROM chain WHERE seq > asked.after ORDER BY seq LIMIT 1)
          FROM unnest($1::bigint[]) AS asked (after)
        """,
        list(afters),
        reader.settings.event_days,
    )
    return {row[0]: Place(row[1], row[2]) for row in rows}


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
    return low


async def _is_kept(reader: Reader, seq: int) -> bool:
    return await reader.value(
        """
        SELECT action_at >= now() - make_interval(days => $2) FROM chain WHERE seq = $1
        """,
        seq,
        reader.settings.event_days,
    )
