"""Event feed endpoint: server-sent events (SSE), long polling and pages."""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from uuid import UUID

from gamekeeper.api.callers import Callers
from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import InvalidQuery, RoleRequired
from gamekeeper.core.parsing import INT64
from gamekeeper.core.schemas import Query
from gamekeeper.db.database import Database, Reader
from gamekeeper.events import records, retention, streams
from gamekeeper.events.feed import Feed
from gamekeeper.events.records import (
    LARGEST_PAGE,
    EventEntries,
    EventEntry,
    EventFilter,
    UnknownKind,
)
from gamekeeper.events.retention import EventsExpired, EventsUnknown
from gamekeeper.history.entry_names import EntryNames
from gamekeeper.http.load_shedding import ALWAYS
from gamekeeper.http.requests import Request
from gamekeeper.http.responses import Response
from gamekeeper.http.routing import Routes
from gamekeeper.ledger import audit_log
from gamekeeper.players.lookup import PlayerNotFound, find_player_id
from gamekeeper.servers import leases
from gamekeeper.servers.leases import ServerNotFound

routes = Routes("/api/v1/events")

READ = "events.read"
SSE = "text/event-stream"
LONGEST_WAIT = 30
MOST_SEARCHED = 20_000
"""The most events that one page looks through for those that match."""
CHECK_SECONDS = 0.5
"""Interval of permission checks while a caller waits; the authenticator caches for two seconds."""
LATEST = "latest"


class EventFilters(Query, frozen=True):
    after: str | None = None
    """
    Start after this event: the `Next` of a page, or the last `Seq`. `latest` starts with new
    events; by default, the oldest event that has not expired is the first. The header
    `Last-Event-ID` takes precedence.
    """
    kinds: str | None = None
    """Only events of these kinds, separated by commas: `items.give,items.take`."""
    player: str | None = None
    """Only events of this character: its name or id."""
    server: UUID | None = None
    """Only events of characters on this game server: its id."""
    wait: int = 0
    """Seconds to wait for an event, 0 to 30."""
    limit: int = 100
    """The page size, 1 to 1000; values out of range are clamped."""
    names: bool = False
    """
    Whether to show names beside the ids of items and characters, and of accounts for callers
    with the scope `users.query`.
    """


@routes.get(
    "",
    READ,
    raises=(PlayerNotFound, ServerNotFound, UnknownKind, EventsExpired, EventsUnknown),
    priority=ALWAYS,
)
async def list_events(
    database: Database,
    feed: Feed,
    callers: Callers,
    caller: Principal,
    request: Request,
    query: EventFilters,
) -> EventEntries | Response:
    """
    All events, oldest first, in real time.

    Every event has an id, `Seq`, without gaps except where a backup was restored; the events of
    one character are in order. After event N, continue with `after=N`: no event is missing or
    repeated. With `Accept: text/event-stream` the response is a stream of server-sent events
    that lasts until either side ends it; resume with `Last-Event-ID`. Otherwise it is a page,
    and with `wait` the response waits until there is an event. A page looks through at most
    20,000 events: with a filter it may be empty, and its `Next` further on; ask again from there.
    """
    reader = database.reader
    wanted = await _filter(reader, query)

    async def still() -> Principal:
        known = await callers.authenticate(request)
        if not known.may(READ):
            raise RoleRequired(READ)
        return known

    with feed.listening():
        await feed.begun()
        after = await _place(reader, request.headers.get("last-event-id") or query.after)
        if SSE not in request.headers.get("accept", ""):
            found, after = await _page(feed, wanted, after, query, still)
            return await _seen(reader, found, after, query, still)
        pieces = streams.stream(
            feed, wanted, after, emails=caller.sees_emails, names=query.names, still=still
        )
    return Response(body=b"", content_type=SSE, stream=pieces)


async def _filter(reader: Reader, query: EventFilters) -> EventFilter:
    found = EventFilter(
        kinds=records.kinds(query.kinds),
        player_id=await audit_log.subject_id(reader, query.player or None, find_player_id),
        server_id=query.server,
    )
    if query.server is not None:
        await leases.check(reader, query.server)
    return found


async def _page(
    feed: Feed,
    wanted: EventFilter,
    after: int,
    query: EventFilters,
    still: Callable[[], Awaitable[Principal]],
) -> tuple[list[EventEntry], int]:
    """
    A page of events, and where it ends; if there are none, wait for some (long polling).

    `still` raises once the caller has lost its permission. It is called while waiting, so
    that a revoked caller is disconnected.
    """
    limit = max(1, min(LARGEST_PAGE, query.limit))
    until = monotonic() + max(0, min(LONGEST_WAIT, query.wait))
    found: list[EventEntry] = []
    end = after + MOST_SEARCHED
    while len(found) < limit and after < end:
        if events := await feed.after(after, placed=wanted.server_id is not None):
            matching = [event for event in events if wanted.includes(event)]
            matching = matching[: limit - len(found)]
            found += [event.entry for event in matching]
            after = matching[-1].seq if len(found) == limit else events[-1].seq
            if not matching:
                after = await feed.skip(after, wanted)
        elif found or feed.closing or monotonic() >= until:
            break
        else:
            await still()
            await feed.moved(min(CHECK_SECONDS, until - monotonic()))
        # Yield: a long run of filtered-out events must not block the event loop.
        await asyncio.sleep(0)
    return found, after


async def _seen(
    reader: Reader,
    found: list[EventEntry],
    after: int,
    query: EventFilters,
    still: Callable[[], Awaitable[Principal]],
) -> EventEntries:
    """The page as the caller may see it, by the permissions it has after all reads."""
    names = await EntryNames.of(reader, found) if query.names else None
    caller = await still()
    seen = [records.redacted(entry, emails=caller.sees_emails) for entry in found]
    if names is not None:
        seen = [names.beside(entry, accounts=caller.sees_accounts) for entry in seen]
    return EventEntries(values=seen, next=after)


async def _place(reader: Reader, text: str | None) -> int:
    """Parse `after`, the event after which to begin: by default before the oldest retained."""
    if not text:
        return await retention.oldest(reader) - 1
    if text.lower() == LATEST:
        return await records.newest(reader)
    if not text.isascii() or not text.isdigit() or len(text) > 19 or int(text) not in INT64:
        raise InvalidQuery("'after' must be the id of an event, or 'latest'.", field="after")
    await retention.check(reader, int(text))
    return int(text)
