"""Nothing that somebody else wrote reaches the operator's terminal unescaped (attack 21)."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

import gamekeeper.cli
from gamekeeper.cli import terminal
from gamekeeper.core.escapes import escaped
from gamekeeper.players import items
from tests.cli.command import gamekeeper as run
from tests.make import BY, make_item, make_player
from tests.server import environment

NASTY = "\x1b[2J\x1b[31mALL\x07 IS\r WELL\nroot\x9b1m\u202egpj\u2066\u200bx\x7f\u2028\U000e0041end"
SHOWN = r"\x1b[2J\x1b[31mALL\x07 IS\r WELL\nroot\x9b1m\u202egpj\u2066\u200bx\x7f\u2028\U000e0041end"
STREAMS = {"stdout", "stderr"}
DOORS = sorted(Path(gamekeeper.cli.__file__).parent.rglob("*.py"))


def is_safe(text: str) -> bool:
    return all(char.isprintable() or char == "\n" for char in text)


def test_what_is_not_printable_is_escaped_and_the_rest_is_not():
    assert escaped(NASTY) == SHOWN
    for text in ("Ana Lyra", "名前 Zoë", "O'Neil [bold]x[/]", "a•••@e•••.org", "… →"):
        assert escaped(text) == text
    assert escaped("a\nb", keep="\n") == "a\nb"


def test_sentences_tables_warnings_and_marked_lines_are_escaped(capsys):
    terminal.say("before", NASTY, "after")
    terminal.say_marked("+", "green", NASTY)
    terminal.show_table(["name", "reason"], [["ana", NASTY]])
    terminal.warn(NASTY)

    out, err = capsys.readouterr()
    lines = [line.strip() for line in out.splitlines()]
    assert lines == ["before", SHOWN, "after", f"+ {SHOWN}", lines[4], f"ana   {SHOWN}"]
    # Of a warning the lines are its own.
    assert err == SHOWN.replace(r"\n", "\n") + "\n"


def test_json_stays_json_and_has_nothing_raw_in_it(capsys):
    value = {"reason": NASTY, "name": "名前"}
    terminal.show_json(value)

    out = capsys.readouterr().out
    assert json.loads(out) == value
    assert is_safe(out)
    assert "名前" in out


async def test_a_reason_is_shown_escaped_by_the_command(database):
    await make_player(database, "ana")
    potion = await make_item(database)
    by = replace(BY, reason=NASTY)
    await items.give.one(database, items.Gift(by=by, player="ana", item_id=potion, quantity=1))

    plain = run(database.settings, "actions", "list")
    shown = run(database.settings, "actions", "list", "--json")

    assert SHOWN in plain.stdout
    assert is_safe(plain.stdout)
    assert is_safe(shown.stdout)
    [entry, *_] = json.loads(shown.stdout)["Values"]
    assert entry["Reason"] == NASTY


LOGGING = """
import sys, structlog
from gamekeeper.core.observability import logging
from gamekeeper.core.settings import Settings
logging.configure(Settings.read())
structlog.get_logger().warning("told", name=sys.argv[1])
about = dict(route="unknown", status=404, ms=1.0, request_id="1", caller=None, address="::1")
logging.served(logging.Served(method="GET", path="/x" + sys.argv[1], **about))
"""


@pytest.mark.parametrize("form", ["console", "json"])
async def test_log_lines_are_escaped(settings, form):
    """In a process of its own, as a log is written."""
    done = subprocess.run(
        [sys.executable, "-c", LOGGING, NASTY],
        env=environment(settings) | {"GAMEKEEPER_LOG_FORMAT": form},
        capture_output=True,
        check=True,
        timeout=120,
    )
    written = done.stderr.decode()

    # The colours of the console form are our own.
    plain = re.sub(r"\x1b\[\d+m", "", written.replace("\x1b[31mALL", "NOT OURS"))
    assert "NOT OURS" not in plain
    assert is_safe(plain)
    assert written.count("\n") == 2


def test_only_the_terminal_module_writes_to_the_terminal():
    """A print elsewhere would go round the escaping."""
    found = [
        f"{file.name}:{node.lineno}"
        for file in DOORS
        if file.name != "terminal.py"
        for node in ast.walk(ast.parse(file.read_text()))
        if _writes(node)
    ]
    assert found == []


def _writes(node: ast.AST) -> bool:
    """Whether it prints, makes a console, takes a stream, or exits with words."""
    if isinstance(node, ast.Attribute):
        owner = node.value
        return isinstance(owner, ast.Name) and owner.id == "sys" and node.attr in STREAMS
    if not isinstance(node, ast.Call):
        return False
    called = getattr(node.func, "id", None) or getattr(node.func, "attr", None)
    silent = called == "exit" and all(isinstance(argument, ast.Constant) for argument in node.args)
    return called in {"print", "echo", "secho", "Console", "exit"} and not silent
