"""
An upgrade by one version, with the version before it serving all the while.

The database is made and filled by the version before, which then serves while this tree
migrates it. What it answers is held against what it answers on a schema of its own.
Whoever releases moves `BEFORE` to the commit of the release.
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from uuid import uuid4

import httpx2
import pytest

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from tests.conftest import SERVER, admin
from tests.deadlines import PATIENCE, until
from tests.ledger.chains import unlinked
from tests.security import story
from tests.security.story import Caller, Heard, World
from tests.security.versions import THIS, Version, committed

BEFORE = "d9a901c"
"""The version before this one: whoever upgrades has it running."""


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Version:
    return committed(BEFORE, tmp_path_factory.mktemp("before"))


@asynccontextmanager
async def world_of(before: Version) -> AsyncIterator[tuple[Settings, World, str]]:
    """A database that the version before has made and filled, and a key to it."""
    name = f"gamekeeper_upgrade_{uuid4().hex[:12]}"
    await admin(f"CREATE DATABASE {name}")
    settings = Settings(database_url=Hidden(SERVER.format(name)))
    try:
        before.run(settings, "migrate")
        before.run(settings, "demo", "--players", "80")
        key = before.run(settings, "keys", "create", "site").split()[0]
        yield settings, await _looked_at(settings), key
    finally:
        await admin(f"DROP DATABASE {name} WITH (FORCE)")


async def _looked_at(settings: Settings) -> World:
    async with Database.open(settings) as database:
        reader = database.reader
        # Those who may hold many of it, have no such spell, and are not online yet.
        item = await reader.value("SELECT id FROM items WHERE name = 'Gold Coin'")
        variable = await reader.value(
            "SELECT id FROM variables WHERE type = 'integer' ORDER BY id LIMIT 1"
        )
        spell = await reader.value(
            """
            SELECT id FROM spells
             WHERE NOT bound AND id NOT IN (SELECT spell_id FROM player_spells) ORDER BY id LIMIT 1
            """
        ) or await reader.value("SELECT id FROM spells WHERE NOT bound ORDER BY id LIMIT 1")
        rows = await reader.rows(
            """
            SELECT name FROM players
             WHERE id NOT IN (SELECT player_id FROM presences)
               AND id NOT IN (SELECT player_id FROM player_spells WHERE spell_id = $1)
             ORDER BY name_key LIMIT 4
            """,
            spell,
        )
    return World([row["name"] for row in rows], item, spell, variable)


@asynccontextmanager
async def calling(version: Version, settings: Settings, key: str, log: Path):
    headers = {"Authorization": f"Bearer {key}"}
    with version.serving(settings, log) as url:
        async with httpx2.AsyncClient(base_url=url, headers=headers, timeout=PATIENCE) as client:
            yield client


async def answers_on_its_own_schema(before: Version, folder: Path) -> Heard:
    async with (
        world_of(before) as (settings, world, key),
        calling(before, settings, key, folder / "own") as client,
    ):
        await story.read(Caller(client), world)
        caller = Caller(client)
        await story.write(caller, world)
        await story.read(caller, world)
        return caller.heard


async def worked(version: Version, settings: Settings, log: Path) -> None:
    """Let the version's worker run until the log of actions is linked."""
    async with Database.open(settings) as database:

        async def none_left() -> bool:
            return not await unlinked(database)

        with version.working(settings, log):
            await until(none_left, "the log of actions is linked")


@pytest.mark.long
async def test_the_version_before_goes_on_serving_while_this_one_migrates(before, tmp_path):
    expected = await answers_on_its_own_schema(before, tmp_path)
    async with AsyncExitStack() as stack:
        settings, world, key = await stack.enter_async_context(world_of(before))
        old = await stack.enter_async_context(calling(before, settings, key, tmp_path / "old"))
        # Its connections know statements of the schema before by now.
        await story.read(Caller(old), world)

        await migrate(settings)

        caller = Caller(old)
        await story.write(caller, world)
        await story.read(caller, world)
        assert caller.heard == expected
        assert not [heard for heard in caller.heard if heard[1] >= 500]
        await worked(before, settings, tmp_path / "worker-before")
        before.verify(settings)

        new = await stack.enter_async_context(calling(THIS, settings, key, tmp_path / "new"))
        await _the_new_one_reads_what_the_old_one_wrote(old, new, world)
        await _both_write(old, new, world)
        await worked(THIS, settings, tmp_path / "worker")
        THIS.verify(settings)
        # The links of this version may be made in another way, which the one before need not know.
        before.verify(settings, links=False)


async def _the_new_one_reads_what_the_old_one_wrote(old, new, world: World) -> None:
    """All that the version before shows, this one shows too; it may show more."""
    shown, seen = Caller(old), Caller(new)
    await story.read(shown, world)
    await story.read(seen, world)
    for told, now in zip(shown.heard, seen.heard, strict=True):
        assert told[:2] == now[:2]
        assert _within(told[2], now[2]), (told, now)


def _within(less, more) -> bool:
    if isinstance(less, dict):
        return all(name in more and _within(less[name], more[name]) for name in less)
    if isinstance(less, list):
        return len(less) == len(more) and all(map(_within, less, more))
    return less == more


async def _both_write(old, new, world: World) -> None:
    """In turns, on the same characters: who is online and what they hold is always right."""
    ana, gold = world.players[0], {"itemid": world.item, "quantity": 3, "bankoverflow": True}
    path = f"/api/v1/players/{ana}/items/give"
    given = [(await client.post(path, json=gold)).json()["quantity"] for client in (old, new, old)]
    total = given[0]["total"]
    assert [one["total"] for one in given] == [total, total + 3, total + 6]

    for first, second in ((old, new), (new, old)):
        lease = (await first.post("/api/v1/servers", json={"name": "Shared"})).json()
        server, body = f"/api/v1/servers/{lease['Id']}", {"fence": lease["Fence"], "players": [ana]}
        before = [(await client.get(ONLINE)).json() for client in (old, new)]
        assert (await first.post(f"{server}/join", json=body)).status_code == 200
        during = [(await client.get(ONLINE)).json() for client in (old, new)]
        assert (await second.post(f"{server}/leave", json=body)).status_code == 200
        after = [(await client.get(ONLINE)).json() for client in (old, new)]
        totals = [[page["Total"] for page in pages] for pages in (before, during, after)]
        one = totals[0][0]
        assert totals == [[one, one], [one + 1, one + 1], [one, one]]


ONLINE = "/api/v1/players/online?pageSize=100"
