"""What staff look up at a terminal: by name, with names, and refused if there is no such thing."""

import json
import re
from uuid import UUID

import pytest

from gamekeeper.db.operations import AuditContext
from gamekeeper.players import items, spells, variables
from gamekeeper.players.items import Gift, Taking
from tests.cli.command import gamekeeper
from tests.history.test_as_of import clock
from tests.make import (
    BY,
    fill_slot,
    join,
    make_class,
    make_item,
    make_player,
    make_server,
    make_spell,
    make_user,
    make_variable,
)

GUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-")


@pytest.fixture
async def ana(database):
    """Ana Lyra, with some potions, a spell and a variable; and what was there before that."""
    user = await make_user(database, "ana-account")
    player = await make_player(database, "Ana Lyra", user=user)
    potion = await make_item(database, "Health Potion")
    before = (await clock(database)).isoformat()
    await items.give.one(database, Gift(by=BY, player="ana lyra", item_id=potion, quantity=12))
    await fill_slot(database, player, "bank", 2, await make_item(database, "Sword"))
    spell = await make_spell(database, "Fireball")
    await spells.teach.one(database, spells.Lesson(by=BY, player="ana lyra", spell_id=spell))
    karma = await make_variable(database, "integer", "Karma")
    order = variables.Setting(by=BY, player="ana lyra", variable_id=karma, value=7)
    await variables.assign.one(database, order)
    await join(database, player, await make_server(database))
    return {"id": str(player), "before": before, "potion": str(potion)}


def run(settings, *words: str, **env: str) -> str:
    done = gamekeeper(settings, *words, **env)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    return done.stdout


async def test_a_character_is_shown_with_names_and_ids_on_demand(settings, ana):
    for words, expected, absent in (
        (["find", "ana"], ["Ana Lyra", "Knight 1", "ana-account", "online"], []),
        (["show", "ana lyra"], ["Ana Lyra", "ana-account", "Knight, level 1", ana["id"]], []),
        (["show", ana["id"]], ["Ana Lyra"], []),
        (["inventory", "ANA LYRA"], ["Health Potion", "10", "2", "2 of 35"], ["Sword"]),
        (["bank", "ana lyra"], ["Sword", "1 of 100 slots"], ["Potion"]),
        (["spells", "ana lyra"], ["Fireball"], []),
        (["variables", "ana lyra"], ["Karma", "7"], []),
        (["sessions", "ana lyra"], ["still online"], []),
        (["history", "ana lyra"], ["Health Potion", "+10", "+2", "items.give"], []),
        (["inventory", "ana lyra", "--at", ana["before"]], ["carried nothing"], ["Potion"]),
        (["spells", "ana lyra", "--at", ana["before"]], ["knew no spells"], []),
        (["variables", "ana lyra", "--at", ana["before"]], ["No variable was set"], []),
        (["at", "ana lyra", ana["before"]], ["0 of 35 slots"], ["Fireball", "Karma"]),
        (["at", "ana lyra", "now"], ["Health Potion", "Sword", "Fireball", "Karma: 7"], []),
    ):
        shown = run(settings, "players", *words)

        assert [word for word in expected if word not in shown] == [], (words, shown)
        assert [word for word in absent if word in shown] == [], (words, shown)
        if words[0] not in ("show", "history", "sessions"):
            assert not GUID.search(shown), words

    for place in ("inventory", "spells", "variables", "sessions", "find"):
        key = "ana" if place == "find" else "ana lyra"
        assert GUID.search(run(settings, "players", place, key, "--ids")), place


async def test_programs_get_the_same_as_json_on_standard_output_alone(settings, ana):
    for words in (
        ["find", "ana"],
        ["show", "ana lyra"],
        ["inventory", "ana lyra", "--at", "now"],
        ["bank", "ana lyra"],
        ["spells", "ana lyra"],
        ["variables", "ana lyra"],
        ["sessions", "ana lyra"],
        ["history", "ana lyra"],
        ["at", "ana lyra", "1 minute ago"],
    ):
        assert json.loads(run(settings, "players", *words, "--json")), words
    slots = json.loads(run(settings, "players", "inventory", "ana lyra", "--json"))
    assert len(slots) == 35
    assert (slots[0]["ItemId"], slots[0]["Name"]) == (ana["potion"], "Health Potion")
    assert (slots[5]["Quantity"], slots[5]["Name"]) == (0, None)


async def test_items_are_found_by_a_part_of_their_name(settings, database, ana):
    found = run(settings, "items", "find", "potion")
    shown = run(settings, "items", "show", "health potion")

    assert ana["potion"] in found
    assert "Sword" not in found
    assert "Sword" in run(settings, "items", "find")
    assert "No item has a name like 'zzz'." in run(settings, "items", "find", "zzz")
    assert ana["potion"] in shown
    assert json.loads(run(settings, "items", "show", "SWORD", "--json"))["item"]["name"] == "Sword"


async def test_what_does_not_exist_is_refused_with_the_nearest_names(settings, database, ana):
    await make_item(database, "Sword")
    for words, code, hint in (
        (["players", "show", "Ana Lyrra"], 1, "Did you mean 'Ana Lyra'?"),
        (["players", "inventory", "nobody at all"], 1, "No player with name"),
        (["players", "give", "ana lyra", "Helth Potion"], 1, "Did you mean 'Health Potion'?"),
        (["players", "give", "ana lyra", "potion"], 1, "Did you mean 'Health Potion'?"),
        (["players", "give", "ana lyra", "sword"], 1, "Several items are called 'sword'"),
        (["players", "create", "ana-acount", "Bo", "Knight"], 1, "Did you mean 'ana-account'?"),
        (["players", "create", "ana-account", "Bo", "Night"], 1, "Did you mean 'Knight'?"),
        (["players", "show", "x"], 1, "No player with name 'x'."),
        (["items", "show", "Health"], 1, "Did you mean 'Health Potion'?"),
        (["actions", "list", "--actor", "nobody"], 1, "There is no actor 'nobody'."),
        (["actions", "list", "--kind", "item.give"], 1, "Closest matches: items.give"),
        (["actions", "list", "--item", "Helth Potion"], 1, "Did you mean 'Health Potion'?"),
        (["actions", "list", "--player", "Ana Lyrra"], 1, "Did you mean 'Ana Lyra'?"),
        (["actions", "undo", "--actor", "nobody", "--from", "today", "--to", "now"], 1, "nobody"),
        (["actions", "undo", "ffffffff"], 1, "No action's id begins with 'ffffffff'."),
        (["actions", "list", "--from", "now", "--to", "yesterday"], 2, "is later than --to"),
        (["players", "at", "ana lyra", "one day"], 2, "'one day' is not a time"),
    ):
        done = gamekeeper(settings, *words)

        assert (done.returncode, done.stdout) == (code, ""), words
        assert hint in done.stderr, (words, done.stderr)
        assert "Traceback" not in done.stderr
    assert await database.reader.value("SELECT count(*) FROM players") == 1


async def test_the_log_says_what_how_many_on_whom_and_by_which_short_id(settings, database, ana):
    by = AuditContext(actor="key:shop", name="shop", reason="a prize")
    order = Taking(by=by, player="ana lyra", item_id=UUID(ana["potion"]), quantity=3)
    await items.take.one(database, order)

    [taken] = [line for line in run(settings, "actions", "list").splitlines() if "take" in line]
    [row] = [
        line
        for line in run(settings, "players", "history", "ana lyra").splitlines()
        if "items.take" in line
    ]
    short = taken.split()[-1]
    undone = run(settings, "actions", "undo", short, "--as", "Bo")

    for word in ("items.take", "-3", "Health Potion", "Ana Lyra", "shop", "a prize"):
        assert word in taken, word
    assert row.endswith(short)
    assert "Undone, all of it." in undone
    assert "items.take (undone)" in run(settings, "actions", "list", "--item", "health potion")
    log = json.loads(run(settings, "actions", "list", "--actor", "bo", "--json"))["Values"]
    assert [(entry["Kind"], entry["Actor"], entry["ActorName"]) for entry in log] == [
        ("undo", "cli:bo", "Bo (command line)")
    ]


async def test_who_typed_it_is_recorded_as_claimed_and_never_as_proved(settings, database, ana):
    """An account called ana has nothing to do with who says that name at a terminal."""
    await make_user(database, "ana")
    words = ["players", "give", "ana lyra", "Health Potion"]
    run(settings, *words, "--as", "Ana")
    run(settings, *words, GAMEKEEPER_ACTOR="Bo Bee")
    run(settings, *words, "--as", "eve", GAMEKEEPER_ACTOR="Bo Bee")
    run(settings, *words, LOGNAME="carl", USER="carl")

    rows = await database.reader.rows(
        "SELECT actor, actor_name FROM actions WHERE kind = 'items.give' ORDER BY id DESC LIMIT 4"
    )
    assert [tuple(row) for row in rows] == [
        ("system", "command line (carl)"),
        ("cli:eve", "eve (command line)"),
        ("cli:bo bee", "Bo Bee (command line)"),
        ("cli:ana", "Ana (command line)"),
    ]
    for actor, count in (("carl", 1), ("bo bee", 1), ("cli:ANA", 1), ("user:ana", 0)):
        log = json.loads(run(settings, "actions", "list", "--actor", actor, "--json"))
        assert len(log["Values"]) == count, actor


@pytest.mark.parametrize("name", ["", " ", "x" * 65, "a:b", "user:1", "\x1b[2J", "a\nb"])
async def test_a_name_that_could_be_mistaken_is_refused(settings, database, ana, name):
    before = await database.reader.value("SELECT count(*) FROM actions")

    done = gamekeeper(settings, "players", "give", "ana lyra", "Health Potion", f"--as={name}")

    assert (done.returncode, done.stdout) == (1, "")
    assert "--as must have 1 to 64 printable characters" in done.stderr
    assert await database.reader.value("SELECT count(*) FROM actions") == before


async def test_a_class_is_named_when_a_character_is_created(settings, database):
    await make_user(database, "owner")
    await make_class(database)

    assert "Created Bo" in run(settings, "players", "create", "OWNER", "Bo", "knight")
