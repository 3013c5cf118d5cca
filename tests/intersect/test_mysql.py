"""The same games from a real MariaDB, and what happens when it goes away."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from uuid import UUID

import pytest

from gamekeeper.transfer.intersect import importer, mysql
from gamekeeper.transfer.intersect.mysql import BadUrl
from gamekeeper.transfer.intersect.sources import UnreadableSource
from tests import mariadb, processes
from tests.cli.command import gamekeeper
from tests.intersect.worlds import BERLIN, bring, make_game
from tests.make import BY
from tests.processes import PATIENCE
from tests.server import environment
from tests.transfer.worlds import assert_whole, exported_people

pytestmark = pytest.mark.engines

DATES = {"RegistrationDate", "CreationDate", "LastOnline", "StartTime", "EndTime"}
DATES |= {"GuildJoinDate", "FoundingDate", "PasswordResetTime"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with mariadb.serving_mariadb(tmp_path_factory.mktemp("mariadb")) as (process, port):
        yield process, port


def fill(port: int, database: str, folder: Path, files: tuple[str, ...]) -> str:
    """Copy files of SQLite as the engine's other provider stores them; returns the URL."""
    with mariadb.connect(port) as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE OR REPLACE DATABASE {database} CHARACTER SET utf8mb4")
        cursor.execute(f"USE {database}")
        for name in files:
            _copy(cursor, sqlite3.connect(folder / name))
    return f"mysql://root@127.0.0.1:{port}/{database}"


def _copy(cursor, source: sqlite3.Connection) -> None:
    tables = source.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for [table] in tables:
        about = source.execute(f"PRAGMA table_info({table})").fetchall()
        columns = [(row[1], _kind(row[1], row[2])) for row in about]
        made = ", ".join(f"`{name}` {kind}" for name, kind in columns)
        cursor.execute(f"CREATE TABLE IF NOT EXISTS `{table}` ({made})")
        rows = [
            [_value(value, kind) for value, (_, kind) in zip(row, columns, strict=True)]
            for row in source.execute(f"SELECT * FROM {table}")
        ]
        if rows:
            marks = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO `{table}` VALUES ({marks})", rows)


def _kind(name: str, declared: str) -> str:
    if name in DATES:
        return "datetime(6)"
    if name == "PlayTimeSeconds":
        return "bigint unsigned"
    if name == "TileData":
        return "longblob"
    return {"BLOB": "char(36)", "INT": "bigint"}.get(declared, "longtext")


def _value(value, kind: str):
    if kind == "char(36)" and value is not None:
        return str(UUID(bytes_le=value) if isinstance(value, bytes) else UUID(value))
    if kind == "datetime(6)" and isinstance(value, str):
        return value[:26]
    return value


@pytest.mark.parametrize("version", ["0.6", "0.7.1", "0.8b"])
async def test_a_game_in_mariadb_moves_in_as_from_a_file(
    settings, database, template, tmp_path, server, version
):
    game = make_game(tmp_path / "game", version)
    game.players.execute(
        "UPDATE Players SET PlayTimeSeconds = 7" if version != "0.6" else "SELECT 1"
    )
    folder = game.close()
    url = fill(server[1], "whole", folder, ("playerdata.db", "gamedata.db"))
    source = mysql.open_server(url, None, None, lambda step, done, total: None)
    report = await importer.bring(settings, source, BY, BERLIN)
    source.close()

    assert report.faults == []
    assert (report.users.added, report.players.added, report.sanctions.added) == (2, 2, 1)
    # A file says the same, so importing it changes nothing.
    assert not (await bring(settings, folder)).is_change
    await assert_whole(settings)


async def test_a_password_in_the_url_is_in_no_output_and_not_in_the_arguments(
    settings, database, tmp_path, server
):
    folder = make_game(tmp_path / "game", "0.8b").close()
    fill(server[1], "hidden", folder, ("playerdata.db",))
    with mariadb.connect(server[1]) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE OR REPLACE USER mover IDENTIFIED BY 's3cr:t/@'")
        cursor.execute("GRANT SELECT ON hidden.* TO mover")
    words = ["import", "intersect", "--sqlite", str(folder), "--mysql"]
    where = f"127.0.0.1:{server[1]}/hidden"
    right = [*words, f"mysql://mover:s3cr%3At%2F%40@{where}"]

    done = gamekeeper(settings, *right, "--time-zone", "Europe/Berlin")
    wrong = gamekeeper(settings, *words, f"mysql://mover:wr0ng@{where}")
    quiet = gamekeeper(settings, *words, f"mysql://mover@{where}", MYSQL_PWD="s3cr:t/@")

    assert done.returncode == quiet.returncode == 0, done.stderr + quiet.stderr
    assert (wrong.returncode, "denied" in wrong.stderr) == (1, True)
    for one in (done, wrong, quiet):
        assert "s3cr" not in one.stdout + one.stderr
        assert "wr0ng" not in one.stdout + one.stderr
    assert len(await exported_people(settings)) == 4
    # Stopped at once after it has started again: the lock of a table makes it wait.
    with mariadb.connect(server[1], database="hidden") as connection, connection.cursor() as cursor:
        cursor.execute("LOCK TABLES Players WRITE")
        command = [sys.executable, "-m", "gamekeeper", *right]
        with processes.running(
            command, env=environment(settings), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            _wait_for(lambda: "mover@127" in _arguments(process.pid))
            assert "s3cr" not in _arguments(process.pid)
            process.kill()


def _arguments(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text()


def _wait_for(condition) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


async def test_a_server_that_goes_away_in_the_middle_changes_nothing(settings, database, tmp_path):
    folder = make_game(tmp_path / "game", "0.8b").close()
    with mariadb.serving_mariadb(tmp_path) as (process, port):
        url = fill(port, "gone", folder, ("playerdata.db", "gamedata.db"))

        def tell(step: str, done: int, total: int) -> None:
            if step == "Copy Player_Spells":
                os.kill(process.pid, signal.SIGKILL)
                process.wait()

        with pytest.raises(UnreadableSource, match="Nothing was imported"):
            mysql.open_server(url, None, None, tell)
    with pytest.raises(UnreadableSource, match="Nothing was imported"):
        mysql.open_server(url, None, None, tell)
    assert await database.reader.value("SELECT count(*) FROM users") == 0


@pytest.mark.parametrize(
    "url", ["mysql://", "http://a:hush@b/c", "mysql://a:hush@c:x/d", "mysql://a:hush@h"]
)
def test_a_bad_url_is_refused_without_repeating_it(url):
    with pytest.raises(BadUrl) as raised:
        mysql.parse(url)
    assert "hush" not in str(raised.value)


def test_a_url_without_its_password_is_the_same_url():
    assert mysql.without_password("mysql://a:b%40@h:1/d") == "mysql://a@h:1/d"
    parsed = mysql.parse("mysql://a:b%40@h/d")
    assert (parsed.password, parsed.port) == ("b@", 3306)
    assert "b@" not in repr(parsed)
