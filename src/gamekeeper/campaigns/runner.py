"""
The worker of campaigns: collects recipients, does the work in batches, and reverses it.

A batch is one transaction: the changes of its recipients, what became of each, and the position
of the campaign, or none of them. So a kill at any moment does nothing twice and leaves nobody out.
Two workers at once wait for each other at the row of the campaign.

A lazy campaign has no recipients before they join (joins.py). The worker looks each minute for
those who are in the game already.
"""

import asyncio
from collections.abc import Mapping
from time import monotonic
from uuid import UUID

import asyncpg

from gamekeeper.campaigns import changes, joins, reversal, steps, storage
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
GENERIC_PLANS = "SET LOCAL plan_cache_mode = force_generic_plan"
"""
For a reversal, which finds everything by key. PostgreSQL would plan the queries of actions and
postings anew for each batch, over all their partitions, which takes longer than to execute them.
"""
IDLE_SECONDS = 1.0
SWEEP_SECONDS = 60.0
"""Between two looks of a lazy campaign at all who are in the game."""

log = loggers.get_logger()


async def follow(database: Database, stop: asyncio.Event) -> None:
    """Advance campaigns until `stop`; of all workers, one does."""

    async def work(connection: asyncpg.Connection) -> None:
        pace = Pace()
        while not stop.is_set():
            # By this connection, so that it stays in use while it leads.
            for row in await connection.fetch(ENDING):
                await end_on_time(database, row["id"])
            rows = await connection.fetch(ACTIVE)
            for campaign in pace.due({row["id"]: row["per_second"] for row in rows}):
                begun = monotonic()
                pace.note(campaign, begun, await advance(database, campaign))
            await tasks.pause(stop, pace.seconds())

    await leader.lead(database.settings, DUTY, work, stop)


ACTIVE = """
    SELECT id, per_second FROM campaigns WHERE state IN ('preparing', 'running', 'reversing')
     ORDER BY created_at
"""
# As `changes.is_ending` decides again, under the lock.
ENDING = """
    SELECT id FROM campaigns
     WHERE ends_at <= statement_timestamp()
       AND state IN ('preparing', 'ready', 'running', 'paused', 'finished')
       AND (state <> 'finished' OR done > 0 AND NOT on_join)
     ORDER BY ends_at
"""


async def end_on_time(database: Database, campaign: UUID) -> None:
    """Reverse a campaign whose end has come, or end a lazy one, in the name of the worker."""
    try:
        await database.write(lambda writer: changes.end_on_time(writer, WORKER, campaign))
    except (Unavailable, OSError, TimeoutError):
        raise
    except Exception:
        # One campaign must not hold up the others; it is tried again.
        log.exception("campaign_end_failed", campaign=str(campaign))


class Pace:
    """When each campaign may do its next batch: a slow one must not delay the others."""

    def __init__(self) -> None:
        self._speeds: dict[UUID, int] = {}
        self._next: dict[UUID, float] = {}

    def due(self, speeds: Mapping[UUID, int]) -> list[UUID]:
        """Of these campaigns with their recipients per second, those that need not wait."""
        self._speeds = dict(speeds)
        self._next = {campaign: self._next.get(campaign, 0.0) for campaign in speeds}
        now = monotonic()
        return [campaign for campaign, at in self._next.items() if at <= now]

    def note(self, campaign: UUID, begun: float, reached: int | None) -> None:
        """Note how many recipients a batch reached; None: nobody is left for now."""
        seconds = SWEEP_SECONDS if reached is None else reached / self._speeds[campaign]
        self._next[campaign] = begun + seconds

    def seconds(self) -> float:
        """How long all of them wait; at most until it is time to look for others."""
        return max(0.0, min([IDLE_SECONDS, *(at - monotonic() for at in self._next.values())]))


async def advance(database: Database, campaign: UUID) -> int | None:
    """Do the next batch of a campaign; how many it reached. None: nobody is left for now."""
    try:
        return await database.write(lambda writer: _advance(writer, campaign))
    except (Unavailable, OSError, TimeoutError):
        raise
    except Exception:
        # One recipient must not hold up the others: find it, one by one.
        log.exception("campaign_batch_failed", campaign=str(campaign))
    try:
        return await _advance_singly(database, campaign)
    except (Unavailable, OSError, TimeoutError):
        raise
    except Exception:
        # Nor may one campaign, for example one that a newer version wrote; it is tried again.
        log.exception("campaign_failed", campaign=str(campaign))
        return None


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
        reached += done or 0
        if not done:
            break
    return reached


async def _advance(writer: Writer, campaign: UUID, limit: int | None = None) -> int | None:
    found = await storage.lock(writer, campaign)
    # A batch is at most the work of a second.
    most = limit or found.shown.per_second
    match found.shown.state:
        case "preparing":
            return await _collect(writer, found)
        case "running" if found.shown.on_join:
            return await _sweep(writer, found, min(most, BATCH))
        case "running":
            return await _run(writer, found, min(most, BATCH))
        case "reversing":
            return await _reverse(writer, found, min(most, BATCH))
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


async def _sweep(writer: Writer, campaign: StoredCampaign, limit: int) -> int | None:
    """Send letters to those who are in the game, or end a campaign with all its recipients."""
    if campaign.shown.done == campaign.shown.max_recipients:
        await _end(writer, campaign, "finished")
        return 0
    return await joins.sweep(writer, campaign, limit)


async def _reverse(writer: Writer, campaign: StoredCampaign, limit: int) -> int:
    """Undo the work for the next recipients who got it."""
    await writer.run(GENERIC_PLANS)
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
    if found.shown.state == "running" and found.shown.on_join:
        return await joins.give_up(writer, found)
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
