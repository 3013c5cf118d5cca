"""Schedules: the endpoints under /api/v1/schedules."""

from datetime import datetime

from gamekeeper_client.calls import Group, How, Id, Key, deletes, every, posts, reads
from gamekeeper_client.campaigns import Work
from gamekeeper_client.fields import Cursor
from gamekeeper_client.records import CampaignSchedule, NextRuns, ScheduleRun


class Schedules(Group[How]):
    """Campaigns at an instant, or repeated."""

    @reads("/api/v1/schedules")
    def page(self, *, cursor: str | None = None, limit: int = 20) -> Cursor[CampaignSchedule]:
        """A page of schedules, newest first."""
        ...

    all = every(page)

    @reads("/api/v1/schedules/{schedule_id}")
    def get(self, schedule_id: Id) -> CampaignSchedule:
        """One schedule, with its next planned instant."""
        ...

    @posts("/api/v1/schedules")
    def create(
        self,
        name: str,
        segment: str | None,
        work: Work,
        *,
        starts_at: datetime | None = None,
        cron: str | None = None,
        time_zone: str = "UTC",
        ends_at: datetime | None = None,
        ends_cron: str | None = None,
        on_join: bool = False,
        grace_minutes: int = 60,
        max_recipients: int = 1_000_000,
        per_second: int = 2000,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> CampaignSchedule:
        """
        Plan a campaign at an instant, or repeatedly.

        `{"kind": "announcement", "text": "…"}` is a message to all game servers, without a segment.
        """
        ...

    @reads("/api/v1/schedules/{schedule_id}/next")
    def next_runs(self, schedule_id: Id) -> NextRuns:
        """The next 10 planned runs."""
        ...

    @reads("/api/v1/schedules/{schedule_id}/runs")
    def runs(
        self, schedule_id: Id, *, cursor: str | None = None, limit: int = 20
    ) -> Cursor[ScheduleRun]:
        """A page of the runs that were due, the last first."""
        ...

    all_runs = every(runs)

    @posts("/api/v1/schedules/{schedule_id}/pause")
    def pause(
        self, schedule_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> CampaignSchedule:
        """Pause a schedule: no run happens until it is resumed."""
        ...

    @posts("/api/v1/schedules/{schedule_id}/resume")
    def resume(
        self, schedule_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> CampaignSchedule:
        """Continue a paused schedule with its next run from now on."""
        ...

    @posts("/api/v1/schedules/{schedule_id}/skip")
    def skip(
        self,
        schedule_id: Id,
        *,
        planned_at: datetime | None = None,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> CampaignSchedule:
        """Skip one of the next 10 runs."""
        ...

    @deletes("/api/v1/schedules/{schedule_id}")
    def delete(
        self, schedule_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> CampaignSchedule:
        """Delete a schedule; its campaigns stay."""
        ...
