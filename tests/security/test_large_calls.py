"""One large call, or one sent in tiny pieces, does not hold up the others (attack 19, 28)."""

import asyncio
import gc
from statistics import median
from time import thread_time
from uuid import uuid4

import msgspec
import pytest

from gamekeeper.http import bodies
from tests.make import make_item, make_player

LONGEST_HOLD = 0.05


class Heartbeat:
    """
    A task that wants to run every millisecond, and the longest that others kept it from it.

    In processor time of the thread: what the rest of the machine does is not our fault.
    """

    async def __aenter__(self) -> "Heartbeat":
        self.longest = 0.0
        self._task = asyncio.create_task(self._beat())
        await asyncio.sleep(0.01)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()

    async def _beat(self) -> None:
        while True:
            begun = thread_time()
            await asyncio.sleep(0.001)
            self.longest = max(self.longest, thread_time() - begun)


async def large_call(database) -> bytes:
    """A hundred transactions of fifty moves."""
    item = str(await make_item(database, inventory_stack=10_000, bank_stack=10_000))
    players = [str(await make_player(database)) for _ in range(20)]
    transactions = [
        {
            "key": uuid4().hex,
            "moves": [
                {
                    "do": "items",
                    "itemid": item,
                    "quantity": 1,
                    "to": players[(number + move) % 20],
                    "toplace": "inventory",
                    "bankoverflow": True,
                }
                for move in range(50)
            ],
        }
        for number in range(100)
    ]
    return msgspec.json.encode({"transactions": transactions})


async def test_a_large_call_leaves_the_loop_to_others(client, database):
    headers = {"Content-Type": "application/json"}
    gc.freeze()  # as the service does when it starts
    holds = []
    for _ in range(3):
        body = await large_call(database)
        assert len(body) > 700_000
        async with Heartbeat() as heart:
            answer = await client.post("/api/v1/transactions", content=body, headers=headers)
        assert answer.status_code == 200
        holds.append(heart.longest)
    print(f"\nheld the loop for {[round(hold * 1000, 1) for hold in holds]} ms")
    gc.unfreeze()
    assert median(holds) < LONGEST_HOLD


@pytest.mark.parametrize("path", ["/api/v1/users/password/reset/complete", "/nowhere"])
async def test_a_body_in_tiny_pieces_is_not_read_to_its_end(client, path):
    """Whether somebody wants to read it, or it is to be thrown away."""
    sent = 0

    async def pieces():
        nonlocal sent
        for _ in range(60_000):
            sent += 1
            yield b" "

    answer = await client.post(path, content=pieces(), headers={"Content-Type": "application/json"})
    assert sent <= bodies.MOST_PIECES + 2
    assert answer.headers["connection"] == "close"
    assert answer.json()["Code"] in ("body_too_fragmented", "route_not_found")


async def test_a_body_in_many_pieces_of_some_size_is_read(client):
    async def pieces():
        yield b'{"ignored": "'
        for _ in range(bodies.MOST_PIECES):
            yield b"x" * 65
        yield b'"}'

    answer = await client.post(
        "/api/v1/players/online", content=pieces(), headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 200
