"""A mint: batches of codes made through the front door, and what characters got for them."""

from typing import Any, LiteralString
from uuid import UUID, uuid4

import httpx2

from gamekeeper.auth.secrets import Vault
from gamekeeper.codes import symbols
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database, Writer
from gamekeeper.ledger.verify_ledger import verify
from tests.make import make_item, make_player, make_user
from tests.security.callers import account_with

CODES = "/api/v1/codes"
BATCHES = f"{CODES}/batches"
MINE = "/api/v1/me/codes"


class Mint:
    """Ana (account ana) and Bo (account bo); each code gives three potions by letter."""

    def __init__(self, client: httpx2.AsyncClient, database: Database, potion: UUID) -> None:
        self.client, self.database, self.potion = client, database, potion
        self.players: dict[str, UUID] = {}

    @classmethod
    async def make(cls, client: httpx2.AsyncClient, database: Database) -> "Mint":
        mint = cls(client, database, await make_item(database))
        for name in ("ana", "bo"):
            user = await make_user(database, name=name)
            mint.players[name.title()] = await make_player(database, name.title(), user=user)
        return mint

    def wanted(self, **about: Any) -> dict[str, Any]:
        items = [{"itemid": str(self.potion), "quantity": 3}]
        usual = {"campaign": "spring", "name": "Spring", "codes": 2, "subject": "Hello"}
        return usual | {"items": items} | about

    async def create(self, **about: Any) -> str:
        """The id of a new batch, without codes."""
        return good(await self.client.post(BATCHES, json=self.wanted(**about)))["Id"]

    async def download(self, batch: str) -> list[str]:
        answer = await self.client.post(f"{BATCHES}/{batch}/download")
        assert answer.status_code == 200, answer.text
        head, *codes = answer.text.splitlines()
        assert head == "Code"
        return codes

    async def activate(self, batch: str) -> dict[str, Any]:
        return good(await self.client.post(f"{BATCHES}/{batch}/activate"))

    async def codes(self, **about: Any) -> list[str]:
        """The codes of a new batch that is active."""
        batch = await self.create(**about)
        codes = await self.download(batch)
        await self.activate(batch)
        return codes

    async def redeem(
        self, code: str, character: str = "Ana", headers: dict[str, str] | None = None
    ) -> httpx2.Response:
        body = {"code": code, "character": character}
        return await self.client.post(f"{CODES}/redeem", json=body, headers=headers)

    async def look_up(self, code: str) -> dict[str, Any]:
        return good(await self.client.post(f"{CODES}/look-up", json={"code": code}))

    async def only_batch(self) -> dict[str, Any]:
        [batch] = good(await self.client.get(BATCHES))["Values"]
        return batch

    async def mailed(self, name: str = "Ana") -> int:
        """How many potions are in the letters of a character."""
        sql = "SELECT coalesce(sum(quantity), 0) FROM letter_slots WHERE player_id = $1"
        return await self.database.reader.value(sql, self.players[name])

    async def crowd(self, size: int) -> list[dict[str, str]]:
        """The headers of accounts, each with a token and one character."""
        headers = []
        for number in range(size):
            account, token = await account_with(self.database)
            sql = "SELECT id FROM users WHERE name = $1"
            user = await self.database.reader.value(sql, account)
            await make_player(self.database, f"Crowd{number}x", user=user)
            headers.append(token)
        return headers

    async def count(self, table: LiteralString) -> int:
        return await self.database.reader.value(f"SELECT count(*) FROM {table}")

    async def run(self, sql: LiteralString, *args: Any) -> None:
        async def work(writer: Writer) -> None:
            await writer.run(sql, *args)

        await self.database.write(work)


async def make_typed_code(database: Database, item: UUID) -> str:
    """The only code of an active batch, in a campaign of its own."""
    [code] = symbols.new_codes(1)
    await make_code(database, item, code=symbols.hashes_of(Vault(database.settings), code)[0])
    return code


async def make_code(database: Database, item: UUID, *, code: UUID | None = None) -> UUID:
    """The keyed hash of the only code of an active batch, in a campaign of its own."""
    code = code or uuid4()
    await database.write(lambda writer: insert_code(writer, item, code))
    return code


async def insert_code(writer: Writer, item: UUID, code: UUID, quantity: int = 3) -> None:
    """A code of an active batch with no other."""
    await writer.run(
        """
        INSERT INTO code_batches (id, campaign, name, codes, made, uses, subject, text, items,
                                  letter_days, state, created_by_name)
        VALUES ($1::uuid, $1::uuid::text, 'Spring', 1, 1, 1, 'Hello', '', $2::text::jsonb, 30,
                'active', 'tests')
        """,
        batch := uuid4(),
        f'[{{"ItemId": "{item}", "Quantity": {quantity}}}]',
    )
    await writer.run("INSERT INTO codes (hash, batch_id) VALUES ($1, $2)", code, batch)


def good(answer: httpx2.Response) -> Any:
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["Code"]


async def sound(settings: Settings) -> None:
    """The books are right, and so are the counts of codes and batches."""
    assert (await verify(settings)).breaches == []
