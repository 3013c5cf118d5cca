"""PostgreSQL skips old events that a filter leaves out, and one page skips only so many."""

import pytest

from gamekeeper.api.v1 import events as api
from gamekeeper.auth.principal import Principal
from gamekeeper.db.database import Database
from gamekeeper.events import feed, records, streams
from gamekeeper.events.feed import Feed
from gamekeeper.events.records import NEXT_PLACE, PAGE, EventFilter
from gamekeeper.ledger import actions, chain
from gamekeeper.ledger.actions import Action
from tests.make import BY, make_player

PATH = "/api/v1/events"
EVENTS = 1500
RARE = (1, 750, 760, 1499)
MOST_SEARCHED = 500
MOST_SKIPPED = 500


@pytest.fixture
async def rare(database: Database, monkeypatch) -> EventFilter:
    """Events of which four are of one kind and one player; what matches them, alone."""
    monkeypatch.setattr(api, "MOST_SEARCHED", MOST_SEARCHED)
    monkeypatch.setattr(feed, "MOST_SKIPPED", MOST_SKIPPED)
    player = await make_player(database)
    done = [
        Action(kind="items.take", by=BY, player_id=player)
        if number in RARE
        else Action(kind="variables.set", by=BY)
        for number in range(1, EVENTS + 1)
    ]
    for first in range(0, EVENTS, 500):
        some = done[first : first + 500]
        await database.write(lambda writer, some=some: actions.record(writer, some))
    await chain.catch_up(database)
    return EventFilter(kinds=frozenset({"items.take"}), player_id=player)


async def test_pages_of_a_rare_kind_are_short_walks_that_go_on(client, database, rare, statements):
    found, after, pages = [], 0, 0
    newest = await records.newest(database.reader)
    # Begins to follow the log.
    await client.get(PATH, params={"after": "latest"})
    with statements() as sent:
        while after < newest:
            query = {"kinds": "items.take", "after": after}
            answer = (await client.get(PATH, params=query)).json()
            assert after < answer["Next"] <= newest
            assert answer["Next"] - after < MOST_SEARCHED + MOST_SKIPPED + feed.AT_ONCE
            found += [event["Seq"] for event in answer["Values"]]
            after, pages = answer["Next"], pages + 1

    first = newest - EVENTS
    assert found == [first + number for number in RARE]
    assert pages > 1
    # All events would be 15 blocks.
    assert sent.count(PAGE) <= len(RARE) + pages + 3
    assert sent.count(NEXT_PLACE) <= EVENTS // MOST_SKIPPED + 2 * len(RARE) + pages


@pytest.mark.parametrize("by", ["kinds", "player_id"])
async def test_a_stream_skips_to_what_it_wants(database, rare, statements, by):
    wanted = EventFilter(**{by: getattr(rare, by)})
    followed = Feed(database, sequencing=False)
    newest = await records.newest(database.reader)
    heard: list[int] = []

    async def still() -> Principal:
        return Principal(id="key:tests", name="tests")

    with statements() as sent:
        with followed.listening():
            await followed.begun()
            pieces = streams.stream(followed, wanted, 0, emails=True, names=False, still=still)
            async for piece in pieces:
                heard += [int(line[4:]) for line in piece.splitlines() if line.startswith(b"id: ")]
                if len(heard) >= len(RARE):
                    break
            await pieces.aclose()
        await followed.close()

    assert heard[-len(RARE) :] == [newest - EVENTS + number for number in RARE]
    assert sent.count(PAGE) <= len(RARE) + 6


async def test_a_gap_in_the_numbers_is_skipped_too(client, database, rare):
    """After the restore of a backup the numbers jump further than any page looks."""
    newest = await records.newest(database.reader)
    far = newest + 10_000_000
    await database.write(
        lambda writer: writer.run(
            "UPDATE chain SET seq = seq + 10000000 WHERE seq > $1", newest - EVENTS + 1000
        )
    )
    found, after = [], newest - EVENTS + 800
    for _ in range(10):
        query = {"kinds": "items.take", "after": after}
        answer = (await client.get(PATH, params=query)).json()
        found += [event["Seq"] for event in answer["Values"]]
        after = answer["Next"]

    assert (found, after) == ([far - EVENTS + RARE[-1]], far)
