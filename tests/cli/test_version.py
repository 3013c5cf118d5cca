"""`gamekeeper --version`, and completion in the shell."""

import sys
from pathlib import Path

from tests import processes
from tests.cli.command import gamekeeper
from tests.server import environment


def test_the_version_is_said_without_a_database(settings):
    done = gamekeeper(settings, "--version", GAMEKEEPER_DATABASE_URL="")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("gamekeeper 0.")
    assert len(done.stdout.splitlines()) == 1


def test_the_shell_completes_commands(settings):
    """Asked as the script for bash asks, which `gamekeeper --show-completion` prints."""
    program = str(Path(sys.executable).parent / "gamekeeper")
    script = processes.run(
        [program, "--show-completion"], env=environment(settings, SHELL="/bin/bash")
    )
    typed = {"COMP_WORDS": "gamekeeper mi", "COMP_CWORD": "1"}
    asked = environment(settings, _GAMEKEEPER_COMPLETE="complete_bash", **typed)
    done = processes.run([program], env=asked)

    assert "_GAMEKEEPER_COMPLETE=complete_bash" in script.stdout
    assert (done.returncode, done.stdout.split()) == (0, ["migrate"])
