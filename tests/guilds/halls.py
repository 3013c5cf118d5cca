"""A guild with an owner and a member, made through the front door."""

from typing import Any
from uuid import UUID

import httpx2

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.ledger.verify_ledger import verify
from tests.make import make_item, make_player

API = "/api/v1/guilds"


class Hall:
    """Ana owns the guild, Bo is a member, Cyd is in none; a potion stacks to 10, in banks to 50."""

    def __init__(self, client: httpx2.AsyncClient, **about: Any) -> None:
        self.client = client
        self.__dict__.update(about)

    @classmethod
    async def make(
        cls, client: httpx2.AsyncClient, database: Database, *, slots: int = 4
    ) -> "Hall":
        players = {name: await make_player(database, name.title()) for name in ("ana", "bo", "cyd")}
        potion = await make_item(database)
        body = {"name": "Larkspur Court", "owner": "Ana", "bankslots": slots}
        guild = good(await client.post(f"{API}/create", json=body))
        hall = cls(client, id=UUID(guild["Id"]), record=guild, potion=potion, **players)
        good(await hall.post("members/Bo"))
        return hall

    async def post(self, path: str, headers: Any = None, **body: Any) -> httpx2.Response:
        return await self.client.post(f"{API}/{self.id}/{path}", json=body, headers=headers)

    async def get(self, path: str = "") -> httpx2.Response:
        return await self.client.get(f"{API}/{self.id}{path}")

    async def delete(self, path: str = "") -> httpx2.Response:
        return await self.client.delete(f"{API}/{self.id}{path}")

    async def give(self, player: str, item: UUID, quantity: int, **about: Any) -> None:
        body = {"itemid": str(item), "quantity": quantity, **about}
        good(await self.client.post(f"/api/v1/players/{player}/items/give", json=body))

    async def deposit(self, player: str, quantity: int = 1, **about: Any) -> httpx2.Response:
        return await self.move("deposit", player, quantity, **about)

    async def withdraw(self, player: str, quantity: int = 1, **about: Any) -> httpx2.Response:
        return await self.move("withdraw", player, quantity, **about)

    async def move(self, way: str, player: str, quantity: int, **about: Any) -> httpx2.Response:
        body = {"player": player, "itemid": str(self.potion), "quantity": quantity, **about}
        return await self.post(f"bank/{way}", **body)

    async def bank(self) -> list[dict[str, Any]]:
        """The filled slots of the bank."""
        return [slot for slot in good(await self.get("/bank")) if slot["Quantity"]]

    async def ranks(self) -> dict[str, int]:
        page = good(await self.get("/members?pageSize=100"))
        return {entry["Name"]: entry["GuildRank"] for entry in page["Values"]}


def good(answer: httpx2.Response) -> Any:
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["Message"]


async def sound(settings: Settings) -> None:
    assert (await verify(settings)).breach is None
