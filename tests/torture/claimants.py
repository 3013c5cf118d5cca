"""
Players with clients: they open mailboxes, claim letters, trade what was in them, and use it.

Each has some characters and does one thing after the other, with a pause between them. It sends a
request under a key until it has heard a whole answer, whatever is killed meanwhile.
"""

import asyncio
import itertools
import random
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal
from uuid import UUID

import msgspec
from msgspec import Struct

from gamekeeper.db.database import Database
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from tests.make import BY
from tests.torture.swarm import Cut, Line

MAX_USED = 3
COINS = 1_000
"""Of each character at first: what trades are paid with."""
PRICE = 2
GIFTS_AT_ONCE = 200
REFUSALS = {404, 409, 422}
"""Nothing to claim, to trade or to use: common, and no fault."""
TRADES = "transactions"
LATER = (b'"still_running"', b'"unavailable"')
ACTIONS_EACH = {"claim": 1, "use": 1, "trade": 2}
"""Rows of the audit log for one success; a trade has one for each side."""


ClientAction = Literal["claim", "trade", "use"]


class Goods(Struct, frozen=True):
    potion: UUID
    """What the campaign gives."""
    coin: UUID


class Claimants:
    """All clients, what they heard, and how long their lookups took."""

    def __init__(
        self,
        port: Callable[[], int],
        key: str,
        goods: Goods,
        crowds: Sequence[Sequence[UUID]],
        does: Sequence[ClientAction] = ("claim", "claim", "trade", "trade", "use"),
    ) -> None:
        self._port, self._key, self._goods, self._crowds = port, key, goods, crowds
        self.does = does
        self.heard: Counter[str] = Counter()
        self.done: dict[str, set[str]] = defaultdict(set)
        """The ids of the requests that succeeded, by what they did."""
        self.seconds: list[float] = []
        """Of each lookup that was answered at once."""
        self._numbers = itertools.count()

    async def prepare(self, database: Database) -> None:
        """Give each character coins."""
        players = [player for crowd in self._crowds for player in crowd]
        coin = self._goods.coin
        for first in range(0, len(players), GIFTS_AT_ONCE):
            gifts = [
                Gift(by=BY, player=str(player), item_id=coin, quantity=COINS)
                for player in players[first : first + GIFTS_AT_ONCE]
            ]
            outcomes = await items.give(database, gifts)
            assert not [each for each in outcomes if isinstance(each, Exception)]

    @asynccontextmanager
    async def playing(self, pause: float) -> AsyncIterator[None]:
        """Play during the block, with `pause` seconds between two things on average."""
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            for number, crowd in enumerate(self._crowds):
                client = _Client(self, crowd, random.Random(number))
                group.create_task(client.play(stop, pause))
            yield
            stop.set()

    def new_id(self, what: str) -> str:
        return f"{what}-{next(self._numbers)}"

    def percentiles(self) -> str:
        """The median and the 99th percentile of lookups since the last call."""
        found = sorted(self.seconds) or [0.0]
        self.seconds.clear()
        middle, last = found[len(found) // 2], found[len(found) * 99 // 100]
        return f"{len(found):,} lookups, p50 {middle * 1000:.1f} ms, p99 {last * 1000:.1f} ms"

    async def miscounted(self, database: Database) -> list[str]:
        """Requests that were answered with a success and not done exactly once, or the reverse."""
        rows = await database.reader.rows(
            """
            SELECT request_id, count(*) AS actions FROM actions
             WHERE request_id ~ '^(claim|use|trade)-' GROUP BY 1
            """
        )
        there = {row["request_id"]: row["actions"] for row in rows}
        wanted = {name: ACTIONS_EACH[what] for what, names in self.done.items() for name in names}
        return [
            f"{name}: {there.get(name, 0)} actions instead of {wanted.get(name, 0)}"
            for name in wanted.keys() | there.keys()
            if there.get(name, 0) != wanted.get(name, 0)
        ]

    def _request(self, method: str, path: str, name: str, body: Any) -> bytes:
        sent = b"" if body is None else msgspec.json.encode(body)
        return (
            f"{method} /api/v1/{path} HTTP/1.1\r\nHost: x\r\n"
            f"Authorization: Bearer {self._key}\r\nContent-Type: application/json\r\n"
            f"X-Request-Id: {name}\r\n"
            # Transactions have keys of their own.
            + (f"Idempotency-Key: {name}\r\n" if method == "POST" and path != TRADES else "")
            + f"Content-Length: {len(sent)}\r\n\r\n"
        ).encode() + sent

    async def ask(self, line: Line, method: str, path: str, name: str, body: Any = None) -> Any:
        """The status and the body of the answer, after as many attempts as it takes."""
        request = self._request(method, path, name, body)
        for attempt in itertools.count():
            if attempt:
                await asyncio.sleep(random.uniform(0.5, 1) * min(1, 0.05 * 2**attempt))
            begun = time.perf_counter()
            try:
                status, said, _ = await line.ask(request)
            except Cut:
                self.heard["attempts without an answer"] += 1
                continue
            if status == 503 or any(word in said for word in LATER):
                self.heard["told to come back later"] += 1
                continue
            if method == "GET" and not attempt:
                self.seconds.append(time.perf_counter() - begun)
            assert status == 200 or status in REFUSALS, (status, said)
            return status, msgspec.json.decode(said)
        raise AssertionError

    async def change(self, line: Line, what: str, path: str, body: Any) -> bool:
        """Whether a change succeeded."""
        name = self.new_id(what)
        status, said = await self.ask(line, "POST", path, name, body)
        if what == "trade" and status == 200:
            status = said["Values"][0]["Status"]
        self.heard[f"{what} {status}"] += 1
        if status == 200:
            self.done[what].add(name)
        return status == 200

    @property
    def goods(self) -> Goods:
        return self._goods

    def line(self) -> Line:
        return Line(self._port, self.heard)


class _Client:
    def __init__(self, all_: Claimants, crowd: Sequence[UUID], dice: random.Random) -> None:
        self._all, self._crowd, self._dice = all_, crowd, dice
        self._line = all_.line()

    async def play(self, stop: asyncio.Event, pause: float) -> None:
        ways = {"claim": self._claim, "trade": self._trade, "use": self._use}
        while not stop.is_set():
            await ways[self._dice.choice(self._all.does)]()
            await asyncio.sleep(self._dice.uniform(0, 2 * pause))
        self._line.close()

    async def _claim(self) -> None:
        player = self._dice.choice(self._crowd)
        path = f"players/{player}/mailbox"
        status, page = await self._all.ask(self._line, "GET", path, self._all.new_id("look"))
        self._all.heard[f"look {status}"] += 1
        if letters := [letter["Id"] for letter in page["Values"] if letter["State"] == "open"]:
            letter = self._dice.choice(letters)
            await self._all.change(self._line, "claim", f"{path}/{letter}/claim", {})

    async def _trade(self) -> None:
        """Potions for coins."""
        seller, buyer = self._dice.sample(self._crowd, 2)
        quantity = self._dice.randint(1, MAX_USED)
        goods = self._all.goods
        moves = [
            {"do": "items", "itemid": item, "quantity": many, "from": source, "to": target}
            for item, many, source, target in (
                (goods.potion, quantity, seller, buyer),
                (goods.coin, PRICE * quantity, buyer, seller),
            )
        ]
        body = {"transactions": [{"key": self._all.new_id("deal"), "moves": moves}]}
        await self._all.change(self._line, "trade", TRADES, body)

    async def _use(self) -> None:
        player = self._dice.choice(self._crowd)
        body = {"itemid": self._all.goods.potion, "quantity": self._dice.randint(1, MAX_USED)}
        await self._all.change(self._line, "use", f"players/{player}/items/take", body)
