"""
Read replica: reads from a standby, never behind what a caller has seen (no stale reads).

A replica lags, by a millisecond or by an hour. So before a read, the WAL position of the
primary and the replay position of the replica are compared; both are queried at once, and
once for all concurrent reads. A replica that does not catch up in moments, or does not
answer, is not used for a second, and the primary is read instead. Code that decides about
a change never reads a replica: it takes ``database.reader``, which is the primary.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, Literal, LiteralString

import asyncpg

from gamekeeper.core import tasks
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.observability import loggers, metrics
from gamekeeper.db.batching import Batcher
from gamekeeper.db.connection_pool import Pool
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.outages import ServerAddress
from gamekeeper.db.pools import BY_KEY, GENERIC_PLAN, READS, pool, prepare

BEHIND_SECONDS = 0.25
"""How long to wait for a replica to catch up."""
LOOK_SECONDS = 0.5
READ_SECONDS = 1.0
"""After that the primary is read, early enough for the calls that wait for this one."""
REST_SECONDS = 1.0
PAUSE_SECONDS = 0.001
MANY = 100_000

# A little less than READ_SECONDS, so that a slow statement does not look like a dead server.
BRIEFLY = READS | {"statement_timeout": "900"}
LOOKUPS = BRIEFLY | BY_KEY | GENERIC_PLAN

log = loggers.get_logger()

FROM_REPLICA = metrics.REPLICA_READS.labels("replica")
FROM_PRIMARY = metrics.REPLICA_READS.labels("primary")


class Behind(Exception):
    """The replica has not yet replayed what the primary has."""


class NoReplica(Exception):
    """The server is not in recovery: it was promoted, or is the primary itself."""


class Stranger(Exception):
    """The server is the replica of another primary, or the database is a different one."""


@asynccontextmanager
async def reading(database: Database) -> AsyncIterator[Reader]:
    """The reader for queries that decide nothing: the replica if there is one."""
    url, primary = database.settings.replica_url, database.reader
    if url is None:
        yield primary
        return
    settings, most = database.settings, database.settings.connections
    half = max(1, most // 2)

    async def check(connection: Any) -> None:
        if await connection.fetchval(IDENTITY) != await primary.value(IDENTITY):
            raise Stranger
        await prepare(connection)

    async with (
        pool("replica_read", settings, most, BRIEFLY, url=url, init=check) as pages,
        pool("replica_lookup", settings, half, LOOKUPS, url=url, init=check) as lookups,
        pool("replica_watch", settings, 1, BRIEFLY, url=url, init=check) as watch,
    ):
        place = ServerAddress.of(url).server
        standby = Standby(primary.lookups, Reader(watch, settings), place)
        following = asyncio.create_task(standby.follow())
        try:
            yield Replica(pages, primary, standby, Replica(lookups, primary.lookups, standby))
        finally:
            await tasks.end([following])
            # Not closed gracefully: they hold nothing, and a frozen server would not answer.
            for connections in (pages, lookups, watch):
                connections.terminate()


class Replica(Reader):
    """A reader that uses the replica if it has caught up, else the primary."""

    def __init__(
        self, pool: Pool, primary: Reader, standby: "Standby", lookups: Reader | None = None
    ) -> None:
        super().__init__(pool, primary.settings, lookups)
        self._primary = primary
        self.standby = standby

    async def rows(self, sql: LiteralString, *args: object) -> list[Any]:
        rows = await self._tried(sql, args) if self.standby.state == "used" else None
        if rows is None:
            FROM_PRIMARY.inc()
            return await self._primary.rows(sql, *args)
        FROM_REPLICA.inc()
        return rows

    async def rows_within(self, seconds: float, sql: LiteralString, *args: object) -> list[Any]:
        # A replica cancels long statements that delay its replay.
        return await self._primary.rows_within(seconds, sql, *args)

    async def _tried(self, sql: LiteralString, args: tuple[object, ...]) -> list[Any] | None:
        """The rows, or None if the replica failed; the primary then reports what is wrong."""
        try:
            async with asyncio.timeout(READ_SECONDS):
                if await self.standby.is_level():
                    return await super().rows(sql, *args)
        except Exception as fault:
            self.standby.failed(fault)
        return None


class Standby:
    """The health and the replay position of the replica."""

    def __init__(self, primary: Reader, watch: Reader, server: str) -> None:
        self._primary = primary
        self._watch = watch
        self._in_use = metrics.REPLICA_IN_USE.labels(server)
        self._lag = metrics.REPLICA_LAG.labels(server)
        self._in_use.set(0)
        self._looks: Batcher[None, bool] = Batcher(self._look, concurrency=1, largest=MANY)
        self._left = asyncio.Event()
        self._fault = ""
        self.state: Literal["used", "away"] = "away"

    async def is_level(self) -> bool:
        """Whether it has replayed everything that was visible before the call."""
        return await self._looks.submit(None)

    def failed(self, fault: Exception) -> None:
        """Handle a failed read; stop using the replica if it is at fault."""
        away = isinstance(fault, Unavailable | TimeoutError)
        if away and not isinstance(fault.__cause__, asyncpg.QueryCanceledError):
            self._leave(fault)
        else:
            # Too slow, cancelled by a recovery conflict, or a wrong statement.
            log.info("replica_rejected", fault=_name(fault))

    async def follow(self) -> None:
        """Start using the replica, and again whenever it has recovered after a failure."""
        while True:
            if await self._reached(self._watch.settings.connect_seconds):
                self._left.clear()
                self.state, self._fault = "used", ""
                self._in_use.set(1)
                log.info("replica_available")
                await self._left.wait()
            await asyncio.sleep(REST_SECONDS)

    async def _look(self, callers: list[None]) -> list[bool]:
        return [await self._reached(LOOK_SECONDS)] * len(callers)

    async def _reached(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                await self._catch_up()
        except Exception as fault:
            self._leave(fault)
            return False
        return True

    async def _catch_up(self) -> None:
        # The goal is where the primary is now, so a caller always reads its own earlier writes.
        goal, reached = await asyncio.gather(
            self._primary.value(WRITTEN), self._watch.value(REPLAYED)
        )
        self._lag.set(max(0, goal - reached) if reached is not None else 0)
        latest = monotonic() + BEHIND_SECONDS
        while reached is not None and reached < goal:
            if monotonic() > latest:
                raise Behind
            await asyncio.sleep(PAUSE_SECONDS)
            reached = await self._watch.value(REPLAYED)
        if reached is None:
            raise NoReplica

    def _leave(self, fault: Exception) -> None:
        name = _name(fault)
        if self.state == "used":
            self.state = "away"
            self._left.set()
            self._in_use.set(0)
            metrics.REPLICA_LEFT.labels(name).inc()
        if name != self._fault:
            self._fault = name
            log.warning("replica_unavailable", fault=name)


def _name(fault: Exception) -> str:
    """The name of the exception from PostgreSQL or the driver."""
    return type(fault.__cause__ if isinstance(fault, Unavailable) else fault).__name__


# A visible commit was flushed before, unless synchronous_commit is off.
WRITTEN: LiteralString = """
    SELECT (CASE WHEN current_setting('synchronous_commit') = 'off'
                 THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END
            - '0/0'::pg_lsn)::bigint
"""
REPLAYED: LiteralString = """
    SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint END
"""
IDENTITY: LiteralString = """
    SELECT system_identifier::text || ' ' || current_database() FROM pg_control_system()
"""
