"""Retention of events: from where a listener may resume."""

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
    """Raise if what comes after `after` cannot be told without a gap."""
    place = await _places.one(reader, after)
    assert place is not None
    if after > place.newest:
        raise EventsUnknown(None, newest=place.newest)
    if place.expired:
        raise EventsExpired(None, oldest=await oldest(reader))


class Place(Struct, frozen=True):
    newest: int
    expired: bool | None
    """Of the event that comes next; None if there is none yet."""


@batched_query
async def _places(reader: Reader, afters: Sequence[int]) -> dict[int, Place]:
    """Where these ids are in the log; those who come back together ask once."""
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
    The number of the oldest event that is still told.

    Found by halving: events are numbered almost in the order of their times, and no
    index on times need be kept for the few who come too late.
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
