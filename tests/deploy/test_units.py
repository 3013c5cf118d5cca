"""The systemd units: understood by systemd, hardened, and for commands that exist."""

import os
import re
import shutil
from pathlib import Path

import pytest

from gamekeeper.cli.commands import COMMANDS
from tests import processes

pytestmark = pytest.mark.deploy

UNITS = Path(__file__).parents[2] / "deploy" / "systemd"
PROGRAM = "/opt/gamekeeper/.venv/bin/gamekeeper"
NAMES = ["gamekeeper.service", "gamekeeper-worker.service"]
LEAST_EXPOSED = 1.5
"""On the scale of `systemd-analyze security`: 0 is nothing, 10 everything; below 2 it says OK."""


@pytest.fixture(scope="module", autouse=True)
def analyze() -> str:
    found = shutil.which("systemd-analyze")
    if found is None and "CI" not in os.environ:
        pytest.skip("there is no systemd-analyze here: apt install systemd")
    assert found
    return found


@pytest.mark.parametrize("name", NAMES)
def test_systemd_understands_every_line(analyze, name, tmp_path):
    text = (UNITS / name).read_text()
    assert PROGRAM in text
    # It looks whether the program is there.
    (tmp_path / name).write_text(text.replace(PROGRAM, "/bin/true"))

    done = processes.run([analyze, "verify", "--man=no", str(tmp_path / name)])

    assert done.returncode == 0, done.stderr
    assert name not in done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_a_unit_that_was_taken_over_can_do_little(analyze, name):
    done = processes.run([analyze, "security", "--offline=yes", "--no-pager", str(UNITS / name)])

    [score] = re.findall(r"Overall exposure level for \S+: ([0-9.]+)", done.stdout)
    assert float(score) <= LEAST_EXPOSED


@pytest.mark.parametrize("name", NAMES)
def test_its_command_exists_and_is_for_production(name):
    [line] = re.findall(r"^ExecStart=(.*)$", (UNITS / name).read_text(), re.MULTILINE)
    program, command, *options = line.split()

    assert program == PROGRAM
    assert command in COMMANDS
    assert "--production" in options


def test_the_two_are_hardened_alike():
    """They differ by what they are and what they run."""
    lines = [
        {line for line in (UNITS / name).read_text().splitlines() if line[:1] not in ("#", "")}
        for name in NAMES
    ]
    differ = {line.partition("=")[0] for line in lines[0] ^ lines[1]}
    assert differ == {"Description", "ExecStart"}
