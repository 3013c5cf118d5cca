"""`gamekeeper players` as somebody types it, on a real database."""

import json
import subprocess

from tests.cli.command import gamekeeper
from tests.history.test_as_of import clock
from tests.make import make_class, make_item, make_player, make_user


def run(settings, *arguments: str) -> subprocess.CompletedProcess[str]:
    return gamekeeper(settings, "players", *arguments)


async def test_items_are_given_taken_restored_and_all_of_it_is_in_the_timeline(settings, database):
    await make_player(database, "ana")
    potion = str(await make_item(database))

    given = json.loads(run(settings, "give", "ana", potion, "12", "--json").stdout)
    then = (await clock(database)).isoformat()
    taken = run(settings, "take", "ana", potion, "5", "--reason", "a test")
    tried = run(settings, "restore", "ana", then, "--dry-run")
    done = json.loads(run(settings, "restore", "ana", then, "--json").stdout)
    events = json.loads(run(settings, "history", "ana", "--json").stdout)["Values"]
    shown = run(settings, "history", "ana").stdout

    assert given == {"total": 12, "bank": 0, "inventory": 12}
    assert "Took 5 Potion from ana." in taken.stdout
    assert "inventory:0" in tried.stdout
    assert "Nothing was changed." in tried.stdout
    assert [entry["Quantity"] for entry in done["Values"]] == [5]
    assert [event["Kind"] for event in events] == ["items.restore", "items.take", "items.give"]
    assert events[1]["Reason"] == "a test"
    for word in ("items.restore", "inventory:0", "10 > 5", "a test"):
        assert word in shown


async def test_what_is_refused_says_why_and_ends_with_an_error(settings, database):
    await make_player(database, "ana")
    potion = str(await make_item(database))

    lacking = run(settings, "take", "ana", potion)
    nonsense = run(settings, "restore", "ana", "the other day")

    assert (lacking.returncode, lacking.stdout) == (1, "")
    assert "The inventory holds fewer than that" in lacking.stderr
    assert nonsense.returncode == 2
    assert "'the other day' is not a time" in nonsense.stderr


async def test_a_required_reason_is_asked_for(settings, database):
    await make_player(database, "ana")
    potion = str(await make_item(database))
    required = {"GAMEKEEPER_REQUIRED_REASONS": "players.items"}

    refused = gamekeeper(settings, "players", "give", "ana", potion, **required)
    told = ("players", "give", "ana", potion, "--reason", "a quest bug")

    assert (refused.returncode, refused.stdout) == (1, "")
    assert "This change needs a reason. Add --reason." in refused.stderr
    assert gamekeeper(settings, *told, **required).returncode == 0
    assert run(settings, "take", "ana", potion).returncode == 0, "not required by default"


async def test_a_character_is_created_renamed_deleted_and_comes_back(settings, database):
    await make_user(database, "owner")
    knight = str(await make_class(database))

    made = json.loads(run(settings, "create", "owner", "Ana", knight, "--json").stdout)
    renamed = run(settings, "rename", "ana", "Gamemaster Bo", "--reason", "a test")
    gone = run(settings, "delete", "gamemaster bo")
    again = run(settings, "delete", "gamemaster bo")

    assert (made["Name"], made["Level"]) == ("Ana", 1)
    assert "ana is now called Gamemaster Bo." in renamed.stdout
    assert f"Deleted Gamemaster Bo, {made['Id']}." in gone.stdout
    assert again.returncode == 1
    assert "No player with name 'gamemaster bo'." in again.stderr
