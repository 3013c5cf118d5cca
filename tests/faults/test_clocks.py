"""Wrong clocks of the API, a worker and PostgreSQL, by libfaketime."""

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from gamekeeper.auth import keys
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from gamekeeper.ledger import verify_chain, verify_ledger
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from tests import processes
from tests.clusters import Cluster, cluster
from tests.deadlines import PATIENCE
from tests.ledger.chains import link, order
from tests.mailbox.post import Post
from tests.make import BY, make_item, make_player
from tests.server import environment, serving

pytestmark = pytest.mark.engines

READ = "/api/v1/players/online/count"
EXPIRING = "UPDATE api_keys SET expires_at = now() + make_interval(mins => $1) WHERE name = 'site'"
COMMITTED = "SELECT id, at FROM actions ORDER BY xid"


def clock_of(offset: str | Path) -> dict[str, Any]:
    """
    The environment of a process whose clock is off, while its intervals are right.

    The offset may be in a file, and then changes with it.
    """
    [library] = Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")
    env = {"LD_PRELOAD": str(library), "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    if isinstance(offset, str):
        return env | {"FAKETIME": offset}
    offset.write_text("+0s")
    return env | {"FAKETIME_TIMESTAMP_FILE": str(offset), "FAKETIME_NO_CACHE": "1"}


@pytest.mark.parametrize(
    ("offset", "expires_in_minutes", "status"),
    [
        pytest.param("+600s", 5, 200, id="a clock that is fast ends no key early"),
        pytest.param("-600s", -5, 401, id="a clock that is slow accepts no expired key"),
    ],
)
async def test_expiry_is_decided_by_the_clock_of_the_database(
    settings: Settings, database: Database, tmp_path, offset, expires_in_minutes, status
):
    key = await keys.create.one(database, keys.NewKey(by=BY, name="site"))
    await database.write(lambda writer: writer.run(EXPIRING, expires_in_minutes))
    with serving(settings, tmp_path / "log", **clock_of(offset)) as (url, _):
        headers = {"Authorization": f"Bearer {key}"}
        async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as client:
            assert (await client.get(f"{url}/api/v1/players")).status_code == status


async def test_a_clock_that_jumps_back_refills_no_rate_limit(
    settings: Settings, database: Database, tmp_path: Path
):
    key = await keys.create.one(database, keys.NewKey(by=BY, name="site"))
    clock = tmp_path / "clock"
    env = clock_of(clock)
    env["GAMEKEEPER_KEY_RATE_LIMITS"] = "read 10/hour"
    with serving(settings, tmp_path / "log", **env) as (url, _):
        headers = {"Authorization": f"Bearer {key}"}
        async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as client:

            async def statuses() -> list[int]:
                return [(await client.get(f"{url}{READ}")).status_code for _ in range(12)]

            first = await statuses()
            clock.write_text("-3600s")
            back = await statuses()
            clock.write_text("+3600s")
            forth = await statuses()

    assert first == [200] * 10 + [429] * 2
    assert back == forth == [429] * 12


SWEEP = """
import asyncio
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.players.mailbox import expiry

async def main():
    async with Database.open(Settings.read()) as database:
        print(await expiry.sweep(database, asyncio.Event()))

asyncio.run(main())
"""


async def test_a_worker_in_the_future_ends_nothing_early(settings: Settings, database: Database):
    """Two letters, one of which has expired, and a worker two hours ahead."""
    post = await Post.make(database)
    soon, ended = await post.send(1), await post.send(2)
    expire = "UPDATE letters SET expires_at = now() + make_interval(hours => $2) WHERE id = $1"
    await database.write(lambda writer: writer.run(expire, soon.id, 1))
    await database.write(lambda writer: writer.run(expire, ended.id, -1))

    command = [sys.executable, "-c", SWEEP]
    env = environment(settings, **clock_of("+7200s"))
    swept = await asyncio.to_thread(processes.run, command, env=env)

    assert swept.stdout == "1\n", swept.stderr
    assert [await post.state(letter) for letter in (soon, ended)] == ["open", "expired"]


@pytest.fixture
def public_file() -> Iterator[Path]:
    """A file that PostgreSQL can read, which runs as another user."""
    with tempfile.NamedTemporaryFile(dir="/tmp", mode="w") as file:
        Path(file.name).chmod(0o644)
        yield Path(file.name)


@contextmanager
def cluster_with_clock(clock: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    with monkeypatch.context() as patch:
        for name, value in clock_of(clock).items():
            patch.setenv(name, value)
        block = cluster()
        made = block.__enter__()
    try:
        yield made
    finally:
        block.__exit__(None, None, None)


async def test_the_log_keeps_its_order_when_the_clock_of_postgresql_jumps_back(
    monkeypatch, public_file: Path
):
    """The order is that of the commits, never of the times."""
    clock = public_file
    with cluster_with_clock(clock, monkeypatch) as postgres:
        await migrate(postgres.settings)
        async with Database.open(postgres.settings) as database:
            ana = await make_player(database)
            potion = await make_item(database, inventory_stack=1000)
            for offset in ("+0s", "-3600s", "+0s", "-7200s"):
                clock.write_text(offset)
                await items.give.one(
                    database, Gift(by=BY, player=str(ana), item_id=potion, quantity=1)
                )
            await link(database)
            committed = await database.reader.rows(COMMITTED)
            linked = await order(database)
        assert linked == [row["id"] for row in committed]
        times = [row["at"] for row in committed]
        assert times != sorted(times)
        assert (await verify_chain.find(postgres.settings)).total == 0
        assert (await verify_ledger.verify(postgres.settings)).breach is None
