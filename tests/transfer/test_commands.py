"""`gamekeeper players import` and `gamekeeper export` as somebody types them."""

import json
import os
import signal
import stat
import sys
import time
from pathlib import Path

import asyncpg
import msgspec
import pytest

from gamekeeper.demo import loader
from tests import processes
from tests.cli.command import gamekeeper
from tests.processes import PATIENCE
from tests.server import environment
from tests.transfer.worlds import (
    POTION,
    assert_whole,
    exported,
    held,
    make_catalog,
    player,
    user,
    write,
)

DOCS = Path(__file__).parents[2] / "docs"


async def test_the_sample_of_the_page_is_imported_as_the_page_says(settings, database, tmp_path):
    """Every command of docs/from-your-game.md, with the files beside it."""
    samples = DOCS / "samples"
    game = str(samples / "game.jsonl")
    catalog = gamekeeper(settings, "catalog", "import", str(samples / "catalog.json"))
    tried = gamekeeper(settings, "players", "import", game, "--dry-run")
    done = gamekeeper(settings, "players", "import", game, "--reason", "the move")
    again = json.loads(gamekeeper(settings, "players", "import", game, "--json").stdout)
    flat = gamekeeper(settings, "players", "import", str(samples / "levels.csv"), "--json")
    out = tmp_path / "out.jsonl"
    sent = gamekeeper(settings, "export", "-o", str(out), "--with-private-data")

    assert catalog.returncode == 0, catalog.stderr
    assert "Dry run: nothing was written." in tried.stdout
    assert "characters      3 " in done.stdout
    assert again["players"] == {"added": 0, "changed": 0, "unchanged": 3}
    assert again["users"] == {"added": 0, "changed": 0, "unchanged": 2}
    assert json.loads(flat.stdout)["players"] == {"added": 0, "changed": 2, "unchanged": 0}
    assert "Exported 2 accounts, 3 characters, 1 guilds, 1 sanctions" in sent.stderr
    assert len(out.read_text().splitlines()) == 8
    await assert_whole(settings)
    action = "SELECT reason FROM actions WHERE kind = 'players.import' ORDER BY id LIMIT 1"
    assert await database.reader.value(action) == "the move"


def test_every_line_of_the_page_is_a_line_of_the_sample():
    """So that what people copy from the page is what the test above imports."""
    sample = {
        msgspec.json.encode(msgspec.json.decode(line))
        for line in (DOCS / "samples" / "game.jsonl").read_bytes().splitlines()
    }
    page = (DOCS / "from-your-game.md").read_text()
    shown = [line for line in page.splitlines() if line.startswith('{"kind"')]
    assert shown
    assert {msgspec.json.encode(msgspec.json.decode(line)) for line in shown} <= sample


async def test_a_bad_file_says_line_field_and_reason_and_fails(settings, database, tmp_path):
    await make_catalog(database)
    lines = [user(), player(level=0), player("\x1b[2J"), player("Bo", bank=[held(0, POTION, 51)])]
    file = write(tmp_path / "game.jsonl", lines)

    done = gamekeeper(settings, "players", "import", str(file))
    asked = gamekeeper(settings, "players", "import", str(file), "--json")
    missing = gamekeeper(settings, "players", "import", str(tmp_path / "no.jsonl"))
    odd = gamekeeper(settings, "players", "import", str(tmp_path / "no.xml"))

    assert done.returncode == asked.returncode == missing.returncode == odd.returncode == 1
    assert "game.jsonl: line 2, level: expected 'int' >= 1" in done.stderr
    assert "game.jsonl: line 4, bank[0].quantity: is 51, but Potion stacks to 50" in done.stderr
    assert "Nothing was imported." in done.stdout
    assert [fault["line"] for fault in json.loads(asked.stdout)["faults"]] == [2, 3, 4]
    assert "is not a file" in missing.stderr
    assert "must end with .jsonl or .csv" in odd.stderr


@pytest.mark.usefixtures("schema_changes")
async def test_an_export_is_private_and_tells_secrets_only_if_asked(settings, tmp_path):
    await loader.fill(settings, players=20, seed=1)
    plain, private = tmp_path / "plain.jsonl", tmp_path / "private.jsonl"

    gamekeeper(settings, "export", "-o", str(plain))
    gamekeeper(settings, "export", "-o", str(private), "--with-private-data")
    twice = gamekeeper(settings, "export", "-o", str(plain))
    piped = gamekeeper(settings, "export")
    nowhere = gamekeeper(settings, "export", "-o", str(tmp_path / "no" / "x.jsonl"))

    assert stat.S_IMODE(plain.stat().st_mode) == stat.S_IMODE(private.stat().st_mode) == 0o600
    assert "example.com" not in plain.read_text()
    assert "sealed" not in plain.read_text()
    assert "@example.com" in private.read_text()
    assert piped.stdout == plain.read_text()
    assert (twice.returncode, nowhere.returncode) == (1, 1)
    assert "already exists" in twice.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == ["plain.jsonl", "private.jsonl"]
    # Into the same game it changes nothing.
    again = json.loads(gamekeeper(settings, "players", "import", str(plain), "--json").stdout)
    assert again["faults"] == []
    assert again["players"] == {"added": 0, "changed": 0, "unchanged": 20}


@pytest.mark.torture
async def test_an_import_that_was_killed_goes_on_where_it_was(settings, database, tmp_path):
    """SIGKILL to the process alone: those it started end with it, and each chunk is whole."""
    await make_catalog(database)
    inventory = [held(slot, POTION, 3) for slot in range(4)]
    names = [f"Ana {number}" for number in range(16_000)]
    lines = [user(), *(player(name, inventory=inventory) for name in names)]
    file = write(tmp_path / "game.jsonl", lines)
    command = [sys.executable, "-m", "gamekeeper", "players", "import", str(file)]
    count = "SELECT count(*) FROM players"

    process = processes.start(command, env=environment(settings))
    try:
        await _until(settings, count, process)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)
        await _until_alone(settings)
        there = await database.reader.value(count)
    finally:
        processes.kill(process)
    await assert_whole(settings)
    again = json.loads(gamekeeper(settings, "players", "import", str(file), "--json").stdout)

    assert 0 < there < len(names)
    assert again["players"] == {"added": len(names) - there, "changed": 0, "unchanged": there}
    assert len(await exported(settings)) == len(lines)
    await assert_whole(settings)


async def _until(settings, sql: str, process) -> None:
    """Some are there, and the import still runs."""
    connection = await asyncpg.connect(settings.database_url)
    try:
        deadline = time.monotonic() + PATIENCE
        while not await connection.fetchval(sql):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.005)
    finally:
        await connection.close()


async def _until_alone(settings) -> None:
    """No connection of the import is left: its processes have ended, or their work is over."""
    connection = await asyncpg.connect(settings.database_url)
    try:
        deadline = time.monotonic() + PATIENCE
        while await connection.fetchval(
            """
            SELECT count(*) FROM pg_stat_activity
             WHERE datname = current_database() AND application_name = 'gamekeeper import'
            """
        ):
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        await connection.close()


async def test_an_empty_file_is_imported_as_nothing(settings, tmp_path):
    empty, blank = tmp_path / "empty.jsonl", tmp_path / "blank.jsonl"
    empty.write_bytes(b"")
    blank.write_bytes(b"\xef\xbb\xbf\r\n\n  \n")
    done = [gamekeeper(settings, "players", "import", str(file)) for file in (empty, blank)]
    assert [one.returncode for one in done] == [0, 0], done
