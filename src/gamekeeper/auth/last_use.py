"""
Last-used timestamps of credentials, written in the background (write-behind).

No request waits for the write or fails because of it: used credentials are collected for a
second and written by one statement. If the write fails, they are dropped and counted.
"""

import asyncio
from time import monotonic
from typing import LiteralString

import asyncpg

from gamekeeper.core import tasks
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.observability import metrics
from gamekeeper.db.database import Database, Writer

FLUSH_SECONDS = 1.0
REST_SECONDS = 30.0
"""Seconds without writes after a failure: a standby server would refuse every write."""

# Kept to the minute: a write for each call would cost more than the call.
OF_KEYS: LiteralString = """
    UPDATE api_keys SET used_at = now()
     WHERE hash = ANY($1) AND coalesce(used_at < statement_timestamp() - interval '1 minute', true)
"""
OF_SESSIONS: LiteralString = """
    UPDATE browser_sessions SET seen_at = now()
     WHERE hash = ANY($1) AND seen_at < statement_timestamp() - interval '1 minute'
"""


class LastUse:
    """The uses of credentials of one kind; the statement takes the hashes of those used."""

    def __init__(self, database: Database, statement: LiteralString) -> None:
        self._database = database
        self._statement: LiteralString = statement
        self._used: set[bytes] = set()
        self._noting: asyncio.Task[None] | None = None
        self._rests_until = 0.0

    def note(self, digest: bytes) -> None:
        """Schedule the write that the credential with that hash was used."""
        if monotonic() < self._rests_until:
            return
        self._used.add(digest)
        if self._noting is None:
            self._noting = asyncio.create_task(self._follow())

    async def close(self) -> None:
        """Write what is pending."""
        if self._noting is not None:
            await tasks.end([self._noting])
        if self._used:
            await self._flush()

    async def _follow(self) -> None:
        try:
            while self._used:
                await asyncio.sleep(FLUSH_SECONDS)
                await self._flush()
        finally:
            self._noting = None

    async def _flush(self) -> None:
        digests, self._used = list(self._used), set()

        async def work(writer: Writer) -> int:
            return await writer.run(self._statement, digests)

        try:
            await self._database.write(work)
        except (Unavailable, asyncpg.PostgresError):
            self._rests_until = monotonic() + REST_SECONDS
            metrics.KEY_USES_DROPPED.inc(len(digests))
