"""
Event feed (fan-out): one reader of the audit log for all listeners of this process.

It caches the latest events in memory. A listener pulls the events after its last one: from
memory if it keeps up, from the database if it does not. So there is no queue per listener.
Late listeners read in blocks, each read once for all of them: otherwise many listeners that
fall behind at once would never catch up.

It runs only while there are listeners, and runs the sequencer with it unless that runs
anyway: so events are numbered even without a worker.
"""

import asyncio
from bisect import bisect_right
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic

import asyncpg
import structlog
from msgspec import Struct

from gamekeeper.core import tasks
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.observability.log_throttle import LogThrottle
from gamekeeper.db import outages
from gamekeeper.db.database import Database
from gamekeeper.events import records
from gamekeeper.events.records import EventFilter, EventView, FeedEvent
from gamekeeper.history.entry_names import EntryNames
from gamekeeper.ledger import chain
from gamekeeper.servers import presence

POLL_SECONDS = 1.0
"""The polling interval if no NOTIFY arrives."""
START_SECONDS = 3.0
LINGER_SECONDS = 30.0
AT_ONCE = 100
"""Events read, named and framed at once: more would block the event loop for over 5 ms."""
MOST_SKIPPED = 5000
"""Events that one statement skips: a rare kind must not occupy a connection for long."""
REMEMBERED = 5000
MOST_BLOCKS = 100
MOST_FRAMED = 160
"""A small cache: a late listener reads the whole log, and no other needs those frames."""

log = structlog.get_logger()


class Listener(Struct, eq=False):
    """One that follows the feed, and the last event that it has; None if it does not say."""

    after: int | None = None


class Feed:
    def __init__(self, database: Database, *, sequencing: bool = True) -> None:
        self._database = database
        self._sequencing = sequencing
        self._recent: list[FeedEvent] = []
        self._read: int | None = None
        self._moved = asyncio.Event()
        self._news = asyncio.Event()
        self._numbered = asyncio.Event()
        self._listeners: set[Listener] = set()
        self._left_at = 0.0
        self._running: asyncio.Task[None] | None = None
        self._framed: dict[object, bytes] = {}
        self._placing = asyncio.Lock()
        self._naming = asyncio.Lock()
        self._blocks: dict[int, list[FeedEvent]] = {}
        self._reading = asyncio.Lock()
        self._throttle = LogThrottle()
        self.closing = False

    @contextmanager
    def listening(self) -> Iterator[Listener]:
        """Run the feed for the `with` block, and `LINGER_SECONDS` longer."""
        listener = Listener()
        self._listeners.add(listener)
        if self._running is None and not self.closing:
            self._start()
        try:
            yield listener
        finally:
            self._listeners.remove(listener)
            self._left_at = monotonic()

    @property
    def streams(self) -> int:
        """How many listeners say how far they are."""
        return sum(listener.after is not None for listener in self._listeners)

    @property
    def behind(self) -> int:
        """How many events the slowest of them has still to get."""
        places = [place.after for place in self._listeners if place.after is not None]
        return self.events_after(min(places)) if places else 0

    def events_after(self, seq: int) -> int:
        """How many events there are after `seq`, as far as this process has read."""
        return max(0, (self._read or 0) - seq)

    async def begun(self) -> None:
        """Wait, at most `START_SECONDS`, until all events committed before can be read."""
        if self._read is None:
            await self.moved(START_SECONDS)

    async def after(
        self, seq: int, *, placed: bool = False, named: bool = False
    ) -> Sequence[FeedEvent]:
        """
        The next events after `seq`, at most `AT_ONCE`; empty if there are none yet.

        With `placed`, each has the server that its character is on; with `named`, its names.
        """
        if self._read is not None and seq >= self._read:
            return ()
        known = self._recent if self._is_recent(seq) else await self._block(seq)
        first = bisect_right(known, seq, key=lambda event: event.seq)
        events = known[first : first + AT_ONCE]
        if not events:
            # The rest of the block are actions dropped by retention.
            events = await records.page(self._database.reader, seq, AT_ONCE)
        if placed:
            await self._place(events)
        if named:
            await self._name(events)
        return events

    async def skip(self, seq: int, wanted: EventFilter) -> int:
        """
        The id from which to go on after `seq`, if no event just before it matched.

        PostgreSQL skips old events that do not match, `MOST_SKIPPED` at a time: to read them here
        takes over ten times as long. Those in memory are compared faster than skipped.
        """
        if not wanted.is_narrow or self._is_recent(seq):
            return seq
        return await records.next_place(self._database.reader, wanted, seq, MOST_SKIPPED)

    def _is_recent(self, seq: int) -> bool:
        """Whether the events after `seq` are in memory, or there are none yet."""
        if self._read is not None and seq >= self._read:
            return True
        return bool(self._recent) and seq >= self._recent[0].seq - 1

    def moved(self, seconds: float) -> Awaitable[None]:
        """Wait for events that are new since this call, at most `seconds`."""
        # Not `async`: a task would look up the event later, when it may be the next one already.
        return tasks.pause(self._moved, seconds)

    def framed(self, events: Sequence[FeedEvent], wanted: EventFilter, view: EventView) -> bytes:
        """The events that match, as server-sent events; cached for listeners with that filter."""
        key = (events[0].seq, events[-1].seq, wanted, view)
        if key not in self._framed:
            if len(self._framed) >= MOST_FRAMED:
                self._framed.clear()
            self._framed[key] = b"".join(
                [event.seen_frame(view) for event in events if wanted.includes(event)]
            )
        return self._framed[key]

    async def close(self) -> None:
        self.end()
        if self._running is not None:
            await tasks.end([self._running])

    def end(self) -> None:
        """End all streams at once (graceful shutdown)."""
        self.closing = True
        self._tell()

    # ── Reading ──

    def _start(self) -> None:
        self._read = None
        self._running = asyncio.create_task(self._run())
        self._running.add_done_callback(self._ended)

    def _ended(self, _: object) -> None:
        self._running = None
        if self._listeners and not self.closing:
            self._start()

    async def _run(self) -> None:
        sequencing = asyncio.create_task(self._sequence())
        try:
            while not self._is_left:
                try:
                    await self._follow()
                except (Unavailable, OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as no:
                    fault = type(no).__name__
                    if self._throttle.is_due(fault):
                        log.warning("events_waiting_for_database", fault=fault)
                    await asyncio.sleep(POLL_SECONDS)
        except Exception:
            log.exception("events_restarted")
            await asyncio.sleep(POLL_SECONDS)
        finally:
            self._recent.clear()
            self._blocks.clear()
            await tasks.end([sequencing])

    @property
    def _is_left(self) -> bool:
        return not self._listeners and monotonic() - self._left_at > LINGER_SECONDS

    async def _sequence(self) -> None:
        """Number the existing actions before the feed reports its end, then keep numbering."""
        if not self._sequencing:
            self._numbered.set()
            return
        with suppress(Unavailable):
            await chain.catch_up(self._database)
        self._numbered.set()
        await chain.follow(self._database, asyncio.Event(), anchoring=False)

    async def _follow(self) -> None:
        """Read new events on each NOTIFY, or after the polling interval."""
        settings = self._database.settings
        connection = await outages.connect(settings.database_url, timeout=settings.connect_seconds)
        try:
            await connection.add_listener(chain.LINKED, lambda *_: self._news.set())
            if self._read is None:
                # A backlog may take minutes to number: its events are sent as it is numbered.
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._numbered.wait(), START_SECONDS)
                self._read = await records.newest(self._database.reader)
                self._tell()
            while not (self._is_left or connection.is_closed()):
                self._news.clear()
                while await self._take():
                    pass
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._news.wait(), POLL_SECONDS)
        finally:
            connection.terminate()

    async def _take(self) -> bool:
        """Read the next events, cache them and wake listeners; False if there were none."""
        assert self._read is not None
        events = await records.page(self._database.reader, self._read, AT_ONCE)
        if not events:
            return False
        self._recent += events
        del self._recent[:-REMEMBERED]
        self._read = events[-1].seq
        self._tell()
        return True

    async def _block(self, seq: int) -> list[FeedEvent]:
        """The block that contains the event after `seq`, for late listeners."""
        number = seq // AT_ONCE
        if self._read is None or self._read < (number + 1) * AT_ONCE:
            # The block is not complete yet, so it cannot be cached.
            return await records.page(self._database.reader, seq, AT_ONCE)
        async with self._reading:
            if number not in self._blocks:
                found = await records.page(self._database.reader, number * AT_ONCE, AT_ONCE)
                if len(self._blocks) >= MOST_BLOCKS:
                    del self._blocks[next(iter(self._blocks))]
                self._blocks[number] = found
            return self._blocks[number]

    async def _place(self, events: Sequence[FeedEvent]) -> None:
        """
        Look up the servers of the characters: once per event, at any time after its commit.

        If the character is on a server by then, that server gets the event. If it joins one
        later, that server reads the character, with the change, when it joins. So nothing is
        missed, however late and in whichever process this runs.
        """
        async with self._placing:
            unplaced = [event for event in events if not event.is_placed]
            reader = self._database.reader
            players = {event.entry.player_id for event in unplaced if event.entry.player_id}
            users = {event.account for event in unplaced if event.account}
            servers = await presence.servers(reader, players) if players else {}
            realms = await presence.servers_of_accounts(reader, users) if users else {}
            for event in unplaced:
                if event.account:
                    event.servers = frozenset(realms.get(event.account, ()))
                elif server := servers.get(event.entry.player_id):
                    event.servers = frozenset({server})
                event.is_placed = True

    async def _name(self, events: Sequence[FeedEvent]) -> None:
        """Look up the names for a batch: once for all listeners, however many there are."""
        async with self._naming:
            unnamed = [event for event in events if event.names is None]
            if not unnamed:
                return
            entries = [event.entry for event in unnamed]
            names = await EntryNames.of(self._database.reader, entries)
            for event in unnamed:
                event.names = names

    def _tell(self) -> None:
        self._framed.clear()
        self._moved.set()
        self._moved = asyncio.Event()
