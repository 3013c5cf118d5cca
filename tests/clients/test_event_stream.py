"""The stream of events, taken up again where it broke off."""

import asyncio
from contextlib import aclosing

import pytest
from gamekeeper_client import APIError, AsyncGamekeeper, EventsExpired, Gamekeeper

from gamekeeper.auth import keys
from gamekeeper.auth.keys import Revocation
from tests.clients.proxies import proxying
from tests.deadlines import PATIENCE
from tests.make import BY, make_item, make_player
from tests.server import serving


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


async def test_a_server_that_restarts_loses_nothing_and_tells_nothing_twice(
    settings, database, key, tmp_path
):
    """It is stopped in the middle of a stream, and things are done while nobody listens."""
    ana, potion = await make_player(database), await make_item(database)
    with serving(settings, tmp_path / "first") as (first, _):
        async with proxying(first) as proxy, AsyncGamekeeper(proxy.url, key) as client:
            begin = (await client.events.page("latest"))["Next"]
            about = {"player": ana, "kinds": ["items.give", "items.take"], "after": begin}
            totals: list[int] = []
            listening = asyncio.create_task(heard(client, 15, totals, **about))
            for _ in range(5):
                await client.players.give(ana, potion)
            await until(lambda: len(totals) == 5)
            with serving(settings, tmp_path / "second") as (second, _):
                proxy.target = second
                for wanted in (10, 15):
                    await proxy.cut()
                    for _ in range(5):
                        await client.players.give(ana, potion)
                    await until(lambda wanted=wanted: len(totals) >= wanted)
                assert await listening == list(range(1, 16))


async def until(true) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.01)


async def test_a_server_that_stops_is_waited_for(settings, database, key, tmp_path):
    ana, potion = await make_player(database), await make_item(database)
    async with proxying("http://127.0.0.1:1") as proxy, AsyncGamekeeper(proxy.url, key) as client:
        with serving(settings, tmp_path / "first") as (proxy.target, process):
            begin = (await client.events.page("latest"))["Next"]
            listening = asyncio.create_task(heard(client, 2, after=begin, player=ana))
            await client.players.give(ana, potion)
            await until(lambda: proxy.connections >= 2)
            process.terminate()
            await asyncio.to_thread(process.wait, 10)
        proxy.target = "http://127.0.0.1:1"
        with serving(settings, tmp_path / "second") as (proxy.target, _):
            await client.players.give(ana, potion)
            assert await listening == [1, 2]


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


async def test_a_revoked_key_ends_the_stream_with_a_refusal(url, database):
    order = keys.NewKey(by=BY, name="to be revoked")
    async with AsyncGamekeeper(url, str(await keys.create.one(database, order))) as client:
        listening = asyncio.create_task(heard(client, 1, after="latest", kinds="items.give"))
        await asyncio.sleep(0.5)
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
