"""The reads of a large world: each is asked, timed, and held against its limits."""

import json
import sys
from pathlib import Path

import pytest

from bench import fixture
from bench.fixture import Wanted
from bench.programs import Figures
from bench.reads import Read
from tests import processes
from tests.databases import SERVER

pytestmark = pytest.mark.torture

ROOT = Path(__file__).parents[2]
WANTED = Wanted(server=SERVER, players=200, items=0, keep=False)


async def test_a_short_run_times_each_path_by_one_caller_and_by_sixteen():
    async with fixture.database(WANTED) as settings:
        await fixture.fill(settings, WANTED, lambda step, done, total: None)
        command = [sys.executable, "-m", "bench.reads", settings.database_url, "--json"]
        command += ["--rounds", "1", "--seconds", "1", "--only", "/items"]
        run = processes.run(command, cwd=ROOT, timeout=300)

    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)["reads"]
    assert [read["path"] for read in found] == [
        "/players/{player}/items",
        "/players/{player}/items/changes?from={past}",
        "/players/{player}/items?at={past}",
        "/economy/items",
    ]
    for read in found:
        assert read["alone"]["fault"] is None
        assert read["together"]["fault"] is None
        assert 0 < read["alone"]["p50"] <= read["alone"]["p99"]


def test_a_read_that_is_slow_or_refused_is_over_the_limit():
    fast = Figures(requests=1, rate=1, p50=199, p99=999)

    assert Read(path="/", alone=fast, together=fast).over == ""
    slow = Figures(requests=1, rate=1, p50=201, p99=1001)
    over = Read(path="/", alone=slow, together=slow).over
    assert over == "one caller: over 200 ms, 16 callers: p99 over 1000 ms"
    refused = Figures(fault="3 answers were not 2xx")
    assert Read(path="/", alone=fast, together=refused).over == "3 answers were not 2xx"
