"""What tests start is ended with them, even if they are killed."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests import processes
from tests.deadlines import until

ROOT = Path(__file__).parents[1]
QUICK = {"TEST_GRACE": "0.5"}
PARENT = """
import signal, subprocess, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
sleeping = [sys.executable, "-c", "import time; time.sleep(600)"]
null = subprocess.DEVNULL
about = dict(stdout=null, stderr=null)
children = [subprocess.Popen(sleeping, start_new_session=new, **about) for new in (False, {new})]
print(*(child.pid for child in children), flush=True)
{then}
"""
TESTS = """
import sys, time
from tests import processes
processes.watch()
process = processes.start([sys.executable, "-c", sys.argv[1]])
time.sleep(600)
"""


def alive(pid: int) -> bool:
    """A zombie is not: whoever should have read its end has ended before."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def gone(pids: list[int]) -> None:
    async def none_alive() -> bool:
        return not any(map(alive, pids))

    await until(none_alive, f"{pids} are gone")


async def test_a_process_is_ended_with_the_children_it_left(tmp_path):
    """It ended by itself; its children, which nobody asked to end, are in its group."""
    said = processes.run([sys.executable, "-c", PARENT.format(new=False, then="")]).stdout

    await gone([int(pid) for pid in said.split()])


async def test_a_killed_test_process_leaves_nothing_running():
    """Not even a process that left the group, or one that does not heed SIGTERM."""
    parent = PARENT.format(new=True, then="import time; time.sleep(600)")
    tests = processes.start(
        [sys.executable, "-c", TESTS, parent],
        cwd=ROOT,
        env=os.environ | QUICK,
        stdout=subprocess.PIPE,
        text=True,
    )
    with tests:
        assert tests.stdout is not None
        pids = [int(pid) for pid in tests.stdout.readline().split()]
        assert len(pids) == 2
        tests.kill()
    await gone(pids)


async def test_what_is_still_running_is_seen():
    with processes.running([sys.executable, "-c", "import time; time.sleep(600)"]) as process:

        async def seen() -> bool:
            return process.pid in processes.left()

        # Its environment, with our mark, is there a moment after its start.
        await until(seen, f"{process.pid} is seen")
    assert process.pid not in processes.left()


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
async def test_a_cluster_ends_with_the_command_that_started_it(sent):
    told = "import os, time; print(os.environ['GAMEKEEPER_TEST_SERVER'], flush=True)"
    plain = {name: value for name, value in os.environ.items() if name != "GAMEKEEPER_TEST_SERVER"}
    with processes.running(
        [sys.executable, "-m", "tests.clusters", sys.executable, "-c", told + "; time.sleep(600)"],
        cwd=ROOT,
        env=plain | QUICK,
        stdout=subprocess.PIPE,
        text=True,
    ) as started:
        port = started.stdout.readline().rpartition(":")[2].partition("/")[0]
        postmaster, directory = _postmaster(port)
        started.send_signal(sent)
        await gone([started.pid, postmaster])
        started.stdout.close()
    # A killed process cannot remove its files.
    assert directory.exists() == (sent is signal.SIGKILL)
    shutil.rmtree(directory, ignore_errors=True)


def _postmaster(port: str) -> tuple[int, Path]:
    """The PostgreSQL that listens there, and its directory."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().decode().split("\0")
            if "-p" in words and words[words.index("-p") + 1] == port:
                return int(process.name), Path(words[words.index("-D") + 1]).parent
    raise AssertionError(f"no PostgreSQL listens on port {port}")
