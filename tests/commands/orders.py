"""Commands as staff send and read them, and as a game server fetches and answers them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2

from gamekeeper.core import tasks
from tests.servers.game_server import GameServer


class Orders:
    def __init__(self, client: httpx2.AsyncClient) -> None:
        self._client = client

    async def ask(self, player: object, **body: object) -> httpx2.Response:
        """Send a command to a character; a kick unless said otherwise."""
        return await self._client.post(
            f"/api/v1/players/{player}/commands", json={"kind": "kick"} | body
        )

    async def send(self, player: object, **body: object) -> dict[str, Any]:
        return good(await self.ask(player, **body))

    async def ask_server(self, server: object, **body: object) -> httpx2.Response:
        return await self._client.post(
            f"/api/v1/servers/{server}/commands", json={"kind": "message", "text": "hi"} | body
        )

    async def send_server(self, server: object, **body: object) -> dict[str, Any]:
        return good(await self.ask_server(server, **body))

    async def find(self, command: dict[str, Any], wait: int = 0) -> dict[str, Any]:
        return good(await self._client.get(f"/api/v1/commands/{command['Id']}?wait={wait}"))

    async def state(self, command: dict[str, Any]) -> tuple[str, str | None]:
        found = await self.find(command)
        return found["State"], found["Answer"]


async def fetch(server: GameServer, **body: object) -> list[dict[str, Any]]:
    return good(await server.say("commands/fetch", **body))["Values"]


async def fetched_ids(server: GameServer, **body: object) -> list[str]:
    return [command["Id"] for command in await fetch(server, **body)]


async def answer(server: GameServer, command: dict[str, Any], **body: object) -> httpx2.Response:
    return await server.say(f"commands/{command['Id']}/answer", **{"done": True, **body})


def good(response: httpx2.Response) -> dict[str, Any]:
    assert response.status_code == 200, response.text
    return response.json()


def code(response: httpx2.Response) -> tuple[int, str]:
    return response.status_code, response.json()["Code"]


async def age(database: Any, command: dict[str, Any], seconds: float) -> None:
    """Let a command have been sent and fetched so many seconds earlier."""
    await database.write(
        lambda writer: writer.run(
            """
            UPDATE commands
               SET created_at = created_at - make_interval(secs => $2),
                   expires_at = expires_at - make_interval(secs => $2),
                   delivered_at = delivered_at - make_interval(secs => $2)
             WHERE id = $1
            """,
            command["Id"],
            float(seconds),
        )
    )


@asynccontextmanager
async def obedient(
    server: GameServer, *, done: bool = True, text: str | None = None
) -> AsyncIterator[list[dict[str, Any]]]:
    """Let a game server carry out all it is told to; what it was told."""
    obeyed: list[dict[str, Any]] = []

    async def obey() -> None:
        while True:
            for command in await fetch(server, wait=5):
                obeyed.append(command)
                good(await answer(server, command, done=done, text=text))

    task = asyncio.create_task(obey())
    try:
        yield obeyed
    finally:
        await tasks.end([task])
