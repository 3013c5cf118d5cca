"""Clients that change the world under keys, repeat until they are answered, and follow events."""

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any
from uuid import UUID

import httpx2
from msgspec import Struct

CHANGES_PER_SECOND = 100
"""Of all clients: enough to have some in flight at every instant, and soon verified."""
RETRY_SECONDS = 0.2
HEARD_SECONDS = 15.0
OPERATIONS = ("give", "trade", "deposit", "approve", "join")
GIVE = "/api/v1/players/{}/items/give"


class World(Struct, frozen=True, kw_only=True):
    """What the clients change."""

    key: str
    limited_key: str
    """Every gift of it needs an approval."""
    players: list[UUID]
    """Members of the guild, with an inventory."""
    recruits: list[UUID]
    """One for each client, which joins and leaves the guild."""
    item: UUID
    guild: UUID


class Expected(Struct):
    """What the database must contain if each acknowledged change was made once."""

    held: Counter[UUID]
    """Items of each character, and of the bank of the guild."""
    actions: Counter[str]
    """How many actions there are of each kind."""
    recruited: set[UUID]


class Crowd:
    def __init__(
        self, url: str, world: World, operations: tuple[str, ...], *, may_lose: bool = False
    ) -> None:
        self._url, self._world = url, world
        self._may_lose = may_lose
        """Whether what was acknowledged may be gone a moment later."""
        self._chosen = [getattr(self, f"_{name}") for name in operations]
        self._stop, self._open = asyncio.Event(), asyncio.Event()
        self._open.set()
        self._number = self._busy = 0
        self.answered: list[float] = []
        """When each change was acknowledged, by the monotonic clock."""
        self.expected = Expected(Counter(), Counter(), set())
        self.heard: Counter[str] = Counter()

    async def run(self, clients: int) -> None:
        async with httpx2.AsyncClient(
            base_url=self._url,
            timeout=HEARD_SECONDS,
            limits=httpx2.Limits(max_connections=clients),
        ) as client:
            pause = 2 * clients / CHANGES_PER_SECOND
            await asyncio.gather(*(self._act(client, number, pause) for number in range(clients)))

    def stop(self) -> None:
        self._stop.set()

    async def pause(self) -> None:
        """Wait until every change that was begun is answered; then nothing changes."""
        self._open.clear()
        while self._busy:
            await asyncio.sleep(RETRY_SECONDS)

    def resume(self) -> None:
        self._open.set()

    async def _act(self, client: httpx2.AsyncClient, number: int, pause: float) -> None:
        dice = random.Random(number)
        acting = Acting(client, dice, self._world.recruits[number])
        while not self._stop.is_set():
            await self._open.wait()
            self._busy += 1
            try:
                operation: Callable[[Acting], Awaitable[None]] = dice.choice(self._chosen)
                await operation(acting)
            finally:
                self._busy -= 1
            await asyncio.sleep(pause * dice.random())

    # ── The operations ──

    async def _give(self, acting: "Acting") -> None:
        player = acting.dice.choice(self._world.players)
        status, _ = await self._repeated(acting.client, GIVE.format(player), self._gift)
        assert status == 200, status
        self.expected.held[player] += 1
        self.expected.actions["items.give"] += 1

    async def _trade(self, acting: "Acting") -> None:
        """Two items for one: so a trade that is made twice, or by half, is seen in both."""
        one, other = acting.dice.sample(self._world.players, 2)
        legs = ((one, other, 2), (other, one, 1))
        moves = [
            {"do": "items", "from": str(a), "to": str(b), "quantity": many} | self._item
            for a, b, many in legs
        ]
        status, _ = await self._repeated(acting.client, "/api/v1/transactions", {"moves": moves})
        if status == 200:
            self.expected.held[one] -= 1
            self.expected.held[other] += 1
            self.expected.actions["items.move"] += len(moves)

    async def _deposit(self, acting: "Acting") -> None:
        guild, player = self._world.guild, acting.dice.choice(self._world.players)
        path = f"/api/v1/guilds/{guild}/bank/deposit"
        body = self._gift | {"player": str(player)}
        status, _ = await self._repeated(acting.client, path, body)
        if status == 200:
            self.expected.held[player] -= 1
            self.expected.held[guild] += 1
            self.expected.actions["guilds.deposit"] += 1

    async def _approve(self, acting: "Acting") -> None:
        """A gift beyond the limits of one key, approved by the other."""
        player = acting.dice.choice(self._world.players)
        status, said = await self._repeated(
            acting.client, GIVE.format(player), self._gift, self._world.limited_key
        )
        assert status == 202, said
        path = f"/api/v1/approvals/{said['Details']['ApprovalId']}/approve"
        self.expected.actions["approvals.request"] += 1
        status, said = await self._repeated(acting.client, path, {})
        if status == 404 and self._may_lose:
            return
        assert status == 200, said
        self.expected.held[player] += 1
        self.expected.actions["approvals.approve"] += 1
        self.expected.actions["items.give"] += 1

    async def _join(self, acting: "Acting") -> None:
        """The recruit of this client joins the guild, or leaves it."""
        recruit, recruited = acting.recruit, self.expected.recruited
        path = f"/api/v1/guilds/{self._world.guild}/members/{recruit}"
        leaves = recruit in recruited
        status, said = await self._repeated(acting.client, path, None if leaves else {})
        assert status == 200 or self._may_lose, said
        (recruited.discard if leaves else recruited.add)(recruit)
        if status == 200:
            self.expected.actions["guilds.leave" if leaves else "guilds.join"] += 1

    @property
    def _item(self) -> dict[str, Any]:
        return {"itemid": str(self._world.item)}

    @property
    def _gift(self) -> dict[str, Any]:
        return self._item | {"quantity": 1}

    async def _repeated(
        self,
        client: httpx2.AsyncClient,
        path: str,
        body: dict[str, Any] | None,
        credential: str | None = None,
    ) -> tuple[int, dict[str, Any]]:
        """The final answer to a change; without a body it is a deletion."""
        self._number += 1
        key = f"drill-{self._number}"
        about: dict[str, Any] = {"json": body} if body is not None else {}
        if path.endswith("transactions"):
            about = {"json": {"transactions": [(body or {}) | {"key": key}]}}
        headers = {"Authorization": f"Bearer {credential or self._world.key}"}
        about["headers"] = headers | {"Idempotency-Key": key}
        while True:
            try:
                answer = await client.request("DELETE" if body is None else "POST", path, **about)
            except httpx2.TransportError as fault:
                self.heard[type(fault).__name__] += 1
            else:
                status, code = _outcome(answer)
                self.heard[f"{status} {code}".strip()] += 1
                if status != 503 and code != "still_running":
                    assert status in (200, 202, 409) or self._may_lose, answer.text
                    self.answered.append(time.monotonic())
                    return status, answer.json()
            await asyncio.sleep(RETRY_SECONDS)


class Acting(Struct, frozen=True):
    """One client."""

    client: httpx2.AsyncClient
    dice: random.Random
    recruit: UUID


class Follower:
    """A stream of all events, resumed after the last one whenever it breaks."""

    def __init__(self, url: str, key: str) -> None:
        self._url, self._key = url, key
        self.seen: list[tuple[int, str]] = []
        """The number of each event, and the id of its action."""
        self.streams = 0
        self.refusals: Counter[str] = Counter()

    async def run(self) -> None:
        async with httpx2.AsyncClient(
            base_url=self._url,
            headers={"Authorization": f"Bearer {self._key}", "Accept": "text/event-stream"},
            timeout=HEARD_SECONDS,
        ) as client:
            while True:
                with suppress(httpx2.TransportError):
                    await self._stream(client)
                await asyncio.sleep(RETRY_SECONDS)

    async def _stream(self, client: httpx2.AsyncClient) -> None:
        after = {"Last-Event-ID": str(self.seen[-1][0] if self.seen else 0)}
        async with client.stream("GET", "/api/v1/events", headers=after) as stream:
            if stream.status_code != 200:
                code = (await stream.aread()) and stream.json().get("Code", "")
                self.refusals[f"{stream.status_code} {code}"] += 1
                return
            self.streams += 1
            said: dict[str, str] = {}
            async for line in stream.aiter_lines():
                name, _, value = line.partition(": ")
                said[name] = value
                if not line:
                    # A comment while nothing happens repeats the last id, and has no data.
                    if "data" in said and said.get("event") != "end":
                        self.seen.append((int(said["id"]), json.loads(said["data"])["Id"]))
                    said = {}


def _outcome(answer: httpx2.Response) -> tuple[int, str]:
    """The status and the code of a change, also of the only one of a list."""
    said = answer.json()
    if "Values" in said:
        [entry] = said["Values"]
        return entry["Status"], (entry["Failure"] or {}).get("Code", "")
    return answer.status_code, said.get("Code", "")
