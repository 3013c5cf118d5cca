"""The staff of the demo world, and what they did."""

import pytest

from gamekeeper.api.example_world import APPEAL, APPEALABLE_CODE
from gamekeeper.cli import example_staff
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.demo import loader
from gamekeeper.moderation import appeals


@pytest.mark.usefixtures("schema_changes")
@pytest.mark.parametrize("players", [1, 50])
async def test_there_is_something_of_everything(
    settings: Settings, database: Database, players: int
):
    """Also in the smallest world, where all of it is about one account."""
    await loader.fill(settings, players=players, seed=1)

    names = await example_staff.create(database, "demo")

    roles = await database.reader.rows("SELECT role FROM staff_roles")
    assert {row["role"] for row in roles} == set(example_staff.ROLES.values())
    assert names == list(example_staff.ROLES)
    kinds = await database.reader.rows("SELECT DISTINCT kind FROM sanctions")
    assert len(kinds) == 5
    steps = await database.reader.rows("SELECT step FROM sanctions WHERE step > 0 ORDER BY step")
    assert [row["step"] for row in steps] == [1, 2, 3]
    states = await database.reader.rows(
        "SELECT id, lifted FROM appeals ORDER BY lifted NULLS FIRST"
    )
    assert [(row["id"] == APPEAL, row["lifted"]) for row in states] == [(True, None), (False, True)]
    shown = await appeals.find_status(database, APPEALABLE_CODE, "127.0.0.1")
    assert shown.may_appeal
    unsaid = await database.reader.value(
        """
        SELECT count(*) FROM sanctions
         WHERE imposed_by LIKE 'user:%'
           AND NOT EXISTS (SELECT FROM actions WHERE kind = 'sanctions.impose'
                              AND after ->> 'sanction_id' = sanctions.id::text)
        """
    )
    assert unsaid == 0
