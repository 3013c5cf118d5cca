"""
Leader election: of all processes that compete for a duty, one performs it at a time.

The leader holds an advisory lock on a dedicated connection, as long as that lives. The
others poll for the lock, so one of them takes over soon after the leader ends, loses its
connection or is frozen. For a moment there may be two leaders: a disconnected one does not
know it yet. So the work must be safe beside another leader; the lock only avoids double work.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from time import monotonic

import asyncpg
from msgspec import Struct, field

from gamekeeper.core import tasks
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.observability import loggers, meters
from gamekeeper.core.observability.log_throttle import LogThrottle
from gamekeeper.core.settings import Settings
from gamekeeper.db import outages
from gamekeeper.db.database import translate_errors

LONGEST_PAUSE = 4
"""The longest backoff, in seconds, while the database is unavailable."""

# Expected faults, logged without a traceback: the database is unavailable or busy, or the
# connection was lost.
WAITS = (Unavailable, OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)

Work = Callable[[asyncpg.Connection], Awaitable[None]]

log = loggers.get_logger()


class Duty(Struct, frozen=True, kw_only=True):
    """Work that one process at a time should do."""

    name: str
    lock: int
    """Any number that no other duty has."""
    pause: float = 1
    """Seconds between two tries to become the leader."""
    session: Mapping[str, str] = field(default_factory=dict)
    """Settings of its connection."""


async def lead(settings: Settings, duty: Duty, work: Work, stop: asyncio.Event) -> None:
    """
    Until `stop`, try to become the leader and then do `work`, repeatedly.

    `work` gets the leader's connection and runs until `stop`. If it fails, it is retried
    with exponential backoff.
    """
    failures, throttle = 0, LogThrottle()
    meters.meter.leader_changed(duty.name, leads=False)
    while not stop.is_set():
        began = monotonic()
        try:
            async with connected(settings, duty) as connection:
                await _compete(connection, duty, stop)
                if not stop.is_set():
                    await _work(connection, duty, work)
        except WAITS as fault:
            cause = type(fault.__cause__ or fault).__name__
            if throttle.is_due(cause):
                log.warning("leader_waiting", duty=duty.name, fault=cause, reason=str(fault))
        except Exception:
            # There may be no other process to take over, so it must go on.
            log.exception("leader_failed", duty=duty.name)
        failures = 0 if monotonic() - began > LONGEST_PAUSE else failures + 1
        await tasks.pause(stop, min(duty.pause * 2 ** min(failures, 9) / 2, LONGEST_PAUSE))


@asynccontextmanager
async def connected(settings: Settings, duty: Duty) -> AsyncIterator[asyncpg.Connection]:
    """A dedicated connection: the work may take longer than the timeouts of the pool."""
    with translate_errors():
        connection = await outages.connect(
            settings.database_url,
            timeout=settings.connect_seconds,
            server_settings={
                "application_name": f"gamekeeper {duty.name}",
                "jit": "off",
                # A frozen leader must not keep the lock.
                "idle_session_timeout": "30000",
                **duty.session,
            },
        )
        try:
            yield connection
        except BaseException:
            # Not `close`: that may fail too, and would hide the first exception.
            connection.terminate()
            raise
        await connection.close(timeout=5)


async def is_leader(connection: asyncpg.Connection, duty: Duty) -> bool:
    """Try to take the lock; whether this connection is the leader now."""
    return bool(await connection.fetchval("SELECT pg_try_advisory_lock($1)", duty.lock))


async def _compete(connection: asyncpg.Connection, duty: Duty, stop: asyncio.Event) -> None:
    while not stop.is_set() and not await is_leader(connection, duty):
        await tasks.pause(stop, duty.pause)


async def _work(connection: asyncpg.Connection, duty: Duty, work: Work) -> None:
    log.info("leadership_won", duty=duty.name)
    meters.meter.leader_changed(duty.name, leads=True)
    try:
        await work(connection)
        # Release at once, not when the server notices that the connection is gone.
        await connection.execute("SELECT pg_advisory_unlock($1)", duty.lock)
    finally:
        meters.meter.leader_changed(duty.name, leads=False)
        log.info("leadership_lost", duty=duty.name)
