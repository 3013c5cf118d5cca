"""The reference of the command line: usage, help and options of every command."""

import re
from collections.abc import Iterator
from typing import Any

from gamekeeper.cli.commands import COMMANDS
from gamekeeper.cli.lazy import load
from tools.documentation.text import cell, plain, table

PROGRAM = "gamekeeper"
VERBATIM = "\b"
"""Before a paragraph that Typer prints as it is."""


INTRODUCTION = """\
# Command line

Every command, with the text of its `--help`. Commands other than `try` need
`GAMEKEEPER_DATABASE_URL`, and whoever has that URL may do everything. `gamekeeper
--install-completion` teaches your shell the names. [Staff at a terminal](../staff.md) shows the
commands for helping players by task.
"""


def pages() -> dict[str, str]:
    return {"reference/cli.md": _page()}


def _page() -> str:
    rows = [
        (f"[`{PROGRAM} {name}`](#{name})", cell(command.help)) for name, command in COMMANDS.items()
    ]
    lines = [INTRODUCTION, *table(["Command", "What it does"], rows)]
    for name, command in COMMANDS.items():
        lines += _command([name], load(name, command))
    return "\n".join(lines)


def _command(path: list[str], command: Any) -> list[str]:
    """A command, or a group and all that is below it."""
    title = " ".join(path)
    lines = [f"{'#' * (len(path) + 1)} {title} {{ #{'-'.join(path)} }}", ""]
    lines += _prose(command.help or "")
    below = dict(_below(command))
    if below:
        for name, each in below.items():
            lines += _command([*path, name], each)
        return lines
    context = command.context_class(command, info_name=f"{PROGRAM} {title}")
    usage = " ".join([f"{PROGRAM} {title}", *command.collect_usage_pieces(context)])
    lines += ["```text", usage, "```", ""]
    records = [
        record
        for parameter in command.get_params(context)
        if (record := parameter.get_help_record(context)) and record[0] != "--help"
    ]
    rows = [(f"`{name}`".replace("|", "\\|"), cell(text)) for name, text in records]
    return [*lines, *table(["Option", "Meaning"], rows)]


def _below(command: Any) -> Iterator[tuple[str, Any]]:
    """The commands of a group."""
    if not hasattr(command, "list_commands"):
        return
    context = command.context_class(command, info_name=command.name)
    for name in command.list_commands(context):
        _, found, _ = command.resolve_command(context, [name])
        yield name, found


def _prose(text: str) -> list[str]:
    """Help as Markdown: what Typer does not wrap is code."""
    lines: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text.replace("\f", "").strip()):
        if paragraph.startswith(VERBATIM):
            lines += ["```text", paragraph.removeprefix(VERBATIM).strip("\n"), "```", ""]
        else:
            lines += [plain(paragraph), ""]
    return lines
