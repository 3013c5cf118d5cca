"""What fails a run although every assertion holds."""

import os
import re
import sys
from pathlib import Path

import pytest

from tests import processes

ROOT = Path(__file__).parents[1]
ENDED = re.compile(r"^(PASSED|FAILED|ERROR) \S*::(\w+)", re.MULTILINE)
SETUP = """
from tests import processes

processes.watch()
processes.GRACE = 0.3
pytest_plugins = ["tests.guards"]


def pytest_configure():
    from tests import guards

    guards.LONGEST_SECONDS = 0.3
"""
TESTS = """
import asyncio, gc, sys, time
import pytest
from tests import processes


@pytest.fixture
def idle_machine(monkeypatch):
    monkeypatch.setattr("os.getloadavg", lambda: (0.0, 0.0, 0.0))
    monkeypatch.setattr("tests.guards._processor_time", lambda: (0, 0))


def test_slow(idle_machine):
    time.sleep(0.4)


def test_slow_once(idle_machine, runs=[]):
    runs.append(1)
    time.sleep(0.4 if len(runs) == 1 else 0)


@pytest.mark.torture
def test_slow_in_a_lane():
    time.sleep(0.4)


@pytest.fixture(scope="session")
def world():
    time.sleep(0.4)


def test_slow_world_of_a_session(world):
    pass


async def test_task():
    asyncio.create_task(asyncio.sleep(60))


async def test_task_that_ended():
    await asyncio.create_task(asyncio.sleep(0))


@pytest.fixture(scope="session")
async def worker():
    wake = asyncio.Event()

    async def work():
        await wake.wait()
        await asyncio.gather(asyncio.sleep(60))

    working = asyncio.create_task(work())
    yield wake
    working.cancel()


async def test_task_of_a_worker_that_stays(worker):
    worker.set()
    await asyncio.sleep(0.01)


@pytest.mark.timeout(0.5)
@pytest.mark.torture
async def test_hanging():
    await asyncio.sleep(60)


class Broken:
    def __del__(self):
        raise ValueError


def test_unraisable():
    Broken()
    gc.collect()


@pytest.mark.torture
def test_process():
    processes.start([sys.executable, "-c", "import time; time.sleep(60)"])
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """How each of these tests ended."""
    folder = tmp_path_factory.mktemp("guards")
    (folder / "conftest.py").write_text(SETUP)
    (folder / "test_bad.py").write_text(TESTS)
    about = ["-c", "pyproject.toml", "--rootdir", str(folder), "-p", "no:cacheprovider", "-rA"]
    # Hypothesis and Schemathesis take seconds to import.
    plugins = ["-p", "pytest_asyncio.plugin", "-p", "pytest_timeout"]
    done = processes.run(
        [sys.executable, "-m", "pytest", *about, *plugins, str(folder)],
        cwd=ROOT,
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""},
    )
    found: dict[str, set[str]] = {}
    for outcome, test in re.findall(
        r"^(PASSED|FAILED|ERROR) \S*::(\w+)", done.stdout, re.MULTILINE
    ):
        found.setdefault(test, set()).add(outcome)
    assert done.returncode == 1, done.stdout
    return found


@pytest.mark.parametrize("name", ["slow", "hanging", "unraisable"])
def test_a_test_fails_that_is(outcomes, name):
    assert "FAILED" in outcomes[f"test_{name}"]


@pytest.mark.parametrize("name", ["task", "process"])
def test_a_test_fails_that_leaves_behind_a(outcomes, name):
    assert "ERROR" in outcomes[f"test_{name}"]


@pytest.mark.parametrize(
    "name",
    [
        "slow_once",
        "slow_in_a_lane",
        "slow_world_of_a_session",
        "task_that_ended",
        "task_of_a_worker_that_stays",
    ],
)
def test_these_pass(outcomes, name):
    assert outcomes[f"test_{name}"] == {"PASSED"}
