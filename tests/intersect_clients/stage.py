"""A stage for each replay: a server process on a world of its own, and a game that obeys."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import httpx2
from msgspec import Struct

from gamekeeper.db.database import Database
from tests.commands.orders import obedient
from tests.databases import cloned, name_of
from tests.intersect_clients import recordings
from tests.intersect_clients.matrix import Replayed
from tests.intersect_clients.recordings import ENDPOINTS, Version
from tests.intersect_clients.replay import Replay
from tests.intersect_clients.world import World, make_world
from tests.server import serving
from tests.servers.game_server import GameServer


class PreparedWorld(Struct, frozen=True):
    """A database that holds the world, to be copied for each program."""

    name: str
    world: World


@asynccontextmanager
async def prepared(template: str) -> AsyncIterator[PreparedWorld]:
    async with cloned(template) as settings:
        async with Database.open(settings) as database:
            world = await make_world(database)
        yield PreparedWorld(name_of(settings), world)


async def replayed(stage: PreparedWorld, file: Path, folder: Path) -> Replayed:
    """What a program hears; the endpoints are asked for by each version."""
    recording = recordings.read(file)
    versions: tuple[Version, ...] = ("0.7", "0.8") if file == ENDPOINTS else ("0.7",)
    outcomes = {}
    for version in versions:
        async with played(stage, folder / f"{file.stem}-{version}.log") as client:
            world = stage.world
            replay = Replay(client, recording, world.known, version, world.key)
            outcomes[version] = await replay.run()
    return Replayed(recording, outcomes)


@asynccontextmanager
async def played(stage: PreparedWorld, log: Path) -> AsyncIterator[httpx2.AsyncClient]:
    """A server on a world of its own, while a game server obeys what it is told."""
    async with cloned(stage.name) as settings:
        # No lease ends while the machine is busy.
        with serving(settings, log, **_environment()) as (url, _):
            key = {"Authorization": f"Bearer {stage.world.key}"}
            async with (
                httpx2.AsyncClient(base_url=url, headers=key, timeout=60) as game,
                httpx2.AsyncClient(base_url=url, timeout=60) as client,
            ):
                realm = await GameServer.register(game)
                await realm.join(*stage.world.players)
                await _trade(game, realm, stage.world)
                await _chat(realm, stage.world)
                async with obedient(realm):
                    yield client


def _environment() -> dict[str, str]:
    return {"GAMEKEEPER_LEASE_SECONDS": "3600", "GAMEKEEPER_GAME_NAME": "Lanternfall"}


async def _trade(game: httpx2.AsyncClient, realm: GameServer, world: World) -> None:
    """Ana gives Ben a potion for his sword."""
    ana, ben = world.known["player_id"], world.known["friend_id"]
    moves = [
        {"do": "items", "from": ana, "to": ben, "itemid": world.known["item_id"], "quantity": 1},
        {"do": "items", "from": ben, "to": ana, "itemid": world.known["sword_id"], "quantity": 1},
    ]
    about = {"server": str(realm.id), "fence": realm.fence}
    body = about | {"transactions": [{"key": "trade-1", "moves": moves}]}
    answer = await game.post("/api/v1/transactions", json=body)
    assert answer.json()["Values"][0]["Status"] == 200, answer.text


async def _chat(realm: GameServer, world: World) -> None:
    """What the game heard its players say; a service without a chat log does not know the path."""
    said = [
        {"id": str(uuid4()), "playerid": world.known["player_id"], **about}
        for about in (
            {"channel": "Global", "message": "Hello everybody"},
            {"channel": "PM", "message": "Hi", "targetid": world.known["friend_id"]},
        )
    ]
    answer = await realm.say("chat", messages=said)
    assert answer.status_code in (200, 404), answer.text
