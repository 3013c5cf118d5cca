"""A game server that reports chat, and two characters who talk."""

from uuid import UUID

import pytest

from tests.make import make_player
from tests.servers.game_server import GameServer


@pytest.fixture
async def realm(client) -> GameServer:
    return await GameServer.register(client)


@pytest.fixture
async def ana(database) -> UUID:
    return await make_player(database, "Ana")


@pytest.fixture
async def bo(database) -> UUID:
    return await make_player(database, "Bo")
