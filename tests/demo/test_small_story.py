"""The story of a world that has hardly anybody in it."""
import pytest

from gamekeeper.ledger import verify_ledger
from tests.demo.test_story import make_world


@pytest.mark.usefixtures("schema_changes")
async def test_the_smallest_world_has_a_story_too(settings, database):
    """There are no regulars, and staff has one account to look after."""
    await make_world(settings, database, players=1)
    assert (await verify_ledger.verify(settings)).breach is None
