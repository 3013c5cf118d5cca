"""The commands of findings and economy rules."""

import json
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from gamekeeper.ledger.findings import discoveries
from gamekeeper.ledger.findings.discoveries import Found
from tests.cli.command import gamekeeper
from tests.make import make_item

BEGAN = datetime(2026, 3, 14, 18, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
async def found(database) -> None:
    """A spike of rubies, and many new accounts an hour later."""
    ruby = await make_item(database, "Rough Ruby")
    spike = Found(
        measure="created",
        item_id=ruby,
        began_at=BEGAN,
        ended_at=BEGAN + HOUR,
        quantity=4803,
        usual=8,
        threshold=50,
    )
    accounts = Found(
        measure="accounts",
        item_id=None,
        began_at=BEGAN + HOUR,
        ended_at=BEGAN + 2 * HOUR,
        quantity=300,
        usual=2,
        threshold=60,
    )
    await database.write(lambda writer: discoveries.store(writer, [spike, accounts]))


async def test_findings_are_listed_and_acknowledged(database, settings, found):
    shown = gamekeeper(settings, "economy", "findings").stdout
    newest, older = json.loads(gamekeeper(settings, "economy", "findings", "--json").stdout)[
        "Values"
    ]

    assert shown.index("accounts") < shown.index("Rough Ruby created")
    for cell in ("4,803", "300", older["Id"], newest["Id"]):
        assert cell in shown
    assert (older["Quantity"], older["Usual"], older["State"]) == (4803, 8, "open")
    assert "1 of 2." in gamekeeper(settings, "economy", "findings", "--limit", "1").stdout

    words = ["economy", "acknowledge", older["Id"], "double loot event", "--as", "maren"]
    assert gamekeeper(settings, *words).stdout == "Acknowledged.\n"
    again = gamekeeper(settings, *words)
    assert (again.returncode, again.stdout) == (1, "")
    assert "acknowledged" in again.stderr
    assert "Rough Ruby" not in gamekeeper(settings, "economy", "findings").stdout
    assert "acknowledged" in gamekeeper(settings, "economy", "findings", "--all").stdout
    [action] = await database.reader.rows(
        "SELECT actor FROM actions WHERE kind = 'findings.acknowledge'"
    )
    assert action["actor"] == "cli:maren"


async def test_an_unknown_finding_and_an_empty_note_are_refused(database, settings, found):
    [newest, _] = json.loads(gamekeeper(settings, "economy", "findings", "--json").stdout)["Values"]
    for id_, note in ((str(uuid4()), "seen"), (newest["Id"], " "), ("ruby", "seen")):
        refused = gamekeeper(settings, "economy", "acknowledge", id_, note)
        assert refused.returncode != 0
        assert refused.stderr
    count = "SELECT count(*) FROM findings WHERE acknowledged_at IS NOT NULL"
    assert await database.reader.value(count) == 0


async def test_rules_are_set_replaced_and_deleted(database, settings):
    await make_item(database, "Rough Ruby")
    words = ["economy", "set-rule", "rubies", "--shape", "created_per_hour", "--more-than", "500"]

    made = gamekeeper(settings, *words, "--item", "Rough Ruby")
    assert made.stdout == "rubies: more than 500 Rough Ruby created in an hour (flag).\n"
    replaced = gamekeeper(settings, *words, "--hold")
    assert replaced.stdout == "rubies: more than 500 value created in an hour (hold).\n"
    new = ["economy", "set-rule", "new-accounts", "--shape", "received_by_new_account"]
    refused = gamekeeper(settings, *new, "--more-than", "10000")
    assert refused.returncode != 0, "without an age"
    assert "younger than 2 days" in (
        gamekeeper(settings, *new, "--more-than", "10000", "--days", "2").stdout
    )
    listed = json.loads(gamekeeper(settings, "economy", "rules", "--json").stdout)
    assert sorted(rule["Name"] for rule in listed) == ["new-accounts", "rubies"]
    assert "hold" in gamekeeper(settings, "economy", "rules").stdout
    unknown = gamekeeper(settings, *words, "--item", "Rough Rubi")
    assert unknown.returncode == 1
    assert "Rough Ruby" in unknown.stderr, "the nearest name is suggested"

    gone = ["economy", "delete-rule", "rubies"]
    assert gamekeeper(settings, *gone).stdout == "Deleted the rule rubies.\n"
    assert gamekeeper(settings, *gone).returncode == 1
