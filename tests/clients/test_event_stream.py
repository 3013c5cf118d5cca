"""The stream of events, taken up again where it broke off."""

import asyncio
import math
import subprocess
from collections.abc import Iterator
from contextlib import aclosing
from typing import NamedTuple

import pytest
from gamekeeper_client import APIError, AsyncGamekeeper, EventsExpired, Gamekeeper, RetryPolicy

from gamekeeper.auth import keys
from gamekeeper.auth.keys import Revocation
from gamekeeper.core.settings import Settings
from tests.clients.proxies import proxying
from tests.deadlines import PATIENCE
from tests.make import BY, make_item, make_player
from tests.server import serving

OFTEN = RetryPolicy(attempts=math.inf, seconds=math.inf, first_pause=0.05, longest_pause=0.1)


async def heard(
    client: AsyncGamekeeper, number: int, into: list[int] | None = None, **about: object
) -> list[int]:
    """The totals after each of so many gifts, as the stream tells of them."""
    totals = [] if into is None else into
    async with asyncio.timeout(PATIENCE), aclosing(client.events.stream(**about)) as stream:
        async for event in stream:
            totals.append(event["After"]["total"])
            if len(totals) == number:
                break
    return totals


async def until(true) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.01)


async def test_a_stream_that_begins_now_does_not_move_when_it_breaks_before_anything_came(
    client, proxy, database
):
    ana, potion = await make_player(database), await make_item(database)
    listening = asyncio.create_task(heard(client, 1, after="latest", player=ana))
    await until(lambda: proxy.asked >= 2)
    url, proxy.target = proxy.target, "http://127.0.0.1:1"
    await proxy.cut()
    async with AsyncGamekeeper(url, client._connection.key) as other:
        begin = (await other.events.page("latest"))["Next"]
        await other.players.give(ana, potion)
        assert (await other.events.page(begin, wait=5))["Values"], "it has its number"
    proxy.target = url
    assert await listening == [1]


class Server(NamedTuple):
    url: str
    process: subprocess.Popen[bytes]


@pytest.fixture(scope="module")
def second(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Another server on the same database; the last test that uses it stops it."""
    with serving(settings, tmp_path_factory.mktemp("second") / "log") as (url, process):
        yield Server(url, process)


async def test_a_server_that_restarts_loses_nothing_and_tells_nothing_twice(
    database, url, second, key
):
    """It is stopped in the middle of a stream, and things are done while nobody listens."""
    ana, potion = await make_player(database), await make_item(database)
    async with proxying(url) as proxy, AsyncGamekeeper(proxy.url, key) as client:
        begin = (await client.events.page("latest"))["Next"]
        about = {"player": ana, "kinds": ["items.give", "items.take"], "after": begin}
        totals: list[int] = []
        listening = asyncio.create_task(heard(client, 15, totals, retries=OFTEN, **about))
        for _ in range(5):
            await client.players.give(ana, potion)
        await until(lambda: len(totals) == 5)
        proxy.target = second.url
        for wanted in (10, 15):
            await proxy.cut()
            for _ in range(5):
                await client.players.give(ana, potion)
            await until(lambda wanted=wanted: len(totals) >= wanted)
        assert await listening == list(range(1, 16))


async def test_a_server_that_stops_is_waited_for(database, url, second, key):
    ana, potion = await make_player(database), await make_item(database)
    async with proxying(second.url) as proxy, AsyncGamekeeper(proxy.url, key) as client:
        begin = (await client.events.page("latest"))["Next"]
        listening = asyncio.create_task(heard(client, 2, retries=OFTEN, after=begin, player=ana))
        await client.players.give(ana, potion)
        await until(lambda: proxy.connections >= 2)
        second.process.terminate()
        await asyncio.to_thread(second.process.wait, 10)
        proxy.target = "http://127.0.0.1:1"
        tried = proxy.connections
        await until(lambda: proxy.connections >= tried + 2)
        proxy.target = url
        await client.players.give(ana, potion)
        assert await listening == [1, 2]


async def test_the_stream_without_async(sync: Gamekeeper, client, proxy, database):
    ana, potion = await make_player(database), await make_item(database)

    def listen() -> list[int]:
        stream = sync.events.stream("latest", player=ana)
        return [event["After"]["total"] for event, _ in zip(stream, range(2), strict=False)]

    listening = asyncio.create_task(asyncio.to_thread(listen))
    await until(lambda: proxy.asked >= 2)
    await client.players.give(ana, potion)
    await proxy.cut()
    await client.players.give(ana, potion)
    # zip asks for one more before it sees that it has enough.
    await client.players.give(ana, potion)
    assert await asyncio.wait_for(listening, PATIENCE) == [1, 2]


async def test_a_revoked_key_ends_the_stream_with_a_refusal(proxy, database):
    order = keys.NewKey(by=BY, name="to be revoked")
    async with AsyncGamekeeper(proxy.url, str(await keys.create.one(database, order))) as client:
        listening = asyncio.create_task(heard(client, 1, after="latest", kinds="items.give"))
        await until(lambda: proxy.asked >= 2)
        await keys.revoke.one(database, Revocation(by=BY, key=order.name))
        with pytest.raises(APIError) as refused:
            await listening
    assert refused.value.status == 401


async def test_pages_wait(client, database):
    ana, potion = await make_player(database), await make_item(database)
    begin = (await client.events.page("latest"))["Next"]
    waiting = asyncio.create_task(client.events.page(begin, player=ana, wait=5))
    await asyncio.sleep(0.2)
    await client.players.give(ana, potion)
    assert [event["Kind"] for event in (await waiting)["Values"]] == ["items.give"]


async def test_what_is_no_longer_told_is_said_with_the_oldest(client, database):
    ana, potion = await make_player(database), await make_item(database)
    begin = (await client.events.page("latest"))["Next"]
    for _ in range(3):
        await client.players.give(ana, potion)
    assert await heard(client, 3, after=begin) == [1, 2, 3]
    newest = begin + 3
    await database.write(
        lambda writer: writer.run(
            "UPDATE chain SET action_at = action_at - interval '1000 days' WHERE seq < $1", newest
        )
    )
    with pytest.raises(EventsExpired) as expired:
        await heard(client, 1, after=1)
    assert expired.value.oldest == newest
    assert await heard(client, 1, after=expired.value.oldest - 1) == [3]
