"""Server-sent events (SSE): one listener's stream, resumed after its last event."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from time import monotonic

import msgspec

from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Problem
from gamekeeper.core.schemas import Record
from gamekeeper.events.feed import Feed
from gamekeeper.events.records import EventFilter, EventView

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
    names: bool,
    still: Callable[[], Awaitable[Principal]],
) -> AsyncGenerator[bytes]:
    """
    The events after `after` that match `wanted`, in chunks of any size.

    `still` raises as soon as the listener's permission has ended. A keep-alive comment after
    a quiet period carries the current id: so a listener with few matches resumes near the end.
    """
    yield b"retry: 1000\n\n"
    said, unmatched = monotonic(), False
    with feed.listening() as listener:
        while not feed.closing:
            listener.after = after
            try:
                if unmatched:
                    after = await feed.skip(after, wanted)
                placed = wanted.server_id is not None
                events = await feed.after(after, placed=placed, named=names)
                # Checked after the read, which may be slow, and before anything is sent.
                known = await still()
            except Problem as problem:
                yield _end(problem.code, after)
                return
            if events:
                after = events[-1].seq
                accounts = names and known.sees_accounts
                view = EventView(emails=emails, names=names, accounts=accounts)
                if piece := feed.framed(events, wanted, view):
                    said = monotonic()
                    yield piece
                unmatched = not piece
            else:
                await feed.moved(CHECK_SECONDS)
            if monotonic() - said >= HEARTBEAT_SECONDS:
                said = monotonic()
                yield b": still here\nid: %d\n\n" % after
    yield _end("stopping", after)


def _end(reason: str, after: int) -> bytes:
    """The final event: why the stream ends, and the id to resume after."""
    data = msgspec.json.encode(StreamEnd(reason=reason, after=after))
    return b"id: %d\nevent: end\ndata: %s\n\n" % (after, data)
