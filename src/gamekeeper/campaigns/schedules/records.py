"""The shapes of schedules, of their next runs, and of the runs that have been due."""

from typing import Literal
from uuid import UUID

from gamekeeper.campaigns.records import CampaignWork
from gamekeeper.core.schemas import Instant, Record

MAX_SCHEDULES = 100
"""Schedules that have not ended."""
DEFAULT_GRACE_MINUTES = 60
MAX_GRACE_MINUTES = 7 * 24 * 60
NEXT_RUNS = 10
"""The next runs that are shown, and of which one can be skipped."""

ScheduleState = Literal["active", "paused", "ended"]
RunState = Literal["preparing", "started", "skipped", "missed", "refused"]


class CampaignSchedule(Record, frozen=True, kw_only=True):
    """A campaign that the worker creates and starts at an instant, or repeatedly."""

    id: UUID
    name: str
    segment: str | None
    """
    The segment whose members it is for; null for an announcement. A later change of the segment
    does not matter.
    """
    work: CampaignWork
    reason: str | None
    per_second: int
    """The most recipients a second."""
    starts_at: Instant | None
    """The instant of its only run; null if it is repeated."""
    cron: str | None
    """The cron expression of its runs, in local time; null if it has one run."""
    time_zone: str
    """The time zone of the cron expressions, a name of the IANA database."""
    ends_at: Instant | None
    """When its only run is reversed; null: never, or by `EndsCron`."""
    ends_cron: str | None
    """Each run is reversed at the first match after its planned instant; null: never."""
    on_join: bool
    """
    Whether recipients get the letter of a run on joining a game server, until the run ends; then
    nothing is reversed.
    """
    grace_minutes: int
    """How late a run can be; after that it is missed."""
    max_recipients: int
    """A run with more recipients is refused; with `OnJoin`, the letters of a run at most."""
    state: ScheduleState
    """`active`, `paused`, or `ended`: no run is left."""
    next_at: Instant | None
    """The next planned instant; null: there is none."""
    created_at: Instant
    created_by_name: str
    """The author, whose permissions are checked again at each run."""
    approved_by_name: str | None
    """The approver, if a run exceeds the limits of the author."""


class Schedules(Record, frozen=True, kw_only=True):
    values: list[CampaignSchedule]
    """Newest first."""
    next: UUID | None
    """The cursor of the next page; null: that was the last."""


class NextRun(Record, frozen=True, kw_only=True):
    """A run that is planned."""

    planned_at: Instant
    local_time: str
    """The same in the time zone of the schedule, with its offset."""
    ends_at: Instant | None
    """When it is reversed; null: never."""
    skipped: bool
    """Whether staff skipped it."""


class NextRuns(Record, frozen=True, kw_only=True):
    values: list[NextRun]
    """At most 10, the next first."""


class ScheduleRun(Record, frozen=True, kw_only=True):
    """A run that was due, or that staff skipped."""

    planned_at: Instant
    state: RunState
    """
    `preparing` while recipients are collected, `started`, `skipped` by staff, `missed` because no
    worker was running in time, or `refused`.
    """
    campaign_id: UUID | None
    """The campaign of this run."""
    code: str | None
    """Why it was refused."""
    at: Instant
    """When the run entered this state."""


class ScheduleRuns(Record, frozen=True, kw_only=True):
    values: list[ScheduleRun]
    """The last planned instant first."""
    next: Instant | None
    """The cursor of the next page; null: that was the last."""
