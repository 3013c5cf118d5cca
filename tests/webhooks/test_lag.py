"""
Many targets and one that is dead: the others hear as soon as if it were not there.

The worker is a process of its own, and every target has a socket of its own and speaks TLS;
as servers do, they leave the connection open for the next event, but for every tenth.
`WEBHOOK_TARGETS`, `WEBHOOK_EVENTS`, `WEBHOOK_RATE` (events a second) and `WEBHOOK_LAG` (seconds
from the commit to the arrival, of 95 in 100) say how much; `just gate` raises them.
"""

import asyncio
import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from ssl import SSLContext

import pytest
from msgspec import structs

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.egress import http_client
from tests import processes
from tests.databases import cloned
from tests.server import environment
from tests.webhooks.authorities import Authority
from tests.webhooks.receivers import Receiver, is_signed, receiver
from tests.webhooks.test_deliveries import act, hook, states

pytestmark = pytest.mark.torture

TARGETS = int(os.environ.get("WEBHOOK_TARGETS", "20"))
EVENTS = int(os.environ.get("WEBHOOK_EVENTS", "10"))
RATE = float(os.environ.get("WEBHOOK_RATE", "20"))
LAG = float(os.environ.get("WEBHOOK_LAG", str(http_client.SECONDS / 2)))


@pytest.fixture(scope="module")
async def settings(template: str) -> AsyncIterator[Settings]:
    async with cloned(template) as settings:
        yield structs.replace(settings, webhook_hosts="127.0.0.1:*")


@pytest.fixture(scope="module")
async def database(settings: Settings) -> AsyncIterator[Database]:
    async with Database.open(settings) as database:
        yield database


@pytest.fixture(scope="module")
def tls(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SSLContext]:
    """What targets need that `gamekeeper worker` trusts, which sends to them meanwhile."""
    folder = tmp_path_factory.mktemp("worker")
    authority = Authority(folder)
    env = {
        "GAMEKEEPER_WEBHOOK_HOSTS": settings.webhook_hosts,
        "SSL_CERT_FILE": str(authority.file),
    }
    command = [sys.executable, "-m", "gamekeeper", "worker"]
    with (
        (folder / "log").open("wb") as stream,
        processes.running(command, env=environment(settings, **env), stderr=stream),
    ):
        yield authority.server("127.0.0.1")


@asynccontextmanager
async def silent(tls: SSLContext) -> AsyncIterator[Receiver]:
    """Takes what is sent, and never answers."""
    async with receiver(tls) as made:
        made.answer = lambda _: None
        yield made


@asynccontextmanager
async def trickling(tls: SSLContext) -> AsyncIterator[Receiver]:
    """Answers a byte at a time and never comes to the end of a line."""
    async with receiver(tls) as made:
        made.answer = lambda _: b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1000
        made.byte_seconds = 0.5
        yield made


@asynccontextmanager
async def refusing(tls: SSLContext) -> AsyncIterator[Receiver]:
    """Nobody listens there."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        made = Receiver(tls)
        made.port = held.getsockname()[1]
        yield made


@pytest.mark.parametrize("dead", [silent, trickling, refusing])
async def test_one_dead_target_of_many_holds_up_no_other(client, database, tls, dead):
    async with AsyncExitStack() as stack:
        others = [await stack.enter_async_context(receiver(tls)) for _ in range(TARGETS - 1)]
        for number, target in enumerate(others):
            target.keeps_open = number % 10 > 0
        dying = await stack.enter_async_context(dead(tls))
        hooks = [await hook(client, other) for other in others]
        await _told(others, await act(database))
        before = await _lags(database, others)

        path, _ = await hook(client, dying)
        again = asyncio.create_task(_switch_on(client, path))
        beside = await _lags(database, others)
        again.cancel()

        assert dying.connections or await states(client, path)
        for target, (_, secret) in zip(others, hooks, strict=True):
            assert all(is_signed(got, secret) for got in target.received)
        for made in [path, *(other for other, _ in hooks)]:
            assert (await client.delete(made)).status_code == 200
    print(f"\n{TARGETS - 1} targets, {EVENTS} events: {_said(before)}")
    print(f"beside one that is {dead.__name__}: {_said(beside)}")
    assert _part(beside, 95) < LAG


async def _switch_on(client, path: str) -> None:
    """As an operator who believes in it: otherwise it would be left alone for minutes."""
    while True:
        await asyncio.sleep(2 / RATE)
        await client.patch(path, json={"enabled": True})


async def _lags(database: Database, targets: Sequence[Receiver]) -> list[float]:
    """Seconds between the commit of each event and its arrival at each target."""
    for target in targets:
        target.received.clear()
    committed: dict[str, float] = {}
    for _ in range(EVENTS):
        [event] = await act(database)
        committed[event] = time.time()
        await asyncio.sleep(1 / RATE)
    await _told(targets, list(committed))
    return [got.at - committed[got.data["Id"]] for target in targets for got in target.received]


async def _told(targets: Sequence[Receiver], events: Sequence[str]) -> None:
    for target in targets:
        got = await target.got(len(events))
        assert [one.data["Id"] for one in got] == list(events)


def _said(lags: Sequence[float]) -> str:
    return f"p50 {_part(lags, 50):.3f} s, p95 {_part(lags, 95):.3f} s, slowest {max(lags):.3f} s"


def _part(lags: Sequence[float], percent: int) -> float:
    return sorted(lags)[len(lags) * percent // 100]
