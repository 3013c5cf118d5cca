"""The soak: some seconds of it, its figures and its plot."""

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bench import soak_report
from bench.paced import Sample
from bench.soak_report import Interval
from tests import processes
from tests.databases import SERVER

pytestmark = pytest.mark.torture

ROOT = Path(__file__).parents[2]


def test_a_short_run_has_every_figure_and_no_failure(tmp_path):
    command = [sys.executable, "-m", "bench.soak", "--server", SERVER, "--json"]
    command += [
        "--players",
        "500",
        "--minutes",
        "0.2",
        "--interval",
        "6",
        "--share",
        "0.2",
        "--connections",
        "4",
    ]

    run = processes.run([*command, "--docs", str(tmp_path)], cwd=ROOT, timeout=400)

    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)
    [_, last] = told["intervals"]
    assert last["sample"]["failures"] == {}
    assert last["sample"]["requests"] == pytest.approx(0.2 * 6 * told["highest"], rel=0.2)
    assert 0 < last["sample"]["p50"] <= last["sample"]["p99"]
    assert last["service_bytes"] > 30e6
    assert last["worker_bytes"] > 30e6
    assert last["state_bytes"] > 0
    assert "failed: none" in (tmp_path / "soak.md").read_text()
    ElementTree.parse(tmp_path / "soak.svg")


def test_the_first_quarter_is_compared_with_the_last():
    intervals = [_interval(number, memory=100e6 + number * 1e6) for number in range(8)]

    [memory] = [change for change in soak_report.changes(intervals) if "serve" in change]

    assert memory.endswith("median 100.5 in the first quarter, 106.5 in the last")


def _interval(number: int, memory: float) -> Interval:
    sample = Sample(requests=10, failures={}, seconds=60, p50=1, p99=2)
    return Interval(
        minute=number,
        sample=sample,
        service_bytes=int(memory),
        worker_bytes=1,
        lag=0,
        dead_rows=0,
        state_bytes=1,
    )
