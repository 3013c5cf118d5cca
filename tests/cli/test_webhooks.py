"""The commands about webhooks."""

import json
from uuid import uuid4

import pytest
from msgspec import structs

from gamekeeper.core.settings import Settings
from gamekeeper.egress.http_client import Outcome
from gamekeeper.events.webhooks import attempts
from gamekeeper.events.webhooks.attempts import AttemptResult, WebhookMessage
from tests.cli.command import gamekeeper

PATH = "/api/v1/webhooks"


@pytest.fixture
async def settings(settings: Settings) -> Settings:
    return structs.replace(settings, webhook_hosts="127.0.0.1:*")


async def made(client, database, outcome: Outcome) -> str:
    """A webhook that was sent one event."""
    body = {"url": "http://127.0.0.1:9/", "kinds": "variables.set"}
    webhook = (await client.post(PATH, json=body)).json()["Id"]
    [standing] = (await attempts.standing(database.reader, [webhook])).values()
    letter = WebhookMessage(message="evt_7", seq=7, kind="variables.set", body=b"{}")
    await attempts.record_results.one(
        database, AttemptResult(webhook=standing, letter=letter, outcome=outcome)
    )
    return webhook


async def test_what_fails_is_seen(client, database, settings):
    webhook = await made(client, database, Outcome(fault="tls: certificate has expired"))

    listed = gamekeeper(settings, "webhooks", "list")
    shown = gamekeeper(settings, "webhooks", "show", webhook)

    assert "http://127.0.0.1:9/  failing since" in listed.stdout
    assert "next attempt" in shown.stdout.splitlines()[0]
    assert "tests key:" in listed.stdout
    assert "created by tests key:" in shown.stdout.splitlines()[0]
    assert "tls: certificate has expired" in shown.stdout
    told = json.loads(gamekeeper(settings, "webhooks", "show", webhook, "--json").stdout)
    assert (told["Webhook"]["Id"], told["Deliveries"]["Values"][0]["Seq"]) == (webhook, 7)


async def test_what_a_target_answers_cannot_move_the_cursor(client, database, settings):
    webhook = await made(client, database, Outcome(status=200, answer="\x1b[2Jgone"))

    shown = gamekeeper(settings, "webhooks", "show", webhook)

    assert "200 '\\x1b[2Jgone'" in shown.stdout
    assert "\x1b" not in shown.stdout


async def test_a_test_and_a_replay_are_asked_for(client, database, settings):
    webhook = await made(client, database, Outcome(status=200))
    [first] = (await client.get(f"{PATH}/{webhook}/deliveries")).json()["Values"]

    tested = gamekeeper(settings, "webhooks", "test", webhook, "--json")
    again = gamekeeper(settings, "webhooks", "replay", webhook, "--delivery", first["Id"])

    assert json.loads(tested.stdout)["Kind"] == "webhooks.test"
    assert again.stdout == "Sent again: 1.\n"
    found = (await client.get(f"{PATH}/{webhook}/deliveries")).json()["Values"]
    assert [one["State"] for one in found] == ["waiting", "waiting", "delivered"]


async def test_what_cannot_be_done_is_said(settings):
    for words, why in (
        (["show", str(uuid4())], "No webhook with id"),
        (["test", str(uuid4())], "No webhook with id"),
        (["replay", str(uuid4())], "Use --delivery, or both --from and --to."),
    ):
        done = gamekeeper(settings, "webhooks", *words)
        assert done.returncode != 0
        assert why in done.stderr


async def test_a_required_reason_is_asked_for(client, database, settings):
    webhook = await made(client, database, Outcome(status=200))
    required = {"GAMEKEEPER_REQUIRED_REASONS": "webhooks"}

    refused = gamekeeper(settings, "webhooks", "test", webhook, **required)

    assert refused.returncode == 1
    assert "This change needs a reason. Add --reason." in refused.stderr
    words = ["webhooks", "test", webhook, "--reason", "after the outage"]
    assert gamekeeper(settings, *words, **required).returncode == 0
