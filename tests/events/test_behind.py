"""How far the slowest listener is behind, for metrics."""

from gamekeeper.events.feed import Feed
from tests.ledger.chains import act, link


async def test_the_slowest_stream_says_how_far_the_feed_is_behind(database):
    await act(database, 5)
    await link(database)
    feed = Feed(database, sequencing=False)
    with feed.listening() as fast, feed.listening() as slow, feed.listening():
        await feed.begun()
        assert (feed.streams, feed.behind) == (0, 0)

        fast.after, slow.after = 5, 2
        assert (feed.streams, feed.behind) == (2, 3)
        slow.after = 5
        assert feed.behind == 0
    assert feed.streams == 0
    await feed.close()
