"""The TypeScript client on a real server, in Node and in a browser."""

import asyncio
from typing import Any
from uuid import uuid4

import pytest
from gamekeeper_client import AsyncGamekeeper

from gamekeeper.catalog import importer
from gamekeeper.db.database import Database
from tests.catalog.test_icons import ITEM, PICTURE, catalog
from tests.clients.proxies import Proxy
from tests.clients.test_event_stream import until
from tests.clients.typescript.sides import PageSide, Side
from tests.make import BY, make_item, make_player, sha

pytestmark = pytest.mark.browser


async def gift(database: Database) -> dict[str, str]:
    player, item = await make_player(database), await make_item(database)
    return {"player": str(player), "item": str(item)}


async def held(direct: AsyncGamekeeper, player: str) -> int:
    return sum(slot["Quantity"] for slot in await direct.players.inventory(player))


async def test_a_gift_whose_answer_was_lost_is_given_once(side: Side, proxy, direct, database):
    about = await gift(database)
    proxy.swallow = 2
    given = await side.run("gives", **about)
    assert proxy.swallow == 0
    assert given["id"] == about["item"]
    assert await held(direct, about["player"]) == 5
    assert len([action async for action in direct.actions.all(player=about["player"])]) == 1


async def test_an_order_has_a_key_of_its_own(side: Side, direct, database):
    about = await gift(database)
    same, other = await side.run("orders", **about, order=f"order {uuid4()}".replace(" ", "-"))
    assert same
    assert (other["status"], other["code"]) == (422, "idempotency_key_reused")
    assert await held(direct, about["player"]) == 5


async def test_what_takes_no_key_is_not_repeated(side: Side, proxy: Proxy, database):
    """The service may have sent the chat: nobody knows, so the caller is told."""
    proxy.swallow = 1
    asked = proxy.asked
    body = {"message": "Hello"}
    failed = await side.run("fails", method="post", path="/api/v1/chat/global", body=body)
    assert (failed["status"], failed["code"]) == (0, "no_answer")
    assert proxy.asked == asked + 1


async def test_reading_is_repeated_until_the_service_is_there_again(side: Side, proxy: Proxy):
    target, proxy.target = proxy.target, "http://127.0.0.1:1"
    refused = proxy.connections
    reading = asyncio.create_task(side.run("lists", path="/api/v1/roles", params={}))
    await until(lambda: proxy.connections > refused)
    proxy.target = target
    assert "owner" in [role["Name"] for role in await reading]


async def test_nobody_answers(side: Side, proxy: Proxy):
    proxy.target = "http://127.0.0.1:1"
    failed = await side.run("fails", path="/api/v1/players", retries=1)
    assert failed == {
        "status": 0,
        "code": "no_answer",
        "message": "The service did not answer.",
        "details": {},
        "named": False,
        "isOurs": True,
        "isOther": False,
    }


async def test_refusals_have_a_code_and_details(side: Side, database):
    about = await gift(database)
    path = {"key": about["player"]}
    failed = await side.run(
        "fails",
        method="post",
        path="/api/v1/players/{key}/items/take",
        params={"path": path},
        body={"itemid": about["item"], "quantity": 3},
    )
    assert (failed["status"], failed["code"]) == (409, "not_enough_items")
    assert failed["details"] == {"Held": 0}
    assert (failed["named"], failed["isOurs"], failed["isOther"]) == (True, True, False)
    unknown = {"path": {"key": "no one/at all?"}}
    failed = await side.run("fails", path="/api/v1/players/{key}", params=unknown)
    assert (failed["code"], failed["message"]) == (
        "player_not_found",
        "No player with name 'no one/at all?'.",
    )


async def test_lists_by_number_and_by_cursor_are_read_to_their_end(side: Side, direct, database):
    word, potion = f"Z{uuid4().hex[:8]}", await make_item(database)
    names = [f"{word} {number}" for number in range(5)]
    for name in names:
        await make_player(database, name)
    query = {"search": word, "pageSize": 2}
    found = await side.run("lists", path="/api/v1/players", params={"query": query})
    assert [player["Name"] for player in found] == names
    nobody = {"query": {"search": uuid4().hex}}
    assert await side.run("lists", path="/api/v1/players", params=nobody) == []
    second = {"query": query | {"page": 1}}
    found = await side.run("lists", path="/api/v1/players", params=second)
    assert [player["Name"] for player in found] == names[2:]
    for _ in range(5):
        await direct.players.give(names[0], potion)
    history = {"path": {"key": names[0]}, "query": {"limit": 2}}
    found = await side.run("lists", path="/api/v1/players/{key}/history", params=history)
    assert [entry["After"]["total"] for entry in found] == [5, 4, 3, 2, 1]
    few = {"path": "/api/v1/players", "params": {"query": query}}
    assert await side.run("peeks", **few, number=2) == 1
    assert await side.run("peeks", **few, number=3) == 2


async def test_sessions_go_back_from_an_instant(side: Side, direct: AsyncGamekeeper, database):
    ana = await make_player(database)
    lease = await direct.servers.register(f"realm {uuid4()}")
    for _ in range(3):
        await direct.servers.join(lease.id, lease.fence, [ana])
        await direct.servers.leave(lease.id, lease.fence, [ana])
    params = {"path": {"key": str(ana)}, "query": {"limit": 1}}
    found = await side.run("lists", path="/api/v1/players/{key}/sessions", params=params)
    assert len({session["JoinedAt"] for session in found}) == len(found) == 3


class Listener:
    """A stream of gifts to one player, heard in the background."""

    def __init__(self, side: Side, about: dict[str, Any]) -> None:
        self.told: list[Any] = []
        self.done = asyncio.create_task(side.run("follows", self.told.append, **about))

    @property
    def totals(self) -> list[int]:
        return [told["total"] for told in self.told if "total" in told]

    async def heard(self, number: int) -> None:
        await until(lambda: self.done.done() or len(self.totals) >= number)

    async def live(self) -> None:
        await until(lambda: self.done.done() or {"isLive": True} in self.told)


@pytest.mark.parametrize("poll", [False, True], ids=["stream", "poll"])
async def test_events_go_on_where_they_broke_off(side: Side, proxy, direct, database, *, poll):
    about = await gift(database)
    begin = (await direct.events.page("latest"))["Next"]
    wanted = {"player": about["player"], "after": begin, "number": 15, "poll": poll}
    listener = Listener(side, wanted | {"kinds": ["items.give", "items.take"]})
    for number in range(1, 16):
        if number in (6, 11):
            await listener.heard(number - 1)
            await proxy.cut()
        await direct.players.give(about["player"], about["item"])
    assert await listener.done == list(range(1, 16))
    if poll:
        return  # A browser asks again by itself if a connection that it kept is gone.
    assert [told["isLive"] for told in listener.told if "isLive" in told][:3] == [True, False, True]


async def test_events_from_now_on_do_not_move_when_nothing_came_yet(
    side: Side, proxy: Proxy, direct, database
):
    about = await gift(database)
    wanted = {"player": about["player"], "after": "latest", "number": 1}
    listener = Listener(side, wanted)
    await listener.live()
    target, proxy.target = proxy.target, "http://127.0.0.1:1"
    await proxy.cut()
    begin = (await direct.events.page("latest"))["Next"]
    await direct.players.give(about["player"], about["item"])
    assert (await direct.events.page(begin, wait=5))["Values"], "it has its number"
    proxy.target = target
    assert await listener.done == [1]


async def test_events_that_are_gone_are_an_error_or_a_gap(side: Side, direct, database):
    about = await gift(database)
    begin = (await direct.events.page("latest"))["Next"]
    for _ in range(3):
        await direct.players.give(about["player"], about["item"])
    while (newest := (await direct.events.page(begin, wait=5))["Next"]) < begin + 3:
        await asyncio.sleep(0.05)
    await database.write(
        lambda writer: writer.run(
            "UPDATE chain SET action_at = action_at - interval '1000 days' WHERE seq < $1", newest
        )
    )
    after = {"query": {"after": "1"}}
    failed = await side.run("fails", path="/api/v1/events", params=after)
    assert (failed["status"], failed["code"]) == (410, "events_expired")
    assert failed["details"] == {"Oldest": newest}
    listener = Listener(side, {"after": 1, "number": 1, "gaps": True})
    assert await listener.done == [3]
    assert {"gap": {"after": 1, "oldest": newest}} in listener.told


async def test_a_picture_is_a_picture(side: Side, database, tmp_path):
    (tmp_path / "sword.png").write_bytes(PICTURE)
    await importer.bring(database, catalog(tmp_path, "sword.png"), BY)
    assert await side.run("icon", item=str(ITEM)) == [True, "image/png", len(PICTURE)]


async def test_who_leaves_is_not_kept(side: Side):
    assert await side.run("leaves") == ["enough", "enough"]


async def test_hashes_and_keys_are_made_with_and_without_https(side: Side, browser, proxy: Proxy):
    texts = ["", "correct horse", "pässwörd 🗡️", "x" * 1000]
    assert await side.run("hashes", texts=texts) == [sha(text) for text in texts]
    assert await side.run("isTrusted")
    about = {"player": "Ana", "item": str(uuid4())}
    keys = await side.run("keys", **about)
    assert (len(keys), len(set(keys)), len(keys[0])) == (3, 1, 32)
    assert keys != await side.run("keys", **about)
    if isinstance(side, PageSide):
        context = await browser.new_context()
        home = proxy.url.replace("127.0.0.1", "gamekeeper.test")
        plain = await PageSide.open(context, home)
        assert not await plain.run("isTrusted")
        assert await plain.run("hashes", texts=texts) == [sha(text) for text in texts]
        assert len(set(await plain.run("keys", **about))) == 1
        await context.close()
