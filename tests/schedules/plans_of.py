"""A crowd with schedules, and a worker whose clock the tests move."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from gamekeeper.campaigns import runner as campaign_runner
from gamekeeper.campaigns import storage as campaigns
from gamekeeper.campaigns.records import Campaign, CampaignWork
from gamekeeper.campaigns.schedules import changes, runner, storage
from gamekeeper.campaigns.schedules.changes import NewSchedule, ScheduleCommand, SkippedRun
from gamekeeper.campaigns.schedules.plans import Plan
from gamekeeper.campaigns.schedules.records import CampaignSchedule, ScheduleRun
from gamekeeper.db.operations import AuditContext
from tests.campaigns.crowds import SEGMENT, Crowd
from tests.make import BY

YEARLY = Plan(cron="0 0 1 1 *")


def hourly() -> Plan:
    """Every hour, the next time in half an hour: no instant comes while a test runs."""
    return Plan(cron=f"{(datetime.now(UTC).minute + 30) % 60} * * * *")


class Planner:
    """Creates schedules for a crowd, and does what the worker does."""

    def __init__(self, crowd: Crowd) -> None:
        self.crowd, self.database = crowd, crowd.database

    async def create(
        self,
        plan: Plan | None = None,
        *,
        segment: str | None = SEGMENT,
        work: CampaignWork | None = None,
        by: AuditContext = BY,
        grace_minutes: int = 60,
        max_recipients: int = 1_000,
        on_join: bool = False,
    ) -> CampaignSchedule:
        order = NewSchedule(
            by=by,
            name="Weekend",
            segment=segment,
            work=work or self.crowd.letter(),
            per_second=2_000,
            plan=plan or hourly(),
            grace_minutes=grace_minutes,
            max_recipients=max_recipients,
            on_join=on_join,
        )
        return await changes.create.one(self.database, order)

    async def due(self, plan: Plan = YEARLY, **options: Any) -> CampaignSchedule:
        """A schedule whose next run was due a minute ago."""
        made = await self.create(plan, **options)
        return await self.move(made.id, timedelta(minutes=1))

    async def move(self, schedule: UUID, late: timedelta) -> CampaignSchedule:
        """Make the next run due so long ago."""
        at = datetime.now(UTC) - late
        await self.run(
            """
            UPDATE schedules SET next_at = $2::timestamptz,
                   starts_at = CASE WHEN cron IS NULL THEN $2::timestamptz END
             WHERE id = $1
            """,
            schedule,
            at,
        )
        return await self.find(schedule)

    async def run(self, sql: Any, *values: Any) -> None:
        await self.database.write(lambda writer: writer.run(sql, *values))

    async def work(self, schedule: UUID) -> list[ScheduleRun]:
        """Do what the workers of schedules and campaigns do, until there is nothing to do."""
        await runner.advance(self.database, schedule)
        for run in await self.runs(schedule):
            if run.state == "preparing" and run.campaign_id:
                await self.crowd.advanced(run.campaign_id)
                await runner.start_run(self.database, schedule, run.planned_at)
                await self.crowd.advanced(run.campaign_id)
        return await self.runs(schedule)

    async def find(self, schedule: UUID) -> CampaignSchedule:
        return await storage.find_schedule(self.database.reader, schedule)

    async def runs(self, schedule: UUID) -> list[ScheduleRun]:
        return (await storage.list_runs(self.database.reader, schedule, None, 100)).values

    async def campaigns(self) -> list[Campaign]:
        return (await campaigns.list_campaigns(self.database.reader, None, 100)).values

    async def end(self, campaign: UUID) -> Campaign:
        """Let the end of a campaign come, and do what the worker does."""
        await self.run(
            "UPDATE campaigns SET ends_at = now() - interval '1 second' WHERE id = $1", campaign
        )
        for row in await self.database.reader.rows(campaign_runner.ENDING):
            await campaign_runner.end_on_time(self.database, row["id"])
        return await self.crowd.advanced(campaign)

    def command(self, schedule: UUID) -> ScheduleCommand:
        return ScheduleCommand(by=BY, schedule_id=schedule)

    async def skip(self, schedule: UUID, planned_at: datetime | None = None) -> CampaignSchedule:
        order = SkippedRun(by=BY, schedule_id=schedule, planned_at=planned_at)
        return await changes.skip.one(self.database, order)
