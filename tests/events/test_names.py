"""`names=true` in events: pages and streams have names, for those who may know them."""

import asyncio
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

from gamekeeper.auth import keys
from gamekeeper.auth.keys import NewKey
from gamekeeper.db.database import Database
from gamekeeper.events.feed import Feed
from gamekeeper.events.records import EventFilter, EventView
from gamekeeper.history.entry_names import PEOPLE
from gamekeeper.players.display_names import ITEMS
from tests.contract.outcomes import outcome, refusal
from tests.deadlines import PATIENCE
from tests.events.listeners import listening
from tests.events.test_events import act, hear, latest
from tests.make import BY, make_item, make_player, make_user

PATH = "/api/v1/events"
LISTENERS = 20
NAMES = {"ItemName", "PlayerName", "UserName"}


@pytest.fixture(scope="module")
def port(url: str) -> int:
    return urlsplit(url).port or 0


async def reader_key(database: Database, *scopes: str) -> str:
    order = NewKey(by=BY, name=f"listener-{uuid4().hex[:8]}", scopes=scopes)
    return str(await keys.create.one(database, order))


async def make_subjects(database: Database) -> tuple[dict[str, object], dict[str, str]]:
    """What an action may be about, and how that is called."""
    mark = uuid4().hex[:8]
    names = {"ItemName": f"Ale {mark}", "PlayerName": f"Ana {mark}", "UserName": f"ben-{mark}"}
    about = {
        "item_id": await make_item(database, names["ItemName"]),
        "player_id": await make_player(database, names["PlayerName"]),
        "user_id": await make_user(database, names["UserName"]),
    }
    return about, names


@pytest.mark.parametrize("sees", [True, False])
async def test_pages_and_streams_have_names(client, database, port, sees):
    scopes = ("events.read", "users.query") if sees else ("events.read", "users.personal")
    key = await reader_key(database, *scopes)
    about, names = await make_subjects(database)
    expected = {name: names[name] for name in NAMES if sees or name != "UserName"}
    begin = await latest(client, database)
    await act(database, 1, **about)

    query = {"after": begin, "wait": 5}
    headers = {"Authorization": f"Bearer {key}"}
    page = await client.get(PATH, params=query | {"names": "true"}, headers=headers)
    plain = (await client.get(PATH, params=query, headers=headers)).json()["Values"]
    async with listening(port, key, query="?names=true", after=begin) as stream:
        [told] = await hear(stream, 1)
    async with listening(port, key, after=begin) as stream:
        [plainly] = await hear(stream, 1)

    assert page.json()["Values"] == [plain[0] | expected]
    assert not NAMES & plain[0].keys()
    assert (told.data, plainly.data) == (plain[0] | expected, plain[0])
    assert sees or names["UserName"].encode() not in page.content


async def test_listeners_who_differ_in_rights_share_no_names(client, database, port):
    about, names = await make_subjects(database)
    every = await reader_key(database, "events.read", "users.query")
    fewer = await reader_key(database, "events.read")
    begin = await latest(client, database)
    async with (
        listening(port, every, query="?names=true", after=begin) as knowing,
        listening(port, fewer, query="?names=true", after=begin) as unknowing,
        listening(port, fewer, after=begin) as plain,
    ):
        await act(database, 1, **about)
        heard = await asyncio.gather(*(hear(one, 1) for one in (knowing, unknowing, plain)))
    shown = [{name for name in NAMES if name in event.data} for [event] in heard]
    assert shown == [NAMES, NAMES - {"UserName"}, set()]
    assert heard[0][0].data["UserName"] == names["UserName"]


async def test_a_renamed_character_has_its_new_name_on_a_page(client, database):
    about, names = await make_subjects(database)
    begin = await latest(client, database)
    await act(database, 1, player_id=about["player_id"])
    query = {"after": begin, "wait": 5, "names": "true", "limit": 1}
    [before] = (await client.get(PATH, params=query)).json()["Values"]
    path = f"/api/v1/players/{about['player_id']}/name"
    new = f"Eve {uuid4().hex[:8]}"
    answer = await client.post(path, json={"name": new})
    assert answer.status_code == 200, answer.text
    [after] = (await client.get(PATH, params=query)).json()["Values"]
    assert (before["PlayerName"], after["PlayerName"]) == (names["PlayerName"], new)


async def test_what_is_neither_true_nor_false_is_refused(client):
    message = "'names' must be true or false."
    answer = await client.get(f"{PATH}?names=2")
    assert outcome(answer) == refusal(400, "invalid_query", message, Field="names")


@pytest.mark.parametrize("named", [True, False])
async def test_names_are_looked_up_once_for_all_listeners(client, database, statements, named):
    begin = await latest(client, database)
    feed = Feed(database, sequencing=False)
    view = EventView(emails=True, names=named, accounts=True)

    async def listen() -> bytes:
        events = await feed.after(begin, named=named)
        return feed.framed(events, EventFilter(), view)

    with feed.listening():
        await feed.begun()
        for _ in range(3):
            about, _ = await make_subjects(database)
            await act(database, 5, **about)
        async with asyncio.timeout(PATIENCE):
            while len(await feed.after(begin)) < 15:
                await feed.moved(1)
        with statements() as sent:
            heard = await asyncio.gather(*(listen() for _ in range(LISTENERS)))
    await feed.close()

    assert len(set(heard)) == 1
    assert heard[0].count(b'"PlayerName":"Ana ') == (15 if named else 0)
    assert (sent.count(PEOPLE), sent.count(ITEMS)) == ((1, 1) if named else (0, 0))
