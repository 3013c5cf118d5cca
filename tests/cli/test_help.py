"""Help texts keep the form of their examples, and the examples work."""

import json

import pytest

from gamekeeper.catalog import files
from tests.cli.command import gamekeeper


@pytest.mark.parametrize("columns", ["60", "80", "200"])
def test_the_example_of_a_catalog_can_be_imported_as_it_is_shown(settings, columns):
    done = gamekeeper(settings, "catalog", "import", "--help", COLUMNS=columns)

    begin, end = done.stdout.index("  {\n"), done.stdout.index("\n      }\n") + 8
    shown = done.stdout[begin:end]
    catalog = files.parse(json.loads(shown), "help")
    assert [len(catalog.items), len(catalog.spells), len(catalog.variables)] == [2, 1, 1]
    [warrior] = catalog.classes
    assert all(f'"{field}"' in shown for field in warrior.__struct_fields__)
    assert all(f'"{field}"' in shown for field in catalog.items[0].__struct_fields__)
    assert len(shown.splitlines()) == 28


def test_commands_of_an_example_stand_on_lines_of_their_own(settings):
    lines = [line.strip() for line in gamekeeper(settings, "demo", "--help").stdout.splitlines()]

    at = lines.index("gamekeeper demo --players 5000")
    assert lines[at + 1] == "gamekeeper serve"
