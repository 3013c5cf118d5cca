"""Which commands change something, and that each asks for a reason where one is required."""

import inspect
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import gamekeeper.cli
from gamekeeper.auth.reasons import ReasonRequired
from gamekeeper.cli.actor import By
from gamekeeper.cli.command import Output, change, command
from gamekeeper.cli.commands import COMMANDS
from gamekeeper.cli.lazy import Commands, LazyGroup
from gamekeeper.core.errors import Invalid
from gamekeeper.core.setting_checks import NEED_REASONS
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from tests.server import environment

PROCESSES = {"serve", "worker", "try"}
"""They run until they are stopped; what they change is asked for by others."""

READ_BY_SETTINGS = {"actions verify", "doctor", "export", "ledger verify", "lists verify"}
"""They read by connections of their own, for which @command cannot refuse writes."""

OF_OPERATORS = {
    *("backup", "catalog import", "demo", "economy recount", "ledger drop", "lists rebuild"),
    *("migrate", "recovered", "restore"),
}
"""The API has no such changes, so no permission can require a reason for them."""


ALWAYS_WITH_A_REASON = {"chat private"}
"""Refused without a reason whatever the settings: tests/cli/test_chat.py."""


def _functions(commands: Commands, *path: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, entry in commands.items():
        if isinstance(entry, LazyGroup):
            yield from _functions(entry.commands, *path, name)
        else:
            module, _, attribute = entry.target.partition(":")
            found = getattr(import_module(f"gamekeeper.cli.{module}"), attribute)
            yield " ".join([*path, name]), found


ALL = dict(_functions(COMMANDS))
PERMISSIONS = {path: made.__dict__.get("permissions", ()) for path, made in ALL.items()}
CHANGES = {
    path: permissions
    for path, permissions in PERMISSIONS.items()
    if permissions and path not in ALWAYS_WITH_A_REASON
}


def test_every_command_is_declared_as_one_that_reads_or_changes():
    undeclared = {path for path, made in ALL.items() if "permissions" not in made.__dict__}
    reading = {path for path, permissions in PERMISSIONS.items() if permissions is None}
    without = {path for path, permissions in PERMISSIONS.items() if permissions == ()}

    assert undeclared == PROCESSES
    assert without - PROCESSES == OF_OPERATORS
    assert {path for path in reading if _takes_settings(ALL[path])} == READ_BY_SETTINGS
    assert len(CHANGES) > 20
    assert {each for permissions in CHANGES.values() for each in permissions} <= set(NEED_REASONS)


def _takes_settings(made: Callable[..., Any]) -> bool:
    """Whether the function that the command calls opens connections of its own."""
    call = inspect.getclosurevars(made).nonlocals["call"]
    return Settings in [each.annotation for each in call.parameters.values()]


def test_only_declared_changes_have_an_audit_context():
    """Otherwise a command could make changes in a name of its own, and need no declaration."""
    root = Path(gamekeeper.cli.__file__).parent
    found = {
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        if re.search(r"\b(COMMAND_LINE|audit_context\(|AuditContext\()", path.read_text())
    }

    # These fill the databases of a trial and of a demo.
    assert found == {"actor.py", "example_account.py", "example_staff.py", "try_.py"}


@pytest.fixture
def _environment(settings, monkeypatch):
    for name, value in environment(settings).items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize(
    ("path", "permission"),
    [(path, each) for path, permissions in CHANGES.items() for each in permissions],
)
@pytest.mark.usefixtures("_environment")
def test_a_change_asks_for_the_reason_that_its_permission_requires(path, permission, monkeypatch):
    """Before it looks at anything else: there are no arguments and no database."""
    monkeypatch.setenv("GAMEKEEPER_REQUIRED_REASONS", permission)
    for reason in ({}, {"reason": ""}, {"reason": " \n\u200b"}):
        with pytest.raises(ReasonRequired, match="Add --reason"):
            ALL[path](**reason)

    dry = "dry_run" in inspect.signature(ALL[path]).parameters
    for given in ({"reason": "ticket 12"}, *([{"dry_run": True}] if dry else [])):
        with pytest.raises((TypeError, Invalid)) as refused:
            ALL[path](**given)
        assert not isinstance(refused.value, ReasonRequired)


def test_a_command_with_an_audit_context_must_be_declared_as_a_change():
    async def give(by: By) -> Output:
        return Output(by)

    with pytest.raises(TypeError, match=r"give changes something.*@change"):
        command(give)


def test_a_change_by_a_permission_must_take_an_audit_context():
    async def give(database: Database) -> Output:
        return Output(database)

    with pytest.raises(TypeError, match=r"give takes no audit context"):
        change("players.items")(give)


@pytest.mark.usefixtures("_environment", "database")
def test_a_command_that_reads_cannot_write():
    @command
    async def show(database: Database) -> Output:
        assert await database.reader.value("SELECT 1") == 1
        return Output(await database.write(lambda writer: writer.run("SELECT 1")))

    with pytest.raises(TypeError, match="@change"):
        show()
