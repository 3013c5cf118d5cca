"""docs/operate/pitr.md as it is written: an archive, a mistake, a recovery, and its completion."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import asyncpg
import httpx2
import pytest

from gamekeeper.auth import keys
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from gamekeeper.events import retention
from gamekeeper.events.retention import EventsUnknown
from gamekeeper.ledger import verify_chain, verify_ledger
from gamekeeper.operations.doctor import backups
from gamekeeper.operations.doctor.findings import Installation
from tests import processes
from tests.clusters import Cluster, cluster, identity
from tests.deadlines import until
from tests.docs.shell import blocks
from tests.ledger.chains import link
from tests.make import BY, make_item, make_player
from tests.server import environment, serving

pytestmark = [
    pytest.mark.deploy,
    pytest.mark.skipif(not shutil.which("pgbackrest"), reason="pgbackrest is not installed"),
]

PAGE = "operate/pitr.md"
TIME = "2026-11-16 03:14:00+00"


class Archive:
    """A server with the settings of the page, and its archive."""

    def __init__(self, made: Cluster, directory: Path) -> None:
        self.cluster = made
        self._config = directory / "pgbackrest.conf"
        page = (Path(__file__).parents[2] / "docs" / PAGE).read_text("utf-8")
        found = [part.split("```")[0] for part in page.split("```ini\n")[1:]]
        config, server = found
        data = made.directory / "data"
        config = config.replace("/var/lib/pgbackrest", str(directory / "repository"))
        config = config.replace("/var/lib/postgresql/15/main", str(data))
        local = f"pg1-port={made.port}\npg1-socket-path={made.directory}\n"
        quiet = f"lock-path={directory}/lock\nlog-level-file=off\n"
        self._config.write_text(config.replace("[game]\n", f"{quiet}\n[game]\n{local}"))
        with (data / "postgresql.conf").open("a") as settings:
            settings.write(self._here(server))

    def _here(self, text: str) -> str:
        return text.replace("pgbackrest --", f"pgbackrest --config={self._config} --")

    def run(self, block: str) -> None:
        """As the user postgres."""
        done = processes.run(
            ["bash", "-ec", self._here(block)], cwd=self._config.parent, **identity()
        )
        assert done.returncode == 0, f"{done.stdout}{done.stderr}"


@pytest.fixture
def archive() -> Iterator[Archive]:
    with cluster() as made:
        directory = made.directory / "archive"
        directory.mkdir()
        if who := identity():
            os.chown(directory, who["user"], who["group"])
        archive = Archive(made, directory)
        made.stop("fast")
        made.start()
        yield archive


def gamekeeper(settings: Settings, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gamekeeper", *words]
    return processes.run(command, env=environment(settings))


async def give(url: str, key: str, player: object, item: object, name: str) -> httpx2.Response:
    async with httpx2.AsyncClient(base_url=url) as client:
        return await client.post(
            f"/api/v1/players/{player}/items/give",
            json={"itemid": str(item), "quantity": 1},
            headers={"Authorization": f"Bearer {key}", "Idempotency-Key": name},
        )


async def now(settings: Settings) -> datetime:
    async with Database.open(settings) as database:
        return await database.reader.value("SELECT clock_timestamp()")


async def test_a_recovery_brings_back_nothing_that_was_revoked(archive, tmp_path):
    create, find, stop, recover, complete = blocks(PAGE)
    server = archive.cluster
    connection = await asyncpg.connect(str(server.settings.database_url))
    await connection.execute("CREATE DATABASE game")
    await connection.close()
    settings = Settings(database_url=Hidden(f"postgresql://postgres@127.0.0.1:{server.port}/game"))
    await migrate(settings)
    await asyncio.to_thread(archive.run, create)
    async with Database.open(settings) as database:
        kept = str(await keys.create.one(database, keys.NewKey(by=BY, name="game-server")))
        stolen = str(await keys.create.one(database, keys.NewKey(by=BY, name="stolen")))
        player, item = await make_player(database, "Ana"), await make_item(database)
    with serving(settings, tmp_path / "before") as (url, _):
        first = await give(url, kept, player, item, "first")
        chosen = await now(settings)
        await asyncio.sleep(1.1)
        # After the chosen second: a stolen key is revoked, and something is lost.
        assert (await give(url, kept, player, item, "second")).status_code == 200
        assert gamekeeper(settings, "keys", "revoke", "stolen").returncode == 0
        async with Database.open(settings) as database:
            await link(database)
            heard = await database.reader.value("SELECT max(seq) FROM chain")
    assert "items.give" in gamekeeper(settings, *find.split()[1:]).stdout

    server.stop("fast")
    assert stop == "true\ntrue\n"
    assert TIME in recover
    await asyncio.to_thread(archive.run, recover.replace(TIME, f"{chosen:%Y-%m-%d %H:%M:%S.%f%z}"))
    server.start()
    await promoted(settings)
    refused = gamekeeper(settings, "serve", "--port", "1")
    assert refused.returncode == 1
    assert "gamekeeper recovered" in refused.stderr
    async with Database.open(settings) as database:
        installation = Installation(settings=settings, reader=database.reader)
        [finding] = await backups.point_in_time_recovery(installation)
    assert (finding.check, finding.state) == ("recovery", "wrong")

    done = gamekeeper(settings, *complete.split()[1:])
    assert done.returncode == 0, done.stderr
    assert "ALTER SYSTEM RESET recovery_target_time" in done.stdout
    again = gamekeeper(settings, *complete.split()[1:])
    assert (again.returncode, "Already done at" in again.stderr) == (1, True)

    async with Database.open(settings) as database:
        with pytest.raises(EventsUnknown):
            await retention.check(database.reader, heard)
    with serving(settings, tmp_path / "after") as (url, _):
        assert (await give(url, stolen, player, item, "third")).status_code == 401
        same = await give(url, kept, player, item, "first")
        assert (same.status_code, same.content) == (200, first.content)
        made = await give(url, kept, player, item, "second")
        assert made.json()["quantity"]["total"] == 2
    async with Database.open(settings) as database:
        await link(database)
        [finding] = await backups.point_in_time_recovery(
            Installation(settings=settings, reader=database.reader)
        )
        assert finding.state == "ok"
    assert (await verify_ledger.verify(settings)).breach is None
    assert (await verify_chain.find(settings)).total == 0


async def promoted(settings: Settings) -> None:
    async def is_primary() -> bool:
        async with Database.open(settings) as database:
            return not await database.reader.value("SELECT pg_is_in_recovery()")

    await until(is_primary, "the server is promoted", 0.2)
