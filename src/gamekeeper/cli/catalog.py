"""``gamekeeper catalog``: what exists in the game, brought in from files."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gamekeeper.catalog import files, importing
from gamekeeper.cli.options import DryRun
from gamekeeper.cli.terminal import AsJson, show_json, with_database
from gamekeeper.operations import COMMAND_LINE

catalog = typer.Typer(
    name="catalog",
    help="What exists in the game: items, spells, player variables, classes.",
    no_args_is_help=True,
)

# Some imports change thousands of things; a person reads the first few.
MOST_SHOWN = 50


@catalog.callback()
def _group() -> None:
    """Keeps `import` a command of its own while it is the only one."""


@catalog.command("import")
def bring(
    file: Annotated[
        Path, typer.Argument(help="A .json or .toml file.", show_default=False, metavar="FILE")
    ],
    *,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """
    Bring items, spells, variables and classes in from a file.

    The file has up to four lists, named so. Each entry needs an id, which is
    a guid that you choose once and keep, and a name:

        {"items": [{
            "id": "0b4a4ab0-6d1c-4d60-9a51-f7a5a3c1a001",
            "name": "Health Potion", "type": "consumable",
            "stackable": true, "inventory_stack": 20, "bank_stack": 100
        }]}

    An item is of type none, equipment, consumable, currency, spell, event or
    bag; a variable of type boolean, integer, string or number.

    Entries with a new id are added, those with a known id are changed to what
    the file says, and what the file does not mention stays. The second import
    of the same file changes nothing.

    The whole file is checked first; it is brought in as a whole or not at all.
    """
    wanted = files.read(file)
    changes = with_database(
        lambda database: importing.bring(database, wanted, COMMAND_LINE, dry_run=dry_run)
    )
    if as_json:
        show_json({"dry_run": dry_run, "tables": _for_programs(changes)})
    else:
        _show(changes, dry_run=dry_run)


def _for_programs(changes: list[importing.Changes]) -> dict[str, object]:
    return {
        table.table: {
            "added": table.added,
            "changed": [
                {
                    "id": change.id,
                    "name": change.name,
                    "fields": {
                        field: {"old": old, "new": new}
                        for field, (old, new) in change.fields.items()
                    },
                }
                for change in table.changed
            ],
            "unchanged": table.unchanged,
        }
        for table in changes
    }


def _show(changes: list[importing.Changes], *, dry_run: bool) -> None:
    console = Console()
    console.print(_overview(changes))
    lines = [line for table in changes for line in _lines(table)]
    for line in lines[:MOST_SHOWN]:
        console.print(line, highlight=False)
    if len(lines) > MOST_SHOWN:
        console.print(f"… and {len(lines) - MOST_SHOWN} more; --json shows all.")
    if dry_run:
        console.print("Nothing was written: this was a dry run.")


def _overview(changes: list[importing.Changes]) -> Table:
    table = Table("Table", box=None, pad_edge=False)
    for column in ("Added", "Changed", "Unchanged"):
        table.add_column(column, justify="right")
    for row in changes:
        numbers = (len(row.added), len(row.changed), row.unchanged)
        table.add_row(row.table, *(f"{number:,}" for number in numbers))
    return table


def _lines(table: importing.Changes) -> list[str]:
    added = [f"[green]+[/] {table.table}: {escape(entry.name)}" for entry in table.added]
    changed = [
        f"[yellow]~[/] {table.table}: {escape(change.name)}: {escape(_differences(change))}"
        for change in table.changed
    ]
    return changed + added


def _differences(change: importing.Change) -> str:
    return ", ".join(
        f"{field} {_plain(old)} → {_plain(new)}" for field, (old, new) in change.fields.items()
    )


def _plain(value: object) -> str:
    return msgspec.json.encode(value).decode()
