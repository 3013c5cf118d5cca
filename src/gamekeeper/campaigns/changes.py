"""
Changes of campaigns: create, start, pause, resume, stop and reverse them.

They only change the state; the worker does the rest (runner.py). A start counts the whole
campaign against the limits of who starts it, a reversal all its undos: beyond them it waits for
an approval.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec

from gamekeeper.campaigns import checks, storage
from gamekeeper.campaigns.records import MAX_OPEN, Campaign, CampaignState, CampaignWork
from gamekeeper.campaigns.storage import StoredCampaign
from gamekeeper.catalog.items import find_items
from gamekeeper.core import ids
from gamekeeper.core.errors import Conflict, Problem
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext, Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action, Kind
from gamekeeper.players.quotas import Quotas
from gamekeeper.segments import saved


class WrongCampaignState(Conflict):
    """The campaign is not in a state in which this is possible."""

    cacheable = False


class TooManyCampaigns(Conflict):
    """There are already 50 campaigns that have not ended. Stop one first."""

    cacheable = False


class NewCampaign(Command, frozen=True, kw_only=True):
    name: str
    segment: str
    work: CampaignWork
    per_second: int


class CampaignStart(Command, frozen=True, kw_only=True):
    campaign_id: UUID


class CampaignReversal(Command, frozen=True, kw_only=True):
    campaign_id: UUID


class CampaignCommand(Command, frozen=True, kw_only=True):
    """Pause, resume or stop a campaign."""

    campaign_id: UUID


@operation
async def create(writer: Writer, commands: Sequence[NewCampaign]) -> list[Campaign | Problem]:
    """Create campaigns; the worker collects their recipients."""
    return [await _attempt(_create(writer, command)) for command in commands]


@operation
async def start(writer: Writer, commands: Sequence[CampaignStart]) -> list[Campaign | Problem]:
    """Start campaigns whose recipients are known."""
    return [await _attempt(_start(writer, command)) for command in commands]


@operation
async def reverse(writer: Writer, commands: Sequence[CampaignReversal]) -> list[Campaign | Problem]:
    """Undo the work of campaigns, as far as it is still possible."""
    return [await _attempt(_reverse(writer, command)) for command in commands]


@operation
async def pause(writer: Writer, commands: Sequence[CampaignCommand]) -> list[Campaign | Problem]:
    """Pause campaigns; those that were reached keep what they got."""
    return [
        await _attempt(_move(writer, command, "campaigns.pause", ["running"], "paused"))
        for command in commands
    ]


@operation
async def resume(writer: Writer, commands: Sequence[CampaignCommand]) -> list[Campaign | Problem]:
    """Continue paused campaigns where they were."""
    return [
        await _attempt(_move(writer, command, "campaigns.resume", ["paused"], "running"))
        for command in commands
    ]


@operation
async def stop(writer: Writer, commands: Sequence[CampaignCommand]) -> list[Campaign | Problem]:
    """End campaigns for good; those that were reached keep what they got."""
    return [
        await _attempt(_move(writer, command, "campaigns.stop", STOPPABLE, "stopped"))
        for command in commands
    ]


STOPPABLE: list[CampaignState] = ["preparing", "ready", "running", "paused"]
REVERSIBLE: list[CampaignState] = ["paused", "stopped", "finished"]


async def _attempt(change: Any) -> Campaign | Problem:
    try:
        return await change
    except Problem as refusal:
        # Everything is checked before anything is written.
        return refusal


async def _create(writer: Writer, command: NewCampaign) -> Campaign:
    checks.check(command.name, command.per_second, command.work)
    await checks.check_objects(writer, command.work)
    segment = await saved.find_segment(writer, command.segment)
    # Two at once must not exceed the limit together.
    await writer.run("SELECT pg_advisory_xact_lock(70, 0)")
    is_open = "state NOT IN ('stopped', 'finished', 'reversed')"
    if await writer.value(f"SELECT count(*) FROM campaigns WHERE {is_open}") >= MAX_OPEN:
        raise TooManyCampaigns
    now = await writer.value("SELECT now()")
    shown = Campaign(
        id=ids.new_id(),
        name=command.name.strip(),
        segment=segment.name,
        work=command.work,
        reason=command.by.reason,
        per_second=command.per_second,
        state="preparing",
        created_at=now,
        created_by_name=command.by.name,
        started_at=None,
        started_by_name=None,
        approved_by_name=None,
        reversed_by_name=None,
        ended_at=None,
        recipients=0,
        done=0,
        skipped=0,
        refused=0,
        reversed=0,
        kept=0,
        fault=None,
    )
    stored = StoredCampaign(shown=shown, definition=segment.definition, created_at=now)
    await storage.insert(writer, stored, command.by.actor)
    await _record(writer, "campaigns.create", command.by, None, shown)
    return shown


async def _start(writer: Writer, command: CampaignStart) -> Campaign:
    campaign = await _locked(writer, command.campaign_id, ["ready"])
    if not campaign.shown.recipients:
        raise WrongCampaignState("The segment has no members.", state=campaign.shown.state)
    await _charge(writer, command.by, campaign.shown)
    await storage.set_starter(writer, campaign.id, command.by)
    return await _entered(writer, "campaigns.start", command.by, campaign.shown, "running")


async def _charge(writer: Writer, by: AuditContext, campaign: Campaign) -> None:
    """Count all that the campaign hands out against the limits of who starts it."""
    pieces: Counter[UUID] = Counter()
    if campaign.work.kind in ("letter", "give"):
        for item in campaign.work.items:
            pieces[item.item_id] += item.quantity * campaign.recipients
    quotas = Quotas()
    await quotas.lock(writer, [by])
    quotas.charge(by, pieces, await find_items(writer, pieces))
    await quotas.save(writer)


async def _reverse(writer: Writer, command: CampaignReversal) -> Campaign:
    campaign = await _locked(writer, command.campaign_id, REVERSIBLE)
    if not campaign.shown.done:
        raise WrongCampaignState("There is nothing to reverse.", state=campaign.shown.state)
    quotas = Quotas()
    await quotas.lock(writer, [command.by])
    quotas.charge(command.by, {}, {}, undos=campaign.shown.done)
    await quotas.save(writer)
    await storage.set_reverser(writer, campaign.id, command.by)
    return await _entered(writer, "campaigns.reverse", command.by, campaign.shown, "reversing")


async def _move(
    writer: Writer,
    command: CampaignCommand,
    kind: Kind,
    possible: Sequence[CampaignState],
    state: CampaignState,
) -> Campaign:
    campaign = await _locked(writer, command.campaign_id, possible)
    return await _entered(writer, kind, command.by, campaign.shown, state)


async def _locked(
    writer: Writer, campaign: UUID, possible: Sequence[CampaignState]
) -> StoredCampaign:
    found = await storage.lock(writer, campaign)
    if found.shown.state not in possible:
        raise WrongCampaignState(
            f"The campaign is {found.shown.state}; this needs it {' or '.join(possible)}.",
            state=found.shown.state,
        )
    return found


async def _entered(
    writer: Writer, kind: Kind, by: AuditContext, before: Campaign, state: CampaignState
) -> Campaign:
    after = await storage.enter(writer, before.id, state)
    await _record(writer, kind, by, before, after)
    return after


async def end(
    writer: Writer, by: AuditContext, campaign: Campaign, state: CampaignState
) -> Campaign:
    """End a campaign, or its reversal, after the last recipient."""
    return await _entered(writer, "campaigns.finish", by, campaign, state)


async def _record(
    writer: Writer, kind: Kind, by: AuditContext, before: Campaign | None, after: Campaign
) -> None:
    """Record a change of a campaign; the first one with the work, each with the counts."""
    states = [campaign and _facts(campaign) for campaign in (before, after)]
    if before is None:
        states[1] = {
            **_facts(after),
            "segment": after.segment,
            "work": msgspec.to_builtins(_without_text(after.work)),
        }
    await actions.record(writer, [Action(kind=kind, by=by, before=states[0], after=states[1])])


def _facts(campaign: Campaign) -> dict[str, Any]:
    return {
        "campaign_id": campaign.id,
        "campaign": campaign.name,
        "state": campaign.state,
        "recipients": campaign.recipients,
        "done": campaign.done,
    }


def _without_text(work: CampaignWork) -> CampaignWork:
    # The texts of letters are private; the log has neither.
    return msgspec.structs.replace(work, text=None, subject=None)
