"""`gamekeeper …` as a person types it: a process of its own."""

import subprocess
import sys

from gamekeeper.core.settings import Settings
from tests import forks, processes
from tests.server import environment

STAYS = {"serve", "worker", "try"}
"""Commands that start processes and threads of their own, which a fork must not share."""


def gamekeeper(
    settings: Settings, *words: str, typed: str = "", **env: str
) -> subprocess.CompletedProcess[str]:
    """Run a command with `typed` on its standard input."""
    # Help is laid out for the width of the terminal; in tests it should not depend on ours.
    more = environment(settings, **({"COLUMNS": "200", "NO_COLOR": "1"} | env))
    if STAYS.intersection(words):
        command = [sys.executable, "-m", "gamekeeper", *words]
        return processes.run(command, typed=typed, env=more)
    return forks.run(words, typed=typed, env=more)
