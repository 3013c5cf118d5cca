"""Catalogs from files: what is refused before the database is touched, and what changes in it."""

from uuid import UUID, uuid4

import msgspec
import pytest

from gamekeeper.catalog import files, importer, variables
from gamekeeper.db.database import Database, Writer
from gamekeeper.players import characters, items
from gamekeeper.players import variables as players
from tests.make import BY, make_player

POTION = UUID("0b4a4ab0-6d1c-4d60-9a51-f7a5a3c1a001")
POUCH = UUID("0b4a4ab0-6d1c-4d60-9a51-f7a5a3c1a002")
FAME = UUID("0b4a4ab0-6d1c-4d60-9a51-f7a5a3c1a003")
SPARK = UUID("0b4a4ab0-6d1c-4d60-9a51-f7a5a3c1a004")
MAGE = UUID("0b4a4ab0-6d1c-4d60-9a51-f7a5a3c1a005")

TOML = f"""
[[items]]
id = "{POTION}"
name = "Health Potion"
type = "consumable"
stackable = true
inventory_stack = 20
bank_stack = 100

[[items]]
id = "{POUCH}"
name = "Pouch"
type = "bag"
bag_slots = 8

[[spells]]
id = "{SPARK}"
name = "Spark"
bound = true

[[variables]]
id = "{FAME}"
name = "Fame"
type = "integer"

[[classes]]
id = "{MAGE}"
name = "Mage"
base_vitals = [80, 140]
"""


def document() -> dict:
    return msgspec.toml.decode(TOML)


def catalog(**changed_tables: list) -> files.Catalog:
    return files.parse(document() | changed_tables, "test")


def refusal(rows: dict[str, object] | list) -> str:
    with pytest.raises(files.InvalidCatalog) as problem:
        files.parse(rows, "world.toml")
    return str(problem.value)


def item(**fields: object) -> dict:
    return {"items": [{"id": str(POTION), "name": "Thing", "type": "none"} | fields]}


async def counts(database: Database) -> list[int]:
    [row] = await database.reader.rows(
        """
        SELECT (SELECT count(*) FROM items), (SELECT count(*) FROM spells),
               (SELECT count(*) FROM variables), (SELECT count(*) FROM classes)
        """
    )
    return list(row)


async def test_json_and_toml_say_the_same(tmp_path):
    toml, json = tmp_path / "world.toml", tmp_path / "world.json"
    toml.write_text(TOML)
    json.write_bytes(msgspec.json.encode(document()))

    assert files.read(toml) == files.read(json) == catalog()


@pytest.mark.parametrize(
    ("fields", "field", "says"),
    [
        ({"inventory_stack": 5}, "inventory_stack", "unless the item is stackable"),
        ({"bank_stack": 5}, "bank_stack", "unless the item is stackable"),
        ({"stackable": True, "inventory_stack": 0}, "inventory_stack", ">= 1"),
        ({"stackable": True, "inventory_stack": 2**31}, "inventory_stack", "<="),
        ({"type": "bag"}, "bag_slots", "1 to 500"),
        ({"type": "bag", "bag_slots": 501}, "bag_slots", "1 to 500"),
        ({"type": "bag", "bag_slots": 5, "stackable": True}, "stackable", "never"),
        ({"type": "equipment", "stackable": True}, "stackable", "never"),
        ({"bag_slots": 5}, "bag_slots", "only an item of type bag"),
        ({"type": "sword"}, "type", "sword"),
        ({"name": ""}, "name", "length >= 1"),
        ({"name": "a\x00b"}, "name", "NUL"),
        ({"id": "potion"}, "id", "UUID"),
        ({"stackable": "yes"}, "stackable", "'bool'"),
    ],
)
def test_what_the_database_would_refuse_is_refused_with_its_place(fields, field, says):
    message = refusal(item(**fields))

    name = fields.get("name", "Thing")
    assert f"world.toml: items[0] ({name!r}), field {field}:" in message
    assert says in message


def test_all_faults_of_a_file_are_told_at_once():
    message = refusal(
        {
            "items": [*item(bag_slots=1)["items"], {"name": "No id", "type": "none"}, 5],
            "classes": [{"id": str(MAGE), "name": "Mage", "base_vitals": [1, "many"]}],
            "monsters": [],
            "spells": {},
        }
    )

    assert "items[0] ('Thing'), field bag_slots" in message
    assert "items[1] ('No id'): object missing required field 'id'" in message
    assert "items[2]: expected 'object', got 'int'" in message
    assert "classes[0] ('Mage'), field base_vitals[1]" in message
    assert "'monsters' is not a table" in message
    assert "spells: must be a list" in message
    assert "Nothing was imported." in message


def test_unknown_fields_are_refused_because_they_are_misspelled_ones():
    assert "unknown field 'stackabel'" in refusal(item(stackabel=True))


def test_an_id_stands_once_in_a_table():
    twice = item()["items"] * 2

    assert f"items[1] ('Thing'), field id: {POTION} is already the id of items[0]" in refusal(
        {"items": twice}
    )


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("world.yaml", "items: []", "ends with .json or .toml"),
        ("world.json", "{", "not valid JSON"),
        ("world.toml", "items = [", "not valid TOML"),
        ("world.json", "[]", "an object with the tables"),
    ],
)
def test_a_file_that_is_no_catalog_is_named(tmp_path, name, text, says):
    file = tmp_path / name
    file.write_text(text)

    with pytest.raises(files.UnreadableCatalog, match=says) as problem:
        files.read(file)

    assert str(file) in str(problem.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(files.UnreadableCatalog, match=r"nowhere\.toml: No such file"):
        files.read(tmp_path / "nowhere.toml")


async def bring(database, catalog, *, dry_run=False):
    return await importer.bring(database, catalog, BY, dry_run=dry_run)


async def test_the_first_import_adds_and_the_second_changes_nothing(database):
    first = await bring(database, catalog())
    second = await bring(database, catalog())

    assert {changes.table: len(changes.added) for changes in first} == {
        "items": 2,
        "spells": 1,
        "variables": 1,
        "classes": 1,
    }
    assert [(changes.added, changes.changed) for changes in second] == [([], [])] * 4
    assert sum(changes.unchanged for changes in second) == 5


async def test_what_differs_is_told_field_by_field(database):
    await bring(database, catalog())
    wanted = catalog(
        items=[document()["items"][0] | {"name": "Red Potion", "inventory_stack": 10}],
        classes=[{"id": str(MAGE), "name": "Mage", "base_vitals": [90, 140]}],
    )

    changes = {table.table: table for table in await bring(database, wanted)}

    assert changes["items"].changed == [
        importer.CatalogChange(
            POTION,
            "Red Potion",
            {"name": ("Health Potion", "Red Potion"), "inventory_stack": (20, 10)},
        )
    ]
    assert changes["classes"].changed[0].fields == {"base_vitals": ([80, 140], [90, 140])}
    assert await database.reader.value("SELECT name FROM items WHERE id = $1", POTION) == (
        "Red Potion"
    )


async def test_an_import_is_one_action_with_what_was_and_what_is(database):
    await bring(database, catalog())
    wanted = catalog(items=[document()["items"][0] | {"name": "Red Potion"}])

    await bring(database, wanted)
    await bring(database, wanted)

    [first, second] = await database.reader.rows(
        "SELECT before, after FROM actions WHERE kind = 'catalog.import' ORDER BY id"
    )
    assert first["before"] == {}
    assert {table: len(entries) for table, entries in first["after"].items()} == {
        "items": 2,
        "spells": 1,
        "variables": 1,
        "classes": 1,
    }
    assert second["before"] == {"items": [{"id": str(POTION), "name": "Health Potion"}]}
    assert second["after"] == {"items": [{"id": str(POTION), "name": "Red Potion"}]}


async def test_a_dry_run_is_no_action(database):
    await bring(database, catalog(), dry_run=True)

    assert await database.reader.value("SELECT count(*) FROM actions") == 0


async def test_what_a_file_does_not_mention_stays(database):
    await bring(database, catalog())

    await bring(database, files.Catalog())

    assert await counts(database) == [2, 1, 1, 1]


async def test_a_dry_run_tells_the_same_and_writes_nothing(database):
    dry = await bring(database, catalog(), dry_run=True)

    assert await counts(database) == [0, 0, 0, 0]
    assert dry == await bring(database, catalog())


async def test_one_statement_is_enough_for_a_whole_table(database, statements):
    many = [item(id=str(uuid4()))["items"][0] for _ in range(500)]

    with statements() as sent:
        await bring(database, files.parse({"items": many}, "test"))

    assert len([sql for sql in sent if "INSERT INTO items" in sql]) == 1


async def test_a_variable_that_players_have_keeps_its_type(database):
    """And nothing else of the file is imported either."""
    await bring(database, catalog())
    await _own(database)
    wanted = catalog(
        variables=[{"id": str(FAME), "name": "Fame", "type": "string"}],
        spells=[{"id": str(SPARK), "name": "Sparkle"}],
    )

    with pytest.raises(importer.VariableInUse, match=r"'Fame'.* is of type integer, .* string"):
        await bring(database, wanted)

    assert await database.reader.value("SELECT name FROM spells") == "Spark"


async def test_a_variable_that_players_have_stays_theirs(database):
    await bring(database, catalog())
    await _own(database)
    wanted = {"id": str(FAME), "name": "Fame", "type": "integer", "owner": "guild"}

    with pytest.raises(importer.VariableInUse, match=r"one for each player, .* one for each guild"):
        await bring(database, catalog(variables=[wanted]))


async def test_a_variable_of_accounts_is_none_of_players(database):
    wanted = {"id": str(FAME), "name": "Fame", "type": "integer", "owner": "user"}
    await bring(database, catalog(variables=[wanted]))

    assert await variables.find_variables(database.reader, [FAME]) == {}
    assert FAME in await variables.find_variables(database.reader, [FAME], "user")


async def test_a_variable_that_nobody_has_may_change_its_type(database):
    await bring(database, catalog())

    await bring(database, catalog(variables=[{"id": str(FAME), "name": "Fame", "type": "string"}]))

    assert await database.reader.value("SELECT type FROM variables") == "string"


async def test_a_bag_that_players_own_stays_a_bag(database):
    await bring(database, catalog())
    await _own(database)

    with pytest.raises(importer.BagInUse, match=r"'Pouch'.* is of type bag .* none"):
        await bring(database, catalog(items=[{"id": str(POUCH), "name": "Pouch", "type": "none"}]))


async def test_an_item_that_players_own_does_not_become_a_bag(database):
    """What they have would be bags without contents."""
    await bring(database, catalog())
    await _own(database)

    with pytest.raises(importer.BagInUse):
        await bring(
            database,
            catalog(items=[{"id": str(POTION), "name": "Pack", "type": "bag", "bag_slots": 4}]),
        )


async def test_what_a_deleted_character_had_keeps_its_type(database):
    """It can be restored with all it had: a bag that is no bag any more would have no contents."""
    await bring(database, catalog())
    ana = str(await make_player(database, "Ana"))
    for item in (POTION, POUCH):
        await items.give.one(database, items.Gift(by=BY, player=ana, item_id=item, quantity=1))
    order = players.Setting(by=BY, player=ana, variable_id=FAME, value=3)
    await players.assign.one(database, order)
    await characters.delete.one(database, characters.Deletion(by=BY, player=ana))

    for error, changed in (
        (importer.BagInUse, {"items": [{"id": str(POUCH), "name": "Pouch", "type": "none"}]}),
        (
            importer.BagInUse,
            {"items": [{"id": str(POTION), "name": "Pack", "type": "bag", "bag_slots": 4}]},
        ),
        (
            importer.VariableInUse,
            {"variables": [{"id": str(FAME), "name": "Fame", "type": "string"}]},
        ),
    ):
        with pytest.raises(error):
            await bring(database, catalog(**changed))


async def test_owned_things_may_change_in_other_ways(database):
    await bring(database, catalog())
    await _own(database)
    pouch = {"id": str(POUCH), "name": "Purse", "type": "bag", "bag_slots": 12}

    await bring(
        database,
        catalog(items=[pouch], variables=[{"id": str(FAME), "name": "Glory", "type": "integer"}]),
    )

    assert await database.reader.value("SELECT name FROM variables") == "Glory"


async def _own(database: Database) -> None:
    """A player with a pouch, a potion and some fame."""

    async def work(writer: Writer) -> None:
        await writer.connection.execute(
            f"""
            INSERT INTO users (id, name, name_key, email)
            VALUES ('{MAGE}', 'Ana', 'ana', 'ana@example.com');
            INSERT INTO players (id, user_id, name, name_key, class_id)
            VALUES ('{MAGE}', '{MAGE}', 'Ana', 'ana', '{MAGE}');
            INSERT INTO bags (player_id, id, slot_count) VALUES ('{MAGE}', '{POUCH}', 8);
            INSERT INTO slots (player_id, place, slot, item_id, quantity, bag_id)
            VALUES ('{MAGE}', 'inventory', 0, '{POUCH}', 1, '{POUCH}'),
                   ('{MAGE}', 'bank', 0, '{POTION}', 1, NULL);
            INSERT INTO player_variables (player_id, variable_id, value)
            VALUES ('{MAGE}', '{FAME}', '5');
            """
        )

    await database.write(work)


async def test_an_item_may_have_a_value_which_an_import_changes_and_takes_away(database):
    async def imported(**value: object) -> tuple[dict, object]:
        changes = await importer.bring(database, files.parse(item(**value), "test"), BY)
        fields = {name: pair for one in changes[0].changed for name, pair in one.fields.items()}
        return fields, await database.reader.value("SELECT value FROM items")

    assert await imported(value=2**53) == ({}, 2**53)
    assert await imported(value=0) == ({"value": (2**53, 0)}, 0)
    assert await imported() == ({"value": (0, None)}, None)


@pytest.mark.parametrize("value", [-1, 2**53 + 1, 1.5, "much", True])
def test_a_value_is_a_whole_number_that_is_not_negative(value):
    assert "('Thing'), field value: " in refusal(item(value=value))
