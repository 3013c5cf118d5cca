"""
Many clients that never give up.

Each sends its request under a key until it has heard a whole answer, whatever
happens to the server meanwhile; some send it twice at once. What was heard is kept,
byte for byte, to be held against the books afterwards.
"""

import asyncio
import itertools
import random
from collections import Counter
from collections.abc import Callable, Sequence
from uuid import UUID

import msgspec
from msgspec import Struct

Answer = tuple[int, bytes]


class Call(Struct, frozen=True):
    """One operation: `change` is what a success adds to what the character holds."""

    id: str
    player: UUID
    change: int
    twice: bool

    def request(self, key: str, item: UUID) -> bytes:
        verb = "give" if self.change > 0 else "take"
        body = msgspec.json.encode({"itemid": item, "quantity": abs(self.change)})
        return (
            f"POST /api/v1/players/{self.player}/items/{verb} HTTP/1.1\r\nHost: x\r\n"
            f"Authorization: Bearer {key}\r\nContent-Type: application/json\r\n"
            f"X-Request-Id: {self.id}\r\nIdempotency-Key: {self.id}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        ).encode() + body


def calls(count: int, hot: UUID, others: Sequence[UUID], seed: int) -> list[Call]:
    """One in ten on the hot character, one in five sent twice."""
    dice = random.Random(seed)
    return [
        Call(
            id=f"c-{number}",
            player=hot if dice.random() < 0.1 else dice.choice(others),
            change=dice.randint(1, 9) if dice.random() < 0.6 else -dice.randint(1, 9),
            twice=dice.random() < 0.2,
        )
        for number in range(count)
    ]


class Cut(Exception):
    """The connection ended before the answer did."""


class Line:
    """A connection, made anew whenever it has broken."""

    def __init__(self, port: Callable[[], int], heard: Counter[str]) -> None:
        self._port = port
        self._heard = heard
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, request: bytes) -> tuple[int, bytes, bool]:
        """Status, body, and whether it was said before."""
        try:
            async with asyncio.timeout(15):
                return await self._asked(request)
        except (OSError, EOFError, TimeoutError, Cut) as fault:
            self.close()
            raise Cut from fault

    async def _asked(self, request: bytes) -> tuple[int, bytes, bool]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port())
        reader, writer = self._streams
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        try:
            lines = head.decode("latin-1").lower().split("\r\n")
            length = next(line for line in lines if line.startswith("content-length:"))
            body = await reader.readexactly(int(length.partition(":")[2]))
        except EOFError:
            self._heard["answers cut off in the middle"] += 1
            raise
        return int(head.split(b" ", 2)[1]), body, "idempotency-replayed: true" in lines

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


class Swarm:
    def __init__(self, port: Callable[[], int], key: str, item: UUID, todo: Sequence[Call]) -> None:
        self._port = port
        self._key = key
        self._item = item
        self._todo = iter(todo)
        self.total = len(todo)
        self.heard: Counter[str] = Counter()
        self.answers: dict[str, Answer] = {}
        self.unequal: list[object] = []

    async def run(self, clients: int) -> None:
        await asyncio.gather(*(self._client() for _ in range(clients)))

    async def _client(self) -> None:
        lines = [Line(self._port, self.heard) for _ in range(2)]
        for call in self._todo:
            both = lines if call.twice else lines[:1]
            said = await asyncio.gather(*(self._until_heard(line, call) for line in both))
            self.answers[call.id] = said[0]
            if len(set(said)) > 1:
                self.unequal.append((call, said))
        for line in lines:
            line.close()

    async def _until_heard(self, line: Line, call: Call) -> Answer:
        """The answer, after as many attempts as it takes."""
        request = call.request(self._key, self._item)
        for attempt in itertools.count():
            if attempt:
                await asyncio.sleep(random.uniform(0.5, 1) * min(0.5, 0.05 * 2**attempt))
            try:
                status, body, replayed = await line.ask(request)
            except Cut:
                self.heard["attempts without an answer"] += 1
                continue
            if status == 503 or b'"still_running"' in body:
                self.heard["told to come back later"] += 1
                continue
            self.heard["replayed" if replayed else f"answered {status}"] += 1
            return status, body
        raise AssertionError

    async def again(self, asked: Sequence[Call], clients: int = 8) -> list[object]:
        """Send `asked` once more each: what is not the same bytes, said to be a replay."""
        left, wrong = iter(asked), []

        async def client() -> None:
            line = Line(self._port, self.heard)
            for call in left:
                heard = await line.ask(call.request(self._key, self._item))
                if heard != (*self.answers[call.id], True):
                    wrong.append((call, heard, self.answers[call.id]))
            line.close()

        await asyncio.gather(*(client() for _ in range(clients)))
        return wrong
