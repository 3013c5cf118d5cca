"""
Characters trade while the process is killed under them: nothing is lost, nothing doubled.

32 clients send trades, one to five in a call, each under a key of its own; whoever hears
no whole answer sends the same again, and some send twice at once. `TORTURE_TRADES` and
`TORTURE_TRADE_KILLS` say how much; `just gate` raises them.
"""

import asyncio
import itertools
import os
import random
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
from gamekeeper.ledger import verify_ledger
from gamekeeper.players.items import Gift, give
from tests.make import BY, make_item, make_player, make_user
from tests.torture.service import Service
from tests.torture.swarm import Cut, Line

pytestmark = pytest.mark.torture

TRADES = int(os.environ.get("TORTURE_TRADES", "500"))
KILLS = int(os.environ.get("TORTURE_TRADE_KILLS", "3"))
CLIENTS = 32
CHARACTERS = 100
EACH = 40
"""How many of each item a character begins with."""


class Trade(Struct, frozen=True):
    key: str
    one: UUID
    other: UUID
    gives: tuple[UUID, int]
    takes: tuple[UUID, int]

    def body(self) -> dict[str, Any]:
        legs = ((self.one, self.other, self.gives), (self.other, self.one, self.takes))
        return {
            "key": self.key,
            "moves": [
                {"do": "items", "from": a, "to": b, "itemid": item, "quantity": many}
                for a, b, (item, many) in legs
            ],
        }


def trades(players: list[UUID], items: list[UUID]) -> list[list[Trade]]:
    """So many in all, in calls of one to five; one in ten with a character everybody knows."""
    dice = random.Random(TRADES)
    calls: list[list[Trade]] = []
    number = 0
    while number < TRADES:
        call = []
        for _ in range(min(dice.randint(1, 5), TRADES - number)):
            one, other = dice.sample(players, 2)
            if dice.random() < 0.1 and other != players[0]:
                one = players[0]
            gives, takes = dice.sample(items, 2)
            call.append(
                Trade(
                    key=f"t-{number}",
                    one=one,
                    other=other,
                    gives=(gives, dice.randint(1, 12)),
                    takes=(takes, dice.randint(1, 12)),
                )
            )
            number += 1
        calls.append(call)
    return calls


class Market:
    def __init__(self, settings: Settings, log: Path, key: str, todo: list[list[Trade]]) -> None:
        self._settings = settings
        self._log = log
        self._key = key
        self._services = [Service(settings, log)]
        self._todo = iter(todo)
        self.total = sum(map(len, todo))
        self.heard: Counter[str] = Counter()
        self.outcomes: dict[str, Any] = {}
        self.died: Counter[str] = Counter()

    async def run(self) -> None:
        await asyncio.gather(*(self._client() for _ in range(CLIENTS)), self._kill_in_turn())

    async def _client(self) -> None:
        lines = [Line(lambda: self._services[0].port, self.heard) for _ in range(2)]
        for call in self._todo:
            both = lines if len(call) % 2 else lines[:1]
            said = await asyncio.gather(*(self._until_heard(line, call) for line in both))
            assert len({msgspec.json.encode(one) for one in said}) == 1, said
            self.outcomes |= {one["Key"]: one for one in said[0]}
        for line in lines:
            line.close()

    async def _until_heard(self, line: Line, call: list[Trade]) -> list[Any]:
        """What became of each trade, after as many attempts as it takes."""
        for attempt in itertools.count():
            if attempt:
                await asyncio.sleep(random.uniform(0.5, 1) * min(0.5, 0.05 * 2**attempt))
            try:
                status, body, _ = await line.ask(self._request(call))
            except Cut:
                self.heard["attempts without an answer"] += 1
                continue
            if status == 503 or b'"still_running"' in body or b'"unavailable"' in body:
                self.heard["told to come back later"] += 1
                continue
            assert status == 200, body
            return [self._plain(entry) for entry in msgspec.json.decode(body)["Values"]]
        raise AssertionError

    def _plain(self, outcome: dict[str, Any]) -> dict[str, Any]:
        self.heard["replayed" if outcome.pop("Replayed") else f"answered {outcome['Status']}"] += 1
        if outcome["Failure"]:
            outcome["Failure"].pop("RequestId")
        return outcome

    def _request(self, call: list[Trade]) -> bytes:
        body = msgspec.json.encode({"transactions": [trade.body() for trade in call]})
        return (
            f"POST /api/v1/transactions HTTP/1.1\r\nHost: x\r\n"
            f"Authorization: Bearer {self._key}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        ).encode() + body

    async def _kill_in_turn(self) -> None:
        """Have the service die at one point after the other; the last one lives."""
        share = max(5, self.total // (4 * (KILLS + 2)))
        names = list(itertools.islice(itertools.cycle(failpoints.NAMES), KILLS))
        points = [*(f"{name}:kill:{share}" for name in names), ""]
        await self._services[0].start(points[0])
        for name, following in zip(names, points[1:], strict=True):
            self._services.append(Service(self._settings, self._log))
            await self._services[1].start(following)
            while not self._services[0].died:
                assert len(self.outcomes) < self.total, f"never came to {name}"
                await asyncio.sleep(0.01)
            self._services.pop(0).kill()
            self.died[name] += 1

    async def again(self, calls: list[list[Trade]]) -> list[Any]:
        """Send everything once more: what is answered otherwise than before."""
        before = dict(self.outcomes)
        line = Line(lambda: self._services[0].port, self.heard)
        said = [one for call in calls for one in await self._until_heard(line, call)]
        line.close()
        return [one for one in said if one != before[one["Key"]]]

    def close(self) -> None:
        for service in self._services:
            service.kill()


async def _stocked(database: Database) -> tuple[list[UUID], list[UUID]]:
    """Characters, each with some of each item; given as anybody would give them."""
    owner = await make_user(database)
    players = [await make_player(database, user=owner) for _ in range(CHARACTERS)]
    items = [
        await make_item(database, name, inventory_stack=stack)
        for name, stack in (("Potion", 10), ("Gem", 1000), ("Feather", 3))
    ]
    gifts = [
        Gift(by=BY, player=str(player), item_id=item, quantity=EACH)
        for player in players
        for item in items
    ]
    for start in range(0, len(gifts), 50):
        await give(database, gifts[start : start + 50])
    return players, items


async def _counted(database: Database) -> dict[UUID, int]:
    rows = await database.reader.rows("SELECT item_id, sum(quantity) FROM slots GROUP BY item_id")
    return {row[0]: row[1] for row in rows}


async def _miscounted(database: Database, market: Market) -> list[str]:
    """Each trade that was done has an action on both sides, and no other has any."""
    rows = await database.reader.rows(
        """
        SELECT after ->> 'transaction' AS id, count(*), count(DISTINCT player_id) AS sides
          FROM actions WHERE kind = 'items.move' GROUP BY 1
        """
    )
    found = {row["id"]: (row["count"], row["sides"]) for row in rows}
    done = {outcome["Done"]["Id"] for outcome in market.outcomes.values() if outcome["Done"]}
    wrong = [f"{one}: {found[one]}" for one in found if found[one] != (2, 2)]
    return wrong + [f"{one}: on one side only" for one in done ^ found.keys()]


async def test_no_trade_is_lost_or_doubled_whenever_the_process_dies(
    settings: Settings, database: Database, tmp_path: Path
):
    key = await keys.create.one(database, keys.NewKey(by=BY, name="market"))
    players, items = await _stocked(database)
    calls = trades(players, items)
    market = Market(settings, tmp_path / "log", str(key), calls)
    before = await _counted(database)
    begun = time.monotonic()
    try:
        await market.run()
        print(f"\n{TRADES:,} trades in {time.monotonic() - begun:.0f} s, killed {market.died}")
        print("\n".join(f"{many:10,} {what}" for what, many in sorted(market.heard.items())))

        assert before == dict.fromkeys(items, CHARACTERS * EACH)
        assert await _counted(database) == before
        assert await _miscounted(database, market) == []
        assert (await verify_ledger.verify(settings)).breach is None
        assert await market.again(calls) == []
        assert await _counted(database) == before
    finally:
        market.close()
    assert market.died.total() == KILLS
    assert market.heard["answered 200"] + market.heard["replayed"] > TRADES // 2
