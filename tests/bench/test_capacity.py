"""The cost of a request: what is measured, and what is made of it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.usage import Usage, cpu_seconds
from tests import processes
from tests.databases import SERVER

pytestmark = pytest.mark.torture

ROOT = Path(__file__).parents[2]
BURNED = 0.3
BURN = f"import time\nwhile time.process_time() < {BURNED}: pass"


def test_a_short_run_has_the_cost_of_reads_and_of_changes():
    command = [sys.executable, "-m", "bench.capacity", "--server", SERVER, "--json"]
    command += ["--players", "200", "--seconds", "2", "--connections", "4", "--only", "by-id,give"]

    run = processes.run(command, cwd=ROOT, timeout=300)

    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)
    read, change = told["costs"]
    assert (read["case"], change["case"]) == ("by-id", "give")
    assert read["requests"] > 0
    assert read["service"] > 0
    assert read["postgresql"] > 0
    # Other tests write to the same server, so its CPU and WAL say nothing here.
    assert {"actions", "postings", "replies"} <= {*change["grown"]}
    assert "actions" not in read["grown"]


def test_an_unknown_kind_is_refused_before_anything_is_done():
    command = [sys.executable, "-m", "bench.capacity", "--server", SERVER, "--only", "fishing"]

    run = processes.run(command, cwd=ROOT)

    assert run.returncode == 2
    assert "there is no 'fishing'" in run.stderr


def test_cpu_time_of_processes_that_ended_counts():
    command = ["sh", "-c", '"$0" -c "$1"; echo ended; sleep 600', sys.executable, BURN]
    process = processes.start(command, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ended\n"
        spent = cpu_seconds(process.pid)
    finally:
        processes.kill(process)
        process.stdout.close()

    # The kernel counts in ticks of some milliseconds.
    assert spent > BURNED / 2


def test_what_is_used_anyway_does_not_count():
    before = Usage(service=2, postgresql=1, background=1, worker=3, wal=100, sizes={"a": 8192})
    after = Usage(
        service=4, postgresql=4, background=3, worker=5, wal=1100, sizes={"a": 16384, "new": 10}
    )
    idle = Usage(service=1, postgresql=1, background=0.1, worker=0.2, wal=50, sizes={})

    used = after.since(before, idle, seconds=10)

    # What answers requests is idle without them.
    assert (used.service, used.postgresql) == (2, 3)
    assert (used.background, used.worker, used.wal) == (1.0, 0.0, 500)
    assert used.sizes == {"a": 8192, "new": 10}
