"""A game server as it calls this service."""

from typing import Any
from uuid import UUID

import httpx2


class GameServer:
    """One process of a game server, with the fencing number it was given."""

    def __init__(self, client: httpx2.AsyncClient, lease: dict[str, Any]) -> None:
        self._client = client
        self.id = UUID(lease["Id"])
        self.fence: int = lease["Fence"]

    @classmethod
    async def register(
        cls, client: httpx2.AsyncClient, name: str = "Realm", **about: object
    ) -> "GameServer":
        answer = await client.post("/api/v1/servers", json={"name": name, **about})
        assert answer.status_code == 200, answer.text
        return cls(client, answer.json())

    async def say(self, what: str, **about: object) -> httpx2.Response:
        body = {"fence": self.fence, **about}
        return await self._client.post(f"/api/v1/servers/{self.id}/{what}", json=body)

    async def join(self, *players: object) -> dict[str, Any]:
        return await self._said("join", players)

    async def leave(self, *players: object) -> dict[str, Any]:
        return await self._said("leave", players)

    async def _said(self, what: str, players: tuple[object, ...]) -> dict[str, Any]:
        answer = await self.say(what, players=[str(player) for player in players])
        assert answer.status_code == 200, answer.text
        return answer.json()
