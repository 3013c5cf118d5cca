"""Import of game objects, and of the facts of items, spells, variables and classes."""

from collections.abc import Sequence
from typing import Any

import msgspec

from gamekeeper.catalog.changes import Added, CatalogChange, Changes
from gamekeeper.catalog.facts import CatalogObject
from gamekeeper.catalog.object_types import Facts
from gamekeeper.db.database import Queryable, Writer

LONGEST_SHOWN = 200
"""Characters of a fact in the audit log: a map's may be thousands, and an import brings many."""


async def load_objects(writer: Writer, wanted: Sequence[CatalogObject]) -> Changes:
    """Add and change objects; an object that is not named stays as it is."""
    before = {game_object.key: game_object for game_object in await find_objects(writer, wanted)}
    added = [game_object for game_object in wanted if game_object.key not in before]
    changed = [
        game_object
        for game_object in wanted
        if game_object.key in before and game_object.content != before[game_object.key].content
    ]
    if added or changed:
        await writer.run(UPSERT, msgspec.json.encode(added + changed).decode())
    return Changes(
        "objects",
        [Added(game_object.id, game_object.name) for game_object in added],
        [
            CatalogChange(
                game_object.id, game_object.name, _diff(before[game_object.key], game_object)
            )
            for game_object in changed
        ],
        len(wanted) - len(added) - len(changed),
    )


UPSERT = """
    INSERT INTO catalog_objects (type, id, name, facts)
    SELECT type, id, name, facts
      FROM json_to_recordset($1::text::json) AS entry (type text, id uuid, name text, facts jsonb)
    ON CONFLICT (type, id) DO UPDATE SET name = excluded.name, facts = excluded.facts
"""


async def find_objects(reader: Queryable, wanted: Sequence[CatalogObject]) -> list[CatalogObject]:
    # As text: the demo loads a catalog over a connection that does not decode JSON.
    rows = await reader.rows(
        """
        SELECT type, id, name, facts::text AS facts FROM catalog_objects
          JOIN unnest($1::text[], $2::uuid[]) AS wanted (type, id) USING (type, id)
        """,
        [game_object.type for game_object in wanted],
        [game_object.id for game_object in wanted],
    )
    return [CatalogObject(**{**row, "facts": msgspec.json.decode(row["facts"])}) for row in rows]


def _diff(old: CatalogObject, new: CatalogObject) -> dict[str, tuple[object, object]]:
    fields: dict[str, tuple[object, object]] = {}
    if old.name != new.name:
        fields["name"] = old.name, new.name
    for key in {**old.facts, **new.facts}:
        was, now = _shown(old.facts, key), _shown(new.facts, key)
        if was != now:
            fields[f"facts.{key}"] = _cut(old.facts, key), _cut(new.facts, key)
    return fields


def _shown(facts: Facts, key: str) -> str:
    """Of a key that is not there nothing, which is no JSON."""
    return msgspec.json.encode(facts[key], order="deterministic").decode() if key in facts else ""


def _cut(facts: Facts, key: str) -> Any:
    text = _shown(facts, key)
    if len(text) <= LONGEST_SHOWN:
        return facts.get(key)
    return f"{text[:LONGEST_SHOWN]}… ({len(text):,} characters)"
