"""
Orders arrive while the service and PostgreSQL are killed: each is delivered once, for ever.

16 clients send each order three times, with refunds and disputes between them in random order;
whoever hears no whole answer sends the same again. Players claim the letters meanwhile.
`TORTURE_ORDERS` says how many orders there are, `TORTURE_ORDER_KILLS` and
`TORTURE_ORDER_DATABASE_KILLS` how often the service and PostgreSQL are killed.
"""

import asyncio
import itertools
import os
import random
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from msgspec import Struct

from gamekeeper.auth import keys
from gamekeeper.core import failpoints
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from gamekeeper.ledger import verify_ledger
from gamekeeper.ledger.places import HELD
from gamekeeper.orders import reconciliation
from gamekeeper.orders.reconciliation import PaidOrder, Reconciliation
from tests.clusters import Cluster, cluster
from tests.make import BY, make_item, make_player, make_user
from tests.torture.claimants import Claimants, Goods
from tests.torture.service import Service
from tests.torture.swarm import Cut, Line
from tests.torture.test_kills import _started_again

pytestmark = pytest.mark.torture

ORDERS = int(os.environ.get("TORTURE_ORDERS", "300"))
KILLS = int(os.environ.get("TORTURE_ORDER_KILLS", "3"))
DATABASE_KILLS = int(os.environ.get("TORTURE_ORDER_DATABASE_KILLS", "1"))
CLIENTS = 16
CLAIMANTS = 4
SENT = 3
EACH = 2
CHARACTERS_PER_ORDER = 20
"""One character for so many orders: a mailbox has room for a hundred letters."""


class Message(Struct, frozen=True):
    """What a shop sends about one order."""

    order: int
    path: str
    method: str
    body: dict[str, Any]

    def request(self, key: str) -> bytes:
        body = msgspec.json.encode(self.body)
        return (
            f"{self.method} /api/v1/orders/webshop/{self.order}{self.path} HTTP/1.1\r\nHost: x\r\n"
            f"Authorization: Bearer {key}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        ).encode() + body


class Fate(Struct, frozen=True):
    """What becomes of an order, in whichever order it is reported."""

    is_refunded: bool
    verdict: str | None

    @property
    def is_kept(self) -> bool:
        return not self.is_refunded and self.verdict in (None, "won")


def fates() -> list[Fate]:
    dice = random.Random(ORDERS)
    return [
        Fate(dice.random() < 0.25, dice.choice(["won", "lost"]) if dice.random() < 0.25 else None)
        for _ in range(ORDERS)
    ]


def messages(found: list[Fate], players: list[UUID], item: UUID) -> list[Message]:
    dice = random.Random(ORDERS + 1)
    sent: list[Message] = []
    for order, fate in enumerate(found):
        lines = [{"items": [{"itemid": item, "quantity": EACH}]}]
        character = players[order % len(players)]
        sent += [Message(order, "", "PUT", {"character": character, "lines": lines})] * SENT
        if fate.is_refunded:
            sent.append(Message(order, "/refund", "POST", {}))
        if fate.verdict:
            sent.append(Message(order, "/dispute", "POST", {"state": "open"}))
            sent.append(Message(order, "/dispute", "POST", {"state": fate.verdict}))
    # Among those near it: most of an order's messages are in flight together.
    return sorted(sent, key=lambda message: message.order + dice.uniform(0, 20))


class Shop:
    def __init__(self, settings: Settings, log: Path, key: str, todo: list[Message]) -> None:
        self._settings, self._log, self._key = settings, log, key
        self._services = [Service(settings, log)]
        self._todo = iter(todo)
        self.total, self.done = len(todo), 0
        self.port = lambda: self._services[0].port
        self.heard: Counter[str] = Counter()
        self.died: Counter[str] = Counter()

    async def run(self, postgres: Cluster) -> None:
        await asyncio.gather(
            *(self._client() for _ in range(CLIENTS)),
            self._kill_in_turn(),
            self._kill_postgresql(postgres),
        )

    async def _client(self) -> None:
        line = Line(self.port, self.heard)
        for message in self._todo:
            await self.until_heard(line, message)
            self.done += 1
        line.close()

    async def until_heard(self, line: Line, message: Message) -> dict[str, Any]:
        for attempt in itertools.count():
            if attempt:
                await asyncio.sleep(random.uniform(0.5, 1) * min(0.5, 0.05 * 2**attempt))
            try:
                status, body, _ = await line.ask(message.request(self._key))
            except Cut:
                self.heard["attempts without an answer"] += 1
                continue
            if status == 503:
                self.heard["told to come back later"] += 1
                continue
            assert status == 200, body
            self.heard["answered"] += 1
            return msgspec.json.decode(body)
        raise AssertionError

    async def _kill_in_turn(self) -> None:
        """Have the service die at one point after the other; the last one lives."""
        share = max(5, self.total // (4 * (KILLS + 2)))
        # `after_lock` is reached by lists of gifts only.
        known = [name for name in failpoints.NAMES if name != "after_lock"]
        names = list(itertools.islice(itertools.cycle(known), KILLS))
        points = [*(f"{name}:kill:{share}" for name in names), ""]
        await self._services[0].start(points[0])
        for name, following in zip(names, points[1:], strict=True):
            self._services.append(Service(self._settings, self._log))
            await self._services[1].start(following)
            while not self._services[0].died:
                assert self.done < self.total, f"never came to {name}"
                await asyncio.sleep(0.01)
            self._services.pop(0).kill()
            self.died[name] += 1

    async def _kill_postgresql(self, postgres: Cluster) -> None:
        for number in range(DATABASE_KILLS):
            while self.done < self.total * (2 * number + 1) // (2 * DATABASE_KILLS):
                await asyncio.sleep(0.05)
            postgres.signal(signal.SIGKILL)
            await _started_again(postgres)
            self.died["postgresql"] += 1

    async def again(self, todo: list[Message]) -> None:
        """Send everything once more, late."""
        line = Line(self.port, self.heard)
        for message in todo:
            await self.until_heard(line, message)
        line.close()

    def close(self) -> None:
        for service in self._services:
            service.kill()


async def _miscounted(database: Database, found: list[Fate]) -> list[str]:
    """Orders that were not delivered once, or not refunded once if they were to be."""
    rows = await database.reader.rows(
        """
        WITH sent AS (
            SELECT after ->> 'letter_id' AS letter, count(*) AS letters
              FROM actions WHERE kind = 'mail.send' GROUP BY 1
        ), returned AS (
            SELECT after ->> 'order' AS order, count(*) AS returns
              FROM actions WHERE kind = 'orders.return' GROUP BY 1
        )
        SELECT orders.order_id::int AS number, orders.state, line.state AS line,
               coalesce(letters, 0) AS letters, coalesce(returns, 0) AS returns
          FROM orders
          JOIN order_lines AS line ON line.order_id = orders.id
          LEFT JOIN sent ON sent.letter = line.letter_id::text
          LEFT JOIN returned ON returned.order = orders.id::text
        """
    )
    there = {row["number"]: tuple(row.values())[1:] for row in rows}
    return [
        f"order {number}: {there.get(number)}, {fate}"
        for number, fate in enumerate(found)
        if there.get(number) not in (KEPT if fate.is_kept else REFUNDED)
    ]


# State, state of the line, letters that were sent, and times that items were taken back.
KEPT = [("delivered", "delivered", 1, 0)]
REFUNDED = [("refunded", "cancelled", 0, 0), ("refunded", "returned", 1, 1)]


async def _held(database: Database) -> dict[UUID, int]:
    """What each character holds, in its mailbox or claimed."""
    sql = f"SELECT owner_id, sum(quantity)::int FROM ({HELD}) AS held GROUP BY 1"
    return {row[0]: row[1] for row in await database.reader.rows(sql)}


def _bought(found: list[Fate], players: list[UUID]) -> dict[UUID, int]:
    """What each character should hold: what was paid for and not refunded."""
    kept: Counter[UUID] = Counter()
    for number, fate in enumerate(found):
        kept[players[number % len(players)]] += EACH * fate.is_kept
    return {player: quantity for player, quantity in kept.items() if quantity}


async def _unreconciled(database: Database, found: list[Fate]) -> list[Reconciliation]:
    """The statements of the shop that do not agree with what is stored."""
    paid = [
        PaidOrder(order_id=str(number), is_refunded=fate.is_refunded or fate.verdict == "lost")
        for number, fate in enumerate(found)
    ]
    compared = [
        await reconciliation.reconcile(database.reader, "webshop", paid[n : n + 1000], None, None)
        for n in range(0, len(paid), 1000)
    ]
    nothing = Reconciliation(missing=[], extra=[], different=[], undelivered=[])
    return [each for each in compared if each != nothing]


@pytest.fixture
def postgres():
    with cluster() as made:
        yield made


async def test_each_order_is_delivered_once_whenever_something_dies(
    postgres: Cluster, tmp_path: Path
):
    await migrate(postgres.settings)
    found = fates()
    async with Database.open(postgres.settings) as database:
        key = await keys.create.one(database, keys.NewKey(by=BY, name="shop"))
        owner = await make_user(database)
        count = ORDERS // CHARACTERS_PER_ORDER + 1
        players = [await make_player(database, user=owner) for _ in range(count)]
        potion = await make_item(database)
    todo = messages(found, players, potion)
    shop = Shop(postgres.settings, tmp_path / "log", str(key), todo)
    crowds = [players[number::CLAIMANTS] for number in range(CLAIMANTS)]
    goods = Goods(potion, potion)
    claimants = Claimants(shop.port, str(key), goods, crowds, does=("claim",))
    begun = time.monotonic()
    try:
        async with claimants.playing(pause=0.05):
            await shop.run(postgres)
        print(f"\n{len(todo):,} messages in {time.monotonic() - begun:.0f} s, killed {shop.died}")
        heard = shop.heard + claimants.heard
        print("\n".join(f"{many:10,} {what}" for what, many in sorted(heard.items())))
        async with Database.open(postgres.settings) as database:
            assert await _miscounted(database, found) == []
            assert await _held(database) == _bought(found, players)
            assert await _unreconciled(database, found) == []
            assert await claimants.miscounted(database) == []
            await shop.again(todo[:: max(1, len(todo) // 1000)])
            assert await _miscounted(database, found) == []
            assert await _held(database) == _bought(found, players)
            assert (await verify_ledger.verify(postgres.settings)).breaches == []
    finally:
        shop.close()
    assert shop.died.total() == KILLS + DATABASE_KILLS
    assert claimants.done["claim"]
