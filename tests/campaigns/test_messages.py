"""Campaigns that send a message in the game to every recipient."""

import pytest

from gamekeeper.campaigns.changes import WrongCampaignState
from gamekeeper.campaigns.records import CampaignWork
from gamekeeper.db.database import Database
from tests.campaigns.crowds import Crowd
from tests.campaigns.test_campaign_endpoints import CAMPAIGNS, wanted
from tests.commands.orders import fetch
from tests.servers.game_server import GameServer

MESSAGE = CampaignWork(kind="message", text="Maintenance at noon.", color="#ff8800")


@pytest.fixture
async def crowd(database: Database) -> Crowd:
    return await Crowd.make(database)


async def test_each_recipient_gets_the_message_now_or_on_the_next_join(client, crowd):
    server = await GameServer.register(client)
    ana, bo, *_ = crowd.players
    await server.join(ana)

    done = await crowd.finished(MESSAGE)

    assert (done.state, done.done, done.refused) == ("finished", 5, 0)
    [first] = await fetch(server)
    assert (first["Kind"], first["PlayerId"]) == ("message", str(ana))
    assert first["Payload"] == {"Text": "Maintenance at noon.", "Color": "#FF8800"}
    await server.join(bo)
    [second] = await fetch(server)
    assert second["PlayerId"] == str(bo)


async def test_a_message_cannot_be_taken_back(crowd):
    done = await crowd.finished(MESSAGE)

    with pytest.raises(WrongCampaignState, match="cannot be taken back"):
        await crowd.reversed(done.id)


@pytest.mark.parametrize(
    ("work", "code"),
    [
        ({"kind": "message"}, "invalid_campaign"),
        ({"kind": "message", "text": "x" * 501}, "invalid_command"),
        ({"kind": "message", "text": "Hi", "color": "red"}, "invalid_command"),
        ({"kind": "message", "text": "Hi", "subject": "Hi"}, "invalid_campaign"),
        ({"kind": "announcement", "text": "Hi"}, "invalid_campaign"),
        ({"kind": "letter", "subject": "Hi", "color": "#FF8800"}, "invalid_campaign"),
    ],
)
async def test_what_is_no_message_is_refused(client, crowd, work, code):
    refused = await client.post(CAMPAIGNS, json=wanted(crowd) | {"work": work})

    assert refused.json()["Code"] == code, refused.text


async def test_a_message_has_no_end(client, crowd):
    about = {"work": {"kind": "message", "text": "Hi"}, "endsat": "2030-01-01T00:00:00Z"}

    refused = await client.post(CAMPAIGNS, json=wanted(crowd) | about)

    assert refused.json()["Code"] == "invalid_campaign", refused.text
