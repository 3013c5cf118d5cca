"""Old months are dropped, and what is left is as provable and as exact as it was."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import UUID

import asyncpg
import msgspec
import pytest

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.history import as_of, retention
from gamekeeper.history.retention import MonthNotOver, NotAddedUp
from gamekeeper.ledger import checkpoints, verify_chain, verify_ledger
from gamekeeper.ledger.economy import supply
from gamekeeper.ledger.economy.rebuild import recount
from gamekeeper.ledger.verify_ledger import Proof
from gamekeeper.players import items
from gamekeeper.players.items import Gift, Taking
from tests.cli.command import gamekeeper
from tests.ledger.chains import link
from tests.make import BY, make_bag_item, make_item, make_player
from tests.open_connections import open_connections

BEFORE = datetime(2026, 1, 1, tzinfo=UTC)
"""A month before which nothing is kept; what the tests did was long ago, or is of today."""
LONG_AGO = "timestamptz '2025-06-01 12:00Z'"


class World:
    """Two players who did things long ago: some slots filled, one emptied, a bag in one."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self.database, self.settings = database, settings
        self.ana = self.bob = self.potion = self.elixir = UUID(int=0)

    async def make(self) -> "World":
        self.ana, self.bob = (
            await make_player(self.database, "ana"),
            await make_player(self.database),
        )
        self.potion, self.elixir = await make_item(self.database), await make_item(self.database)
        for player in (self.ana, self.bob):
            await self.give(player, self.potion, 14)
            await self.give(player, self.elixir, 3)
            await self.take(player, self.elixir, 3)
            await self.give(player, await make_bag_item(self.database), 1)
        await self.age()
        return self

    async def age(self) -> None:
        """Let all that was done be done in another month, each thing a day after the other."""
        connection = await asyncpg.connect(self.settings.database_url)
        await connection.execute(
            f"""
            CREATE TABLE IF NOT EXISTS postings_2025_06 PARTITION OF postings
                   FOR VALUES FROM ('2025-06-01 00:00Z') TO ('2025-07-01 00:00Z');
            UPDATE postings SET at = {LONG_AGO} + make_interval(hours => seq::int)
             WHERE at > '2026-01-01';
            UPDATE ledger_heads SET at = {LONG_AGO} + make_interval(hours => seq::int);
            """
        )
        await connection.close()

    async def give(self, player: UUID, item: UUID, quantity: int) -> None:
        order = Gift(by=BY, player=str(player), item_id=item, quantity=quantity)
        await items.give.one(self.database, order)

    async def take(self, player: UUID, item: UUID, quantity: int) -> None:
        order = Taking(by=BY, player=str(player), item_id=item, quantity=quantity)
        await items.take.one(self.database, order)

    async def fold(self) -> None:
        """Others on the same server may hold it up, so everything is counted anew."""

        async def work(writer) -> None:
            await writer.run("SELECT FROM economy_horizon FOR UPDATE")
            await recount(writer)

        await self.database.write(work)

    async def drop(self, **about: bool) -> retention.DroppedMonths:
        return await retention.drop(self.settings, BEFORE, **about)

    async def plant(self, sql: str) -> None:
        assert await self.database.write(lambda writer: writer.run(sql)) > 0  # pyright: ignore


@pytest.fixture
async def world(database: Database, settings: Settings) -> World:
    world = await World(database, settings).make()
    await world.fold()
    return world


async def verify(world: World, player: UUID | None = None) -> Proof:
    with open_connections(world.database):
        return await verify_ledger.verify(world.settings, player)


async def test_the_ledger_holds_without_the_months_that_were_dropped(world):
    """Right after it, and when everything that was there has been changed."""
    assert (await verify(world)).postings == 10

    dropped = await world.drop()

    assert (dropped.months, dropped.postings, dropped.players) == (["postings_2025_06"], 10, 2)
    assert dropped.slots == 6
    proof = await verify(world)
    assert (proof.breach, proof.postings) == (None, 0)
    assert await world.database.reader.value("SELECT count(*) FROM postings") == 0

    for player in (world.ana, world.bob):
        await world.take(player, world.potion, 12)
        await world.give(player, world.elixir, 2)
    proof = await verify(world)
    assert (proof.breach, proof.postings) == (None, 6)
    assert (await verify(world, world.ana)).breach is None


async def test_months_can_be_dropped_again(world):
    """What was opened is carried on: slots emptied since, others filled, accounts added to."""
    await world.drop()
    await world.take(world.ana, world.potion, 12)
    await world.give(world.ana, world.elixir, 5)
    await world.age()
    await world.fold()

    dropped = await world.drop()

    assert (dropped.postings, dropped.players, dropped.slots) == (3, 1, 6)
    assert (await verify(world)).breach is None
    await world.give(world.ana, world.potion, 1)
    assert (await verify(world)).breach is None


async def test_checkpoints_before_the_openings_go_and_the_next_follow_from_them(world):
    """Each player has five postings before the drop; the items in their slots stay opened."""
    interval, stop = 2, asyncio.Event()
    assert await checkpoints.write_due(world.database, stop, interval) == 4
    assert (await verify(world)).breach is None

    await world.drop()

    assert await world.database.reader.value("SELECT count(*) FROM ledger_checkpoints") == 0
    then = await as_of.held(world.database.reader, world.ana, datetime.now(UTC))
    for _ in range(2):
        await world.give(world.ana, world.elixir, 5)
    assert await checkpoints.write_due(world.database, stop, interval) == 1
    assert await world.database.reader.value("SELECT seq FROM ledger_checkpoints") == 7
    assert (await verify(world)).breach is None
    assert await as_of.held(world.database.reader, world.ana, BEFORE) == then


PLANTED = {
    "UPDATE openings SET quantity = quantity - 1 WHERE quantity > 1": "slots",
    "UPDATE openings SET stat_buffs = '{1,0,0,0,0}'": "slots",
    "DELETE FROM openings": "slots",
    "UPDATE opening_heads SET seq = seq - 1": "numbers",
    "DELETE FROM opening_heads": "numbers",
    "UPDATE opening_accounts SET quantity = quantity + 1": "accounts",
    "DELETE FROM opening_accounts": "accounts",
    "UPDATE slots SET quantity = quantity + 1 WHERE bag_id IS NULL": "slots",
    "DELETE FROM postings WHERE seq = 6": "numbers",
    "UPDATE postings SET seq = 1 WHERE seq = 6": "numbers",
}


@pytest.mark.parametrize("sql", PLANTED)
async def test_what_is_planted_is_still_found(world, sql):
    await world.drop()
    await world.take(world.ana, world.potion, 1)
    assert (await verify(world)).breach is None

    await world.plant(sql)

    breach = (await verify(world)).breach
    assert breach is not None
    assert breach.law == PLANTED[sql], breach


async def test_openings_raised_with_all_that_follows_from_them_are_found(world):
    """Every sum is right; only the action that dropped the postings says otherwise."""
    await world.drop()
    for table in ("openings", "slots"):
        await world.plant(
            f"UPDATE {table} SET quantity = quantity + 7 WHERE slot = 0 AND item_id = "
            f"'{world.potion}' AND player_id = '{world.ana}'"
        )
    await world.plant(
        f"UPDATE opening_accounts SET quantity = quantity + 7 WHERE item_id = '{world.potion}'"
    )

    breach = (await verify(world)).breach

    assert breach is not None
    assert (breach.law, breach.message[:43]) == (
        "openings",
        "the opening balances differ from those that",
    )


async def test_a_beginning_that_no_action_made_is_found(world):
    await world.drop()
    await world.plant("UPDATE ledger_beginning SET at = at + interval '1 hour'")

    breach = (await verify(world)).breach

    assert breach is not None
    assert breach.law == "openings"


async def test_the_chain_is_proved_without_the_postings_that_were_dropped(world, settings):
    """Their digests stay; of what was not dropped, nothing may be missing."""
    await world.plant(
        "UPDATE actions SET at = postings.at FROM postings WHERE action_id = actions.id"
    )
    await link(world.database)
    assert (await verify_chain.find(settings)).total == 0

    await world.drop()
    await world.give(world.ana, world.potion, 1)
    await link(world.database)

    assert (await verify_chain.find(settings)).total == 0
    await world.plant("DELETE FROM postings")
    [found] = (await verify_chain.find(settings)).breaches
    assert found.kind == "postings"
    assert found.message.endswith("are missing.")


async def test_the_economy_keeps_all_its_sums(world, database):
    """Even if it is counted anew afterwards."""
    before = [
        await supply.find_item_economy(database.reader, item, 366)
        for item in (world.potion, world.elixir)
    ]
    flows = await database.reader.rows("SELECT * FROM item_flows ORDER BY item_id, day, against")

    await world.drop()

    for _ in range(2):
        after = [
            await supply.find_item_economy(database.reader, item, 366)
            for item in (world.potion, world.elixir)
        ]
        assert after == before
        rows = await database.reader.rows("SELECT * FROM item_flows ORDER BY item_id, day, against")
        assert rows == flows != []
        await world.fold()


async def test_a_past_that_is_no_longer_kept_is_refused(world, client):
    await world.drop()
    asked = {"at": (BEFORE - timedelta(seconds=1)).isoformat()}
    bag = await world.database.reader.value("SELECT id FROM bags WHERE player_id = $1", world.ana)
    one = "/api/v1/players/ana"

    for path in (f"{one}/items", f"{one}/items/bank", f"/api/v1/players/bag/{bag}"):
        answer = await client.get(path, params=asked)
        assert (answer.status_code, answer.json()["Code"]) == (409, "at_too_old")
        assert answer.json()["Details"] == {"Earliest": BEFORE.isoformat()}
        assert (await client.get(path, params={"at": BEFORE.isoformat()})).status_code == 200
    refused = await client.post(f"{one}/items/restore", json=asked)
    assert (refused.status_code, refused.json()["Code"]) == (409, "at_too_old")
    changed = await client.get(f"{one}/items/changes", params={"from": asked["at"]})
    assert changed.json()["Code"] == "at_too_old"
    assert (await client.get(f"{one}/spells", params=asked)).status_code == 200


async def test_a_dry_run_changes_nothing(world):
    would = await world.drop(dry_run=True)

    assert (would.postings, would.slots, would.dry_run) == (10, 6, True)
    assert await world.database.reader.value("SELECT count(*) FROM openings") == 0
    assert (await verify(world)).postings == 10
    assert (await world.drop()).postings == 10


@pytest.mark.usefixtures("schema_changes")
async def test_neither_the_present_month_nor_what_is_not_added_up_is_dropped(world, settings):
    now = datetime.now(UTC)
    with pytest.raises(MonthNotOver):
        await retention.drop(settings, now.replace(day=1) + timedelta(days=40))
    await world.give(world.ana, world.potion, 1)
    await world.age()
    with pytest.raises(NotAddedUp):
        await world.drop()
    assert await world.database.reader.value("SELECT count(*) FROM openings") == 0


async def test_the_command_drops_and_is_on_record(world, settings, database):
    words = ("ledger", "drop", "--before", "2026-01")
    wrong = await asyncio.to_thread(gamekeeper, settings, *words[:3], "soon")
    dry = await asyncio.to_thread(gamekeeper, settings, *words, "--dry-run")
    done = await asyncio.to_thread(gamekeeper, settings, *words, "--json")

    assert wrong.returncode != 0
    assert dry.stdout.startswith("Would drop 10 postings of 2 players and 1 months; 6 filled")
    assert msgspec.json.decode(done.stdout)["postings"] == 10, done.stderr
    [row] = await database.reader.rows("SELECT after FROM actions WHERE kind = 'ledger.drop'")
    assert row["after"]["months"] == ["postings_2025_06"]
