"""Where somebody may go on: not before the days we keep events for, not beyond the last."""

from http import HTTPStatus

from gamekeeper.database import Reader
from gamekeeper.errors import Conflict, Problem
from gamekeeper.events import records


class EventsExpired(Problem):
    """Events so old are no longer told; read the log of actions, and go on from the oldest."""

    status = HTTPStatus.GONE


class EventsUnknown(Conflict):
    """There is no event with that id: it is of another database, or of one since restored."""


async def check(reader: Reader, after: int) -> None:
    """Raise if what comes after `after` cannot be told without a gap."""
    [row] = await reader.rows(
        """
        SELECT (SELECT coalesce(max(seq), 0) FROM chain) AS newest,
               (SELECT action_at < now() - make_interval(days => $2)
                  FROM chain WHERE seq = $1 + 1) AS expired
        """,
        after,
        reader.settings.event_days,
    )
    if after > row["newest"]:
        raise EventsUnknown(None, newest=row["newest"])
    if row["expired"]:
        raise EventsExpired(None, oldest=await oldest(reader))


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
