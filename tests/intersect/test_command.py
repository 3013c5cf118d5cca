"""`gamekeeper import intersect` as somebody types it, and the passwords it brings."""

import asyncio
import json
import os
import signal
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from gamekeeper.auth.secrets import Vault, is_record
from gamekeeper.transfer.intersect.workspace import PREFIX
from gamekeeper.users import stretch
from tests import processes
from tests.cheap_passwords import cheap_passwords
from tests.cli.command import gamekeeper
from tests.intersect.games import Game, named, sha
from tests.intersect.worlds import bring, make_game
from tests.processes import PATIENCE
from tests.server import environment
from tests.transfer.worlds import assert_whole, exported_people

TOKEN = "/api/oauth/token"


@pytest.mark.torture
async def test_the_command_says_what_comes_and_then_brings_it(settings, database, tmp_path):
    game = make_game(tmp_path / "game", "0.7.0")
    game.user("ANA", Email="ana@example.com")
    folder, file = str(game.close()), tmp_path / "report.json"

    tried = gamekeeper(settings, "import", "intersect", "--sqlite", folder, "--dry-run")
    assert await database.reader.value("SELECT count(*) FROM items") == 0
    words = ("import", "intersect", "--sqlite", folder, "--reason", "the move")
    done = gamekeeper(settings, *words, "--report", str(file))
    again = gamekeeper(settings, *words)
    asked = json.loads(gamekeeper(settings, *words, "--json").stdout)
    status = gamekeeper(settings, "import", "status")

    assert tried.returncode == done.returncode == again.returncode == 0, done.stderr
    assert "Dry run: nothing was written." in tried.stdout
    assert "Accounts renamed (1):" in tried.stdout
    assert "ANA: ANA2" in done.stdout
    assert "Ledger and audit log are verified." in done.stdout
    assert "No changes: everything was already imported." in again.stdout
    assert asked["users"] == {"added": 0, "changed": 0, "unchanged": 3}
    report = json.loads(file.read_text())
    assert report["counts"]["account_renamed"] == 1
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "3 passwords: 3 imported and not re-hashed yet" in status.stdout
    reason = "SELECT reason FROM actions WHERE kind = 'players.import' LIMIT 1"
    assert await database.reader.value(reason) == "the move"
    assert not list(Path(tempfile.gettempdir()).glob(f"{PREFIX}*/game.jsonl"))


async def test_what_cannot_be_read_is_said_in_a_sentence(settings, tmp_path):
    words = ("import", "intersect")
    nothing = gamekeeper(settings, *words)
    missing = gamekeeper(settings, *words, "--sqlite", str(tmp_path / "no"))
    zone = gamekeeper(settings, *words, "--sqlite", str(tmp_path), "--time-zone", "Mars/Olympus")

    for done in (nothing, missing, zone):
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
    assert "--sqlite DIR or --mysql URL" in nothing.stderr
    assert "no playerdata.db" in missing.stderr
    assert "Europe/Berlin" in zone.stderr


# ── Passwords ──


async def signed_in(client, name: str, password: str) -> int:
    body = {"grant_type": "password", "username": name, "password": sha(password)}
    return (await client.post(TOKEN, json=body)).status_code


async def records(database) -> dict:
    rows = await database.reader.rows("SELECT user_id, sealed FROM passwords")
    return {row["user_id"]: row["sealed"] for row in rows}


@pytest.fixture
def cheap() -> Iterator[None]:
    with cheap_passwords():
        yield


@pytest.mark.usefixtures("cheap")
@pytest.mark.parametrize("stretched", [False, True])
async def test_old_passwords_are_accepted_and_their_records_renewed(
    settings, database, client, tmp_path, stretched
):
    folder = make_game(tmp_path / "game", "0.6").close()
    await bring(settings, folder)
    ana, bo = named("user Ana"), named("user Bo")
    if stretched:
        done = await stretch.stretch_imported(database, Vault(settings), asyncio.Event())
        assert done == 2
        assert all(record.startswith("i1$") for record in (await records(database)).values())
        assert all(map(is_record, (await records(database)).values()))
        # Nobody signs in with what the old game stored, also not under another word.
        kept = (await records(database))[ana]
        forged = kept.rpartition("$")[0].replace("i1$", "v1$")
        assert not await Vault(settings).verify(ana, forged, b"\x01" * 32)

    assert await signed_in(client, "ana", "wrong") == 400
    assert await signed_in(client, "ana", "secret of Ana") == 200

    now = await records(database)
    assert now[ana].startswith("v1$")
    assert now[bo].startswith("i1$" if stretched else "sha256$")
    assert await signed_in(client, "ana", "secret of Ana") == 200
    assert not (await bring(settings, folder)).is_change
    assert await records(database) == now
    found = await stretch.find_progress(database.reader)
    assert (found.encrypted, found.stretched, found.ordinary) == (1 - stretched, stretched, 1)
    await assert_whole(settings)


@pytest.mark.usefixtures("cheap")
async def test_a_password_changed_there_replaces_a_stretched_one_but_not_one_used_here(
    settings, database, client, tmp_path
):
    game = make_game(tmp_path / "game", "0.8b")
    ana = named("user Ana")
    game.players.execute("DELETE FROM Bans")
    await bring(settings, game.save())
    await stretch.stretch_imported(database, Vault(settings), asyncio.Event())
    new = Game(tmp_path / "other", "0.8b")
    new.user("Ana", "a new one")
    new.user("Bo", "another one")
    rows = new.players.execute("SELECT Id, Password FROM Users").fetchall()
    assert await signed_in(client, "Bo", "secret of Bo") == 200
    for own, password in rows:
        game.players.execute("UPDATE Users SET Password = ? WHERE Id = ?", (password, own))

    await bring(settings, game.close())

    assert (await records(database))[ana].startswith("sha256$")
    assert await signed_in(client, "Ana", "a new one") == 200
    assert await signed_in(client, "Bo", "secret of Bo") == 200


async def test_a_pause_of_the_worker_stops_the_stretching(settings, database, tmp_path):
    await bring(settings, make_game(tmp_path / "game", "0.6").close())
    stop = asyncio.Event()
    stop.set()
    assert await stretch.stretch_imported(database, Vault(settings), stop) == 0


# ── Killed in the middle ──


@pytest.mark.torture
async def test_an_import_that_was_killed_goes_on_where_it_was(settings, database, tmp_path):
    game = Game(tmp_path / "game")
    game.catalog()
    count = 9_000
    for number in range(count):
        player = game.player(f"Hero {number}", game.user(f"user{number}"))
        game.held("Player_Items", player, 1, "coin", number + 1)
    words = ["import", "intersect", "--sqlite", str(game.close())]
    folder = tmp_path / "tmp"
    folder.mkdir()
    env = environment(settings, TMPDIR=str(folder))
    process = processes.start([sys.executable, "-m", "gamekeeper", *words], env=env)
    sql = "SELECT count(*) FROM players"
    try:
        await _until(settings, sql, process)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)
    finally:
        processes.kill(process)
    there = await database.reader.value(sql)
    left = list(folder.glob(f"{PREFIX}*"))
    again = gamekeeper(settings, *words, "--json", TMPDIR=str(folder))

    assert 0 < there < count
    assert (len(left), list(folder.glob(f"{PREFIX}*"))) == (1, [])
    assert again.returncode == 0, again.stderr
    found = json.loads(again.stdout)["players"]
    assert found["added"] + found["unchanged"] == count
    assert found["changed"] == 0
    assert len(await exported_people(settings)) == 2 * count
    await assert_whole(settings)


async def _until(settings, sql: str, process) -> None:
    """Some are there, and the import still runs."""
    connection = await asyncpg.connect(settings.database_url)
    try:
        deadline = time.monotonic() + PATIENCE
        while not await connection.fetchval(sql):
            assert process.poll() is None
            assert time.monotonic() < deadline
            await asyncio.sleep(0.01)
    finally:
        await connection.close()
