"""A streaming replica is read from, is never noticed, and may go away at any time."""

import asyncio
import re
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import asyncpg
import httpx2
import pytest
from msgspec import Struct, structs
from structlog.testing import capture_logs

from gamekeeper.app import App
from gamekeeper.auth import keys
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db import replicas
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.migrate import migrate
from gamekeeper.db.replicas import IDENTITY, REPLAYED, WRITTEN, Replica
from gamekeeper.players import lookup, spells
from tests import server as processes
from tests.clusters import Cluster, cluster
from tests.deadlines import PATIENCE
from tests.make import BY, make_item, make_player, make_user

pytestmark = pytest.mark.deploy

TIMEOUT_SECONDS = 60.0
"""For what takes a second on a quiet machine."""


class World(Struct):
    """A primary and its replica, a role that serves, and a little to look at."""

    primary: Cluster
    replica: Cluster
    settings: Settings
    key: str
    potion: UUID


def url(postgres: Cluster) -> Hidden:
    return Hidden(f"postgresql://gamekeeper@127.0.0.1:{postgres.port}/postgres")


@pytest.fixture(scope="module")
async def world() -> AsyncIterator[World]:
    with cluster() as primary:
        await run(primary, "CREATE ROLE gamekeeper LOGIN")
        await migrate(primary.settings, "gamekeeper")
        async with Database.open(primary.settings) as database:
            key = await keys.create.one(database, keys.NewKey(by=BY, name="tests"))
            await make_player(database, "ana", user=await make_user(database, "owner"))
            potion = await make_item(database, inventory_stack=1_000_000)
        with cluster(of=primary) as replica:
            settings = Settings(database_url=url(primary), replica_url=url(replica))
            yield World(primary, replica, settings, str(key), potion)


@asynccontextmanager
async def serving(world: World, **about: object) -> AsyncIterator[httpx2.AsyncClient]:
    """The service with a caller who may do everything."""
    app = App(structs.replace(world.settings, **about))
    await app.start()
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app),
        base_url="http://gamekeeper",
        headers={"Authorization": f"Bearer {world.key}"},
    ) as client:
        yield client
    await app.stop()


@pytest.fixture
async def client(world: World) -> AsyncIterator[httpx2.AsyncClient]:
    async with serving(world) as client:
        await becomes("used", client)
        yield client


async def becomes(state: str, client: httpx2.AsyncClient) -> float:
    """Wait until the replica is used, or away; how long that took."""
    begun = time.monotonic()
    while (ready := (await client.get("/readyz")).json())["replica"] != state:
        assert time.monotonic() - begun < TIMEOUT_SECONDS, ready
        await asyncio.sleep(0.02)
    return time.monotonic() - begun


async def run(postgres: Cluster, *sql: str) -> None:
    connection = await asyncpg.connect(postgres.settings.database_url)
    try:
        for one in sql:
            await connection.execute(one)
    finally:
        await connection.close()


async def give(world: World, client: httpx2.AsyncClient, quantity: int = 1, **headers: str) -> int:
    """How many ana has afterwards."""
    body = {"itemid": str(world.potion), "quantity": quantity}
    answer = await client.post("/api/v1/players/ana/items/give", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()["quantity"]["total"]


async def held(client: httpx2.AsyncClient) -> int:
    answer = await client.get("/api/v1/players/ana/items/inventory")
    assert answer.status_code == 200, answer.text
    return sum(slot["Quantity"] for slot in answer.json())


Sent = list[tuple[int, str]]


@pytest.fixture
def sent(monkeypatch) -> Sent:
    """Every statement, with the port of the server it went to; what asks for positions is not."""
    recorded: Sent = []
    original = asyncpg.Connection.fetch

    async def fetch(connection: asyncpg.Connection, sql: str, *args: object, **about: object):
        if sql not in (WRITTEN, REPLAYED, IDENTITY):
            recorded.append((connection._addr[1], sql))
        return await original(connection, sql, *args, **about)

    monkeypatch.setattr(asyncpg.Connection, "fetch", fetch)
    return recorded


@pytest.fixture
def patient(monkeypatch) -> None:
    """Nobody gives up on the replica because the machine is busy."""
    for name in ("BEHIND_SECONDS", "LOOK_SECONDS", "READ_SECONDS"):
        monkeypatch.setattr(replicas, name, TIMEOUT_SECONDS)


# ── What is read there ──

LOOKED_AT = [
    "/players",
    "/players?search=an",
    "/players/rank",
    "/players/online",
    "/players/online/count",
    "/players/online/history",
    "/players/ana",
    "/players/ana/items",
    "/players/ana/items/inventory",
    "/players/ana/items/bank",
    "/players/ana/spells",
    "/players/ana/variables",
    "/players/ana/history",
    "/users",
    "/users/owner",
    "/users/owner/players",
    "/users/owner/players/ana",
    "/actions",
    "/economy/items",
    "/economy/items/{potion}",
    "/servers",
    "/webhooks",
]


@pytest.mark.usefixtures("patient")
async def test_what_is_looked_at_is_read_from_the_replica_and_is_the_same(world, client, sent):
    """Every list and every record, byte for byte as without a replica."""
    await give(world, client)
    async with serving(world, replica_url=None) as plain:
        for path in [f"/api/v1{path.format(potion=world.potion)}" for path in LOOKED_AT]:
            there = await plain.get(path)
            sent.clear()
            here = await client.get(path)

            assert (here.status_code, here.content) == (there.status_code, there.content), path
            assert here.status_code == 200, (path, here.text)
            # The guard alone asks the primary.
            asked = [sql for port, sql in sent if port == world.primary.port]
            assert not [sql for sql in asked if "api_keys" not in sql], path
            assert any(port == world.replica.port for port, _ in sent), path


async def test_events_tokens_and_replies_are_read_from_the_primary(world, client, sent):
    """What has an order of its own, who is calling, and what was answered before."""
    await client.get("/api/v1/events")
    await client.get("/api/v1/players/nobody", headers={"Authorization": "Bearer gk_no"})
    await give(world, client, **{"Idempotency-Key": "primary"})
    await give(world, client, **{"Idempotency-Key": "primary"})
    await client.post("/api/v1/users/owner/password/validate", json={"password": "0" * 64})

    assert sent
    assert {port for port, _ in sent} == {world.primary.port}


@pytest.mark.usefixtures("patient")
async def test_callers_in_flight_are_merged_on_the_replica_too(world, sent):
    async with reading(world) as reader:
        await asyncio.gather(*(lookup.find_player(reader, "ana") for _ in range(20)))
        await asyncio.gather(*(spells.known_spells(reader, "ana") for _ in range(20)))

    assert {port for port, _ in sent} == {world.replica.port}
    # Each is two statements, for the first two callers and for the rest together.
    assert len(sent) <= 2 * 2 * 3


async def test_processes_count_what_they_read_from_it(world, tmp_path):
    """By the environment, as an operator sets it; the processes of one `serve` are summed."""
    named = {"GAMEKEEPER_REPLICA_URL": str(world.settings.replica_url)}
    with processes.serving(world.settings, tmp_path / "log", "--workers", "2", **named) as (at, _):
        headers = {"Authorization": f"Bearer {world.key}"}
        async with httpx2.AsyncClient(base_url=at, headers=headers, timeout=PATIENCE) as client:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                while not (counted := READS.search((await client.get("/metrics")).text)):
                    await client.get("/api/v1/players/ana")

    assert float(counted[1]) > 0
    assert '"event": "replica_available"' in (tmp_path / "log").read_text()


READS = re.compile(r'gamekeeper_replica_reads_total\{server="replica"\} ([1-9][0-9.]*)')


@asynccontextmanager
async def reading(world: World, **about: object) -> AsyncIterator[Replica]:
    settings = structs.replace(world.settings, **about)
    async with Database.open(settings) as database, replicas.reading(database) as reader:
        assert isinstance(reader, Replica)
        await settled(reader)
        yield reader


async def settled(reader: Replica) -> None:
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while reader.standby.state != "used":
            await asyncio.sleep(0.01)


async def test_without_a_replica_readers_are_what_they_were(world):
    settings = structs.replace(world.settings, replica_url=None)
    async with Database.open(settings) as database, replicas.reading(database) as reader:
        assert reader is database.reader
        assert type(reader) is type(reader.lookups) is Reader


# ── It is never behind ──


@pytest.mark.usefixtures("patient")
async def test_who_changed_something_sees_it_through_any_process(world, client, sent):
    async with serving(world) as other:
        await becomes("used", other)
        for _ in range(30):
            now = await give(world, client)
            assert await held(other) == now
            assert await held(client) == now

    assert any(port == world.replica.port and "slots" in sql for port, sql in sent)


async def test_a_replica_that_stands_still_is_not_believed(world, client):
    """Old keys, old slots and old replies are on it, and nobody gets to see them."""
    async with Database.open(world.primary.settings) as database:
        lost = await keys.create.one(database, keys.NewKey(by=BY, name="lost"))
        before = await give(world, client)
        await replayed(world)
        await run(world.replica, "SELECT pg_wal_replay_pause()")
        try:
            await keys.revoke.one(database, keys.Revocation(by=BY, key="lost"))
            refused = await client.get(
                "/api/v1/players/ana", headers={"Authorization": f"Bearer {lost}"}
            )
            assert refused.status_code == 401
            assert await give(world, client, 5, **{"Idempotency-Key": "still"}) == before + 5
            assert await held(client) == before + 5
            assert await give(world, client, 5, **{"Idempotency-Key": "still"}) == before + 5
            body = {"itemid": str(world.potion), "quantity": before + 5}
            taken = await client.post("/api/v1/players/ana/items/take", json=body)
            assert taken.status_code == 200
            assert await held(client) == 0
            assert (await client.get("/readyz")).json()["replica"] == "away"
        finally:
            await run(world.replica, "SELECT pg_wal_replay_resume()")
    await becomes("used", client)
    assert await held(client) == 0


async def replayed(world: World) -> None:
    """Wait until the replica has everything."""
    async with reading(world):
        pass


async def test_commits_that_do_not_wait_for_the_disk_are_seen_as_well(world):
    """Then they are seen before they are flushed, and long before a replica hears of them."""
    await run(world.primary, "ALTER ROLE gamekeeper SET synchronous_commit = off")
    try:
        async with serving(world) as client:
            await becomes("used", client)
            for _ in range(20):
                assert await give(world, client) == await held(client)
    finally:
        await run(world.primary, "ALTER ROLE gamekeeper RESET synchronous_commit")


# ── It goes away ──


class Crowd:
    """A few callers that never stop asking."""

    def __init__(self, world: World, client: httpx2.AsyncClient) -> None:
        self._world, self._client = world, client
        self._stop = asyncio.Event()
        self.taken: list[float] = []

    async def _ask(self) -> None:
        least = 0
        while not self._stop.is_set():
            begun = time.monotonic()
            least = max(least, await give(self._world, self._client))
            # What others gave meanwhile may be there too, what we gave must be.
            assert await held(self._client) >= least
            for path in ("ana", "rank", "ana/items"):
                answer = await self._client.get(f"/api/v1/players/{path}")
                assert answer.status_code == 200, answer.text
            self.taken.append(time.monotonic() - begun)

    @asynccontextmanager
    async def asking(self) -> AsyncIterator[None]:
        callers = [asyncio.create_task(self._ask()) for _ in range(4)]
        yield
        self._stop.set()
        await asyncio.gather(*callers)


async def stopped(replica: Cluster) -> None:
    await asyncio.to_thread(replica.stop, "immediate")


async def started(replica: Cluster) -> None:
    await asyncio.to_thread(replica.start)


async def frozen(replica: Cluster) -> None:
    replica.signal(signal.SIGSTOP)


async def thawed(replica: Cluster) -> None:
    replica.signal(signal.SIGCONT)


async def lagging(replica: Cluster) -> None:
    await run(replica, "SELECT pg_wal_replay_pause()")


async def caught_up(replica: Cluster) -> None:
    await run(replica, "SELECT pg_wal_replay_resume()")


@pytest.mark.parametrize(
    ("fault", "repair"), [(stopped, started), (frozen, thawed), (lagging, caught_up)]
)
async def test_nobody_hears_of_a_replica_that_goes_away(world, client, fault, repair, sent):
    crowd = Crowd(world, client)
    async with crowd.asking():
        await asyncio.sleep(0.5)
        await fault(world.replica)
        try:
            left = await becomes("away", client)
            await asyncio.sleep(1)
        finally:
            await repair(world.replica)
        back = await becomes("used", client)
        sent.clear()
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while world.replica.port not in {port for port, _ in sent}:
                await asyncio.sleep(0.01)

    print(f"left after {left:.2f} s, used again {back:.2f} s after its return,", end=" ")
    print(f"slowest round {max(crowd.taken):.2f} s of {len(crowd.taken)}")


async def test_a_frozen_replica_does_not_hold_up_the_end(world):
    try:
        with capture_logs() as logged:
            async with asyncio.timeout(TIMEOUT_SECONDS), reading(world) as reader:
                await reader.value("SELECT 1")
                await frozen(world.replica)
                assert await reader.value("SELECT 2") == 2
    finally:
        await thawed(world.replica)

    assert [line["fault"] for line in logged if line["event"] == "replica_unavailable"] == [
        "TimeoutError"
    ]


@pytest.mark.usefixtures("patient")
async def test_a_query_that_is_in_the_way_of_the_replay_is_answered_by_the_primary(world):
    async with reading(world) as reader:
        with capture_logs() as logged:
            slow = asyncio.create_task(
                reader.value("SELECT count(*) FROM (SELECT pg_sleep(0.8) FROM players) AS slow")
            )
            await under_way(world.replica, "% AS slow")
            await run(world.primary, "BEGIN; LOCK players; COMMIT")
            assert await slow == 1

        assert [line["fault"] for line in logged] == ["SerializationError"]
        assert reader.standby.state == "used"


async def under_way(postgres: Cluster, query: str) -> None:
    connection = await asyncpg.connect(postgres.settings.database_url)
    sql = "SELECT true FROM pg_stat_activity WHERE state = 'active' AND query LIKE $1 AND pid <> $2"
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while not await connection.fetchval(sql, query, connection.get_server_pid()):
            await asyncio.sleep(0.01)
    await connection.close()


@pytest.mark.usefixtures("patient")
async def test_what_takes_too_long_there_is_answered_by_the_primary(world):
    async with reading(world) as reader:
        with capture_logs() as logged:
            assert await reader.value("SELECT 1 FROM pg_sleep(1.1)") == 1

        assert [line["fault"] for line in logged] == ["QueryCanceledError"]


@pytest.mark.usefixtures("patient")
async def test_what_is_wrong_is_wrong_and_the_replica_stays(world):
    async with reading(world) as reader:
        with pytest.raises(asyncpg.UndefinedColumnError):
            await reader.value("SELECT beard FROM players")

        assert reader.standby.state == "used"


async def test_a_promoted_replica_is_left(world):
    """It may have been told things that the primary never was."""
    with cluster(of=world.primary) as another:
        async with reading(world, replica_url=url(another)) as reader:
            another.promote()
            await run(another, "UPDATE players SET level = 99")

            player = await lookup.find_player(reader, "ana")

            assert player.level != 99
            assert reader.standby.state == "away"


async def test_nobody_hears_of_a_replica_that_is_promoted(world):
    with cluster(of=world.primary) as another:
        async with serving(world, replica_url=url(another)) as client:
            await becomes("used", client)
            crowd = Crowd(world, client)
            async with crowd.asking():
                while len(crowd.taken) < 8:
                    await asyncio.sleep(0.05)
                await asyncio.to_thread(another.promote)
                # Whoever still reads there gets less than was given.
                await run(another, "DELETE FROM slots")
                await becomes("away", client)
                before = len(crowd.taken)
                while len(crowd.taken) < before + 8:
                    await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("database", "fault"), [("template1", "Stranger"), ("nothing", "InvalidCatalogNameError")]
)
async def test_another_database_is_never_used(world, database, fault):
    elsewhere = Hidden(url(world.replica).replace("/postgres", f"/{database}"))
    with capture_logs() as logged:
        async with serving(world, replica_url=elsewhere) as client:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                while not logged:
                    await asyncio.sleep(0.01)
            assert (await client.get("/api/v1/players/ana")).status_code == 200
            assert (await client.get("/readyz")).json()["replica"] == "away"

    assert ("replica_unavailable", fault) in [(line["event"], line.get("fault")) for line in logged]
