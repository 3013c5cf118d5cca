"""
Read replica: a second server to read from, never behind what a caller has seen.

A replica runs behind, by a millisecond or by an hour. So before anything is read there,
the primary is asked how far its log goes and the replica how far it has come, both at
once, and once for all who want to know at the same time. A replica that does not get
that far in moments, or does not answer, is left alone for a second, and the primary is
read. Whoever decides about a change has nothing to do with this: they take
``database.reader``, which is the primary.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, Literal, LiteralString

import asyncpg
import structlog

from gamekeeper.core import metrics, tasks
from gamekeeper.core.errors import Unavailable
from gamekeeper.db.batching import Batcher
from gamekeeper.db.database import (
    CONNECT_SECONDS,
    GENERIC_PLAN,
    READS,
    Database,
    Reader,
    pool,
    prepare,
)

BEHIND_SECONDS = 0.25
"""How long to wait for a replica that is on its way."""
LOOK_SECONDS = 0.5
READ_SECONDS = 1.0
"""After that it is the primary's turn, early enough for those who wait behind."""
REST_SECONDS = 1.0
PAUSE_SECONDS = 0.001
MANY = 100_000

# A little earlier than we, so that a slow statement is not taken for a dead server.
BRIEFLY = READS | {"statement_timeout": "900"}

log = structlog.get_logger()

FROM_REPLICA = metrics.REPLICA_READS.labels("replica")
FROM_PRIMARY = metrics.REPLICA_READS.labels("primary")


class Behind(Exception):
    """The replica has not got yet what the primary has."""


class NoReplica(Exception):
    """The server takes changes of its own: it was promoted, or is the primary itself."""


class Stranger(Exception):
    """The server is the replica of another primary, or the database another one."""


@asynccontextmanager
async def reading(database: Database) -> AsyncIterator[Reader]:
    """What is read from where nothing is decided: the replica if there is one."""
    url, primary = database.settings.replica_url, database.reader
    if url is None:
        yield primary
        return
    most = database.settings.connections

    async def check(connection: Any) -> None:
        if await connection.fetchval(IDENTITY) != await primary.value(IDENTITY):
            raise Stranger
        await prepare(connection)

    async with (
        pool(url, most, BRIEFLY, check) as pages,
        pool(url, max(1, most // 2), BRIEFLY | GENERIC_PLAN, check) as lookups,
        pool(url, 1, BRIEFLY, check) as watch,
    ):
        standby = Standby(primary.lookups, Reader(watch, database.settings))
        following = asyncio.create_task(standby.follow())
        try:
            yield Replica(pages, primary, standby, Replica(lookups, primary.lookups, standby))
        finally:
            await tasks.end([following])
            # Nothing is lost with these, and a frozen server would not say goodbye.
            for connections in (pages, lookups, watch):
                connections.terminate()


class Replica(Reader):
    """What is on the primary, read from its replica if that can be, else from the primary."""

    def __init__(
        self, pool: Any, primary: Reader, standby: "Standby", lookups: Reader | None = None
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

    async def _tried(self, sql: LiteralString, args: tuple[object, ...]) -> list[Any] | None:
        """The rows, or None if the replica has none for us; what is wrong, the primary will say."""
        try:
            async with asyncio.timeout(READ_SECONDS):
                if await self.standby.is_level():
                    return await super().rows(sql, *args)
        except Exception as fault:
            self.standby.failed(fault)
        return None


class Standby:
    """How the replica is, and how far it has come."""

    def __init__(self, primary: Reader, watch: Reader) -> None:
        self._primary = primary
        self._watch = watch
        self._looks: Batcher[None, bool] = Batcher(self._look, concurrency=1, largest=MANY)
        self._left = asyncio.Event()
        self._fault = ""
        self.state: Literal["used", "away"] = "away"

    async def is_level(self) -> bool:
        """Whether it has all that anybody was told of before they asked."""
        return await self._looks.submit(None)

    def failed(self, fault: Exception) -> None:
        """Take note that something could not be read; leave the replica if it is its fault."""
        away = isinstance(fault, Unavailable | TimeoutError)
        if away and not isinstance(fault.__cause__, asyncpg.QueryCanceledError):
            self._leave(fault)
        else:
            # Too slow, in the way of what is being replayed, or simply wrong.
            log.info("replica_rejected", fault=_name(fault))

    async def follow(self) -> None:
        """Begin with the replica, and begin again whenever it was left and is well again."""
        while True:
            if await self._reached(CONNECT_SECONDS):
                self._left.clear()
                self.state, self._fault = "used", ""
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
        goal, reached = await asyncio.gather(
            self._primary.value(WRITTEN), self._watch.value(REPLAYED)
        )
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
            metrics.REPLICA_LEFT.labels(name).inc()
        if name != self._fault:
            self._fault = name
            log.warning("replica_unavailable", fault=name)


def _name(fault: Exception) -> str:
    """What PostgreSQL or the driver called it."""
    return type(fault.__cause__ if isinstance(fault, Unavailable) else fault).__name__


# What anybody can see was flushed before it could be seen, unless commits do not wait for that.
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
