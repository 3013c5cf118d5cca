"""Keys that everybody knows are named when something starts, and refused in production."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from gamekeeper.core.production import unfit_for_production
from gamekeeper.core.settings import Settings
from tests import forks
from tests.server import environment, free_port

ZEROS, OTHER = "00" * 32, "11" * 32
DATABASE = {"GAMEKEEPER_DATABASE_URL": "postgresql://db/game"}
PASSWORDS, ANCHOR = "GAMEKEEPER_PASSWORD_KEYS", "GAMEKEEPER_ANCHOR_KEY"
FILE = {"GAMEKEEPER_ANCHOR_FILE": "/tmp/anchors"}
OWN = {PASSWORDS: f"a:{OTHER}", "GAMEKEEPER_PUBLIC_URL": "https://x.org"}


@pytest.mark.parametrize(
    ("env", "known"),
    [
        ({}, [PASSWORDS]),
        (OWN, []),
        (OWN | FILE, [ANCHOR]),
        (OWN | FILE | {ANCHOR: OTHER}, []),
        (FILE, [PASSWORDS, ANCHOR]),
        ({PASSWORDS: f"renamed:{ZEROS}"}, [PASSWORDS]),
        ({PASSWORDS: f"a:{OTHER}, dev:{ZEROS}"}, [PASSWORDS]),
    ],
)
def test_keys_that_everybody_knows_are_found(env, known):
    settings = Settings.read(DATABASE | env)

    assert settings.development_keys == known
    faults = [fault.split()[0] for fault in unfit_for_production(settings)]
    assert [name for name in (PASSWORDS, ANCHOR) if name in faults] == known


@contextmanager
def started(settings, *words: str, **env: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "gamekeeper", *words],
        env=environment(settings) | env,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=60)


@pytest.mark.parametrize("command", ["serve", "worker"])
async def test_both_warn_of_known_keys_when_they_start(settings, command):
    port = ["--port", str(free_port())] if command == "serve" else []
    with started(settings, command, *port, **FILE) as process:
        line = next(line for line in process.stderr if "development_keys" in line)

    said = json.loads(line)
    assert (said["level"], said["settings"]) == ("warning", [PASSWORDS, ANCHOR])


@pytest.mark.parametrize("command", ["serve", "worker"])
async def test_both_refuse_known_keys_in_production(settings, command):
    done = forks.run([command, "--production"], env=environment(settings) | OWN | FILE)

    assert done.returncode == 1
    assert "GAMEKEEPER_ANCHOR_KEY is the public development key." in done.stderr
    assert "GAMEKEEPER_PASSWORD_KEYS" not in done.stderr


async def test_a_worker_with_a_key_that_is_none_does_not_start(settings):
    done = forks.run(["worker"], env=environment(settings) | {PASSWORDS: "abc"})

    assert done.returncode == 1
    assert "name:64 hex digits" in done.stderr
