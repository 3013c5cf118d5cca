"""Losses that a restore may return: the newest that suffice, out of any number."""

from datetime import datetime
from uuid import UUID

import pytest

from gamekeeper.db.database import Database
from gamekeeper.history import restore
from gamekeeper.history.restore import Restoration
from gamekeeper.ledger import losses
from gamekeeper.ledger.losses import Kind
from gamekeeper.players import items
from gamekeeper.players.items import Gift, Taking
from gamekeeper.players.stacks import NO_BUFFS
from tests.make import BY, make_item, make_player

TAKEN = 40
"""Losses of one potion each, since the instant."""


class World:
    """A character who held five potions at an instant, and has lost many since."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.ana = self.potion = self.elixir = UUID(int=0)
        self.at = datetime.min

    async def make(self) -> "World":
        self.ana = await make_player(self.database, "ana")
        self.potion = await make_item(self.database)
        self.elixir = await make_item(self.database, "Elixir")
        await self.give(self.potion, 5)
        await self.give(self.elixir, 5)
        self.at = await self.database.reader.value("SELECT clock_timestamp()")
        for item in (self.potion, self.elixir):
            await self.give(item, TAKEN)
            taking = Taking(by=BY, player="ana", item_id=item, quantity=1)
            await items.take(self.database, [taking] * TAKEN)
        return self

    async def give(self, item: UUID, quantity: int) -> None:
        gift = Gift(by=BY, player="ana", item_id=item, quantity=quantity, overflow_to_bank=True)
        await items.give.one(self.database, gift)

    async def restorable(self, wanted: dict[UUID, int]) -> dict[UUID, list[int]]:
        """The quantities that each loss would return, newest first, by item."""
        kinds: dict[Kind, int] = {(item, NO_BUFFS): count for item, count in wanted.items()}
        found = await losses.restorable(self.database.reader, self.ana, self.at, kinds)
        return {
            item: [quantity for _, quantity in lost] for (item, _), lost in found.losses.items()
        }


@pytest.fixture
async def world(database: Database) -> World:
    return await World(database).make()


async def test_only_the_newest_losses_that_suffice_are_read(world: World):
    assert await world.restorable({world.potion: 3}) == {world.potion: [1, 1, 1]}
    assert await world.restorable({}) == {}

    found = await world.restorable({world.potion: 1000, world.elixir: 2})

    assert found == {world.potion: [1] * TAKEN, world.elixir: [1, 1]}


async def test_losses_that_were_returned_do_not_suffice(world: World, database: Database):
    """The newest two come back; the next restore draws from those before them."""
    await items.take.one(database, Taking(by=BY, player="ana", item_id=world.potion, quantity=2))
    command = Restoration(by=BY, player="ana", at=world.at)
    first = await restore.restore.one(database, command)
    assert [(value.item_id, value.quantity) for value in first.values] == [(world.potion, 2)]
    [row] = await database.reader.rows(
        "SELECT sum(quantity)::int AS back, count(DISTINCT loss_id) AS losses FROM postings"
        " WHERE against = 'restore'"
    )
    assert tuple(row) == (2, 1)

    assert await world.restorable({world.potion: 2}) == {world.potion: [1, 1]}
    assert (await restore.restore.one(database, command)).values == []


async def test_what_the_character_still_has_is_not_looked_for(
    world: World, database: Database, statements
):
    command = Restoration(by=BY, player="ana", at=world.at, dry_run=True)
    with statements() as made:
        assert (await restore.restore.one(database, command)).values == []

    assert not any("is_removal" in sql for sql in made)
