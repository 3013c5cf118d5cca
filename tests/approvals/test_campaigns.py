"""Campaigns need the right to their work, and beyond limits the approval of somebody else."""

from datetime import UTC, datetime, timedelta

from gamekeeper.campaigns import runner, storage
from tests.approvals.callers import approval_id
from tests.campaigns.crowds import Crowd
from tests.campaigns.test_campaign_endpoints import CAMPAIGNS, wanted


async def test_a_campaign_is_no_way_around_the_right_to_give(office):
    crowd = await Crowd.make(office.database)
    outsider = await office.caller("campaigns.manage", "campaigns.read")

    refused = await outsider.call("POST", CAMPAIGNS, json=wanted(crowd))

    assert (refused.status_code, refused.json()["Code"]) == (403, "role_required")
    made = await office.administrator.call("POST", CAMPAIGNS, json=wanted(crowd))
    campaign = made.json()["Id"]
    await crowd.advanced(campaign)
    started = await outsider.call("POST", f"{CAMPAIGNS}/{campaign}/start")
    assert started.status_code == 403


async def test_beyond_the_limits_a_start_needs_an_approval(office):
    crowd = await Crowd.make(office.database)
    scopes = ("campaigns.manage", "campaigns.read", "players.items")
    limited = await office.caller(*scopes, pieces_per_day=14)
    made = await limited.call("POST", CAMPAIGNS, json=wanted(crowd))
    campaign = (await crowd.advanced(made.json()["Id"])).id

    asked = await limited.call("POST", f"{CAMPAIGNS}/{campaign}/start")

    assert asked.status_code == 202, asked.text
    assert (await storage.find_campaign(office.database.reader, campaign)).state == "ready"
    approved = await office.administrator.approve(approval_id(asked))
    assert approved.status_code == 200, approved.text
    done = await crowd.advanced(campaign)
    assert (done.state, done.done, done.approved_by_name) == ("finished", 5, "caller")
    again = await office.administrator.approve(approval_id(asked))
    assert again.status_code == 409
    assert await runner.advance(office.database, campaign) == 0


async def test_a_letter_on_joining_counts_its_bound_against_the_limits(office):
    crowd = await Crowd.make(office.database)
    scopes = ("campaigns.manage", "campaigns.read", "players.items")
    limited = await office.caller(*scopes, pieces_per_day=14)
    ends = (datetime.now(UTC) + timedelta(days=1)).isoformat()

    async def asked(most: int) -> int:
        about = {"onjoin": True, "endsat": ends, "maxrecipients": most}
        made = await limited.call("POST", CAMPAIGNS, json=wanted(crowd) | about)
        return (await limited.call("POST", f"{CAMPAIGNS}/{made.json()['Id']}/start")).status_code

    assert await asked(5) == 202
    assert await asked(4) == 200
    assert await asked(1) == 202
