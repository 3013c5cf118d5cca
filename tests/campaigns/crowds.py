"""A crowd of characters, a segment of those of level 10 and more, and campaigns for them."""

from typing import Any
from uuid import UUID

from gamekeeper.campaigns import changes, dry_run, recipients, runner, storage
from gamekeeper.campaigns.changes import (
    CampaignCommand,
    CampaignReversal,
    CampaignStart,
    NewCampaign,
)
from gamekeeper.campaigns.records import (
    Campaign,
    CampaignDryRun,
    CampaignItem,
    CampaignRecipient,
    CampaignWork,
)
from gamekeeper.db.database import Database
from gamekeeper.ledger.places import HELD
from gamekeeper.segments import saved
from gamekeeper.segments.records import Condition, ConditionGroup, Definition
from gamekeeper.segments.saved import SegmentChange
from tests.make import BY, make_item, make_player

SEGMENT = "veterans"
VETERANS = Definition(groups=[ConditionGroup(conditions=[Condition(field="level", at_least=10)])])


class Crowd:
    """A potion stacks to 10; an inventory has 35 slots."""

    def __init__(self, database: Database, players: list[UUID], potion: UUID) -> None:
        self.database, self.players, self.potion = database, players, potion

    @classmethod
    async def make(cls, database: Database, size: int = 5) -> "Crowd":
        """So many veterans, and one character that is none."""
        players = [
            await make_player(database, f"Veteran {number}", level=10 + number)
            for number in range(size)
        ]
        await make_player(database, "Novice", level=1)
        order = SegmentChange(by=BY, name=SEGMENT, description="", definition=VETERANS)
        await saved.change.one(database, order)
        return cls(database, sorted(players), await make_item(database))

    def letter(self, quantity: int = 3) -> CampaignWork:
        items = [CampaignItem(item_id=self.potion, quantity=quantity)] if quantity else []
        return CampaignWork(kind="letter", subject="Sorry", text="For the outage", items=items)

    def gift(self, quantity: int = 3) -> CampaignWork:
        return CampaignWork(
            kind="give", items=[CampaignItem(item_id=self.potion, quantity=quantity)]
        )

    async def create(self, work: CampaignWork, per_second: int = 2_000) -> Campaign:
        order = NewCampaign(by=BY, name="Outage", segment=SEGMENT, work=work, per_second=per_second)
        return await changes.create.one(self.database, order)

    async def ready(self, work: CampaignWork, per_second: int = 2_000) -> Campaign:
        return await self.advanced((await self.create(work, per_second)).id)

    async def start(self, campaign: UUID) -> Campaign:
        return await changes.start.one(self.database, CampaignStart(by=BY, campaign_id=campaign))

    async def finished(self, work: CampaignWork) -> Campaign:
        campaign = await self.ready(work)
        await self.start(campaign.id)
        return await self.advanced(campaign.id)

    async def reversed(self, campaign: UUID) -> Campaign:
        order = CampaignReversal(by=BY, campaign_id=campaign)
        await changes.reverse.one(self.database, order)
        return await self.advanced(campaign)

    async def shown(self, campaign: UUID) -> Campaign:
        return await storage.find_campaign(self.database.reader, campaign)

    async def advanced(self, campaign: UUID) -> Campaign:
        """Do what the worker does, until there is nothing to do."""
        while True:
            found = await self.shown(campaign)
            if found.state not in ("preparing", "running", "reversing"):
                return found
            # None: a lazy campaign waits for recipients that join.
            if await runner.advance(self.database, campaign) is None:
                return await self.shown(campaign)

    async def try_(self, campaign: UUID) -> CampaignDryRun:
        return await dry_run.dry_run(self.database, campaign)

    def command(self, campaign: UUID) -> CampaignCommand:
        return CampaignCommand(by=BY, campaign_id=campaign)

    async def recipients(self, campaign: UUID, state: Any = None) -> list[CampaignRecipient]:
        page = await recipients.list_recipients(self.database.reader, campaign, state, None, 100)
        return page.values

    async def held(self, item: UUID | None = None) -> dict[UUID, dict[str, int]]:
        """How many potions, or of another item, each character has in each place."""
        rows = await self.database.reader.rows(
            f"""
            SELECT owner_id, place, sum(quantity)::int AS quantity FROM ({HELD}) AS held
             WHERE item_id = $1 GROUP BY 1, 2
            """,
            item or self.potion,
        )
        found: dict[UUID, dict[str, int]] = {}
        for row in rows:
            found.setdefault(row["owner_id"], {})[row["place"]] = row["quantity"]
        return found

    async def letters(self) -> dict[UUID, UUID]:
        """The letter of each character; an assertion that nobody has two."""
        rows = await self.database.reader.rows("SELECT player_id, id FROM letters")
        found = {row["player_id"]: row["id"] for row in rows}
        assert len(found) == len(rows)
        return found
