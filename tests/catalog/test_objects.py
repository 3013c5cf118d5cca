"""Facts and objects of catalog files: what is refused, what is kept, what is answered again."""

from datetime import date
from pathlib import Path
from uuid import UUID, uuid4

import msgspec
import pytest

from gamekeeper.catalog import export, files
from gamekeeper.demo import world
from tests.catalog.test_importer import POTION, bring, catalog, document, item, refusal


def with_facts(facts: object, **fields: object) -> dict:
    return item(facts=facts, **fields)


MAP = UUID("0b4a4ab0-6d1c-4d60-9a51-f7a5a3c1e001")


def deep(levels: int) -> dict:
    return {"a": deep(levels - 1)} if levels else {}


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ([], "must be a table"),
        ("text", "must be a table"),
        (deep(40), "deeper than 32"),
        ({"a": "x\x00y"}, "NUL"),
        ({"a\x00": 1}, "NUL"),
        ({"k" * 101: 1}, "more than 100 characters"),
        ({"a": "x" * 66_000}, "larger than 64 KiB"),
        ({"a": [1e-300] * 300}, "larger than 64 KiB"),
        ({"a": 1e300}, "not JSON or too large"),
        ({"a": [0] * 30_000}, "larger than 64 KiB"),
        ({"a": float("nan")}, "not JSON"),
        ({"a": 2**63}, "not JSON"),
        ({"a": date(2026, 1, 1)}, "not JSON"),
    ],
)
def test_facts_that_could_not_be_kept_are_refused_with_their_place(facts, says):
    message = refusal(with_facts(facts))
    assert "world.toml: items[0] ('Thing'), field facts:" in message
    assert says in message

    message = refusal({"objects": [{"type": "map", "id": str(MAP), "name": "A", "facts": facts}]})
    assert "world.toml: objects[0] ('A'), field facts" in message


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"type": "item"}, "field type: is 'item', but must be one of animation, crafts"),
        ({"type": "playervariable"}, "field type"),
        ({"type": "castle"}, "field type"),
        ({"name": "x" * 256}, "field name"),
        ({"name": "x\x00"}, "field name"),
        ({"id": "1"}, "field id"),
        ({"kind": 1}, "unknown field 'kind'"),
    ],
)
def test_an_object_that_could_not_be_kept_is_refused(fields, says):
    entry = {"type": "map", "id": str(MAP), "name": "A"} | fields
    assert says in refusal({"objects": [entry]})


def test_an_object_stands_once_but_two_types_may_share_an_id():
    one = {"type": "map", "id": str(MAP), "name": "A"}
    assert f"objects[1] ('A'), field id: {MAP} is already the id of objects[0]" in refusal(
        {"objects": [one, one]}
    )
    assert len(catalog(objects=[one, one | {"type": "quest"}]).objects) == 2


async def test_facts_are_kept_until_a_file_brings_others(database):
    facts = {"Icon": "potion.png", "Big": 2**53 + 1, "Far": 1e15, "Deep": [{"a": None}]}
    potion = document()["items"][0]
    world = {"type": "map", "id": str(MAP), "name": "Willowbrook", "facts": {"Music": "a.ogg"}}

    first = await bring(database, catalog(items=[potion | {"facts": facts}], objects=[world]))
    again = await bring(database, catalog(items=[potion | {"facts": facts}], objects=[world]))
    without = await bring(database, catalog(items=[potion]))

    assert [(one.table, len(one.added)) for one in first][-1] == ("objects", 2)
    assert [(len(one.added), len(one.changed)) for one in again] == [(0, 0)] * 5
    assert "objects" not in [one.table for one in without]
    kept = await database.reader.value(
        "SELECT facts FROM catalog_objects WHERE type = 'item' AND id = $1", POTION
    )
    assert kept == facts

    changes = await bring(
        database,
        catalog(items=[potion | {"facts": {"Icon": "new.png"}}], objects=[world | {"name": "W"}]),
    )
    found = {one.name: one.fields for one in changes[-1].changed}
    assert found["W"] == {"name": ("Willowbrook", "W")}
    assert found[potion["name"]]["facts.Icon"] == ("potion.png", "new.png")
    assert found[potion["name"]]["facts.Deep"] == ([{"a": None}], None)


async def test_the_largest_facts_fit_and_the_audit_log_shows_only_their_beginning(database):
    """What a file may have, the database takes: one byte more is refused with its place."""
    potion = document()["items"][0]
    largest = {"a": "ä" * 32_762}
    await bring(database, catalog(items=[potion | {"facts": largest}]))

    changes = await bring(database, catalog(items=[potion | {"facts": {"a": "short"}}]))

    [was, now] = changes[-1].changed[0].fields["facts.a"]
    assert (len(str(was)) < 250, now) == (True, "short")
    assert "larger than 64 KiB" in refusal(with_facts({"a": "ä" * 32_762 + "xx"}))


async def test_facts_of_variables_stand_with_their_owner(database):
    tax = {"id": str(uuid4()), "name": "Tax", "type": "integer", "owner": "game"}

    await bring(database, catalog(variables=[tax | {"facts": {"TextId": "tax"}}]))

    assert await database.reader.value("SELECT type FROM catalog_objects") == "servervariable"


async def test_true_is_not_one(database):
    potion = document()["items"][0]
    await bring(database, catalog(items=[potion | {"facts": {"CanDrop": True}}]))

    changes = await bring(database, catalog(items=[potion | {"facts": {"CanDrop": 1}}]))

    assert changes[-1].changed[0].fields == {"facts.CanDrop": (True, 1)}


async def test_an_export_is_a_catalog_that_changes_nothing(database, tmp_path: Path):
    """Of the demo's catalog, with its pictures, with facts and objects of every kind."""
    potion = document()["items"][0] | {"facts": {"Icon": "potion.png"}, "icon": "/potion.png"}
    tax = {"id": str(uuid4()), "name": "Tax", "type": "integer", "owner": "game"}
    await bring(database, world.catalog())
    await bring(
        database,
        catalog(
            items=[potion],
            variables=[tax | {"facts": {"TextId": "tax"}}],
            objects=[
                {"type": "map", "id": str(MAP), "name": "Willowbrook", "facts": {"a": [1.5]}},
                {"type": "time", "id": str(MAP), "facts": {"Rate": 2}},
            ],
        ),
    )

    file = tmp_path / "catalog.json"
    export.write(*await export.whole(database.reader), file)

    whole = msgspec.json.decode(file.read_bytes())
    assert len(whole["objects"]) == 2
    changes = await bring(database, files.read(file))
    assert [(change.added, change.changed) for change in changes] == [([], [])] * len(changes)
    assert sum(change.unchanged for change in changes) > 100
