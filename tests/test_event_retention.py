"""Where somebody goes on: found for many at once, and after any number of events."""

import asyncio

import pytest

from gamekeeper.db.database import Database
from gamekeeper.events import records, retention
from gamekeeper.events.retention import EventsExpired, EventsUnknown
from gamekeeper.ledger import actions, chain
from gamekeeper.ledger.actions import Action
from tests.ledger.chains import unlinked
from tests.make import BY

MANY = 2**31
LISTENERS = 500


async def tell(database: Database, count: int) -> None:
    """That many events, all numbered."""
    done = [Action(kind="variables.set", by=BY) for _ in range(count)]
    await database.write(lambda writer: actions.record(writer, done))
    async with asyncio.timeout(30):
        while await unlinked(database):
            await chain.catch_up(database)


@pytest.fixture
async def far(database: Database) -> Database:
    """A log of which so many events were told that their numbers need 64 bits."""
    await tell(database, 3)
    await database.write(lambda writer: writer.run("UPDATE chain SET seq = seq + $1", MANY))
    await tell(database, 2)
    return database


async def test_two_thousand_million_events_later_everybody_goes_on(far):
    assert await records.newest(far.reader) == MANY + 5
    for after in range(MANY, MANY + 6):
        await retention.check(far.reader, after)
        page = await records.page(far.reader, after, 10)
        assert [event.seq for event in page] == list(range(after + 1, MANY + 6))
    with pytest.raises(EventsUnknown):
        await retention.check(far.reader, MANY + 6)


async def test_who_comes_too_late_hears_so(database):
    await tell(database, 4)
    await database.write(
        lambda writer: writer.run(
            "UPDATE chain SET action_at = action_at - interval '1 year' WHERE seq <= 2"
        )
    )

    await retention.check(database.reader, 2)
    with pytest.raises(EventsExpired) as late:
        await retention.check(database.reader, 1)
    assert late.value.details == {"oldest": 3}


async def test_all_who_begin_at_the_latest_event_ask_once(database, statements):
    """And all who come back after a disconnect, each with an id of its own."""
    await tell(database, 100)

    with statements() as sent:
        latest = await asyncio.gather(*(records.newest(database.reader) for _ in range(LISTENERS)))
    assert set(latest) == {100}
    assert len(sent) <= 2

    with statements() as sent:
        await asyncio.gather(
            *(retention.check(database.reader, number % 100) for number in range(LISTENERS))
        )
    assert len(sent) <= 4

    with statements() as sent:
        await asyncio.gather(*(retention.oldest(database.reader) for _ in range(LISTENERS)))
    assert len(sent) <= 20
