"""Several servers, one primary: found, left when another is promoted, never returned to."""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

import asyncpg
import pytest

from gamekeeper.core.settings import BadSettings, Hidden, Settings
from gamekeeper.db import leader, outages, primary
from gamekeeper.db.database import Database, DatabaseUnavailable, Writer
from gamekeeper.db.leader import Duty
from gamekeeper.db.migrate import migrate
from gamekeeper.db.primary import Host, NoPrimary
from gamekeeper.operations.backup import postgres
from gamekeeper.operations.doctor import checks, server
from gamekeeper.operations.doctor.findings import CheckResult, Installation
from tests.clusters import Cluster, cluster
from tests.deadlines import PATIENCE, until

WHERE = "SELECT current_setting('port')::int"
RELOAD = "SELECT pg_reload_conf()"
DUTY = Duty(name="test", lock=0x74657374, pause=0.05)


# ── The URL ──


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgresql://me:pw@one/game", [Host("one", 5432)]),
        ("postgresql://me@one:1,two/game", [Host("one", 1), Host("two", 5432)]),
        ("postgresql://me@[::1],[::2]:3/game", [Host("::1", 5432), Host("::2", 3)]),
        ("postgresql://me@%2Frun%2Fpg:7/game", [Host("/run/pg", 7)]),
        ("postgresql:///game?host=one,two&port=1,2", [Host("one", 1), Host("two", 2)]),
        ("postgresql:///game?host=one,two&port=9", [Host("one", 9), Host("two", 9)]),
    ],
)
def test_the_servers_of_a_url(url, expected):
    assert primary.hosts(url) == expected


@pytest.mark.parametrize("target", ["standby", "prefer-standby", "read-only"])
def test_the_url_of_a_standby_is_refused(monkeypatch, target):
    url = f"postgresql://me@one,two/game?target_session_attrs={target}"
    monkeypatch.setenv("GAMEKEEPER_DATABASE_URL", url)
    with pytest.raises(BadSettings, match="target_session_attrs"):
        Settings.read()


def test_pg_dump_and_pg_restore_use_the_primary_too():
    with postgres.connection_string("postgresql://me@one:1,two:2/game") as url:
        assert url == "postgresql://me@one:1,two:2/game?target_session_attrs=read-write"
    with postgres.connection_string("postgresql://me@one:1/game") as url:
        assert url == "postgresql://me@one:1/game"


# ── Servers ──


class Pair:
    """A primary and its standby, which is named first."""

    def __init__(self, first: Cluster, second: Cluster) -> None:
        self.first, self.second = first, second
        hosts = f"127.0.0.1:{second.port},127.0.0.1:{first.port}"
        self.settings = Settings(
            database_url=Hidden(
                f"postgresql://postgres@{hosts}/postgres?target_session_attrs=read-write"
            )
        )

    @property
    def url(self) -> str:
        return self.settings.database_url

    def freeze(self) -> None:
        self.first.signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.first.signal(signal.SIGCONT)


@pytest.fixture(scope="module")
def shared() -> Iterator[Pair]:
    """For tests that promote nothing."""
    with paired() as made:
        yield made


@pytest.fixture
def pair() -> Iterator[Pair]:
    with paired() as made:
        yield made


@contextmanager
def paired() -> Iterator[Pair]:
    with cluster() as first, cluster(of=first) as second:
        made = Pair(first, second)
        try:
            yield made
        finally:
            made.thaw()


async def where(pair: Pair) -> int:
    connection = await primary.connect(pair.url, timeout=PATIENCE)
    try:
        return await connection.fetchval(WHERE)
    finally:
        await connection.close()


async def run(postgres: Cluster, *sql: str) -> None:
    connection = await asyncpg.connect(postgres.settings.database_url)
    try:
        for statement in sql:
            await connection.execute(statement)
    finally:
        await connection.close()


async def noted(postgres: Cluster) -> list[str]:
    connection = await asyncpg.connect(postgres.settings.database_url)
    try:
        return [row["name"] for row in await connection.fetch("SELECT name FROM notes ORDER BY 1")]
    finally:
        await connection.close()


@asynccontextmanager
async def opened(pair: Pair) -> AsyncIterator[Database]:
    async with Database.open(pair.settings) as database:
        await database.write(lambda writer: writer.run("CREATE TABLE notes (name text)"))
        assert await note(database, "before")
        # The test is about who is written to, and replication here is asynchronous.
        await until(lambda: _has(pair.second, "before"), "the standby has it")
        yield database


async def _has(postgres: Cluster, name: str) -> bool:
    try:
        return name in await noted(postgres)
    except asyncpg.UndefinedTableError:
        return False


async def note(database: Database, name: str) -> bool:
    """Whether it could be written down."""

    async def work(writer: Writer) -> None:
        await writer.run("INSERT INTO notes VALUES ($1)", name)

    try:
        await database.write(work)
    except DatabaseUnavailable:
        return False
    return True


@pytest.mark.deploy
async def test_every_kind_of_connection_finds_the_primary(shared):
    """Connections that read have default_transaction_read_only, which is not a standby's."""
    assert len(await migrate(shared.settings)) > 0
    async with Database.open(shared.settings) as database:
        for reader in (database.reader, database.reader.lookups):
            assert await reader.value(WHERE) == shared.first.port
            assert await reader.value("SHOW default_transaction_read_only") == "on"
        assert await database.write(lambda writer: writer.value(WHERE)) == shared.first.port
    async with leader.connected(shared.settings, DUTY) as connection:
        assert await connection.fetchval(WHERE) == shared.first.port
    findings = await checks.run(shared.settings)
    assert findings[0].message == "The database answers."


@pytest.mark.deploy
async def test_a_frozen_server_delays_nothing(shared):
    """One after the other, the frozen one alone would take the whole minute."""
    shared.second.signal(signal.SIGSTOP)
    try:
        async with asyncio.timeout(PATIENCE / 3):
            assert await where(shared) == shared.first.port
    finally:
        shared.second.signal(signal.SIGCONT)


@pytest.mark.deploy
async def test_without_a_primary_the_reason_is_told(shared):
    shared.first.stop("fast")
    with pytest.raises(NoPrimary) as raised:
        await primary.connect(shared.url, timeout=PATIENCE)
    shared.first.start()

    said, advice = outages.explain(raised.value, shared.url).split("\n")
    assert f"127.0.0.1:{shared.second.port} is a standby" in said
    assert f"127.0.0.1:{shared.first.port} refuses connections" in said
    assert advice.startswith("Wait until a standby is promoted.")


@pytest.mark.deploy
async def test_the_doctor_warns_if_changes_wait_for_no_standby(shared):
    role = f"postgresql://keeper@127.0.0.1:{shared.first.port}/postgres"
    await run(shared.first, "CREATE ROLE keeper LOGIN")

    async def finding() -> CheckResult:
        async with Database.open(Settings(database_url=Hidden(role))) as database:
            installation = Installation(settings=database.settings, reader=database.reader)
            [found] = await server.replication(installation)
            return found

    # After a restart of the primary, the standby connects again within seconds.
    await until(lambda: _is("warning", finding), "the doctor warns")
    await run(shared.first, "ALTER SYSTEM SET synchronous_standby_names = '*'", RELOAD)
    await until(lambda: _is("ok", finding), "the server has read its file")
    await run(shared.first, "ALTER SYSTEM RESET synchronous_standby_names", RELOAD)


async def _is(state: str, finding: Callable[[], Awaitable[CheckResult]]) -> bool:
    return (await finding()).state == state


@pytest.mark.deploy
async def test_a_wrong_password_is_not_taken_for_a_failover(shared):
    wrong = shared.url.replace("postgres@", "nobody@")
    with pytest.raises(asyncpg.InvalidAuthorizationSpecificationError):
        await primary.connect(wrong, timeout=PATIENCE)


@pytest.mark.deploy
async def test_a_frozen_primary_is_left_for_the_promoted_one_and_never_used_again(pair):
    async with opened(pair) as database:
        async with database.pools[2].acquire() as old:
            pass
        pair.freeze()
        pair.second.promote()
        await until(lambda: note(database, "after"), "writes go to the new primary")
        # Idle in the pool: it would have been lent again.
        assert old.is_closed()
        pair.thaw()
        # The old one believes that it is a primary, and accepts connections.
        assert await noted(pair.first) == ["before"]
        primary.suspect(pair.url)
        for _ in range(5):
            assert await where(pair) == pair.second.port
        assert await note(database, "later")

    assert await noted(pair.second) == ["after", "before", "later"]
    assert await noted(pair.first) == ["before"]


@pytest.mark.deploy
async def test_an_old_primary_is_not_used_even_if_it_is_alone(pair):
    async with opened(pair) as database:
        pair.second.promote()
        await until(lambda: _is_at(database, pair.second), "the watch finds the new primary")
        pair.second.stop("immediate")
        assert not await note(database, "lost")
        with pytest.raises(NoPrimary, match="is an old primary"):
            await where(pair)

    assert await noted(pair.first) == ["before"]


async def _is_at(database: Database, postgres: Cluster) -> bool:
    try:
        return await database.reader.value(WHERE) == postgres.port
    except DatabaseUnavailable:
        return False


@pytest.mark.deploy
async def test_a_stale_leader_cannot_write_after_a_new_term(pair):
    """Its connection is terminated, it competes again on the new primary, and nothing is lost."""
    stop, begun = asyncio.Event(), asyncio.Event()
    led: list[int] = []

    async def work(connection: asyncpg.Connection) -> None:
        led.append(await connection.fetchval(WHERE))
        begun.set()
        while not stop.is_set():
            await connection.execute("INSERT INTO notes SELECT current_setting('port')")
            await asyncio.sleep(0.02)

    async def leads_there() -> bool:
        return led[-1] == pair.second.port

    async with opened(pair):
        leading = asyncio.create_task(leader.lead(pair.settings, DUTY, work, stop))
        await asyncio.wait_for(begun.wait(), PATIENCE)
        pair.freeze()
        pair.second.promote()
        copied = (await noted(pair.second)).count(str(pair.first.port))
        await until(leads_there, "it leads on the new primary")
        pair.thaw()
        await until(lambda: _has(pair.second, str(pair.second.port)), "it writes there")
        stop.set()
        await asyncio.wait_for(leading, PATIENCE)

    assert led == [pair.first.port, pair.second.port]
    names = await noted(pair.second)
    assert names.count(str(pair.first.port)) == copied
    assert names.count(str(pair.second.port)) > 0
