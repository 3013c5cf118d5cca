"""Callers that give items without a pause, each gift under a key, while servers come and go."""

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

import httpx2

from tests.deadlines import PATIENCE, until
from tests.security.story import World

GIVERS = 8
PAUSE = 0.02
"""Seconds before a gift is sent again; also what one giver rests between two gifts."""
EVERY = 4
"""Each so many gifts one is sent again after its answer, to the next server."""


class Givers:
    """
    Give one piece at a time, and send a gift again until somebody answers it.

    As clients do: a lost connection, 503, 429 and 409 `still_running` are reasons to try again,
    at the next server. Any other answer than 200 is kept in `refused`.
    """

    def __init__(self, key: str, world: World) -> None:
        self.servers: list[str] = []
        self.given: dict[str, str] = {}
        """The gifts that were answered with 200, by key: to whom."""
        self.refused: list[str] = []
        self.unequal: list[str] = []
        """Gifts that were answered differently when they were sent again."""
        self.heard: Counter[str] = Counter()
        self._headers = {"Authorization": f"Bearer {key}"}
        self._world = world
        self._turn = itertools.count()
        self._is_over = False

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """Gifts until the end of the block; each that was begun is brought to its end."""
        async with httpx2.AsyncClient(headers=self._headers, timeout=PATIENCE) as client:
            tasks = [asyncio.create_task(self._work(client)) for _ in range(GIVERS)]
            try:
                yield
            finally:
                self._is_over = True
                await asyncio.gather(*tasks)

    async def more(self, count: int) -> None:
        """Wait until so many more were given."""
        enough = len(self.given) + count

        async def given() -> bool:
            assert not self.refused
            return len(self.given) >= enough

        await until(given, f"{count} more gifts; heard: {dict(self.heard)}")

    async def again(self) -> None:
        """Every gift once more: nothing of it happens twice."""
        async with httpx2.AsyncClient(headers=self._headers, timeout=PATIENCE) as client:
            for name, player in self.given.items():
                answer = await self._answer(client, name, player)
                if answer.headers.get("Idempotency-Replayed") != "true":
                    self.unequal.append(name)

    async def _work(self, client: httpx2.AsyncClient) -> None:
        while not self._is_over:
            name = f"gift-{uuid4().hex}"
            number = next(self._turn)
            player = self._world.players[number % len(self._world.players)]
            answer = await self._answer(client, name, player)
            if answer.status_code != 200:
                self.refused.append(f"{answer.status_code} {answer.text}")
                return
            self.given[name] = player
            if number % EVERY == 0:
                repeated = await self._answer(client, name, player)
                if repeated.content != answer.content:
                    self.unequal.append(name)
            await asyncio.sleep(PAUSE)

    async def _answer(self, client: httpx2.AsyncClient, name: str, player: str) -> httpx2.Response:
        body = {"itemid": self._world.item, "quantity": 1, "bankoverflow": True}
        headers = {"Idempotency-Key": name, "X-Request-Id": name}
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            server = self.servers[next(self._turn) % len(self.servers)]
            try:
                answer = await client.post(
                    f"{server}/api/v1/players/{player}/items/give", json=body, headers=headers
                )
            except httpx2.TransportError as fault:
                self.heard[type(fault).__name__] += 1
            else:
                self.heard[str(answer.status_code)] += 1
                if not _is_worth_another_try(answer):
                    return answer
            await asyncio.sleep(PAUSE)
        raise AssertionError(f"{name} was never answered; heard: {dict(self.heard)}")


def _is_worth_another_try(answer: httpx2.Response) -> bool:
    if answer.status_code == 409:
        return answer.json()["Code"] == "still_running"
    return answer.status_code in (429, 503)
