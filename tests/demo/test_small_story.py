"""The story of a world that has hardly anybody in it, or that began a few days ago."""

from datetime import timedelta

import pytest

from gamekeeper.demo.story.cast import CROOK
from gamekeeper.ledger import verify_ledger
from tests.demo.test_story import NOW, make_world


@pytest.mark.usefixtures("schema_changes")
async def test_the_smallest_world_has_a_story_too(settings, database):
    """There are no regulars, and staff has one account to look after."""
    await make_world(settings, database, players=1)
    assert (await verify_ledger.verify(settings)).breach is None


@pytest.mark.usefixtures("schema_changes")
@pytest.mark.parametrize("days", [1, 2, 3, 5])
async def test_a_story_of_a_few_days_verifies_and_begins_with_them(settings, database, days):
    """Cases older than the story are left out; the theft of last night is in every story."""
    await make_world(settings, database, players=20, days=days)

    assert (await verify_ledger.verify(settings)).breach is None
    first = await database.reader.value("SELECT min(at) FROM actions")
    assert first >= NOW - timedelta(days=days)
    stolen = """
        SELECT count(*) FILTER (WHERE kind = 'items.take'),
               count(*) FILTER (WHERE kind = 'items.give' AND players.name = $1)
          FROM actions LEFT JOIN players ON players.id = player_id WHERE reason = 'balance'
    """
    [counts] = await database.reader.rows(stolen, CROOK.name)
    assert counts[0] == counts[1] > 0
