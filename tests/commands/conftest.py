"""A character on a game server, and what commands need to be called with."""

from uuid import UUID

import pytest

from tests.commands.orders import Orders
from tests.make import make_player
from tests.servers.game_server import GameServer


@pytest.fixture
async def ana(database) -> UUID:
    return await make_player(database, "Ana")


@pytest.fixture
async def realm(client, ana) -> GameServer:
    """A game server that Ana plays on."""
    realm = await GameServer.register(client)
    await realm.join(ana)
    return realm


@pytest.fixture
def orders(client) -> Orders:
    return Orders(client)
