"""
Leader election: of all processes that offer to do some work, one does it at a time.

The leader holds an advisory lock on a connection of its own, for as long as that lives. The
others ask for the lock again and again, so one of them takes over soon after the leader ends,
loses its connection or is frozen. For a moment there may be two: who was cut off does not know
it yet. So what a leader does must be safe beside another; the lock only saves them the trouble.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from time import monotonic

import asyncpg
import structlog
from msgspec import Struct, field

from gamekeeper.core import tasks
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import CONNECT_SECONDS, translate_errors

LONGEST_PAUSE = 4
"""Seconds between two tries while the database is away."""

# Not gone into further: the database is away or busy, or the connection was cut.
WAITS = (Unavailable, OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)

Work = Callable[[asyncpg.Connection], Awaitable[None]]

log = structlog.get_logger()


class Duty(Struct, frozen=True, kw_only=True):
    """Something that one process at a time should do."""

    name: str
    lock: int
    """Any number that no other duty has."""
    pause: float = 1
    """Seconds between two tries to become the leader."""
    session: Mapping[str, str] = field(default_factory=dict)
    """Settings of its connection."""


async def lead(settings: Settings, duty: Duty, work: Work, stop: asyncio.Event) -> None:
    """
    Until `stop`, try to become the leader and then do `work`, over and over.

    `work` is given the leader's connection and goes on until `stop`. If it fails, that is tried
    again after a pause, which is longer after each failure in a row (backoff).
    """
    failures = 0
    while not stop.is_set():
        began = monotonic()
        try:
            async with connected(settings, duty) as connection:
                await _compete(connection, duty, stop)
                if not stop.is_set():
                    await _work(connection, duty, work)
        except WAITS as fault:
            cause = type(fault.__cause__ or fault).__name__
            log.warning("leader_waiting", duty=duty.name, fault=cause, reason=str(fault))
        except Exception:
            # Nobody else may be there to do it, so it must go on.
            log.exception("leader_failed", duty=duty.name)
        failures = 0 if monotonic() - began > LONGEST_PAUSE else failures + 1
        await tasks.pause(stop, min(duty.pause * 2 ** min(failures, 9) / 2, LONGEST_PAUSE))


@asynccontextmanager
async def connected(settings: Settings, duty: Duty) -> AsyncIterator[asyncpg.Connection]:
    """A connection of its own: the work may take longer than the pool has time for."""
    with translate_errors():
        connection = await asyncpg.connect(
            settings.database_url,
            timeout=CONNECT_SECONDS,
            server_settings={
                "application_name": f"gamekeeper {duty.name}",
                "jit": "off",
                # A frozen leader must not keep the others from taking its place.
                "idle_session_timeout": "30000",
                **duty.session,
            },
        )
        try:
            yield connection
        except BaseException:
            # Not gently: that may fail too, and then nobody would hear of the first.
            connection.terminate()
            raise
        await connection.close(timeout=5)


async def is_leader(connection: asyncpg.Connection, duty: Duty) -> bool:
    """Whether this connection leads now: it does if no other does."""
    return bool(await connection.fetchval("SELECT pg_try_advisory_lock($1)", duty.lock))


async def _compete(connection: asyncpg.Connection, duty: Duty, stop: asyncio.Event) -> None:
    while not stop.is_set() and not await is_leader(connection, duty):
        await tasks.pause(stop, duty.pause)


async def _work(connection: asyncpg.Connection, duty: Duty, work: Work) -> None:
    log.info("leadership_won", duty=duty.name)
    try:
        await work(connection)
        # At once, not when the server notices that the connection is gone.
        await connection.execute("SELECT pg_advisory_unlock($1)", duty.lock)
    finally:
        log.info("leadership_lost", duty=duty.name)
