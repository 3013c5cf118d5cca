"""The commands about linked accounts and access bans."""

import json
from uuid import uuid4

from tests.cli.command import gamekeeper
from tests.linked.rows import seen
from tests.make import make_user


async def test_linked_accounts_are_shown_and_their_device_is_banned(database, settings):
    ana, bo = [await make_user(database, name) for name in ("Ana", "Bo")]
    device = uuid4()
    for user in (ana, bo):
        await seen(database, user, by="device", value=device, days=3)

    linked = gamekeeper(settings, "users", "linked", "ana")
    words = ["access-bans", "impose", str(device), "--for", "7d", "--reason", "bots"]
    preview = gamekeeper(settings, *words, "--dry-run")
    made = gamekeeper(settings, *words, "--as", "ines")
    again = gamekeeper(settings, *words)
    found = json.loads(gamekeeper(settings, "access-bans", "list", "--in-force", "--json").stdout)

    assert "Same device, 3 days in common" in linked.stdout
    assert "Would ban: device" in preview.stdout
    assert "2 accounts were used from there." in preview.stdout
    assert "Imposed" in made.stdout
    assert (again.returncode, "already active" in again.stderr) == (1, True)
    [ban] = found["Values"]
    assert (ban["Device"], ban["ImposedBy"], ban["Reason"]) == (str(device), "cli:ines", "bots")
    lifted = gamekeeper(settings, "access-bans", "lift", ban["Code"], "--reason", "mistake")
    assert lifted.stdout == f"Lifted {ban['Code']}: device {device}.\n"


async def test_a_range_that_is_too_large_says_what_to_do(database, settings):
    words = ["access-bans", "impose", "10.0.0.0/8", "--for", "7d", "--reason", "bots"]
    refused = gamekeeper(settings, *words)
    assert refused.returncode == 1
    assert "at most /16" in refused.stderr
