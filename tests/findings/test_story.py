"""Both sides on the demo's two weeks: its cases are found, and without them nothing is."""

from datetime import UTC, datetime, timedelta

import pytest

from gamekeeper.cli import example_account, example_staff
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.demo import loader, world
from gamekeeper.demo.story import cast, incidents
from gamekeeper.demo.story.playback import play_story
from tests.findings.hours import add_up, found, look_at_all
from tests.own_server import database, settings

__all__ = ["database", "settings"]

NOW = datetime.now(UTC).replace(microsecond=0)
DAYS = 14


@pytest.fixture(scope="module")
async def told(settings: Settings, database: Database) -> None:
    began = NOW - timedelta(days=DAYS)
    await loader.fill(settings, players=120, seed=1, now=NOW, began=began)
    await example_account.create(database, began)
    await example_staff.create(database, "demo", (began, NOW))
    await play_story(database, now=NOW, days=DAYS, seed=1, example=example_account.PLAYER)
    await add_up(database)


async def test_the_cases_are_found_and_nothing_else(database, told):
    hours = await look_at_all(database)

    assert hours > 24 * (DAYS - 2)
    ruby = [
        (finding["measure"], finding["quantity"])
        for finding in await found(database)
        if finding["item"] == "Rough Ruby"
    ]
    [(measure, quantity), *traded] = ruby
    assert measure == "created"
    assert quantity >= incidents.SPIKE * incidents.AT_ONCE
    assert traded == [("traded", 600)]
    others = {
        (finding["item"], finding["measure"])
        for finding in await found(database)
        if finding["item"] != "Rough Ruby"
    }
    # The price of the rubies, what the thief took and gave, and 500 tokens instead of 5.
    assert others <= {
        *(("Gold Coin", measure) for measure in ("traded", "destroyed", "given", "created")),
        *(("Guild Token", measure) for measure in ("given", "created")),
    }
    assert ("Guild Token", "given") in others


async def test_the_same_world_without_the_cases_is_silent(database, told):
    """The sums without what the people of the cases made, took and traded."""
    personas = [persona.name for persona in cast.PERSONAS]
    await database.write(lambda writer: writer.run("DELETE FROM findings"))
    await database.write(lambda writer: writer.run("UPDATE look_progress SET until = NULL"))
    await database.write(lambda writer: writer.run(WITHOUT, personas))
    token, gold = (world.items()[name].id for name in ("Guild Token", "Gold Coin"))
    given = "DELETE FROM item_gifts WHERE item_id = ANY($1) AND quantity NOT IN (20, 1500)"
    await database.write(lambda writer: writer.run(given, [token, gold]))

    assert await look_at_all(database) > 24 * (DAYS - 2)
    assert await found(database) == []


WITHOUT = """
    UPDATE item_hours
       SET created = created - theirs.came, destroyed = destroyed - theirs.went,
           traded = greatest(traded - theirs.moved, 0)
      FROM (SELECT item_id, date_trunc('hour', at, 'UTC') AS hour,
                   coalesce(sum(quantity) FILTER (WHERE against = 'grant'), 0) AS came,
                   -coalesce(sum(quantity) FILTER (WHERE against = 'removal'), 0) AS went,
                   coalesce(sum(quantity) FILTER (WHERE against = 'move' AND quantity > 0), 0)
                       AS moved
              FROM postings JOIN players ON players.id = player_id
             WHERE players.name = ANY($1) GROUP BY 1, 2) AS theirs
     WHERE (item_hours.item_id, item_hours.hour) = (theirs.item_id, theirs.hour)
"""
