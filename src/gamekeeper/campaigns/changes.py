"""
Changes of campaigns: create, start, pause, resume, stop and reverse them.

They only change the state; the worker does the rest (runner.py). A start counts the whole
campaign against the limits of who starts it, a reversal all its undos: beyond them it waits for
an approval.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from gamekeeper.campaigns import checks, counts, storage
from gamekeeper.campaigns.records import Campaign, CampaignState, CampaignWork
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
from gamekeeper.segments.records import Definition


class WrongCampaignState(Conflict):
    """The campaign is not in a state in which this is possible."""

    cacheable = False


class NewCampaign(Command, frozen=True, kw_only=True):
    name: str
    segment: str
    work: CampaignWork
    per_second: int
    ends_at: datetime | None = None
    on_join: bool = False
    """Whether a recipient gets the letter on joining a game server, until `ends_at`."""
    max_recipients: int | None = None
    """With `on_join`; None: a million."""


class PlannedCampaign(NewCampaign, frozen=True, kw_only=True):
    """A run of a schedule, which has its own copy of the segment."""

    definition: Definition
    schedule_id: UUID


class CampaignStart(Command, frozen=True, kw_only=True):
    campaign_id: UUID


class CampaignReversal(Command, frozen=True, kw_only=True):
    campaign_id: UUID


class CampaignCommand(Command, frozen=True, kw_only=True):
    """Pause, resume or stop a campaign."""

    campaign_id: UUID


@operation
async def create(writer: Writer, commands: Sequence[NewCampaign]) -> list[Campaign | Problem]:
    """Create campaigns; the worker collects the recipients, except for lazy ones."""
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
    return [await _attempt(_stop(writer, command)) for command in commands]


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
    if command.work.kind == "announcement":
        raise checks.InvalidCampaign(
            "An announcement has no recipients. Use a schedule without a segment.",
            field="work.kind",
        )
    checks.check_reversible(command.work, has_end=command.ends_at is not None)
    bound = checks.check_on_join(
        command.work,
        on_join=command.on_join,
        has_end=command.ends_at is not None,
        max_recipients=command.max_recipients,
    )
    await checks.check_objects(writer, command.work)
    if isinstance(command, PlannedCampaign):
        definition, schedule = command.definition, command.schedule_id
    else:
        segment = await saved.find_segment(writer, command.segment)
        definition, schedule = segment.definition, None
    await checks.check_number(writer, on_join=command.on_join)
    now = await writer.value("SELECT now()")
    checks.check_end(command.ends_at, now)
    shown = _shown(command, now, bound, schedule)
    stored = StoredCampaign(shown=shown, definition=definition, created_at=now)
    await storage.insert(writer, stored, command.by.actor)
    await _record(writer, "campaigns.create", command.by, None, shown)
    return shown


def _shown(
    command: NewCampaign, now: datetime, max_recipients: int | None, schedule: UUID | None
) -> Campaign:
    """A new campaign. The recipients of a lazy one are not collected."""
    return Campaign(
        id=ids.new_id(),
        name=command.name.strip(),
        segment=command.segment,
        work=command.work,
        reason=command.by.reason,
        per_second=command.per_second,
        state="ready" if command.on_join else "preparing",
        created_at=now,
        created_by_name=command.by.name,
        started_at=None,
        started_by_name=None,
        approved_by_name=None,
        reversed_by_name=None,
        ended_at=None,
        ends_at=command.ends_at,
        on_join=command.on_join,
        max_recipients=max_recipients,
        schedule_id=schedule,
        recipients=0,
        done=0,
        skipped=0,
        refused=0,
        reversed=0,
        kept=0,
        fault=None,
    )


async def _start(writer: Writer, command: CampaignStart) -> Campaign:
    campaign = await _locked(writer, command.campaign_id, ["ready"])
    if not campaign.shown.recipients and not campaign.shown.on_join:
        raise WrongCampaignState("The segment has no members.", state=campaign.shown.state)
    await _charge(writer, command.by, campaign.shown)
    await storage.set_starter(writer, campaign.id, command.by)
    if campaign.shown.max_recipients is not None:
        await counts.add(writer, campaign.id, campaign.shown.max_recipients)
    return await _entered(writer, "campaigns.start", command.by, campaign.shown, "running")


async def _charge(writer: Writer, by: AuditContext, campaign: Campaign) -> None:
    """Count all that the campaign hands out against the limits of who starts it."""
    pieces = _handed_out(campaign.work, campaign.max_recipients or campaign.recipients)
    quotas = Quotas()
    await quotas.lock(writer, [by])
    quotas.charge(by, pieces, await find_items(writer, pieces))
    await quotas.save(writer)


async def check_limits(
    writer: Writer, by: AuditContext, work: CampaignWork, recipients: int
) -> None:
    """Raise LimitExceeded if the work for these recipients exceeds the limits of a whole day."""
    pieces = _handed_out(work, recipients)
    Quotas.of_unused_day(by).charge(by, pieces, await find_items(writer, pieces))


def _handed_out(work: CampaignWork, recipients: int) -> Counter[UUID]:
    """The pieces that the work creates for all recipients."""
    pieces: Counter[UUID] = Counter()
    if work.kind in ("letter", "give"):
        for item in work.items:
            pieces[item.item_id] += item.quantity * recipients
    return pieces


async def _reverse(writer: Writer, command: CampaignReversal) -> Campaign:
    campaign = await _locked(writer, command.campaign_id, REVERSIBLE)
    if not campaign.shown.done:
        raise WrongCampaignState("There is nothing to reverse.", state=campaign.shown.state)
    if campaign.shown.work.kind == "message":
        raise WrongCampaignState("Messages cannot be taken back.", state=campaign.shown.state)
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


async def _stop(writer: Writer, command: CampaignCommand) -> Campaign:
    found = await storage.lock(writer, command.campaign_id)
    shown = found.shown
    # A finished one that has an end still has something to stop: its reversal.
    if shown.state != "finished" or shown.ends_at is None or shown.on_join:
        _check_state(shown, STOPPABLE)
    return await _entered(writer, "campaigns.stop", command.by, found.shown, "stopped")


async def _locked(
    writer: Writer, campaign: UUID, possible: Sequence[CampaignState]
) -> StoredCampaign:
    found = await storage.lock(writer, campaign)
    _check_state(found.shown, possible)
    return found


def _check_state(campaign: Campaign, possible: Sequence[CampaignState]) -> None:
    if campaign.state not in possible:
        raise WrongCampaignState(
            f"The campaign is {campaign.state}; this needs it {' or '.join(possible)}.",
            state=campaign.state,
        )


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


async def end_on_time(writer: Writer, by: AuditContext, campaign: UUID) -> Campaign:
    """
    Reverse a campaign whose end has come; one without a recipient that is done is stopped.

    A lazy one ends, and its letters stay.
    """
    found = await storage.lock(writer, campaign)
    if not is_ending(found.shown):
        return found.shown
    if found.shown.on_join and found.shown.started_at:
        return await end(writer, by, found.shown, "finished")
    if not found.shown.done:
        return await _entered(writer, "campaigns.stop", by, found.shown, "stopped")
    await storage.set_reverser(writer, campaign, by)
    return await _entered(writer, "campaigns.reverse", by, found.shown, "reversing")


def is_ending(campaign: Campaign) -> bool:
    """Whether the end of a campaign changes it: staff may have stopped or reversed it before."""
    if campaign.state == "finished":
        return campaign.done > 0 and not campaign.on_join
    return campaign.state in STOPPABLE


async def _record(
    writer: Writer, kind: Kind, by: AuditContext, before: Campaign | None, after: Campaign
) -> None:
    """Record a change of a campaign; the first one with the work, each with the counts."""
    states = [campaign and _facts(campaign) for campaign in (before, after)]
    if before is None:
        states[1] = {
            **_facts(after),
            "segment": after.segment,
            "work": msgspec.to_builtins(without_text(after.work)),
            **({"max_recipients": after.max_recipients} if after.on_join else {}),
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


def without_text(work: CampaignWork) -> CampaignWork:
    """The work as the audit log has it."""
    # The texts of letters are private; the log has neither.
    return msgspec.structs.replace(work, text=None, subject=None)
