"""Clients that give and trade under keys, repeat until they are answered, and follow events."""

import asyncio
import random
import time
from collections import Counter
from contextlib import suppress
from uuid import UUID

import httpx2

PAUSE_SECONDS = 0.05
HEARD_SECONDS = 15.0


class Crowd:
    def __init__(self, url: str, key: str, players: list[UUID], item: UUID) -> None:
        self._url, self._key = url, key
        self._players, self._item = players, item
        self._stop = asyncio.Event()
        self._number = 0
        self.answered: list[float] = []
        """When each change was acknowledged, by the monotonic clock."""
        self.held: Counter[UUID] = Counter()
        """How many items each character has, if each acknowledged change was made once."""
        self.heard: Counter[str] = Counter()

    async def run(self, clients: int) -> None:
        async with httpx2.AsyncClient(
            base_url=self._url,
            headers={"Authorization": f"Bearer {self._key}"},
            timeout=HEARD_SECONDS,
            limits=httpx2.Limits(max_connections=clients),
        ) as client:
            await asyncio.gather(*(self._act(client, number) for number in range(clients)))

    def stop(self) -> None:
        self._stop.set()

    async def _act(self, client: httpx2.AsyncClient, number: int) -> None:
        dice = random.Random(number)
        while not self._stop.is_set():
            one, other = dice.sample(self._players, 2)
            if dice.random() < 0.5:
                await self._give(client, one)
            else:
                await self._trade(client, one, other)
            await asyncio.sleep(PAUSE_SECONDS * dice.random())

    async def _give(self, client: httpx2.AsyncClient, player: UUID) -> None:
        body = {"itemid": str(self._item), "quantity": 1}
        await self._repeated(client, f"/api/v1/players/{player}/items/give", body)
        self.held[player] += 1

    async def _trade(self, client: httpx2.AsyncClient, one: UUID, other: UUID) -> None:
        """Two items for one: so a trade that is made twice, or by half, is seen in both."""
        item = str(self._item)
        legs = ((one, other, 2), (other, one, 1))
        moves = [
            {"do": "items", "from": str(a), "to": str(b), "itemid": item, "quantity": many}
            for a, b, many in legs
        ]
        answer = await self._repeated(client, "/api/v1/transactions", {"moves": moves})
        if answer.status_code == 200:
            self.held[one] -= 1
            self.held[other] += 1

    async def _repeated(
        self, client: httpx2.AsyncClient, path: str, body: dict[str, object]
    ) -> httpx2.Response:
        self._number += 1
        key = f"drill-{self._number}"
        if path.endswith("transactions"):
            body = {"transactions": [body | {"key": key}]}
        while True:
            try:
                answer = await client.post(path, json=body, headers={"Idempotency-Key": key})
            except httpx2.TransportError as fault:
                self.heard[type(fault).__name__] += 1
            else:
                status, code = _outcome(answer)
                self.heard[f"{status} {code}"] += 1
                if status != 503 and code != "still_running":
                    assert status in (200, 409), answer.text
                    self.answered.append(time.monotonic())
                    return httpx2.Response(status)
            await asyncio.sleep(0.2)


class Follower:
    """A stream of all events, resumed after the last one whenever it breaks."""

    def __init__(self, url: str, key: str) -> None:
        self._url, self._key = url, key
        self.seen: list[int] = []
        self.streams = 0

    async def run(self) -> None:
        async with httpx2.AsyncClient(
            base_url=self._url,
            headers={"Authorization": f"Bearer {self._key}", "Accept": "text/event-stream"},
            timeout=HEARD_SECONDS,
        ) as client:
            while True:
                with suppress(httpx2.TransportError):
                    await self._stream(client)
                await asyncio.sleep(0.2)

    async def _stream(self, client: httpx2.AsyncClient) -> None:
        after = {"Last-Event-ID": str(self.seen[-1] if self.seen else 0)}
        async with client.stream("GET", "/api/v1/events", headers=after) as stream:
            if stream.status_code != 200:
                return
            self.streams += 1
            said: dict[str, str] = {}
            async for line in stream.aiter_lines():
                name, _, value = line.partition(": ")
                said[name] = value
                if not line:
                    # A comment while nothing happens repeats the last id, and has no data.
                    if "data" in said and said.get("event") != "end":
                        self.seen.append(int(said["id"]))
                    said = {}


def _outcome(answer: httpx2.Response) -> tuple[int, str]:
    """The status and the code of a change, also of the only one of a list."""
    said = answer.json()
    if "Values" in said:
        [entry] = said["Values"]
        return entry["Status"], (entry["Failure"] or {}).get("Code", "")
    return answer.status_code, said.get("Code", "")
