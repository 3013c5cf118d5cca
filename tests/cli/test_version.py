"""`gamekeeper --version` and `gamekeeper version`, and completion in the shell."""

import json
import platform
import sys
from pathlib import Path

import gamekeeper as gamekeeper_package
from gamekeeper.db.schema_files import OLDEST, numbered
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
    # The shell is found among the parent processes: without a bash of our own it would be the
    # shell that runs the tests. Bash stays a parent only if another command follows.
    script = processes.run(
        ["bash", "-c", '"$0" --show-completion; exit', program], env=environment(settings)
    )
    typed = {"COMP_WORDS": "gamekeeper mi", "COMP_CWORD": "1"}
    asked = environment(settings, _GAMEKEEPER_COMPLETE="complete_bash", **typed)
    done = processes.run([program], env=asked)

    assert "_GAMEKEEPER_COMPLETE=complete_bash" in script.stdout
    assert (done.returncode, done.stdout.split()) == (0, ["migrate"])


def test_the_command_tells_programs_what_is_installed(settings):
    done = gamekeeper(settings, "version", "--json", GAMEKEEPER_DATABASE_URL="")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)

    assert told.keys() == {"version", "commit", "schema", "python", "postgresql", "console"}
    said = gamekeeper(settings, "--version", GAMEKEEPER_DATABASE_URL="").stdout
    assert said == f"gamekeeper {told['version']}\n"
    assert told["schema"] == numbered()[-1][0]
    assert told["python"] == platform.python_version()
    assert told["postgresql"] == OLDEST
    # Tests run in a checkout, which changes; a wheel has noted its commit.
    assert told["commit"] is None
    console = Path(gamekeeper_package.__file__).parent / "api/static/console/index.html"
    assert told["console"] is console.exists()


def test_the_command_tells_people_the_same(settings):
    done = gamekeeper(settings, "version", GAMEKEEPER_DATABASE_URL="")

    assert (done.returncode, done.stderr) == (0, "")
    told = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert told["schema"] == numbered()[-1][0]
    assert told["commit"] == "unknown"
    assert told["postgresql"] == f"{OLDEST} or newer"
