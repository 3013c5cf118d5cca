"""
What a request costs, counted and not timed: a busy machine cannot change the result.

Counted are the calls of Python functions in our code and in the driver (a coroutine that goes on
after a wait counts again), and the statements sent to PostgreSQL. A budget is the count of today;
it may only be raised for a reason that the commit gives.
"""

import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any
from uuid import uuid4

import asyncpg
import msgspec
import pytest

import gamekeeper
from gamekeeper.app import App
from gamekeeper.auth import keys, tokens
from gamekeeper.auth.keys import NewKey
from tests.make import BY, make_item, make_player, make_user, proved

OURS = str(Path(gamekeeper.__file__).parent)
DRIVER = str(Path(asyncpg.__file__).parent)
WARM_UP, MEASURED = 5, 7

BUDGETS = {
    "a player by id": (109, 1),
    "a player by name": (118, 1),
    "an inventory": (113, 1),
    "a page of 20 players": (129, 1),
    "a page of 100 players": (129, 1),
    "a rank page of 20": (127, 1),
    "a search for players": (131, 1),
    "a search": (348, 7),
    "a gift": (363, 6),
    "a gift with a key": (437, 8),
    "an overview": (300, 4),
}
"""Calls and statements."""
MORE_FOR_A_TOKEN = 15


class Calls:
    def __init__(self) -> None:
        self.count = 0

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith((OURS, DRIVER)):
            self.count += 1


@contextmanager
def counted() -> Iterator[Calls]:
    calls = Calls()
    sys.setprofile(calls)
    try:
        yield calls
    finally:
        sys.setprofile(None)


class Asked(msgspec.Struct):
    """A request, sent to the application without a client that would be counted too."""

    method: str
    path: str
    body: bytes = b""
    headers: dict[str, str] = {}

    async def send(self, app: App, credential: str) -> int:
        path, _, query = self.path.partition("?")
        headers = {"authorization": f"Bearer {credential}", **self.headers}
        if self.body:
            headers |= {"content-type": "application/json", "content-length": str(len(self.body))}
        scope = {
            "type": "http",
            "method": self.method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
            "scheme": "http",
        }
        status = 0

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": self.body, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            nonlocal status
            status = message.get("status", status)

        await app(scope, receive, send)
        return status


async def cost(ask: Callable[[], Awaitable[int]], statements: Callable[[], Any]) -> tuple[int, int]:
    """Calls and statements: the least of several, as a timer may come between."""
    for _ in range(WARM_UP):
        assert await ask() == 200
    found = []
    for _ in range(MEASURED):
        with statements() as made, counted() as calls:
            assert await ask() == 200
        found.append((calls.count, len(made)))
    return min(found)


@pytest.fixture
async def app(settings, shared_database):
    app = App(settings, shared_database.database())
    await app.start()
    yield app
    await app.stop()


@pytest.fixture
async def key(database) -> str:
    return await keys.create.one(database, NewKey(by=BY, name="budgets"))


async def asked(kind: str, database) -> Asked:
    players = [await make_player(database, f"hero{number:03}") for number in range(120)]
    item = await make_item(database, inventory_stack=1_000_000)
    gift = msgspec.json.encode({"itemid": str(item), "quantity": 1})
    path = "/api/v1/players"
    return {
        "a player by id": Asked("GET", f"{path}/{players[0]}"),
        "a player by name": Asked("GET", f"{path}/hero001"),
        "an inventory": Asked("GET", f"{path}/{players[0]}/items/inventory"),
        "a page of 20 players": Asked("GET", f"{path}?pageSize=20"),
        "a page of 100 players": Asked("GET", f"{path}?pageSize=100"),
        "a rank page of 20": Asked("GET", f"{path}/rank?pageSize=20"),
        "a search for players": Asked("GET", f"{path}?search=hero0"),
        "a search": Asked("GET", "/api/v1/search?q=hero0"),
        "an overview": Asked("GET", "/api/v1/overview"),
        "a gift": Asked("POST", f"{path}/{players[0]}/items/give", gift),
        "a gift with a key": Asked(
            "POST", f"{path}/{players[0]}/items/give", gift, {"idempotency-key": ""}
        ),
    }[kind]


@pytest.mark.parametrize("kind", BUDGETS)
async def test_a_request_stays_within_its_budget(app, key, database, statements, kind):
    wanted = await asked(kind, database)

    async def ask() -> int:
        if "idempotency-key" in wanted.headers:
            wanted.headers["idempotency-key"] = uuid4().hex
        return await wanted.send(app, key)

    calls, made = await cost(ask, statements)

    most_calls, most_statements = BUDGETS[kind]
    assert made <= most_statements
    assert calls <= most_calls


async def test_a_token_costs_hardly_more_than_a_key(app, key, database, statements):
    user = await make_user(database, "ana", api=True)
    token = (await tokens.issue.one(database, await proved(database, user))).access
    wanted = await asked("a player by id", database)

    with statements() as first:
        await wanted.send(app, token)
    with_key, _ = await cost(lambda: wanted.send(app, key), statements)
    with_token, _ = await cost(lambda: wanted.send(app, token), statements)

    # Afterwards the process knows the token for a moment.
    assert len(first) == len(["the token with its account", "the player"])
    assert with_token <= with_key + MORE_FOR_A_TOKEN
