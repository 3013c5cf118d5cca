"""The commands of the start page and of the guides, run as a reader would paste them."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import processes
from tests.databases import cloned
from tests.deadlines import PATIENCE
from tests.server import environment, serving

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients/python/src"
PREPARED = re.compile(
    r"^(export (URL|KEY|GAMEKEEPER_DATABASE_URL)=(http|gk_|postgresql).*"
    r"|sudo .*|pip .*|\. \.venv.*|gamekeeper (serve|worker|try))$",
    re.MULTILINE,
)
"""Lines that only prepare: what they would set, install or start is there."""

pytestmark = pytest.mark.deploy


def blocks(page: str, begin: str = "") -> list[str]:
    """The shell blocks of a page, from a heading on."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    found = re.findall(r"^```sh\n(.*?)^```", text[text.index(begin) :], re.MULTILINE | re.DOTALL)
    return [PREPARED.sub("true", block) for block in found]


def pasted(commands: list[str], folder: Path, **env: str) -> str:
    """What a shell says to all of them, one after the other; the first failure is the last."""
    # A shell finds our commands as it does in an activated environment.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    given = os.environ | env | {"PATH": path, "HOME": str(folder), "PYTHONPATH": str(CLIENT)}
    script = "\n".join(["set -euo pipefail", *commands])
    done = subprocess.run(
        ["bash", "-c", script],
        env=given,
        cwd=ROOT,
        timeout=PATIENCE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


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
    commands = blocks("index.md", "## 4. Call the API")
    commands = [block.replace("--ticks 20", "--ticks 2") for block in commands]

    said = pasted(commands, tmp_path, URL=world["url"], KEY=world["key"])

    assert '"Code"' not in said
    assert '"quantity":{"total"' in said
    assert "2 ticks, " in said


def test_the_guide_for_game_servers(world, tmp_path):
    said = pasted(blocks("guides/game-server.md"), tmp_path, URL=world["url"], KEY=world["key"])

    assert '"Code"' not in said
    assert '"Fence":' in said
    assert '"Status":200' in said


async def test_a_world_of_ones_own(tmp_path):
    page = "start/own-world.md"
    async with cloned("template1") as settings:
        ours = environment(settings)
        before = blocks(page, "## 1. A database")
        after = blocks(page, "## 4. The owner")
        pasted(before[: -len(after)], tmp_path, **ours)
        with serving(settings, tmp_path / "log") as (url, _):
            said = pasted(after, tmp_path, **(ours | {"GAMEKEEPER_PUBLIC_URL": url, "URL": url}))

    assert '"Code"' not in said
    assert f"{url}/console/sign-in#link=gkl_" in said
    assert "Mira Vale" in said
    assert "10 ticks, 0 refused, 0 unsent" in said
