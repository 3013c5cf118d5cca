"""A character that moves between realms is in exactly one of them, wherever a process dies."""

import asyncio
import sys
from collections.abc import AsyncIterator
from uuid import UUID

import msgspec
import pytest
from msgspec import Struct

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.ledger import verify_ledger
from gamekeeper.players import items
from gamekeeper.players.characters import PlayerOnline
from gamekeeper.players.items import Gift
from tests import processes
from tests.databases import cloned
from tests.make import BY, join, make_class, make_item, make_player, make_server, make_user
from tests.realms import moves

pytestmark = pytest.mark.deploy


class Realm(Struct, frozen=True):
    settings: Settings
    database: Database

    async def has(self) -> int:
        """How many live characters are called Ana."""
        return await self.database.reader.value("SELECT count(*) FROM players WHERE name = 'Ana'")

    async def held(self) -> int:
        return await self.database.reader.value("SELECT coalesce(sum(quantity), 0) FROM slots")


class World(Struct, frozen=True):
    source: Realm
    target: Realm
    item: UUID

    async def in_escrow(self) -> bool:
        reader = self.source.database.reader
        return await reader.value("SELECT count(*) FROM realms.escrow WHERE state = 'open'")

    async def resume(self) -> None:
        await moves.resume(self.source.database, self.target.database)

    async def check(self, at: Realm) -> None:
        """Ana and her items are in one realm, and both ledgers hold."""
        other = self.target if at is self.source else self.source
        assert (await at.has(), await at.held()) == (1, 7)
        assert await other.held() == 0
        assert not await self.in_escrow()
        for realm in (self.source, self.target):
            assert (await verify_ledger.verify(realm.settings)).breach is None


@pytest.fixture
async def world(template: str) -> AsyncIterator[World]:
    async with (
        cloned(template) as here,
        cloned(template) as there,
        Database.open(here) as source,
        Database.open(there) as target,
    ):
        item = await make_item(source)
        await make_item(target, id=item)
        for database in (source, target):
            await database.write(lambda writer: writer.connection.execute(moves.TABLES))
            await make_class(database)
        await make_user(target, "ana")
        await make_player(source, "Ana", user=await make_user(source, "ana"))
        gift = Gift(by=BY, player="Ana", item_id=item, quantity=7)
        await items.give.one(source, gift)
        yield World(Realm(here, source), Realm(there, target), item)


async def taken_name(world: World) -> None:
    """Somebody in the target has the name."""
    await make_player(world.target.database, "Ana")


PLACES = ("before_commit", "after_commit")
POINTS = [f"{place}:kill:{number}" for number in (1, 2, 3) for place in PLACES]
"""Before and after the commits of depart, arrive and settle."""


@pytest.mark.parametrize("refused", [False, True], ids=["accepted", "refused"])
@pytest.mark.parametrize("point", POINTS)
async def test_a_move_survives_a_kill_at_every_point(world, point, refused):
    if refused:
        await taken_name(world)
    urls = [str(realm.settings.database_url) for realm in (world.source, world.target)]
    done = await asyncio.to_thread(
        processes.run, [sys.executable, "-m", "tests.realms", *urls, "Ana", point]
    )
    assert done.returncode == -9, done.stderr

    # Between two steps: in one realm or in escrow, never in two and never in none.
    in_target = await world.target.has() - refused
    places = await world.source.has() + in_target
    assert places <= 1
    assert places or await world.in_escrow()

    await world.resume()
    await world.resume()
    if point == "before_commit:kill:1":
        await world.check(world.source)
    else:
        await world.check(world.source if refused else world.target)


async def test_many_processes_that_resume_the_same_move_make_it_once(world):
    await moves.depart(world.source.database, "Ana")

    await asyncio.gather(*(world.resume() for _ in range(8)))

    await world.check(world.target)


async def test_a_refusal_stays_one_when_the_reason_is_gone(world):
    """Otherwise the character could come back here and arrive there."""
    await taken_name(world)
    move = await moves.depart(world.source.database, "Ana")
    text = await world.source.database.reader.value("SELECT content FROM realms.escrow")
    content = msgspec.json.decode(text, type=moves.Content)
    assert await moves.arrive(world.target.database, move, content) == "name_taken"
    await world.target.database.write(
        lambda writer: writer.run("DELETE FROM player_names WHERE name_key = 'ana'")
    )

    assert await moves.finish(world.source.database, world.target.database, move) == "name_taken"

    assert (await world.source.has(), await world.source.held()) == (1, 7)
    assert await world.target.held() == 0


async def test_a_character_that_plays_does_not_depart(world):
    database = world.source.database
    player = await database.reader.value("SELECT id FROM players WHERE name = 'Ana'")
    await join(database, player, await make_server(database))

    with pytest.raises(PlayerOnline):
        await moves.depart(database, "Ana")
    assert (await world.source.has(), await world.in_escrow()) == (1, 0)
