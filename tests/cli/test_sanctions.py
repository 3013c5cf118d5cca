"""The commands about sanctions."""

import json

from tests.cli.command import gamekeeper
from tests.make import make_player, make_user


async def test_a_ban_is_one_line_and_is_listed_shown_and_lifted(settings, database):
    await make_user(database, "Ana")
    ban = ["sanctions", "impose", "ban", "ana", "--for", "7d", "--reason", "bots", "--as", "Mia"]

    previewed = gamekeeper(settings, *ban, "--dry-run")
    made = json.loads(gamekeeper(settings, *ban, "--json").stdout)
    listed = gamekeeper(settings, "sanctions", "list", "--user", "ana", "--in-force")
    shown = gamekeeper(settings, "sanctions", "show", made["Code"].lower())
    lifted = gamekeeper(settings, "sanctions", "lift", made["Code"], "--reason", "mistake")

    assert previewed.stdout.startswith("Would impose: ban of ana, until ")
    assert (made["Kind"], made["ImposedBy"], made["UserName"]) == ("ban", "cli:mia", "Ana")
    assert made["Code"] in listed.stdout
    assert "bots" in shown.stdout
    assert lifted.stdout == f"Lifted {made['Code']}: ban of Ana.\n"
    assert made["Code"] not in gamekeeper(settings, "sanctions", "list", "--in-force").stdout


async def test_a_character_is_meant_only_if_that_is_said(settings, database):
    await make_player(database, "Hero", user=await make_user(database, "Ana"))
    mute = ["sanctions", "impose", "mute", "Hero", "--reason", "spam"]
    refused = gamekeeper(settings, *mute)
    assert refused.returncode == 1
    assert "No user with name 'Hero'." in refused.stderr
    assert "mute of Hero of Ana, permanent." in gamekeeper(settings, *mute, "--player").stdout
