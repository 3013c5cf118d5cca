"""``gamekeeper catalog``: imports items, spells, variables, classes and objects; exports them."""

from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from gamekeeper.catalog import export, files, importer
from gamekeeper.cli.actor import ByWithoutReason
from gamekeeper.cli.command import Output, Part, TextTable, change, command
from gamekeeper.cli.options import DryRun
from gamekeeper.cli.terminal import say_marked
from gamekeeper.db.database import Database

# Some imports change thousands of entries; a person reads the first few.
MOST_SHOWN = 50

# \b: click leaves the form of the next paragraph alone.
HELP = """\
Import items, spells, variables, classes and objects from a file.

The file has up to five lists with these names. Each entry needs a name and
an id, a permanent GUID that you choose. An example with every field:

\b
    {
      "items": [{
        "id": "0b4a4ab0-6d1c-4d60-9a51-f7a5a3c1a001", "value": 12,
        "name": "Health Potion", "type": "consumable", "bankable": true,
        "stackable": true, "inventory_stack": 20, "bank_stack": 100
      }, {
        "id": "0b4a4ab0-6d1c-4d60-9a51-f7a5a3c1a002",
        "name": "Satchel", "type": "bag", "bag_slots": 8
      }],
      "spells": [{
        "id": "0b4a4ab0-6d1c-4d60-9a51-f7a5a3c1a003",
        "name": "Fireball", "bound": false
      }],
      "variables": [{
        "id": "0b4a4ab0-6d1c-4d60-9a51-f7a5a3c1a004",
        "name": "Reputation", "type": "integer"
      }],
      "classes": [{
        "id": "0b4a4ab0-6d1c-4d60-9a51-f7a5a3c1a005", "name": "Warrior",
        "base_vitals": [100, 50], "vital_increases": [10, 5],
        "base_stats": [12, 8, 10, 10, 10], "max_level": 100,
        "base_exp": 100, "exp_increase": 10
      }],
      "objects": [{
        "type": "map", "id": "0b4a4ab0-6d1c-4d60-9a51-f7a5a3c1a006",
        "name": "Willowbrook", "facts": {"Music": "brook.ogg"}
      }]
    }

An item's type is none, equipment, consumable, currency, spell, event or
bag; a variable's type is boolean, integer, string or number. Items and
variables need a type; every other field has a default. Each of the first
four may have facts too: more that clients of the Intersect Engine look for.

Entries with a new id are added, entries with a known id are updated, and
entries that are not in the file are kept. The import is idempotent:
importing the same file again changes nothing.

The whole file is validated first; it is imported completely or not at all.
"""


@change()
async def import_(
    database: Database,
    file: Annotated[
        Path, typer.Argument(help="A .json or .toml file.", show_default=False, metavar="FILE")
    ],
    *,
    dry_run: DryRun = False,
    by: ByWithoutReason,
) -> Output:
    changes = await importer.bring(database, files.read(file), by, dry_run=dry_run)
    record = {"dry_run": dry_run, "tables": _for_programs(changes)}
    return Output(record, *_parts(changes, dry_run=dry_run))


import_.__doc__ = HELP


@command
async def export_(
    database: Database,
    file: Annotated[
        Path, typer.Argument(help="The .json file to write.", show_default=False, metavar="FILE")
    ],
) -> str:
    """
    Write the whole catalog to a file for `import`.

    Icons that the catalog keeps are written into the folder `icons` beside it.
    """
    document, pictures = await export.whole(database.reader)
    export.write(document, pictures, file)
    return f"The catalog was written to {file}."


def _for_programs(changes: list[importer.Changes]) -> dict[str, object]:
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


def _parts(changes: list[importer.Changes], *, dry_run: bool) -> list[Part]:
    lines = [line for table in changes for line in _lines(table)]
    return [
        TextTable(
            ["Table", "Added", "Changed", "Unchanged"], [_overview(change) for change in changes]
        ),
        *(partial(say_marked, *line) for line in lines[:MOST_SHOWN]),
        f"… and {len(lines) - MOST_SHOWN} more; --json shows all."
        if len(lines) > MOST_SHOWN
        else None,
        "Dry run: nothing was written." if dry_run else None,
    ]


def _overview(changes: importer.Changes) -> list[str]:
    numbers = (len(changes.added), len(changes.changed), changes.unchanged)
    return [changes.table, *(f"{number:,}" for number in numbers)]


def _lines(table: importer.Changes) -> list[tuple[str, str, str]]:
    """For each change: a sign, its colour, and the text."""
    added = [("+", "green", f"{table.table}: {entry.name}") for entry in table.added]
    changed = [
        ("~", "yellow", f"{table.table}: {change.name}: {_differences(change)}")
        for change in table.changed
    ]
    return changed + added


def _differences(change: importer.CatalogChange) -> str:
    return ", ".join(
        f"{field} {_plain(old)} → {_plain(new)}" for field, (old, new) in change.fields.items()
    )


def _plain(value: object) -> str:
    return msgspec.json.encode(value).decode()
