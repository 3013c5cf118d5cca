"""
A campaign runs and is reversed while its worker and PostgreSQL are killed, and players claim.

`TORTURE_CAMPAIGN` says how many characters there are, `TORTURE_CAMPAIGN_KILLS` how often the worker
is killed in each of the two phases. PostgreSQL is killed once in each.
"""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest

from gamekeeper.campaigns import changes, storage
from gamekeeper.campaigns.changes import CampaignReversal, CampaignStart, NewCampaign
from gamekeeper.campaigns.records import Campaign, CampaignItem, CampaignState, CampaignWork
from gamekeeper.core.errors import Problem, Unavailable
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from gamekeeper.demo import loader
from gamekeeper.ledger import verify_ledger
from gamekeeper.ledger.places import HELD
from gamekeeper.players import items
from gamekeeper.players.items import Taking
from gamekeeper.players.mailbox import changes as mailbox
from gamekeeper.players.mailbox.changes import LetterCommand
from gamekeeper.segments import saved
from gamekeeper.segments.records import Condition, ConditionGroup, Definition
from gamekeeper.segments.saved import SegmentChange
from tests import processes
from tests.clusters import Cluster, cluster
from tests.deadlines import PATIENCE
from tests.make import BY, make_item
from tests.server import environment
from tests.torture.test_kills import _started_again

pytestmark = pytest.mark.torture

CHARACTERS = int(os.environ.get("TORTURE_CAMPAIGN", "2000"))
KILLS = int(os.environ.get("TORTURE_CAMPAIGN_KILLS", "4"))
CLAIMERS = 4
EACH = 5
WAITS = (Unavailable, OSError, TimeoutError)
EVERYONE = Definition(groups=[ConditionGroup(conditions=[Condition(field="level", at_least=1)])])


class Play:
    """The worker as a process, who kills it, and players who claim and use what they get."""

    def __init__(self, postgres: Cluster, database: Database, log: Path) -> None:
        self._postgres, self.database, self._log = postgres, database, log
        self._settings: Settings = postgres.settings
        self._worker: subprocess.Popen[bytes] | None = None
        self.killed: Counter[str] = Counter()
        self.used: Counter[UUID] = Counter()
        self.dice = random.Random(CHARACTERS)

    def start(self) -> None:
        command = [sys.executable, "-m", "gamekeeper", "worker"]
        env = {"GAMEKEEPER_LOG_LEVEL": "error", "TMPDIR": str(self._log.parent)}
        with self._log.open("ab") as log:
            self._worker = processes.start(
                command, env=environment(self._settings, **env), stderr=log
            )

    def kill(self) -> None:
        if self._worker:
            self._worker.kill()
            self._worker.wait()

    async def until(self, campaign: UUID, *states: CampaignState) -> Campaign:
        deadline, found = time.monotonic() + PATIENCE + CHARACTERS / 100, None
        while time.monotonic() < deadline:
            try:
                found = await storage.find_campaign(self.database.reader, campaign)
            except WAITS:
                found = None
            if found and found.state in states:
                return found
            await asyncio.sleep(0.1)
        raise AssertionError(f"the campaign is {found}\n{self._log.read_text()[-2000:]}")

    async def kill_while(self, campaign: UUID, state: CampaignState) -> None:
        """Kill the worker again and again, and PostgreSQL once, as the campaign goes on."""
        for number in range(KILLS):
            begun = await self._position(campaign)
            while await self._position(campaign) == begun:
                if (await self.until(campaign, state, "finished", "reversed")).state != state:
                    return
                await asyncio.sleep(0.005)
            await asyncio.sleep(self.dice.uniform(0, 0.1))
            self.kill()
            self.killed["worker"] += 1
            if number == KILLS // 2:
                self._postgres.signal(signal.SIGKILL)
                await _started_again(self._postgres)
                self.killed["postgresql"] += 1
            self.start()

    async def _position(self, campaign: UUID) -> UUID | None:
        try:
            sql = "SELECT cursor FROM campaigns WHERE id = $1"
            return await self.database.reader.value(sql, campaign)
        except WAITS:
            return None

    async def claim_while(self, done: asyncio.Event, potion: UUID) -> None:
        """Claim letters at random and use a part of the potions; tries again what was refused."""
        while not done.is_set():
            try:
                rows = await self.database.reader.rows(
                    "SELECT player_id, id FROM letters WHERE state = 'open' LIMIT 20"
                )
                for row in self.dice.sample(rows, min(3, len(rows))):
                    await self._claim(row["player_id"], row["id"], potion)
            except WAITS:
                pass
            await asyncio.sleep(0.02)

    async def _claim(self, player: UUID, letter: UUID, potion: UUID) -> None:
        command = LetterCommand(by=BY, player=str(player), letter_id=letter)
        try:
            await mailbox.claim.one(self.database, command)
        except Problem:
            return
        quantity = self.dice.randint(0, EACH)
        if quantity:
            order = Taking(by=BY, player=str(player), item_id=potion, quantity=quantity)
            try:
                await items.take.one(self.database, order)
            except Problem:
                return
            self.used[player] += quantity


@pytest.fixture
def postgres():
    with cluster() as made:
        yield made


async def _held(database: Database, item: UUID) -> int:
    sql = f"SELECT coalesce(sum(quantity), 0)::int FROM ({HELD}) AS held WHERE item_id = $1"
    return await database.reader.value(sql, item)


async def test_each_recipient_is_reached_and_reversed_once_whatever_dies(
    postgres: Cluster, tmp_path: Path
):
    settings = postgres.settings
    await migrate(settings)
    now = datetime.now(UTC)
    await loader.fill(settings, players=CHARACTERS, seed=1, now=now, began=now - timedelta(days=30))
    async with Database.open(settings) as database:
        potion = await make_item(database, "Compensation", inventory_stack=1000)
        segment = SegmentChange(by=BY, name="all", description="", definition=EVERYONE)
        await saved.change.one(database, segment)
        work = CampaignWork(
            kind="letter",
            subject="Sorry",
            items=[CampaignItem(item_id=potion, quantity=EACH)],
        )
        order = NewCampaign(by=BY, name="Outage", segment="all", work=work, per_second=10_000)
        campaign = (await changes.create.one(database, order)).id
        play = Play(postgres, database, tmp_path / "log")
        play.start()
        try:
            ready = await play.until(campaign, "ready")
            assert ready.recipients == CHARACTERS
            begun, done = time.monotonic(), asyncio.Event()
            await changes.start.one(database, CampaignStart(by=BY, campaign_id=campaign))
            claimers = [
                asyncio.create_task(play.claim_while(done, potion)) for _ in range(CLAIMERS)
            ]
            await play.kill_while(campaign, "running")
            finished = await play.until(campaign, "finished")
            seconds = time.monotonic() - begun
            print(f"\n{CHARACTERS:,} letters in {seconds:.0f} s, killed {play.killed}")
            assert (finished.done, finished.skipped, finished.refused) == (CHARACTERS, 0, 0)
            [sent] = await database.reader.rows(
                "SELECT count(*) AS letters, count(DISTINCT player_id) AS players FROM letters"
            )
            assert tuple(sent.values()) == (CHARACTERS, CHARACTERS)

            await changes.reverse.one(database, CampaignReversal(by=BY, campaign_id=campaign))
            await play.kill_while(campaign, "reversing")
            after = await play.until(campaign, "reversed")
            done.set()
            await asyncio.gather(*claimers)
            print(f"reversed {after.reversed:,}, kept {after.kept:,}, killed {play.killed}")
            assert after.reversed + after.kept == CHARACTERS
            missing = await database.reader.value(
                """
                SELECT coalesce(sum((item->>'Wanted')::int - (item->>'Taken')::int), 0)::int
                  FROM campaign_recipients, jsonb_array_elements(kept) AS item
                """
            )
            # Every potion was taken back, or is listed as used.
            removed = await database.reader.value(
                """
                SELECT coalesce(sum(-quantity), 0)::int FROM postings
                 WHERE item_id = $1 AND quantity < 0 AND against = 'removal'
                   AND action_id NOT IN (SELECT id FROM actions WHERE request_id = $2)
                """,
                potion,
                str(campaign),
            )
            assert missing == removed
            assert await _held(database, potion) == 0
            assert (await verify_ledger.verify(settings)).breaches == []
        finally:
            play.kill()
    assert play.killed["postgresql"] == 2
