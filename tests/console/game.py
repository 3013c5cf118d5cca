"""What is so in the game, as the API tells it to a program: the outcome of a journey."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

import httpx2

from gamekeeper.demo import world
from gamekeeper.demo.story.cast import HERO, LOUD, LUCKY
from gamekeeper.demo.story.guilds import COURT

PREPARED = 120.0
"""Seconds, for the recipients among a million characters."""
LATEST = 10.0
"""Seconds, instead of the two that are promised: the machine may be busy."""


class Game:
    def __init__(self, client: httpx2.AsyncClient, url: str, key: str) -> None:
        self._client = client
        self._url = url
        self._key = key

    async def send(self, method: str, path: str, *, key: str | None = None, **body: Any):
        """The answer to a call with this key, or with that of the world."""
        return await self._client.request(
            method,
            self._url + path,
            json=body or None,
            headers={"Authorization": f"Bearer {key or self._key}"},
        )

    async def get(self, path: str) -> Any:
        answer = await self.send("GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def post(self, path: str, **body: Any) -> Any:
        answer = await self.send("POST", path, **body)
        assert answer.is_success, answer.text
        return answer.json()

    async def put(self, path: str, **body: Any) -> Any:
        answer = await self.send("PUT", path, **body)
        assert answer.is_success, answer.text
        return answer.json()

    async def address(self, path: str) -> str:
        """
        The address of a screen; `{court}` in it stands for the id of the story's first guild,
        `{case}` for that of an open case, `{segment}`, `{campaign}`, `{schedule}` and `{batch}` for
        new ones.
        """
        if "{court}" in path:
            found = await self.get(f"/guilds?search={quote(COURT)}")
            return path.format(court=found["Values"][0]["Key"]["Id"])
        if "{segment}" in path:
            return path.format(segment=await self.segment())
        if "{campaign}" in path:
            return path.format(campaign=await self.campaign())
        if "{schedule}" in path:
            return path.format(schedule=await self.schedule())
        if "{batch}" in path:
            return path.format(batch=await self.batch())
        return path.format(case=await self.report()) if "{case}" in path else path

    async def segment(self) -> str:
        """A segment that has one player."""
        name = "the-lucky-one"
        await self.post(f"/segment-lists/{name}/names", names=[LUCKY.name])
        conditions = [{"field": "list", "list": name}, {"field": "level", "atleast": 1}]
        await self.put(f"/segments/{name}", groups=[{"conditions": conditions}])
        return name

    async def campaign(self) -> str:
        """A campaign for that player, ready to be started."""
        item = {"itemid": str(world.items()["Antidote"].id), "quantity": 3}
        work = {"kind": "letter", "subject": "Sorry", "text": "For Friday.", "items": [item]}
        about = {"name": "Outage of Friday", "segment": await self.segment(), "work": work}
        campaign = (await self.post("/campaigns", **about))["Id"]
        deadline = time.monotonic() + PREPARED
        while (found := await self.get(f"/campaigns/{campaign}"))["State"] != "ready":
            assert time.monotonic() < deadline, found
            await asyncio.sleep(0.2)
        return campaign

    async def schedule(self) -> str:
        """A letter for that player, every Friday, that is taken back on Mondays."""
        item = {"itemid": str(world.items()["Antidote"].id), "quantity": 3}
        made = await self.post(
            "/schedules",
            name="Festival",
            segment=await self.segment(),
            work={"kind": "letter", "subject": "Festival", "items": [item]},
            cron="0 18 * * FRI",
            endscron="0 9 * * MON",
            timezone="Europe/Berlin",
        )
        return made["Id"]

    async def batch(self, **about: object) -> str:
        """A batch of codes that are not downloaded yet."""
        item = {"itemid": str(world.items()["Antidote"].id), "quantity": 3}
        body = {"name": "Newsletter", "campaign": "spring", "codes": 3, "subject": "A gift"}
        made = await self.post("/codes/batches", items=[item], prefix="SPRING", **body | about)
        return made["Id"]

    async def report(self, reporter: str = HERO.name) -> str:
        """Report the insults of the story; returns the case, which has their chat."""
        said = await self.get(f"/chat/messages?player={quote(LOUD.name)}&search=worthless")
        [insult] = said["Values"]
        await self.post(
            "/reports",
            reporter=reporter,
            player=LOUD.name,
            category="harassment",
            text="Insults in front of everyone.",
            at=insult["SaidAt"],
            messages=[insult["Id"]],
        )
        found = await self.get(f"/cases?user={insult['UserId']}&state=open")
        return found["Values"][0]["Id"]

    async def refuses(self, call: Callable[[], Awaitable[int]]) -> bool:
        """Whether `call` gets 401, now or soon: a server keeps for two seconds what it knows."""
        began = time.monotonic()
        while await call() != 401:
            if time.monotonic() - began > LATEST:
                return False
            await asyncio.sleep(0.1)
        return True

    async def stacks(self, player: str, item: str) -> list[dict[str, Any]]:
        """Where a character has an item, worn, carried or in the bank."""
        found = await self.get(f"/players/{quote(player)}/items")
        wanted = str(world.items()[item].id)
        return [slot for place in found.values() for slot in place if slot["ItemId"] == wanted]

    async def held(self, player: str, item: str) -> int:
        return sum(stack["Quantity"] for stack in await self.stacks(player, item))

    async def carried(self, player: str, item: str) -> int:
        """Without what is in the bank."""
        found = (await self.get(f"/players/{quote(player)}/items"))["inventory"]
        wanted = str(world.items()[item].id)
        return sum(slot["Quantity"] for slot in found if slot["ItemId"] == wanted)

    async def sanctions(self, user: str) -> list[dict[str, Any]]:
        return (await self.get(f"/users/{quote(user)}/sanctions"))["Values"]
