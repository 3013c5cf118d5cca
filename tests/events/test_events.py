"""Events by page and by stream: all of them, in order, from where one left off."""

import asyncio
import signal
import time
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest

from gamekeeper.auth import keys
from gamekeeper.auth.keys import NewKey, Revocation
from gamekeeper.db.database import Database
from gamekeeper.events import streams
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from tests.contract.outcomes import outcome, refusal
from tests.deadlines import PATIENCE
from tests.events.listeners import Heard, Stream, listening
from tests.ledger.chains import unlinked
from tests.make import BY, make_player, make_spell
from tests.server import serving

PATH = "/api/v1/events"


async def act(database: Database, count: int = 1, **about: object) -> list[UUID]:
    """That many actions, each in a transaction of its own."""
    done = [Action(**{"kind": "variables.set", "by": BY, **about}) for _ in range(count)]
    for action in done:
        await database.write(lambda writer, action=action: actions.record(writer, [action]))
    return [action.id for action in done]


async def linked(client, database: Database) -> None:
    """Wait until the server has numbered everything, and has read it too."""
    async with asyncio.timeout(PATIENCE):
        while await unlinked(database):
            await asyncio.sleep(0.02)
        newest = await database.reader.value("SELECT max(seq) FROM chain")
        if newest:
            page = await client.get(PATH, params={"after": newest - 1, "wait": 30})
            assert [event["Seq"] for event in page.json()["Values"]] == [newest]


async def latest(client, database: Database) -> int:
    # The first request lets the server begin to follow the log. What was done before may
    # not be numbered yet, and would come after it.
    await client.get(PATH, params={"after": "latest"})
    await linked(client, database)
    return (await client.get(PATH, params={"after": "latest"})).json()["Next"]


async def hear(stream: Stream, count: int) -> list[Heard]:
    heard = []
    async with asyncio.timeout(PATIENCE):
        async for event in stream:
            if event.event:
                heard.append(event)
            if len(heard) == count:
                break
    return heard


@pytest.fixture(scope="module")
def port(url: str) -> int:
    return urlsplit(url).port or 0


# ── Pages ──


async def test_a_page_has_what_came_after_and_says_where_to_go_on(client, database):
    begin = await latest(client, database)
    done = await act(database, 5)
    await linked(client, database)

    first = (await client.get(PATH, params={"after": begin, "limit": 3})).json()
    second = (await client.get(PATH, params={"after": first["Next"]})).json()

    told = first["Values"] + second["Values"]
    assert [UUID(event["Id"]) for event in told] == done
    assert [event["Seq"] for event in told] == list(range(begin + 1, begin + 6))
    assert (first["Next"], second["Next"]) == (begin + 3, begin + 5)


async def test_an_event_is_the_action_and_its_number(client, database):
    begin = await latest(client, database)
    player, spell = await make_player(database), await make_spell(database)
    await client.post(f"/api/v1/players/{player}/spells/teach", json={"spellid": str(spell)})

    [event] = (await client.get(PATH, params={"after": begin, "wait": 5})).json()["Values"]
    action = (await client.get(f"/api/v1/actions/{event['Id']}")).json()

    assert event == action | {"Seq": begin + 1}
    assert event["PlayerId"] == str(player)


async def test_a_page_waits_for_something_to_be_on_it_and_no_longer(client, database):
    begin = await latest(client, database)
    waiting = asyncio.create_task(client.get(PATH, params={"after": begin, "wait": 30}))
    await asyncio.sleep(0.2)
    assert not waiting.done()
    [done] = await act(database)
    told = (await asyncio.wait_for(waiting, 20)).json()["Values"]
    assert [event["Id"] for event in told] == [str(done)]

    asked = time.monotonic()
    empty = await client.get(PATH, params={"after": begin + 1, "wait": 1})
    assert outcome(empty) == (200, {"Values": [], "Next": begin + 1})
    assert 1 <= time.monotonic() - asked < 20


async def test_only_what_is_wanted_is_told_and_one_gets_on_all_the_same(client, database):
    begin = await latest(client, database)
    player = await make_player(database)
    await act(database, 3)
    mine = await act(database, 2, player_id=player)
    [undo] = await act(database, 1, kind="undo")
    await linked(client, database)
    asked = {"after": begin, "wait": 5}

    hers = (await client.get(PATH, params=asked | {"player": str(player)})).json()
    undos = (await client.get(PATH, params=asked | {"kinds": "Undo, items.give"})).json()
    none = (await client.get(PATH, params=asked | {"kinds": "items.take", "wait": 0})).json()

    assert [event["Id"] for event in hers["Values"]] == [str(action) for action in mine]
    assert [event["Id"] for event in undos["Values"]] == [str(undo)]
    assert none == {"Values": [], "Next": begin + 6}


async def test_emails_are_masked_as_in_the_log(client, database):
    begin = await latest(client, database)
    after = {"email": "ana@example.com"}
    await act(database, 1, kind="users.email", after=after)
    narrow = await keys.create.one(database, NewKey(by=BY, name="narrow", scopes=("events.read",)))
    asked = {"after": begin, "wait": 5, "limit": 1}

    full = await client.get(PATH, params=asked)
    blind = await client.get(PATH, params=asked, headers={"Authorization": f"Bearer {narrow}"})

    assert full.json()["Values"][0]["After"] == after
    assert blind.json()["Values"][0]["After"] == {"email": "a•••@e•••.com"}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("after=x", "after"),
        ("after=-1", "after"),
        (f"after={'9' * 19}", "after"),
        ("wait=x", "wait"),
    ],
)
async def test_what_makes_no_sense_is_refused(client, query, field):
    answer = await client.get(f"{PATH}?{query}")

    assert answer.status_code == 400
    assert answer.json()["Code"] == "invalid_query"
    assert answer.json()["Details"] == {"Field": field}


async def test_a_kind_that_nothing_has_is_refused(client):
    answer = await client.get(f"{PATH}?kinds=items.eat")

    assert (answer.status_code, answer.json()["Code"]) == (400, "unknown_kind")


async def test_an_id_that_was_never_given_is_not_waited_for(client, database):
    """After an old backup was restored, who had come further must hear of it."""
    begin = await latest(client, database)
    answer = await client.get(PATH, params={"after": begin + 1000, "wait": 20})

    assert answer.status_code == 409
    assert answer.json()["Code"] == "events_unknown"
    assert answer.json()["Details"] == {"Newest": begin, "Shared": begin}


@pytest.mark.parametrize("after", [2**31 - 1, 2**31, 2**32, 2**63 - 1])
async def test_an_id_beyond_the_end_is_unknown_however_large_it_is(client, database, after):
    begin = await latest(client, database)

    answers = [
        await client.get(PATH, params={"after": after}),
        await client.get(PATH, headers={"Last-Event-ID": str(after)}),
        await client.get(
            PATH, headers={"Last-Event-ID": str(after), "Accept": "text/event-stream"}
        ),
    ]

    for answer in answers:
        assert (answer.status_code, answer.json()["Code"]) == (409, "events_unknown")
        assert answer.json()["Details"] == {"Newest": begin, "Shared": begin}


# ── Streams ──


async def test_a_stream_goes_on_where_the_last_one_ended(client, database, port, key):
    begin = await latest(client, database)
    done = await act(database, 3)
    async with listening(port, key, after=begin) as stream:
        assert stream.headers["content-type"] == "text/event-stream"
        assert "content-length" not in stream.headers
        heard = await hear(stream, 2)
    done += await act(database, 2)
    async with listening(port, key, query="?after=0", after=int(heard[-1].id or 0)) as stream:
        heard += await hear(stream, 3)

    assert [UUID(event.data["Id"]) for event in heard] == done
    assert [event.id for event in heard] == [str(begin + number) for number in range(1, 6)]
    assert {event.event for event in heard} == {"variables.set"}
    assert [event.data["Seq"] for event in heard] == list(range(begin + 1, begin + 6))


async def test_a_stream_tells_what_is_done_within_a_second(client, database, port, key):
    lags = []
    async with listening(port, key, query="?after=latest") as stream:
        for _ in range(10):
            await act(database)
            done = time.monotonic()
            await hear(stream, 1)
            lags.append(time.monotonic() - done)
    assert sorted(lags)[5] < 1, lags


@pytest.mark.torture
async def test_a_stream_that_nothing_concerns_says_where_it_is(
    client, database, port, key, settings, tmp_path
):
    """By an id alone, which moves a client's resume point and tells it of no event."""
    begin = await latest(client, database)
    await act(database, 2)
    async with listening(port, key, query=f"?after={begin}&kinds=items.take") as stream:
        async with asyncio.timeout(streams.HEARTBEAT_SECONDS + 10):
            heard = [one async for one in _until_a_comment(stream)]
    assert [event.event for event in heard] == [None] * len(heard)
    assert heard[-1].id == str(begin + 2)


async def _until_a_comment(stream: Stream):
    async for event in stream:
        yield event
        if event.comment:
            return


async def test_a_stream_ends_when_its_key_is_revoked(client, database, port):
    order = NewKey(by=BY, name=f"listener-{uuid4().hex[:8]}", scopes=("events.read",))
    key = str(await keys.create.one(database, order))
    async with listening(port, key, query="?after=latest") as stream:
        await keys.revoke.one(database, Revocation(by=BY, key=order.name))
        async with asyncio.timeout(8):
            heard = [event async for event in stream if event.event == "end"]
    assert [event.data["Reason"] for event in heard] == ["unauthorized"]
    assert heard[0].id == str(heard[0].data["After"])


async def test_a_stopping_server_ends_its_streams_at_once_and_says_where_to_go_on(
    client, database, settings, key, tmp_path
):
    begin = await latest(client, database)
    log = tmp_path / "log"
    with serving(settings, log) as (url, process):
        async with listening(urlsplit(url).port or 0, key, after=begin) as stream:
            await act(database, 2)
            await hear(stream, 2)
            process.send_signal(signal.SIGTERM)
            async with asyncio.timeout(PATIENCE):
                last = [event async for event in stream][-1]
        stopped = time.monotonic()
        await asyncio.to_thread(process.wait, 10)
    assert (last.event, last.data) == ("end", {"Reason": "stopping", "After": begin + 2})
    assert time.monotonic() - stopped < 5
    assert process.returncode == 0


async def test_a_listener_who_took_little_goes_on_where_they_were(client, database, port, key):
    """And meanwhile the server serves others. Who takes nothing at all: test_patience.py."""
    begin = await latest(client, database)
    big = {"text": "x" * 20_000}
    async with listening(port, key, after=begin, limit=1024) as stream:
        for _ in range(20):
            await database.write(lambda writer: actions.record(writer, _many(big)))
        assert (await client.get("/livez")).status_code == 200
        heard = await hear(stream, 1)
    async with listening(port, key, after=int(heard[0].id or 0)) as stream:
        heard += await hear(stream, 399)
    assert [event.id for event in heard] == [str(begin + number) for number in range(1, 401)]


def _many(after: object) -> list[Action]:
    return [Action(kind="variables.set", by=BY, after=after) for _ in range(20)]


async def test_head_of_a_stream_is_only_its_head(client):
    async with asyncio.timeout(PATIENCE):
        answer = await client.head(PATH, headers={"Accept": "text/event-stream"})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/event-stream"


# ── Last, since it makes the log old ──


async def test_who_comes_too_late_is_told_the_oldest_that_is_left(client, database, settings):
    """Times lie in the past here only because the test says so; the log is not verified."""
    begin = await latest(client, database)
    await act(database, 6)
    await linked(client, database)
    await database.write(
        lambda writer: writer.run(
            "UPDATE chain SET action_at = action_at - interval '8 days' WHERE seq <= $1", begin + 4
        )
    )
    expired = await client.get(PATH, params={"after": begin + 3})
    kept = await client.get(PATH, params={"after": begin + 4})
    by_default = await client.get(PATH)

    assert outcome(expired) == refusal(
        410,
        "events_expired",
        "These events have expired. Read the audit log, then resume from the oldest event.",
        Oldest=begin + 5,
    )
    assert [event["Seq"] for event in kept.json()["Values"]] == [begin + 5, begin + 6]
    assert by_default.json() == kept.json()
