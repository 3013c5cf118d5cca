"""Campaigns by HTTP, from their creation to their reversal, and what is refused."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from gamekeeper.db.database import Database
from tests.campaigns.crowds import SEGMENT, Crowd
from tests.servers.game_server import GameServer

CAMPAIGNS = "/api/v1/campaigns"


@pytest.fixture
async def crowd(database: Database) -> Crowd:
    return await Crowd.make(database)


def wanted(crowd: Crowd, quantity: int = 3) -> dict:
    items = [{"itemid": str(crowd.potion), "quantity": quantity}]
    work = {"kind": "letter", "subject": "Sorry", "text": "Private words", "items": items}
    return {"name": "Outage", "segment": SEGMENT, "work": work}


async def test_a_campaign_from_its_creation_to_its_reversal(client, crowd):
    made = await client.post(CAMPAIGNS, json=wanted(crowd))
    assert made.status_code == 200, made.text
    path = f"{CAMPAIGNS}/{made.json()['Id']}"
    assert made.json()["State"] == "preparing"
    early = await client.post(f"{path}/start")
    assert (early.status_code, early.json()["Code"]) == (409, "wrong_campaign_state")

    ready = await crowd.advanced(made.json()["Id"])
    tried = (await client.post(f"{path}/dry-run")).json()
    assert (tried["Recipients"], tried["Possible"], tried["Items"][0]["Pieces"]) == (5, 5, 15)
    assert (await client.post(f"{path}/start")).json()["State"] == "running"
    await crowd.advanced(ready.id)

    assert (await client.get(path)).json()["Done"] == 5
    page = (await client.get(f"{path}/recipients", params={"limit": 2})).json()
    assert [each["State"] for each in page["Values"]] == ["done", "done"]
    rest = await client.get(f"{path}/recipients", params={"cursor": page["Next"], "state": "done"})
    assert len(rest.json()["Values"]) == 3
    assert (await client.post(f"{path}/reverse")).json()["State"] == "reversing"
    await crowd.advanced(ready.id)
    assert (await client.get(CAMPAIGNS)).json()["Values"][0]["Reversed"] == 5


async def test_a_letter_on_joining_from_its_start_to_its_reversal(client, crowd):
    ends = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    about = {"onjoin": True, "endsat": ends, "maxrecipients": 3}
    made = await client.post(CAMPAIGNS, json=wanted(crowd) | about)
    assert made.status_code == 200, made.text
    path = f"{CAMPAIGNS}/{made.json()['Id']}"
    assert [made.json()[name] for name in ("State", "OnJoin", "MaxRecipients")] == [
        "ready",
        True,
        3,
    ]
    assert (await client.post(f"{path}/dry-run")).json()["Recipients"] == 3
    assert (await client.post(f"{path}/start")).json()["State"] == "running"
    server = await GameServer.register(client)

    joined = await server.join(*crowd.players[:2])

    assert len(joined["Values"]) == 2
    [letter] = (await client.get(f"/api/v1/players/{crowd.players[0]}/mailbox")).json()["Values"]
    assert (letter["Subject"], letter["State"]) == ("Sorry", "open")
    shown = (await client.get(path)).json()
    assert (shown["State"], shown["Recipients"], shown["Done"]) == ("running", 2, 2)
    page = (await client.get(f"{path}/recipients")).json()
    assert {each["State"] for each in page["Values"]} == {"done"}
    assert (await client.post(f"{path}/stop")).json()["Done"] == 2
    assert (await client.post(f"{path}/reverse")).json()["State"] == "reversing"
    assert (await crowd.advanced(made.json()["Id"])).reversed == 2
    assert await crowd.held() == {}


async def test_the_log_names_who_started_it_and_no_text(client, crowd, database):
    made = await client.post(CAMPAIGNS, json=wanted(crowd), headers={"X-Reason": "ticket 5"})
    campaign = (await crowd.advanced(made.json()["Id"])).id
    await client.post(f"{CAMPAIGNS}/{campaign}/start")
    await crowd.advanced(campaign)

    rows = await database.reader.rows(
        "SELECT kind, actor_name, reason, request_id, before, after FROM actions"
    )
    sent = [row for row in rows if row["kind"] == "mail.send"]
    assert {(row["actor_name"], row["reason"]) for row in sent} == {("tests", "ticket 5")}
    assert {row["request_id"] for row in sent} == {str(campaign)}
    assert "Private words" not in str([dict(row) for row in rows])
    kinds = {row["kind"] for row in rows if row["kind"].startswith("campaigns.")}
    assert kinds == {"campaigns.create", "campaigns.start", "campaigns.finish"}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"name": " "}, "invalid_campaign"),
        ({"name": "x" * 81}, "invalid_campaign"),
        ({"persecond": 0}, "invalid_campaign"),
        ({"segment": "nobody"}, "segment_not_found"),
        ({"onjoin": True}, "invalid_campaign"),
        ({"maxrecipients": 5}, "invalid_campaign"),
        ({"work": {"kind": "letter"}}, "invalid_campaign"),
        ({"work": {"kind": "letter", "subject": ""}}, "invalid_letter"),
        ({"work": {"kind": "give"}}, "invalid_campaign"),
        ({"work": {"kind": "give", "items": []}}, "invalid_campaign"),
        ({"work": {"kind": "spell", "id": str(uuid4())}}, "invalid_campaign"),
        ({"work": {"kind": "spell", "id": str(uuid4()), "value": 1}}, "invalid_campaign"),
        ({"work": {"kind": "variable", "id": str(uuid4()), "value": 1}}, "invalid_campaign"),
        ({"work": {"kind": "wish"}}, "invalid_body"),
        ({"work": {"kind": "letter", "subject": "Hi", "to": "all"}}, "invalid_body"),
        (
            {"work": {"kind": "take", "items": [{"itemid": str(uuid4()), "quantity": 0}]}},
            "invalid_quantity",
        ),
        (
            {"work": {"kind": "take", "items": [{"itemid": str(uuid4()), "quantity": 1}]}},
            "unknown_item",
        ),
    ],
)
async def test_what_is_not_valid_is_refused(client, crowd, database, change, code):
    refused = await client.post(CAMPAIGNS, json=wanted(crowd) | change)

    assert refused.json()["Code"] == code, refused.text
    assert await database.reader.value("SELECT count(*) FROM campaigns") == 0
