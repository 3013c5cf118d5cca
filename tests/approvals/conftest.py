"""A supporter with a limit, an administrator without, and a character to give potions to."""

from collections.abc import AsyncIterator

import pytest
from msgspec import Struct

from gamekeeper.app import App
from gamekeeper.db.database import Database
from tests.approvals.callers import Caller, make_caller, running
from tests.make import UUID, make_item, make_player


class Office(Struct):
    database: Database
    apps: list[App]
    supporter: Caller
    """May hand out 5 pieces of an item and undo one action in a day."""
    administrator: Caller
    player: UUID
    potion: UUID

    async def caller(self, *scopes: str, **about) -> Caller:
        return await make_caller(self.database, self.apps, *scopes, **about)

    async def pieces(self) -> int:
        return await self.database.reader.value("SELECT coalesce(sum(quantity), 0) FROM slots")


@pytest.fixture
async def office(settings, database, shared_database) -> AsyncIterator[Office]:
    databases = [shared_database.database(settings) for _ in range(2)]
    async with running(settings, databases) as apps:
        scopes = ("players.items", "players.read", "actions.undo", "transactions")
        yield Office(
            database,
            apps,
            await make_caller(database, apps, *scopes, pieces_per_day=5, undos_per_day=1),
            await make_caller(database, apps),
            await make_player(database, "Ana"),
            await make_item(database, value=3),
        )
