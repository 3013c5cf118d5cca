"""Campaigns: created, tried, started, paused, stopped and reversed, with their outcome."""

import asyncio
import re
import time
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from playwright.async_api import Page, expect

from gamekeeper.demo import world as demo
from tests import processes
from tests.console.conftest import Visits, World
from tests.console.game import Game
from tests.console.test_cases import in_order
from tests.console.test_journeys import ON_PHONE, hand_of, told
from tests.console.test_limits import make_supporter

pytestmark = pytest.mark.browser

GIFT = "Health Potion"
TOO_MANY = {"itemid": str(demo.items()["Dragon Scale"].id), "quantity": 900}
EVERYONE = {"field": "level", "atleast": 1}
SCOPES = [
    *("campaigns.read", "campaigns.manage", "segments.read"),
    *("players.read", "players.items", "staff.read"),
]


async def segment_of(game: Game, page: int, count: int) -> tuple[str, list[str]]:
    """A segment of a page of characters, and their names: each test has its own."""
    name = f"test-{uuid4().hex[:8]}"
    found = await game.get(f"/players?page={page}&pageSize={count}")
    names = [player["Name"] for player in found["Values"]]
    assert len(names) == count
    await game.post(f"/segment-lists/{name}/names", names=names)
    condition = {"field": "list", "list": name}
    await game.put(f"/segments/{name}", groups=[{"conditions": [condition]}])
    return name, names


async def create(game: Game, segment: str, **about: object) -> str:
    """A campaign that is ready to be started."""
    gift = {"itemid": str(demo.items()[GIFT].id), "quantity": 2}
    work = {"kind": "letter", "subject": "Sorry", "items": [gift]}
    body = {"name": f"Campaign {uuid4().hex[:6]}", "segment": segment, "work": work} | about
    campaign = (await game.post("/campaigns", **body))["Id"]
    await state_of(game, campaign, "ready")
    return campaign


async def state_of(game: Game, campaign: str, wanted: str) -> dict[str, Any]:
    """The campaign, once it is in this state."""
    deadline = time.monotonic() + processes.PATIENCE
    while (found := await game.get(f"/campaigns/{campaign}"))["State"] != wanted:
        assert time.monotonic() < deadline, found
        await asyncio.sleep(0.2)
    return found


def campaign_on(page: Page) -> str:
    """The id of the campaign whose page is open."""
    return page.url.split("/campaigns/")[1].split("?")[0]


async def letters_to(game: Game, player: str, subject: str) -> list[dict[str, object]]:
    found = await game.get(f"/players/{quote(player)}/mailbox")
    return [letter for letter in found["Values"] if letter["Subject"] == subject]


@ON_PHONE
async def test_players_are_compensated_and_it_is_taken_back(
    visits: Visits, world: World, game: Game, on_phone: bool
):
    segment, names = await segment_of(game, 10 if on_phone else 11, 3)
    name, size = f"Outage {uuid4().hex[:6]}", "phone" if on_phone else "desk"
    visit = await visits.by(world.owner, on_phone=on_phone)
    page, hand = visit.page, hand_of(visit, on_phone=on_phone)
    await visit.open(f"/segments/{segment}")
    await hand.press("link", "New campaign")

    sheet = page.get_by_role("dialog", name="New campaign")
    await hand.write("Name", name)
    await hand.write("Subject", name)
    await hand.write("Text", "For the outage on Friday.")
    await hand.press("button", "Add item")
    await hand.pick("Item 1", GIFT)
    await hand.write("Quantity 1", "2")
    await expect(sheet).to_contain_text("Recipients: 3")
    await expect(sheet).to_contain_text("+6")
    await in_order(visit, f"campaign-new-{size}")
    await hand.write("Reason", "outage of Friday")
    await hand.press("button", "Create campaign", sheet)
    await told(hand, f"Campaign “{name}” created")
    await page.get_by_role("heading", name=name).wait_for()
    campaign = campaign_on(page)
    await page.get_by_role("status").filter(has_text="Ready").wait_for()
    assert (await game.get(f"/campaigns/{campaign}"))["Reason"] == "outage of Friday"

    await hand.press("button", "Run dry run")
    report = page.get_by_role("region", name="Dry run")
    await expect(report).to_contain_text("3 of 3 tried")
    await expect(report).to_contain_text("+6")
    await expect(report.get_by_role("table", name="Examples").get_by_role("row")).to_have_count(4)
    await in_order(visit, f"campaign-dry-run-{size}")
    assert await letters_to(game, names[0], name) == []

    await hand.press("button", "Start")
    sheet = page.get_by_role("dialog", name="Start campaign")
    await expect(sheet).to_contain_text("3 of 3 tried")
    await in_order(visit, f"campaign-start-{size}")
    await hand.press("button", "Start campaign", sheet)
    await told(hand, f"Campaign “{name}” started")
    await page.get_by_role("status").filter(has_text="Finished").wait_for()
    for player in names:
        assert len(await letters_to(game, player, name)) == 1
    table = page.get_by_role("table", name="Recipients")
    await expect(table.get_by_role("row").filter(has_text="Done")).to_have_count(3)
    await in_order(visit, f"campaign-finished-{size}")

    await hand.press("button", "Reverse campaign")
    sheet = page.get_by_role("dialog", name="Reverse campaign")
    await expect(sheet).to_contain_text("Undoes the work for 3 recipients")
    await expect(sheet).to_contain_text("Unclaimed letters disappear")
    await in_order(visit, f"campaign-reverse-{size}")
    await hand.press("button", "Reverse campaign", sheet)
    await page.get_by_role("status").filter(has_text="Reversed").wait_for()
    reversed_ = await game.get(f"/campaigns/{campaign}")
    assert (reversed_["Reversed"], reversed_["Kept"]) == (3, 0)
    await expect(table.get_by_role("row").filter(has_text="Reversed")).to_have_count(3)


@ON_PHONE
async def test_a_letter_waits_until_players_join(
    visits: Visits, world: World, game: Game, on_phone: bool
):
    segment, names = await segment_of(game, 20 if on_phone else 21, 2)
    name, size = f"Welcome {uuid4().hex[:6]}", "phone" if on_phone else "desk"
    visit = await visits.by(world.owner, on_phone=on_phone)
    page, hand = visit.page, hand_of(visit, on_phone=on_phone)
    await visit.open(f"/segments/{segment}")
    await hand.press("link", "New campaign")
    sheet = page.get_by_role("dialog", name="New campaign")
    await hand.write("Name", name)
    await hand.write("Subject", name)
    await hand.choose("When they next join")
    create = sheet.get_by_role("button", name="Create campaign")
    await expect(create).to_be_disabled()
    await sheet.get_by_label(re.compile("^Until")).fill("2030-01-01T12:00")
    await hand.write("Most recipients", "2")
    await in_order(visit, f"campaign-on-join-{size}")
    await hand.press("button", "Create campaign", sheet)
    await page.get_by_role("status").filter(has_text="Ready").wait_for()
    campaign = campaign_on(page)
    await expect(page.get_by_role("region", name="Facts")).to_contain_text("When they next join")

    await hand.press("button", "Start")
    sheet = page.get_by_role("dialog", name="Start campaign")
    await expect(sheet).to_contain_text("2 members")
    await hand.press("button", "Start campaign", sheet)
    await page.get_by_role("status").filter(has_text="Running").wait_for()
    lease = await game.post("/servers", name=name)
    await game.post(f"/servers/{lease['Id']}/join", fence=lease["Fence"], players=names[:1])
    assert len(await letters_to(game, names[0], name)) == 1
    progress = page.get_by_role("region", name="Progress")
    await expect(progress).to_contain_text("delivered of at most 2")
    await in_order(visit, f"campaign-joining-{size}")

    await hand.press("button", "Stop")
    await hand.press("button", "Stop campaign", page.get_by_role("dialog", name="Stop campaign"))
    await page.get_by_role("status").filter(has_text="Stopped").wait_for()
    assert (await game.get(f"/campaigns/{campaign}"))["State"] == "stopped"


async def test_a_slow_campaign_is_paused_resumed_and_stopped(
    visits: Visits, world: World, game: Game
):
    segment = f"test-{uuid4().hex[:8]}"
    await game.put(f"/segments/{segment}", groups=[{"conditions": [EVERYONE]}])
    # Nobody has that many, so nobody loses one. The worker takes 100 recipients at a time.
    work = {"kind": "take", "items": [TOO_MANY]}
    campaign = await create(game, segment, work=work, persecond=10)
    total = (await game.get(f"/campaigns/{campaign}"))["Recipients"]
    assert total > 200
    visit = await visits.by(world.owner)
    page, hand = visit.page, hand_of(visit)
    await visit.open(f"/campaigns/{campaign}")
    await hand.press("button", "Start")
    await hand.press("button", "Start campaign")
    progress = page.get_by_role("region", name="Progress")
    await expect(progress).to_contain_text(f" of {total} (")
    await expect(progress).to_contain_text("per second")
    await in_order(visit, "campaign-running-desk")

    await hand.press("button", "Pause")
    await page.get_by_role("status").filter(has_text="Paused").wait_for()
    paused = await game.get(f"/campaigns/{campaign}")
    assert paused["State"] == "paused"
    assert paused["Refused"] < total
    await hand.press("button", "Resume")
    await page.get_by_role("status").filter(has_text="Running").wait_for()
    assert (await game.get(f"/campaigns/{campaign}"))["State"] == "running"

    await hand.press("button", "Stop")
    sheet = page.get_by_role("dialog", name="Stop campaign")
    await expect(sheet).to_contain_text("cannot be resumed")
    await hand.press("button", "Stop campaign", sheet)
    await page.get_by_role("status").filter(has_text="Stopped").wait_for()
    stopped = await game.get(f"/campaigns/{campaign}")
    assert (stopped["State"], stopped["Done"]) == ("stopped", 0)
    assert stopped["Refused"] < total
    await visit.open("/live-ops")
    row = page.get_by_role("row").filter(has_text=stopped["Name"])
    await expect(row).to_contain_text("Stopped")
    await expect(row).to_contain_text(f"{stopped['Refused']} of {total}")


async def test_recipients_are_filtered_by_state_with_the_reason(
    visits: Visits, world: World, game: Game
):
    segment, _ = await segment_of(game, 35, 4)
    campaign = await create(game, segment, work={"kind": "take", "items": [TOO_MANY]})
    visit = await visits.by(world.owner)
    page, hand = visit.page, hand_of(visit)
    await visit.open(f"/campaigns/{campaign}")
    await hand.press("button", "Run dry run")
    report = page.get_by_role("region", name="Dry run")
    await expect(report).to_contain_text("0 of 4 tried")
    await expect(report).to_contain_text("Not enough items")
    await hand.press("button", "Start")
    await hand.press("button", "Start campaign")
    await page.get_by_role("status").filter(has_text="Finished").wait_for()
    await hand.pick("Status", "Refused")

    rows = page.get_by_role("table", name="Recipients").get_by_role("row")
    await expect(rows.filter(has_text="Not enough items")).to_have_count(4)
    assert re.search("state=refused", page.url)
    await hand.pick("Status", "Kept")
    await page.get_by_text("No recipients with this status.").wait_for()
    assert (await game.get(f"/campaigns/{campaign}"))["Refused"] == 4


async def test_a_start_beyond_the_limits_asks_for_approval(visits: Visits, game: Game):
    segment, _ = await segment_of(game, 50, 3)
    campaign = await create(game, segment)
    visit = await visits.by(await make_supporter(game, SCOPES, largestgift=5))
    page, hand = visit.page, hand_of(visit)
    await visit.open(f"/campaigns/{campaign}")
    await hand.press("button", "Start")
    sheet = page.get_by_role("dialog", name="Start campaign")
    await expect(sheet).to_contain_text("another member of staff has to approve")
    await hand.write("Reason", "outage, ticket 4711")
    await hand.press("button", "Ask for approval", sheet)
    await told(hand, "waiting for approval")

    assert (await game.get(f"/campaigns/{campaign}"))["State"] == "ready"
    pending = (await game.get("/approvals?state=pending&pageSize=100"))["Values"]
    [request] = [one for one in pending if one["Reason"] == "outage, ticket 4711"]
    await game.post(f"/approvals/{request['Id']}/approve")
    await page.get_by_role("status").filter(has_text="Finished").wait_for()


async def test_those_who_only_read_see_why_they_cannot_act(visits: Visits, game: Game):
    segment, _ = await segment_of(game, 160, 1)
    campaign = await create(game, segment)
    visit = await visits.by(await make_supporter(game, ["campaigns.read", "players.read"]))
    await visit.open("/live-ops")
    assert await visit.page.get_by_role("tab", name="Segments").count() == 0
    make = visit.page.get_by_role("button", name="New campaign")
    await expect(make).to_have_attribute("aria-disabled", "true")
    await visit.open(f"/campaigns/{campaign}")
    start = visit.page.get_by_role("button", name="Start")
    await expect(start).to_have_attribute("aria-disabled", "true")
    assert await visit.page.get_by_role("button", name="Run dry run").count() == 0
