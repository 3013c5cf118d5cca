"""A shop's counter: orders sent through the front door, and what characters got for them."""

from typing import Any
from uuid import UUID

import httpx2

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.ledger.verify_ledger import verify
from gamekeeper.players.mailbox import changes
from gamekeeper.players.mailbox.changes import LetterCommand
from gamekeeper.players.mailbox.records import Letter
from tests.make import BY, make_item, make_player, make_user

ORDERS = "/api/v1/orders"
SHOPS = "/api/v1/shops"


class Counter:
    """Ana (account ana) and Bo (account bo) buy potions in the shop `webshop`."""

    def __init__(self, client: httpx2.AsyncClient, database: Database, **about: Any) -> None:
        self.client, self.database = client, database
        self.__dict__.update(about)

    @classmethod
    async def make(cls, client: httpx2.AsyncClient, database: Database) -> "Counter":
        users = {name: await make_user(database, name=name) for name in ("ana", "bo")}
        players = {
            name.title(): await make_player(database, name.title(), user=users[name])
            for name in users
        }
        potion = await make_item(database)
        return cls(client, database, users=users, players=players, potion=potion)

    def line(self, quantity: int = 3) -> dict[str, Any]:
        return {"items": [{"itemid": str(self.potion), "quantity": quantity}]}

    async def put(self, order: str = "1", **about: Any) -> httpx2.Response:
        body = {"character": "Ana", "lines": [self.line()], **about}
        return await self.client.put(f"{ORDERS}/webshop/{order}", json=body)

    async def post(self, order: str, what: str, **body: Any) -> httpx2.Response:
        return await self.client.post(f"{ORDERS}/webshop/{order}/{what}", json=body)

    async def get(self, order: str = "1") -> dict[str, Any]:
        return good(await self.client.get(f"{ORDERS}/webshop/{order}"))

    async def product(self, product: str = "pack", quantity: int = 5) -> dict[str, Any]:
        items = [{"itemid": str(self.potion), "quantity": quantity}]
        path = f"{SHOPS}/webshop/products/{product}"
        return good(await self.client.put(path, json={"name": "Potion pack", "items": items}))

    async def held(self, name: str = "Ana") -> dict[str, int]:
        """The potions of a character: in letters, and in the inventory with the bank."""
        [row] = await self.database.reader.rows(
            """
            SELECT (SELECT coalesce(sum(quantity), 0)
                      FROM letter_slots WHERE player_id = $1) AS mail,
                   (SELECT coalesce(sum(quantity), 0) FROM slots WHERE player_id = $1) AS bags
            """,
            self.players[name],
        )
        return {"mail": row["mail"], "bags": row["bags"]}

    async def claim_letter(self, name: str, letter: UUID) -> Letter:
        command = LetterCommand(by=BY, player=name, letter_id=letter)
        return await changes.claim.one(self.database, command)


def good(answer: httpx2.Response) -> Any:
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["Code"]


def lines(order: dict[str, Any]) -> list[tuple[str, str | None]]:
    return [(line["State"], line["Reason"]) for line in order["Lines"]]


async def sound(settings: Settings) -> None:
    proof = await verify(settings)
    assert proof.breaches == []


def letter_of(order: dict[str, Any], number: int = 1) -> UUID:
    return UUID(order["Lines"][number - 1]["LetterId"])
