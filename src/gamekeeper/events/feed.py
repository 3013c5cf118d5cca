"""
The feed: one reader of the log for all who listen to this process.

It keeps the latest events in memory. A listener asks for what comes after the last
one it had: from memory if it keeps up, from the database if it does not. So nothing is
queued for anybody. Who comes late reads in blocks, which are read once for all who are
late together: otherwise many who fall behind at once would never catch up.

It runs only while somebody listens, and with it the sequencer, unless that runs anyhow:
where events are wanted, they are numbered, whether or not a worker does it.
"""

import asyncio
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic

import asyncpg
import structlog

from gamekeeper.core import tasks
from gamekeeper.core.errors import Unavailable
from gamekeeper.db.database import CONNECT_SECONDS, Database
from gamekeeper.events import records
from gamekeeper.events.records import EventFilter, FeedEvent
from gamekeeper.ledger import chain
from gamekeeper.servers import presence

POLL_SECONDS = 1.0
"""If nobody tells us of news, we look."""
START_SECONDS = 3.0
LINGER_SECONDS = 30.0
AT_ONCE = 500
REMEMBERED = 5000
MOST_BLOCKS = 20
MOST_FRAMED = 32
"""Who comes late walks through all there is; nobody else will want those pieces."""

log = structlog.get_logger()


class Feed:
    def __init__(self, database: Database, *, sequencing: bool = True) -> None:
        self._database = database
        self._sequencing = sequencing
        self._recent: list[FeedEvent] = []
        self._read: int | None = None
        self._moved = asyncio.Event()
        self._news = asyncio.Event()
        self._numbered = asyncio.Event()
        self._listeners = 0
        self._left_at = 0.0
        self._running: asyncio.Task[None] | None = None
        self._framed: dict[object, bytes] = {}
        self._placing = asyncio.Lock()
        self._blocks: dict[int, list[FeedEvent]] = {}
        self._reading = asyncio.Lock()
        self.closing = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """The feed runs for the block, and a little longer."""
        self._listeners += 1
        if self._running is None and not self.closing:
            self._start()
        try:
            yield
        finally:
            self._listeners -= 1
            self._left_at = monotonic()

    async def begun(self) -> None:
        """Wait until all that was committed before can be read, but not for ever."""
        if self._read is None:
            await self.moved(START_SECONDS)

    async def after(self, seq: int, *, placed: bool = False) -> Sequence[FeedEvent]:
        """
        What comes next, at most five hundred; nothing if there is nothing yet.

        If `placed`, with the servers that the characters are on.
        """
        if self._read is not None and seq >= self._read:
            return ()
        known = self._recent
        if not (known and seq >= known[0].seq - 1):
            known = await self._block(seq)
        first = bisect_right(known, seq, key=lambda event: event.seq)
        events = known[first : first + AT_ONCE]
        if not events:
            # The block ended in actions that have been dropped.
            events = await records.page(self._database.reader, seq, AT_ONCE)
        if placed:
            await self._place(events)
        return events

    async def moved(self, seconds: float) -> None:
        """Wait for something new, at most so long."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._moved.wait(), seconds)

    def framed(self, events: Sequence[FeedEvent], wanted: EventFilter, *, emails: bool) -> bytes:
        """The wanted ones as server-sent events, made once for all who want the same."""
        key = (events[0].seq, events[-1].seq, wanted, emails)
        if key not in self._framed:
            if len(self._framed) >= MOST_FRAMED:
                self._framed.clear()
            self._framed[key] = b"".join(
                [event.frame(emails=emails) for event in events if wanted.includes(event)]
            )
        return self._framed[key]

    async def close(self) -> None:
        self.end()
        if self._running is not None:
            await tasks.end([self._running])

    def end(self) -> None:
        """Let everybody go, at once."""
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
                    log.warning("events_waiting_for_database", fault=type(no).__name__)
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
        """Number what is there before anybody is told that there is no more, then go on."""
        if not self._sequencing:
            self._numbered.set()
            return
        with suppress(Unavailable):
            await chain.catch_up(self._database)
        self._numbered.set()
        await chain.follow(self._database, asyncio.Event(), anchoring=False)

    async def _follow(self) -> None:
        """Read what is new whenever we are told of it."""
        url = self._database.settings.database_url
        connection = await asyncpg.connect(url, timeout=CONNECT_SECONDS)
        try:
            await connection.add_listener(chain.LINKED, lambda *_: self._news.set())
            if self._read is None:
                await self._numbered.wait()
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
        """Read on, remember it and wake who waits; whether there was anything."""
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
        """What comes after `seq` up to the end of its block, for those who come late."""
        number = seq // AT_ONCE
        if self._read is None or self._read < (number + 1) * AT_ONCE:
            # It has no end yet, so it cannot be kept.
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
        Note where the characters are: once for each event, and any time after its commit.

        Who is on a server by then, its server is told. Who joins one later brings the change
        along, since a server reads those who join it. So nothing is missed, however late and
        in whichever process this is asked.
        """
        async with self._placing:
            unplaced = [event for event in events if not event.is_placed]
            players = {event.entry.player_id for event in unplaced if event.entry.player_id}
            if not players:
                return
            servers = await presence.servers(self._database.reader, players)
            for event in unplaced:
                event.server_id = servers.get(event.entry.player_id)
                event.is_placed = True

    def _tell(self) -> None:
        self._framed.clear()
        self._moved.set()
        self._moved = asyncio.Event()
