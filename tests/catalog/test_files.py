"""The documentation of the catalog file shows what an import accepts."""

import re
from pathlib import Path

import msgspec

from gamekeeper.catalog import files

PAGE = (Path(__file__).parents[2] / "docs" / "catalog.md").read_text()


def test_the_documented_example_is_a_catalog() -> None:
    [example] = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    catalog = files.parse(msgspec.toml.decode(example), "docs/catalog.md")
    assert [item.name for item in catalog.items] == ["Health Potion", "Leather Bag"]
    assert (len(catalog.spells), len(catalog.variables), len(catalog.classes)) == (1, 1, 1)


def test_every_field_is_documented() -> None:
    shapes = (files.CatalogItem, files.CatalogSpell, files.CatalogVariable, files.Class)
    fields = {field for shape in shapes for field in shape.__struct_fields__} - {"id", "name"}
    # An icon is kept apart from its item, and so are the facts of any entry.
    fields |= {"icon", "facts"}
    assert fields == set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
