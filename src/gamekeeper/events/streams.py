"""A listener's stream of server-sent events, from where it left off, until one of us ends it."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from time import monotonic

import msgspec

from gamekeeper.core.errors import Problem
from gamekeeper.core.schemas import Record
from gamekeeper.events.feed import Feed
from gamekeeper.events.records import EventFilter

HEARTBEAT_SECONDS = 15.0
CHECK_SECONDS = 2.0


class StreamEnd(Record, frozen=True):
    reason: str
    after: int


async def stream(
    feed: Feed,
    wanted: EventFilter,
    after: int,
    *,
    emails: bool,
    still: Callable[[], Awaitable[object]],
) -> AsyncGenerator[bytes]:
    """
    What is wanted of all that comes after `after`, in pieces of any size.

    `still` raises as soon as the listener may listen no longer. Who sent nothing for a
    while says where it is: then a listener whom little concerns need not go back far.
    """
    yield b"retry: 1000\n\n"
    said = monotonic()
    with feed.listening():
        while not feed.closing:
            try:
                events = await feed.after(after, placed=wanted.server_id is not None)
                # After the reading, which may take its time, and before the telling.
                await still()
            except Problem as problem:
                yield _end(problem.code, after)
                return
            if events:
                after = events[-1].seq
                if piece := feed.framed(events, wanted, emails=emails):
                    said = monotonic()
                    yield piece
            else:
                await feed.moved(CHECK_SECONDS)
            if monotonic() - said >= HEARTBEAT_SECONDS:
                said = monotonic()
                yield b": still here\nid: %d\n\n" % after
    yield _end("stopping", after)


def _end(reason: str, after: int) -> bytes:
    """The last words: why it ends, and where to go on."""
    told = msgspec.json.encode(StreamEnd(reason=reason, after=after))
    return b"id: %d\nevent: end\ndata: %s\n\n" % (after, told)
