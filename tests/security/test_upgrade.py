"""
An upgrade by one version, with the version before it serving all the while.

The database is made and filled by the version before, which then serves while this tree
migrates it. What it answers is held against what it answers on a schema of its own. Then the
same under load, as a rolling update does it: callers give without a pause while this tree
migrates, its server joins the old one and the old one leaves.

The version before is the last release, by its tag.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

import httpx2
import msgspec
import pytest

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from tests.databases import SERVER, admin
from tests.deadlines import PATIENCE, until
from tests.ledger.chains import unlinked
from tests.security import story
from tests.security.givers import Givers
from tests.security.story import Caller, Heard, World
from tests.security.versions import THIS, Version, committed, released_before

BEFORE_THE_FIRST_RELEASE = "d9a901c"
"""A commit that somebody may be running. A clone without history and tags has it neither."""

TRIES = 5
"""A migration that meets a long query gives up; so often the chart's Job runs it."""

T = TypeVar("T")


class OwnSchema(msgspec.Struct):
    """The version before on a schema of its own, and what it answered there."""

    settings: Settings
    world: World
    key: str
    heard: Heard


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Version:
    commit = released_before() or BEFORE_THE_FIRST_RELEASE
    return committed(commit, tmp_path_factory.mktemp("before"))


@pytest.fixture(scope="module")
async def own(before, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[OwnSchema]:
    log = tmp_path_factory.mktemp("own") / "log"
    async with world_of(before) as (settings, world, key):
        async with calling(before, settings, key, log) as client:
            await story.read(Caller(client), world)
            caller = Caller(client)
            await story.write(caller, world)
            await story.read(caller, world)
        yield OwnSchema(settings, world, key, caller.heard)


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


async def worked(version: Version, settings: Settings, log: Path) -> None:
    """Let the version's worker run until the log of actions is linked."""
    async with Database.open(settings) as database:

        async def none_left() -> bool:
            return not await unlinked(database)

        with version.working(settings, log):
            await until(none_left, "the log of actions is linked")


@pytest.mark.deploy
async def test_the_version_before_goes_on_serving_while_this_one_migrates(before, own, tmp_path):
    async with AsyncExitStack() as stack:
        settings, world, key = await stack.enter_async_context(world_of(before))
        old = await stack.enter_async_context(calling(before, settings, key, tmp_path / "old"))
        # Its connections know statements of the schema before by now.
        await story.read(Caller(old), world)

        await migrate(settings)

        caller = Caller(old)
        await story.write(caller, world)
        await story.read(caller, world)
        assert caller.heard == own.heard
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


@asynccontextmanager
async def beside(started: AbstractContextManager[T]) -> AsyncIterator[T]:
    """Something that takes its time to start and to end, without holding up the callers."""
    made = await asyncio.to_thread(started.__enter__)
    try:
        yield made
    finally:
        await asyncio.to_thread(started.__exit__, None, None, None)


@pytest.mark.deploy
async def test_an_upgrade_under_load_loses_nothing(before, own, tmp_path):
    """Every gift that was answered is there once, whoever answered it and how often it was sent."""
    held = await _held(own)
    givers = Givers(own.key, own.world)
    async with AsyncExitStack() as present, AsyncExitStack() as past:
        old = await past.enter_async_context(beside(before.serving(own.settings, tmp_path / "old")))
        await past.enter_async_context(
            beside(before.working(own.settings, tmp_path / "worker-old"))
        )
        givers.servers = [old]
        async with givers.at_work():
            await givers.more(100)
            already = len(givers.given)
            await _migrated(own.settings)
            assert len(givers.given) > already, "nobody was served while the schema changed"
            await givers.more(100)
            serving = THIS.serving(own.settings, tmp_path / "new")
            new = await present.enter_async_context(beside(serving))
            givers.servers = [old, new]
            await givers.more(200)
            # The callers are not told of it: they meet closed connections.
            await past.aclose()
            await givers.more(100)
        givers.servers = [new]
        await givers.again()
    print(f"\n{len(givers.given)} gifts, heard: {dict(givers.heard)}")

    assert (givers.refused, givers.unequal) == ([], [])
    assert {status for status in givers.heard if status.startswith("5")} <= {"503"}
    assert await _recorded(own.settings) == dict.fromkeys(givers.given, 1)
    assert await _held(own) == held + Counter(givers.given.values())
    await worked(THIS, own.settings, tmp_path / "worker")
    THIS.verify(own.settings)


async def _migrated(settings: Settings) -> None:
    """As the operator does it, in a process of its own; a lock may be too hard to get."""
    for attempt in range(TRIES):
        try:
            await asyncio.to_thread(THIS.run, settings, "migrate")
        except AssertionError as refusal:
            if attempt == TRIES - 1 or "run it again" not in str(refusal):
                raise
        else:
            return


async def _held(own: OwnSchema) -> Counter[str]:
    """How many pieces each of the characters has."""
    async with Database.open(own.settings) as database:
        rows = await database.reader.rows(
            """
            SELECT players.name, coalesce(sum(quantity), 0)::int AS held
              FROM players LEFT JOIN slots ON slots.player_id = players.id AND item_id = $2
             WHERE players.name = ANY($1)
             GROUP BY players.name
            """,
            own.world.players,
            own.world.item,
        )
    return Counter({row["name"]: row["held"] for row in rows})


async def _recorded(settings: Settings) -> dict[str, int]:
    """How often each gift is in the audit log."""
    async with Database.open(settings) as database:
        rows = await database.reader.rows(
            """
            SELECT request_id, count(*) AS times FROM actions
             WHERE kind = 'items.give' AND request_id LIKE 'gift-%' GROUP BY 1
            """
        )
    return {row["request_id"]: row["times"] for row in rows}
