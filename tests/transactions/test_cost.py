"""What a call with as many moves as it may have costs, counted and not timed."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from uuid import uuid4

import msgspec
import pytest

from gamekeeper.api.v1.transactions import Transactions
from gamekeeper.core import parsing
from gamekeeper.core.errors import InvalidBody
from tests.make import make_item, make_player

URL = "/api/v1/transactions"
TRANSACTIONS, MOVES = 100, 50
MOST_STATEMENTS = 20
CALLS_TO_READ = 70
CALLS_TO_REFUSE = {
    "the first move": 40,
    "the last move": 100,
    "a full inventory": 80,
    "unknown items": 40,
    "unknown players": 80,
}
"""Calls of functions for each move. A call takes a third of a microsecond or so: 100 for each of
5,000 moves are 170 ms."""


class Calls:
    """How often our code called a function, or one of ours was called, in this thread."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if event in ("call", "c_call") and "gamekeeper" in frame.f_code.co_filename:
            self.count += 1


@contextmanager
def counted() -> Iterator[Calls]:
    calls = Calls()
    sys.setprofile(calls)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def refused(kind: str, potion: str, sword: str) -> list[dict[str, object]]:
    """The moves of a transaction that is refused, at its first move or after many."""
    take = {"do": "items", "itemid": potion, "quantity": 1, "from": "ana"}
    give = {"do": "items", "itemid": potion, "quantity": 1, "to": "ana"}
    return {
        "the first move": [take] * MOVES,
        "the last move": [*[give] * (MOVES - 1), take | {"itemid": sword}],
        "a full inventory": [give | {"itemid": sword}] * MOVES,
        "unknown items": [give | {"itemid": str(uuid4())} for _ in range(MOVES)],
        "unknown players": [give | {"to": f"p-{uuid4().hex[:12]}"} for _ in range(MOVES)],
    }[kind]


@pytest.mark.parametrize("kind", CALLS_TO_REFUSE)
async def test_five_thousand_refused_moves_are_cheap(client, database, statements, kind):
    await make_player(database, "ana")
    potion = str(await make_item(database, inventory_stack=10))
    sword = str(await make_item(database, "Sword", stackable=False))
    body = {
        "transactions": [
            {"key": f"{number}", "moves": refused(kind, potion, sword)}
            for number in range(TRANSACTIONS)
        ]
    }

    with statements() as made, counted() as calls:
        answer = await client.post(URL, json=body)

    assert {entry["Done"] for entry in answer.json()["Values"]} == {None}
    assert len(made) <= MOST_STATEMENTS
    assert calls.count <= CALLS_TO_REFUSE[kind] * TRANSACTIONS * MOVES


def test_a_body_of_five_thousand_moves_is_read_cheaply():
    raw = msgspec.json.encode(
        {
            "transactions": [
                {"key": "k", "moves": refused("unknown items", str(uuid4()), "")}
                for _ in range(TRANSACTIONS)
            ]
        }
    )
    given = msgspec.json.decode(raw)

    with counted() as calls:
        parsing.read(Transactions, given, InvalidBody)

    assert calls.count <= CALLS_TO_READ * TRANSACTIONS * MOVES
