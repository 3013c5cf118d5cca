"""Commands start fast: what a command does not need is not imported."""

import math
import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator

import pytest
import typer

from gamekeeper.cli.coercion import QuickCoercion
from gamekeeper.cli.commands import COMMANDS
from gamekeeper.cli.lazy import Commands, LazyGroup, load
from gamekeeper.core.settings import Settings
from tests.cli.command import gamekeeper
from tests.server import environment

MOST_CPU = 0.3
"""Seconds of CPU that a command may take to start."""
RUNS = 20
"""At most so many: noise only adds, so the least of some runs is near the truth."""

HELP = ("-m", "gamekeeper", "--help")
LIST = ("-m", "gamekeeper", "users", "list")
LIBRARIES = ("-c", "import typer, asyncpg")

HEAVY = {
    *("babel", "cryptography", "email_validator", "granian", "pgqueuer", "pydantic", "rich"),
    "structlog",
}

IMPORTED = """
import sys
from gamekeeper.cli import main
sys.argv = ["gamekeeper", *sys.argv[1:]]
try:
    main()
finally:
    names = {name.partition(".")[0] for name in sys.modules}
    print(*sorted(names | {name for name in sys.modules if name.startswith("gamekeeper.")}),
          file=sys.stderr)
"""


def imported(settings: Settings, *words: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, *words],
        env=environment(settings),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].split())


def test_help_imports_no_command(settings):
    for words in (["--help"], ["players", "--help"], ["users", "--help"], ["actions", "--help"]):
        found = imported(settings, *words)

        assert found.isdisjoint(HEAVY | {"asyncio", "asyncpg", "msgspec"}), words
        assert "gamekeeper.cli.players" not in found


@pytest.mark.parametrize("words", [("actions", "list"), ("keys", "list"), ("users", "list")])
async def test_a_command_imports_only_what_it_needs(settings, database, words):
    found = imported(settings, *words)

    assert found.isdisjoint(HEAVY)
    assert "asyncpg" in found
    assert not [name for name in found if name.startswith(("gamekeeper.demo", "gamekeeper.http"))]


def test_help_takes_little_cpu(settings):
    assert any(_cpu(settings, *HELP) <= MOST_CPU for _ in range(RUNS))


async def test_a_command_takes_little_cpu(settings, database):
    """
    At most twice the CPU of importing what every command with a database needs.

    Measured side by side, because a busy machine counts more CPU for the same work. This alone
    does not keep it below `MOST_CPU`: that depends on the machine.
    """
    own = bare = math.inf
    for _ in range(RUNS):
        own, bare = min(own, _cpu(settings, *LIST)), min(bare, _cpu(settings, *LIBRARIES))
        if own <= 2 * bare:
            return
    pytest.fail(f"{own:.2f} s, and importing the libraries takes {bare:.2f} s")


def _cpu(settings: Settings, *words: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *words],
        env=environment(settings),
        stdout=subprocess.DEVNULL,
        check=True,
        timeout=120,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _every_command(commands: Commands, *path: str) -> Iterator[tuple[str, str, object]]:
    for name, one in commands.items():
        if isinstance(one, LazyGroup):
            yield from _every_command(one.commands, *path, name)
        else:
            yield " ".join([*path, name]), one.help, load(name, one)


def test_the_table_says_what_the_commands_say():
    """The help of a group comes from the table, without the commands themselves."""
    found = {path: (said, command) for path, said, command in _every_command(COMMANDS)}

    assert len(found) > 20
    for path, (said, command) in found.items():
        first = " ".join(str(command.help).split("\n\n")[0].split())
        assert first == said, path


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["actions", "list", "--limit", "0"], "--limit"),
        (["actions", "list", "--limit", "1e3"], "--limit"),
        (["actions", "list", "--limit", "-5"], "--limit"),
        (["players", "give", "ana"], "Missing argument"),
        (["players", "give"], "Missing argument"),
        (["keys", "create", "x", "--days", "99999999999999999999"], "--days"),
        (["lists", "verify", "nonsense"], "nonsense"),
        (["plyers"], "Did you mean 'players'?"),
        (["players", "gve"], "Did you mean 'give'?"),
    ],
)
def test_bad_usage_is_refused_as_typer_does_it(settings, words, message):
    done = gamekeeper(settings, *words)

    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_coercion_agrees_with_typer():
    """The quick way gives what Typer's own would, or leaves it to Typer."""
    seen: dict[str, object] = {}
    app = typer.Typer(add_completion=False, rich_markup_mode=None)

    def command(
        name: str,
        number: int = typer.Argument(7, min=1, max=9),
        several: list[str] = typer.Option([], "--several"),  # noqa: B008
        maybe: int | None = typer.Option(None, "--maybe"),
        parsed: str = typer.Option("x", parser=str.upper),
    ) -> None:
        seen.update(locals())

    app.command()(command)
    for quick in (False, True):
        for words in (
            ["ana"],
            ["ana", "3", "--several", "a", "--several", "b", "--maybe", "-4", "--parsed", "y"],
            ["", "9", "--maybe", "0012"],
        ):
            made = typer.main.get_command(app)
            if quick:
                for parameter in made.params:
                    parameter.process_value = QuickCoercion(parameter)
            made.main(words, standalone_mode=False)
            key = os.fspath("/".join(words))
            values = {name: seen[name] for name in ("name", "number", "several", "maybe", "parsed")}
            assert seen.setdefault(key, values) == values, words


def test_help_has_no_types_of_python():
    """A person who gives potions needs no `{ITEM}`, `[[ID]]`, `<int range>` or `<list[str]>`."""
    found = [(path, command) for path, _, command in _every_command(COMMANDS)]
    found += [
        (f"{path} {name}", below)
        for path, command in found
        for name, below in getattr(command, "commands", {}).items()
    ]
    assert len(found) > 40
    for path, command in found:
        with typer.Context(command, info_name=path) as context:
            text = command.get_help(context)

        assert not re.search(r"\{[A-Z]|\[\[|<(str|int|list|path|uuid|UUID|bool)", text), text
