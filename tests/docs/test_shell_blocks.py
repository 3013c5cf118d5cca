"""The commands of the start page, the concepts and the guides, run as a reader would paste them."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import processes
from tests.databases import cloned
from tests.docs.shell import blocks, errors, pasted
from tests.server import environment, serving

pytestmark = pytest.mark.deploy


@pytest.fixture(scope="module")
def world() -> Iterator[dict[str, str]]:
    """What `gamekeeper try` prints, while it runs."""
    place = Path(tempfile.mkdtemp(prefix="gktest-", dir="/tmp"))
    place.chmod(0o1777)
    command = [
        sys.executable,
        "-m",
        "gamekeeper",
        "try",
        "--players",
        "50",
        "--days",
        "1",
        "--json",
    ]
    env = os.environ | {"TMPDIR": str(place)}
    with processes.running(command, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())
    shutil.rmtree(place)


def test_the_start_page(world, tmp_path):
    commands = blocks("start/index.md", "## 4. Call the API")
    commands = [block.replace("--ticks 20", "--ticks 2") for block in commands]

    said = pasted(commands, tmp_path, URL=world["url"], KEY=world["key"])

    assert errors(said) == []
    assert '"quantity":{"total"' in said
    assert "2 ticks, " in said


def test_the_guide_for_game_servers(world, tmp_path):
    said = pasted(blocks("guides/game-server.md"), tmp_path, URL=world["url"], KEY=world["key"])

    assert errors(said) == []
    assert '"Fence":' in said
    assert '"Status":200' in said


def test_the_guide_for_websites(world, tmp_path):
    database = {"GAMEKEEPER_DATABASE_URL": world["databaseUrl"]}
    imposed = pasted(
        ["gamekeeper sanctions impose mute ana --for 1h --reason spam --json"], tmp_path, **database
    )
    code = json.loads(imposed)["Code"]
    commands = [block.replace("7H3K-9QXM", code) for block in blocks("websites.md")]

    said = pasted(commands, tmp_path, URL=world["url"], KEY=world["key"])

    assert errors(said) == []
    assert '"Username":"mira42"' in said
    assert '"quantity":{"total"' in said
    assert '"Appeals":[' in said


def test_the_concepts(world, tmp_path):
    commands = [
        *blocks("concepts/history.md"),
        *blocks("concepts/events.md"),
        *blocks("concepts/guilds.md"),
        *blocks("concepts/sanctions.md"),
    ]
    database = {"GAMEKEEPER_DATABASE_URL": world["databaseUrl"]}

    said = pasted(commands, tmp_path, URL=world["url"], KEY=world["key"], **database)

    assert errors(said) == []
    assert '"Inventory":' in said or '"inventory":' in said
    assert '"Seq":3' in said
    assert "Larkspur Court" in said


def test_the_history(world, tmp_path):
    """As of a game that has a key of that name."""
    key = "gamekeeper keys create shop"
    database = {"GAMEKEEPER_DATABASE_URL": world["databaseUrl"]}

    said = pasted([key, *blocks("operate/history.md")], tmp_path, **database)

    assert "Ledger verified" in said


def test_the_doctor(world, tmp_path):
    [command] = blocks("operate/doctor.md")
    database = {"GAMEKEEPER_DATABASE_URL": world["databaseUrl"]}

    # A trial has development keys, which are not right; every check has an answer all the same.
    said = pasted([f"{command.strip()} --json || test $? = 1"], tmp_path, **database)

    assert len(json.loads(said)["findings"]) > 10


async def test_a_world_of_ones_own(tmp_path):
    async with cloned("template1") as settings:
        ours = environment(settings)
        before = blocks("start/own-world.md", "## 1. Create a database")
        after = blocks("start/own-world.md", "## 4. Create the owner")
        pasted(before[: -len(after)], tmp_path, **ours)
        with serving(settings, tmp_path / "log") as (url, _):
            said = pasted(after, tmp_path, **(ours | {"GAMEKEEPER_PUBLIC_URL": url, "URL": url}))

    assert errors(said) == []
    assert f"{url}/console/sign-in#link=gkl_" in said
    assert "Mira Vale" in said
    assert "10 ticks, 0 refused, 0 unsent" in said
