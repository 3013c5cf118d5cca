"""
A campaign runs and is reversed while worker, API and PostgreSQL are killed, and players go on.

Players claim the letters, trade what was in them and use it, over HTTP (`claimants.py`).
`TORTURE_CAMPAIGN` says how many characters there are, `TORTURE_CAMPAIGN_CLIENTS` how many clients,
`TORTURE_CAMPAIGN_PAUSE` how long each waits between two things, in seconds on average.
`TORTURE_CAMPAIGN_KILLS` kills hit worker and API in turn, `TORTURE_CAMPAIGN_DATABASE_KILLS` hit
PostgreSQL; half of them during the campaign, half during its reversal.
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
from typing import LiteralString
from uuid import UUID

import pytest

from gamekeeper.auth import keys
from gamekeeper.campaigns import changes, storage
from gamekeeper.campaigns.changes import CampaignReversal, CampaignStart, NewCampaign
from gamekeeper.campaigns.records import Campaign, CampaignItem, CampaignState, CampaignWork
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from gamekeeper.demo import loader
from gamekeeper.ledger import verify_ledger
from gamekeeper.ledger.places import HELD
from gamekeeper.segments import saved
from gamekeeper.segments.records import Condition, ConditionGroup, Definition
from gamekeeper.segments.saved import SegmentChange
from tests import processes
from tests.clusters import Cluster, cluster
from tests.deadlines import PATIENCE
from tests.make import BY, make_item
from tests.server import environment
from tests.torture.claimants import Claimants, Goods
from tests.torture.service import Service
from tests.torture.test_kills import _started_again

pytestmark = pytest.mark.torture

CHARACTERS = int(os.environ.get("TORTURE_CAMPAIGN", "2000"))
CLIENTS = int(os.environ.get("TORTURE_CAMPAIGN_CLIENTS", "12"))
PAUSE = float(os.environ.get("TORTURE_CAMPAIGN_PAUSE", "0.1"))
KILLS = int(os.environ.get("TORTURE_CAMPAIGN_KILLS", "4"))
DATABASE_KILLS = int(os.environ.get("TORTURE_CAMPAIGN_DATABASE_KILLS", "2"))
CROWD = 20
"""Characters of each client."""
EACH = 5
WAITS = (Unavailable, OSError, TimeoutError)
EVERYONE = Definition(groups=[ConditionGroup(conditions=[Condition(field="level", at_least=1)])])
REACHED: dict[CampaignState, LiteralString] = {
    "running": "done + skipped + refused",
    "reversing": "reversed + kept",
}


class Play:
    """The worker as a process, and who kills it."""

    def __init__(self, postgres: Cluster, database: Database, log: Path) -> None:
        self.postgres, self.database, self.log = postgres, database, log
        self.settings: Settings = postgres.settings
        self._worker: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "gamekeeper", "worker"]
        env = {"GAMEKEEPER_LOG_LEVEL": "error", "TMPDIR": str(self.log.parent)}
        with self.log.open("ab") as log:
            self._worker = processes.start(
                command, env=environment(self.settings, **env), stderr=log
            )

    def kill(self) -> None:
        if self._worker:
            self._worker.kill()
            self._worker.wait()


class Ordeal(Play):
    """Worker and API, which are killed in turn while a campaign goes on, and PostgreSQL."""

    def __init__(self, postgres: Cluster, database: Database, log: Path) -> None:
        super().__init__(postgres, database, log)
        self.api = Service(self.settings, log)
        self.killed: Counter[str] = Counter()
        self.waited = 0.0
        """Seconds from kills until the campaign went on."""
        self.dice = random.Random(CHARACTERS)

    def close(self) -> None:
        self.kill()
        self.api.kill()

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
        raise AssertionError(f"the campaign is {found}\n{self.log.read_text()[-2000:]}")

    async def kill_while(
        self, campaign: UUID, state: CampaignState, kills: int, database_kills: int
    ) -> None:
        """Kill one after the other, evenly over the work that the campaign does in a state."""
        targets = ["worker" if number % 2 else "api" for number in range(kills)]
        for number in range(database_kills):
            targets.insert((2 * number + 1) * len(targets) // (2 * database_kills), "postgresql")
        for number, target in enumerate(targets, start=1):
            await self._reached(campaign, state, CHARACTERS * number // (len(targets) + 1))
            # At any moment of a batch.
            await asyncio.sleep(self.dice.uniform(0, 0.05))
            begun = time.monotonic()
            await self._kill(target)
            self.killed[target] += 1
            await self._reached(campaign, state, await self._count(campaign, state) + 1)
            self.waited += time.monotonic() - begun

    async def _kill(self, target: str) -> None:
        match target:
            case "worker":
                self.kill()
                self.start()
            case "api":
                self.api.kill()
                self.api = Service(self.settings, self.log)
                await self.api.start()
            case _:
                self.postgres.signal(signal.SIGKILL)
                await _started_again(self.postgres)

    async def _reached(self, campaign: UUID, state: CampaignState, least: int) -> None:
        """Wait until the campaign has done so much, or ends."""
        deadline = time.monotonic() + PATIENCE + CHARACTERS / 100
        while await self._count(campaign, state) < min(least, CHARACTERS):
            assert time.monotonic() < deadline, self.log.read_text()[-2000:]
            await asyncio.sleep(0.005)

    async def _count(self, campaign: UUID, state: CampaignState) -> int:
        while True:
            try:
                sql = f"SELECT {REACHED[state]} FROM campaigns WHERE id = $1"
                return await self.database.reader.value(sql, campaign)
            except WAITS:
                await asyncio.sleep(0.05)


@pytest.fixture
def postgres():
    with cluster() as made:
        yield made


async def _supply(database: Database) -> dict[UUID, int]:
    sql = f"SELECT item_id, sum(quantity)::bigint FROM ({HELD}) AS held GROUP BY 1"
    return {row[0]: row[1] for row in await database.reader.rows(sql)}


async def _created(database: Database, potion: UUID) -> UUID:
    segment = SegmentChange(by=BY, name="all", description="", definition=EVERYONE)
    await saved.change.one(database, segment)
    items = [CampaignItem(item_id=potion, quantity=EACH)]
    work = CampaignWork(kind="letter", subject="Sorry", items=items)
    order = NewCampaign(by=BY, name="Outage", segment="all", work=work, per_second=10_000)
    return (await changes.create.one(database, order)).id


async def _claimants(database: Database, ordeal: Ordeal, potion: UUID) -> Claimants:
    """Clients with characters spread over all ids, so that they meet the campaign everywhere."""
    key = await keys.create.one(database, keys.NewKey(by=BY, name="clients"))
    rows = await database.reader.rows(
        "SELECT id FROM players ORDER BY md5(id::text) LIMIT $1", CLIENTS * CROWD
    )
    players = [row["id"] for row in rows]
    crowds = [players[number::CLIENTS] for number in range(CLIENTS)]
    goods = Goods(potion, await make_item(database, "Coin", inventory_stack=10**6))
    made = Claimants(lambda: ordeal.api.port, str(key), goods, crowds)
    await made.prepare(database)
    return made


async def _reported(database: Database) -> tuple[int, int]:
    """What the reversal says it could not take, and what players used, to the piece."""
    [row] = await database.reader.rows(
        """
        SELECT (SELECT coalesce(sum((item->>'Wanted')::int - (item->>'Taken')::int), 0)::int
                  FROM campaign_recipients, jsonb_array_elements(kept) AS item) AS kept,
               (SELECT coalesce(sum(-quantity), 0)::int
                  FROM postings JOIN actions ON actions.id = action_id
                 WHERE request_id LIKE 'use-%') AS used
        """
    )
    return row["kept"], row["used"]


# A million characters take longer than a test otherwise may.
@pytest.mark.timeout(1200 + CHARACTERS // 250)
async def test_each_recipient_is_reached_and_reversed_once_whatever_dies(
    postgres: Cluster, tmp_path: Path
):
    settings = postgres.settings
    await migrate(settings)
    now = datetime.now(UTC)
    await loader.fill(settings, players=CHARACTERS, seed=1, now=now, began=now - timedelta(days=30))
    async with Database.open(settings) as database:
        ordeal = Ordeal(postgres, database, tmp_path / "log")
        potion = await make_item(database, "Compensation", inventory_stack=1000)
        clients = await _claimants(database, ordeal, potion)
        before = await _supply(database)
        try:
            await ordeal.api.start()
            async with clients.playing(PAUSE):
                await asyncio.sleep(min(10, 20 * PAUSE))
                print(f"\nbefore: {clients.percentiles()}")
                campaign = await _created(database, potion)
                await _send(ordeal, clients, campaign, potion)
                await _reverse(ordeal, clients, campaign)
            print("\n".join(f"{many:10,} {what}" for what, many in sorted(clients.heard.items())))
            # What was not taken back was used, or others have it by trades.
            kept, used = await _reported(database)
            supply = await _supply(database)
            left = supply.pop(potion, 0)
            print(f"{kept:,} pieces kept: {used:,} used, {left:,} with others")
            assert kept == used + left
            assert supply == before
            assert await clients.miscounted(database) == []
            assert (await verify_ledger.verify(settings)).breaches == []
        finally:
            ordeal.close()
    assert ordeal.killed["postgresql"] == DATABASE_KILLS
    assert ordeal.killed["worker"] + ordeal.killed["api"] == KILLS


async def _send(ordeal: Ordeal, clients: Claimants, campaign: UUID, potion: UUID) -> None:
    """Run the campaign; each character has one letter, whose items were created once."""
    database = ordeal.database
    ordeal.start()
    assert (await ordeal.until(campaign, "ready")).recipients == CHARACTERS
    begun = time.monotonic()
    await changes.start.one(database, CampaignStart(by=BY, campaign_id=campaign))
    await ordeal.kill_while(
        campaign, "running", KILLS - KILLS // 2, DATABASE_KILLS - DATABASE_KILLS // 2
    )
    finished = await ordeal.until(campaign, "finished")
    _print(f"{CHARACTERS:,} letters", begun, ordeal, clients)
    assert (finished.done, finished.skipped, finished.refused) == (CHARACTERS, 0, 0)
    [sent] = await database.reader.rows(
        "SELECT count(*) AS letters, count(DISTINCT player_id) AS players FROM letters"
    )
    assert tuple(sent.values()) == (CHARACTERS, CHARACTERS)
    sql = "SELECT sum(quantity) FROM postings WHERE item_id = $1 AND against = 'grant'"
    assert await database.reader.value(sql, potion) == CHARACTERS * EACH


async def _reverse(ordeal: Ordeal, clients: Claimants, campaign: UUID) -> None:
    """Reverse the campaign; each recipient gave back all, or is listed with the rest."""
    begun = time.monotonic()
    await changes.reverse.one(ordeal.database, CampaignReversal(by=BY, campaign_id=campaign))
    await ordeal.kill_while(campaign, "reversing", KILLS // 2, DATABASE_KILLS // 2)
    after = await ordeal.until(campaign, "reversed")
    _print(f"{after.reversed:,} reversed, {after.kept:,} kept", begun, ordeal, clients)
    assert after.reversed + after.kept == CHARACTERS


def _print(what: str, begun: float, ordeal: Ordeal, clients: Claimants) -> None:
    seconds = time.monotonic() - begun
    working = max(0.001, seconds - ordeal.waited)
    print(
        f"{what} in {seconds:.0f} s, {CHARACTERS / seconds:,.0f}/s; "
        f"{CHARACTERS / working:,.0f}/s without {ordeal.waited:.0f} s of restarts\n"
        f"killed so far: {dict(ordeal.killed)}; {clients.percentiles()}",
        flush=True,
    )
    ordeal.waited = 0.0
