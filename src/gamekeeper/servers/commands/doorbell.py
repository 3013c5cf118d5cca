"""
The doorbell: wakes who waits for a command or for its answer (LISTEN and NOTIFY, long polling).

A ring says only that there may be something new for an id, of a server or of a command; whoever
waits looks for itself. Rings may get lost, when a connection breaks or somebody joins a server,
so nobody waits for one longer than `POLL_SECONDS`.
"""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from uuid import UUID

import asyncpg

from gamekeeper.core import tasks
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.observability import loggers
from gamekeeper.core.observability.log_throttle import LogThrottle
from gamekeeper.core.settings import Settings
from gamekeeper.db import outages
from gamekeeper.db.database import Writer

CHANNEL = "gamekeeper_commands"
POLL_SECONDS = 2.0
IDLE_SECONDS = 30.0
"""The connection is kept so long after the last one has stopped waiting."""
RETRY_SECONDS = 1.0

FAULTS = (Unavailable, OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)

log = loggers.get_logger()


async def ring(writer: Writer, ids: Iterable[UUID]) -> None:
    """Wake those who wait for these ids, in all processes, when the transaction commits."""
    if wanted := sorted(ids):
        await writer.rows(
            "SELECT pg_notify($1, id::text) FROM unnest($2::uuid[]) AS rung (id)", CHANNEL, wanted
        )


class Doorbell:
    """One connection that listens for all who wait in this process."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self._running: asyncio.Task[None] | None = None
        self._throttle = LogThrottle()
        self.closing = False

    @contextmanager
    def at(self, *wanted: UUID) -> Iterator[asyncio.Event]:
        """An event that is set when it rings for one of `wanted`, or at shutdown for good."""
        rung = asyncio.Event()
        names = {str(subject) for subject in wanted}
        for name in names:
            self._waiting.setdefault(name, set()).add(rung)
        if self._running is None and not self.closing:
            self._running = asyncio.create_task(self._run())
        try:
            yield rung
        finally:
            for name in names:
                self._waiting[name].discard(rung)
                if not self._waiting[name]:
                    del self._waiting[name]

    def end(self) -> None:
        """Wake everybody for good (graceful shutdown)."""
        self.closing = True
        self._wake(*self._waiting)

    async def close(self) -> None:
        self.end()
        if self._running is not None:
            await tasks.end([self._running])

    def _wake(self, *wanted: str) -> None:
        for name in wanted:
            for rung in self._waiting.get(name, ()):
                rung.set()

    async def _run(self) -> None:
        try:
            while self._waiting and not self.closing:
                try:
                    await self._listen()
                except FAULTS as fault:
                    name = type(fault).__name__
                    if self._throttle.is_due(name):
                        log.warning("commands_waiting_for_database", fault=name)
                    await asyncio.sleep(RETRY_SECONDS)
        finally:
            self._running = None

    async def _listen(self) -> None:
        """Listen until nobody has waited for `IDLE_SECONDS`, or the connection is lost."""
        settings = self._settings
        connection = await outages.connect(settings.database_url, timeout=settings.connect_seconds)
        lost = asyncio.Event()
        try:
            connection.add_termination_listener(lambda _: lost.set())
            await connection.add_listener(CHANNEL, lambda *about: self._wake(about[3]))
            # Whatever was committed before the connection listened.
            self._wake(*self._waiting)
            idle = False
            while not lost.is_set() and not self.closing and not (idle and not self._waiting):
                idle = not self._waiting
                with suppress(TimeoutError):
                    await asyncio.wait_for(lost.wait(), IDLE_SECONDS)
        finally:
            connection.terminate()
