"""
The worker's part of a verification: claim it, verify with little load, record the outcome.

One connection without parallel workers of PostgreSQL: the game goes on beside it. When the worker
stops, so does the verification.
"""

import asyncio
from collections import Counter
from typing import LiteralString
from uuid import UUID

import msgspec

from gamekeeper.core import tasks
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.observability import loggers
from gamekeeper.db.database import Database
from gamekeeper.ledger import verify_ledger
from gamekeeper.ledger.verification_jobs import (
    HEARTBEAT_SECONDS,
    StoredFaults,
    VerificationOrder,
    VerificationState,
)
from gamekeeper.ledger.verify_ledger import Proof

log = loggers.get_logger()


async def run(database: Database, order: VerificationOrder, stop: asyncio.Event) -> None:
    """Verify the ledger, unless another worker does or did; end early on `stop`."""
    if not await database.write(lambda writer: writer.run(CLAIM, order.id)):
        log.info("ledger_verification_skipped", verification=str(order.id))
        return
    log.info("ledger_verification_begun", verification=str(order.id))
    try:
        await _ClaimedVerification(database, order.id).until(stop)
    except Unavailable as fault:
        # Without a heartbeat it counts as ended.
        log.warning("ledger_verification_unrecorded", verification=str(order.id), reason=str(fault))


# A job that the queue hands out again, after a worker was killed, is not waiting any more.
CLAIM: LiteralString = """
    UPDATE ledger_verifications
       SET state = 'running', begun_at = now(), heartbeat_at = now()
     WHERE id = $1 AND state = 'waiting'
"""


class _ClaimedVerification:
    """A verification that this process has claimed."""

    def __init__(self, database: Database, verification: UUID) -> None:
        self._database = database
        self._id = verification
        self._done = self._total = 0

    async def until(self, stop: asyncio.Event) -> None:
        """Run it to the end, or until `stop`."""
        verifying = asyncio.create_task(
            verify_ledger.verify(
                self._database.settings, on_progress=self._on_progress, is_gentle=True
            )
        )
        stopping = asyncio.create_task(stop.wait())
        try:
            await self._watch(verifying, stopping)
            if verifying.done():
                return await self._record(verifying)
        finally:
            await tasks.end([verifying, stopping])
        return await self._end("interrupted")

    async def _watch(
        self, verifying: "asyncio.Task[Proof]", stopping: "asyncio.Task[bool]"
    ) -> None:
        """Send heartbeats until the verification ends, shall end, or was given up by others."""
        while True:
            done, _ = await asyncio.wait(
                {verifying, stopping},
                timeout=HEARTBEAT_SECONDS,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if done or not await self._beat():
                return

    def _on_progress(self, done: int, total: int) -> None:
        self._done, self._total = done, total

    async def _beat(self) -> bool:
        """Whether the verification is still this worker's."""
        try:
            return bool(
                await self._database.write(
                    lambda writer: writer.run(BEAT, self._id, self._done, self._total)
                )
            )
        except Unavailable:
            # Perhaps only for a moment; if the database is gone, so is the verification.
            return True

    async def _record(self, verifying: "asyncio.Task[Proof]") -> None:
        fault = verifying.exception()
        if fault is not None:
            log.warning(
                "ledger_verification_failed",
                verification=str(self._id),
                fault=type(fault).__name__,
                reason=str(fault),
            )
            await self._end("interrupted")
            return
        proof = verifying.result()
        self._done = self._total = proof.postings
        found = faults_by_law(proof)
        log.info("ledger_verified", verification=str(self._id), faults=len(proof.breaches))
        await self._end("faults" if found else "clean", found)

    async def _end(self, state: VerificationState, found: list[StoredFaults] | None = None) -> None:
        faults = msgspec.json.encode(found or []).decode()
        await self._database.write(
            lambda writer: writer.run(END, self._id, state, self._done, self._total, faults)
        )


def faults_by_law(proof: Proof) -> list[StoredFaults]:
    """How many breaches each law has, by name."""
    counts = Counter(breach.law for breach in proof.breaches)
    return [
        StoredFaults(law=law, count=counts[law], truncated=law in proof.truncated)
        for law in sorted(counts)
    ]


BEAT: LiteralString = """
    UPDATE ledger_verifications SET heartbeat_at = now(), done = $2, total = $3
     WHERE id = $1 AND state = 'running'
"""

END: LiteralString = """
    UPDATE ledger_verifications
       SET state = $2, ended_at = now(), done = $3, total = $4, faults = $5::jsonb
     WHERE id = $1 AND state = 'running'
"""
