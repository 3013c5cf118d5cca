"""What tests start is ended with them, even if they are killed."""

import subprocess
import sys
from pathlib import Path

from tests import processes
from tests.deadlines import until

ROOT = Path(__file__).parents[1]
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
        [sys.executable, "-c", TESTS, parent], cwd=ROOT, stdout=subprocess.PIPE, text=True
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
