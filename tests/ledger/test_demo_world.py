"""The demo world stands in the ledger from its first moment."""

import pytest

from gamekeeper.core.schemas import Window
from gamekeeper.demo import loader
from gamekeeper.ledger import verify_chain
from gamekeeper.ledger.economy import maintenance, supply
from gamekeeper.ledger.verify_ledger import verify
from tests.ledger.chains import link, tamper

pytestmark = pytest.mark.usefixtures("schema_changes")


async def test_the_demo_enters_under_one_action_and_the_ledger_holds(settings, database):
    await loader.fill(settings, players=300, seed=1)

    proof = await verify(settings)

    assert proof.breach is None
    held = "SELECT (SELECT count(*) FROM slots) + (SELECT count(*) FROM bag_slots)"
    assert proof.postings == await database.reader.value(held) > 300
    [action] = await database.reader.rows("SELECT * FROM actions WHERE kind = 'demo.fill'")
    assert action["after"] == {"players": 300, "random_seed": 1}
    rows = await database.reader.rows("SELECT DISTINCT action_id, against FROM postings")
    assert [tuple(row) for row in rows] == [(action["id"], "demo")]


RAISED = """
    WITH last AS (
        UPDATE postings SET quantity = quantity + 1, held_after = held_after + 1
         WHERE (player_id, seq) = (SELECT player_id, seq FROM postings JOIN items ON id = item_id
                                    WHERE place = 'inventory' AND stackable LIMIT 1)
        RETURNING player_id, slot
    )
    UPDATE slots SET quantity = quantity + 1 FROM last
     WHERE slots.player_id = last.player_id AND place = 'inventory' AND slots.slot = last.slot
"""


async def test_the_postings_of_the_demo_are_in_the_chain(settings, database):
    """All under one action, read as a stream; one of them raised with its slot is found."""
    await loader.fill(settings, players=300, seed=1)
    await link(database)
    assert (await verify_chain.find(settings)).total == 0

    await tamper(settings, RAISED)

    assert (await verify(settings)).breach is None
    [found] = (await verify_chain.find(settings)).breaches
    assert (found.kind, found.seq) == ("postings", 1)


async def test_the_demo_is_counted_at_once_and_never_again(settings, database):
    """Nothing of it waits for a fold, and a fold adds nothing."""
    await loader.fill(settings, players=300, seed=1)
    [item, *_] = (await supply.list_supply(database.reader, Window.of(0, 1))).values

    assert await database.write(maintenance.fold) == 0

    counted = """
        SELECT sum(quantity)::bigint AS total, count(DISTINCT player_id) AS holders
          FROM (SELECT player_id, item_id, quantity FROM slots
                UNION ALL SELECT player_id, item_id, quantity FROM bag_slots) AS held
         WHERE item_id = $1
    """
    [held] = await database.reader.rows(counted, item.id)
    economy = await supply.find_item_economy(database.reader, item.id, 2)
    assert item.total == economy.total == held["total"]
    assert [(flow.source, flow.came) for flow in economy.flows] == [("demo", held["total"])]
    assert len(economy.holders) == min(10, held["holders"])
    assert (
        await database.reader.value(
            "SELECT count(*) FROM item_holdings WHERE item_id = $1", item.id
        )
        == held["holders"]
    )
