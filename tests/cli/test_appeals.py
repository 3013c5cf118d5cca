"""The commands about appeals."""

import json

from gamekeeper.moderation import appeals
from tests.cli.command import gamekeeper
from tests.make import BY, make_user
from tests.moderation.rows import CODE, make_appeal, make_sanction


async def test_an_appeal_is_seen_and_decided(database, settings):
    user = await make_user(database, "Ana")
    sanction = await make_sanction(database, kind="mute", user_id=user)
    appeal = str(await make_appeal(database, sanction, text="It was\x1b[2J not me."))

    listed = gamekeeper(settings, "appeals", "list")
    shown = gamekeeper(settings, "appeals", "show", appeal)
    words = ["appeals", "decide", appeal, "You were right.", "--lift", "--reason", "logs"]
    done = gamekeeper(settings, *words, "--as", "ines")
    again = gamekeeper(settings, *words)

    assert f"mute {CODE}" in listed.stdout
    assert "Ana" in listed.stdout
    assert "seen by three players" in shown.stdout
    assert "\x1b" not in listed.stdout + shown.stdout
    assert done.stdout == f"The mute of Ana is lifted; code {CODE}.\n"
    assert again.returncode == 1
    assert "already been decided" in again.stderr
    told = await appeals.find_status(database, CODE, BY.address)
    assert (told.state, told.appeals[0].answer) == ("lifted", "You were right.")
    assert gamekeeper(settings, "appeals", "list").stdout.count(CODE) == 0
    found = json.loads(gamekeeper(settings, "appeals", "list", "--all", "--json").stdout)
    [one] = found["Values"]
    assert (one["DecidedBy"], one["Reason"]) == ("cli:ines", "logs")


async def test_a_required_reason_is_asked_for(database, settings):
    user = await make_user(database, "Ana")
    sanction = await make_sanction(database, kind="mute", user_id=user)
    appeal = str(await make_appeal(database, sanction))
    required = {"GAMEKEEPER_REQUIRED_REASONS": "sanctions.manage"}
    words = ["appeals", "decide", appeal, "You were right.", "--lift"]

    for without in ([], ["--reason", " "]):
        refused = gamekeeper(settings, *words, *without, **required)
        assert refused.returncode == 1
        assert "This change needs a reason. Add --reason." in refused.stderr
    told = await appeals.find_status(database, CODE, BY.address)
    assert told.state == "in_force"
    assert gamekeeper(settings, *words, "--reason", "logs", **required).returncode == 0
