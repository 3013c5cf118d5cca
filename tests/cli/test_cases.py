"""The commands of reports and cases."""

import json

from tests.chat.talk import said, say
from tests.cli.command import gamekeeper
from tests.make import make_player
from tests.servers.game_server import GameServer


async def test_a_report_is_filed_and_its_case_handled(database, settings):
    for name in ("Ana", "Bully"):
        await make_player(database, name)
    text = ["--text", "He insults\x1b[2J me."]

    filed = gamekeeper(settings, "reports", "file", "Ana", "Bully", "spam", "--text", "Ads.")
    wrong = gamekeeper(settings, "reports", "file", "Ana", "Bully", "boredom")
    hostile = gamekeeper(settings, "reports", "file", "Ana", "Bully", "spam", *text)
    again = gamekeeper(settings, "reports", "file", "Ana", "Bully", "harassment")
    assert filed.stdout.startswith("Filed: ")
    assert "is none of: cheating" in wrong.stderr
    assert "control characters" in hostile.stderr
    assert again.stdout.startswith("Filed (2 times): ")

    [case] = json.loads(gamekeeper(settings, "cases", "list", "--json").stdout)["Values"]
    id_ = case["Id"]
    assert "Bully" in gamekeeper(settings, "cases", "list").stdout
    assert (
        "maren (command line)"
        in gamekeeper(settings, "cases", "claim", id_, "--as", "maren").stdout
    )
    taken = gamekeeper(settings, "cases", "claim", id_, "--as", "olga")
    assert taken.returncode == 1
    assert "maren" in taken.stderr
    assert (
        gamekeeper(settings, "cases", "note", id_, "Seen before.", "--as", "olga").returncode == 0
    )
    shown = gamekeeper(settings, "cases", "show", id_).stdout
    assert "Ads." in shown
    assert "Seen before." in shown
    words = ["cases", "close", id_, "mute", "--for", "3d", "--reason", "ads", "--as", "maren"]
    assert gamekeeper(settings, *words).stdout == "Closed: mute.\n"
    assert "already closed" in gamekeeper(settings, *words).stderr
    assert "median" in gamekeeper(settings, "cases", "statistics").stdout
    assert "closed: mute" in gamekeeper(settings, "cases", "list", "--closed").stdout
    assert gamekeeper(settings, "cases", "reopen", id_).stdout == "Open again.\n"
    assert gamekeeper(settings, "cases", "release", id_).stdout == "Released.\n"


async def test_chat_is_added_to_a_case(client, database, settings):
    bully, _ = [await make_player(database, name) for name in ("Bully", "Ana")]
    spoken = said(bully, "an insult", channel="global")
    whispered = said(bully, "a whisper", channel="pm")
    await say(await GameServer.register(client), spoken, whispered)
    gamekeeper(settings, "reports", "file", "Ana", "Bully", "harassment")
    [case] = json.loads(gamekeeper(settings, "cases", "list", "--json").stdout)["Values"]
    add = ["cases", "add-chat", case["Id"]]

    done = gamekeeper(settings, *add, spoken["id"], "--as", "maren")
    refused = gamekeeper(settings, *add, whispered["id"], "--as", "maren")
    private = gamekeeper(settings, *add, whispered["id"], "--reason", "a threat", "--as", "maren")
    unknown = gamekeeper(settings, *add, case["Id"])

    assert done.stdout == "Added 1; 1 in all.\n"
    assert refused.returncode == 1
    assert "reason" in refused.stderr
    assert private.stdout == "Added 1; 2 in all.\n"
    assert "No chat message with id" in unknown.stderr
