"""
The worker of campaigns: collects recipients, does the work in batches, and reverses it.

A batch is one transaction: the changes of its recipients, what became of each, and the position
of the campaign, or none of them. So a kill at any moment does nothing twice and leaves nobody out.
Two workers at once wait for each other at the row of the campaign.
"""

import asyncio
from time import monotonic
from uuid import UUID

import asyncpg

from gamekeeper.campaigns import changes, reversal, steps, storage
from gamekeeper.campaigns.records import Campaign, CampaignState, RecipientState
from gamekeeper.campaigns.storage import RecipientOutcome, StoredCampaign
from gamekeeper.core import tasks
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.observability import loggers
from gamekeeper.db import leader
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.leader import Duty
from gamekeeper.db.operations import AuditContext
from gamekeeper.segments import members

DUTY = Duty(name="campaigns", lock=0x63616D70)  # "camp"
WORKER = AuditContext(actor="system", name="campaigns")

BATCH = 100
"""Recipients in a transaction: it holds their locks, so that it should be short."""
REVERSED_AT_ONCE = 50
IDLE_SECONDS = 1.0

log = loggers.get_logger()


async def follow(database: Database, stop: asyncio.Event) -> None:
    """Advance campaigns until `stop`; of all workers, one does."""

    async def work(connection: asyncpg.Connection) -> None:
        while not stop.is_set():
            # By this connection, so that it stays in use while it leads.
            rows = await connection.fetch(ACTIVE)
            if not rows:
                await tasks.pause(stop, IDLE_SECONDS)
            for row in rows:
                await _paced(database, row["id"], row["per_second"], stop)

    await leader.lead(database.settings, DUTY, work, stop)


ACTIVE = """
    SELECT id, per_second FROM campaigns WHERE state IN ('preparing', 'running', 'reversing')
     ORDER BY created_at
"""


async def _paced(database: Database, campaign: UUID, per_second: int, stop: asyncio.Event) -> None:
    """Advance a campaign by a batch, and wait as long as its pace wants."""
    begun = monotonic()
    reached = await advance(database, campaign)
    pause = reached / per_second - (monotonic() - begun)
    if pause > 0 and not stop.is_set():
        await tasks.pause(stop, pause)


async def advance(database: Database, campaign: UUID) -> int:
    """Do the next batch of a campaign; returns how many recipients it reached."""
    try:
        return await database.write(lambda writer: _advance(writer, campaign))
    except (Unavailable, OSError, TimeoutError):
        raise
    except Exception:
        # One recipient must not hold up the others: find it, one by one.
        log.exception("campaign_batch_failed", campaign=str(campaign))
        return await _advance_singly(database, campaign)


async def _advance_singly(database: Database, campaign: UUID) -> int:
    reached = 0
    for _ in range(BATCH):
        try:
            done = await database.write(lambda writer: _advance(writer, campaign, 1))
        except (Unavailable, OSError, TimeoutError):
            raise
        except Exception:
            log.exception("campaign_recipient_failed", campaign=str(campaign))
            done = await database.write(lambda writer: _give_up(writer, campaign))
        reached += done
        if not done:
            break
    return reached


async def _advance(writer: Writer, campaign: UUID, limit: int | None = None) -> int:
    found = await storage.lock(writer, campaign)
    match found.shown.state:
        case "preparing":
            return await _collect(writer, found)
        case "running":
            return await _run(writer, found, limit or BATCH)
        case "reversing":
            return await _reverse(writer, found, limit or REVERSED_AT_ONCE)
        case _:
            # Paused or stopped since it was listed.
            return 0


async def _collect(writer: Writer, campaign: StoredCampaign) -> int:
    """Examine some more characters; those who are members become recipients."""
    batch = await members.member_batch(
        writer, campaign.definition, started=campaign.created_at, after=campaign.cursor
    )
    await storage.add_recipients(writer, campaign, batch.ids, batch.next)
    if batch.next is None:
        await storage.enter(writer, campaign.id, "ready")
    return 0


async def _run(writer: Writer, campaign: StoredCampaign, limit: int) -> int:
    """Do the work for the next recipients."""
    players = await storage.next_recipients(writer, campaign, "waiting", limit)
    if not players:
        await _end(writer, campaign, "finished")
        return 0
    present = await members.still_members(
        writer, campaign.definition, players, started=campaign.created_at
    )
    refusals = await steps.execute(writer, campaign.starter(), campaign.shown.work, present)
    outcomes = [
        RecipientOutcome(player, "refused", refusal.code)
        if refusal
        else RecipientOutcome(player, "done")
        for player, refusal in zip(present, refusals, strict=True)
    ]
    gone = set(players) - set(present)
    outcomes += [RecipientOutcome(player, "skipped") for player in gone]
    await storage.save_outcomes(writer, campaign, outcomes)
    return len(players)


async def _reverse(writer: Writer, campaign: StoredCampaign, limit: int) -> int:
    """Undo the work for the next recipients who got it."""
    players = await storage.next_recipients(writer, campaign, "done", limit)
    if not players:
        await _end(writer, campaign, "reversed")
        return 0
    outcomes = await reversal.reverse(writer, campaign, players)
    await storage.save_outcomes(writer, campaign, outcomes)
    return len(players)


async def _give_up(writer: Writer, campaign: UUID) -> int:
    """Mark the next recipient as one for whom the work fails."""
    found = await storage.lock(writer, campaign)
    if found.shown.state not in FAILED:
        # Its recipients cannot be collected.
        await storage.enter(writer, campaign, "stopped", "internal_error")
        return 0
    before, after = FAILED[found.shown.state]
    players = await storage.next_recipients(writer, found, before, 1)
    outcomes = [RecipientOutcome(player, after, "internal_error") for player in players]
    if outcomes:
        await storage.save_outcomes(writer, found, outcomes)
    return len(outcomes)


FAILED: dict[CampaignState, tuple[RecipientState, RecipientState]] = {
    "running": ("waiting", "refused"),
    "reversing": ("done", "kept"),
}
"""The state of a recipient before and after the work, or its reversal, has failed."""


async def _end(writer: Writer, campaign: StoredCampaign, state: CampaignState) -> Campaign:
    return await changes.end(writer, WORKER, campaign.shown, state)
