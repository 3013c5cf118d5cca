"""The proof of the ledger: it finds what was planted, and names it."""

import asyncio
import random
from collections import Counter
from typing import Any
from uuid import UUID

import msgspec
import pytest

from gamekeeper.auth import keys
from gamekeeper.db.database import Database
from gamekeeper.history.undo import execute
from gamekeeper.ledger import verify_ledger
from gamekeeper.ledger.verify_ledger import LedgerBreach, Proof
from gamekeeper.players import attributes, items
from gamekeeper.players.items import Gift, Taking
from tests.cli.command import gamekeeper
from tests.make import BY, fill_slot, make_bag_item, make_item, make_player
from tests.open_connections import open_connections


class World:
    """
    Two players with five postings each: a gift of 4, then of 16 into two slots, 6 taken
    back from the first of them, and a bag in a third. Of the two, Ana has the lower id.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.ana = self.bob = self.potion = self.other = UUID(int=0)

    async def make(self) -> "World":
        self.ana, self.bob = sorted([await make_player(self.database) for _ in range(2)])
        self.potion, self.other = await make_item(self.database), await make_item(self.database)
        satchel = await make_bag_item(self.database)
        for player in (self.bob, self.ana):
            for quantity in (4, 16):
                await self.give(player, self.potion, quantity)
            taking = Taking(by=BY, player=str(player), item_id=self.potion, quantity=6)
            await items.take.one(self.database, taking)
            await self.give(player, satchel, 1)
        return self

    async def give(self, player: UUID, item: UUID, quantity: int) -> None:
        gift = Gift(by=BY, player=str(player), item_id=item, quantity=quantity)
        await items.give.one(self.database, gift)

    async def plant(self, sql: str, *args: object) -> None:
        """Do what no door of ours does."""
        count = await self.database.write(lambda writer: writer.run(sql, *args))  # pyright: ignore
        assert count > 0, "nothing was planted"


@pytest.fixture
async def world(database: Database) -> World:
    return await World(database).make()


async def verify(database: Database, player: UUID | None = None, **about: Any) -> Proof:
    with open_connections(database):
        return await verify_ledger.verify(database.settings, player, **about)


async def found(database: Database, player: UUID | None = None) -> LedgerBreach:
    breach = (await verify(database, player)).breach
    assert breach is not None
    return breach


async def test_what_was_done_through_our_doors_holds(world, database):
    told: list[tuple[int, int]] = []

    proof = await verify(database, on_progress=lambda done, total: told.append((done, total)))

    assert proof.breach is None
    assert proof.postings == 10
    assert (told[0], told[-1]) == ((0, 10), (10, 10))


async def test_an_empty_ledger_holds(database):
    assert await verify(database) == Proof(postings=0)


ANOTHER = "SET item_id = (SELECT other.id FROM items AS other WHERE other.id <> item_id LIMIT 1)"
SLOT = "WHERE player_id = $1 AND place = 'inventory' AND slot = 1"
POSTING = "WHERE player_id = $1 AND seq = "
AGAIN = """
    INSERT INTO postings (player_id, seq, at, action_id, place, slot, item_id, quantity, against,
                          held_before, held_after, stat_buffs)
    SELECT player_id, seq + {}, at + interval '{}', action_id, place, slot, item_id,
           quantity, against, held_before, held_after, stat_buffs
      FROM postings WHERE player_id = $1 AND seq = 3
"""

# What is planted, the law that is broken, the posting and slot named, what is said.
PLANTED = {
    "a slot edited": (
        f"UPDATE slots SET quantity = quantity + 5 {SLOT}",
        ("slots", 3, 1, "the slot holds 15, but posting 3 left 10"),
    ),
    "an item swapped for another": (
        f"UPDATE slots {ANOTHER} {SLOT}",
        ("slots", 3, 1, "the slot holds the item"),
    ),
    "stat buffs edited": (
        f"UPDATE slots SET stat_buffs = '{{9,0,0,0,0}}' {SLOT}",
        ("slots", 3, 1, "the slot has other stat buffs or another bag than posting 3 left"),
    ),
    "a slot deleted": (
        f"DELETE FROM slots {SLOT}",
        ("slots", 3, 1, "the slot is empty, but posting 3 left 10"),
    ),
    "a posting deleted": (
        f"DELETE FROM postings {POSTING} 3",
        ("numbers", 4, None, "posting 3 is missing: 4 follows 2"),
    ),
    "the last posting deleted": (
        f"DELETE FROM postings {POSTING} 5",
        ("numbers", 4, None, "the head says 5 postings, but the last is 4"),
    ),
    "all postings deleted": (
        "DELETE FROM postings WHERE player_id = $1",
        ("numbers", None, None, "the head says 5 postings, but there are none"),
    ),
    "a posting edited": (
        f"UPDATE postings SET quantity = 5, held_after = 5 {POSTING} 1",
        ("slots", 2, 0, "posting 2 found 4, but posting 1 left 5"),
    ),
    "the last posting of a slot edited": (
        f"UPDATE postings SET quantity = 9, held_after = 9 {POSTING} 3",
        ("slots", 3, 1, "the slot holds 10, but posting 3 left 9"),
    ),
    "a posting moved to another slot": (
        f"UPDATE postings SET slot = 30 {POSTING} 2",
        ("slots", 2, 30, "posting 2 found 4 where nothing had been put"),
    ),
    "the item of a posting edited": (
        f"UPDATE postings {ANOTHER} {POSTING} 2",
        ("slots", 2, 0, "posting 2 found another item than posting 1 left"),
    ),
    "the stat buffs of a posting edited": (
        f"UPDATE postings SET stat_buffs = '{{1,1,1,1,1}}' {POSTING} 2",
        ("slots", 2, 0, "posting 2 found other stat buffs or another bag than posting 1 left"),
    ),
    "a posting dated back": (
        f"UPDATE postings SET at = at - interval '1 hour' {POSTING} 4",
        ("numbers", 4, None, "posting 4 is from"),
    ),
    "a gap": (
        f"UPDATE postings SET seq = seq + 2 {POSTING} 5",
        ("numbers", 7, None, "posting 5 is missing: 7 follows 4"),
    ),
    "a number below one": (
        f"UPDATE postings SET seq = 0 {POSTING} 1",
        ("numbers", 0, None, "a posting has the number 0"),
    ),
    "a posting doubled": (
        AGAIN.format(0, "1 microsecond"),
        ("numbers", 3, None, "posting 3 is there twice"),
    ),
    "a posting added": (
        AGAIN.format(3, "1 hour"),
        ("numbers", 6, None, "the head says 5 postings, but the last is 6"),
    ),
    "a wrong head": (
        "UPDATE ledger_heads SET seq = seq + 1 WHERE player_id = $1",
        ("numbers", 5, None, "the head says 6 postings, but the last is 5"),
    ),
    "a head dated back": (
        "UPDATE ledger_heads SET at = at - interval '1 hour' WHERE player_id = $1",
        ("numbers", 5, None, "the head is from"),
    ),
    "a head deleted": (
        "DELETE FROM ledger_heads WHERE player_id = $1",
        ("numbers", 5, None, "there are 5 postings, but no head"),
    ),
}


@pytest.mark.parametrize("what", PLANTED)
async def test_what_was_planted_is_found_and_named(world, database, what):
    sql, (law, seq, slot, message) = PLANTED[what]

    await world.plant(sql, world.ana)

    for breach in (await found(database), await found(database, world.ana)):
        assert (breach.law, breach.player_id, breach.seq) == (law, world.ana, seq), breach
        assert breach.slot == slot
        assert breach.message.startswith(message)
    assert (await verify(database, world.bob)).breach is None


async def test_an_item_from_nowhere_is_found(world, database):
    await fill_slot(world.database, world.ana, "bank", 7, world.other, 3)

    assert await found(database) == LedgerBreach(
        law="slots",
        message="the slot holds 3, but no posting ever put anything there",
        player_id=world.ana,
        place="bank",
        slot=7,
        item_id=world.other,
    )


async def test_an_item_from_nowhere_in_a_bag_is_found(world, database):
    bag = await world.database.reader.value("SELECT id FROM bags WHERE player_id = $1", world.ana)
    await world.plant(
        "INSERT INTO bag_slots (player_id, bag_id, slot, item_id, quantity) "
        "VALUES ($1, $2, 3, $3, 2)",
        world.ana,
        bag,
        world.other,
    )

    breach = await found(database)

    assert (breach.place, breach.inside, breach.slot) == ("bag", bag, 3)
    assert breach.message == "the slot holds 2, but no posting ever put anything there"


async def test_an_item_of_somebody_without_postings_is_found(world, database):
    """Whether the id is below or above those of everybody in the ledger."""
    others = [await make_player(world.database) for _ in range(12)]
    for player in others:
        await fill_slot(world.database, player, "inventory", 0, world.potion, 1)

    assert (await found(database)).player_id == min(others)
    assert (await found(database, max(others))).player_id == max(others)


async def test_what_was_passed_on_must_come_to_somebody(world, database):
    """Every player's postings add up by themselves; only all of them together do not."""
    await world.plant("UPDATE postings SET against = 'move' WHERE player_id = $1", world.ana)
    await world.plant("UPDATE actions SET kind = 'items.move' WHERE player_id = $1", world.ana)

    breach = await found(database)

    assert (breach.law, breach.player_id) == ("accounts", None)
    assert breach.message.startswith("of what players passed on, ")


ORIGINS = {
    "no action": (
        f"UPDATE postings SET action_id = gen_random_uuid() {POSTING} 2",
        "which is not one of this player",
    ),
    "an action about another item": (
        """UPDATE actions SET item_id = gen_random_uuid()
            WHERE id = (SELECT action_id FROM postings WHERE player_id = $1 AND seq = 2)""",
        "which is about another item",
    ),
    "an action of another kind": (
        """UPDATE actions SET kind = 'items.take'
            WHERE id = (SELECT action_id FROM postings WHERE player_id = $1 AND seq = 2)""",
        "is against grant, but its action",
    ),
    "an action of another transaction": (
        f"UPDATE postings SET xid = '7' {POSTING} 2",
        "was not written with its action",
    ),
}


@pytest.mark.parametrize("what", ORIGINS)
async def test_a_posting_has_an_action_that_says_the_same(world, database, what):
    sql, said = ORIGINS[what]
    await world.plant(sql, world.ana)

    breach = await found(database)

    assert (breach.law, breach.player_id, breach.seq) == ("actions", world.ana, 2)
    assert said in breach.message
    assert await found(database, world.ana) == breach
    assert (await verify(database, world.bob)).breach is None


async def test_what_comes_back_was_lost(world, database):
    """An undo of the taking, written so as if it gave back what another action took."""
    taking = await world.database.reader.value(
        "SELECT id FROM actions WHERE kind = 'items.take' AND player_id = $1", world.ana
    )
    await execute.undo.one(world.database, execute.Undoing(by=BY, action_id=taking))
    assert (await verify(database)).breach is None
    await world.plant("UPDATE postings SET loss_id = gen_random_uuid() WHERE against = 'undo'")

    breach = await found(database)

    assert (breach.law, breach.player_id, breach.item_id) == ("losses", world.ana, world.potion)
    assert "and it took 0" in breach.message


async def test_the_first_of_several_is_named(world, database, monkeypatch):
    """However many ranges and connections there are, the lowest player counts."""
    monkeypatch.setattr(verify_ledger, "MIN_RANGE", 1)
    await world.plant("UPDATE slots SET quantity = 3 WHERE place = 'inventory' AND slot = 1")
    await world.plant("UPDATE slots SET quantity = 3 WHERE place = 'inventory' AND slot = 0")

    breach = await found(database)

    assert (breach.player_id, breach.seq, breach.slot) == (world.ana, 3, 1)


async def test_a_breach_hides_no_other(world, database, monkeypatch):
    """Of any law, in any range: a slot, a level, a number and a key, planted together."""
    monkeypatch.setattr(verify_ledger, "MIN_RANGE", 1)
    await attributes.set_level.one(
        database, attributes.Promotion(by=BY, player=str(world.bob), level=7)
    )
    await keys.create.one(database, keys.NewKey(by=BY, name="shop"))
    await world.plant("UPDATE ledger_heads SET seq = 9 WHERE player_id = $1", world.ana)
    await world.plant(f"UPDATE slots SET stat_buffs = '{{9,0,0,0,0}}' {SLOT}", world.bob)
    await world.plant("UPDATE players SET level = 8 WHERE id = $1", world.bob)
    await world.plant("UPDATE api_keys SET revoked_at = now()")

    proof = await verify(database)

    assert [(breach.law, breach.player_id) for breach in proof.breaches] == [
        ("numbers", world.ana),
        ("slots", world.bob),
        ("levels", world.bob),
        ("keys", None),
    ]
    assert proof.truncated == []


async def test_many_breaches_of_one_law_are_cut_and_hide_no_other_law(world, database):
    await world.plant(
        """
        INSERT INTO slots (player_id, place, slot, item_id, quantity)
        SELECT $1, 'bank', slot, $2, 1 FROM generate_series(0, 119) AS slot
        """,
        world.ana,
        world.other,
    )

    proof = await verify(database)

    assert Counter(breach.law for breach in proof.breaches) == {"slots": 100, "accounts": 1}
    assert proof.truncated == ["slots"]
    listed = gamekeeper(database.settings, "ledger", "verify").stdout
    assert listed.startswith("Ledger verification failed: more than 101 breaches.")
    assert listed.rstrip().endswith("… and more breaches of the law slots.")


async def test_it_holds_while_others_write(world, database, monkeypatch):
    """Eight players are given to and taken from all the time; no proof sees half of it."""
    monkeypatch.setattr(verify_ledger, "MIN_RANGE", 50)
    players = [await make_player(world.database) for _ in range(8)]
    done = asyncio.Event()

    async def write(player: UUID) -> int:
        count = 0
        while not done.is_set():
            await world.give(player, world.potion, random.randint(1, 12))
            order = Taking(by=BY, player=str(player), item_id=world.potion, quantity=2)
            await items.take(world.database, [order] * 4)
            count += 1
        return count

    writers = [asyncio.create_task(write(player)) for player in players]
    proofs = [await verify(database) for _ in range(6)]
    done.set()
    counts = await asyncio.gather(*writers)

    assert [proof.breach for proof in proofs] == [None] * 6
    assert min(counts) > 0
    assert proofs[-1].postings > proofs[0].postings


async def test_the_command_says_so_and_its_exit_code_too(world, settings):
    command = ("ledger", "verify")
    fine = gamekeeper(settings, *command)
    await world.plant(f"UPDATE slots SET quantity = 9 {SLOT}", world.ana)
    broken = gamekeeper(settings, *command, "--player", str(world.ana), "--json")
    spoken = gamekeeper(settings, *command)

    assert (fine.returncode, fine.stdout[:31]) == (0, "Ledger verified: 10 postings in")
    assert "History can be altered by the service" in fine.stderr
    assert broken.returncode == spoken.returncode == 1
    answer = msgspec.json.decode(broken.stdout)
    assert (answer["holds"], answer["alterable"]) == (False, True)
    assert answer["breach"]["message"] == "the slot holds 9, but posting 3 left 10"
    assert f"player {world.ana}, posting 3, inventory 1" in spoken.stdout
    assert [breach["law"] for breach in answer["breaches"]] == ["slots"]
    assert spoken.stdout.startswith("Ledger verification failed: 2 breaches.")
    assert "accounts: players hold 27, but 28 came out of the named accounts." in spoken.stdout
