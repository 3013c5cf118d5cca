"""The marks on a time slider: every change of a character's state, and nothing else."""

from datetime import UTC, datetime, timedelta
from typing import get_args
from uuid import UUID

import pytest

from gamekeeper.history.moments import CHANGES_STATE, MAX_MOMENTS, MOMENTS
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action, Kind
from gamekeeper.ledger.audit_log import MAX_ID
from tests.generic_plans import cost
from tests.make import BY, make_item, make_player, make_spell

TICK = timedelta(microseconds=1)


async def moments(client, player, **query) -> dict:
    answer = await client.get(f"/api/v1/players/{player}/moments", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def record(database, *done: Action) -> None:
    await database.write(lambda writer: actions.record(writer, done))


async def test_each_change_of_state_is_a_moment(client, database, statements):
    ana, potion = await make_player(database, "ana"), await make_item(database)
    spell = await make_spell(database)
    url = f"/api/v1/players/{ana}"
    await client.post(f"{url}/items/give", json={"itemid": str(potion), "quantity": 2})
    await client.post(f"{url}/spells/teach", json={"spellid": str(spell)})
    await record(database, Action(kind="sanctions.impose", by=BY, player_id=ana))
    await record(database, Action(kind="commands.send", by=BY, player_id=ana))
    await client.post(f"{url}/items/take", json={"itemid": str(potion), "quantity": 1})
    history = (await client.get(f"{url}/history")).json()["Values"]

    with statements() as made:
        found = await moments(client, "Ana")

    assert sum("api_keys" not in sql for sql in made) == 2
    assert found["IsComplete"] is True
    assert [(entry["At"], entry["Kind"], entry["ActionId"]) for entry in found["Values"]] == [
        (entry["At"], entry["Kind"], entry["Id"])
        for entry in reversed(history)
        if not entry["Kind"].startswith(("sanctions.", "commands."))
    ]
    assert [entry["Kind"] for entry in found["Values"]] == [
        *("items.give", "spells.teach", "items.take"),
    ]


async def test_only_those_of_the_time_asked_for(client, database):
    ana = await make_player(database, "ana")
    for _ in range(3):
        await record(database, Action(kind="players.sheet", by=BY, player_id=ana))
    first, second, third = (await moments(client, ana))["Values"]
    at = datetime.fromisoformat(second["At"])

    assert (await moments(client, ana, **{"from": second["At"]}))["Values"] == [second, third]
    assert (await moments(client, ana, to=second["At"]))["Values"] == [first, second]
    late = (at + TICK).isoformat()
    assert (await moments(client, ana, **{"from": late}))["Values"] == [third]


async def test_of_many_the_newest_are_shown_and_that_there_are_more(client, database):
    ana = await make_player(database, "ana")
    done = [Action(kind="variables.set", by=BY, player_id=ana) for _ in range(MAX_MOMENTS + 1)]
    await record(database, *done)

    found = await moments(client, ana)

    assert (len(found["Values"]), found["IsComplete"]) == (MAX_MOMENTS, False)
    assert str(done[0].id) not in {entry["ActionId"] for entry in found["Values"]}


def test_every_kind_about_a_character_is_known():
    """A kind that is added must be put on one side."""
    about = ("items.", "spells.", "variables.", "players.")
    assert {kind for kind in get_args(Kind) if kind.startswith(about)} <= set(CHANGES_STATE)
    assert set(CHANGES_STATE) <= set(get_args(Kind))


async def test_nobody_has_no_moments(client):
    answer = await client.get("/api/v1/players/nobody/moments")
    assert (answer.status_code, answer.json()["Code"]) == (404, "player_not_found")


@pytest.mark.usefixtures("database_statistics")
async def test_a_long_history_is_read_from_its_end_only(client, database):
    """By a plan for any parameters: those are not known when a connection makes it."""
    ana, bob = await make_player(database, "ana"), await make_player(database, "bob")
    await database.write(lambda writer: _grow(writer, ana, bob))
    bounds, everything = (UUID(int=0), MAX_ID), (None, None)
    since_then = (datetime(2020, 1, 1, tzinfo=UTC), None)

    for span in (everything, since_then):
        read = await cost(
            database.settings, "actions_", MOMENTS, ana, *bounds, *span, CHANGES_STATE
        )
        assert read.rows == MAX_MOMENTS + 1
    assert (await moments(client, ana))["IsComplete"] is False


async def _grow(writer, *players: UUID) -> None:
    await writer.run(
        """
        INSERT INTO actions (id, kind, actor, actor_name, player_id, request_id, address)
        SELECT gen_random_uuid(), 'players.sheet', 'system', '', player, '', ''
          FROM unnest($1::uuid[]) AS player, generate_series(1, 10000)
        """,
        list(players),
    )
    await writer.run("ANALYZE actions")
