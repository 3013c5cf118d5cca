"""`gamekeeper …` as a person types it: a process of its own."""

import subprocess
import sys

from gamekeeper.core.settings import Settings
from tests import processes
from tests.server import environment


def gamekeeper(
    settings: Settings, *words: str, typed: str = "", **env: str
) -> subprocess.CompletedProcess[str]:
    """Run a command with `typed` on its standard input."""
    # Help is laid out for the width of the terminal; in tests it should not depend on ours.
    more = {"COLUMNS": "200", "NO_COLOR": "1"} | env
    command = [sys.executable, "-m", "gamekeeper", *words]
    return processes.run(command, typed=typed, env=environment(settings, **more))
