"""The one write path stays short: how many files of the domain one change runs through."""

import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import gamekeeper
from gamekeeper.history.undo import execute
from gamekeeper.history.undo.execute import Undoing
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from tests.make import BY, make_item, make_player

HOUSE = Path(gamekeeper.__file__).parent
DOMAIN = {"players", "users", "ledger", "catalog", "undo", "history", "economy", "transactions"}


@contextmanager
def crossed() -> Iterator[set[str]]:
    """The domain's files of which a function is called inside the block."""
    found: set[str] = set()

    def note(frame, event: str, _: object) -> None:
        file = Path(frame.f_code.co_filename)
        if event == "call" and file.is_relative_to(HOUSE):
            path = file.relative_to(HOUSE)
            if path.parts[0] in DOMAIN:
                found.add(str(path))

    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)


async def files(work: Callable[[], Awaitable[object]]) -> set[str]:
    with crossed() as found:
        await work()
    return found


async def test_a_gift_crosses_eight_files_and_its_undo_twelve(database):
    """
    One more if a slot becomes empty: what lay there may have been worn.

    Two are about limits, which those without any pass by: quotas, and the overlay they share.
    """
    await make_player(database, "ana")
    gift = Gift(by=BY, player="ana", item_id=await make_item(database), quantity=1)
    await items.give.one(database, gift)

    given = await files(lambda: items.give.one(database, gift))
    action = await database.reader.value("SELECT id FROM actions ORDER BY at DESC LIMIT 1")
    undone = await files(lambda: execute.undo.one(database, Undoing(by=BY, action_id=action)))

    assert len(given) <= 8, given
    assert len(undone) <= 12, undone
