"""Many who come late together: they are read for once, not each for itself."""

import asyncio

import pytest

from gamekeeper.events.feed import AT_ONCE, Feed
from gamekeeper.events.records import PAGE
from gamekeeper.ledger import actions, chain
from gamekeeper.ledger.actions import Action
from tests.make import BY

pytestmark = pytest.mark.torture

EVENTS = 12_000
LATE = 30


async def test_those_who_come_late_together_cost_what_one_does(database, statements):
    for _ in range(EVENTS // 1000):
        done = [Action(kind="variables.set", by=BY) for _ in range(1000)]
        await database.write(lambda writer, done=done: actions.record(writer, done))
    await chain.catch_up(database)
    newest = await database.reader.value("SELECT max(seq) FROM chain")
    feed = Feed(database, sequencing=False)
    with feed.listening(), statements() as sent:
        await feed.begun()
        # From different places, none of them the beginning of a block.
        heard = await asyncio.gather(*(_walk(feed, begin) for begin in range(1, LATE + 1)))
    await feed.close()

    for begin, seqs in enumerate(heard, 1):
        assert seqs == list(range(begin + 1, newest + 1))
    # One for each block, one for each in the last, unfinished one, and the feed's own.
    assert sent.count(PAGE) <= newest // AT_ONCE + LATE + 5


async def _walk(feed: Feed, after: int) -> list[int]:
    seqs: list[int] = []
    while events := await feed.after(after):
        seqs += [event.seq for event in events]
        after = seqs[-1]
    return seqs
