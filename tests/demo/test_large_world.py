"""The world for tests at size, made small: its ledger holds, and its old actions are linked."""

import pytest

from gamekeeper.ledger import chain, verify_chain, verify_ledger
from tests.large_world import Size, make
from tests.own_server import database, settings

__all__ = ["database", "settings"]

SMALL = Size(players=200, actions=3000, days=1, guilds=5, messages=50, sanctions=20)


@pytest.fixture(scope="module")
async def world(settings):
    await make(settings, SMALL)


async def test_the_ledger_holds(settings, world):
    assert (await verify_ledger.verify(settings)).breach is None


async def test_all_old_actions_are_linked_once(settings, database, world):
    await chain.catch_up(database)

    assert (await verify_chain.find(settings)).total == 0
    unlinked = "SELECT count(*) FROM actions WHERE id NOT IN (SELECT action_id FROM chain)"
    assert await database.reader.value(unlinked) == 0
    await chain.catch_up(database)
    assert await database.reader.value("SELECT count(*) FROM chain") == await database.reader.value(
        "SELECT count(*) FROM actions"
    )


async def test_every_month_has_the_indexes_of_the_table(database, world):
    indexes = """
        SELECT count(DISTINCT number) FROM (
            SELECT count(*) AS number
              FROM pg_inherits JOIN pg_index ON indrelid = inhrelid
             WHERE inhparent = 'actions'::regclass GROUP BY indrelid) AS numbers
    """
    assert await database.reader.value(indexes) == 1


async def test_there_is_as_much_as_was_asked_for(database, world):
    counts = {
        "players": "SELECT count(*) >= 200 FROM players",
        "actions": "SELECT count(*) >= 3000 FROM actions",
        "one character": "SELECT max(number) >= 60 FROM "
        "(SELECT count(*) AS number FROM actions GROUP BY player_id) AS each",
        "guilds": "SELECT count(*) >= 5 FROM guilds WHERE EXISTS "
        "(SELECT FROM guild_members WHERE guild_id = guilds.id AND rank = 0)",
        "messages": "SELECT count(*) >= 50 FROM chat_messages",
        "sanctions": "SELECT count(*) >= 20 FROM sanctions",
    }
    found = {name: await database.reader.value(sql) for name, sql in counts.items()}
    assert all(found.values()), found
