"""
Verifications of the ledger that staff start: at most one at a time, as a job of the worker.

A verification whose worker was killed has no heartbeat any more. It counts as ended, and the next
request starts another. It is not repeated by itself: if it was what killed the worker, it would
kill the next one too.
"""

from collections.abc import Sequence
from typing import Literal, LiteralString
from uuid import UUID

from msgspec import Struct, field

from gamekeeper.core.errors import Problem
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db import jobs
from gamekeeper.db.database import Queryable, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action

JOB = "verify_ledger"
"""The name of the job in the queue."""

HEARTBEAT_SECONDS = 5
LOST_AFTER: LiteralString = "30 seconds"
"""Without a heartbeat for that long, the worker counts as gone."""
UNCLAIMED_AFTER: LiteralString = "10 minutes"
"""Without a worker for that long, another verification can be requested."""

VerificationState = Literal["never", "waiting", "running", "clean", "faults", "interrupted"]
OPEN = ("waiting", "running")


class LawFaults(Record, frozen=True):
    """The faults of one law of the ledger."""

    law: str
    """The name of the law: `numbers`, `slots`, `accounts` and so on."""
    count: int
    """How many were found, at most 100."""
    truncated: bool
    """Whether there are more."""


class LedgerVerification(Record, frozen=True):
    """The last verification of the ledger that was started by the API."""

    state: VerificationState
    """
    `never`: none was started. `waiting` for a worker. `running`. `clean`: all laws hold. `faults`:
    some do not. `interrupted`: the worker was stopped, or took no part for too long.
    """
    id: UUID | None = None
    """The id of its action in the audit log."""
    requested_at: Instant | None = None
    requested_by_name: str | None = None
    begun_at: Instant | None = None
    """When a worker took it."""
    ended_at: Instant | None = None
    done: int = 0
    """Postings that are verified."""
    total: int = 0
    """All postings; 0 until a worker has counted them."""
    faults: list[LawFaults] = field(default_factory=list)
    """For each law with faults, how many; `gamekeeper ledger verify` lists them."""


class StoredFaults(Struct, frozen=True):
    """As in the table."""

    law: str
    count: int
    truncated: bool


class VerificationOrder(Struct, frozen=True):
    """The payload of the job."""

    id: UUID


class VerificationRequest(Command, frozen=True, kw_only=True):
    """Verify the whole ledger."""


# Open for the table, but nothing will come of it.
ABANDONED: LiteralString = f"""
    (state = 'running'
     AND heartbeat_at < statement_timestamp() - interval '{LOST_AFTER}'
     OR state = 'waiting'
     AND requested_at < statement_timestamp() - interval '{UNCLAIMED_AFTER}')
"""

LAST: LiteralString = f"""
    SELECT CASE WHEN {ABANDONED} THEN 'interrupted' ELSE state END AS state,
           id, requested_at, requested_by_name, begun_at,
           CASE WHEN {ABANDONED} THEN coalesce(heartbeat_at, requested_at) ELSE ended_at END
               AS ended_at,
           done, total, faults
      FROM ledger_verifications
     ORDER BY requested_at DESC, id DESC
     LIMIT 1
"""


async def last(reader: Queryable) -> LedgerVerification:
    """The last verification, in the state it is in now."""
    rows = await reader.rows(LAST)
    if not rows:
        return LedgerVerification(state="never")
    row = dict(rows[0])
    faults = [LawFaults(**each) for each in row.pop("faults")]
    return LedgerVerification(**row, faults=faults)


@operation
async def start(
    writer: Writer, commands: Sequence[VerificationRequest]
) -> list[LedgerVerification | Problem]:
    """Start a verification; while one is open, all requests get that one."""
    return [await _started(writer, command) for command in commands]


async def _started(writer: Writer, command: VerificationRequest) -> LedgerVerification:
    # Two people may ask at the same time.
    await writer.run("SELECT pg_advisory_xact_lock(67, 0)")
    current = await last(writer)
    if current.state in OPEN:
        return current
    await writer.run(END_ABANDONED)
    action = Action(kind="ledger.verify", by=command.by)
    await actions.record(writer, [action])
    await writer.run(
        "INSERT INTO ledger_verifications (id, requested_by_name) VALUES ($1, $2)",
        action.id,
        command.by.name,
    )
    await jobs.enqueue(writer, JOB, [VerificationOrder(action.id)])
    return await last(writer)


END_ABANDONED: LiteralString = f"""
    UPDATE ledger_verifications
       SET state = 'interrupted', ended_at = coalesce(heartbeat_at, requested_at)
     WHERE state IN ('waiting', 'running') AND {ABANDONED}
"""
