"""A killed `serve` leaves no children, and a second one does not join the first (attack 24)."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.security.test_slow_readers import children
from tests.server import environment, serving

pytestmark = pytest.mark.deploy


async def test_a_killed_parent_leaves_no_children(settings, tmp_path):
    with serving(settings, tmp_path / "log", "--workers", "2") as (_, process):
        left = children(process.pid)
        assert len(left) == 2
        process.send_signal(signal.SIGKILL)
        process.wait(10)
        deadline = time.monotonic() + 5
        while any(alive(child) for child in left) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not any(alive(child) for child in left)


async def test_a_port_that_is_taken_is_not_shared(settings, tmp_path):
    with serving(settings, tmp_path / "log") as (url, _):
        second = subprocess.run(
            [sys.executable, "-m", "gamekeeper", "serve", "--port", str(urlsplit(url).port)],
            env=environment(settings),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert second.returncode == 1
    assert "Address already in use" in second.stderr
    assert "Traceback" not in second.stderr


def alive(pid: int) -> bool:
    """A process that has ended and was not collected yet is not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
