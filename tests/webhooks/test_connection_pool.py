"""Connections are used again while the target allows it, and nobody loses anything by it."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import uvloop

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.egress import connection, connection_pool, http_client, targets
from gamekeeper.egress.connection_pool import ConnectionPool
from gamekeeper.egress.http_client import Outcome
from tests.deadlines import PATIENCE
from tests.webhooks.receivers import Receiver, answer, receiver

NAMED = Settings(database_url=Hidden("postgresql://x/y"), webhook_hosts="127.0.0.1:*")


@pytest.fixture
async def kept() -> AsyncIterator[ConnectionPool]:
    made = ConnectionPool()
    yield made
    made.close()


async def send(target: Receiver, kept: ConnectionPool) -> Outcome:
    return await http_client.send(targets.parse(NAMED, target.url), [], b"{}", pool=kept)


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"


@pytest.mark.parametrize(
    "said", [answer(200), answer(500, b""), b"HTTP/1.1 204 No\r\n\r\n", CHUNKED]
)
async def test_a_connection_left_open_is_used_again(kept, said):
    async with receiver() as target:
        target.keeps_open, target.answer = True, lambda _: said
        outcomes = [await send(target, kept) for _ in range(5)]

    assert len({(outcome.status, outcome.answer, outcome.fault) for outcome in outcomes}) == 1
    assert (len(target.received), target.connections) == (5, 1)


@pytest.mark.parametrize(
    "said",
    [
        answer(200, b"thanks", "Connection: close"),
        answer(200, b"x" * 1001),
        b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
    ],
)
async def test_one_that_is_to_be_closed_or_not_read_to_its_end_is_not(kept, said):
    async with receiver() as target:
        target.keeps_open, target.answer = True, lambda _: said
        assert all([(await send(target, kept)).is_success for _ in range(2)])

    assert target.connections == 2


async def test_one_that_the_target_has_closed_is_no_failure(kept):
    """Neither if that is known nor if it is found out by sending."""
    async with receiver() as target:
        for _ in range(20):
            assert (await send(target, kept)).is_success
    assert target.connections == 20

    async with receiver() as target:
        target.keeps_open = True
        target.answer = lambda _: b"" if len(target.received) == 2 else answer(200)
        assert (await send(target, kept)).is_success
        second = asyncio.create_task(send(target, kept))
        await target.got(2)
        target.hang_up()
        assert (await second).is_success
    assert (len(target.received), target.connections) == (3, 2)


async def test_after_a_while_the_name_is_looked_up_again(kept, monkeypatch):
    monkeypatch.setattr(connection, "MAX_AGE_SECONDS", 0)
    async with receiver() as target:
        target.keeps_open = True
        assert all([(await send(target, kept)).is_success for _ in range(2)])

    assert target.connections == 2


async def test_one_that_nobody_uses_is_closed(kept, monkeypatch):
    monkeypatch.setattr(connection_pool, "IDLE_SECONDS", 0.1)
    async with receiver() as target:
        target.keeps_open = True
        await send(target, kept)
        async with asyncio.timeout(PATIENCE):
            while target.open:
                await asyncio.sleep(0.02)


@pytest.mark.parametrize("at_once", [True, False])
async def test_what_comes_unasked_is_never_taken_for_an_answer(kept, at_once):
    """Neither what comes at once after an answer nor what comes while nobody asks."""
    first = answer(200) * 2 if at_once else answer(200)
    async with receiver() as target:
        target.keeps_open = True
        target.answer = lambda _: first if len(target.received) == 1 else answer(500)
        assert (await send(target, kept)).status == 200
        for writer in () if at_once else target.open:
            writer.write(answer(200))
        await asyncio.sleep(0.2)

        second = await send(target, kept)

    assert second.status == 500
    assert (len(target.received), target.connections) == (2, 2)


def test_connections_work_on_uvloop():
    """The loop of the worker: its transports are not those of asyncio."""

    async def sent_twice() -> tuple[list[Outcome], int]:
        kept = ConnectionPool()
        async with receiver() as target:
            target.keeps_open = True
            outcomes = [await send(target, kept) for _ in range(2)]
            kept.close()
        return outcomes, target.connections

    outcomes, connections = uvloop.run(sent_twice())
    assert all(outcome.is_success for outcome in outcomes)
    assert connections == 1
