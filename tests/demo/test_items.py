"""A heavier world: more in everybody's slots, and all else as it was."""

import pytest

from gamekeeper.demo import loader, people
from gamekeeper.ledger.verify_ledger import verify
from tests.demo.test_demo import CONTRADICTIONS, PLAYERS, _empty, fingerprints

pytestmark = pytest.mark.usefixtures("schema_changes")

SLOTS = "SELECT player_id, place, slot, item_id, quantity, stat_buffs, bag_id FROM slots"
FULLNESS = """
    SELECT min(filled), max(filled)
      FROM (SELECT count(*) AS filled FROM slots GROUP BY player_id) AS each
"""


async def test_everybody_has_so_many_slots_filled_and_all_else_is_the_same(settings, database):
    await loader.fill(settings, players=PLAYERS, seed=1)
    light = await fingerprints(database)
    slots = {tuple(map(str, row)) for row in await database.reader.rows(SLOTS)}
    await _empty(database)

    await loader.fill(settings, players=PLAYERS, seed=1, items=60)

    heavy = await fingerprints(database)
    assert {table for table in people.TABLES if light[table] != heavy[table]} == {"slots"}
    assert slots < {tuple(map(str, row)) for row in await database.reader.rows(SLOTS)}
    [(least, _)] = await database.reader.rows(FULLNESS)
    assert least == 60
    assert not [what for what, sql in CONTRADICTIONS.items() if await database.reader.rows(sql)]
    full = """
        SELECT count(*) FROM (SELECT FROM slots WHERE place = 'inventory'
                               GROUP BY player_id HAVING max(slot) >= 34) AS each
    """
    assert await database.reader.value(full) < PLAYERS / 20


async def test_a_heavier_world_is_the_same_for_the_same_seed(settings, database):
    await loader.fill(settings, players=100, seed=1, items=40)
    first = await fingerprints(database)
    await _empty(database)

    await loader.fill(settings, players=100, seed=1, items=40)

    assert await fingerprints(database) == first
    [action] = await database.reader.rows("SELECT after FROM actions ORDER BY id DESC LIMIT 1")
    assert action["after"] == {"players": 100, "random_seed": 1, "items": 40}


async def test_more_than_there_is_room_for_fills_what_room_there_is(settings, database):
    await loader.fill(settings, players=50, seed=1, items=100_000)

    [(least, most)] = await database.reader.rows(FULLNESS)

    assert 100 < least <= most <= 135
    assert not [what for what, sql in CONTRADICTIONS.items() if await database.reader.rows(sql)]
    assert (await verify(settings)).breach is None
