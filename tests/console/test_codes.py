"""Redeem codes: created, downloaded, activated, looked up and revoked, with their outcome."""

import asyncio
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from playwright.async_api import Route, expect

from gamekeeper.demo.story.cast import HERO
from tests.console.conftest import Visits, World
from tests.console.game import Game
from tests.console.test_cases import in_order
from tests.console.test_journeys import ON_PHONE, hand_of, told
from tests.console.test_limits import make_supporter

pytestmark = pytest.mark.browser

GIFT = "Health Potion"


async def batch_named(game: Game, campaign: str) -> dict[str, Any]:
    [batch] = (await game.get(f"/codes/batches?campaign={campaign}"))["Values"]
    return batch


async def active_code(game: Game, campaign: str, **about: object) -> str:
    """A code of an active batch that one account can redeem."""
    batch = await game.batch(campaign=campaign, name=campaign, codes=1, **about)
    download = await game.send("POST", f"/codes/batches/{batch}/download")
    assert download.status_code == 200, download.text
    await game.post(f"/codes/batches/{batch}/activate")
    return download.text.split()[1]


@ON_PHONE
async def test_codes_are_created_downloaded_and_activated(
    visits: Visits, world: World, game: Game, on_phone: bool
):
    campaign, size = f"spring-{uuid4().hex[:8]}", "phone" if on_phone else "desk"
    await game.batch(campaign=f"before-{campaign}")
    visit = await visits.by(world.owner, on_phone=on_phone)
    page, hand = visit.page, hand_of(visit, on_phone=on_phone)
    await visit.open("/live-ops?tab=codes")
    await hand.press("button", "New batch")
    sheet = page.get_by_role("dialog", name="New batch of codes")
    await hand.write("Name", campaign)
    await hand.write("Campaign", campaign)
    await hand.write("Codes", "2")
    await hand.write("Prefix", "SPRING")
    await hand.write("Subject of the letter", campaign)
    await hand.press("button", "Add item")
    await hand.pick("Item 1", GIFT)
    await hand.write("Quantity 1", "5")
    await expect(sheet).to_contain_text("2 redemptions at most")
    await expect(sheet).to_contain_text("+10")
    await in_order(visit, f"codes-new-{size}")
    await hand.press("button", "Create batch", sheet)
    await told(hand, f"Batch “{campaign}” created")
    await page.get_by_role("heading", name=campaign).wait_for()
    state = page.get_by_role("main").get_by_role("status")
    await state.filter(has_text="Not downloaded").wait_for()

    await hand.press("button", "Download codes")
    sheet = page.get_by_role("dialog", name="Download codes")
    await in_order(visit, f"codes-download-{size}")
    async with page.expect_download() as saved:
        await hand.press("button", "Download", sheet)
    file = await saved.value
    assert file.suggested_filename == f"codes-{campaign}.csv"
    head, *codes = Path(await file.path()).read_text().split()
    assert (head, len(codes)) == ("Code", 2)
    assert all(code.startswith("SPRING-") for code in codes)
    await told(hand, "2 codes downloaded")
    await state.filter(has_text="Ready").wait_for()
    assert codes[0] not in await page.content()
    await in_order(visit, f"codes-ready-{size}")

    await hand.press("button", "Activate")
    sheet = page.get_by_role("dialog", name="Activate batch")
    await hand.press("button", "Activate batch", sheet)
    await state.filter(has_text="Active").wait_for()
    assert (await batch_named(game, campaign))["State"] == "active"
    assert await page.get_by_role("button", name="Download").count() == 0

    await game.post("/codes/redeem", code=codes[0], character=HERO.name)
    await visit.page.reload()
    redemptions = page.get_by_role("table", name="Redemptions")
    await expect(redemptions.get_by_role("row").last).to_contain_text(HERO.name)
    await expect(page.get_by_role("region", name="Facts")).to_contain_text("1 of 2")
    await in_order(visit, f"codes-active-{size}")

    await hand.press("button", "Revoke")
    sheet = page.get_by_role("dialog", name="Revoke batch")
    await expect(sheet).to_contain_text("Players keep their letters")
    await in_order(visit, f"codes-revoke-{size}")
    await hand.write("Reason", "leaked")
    await hand.press("button", "Revoke batch", sheet)
    await state.filter(has_text="Revoked").wait_for()
    refused = await game.send("POST", "/codes/redeem", code=codes[1], character="Bram Hollow")
    assert refused.status_code >= 400
    mailbox = await game.get(f"/players/{quote(HERO.name)}/mailbox")
    assert campaign in [letter["Subject"] for letter in mailbox["Values"]]


@ON_PHONE
async def test_one_code_is_looked_up_and_revoked(
    visits: Visits, world: World, game: Game, on_phone: bool
):
    campaign, size = f"stream-{uuid4().hex[:8]}", "phone" if on_phone else "desk"
    code = await active_code(game, campaign)
    await game.post("/codes/redeem", code=code, character=HERO.name)
    visit = await visits.by(world.owner, on_phone=on_phone)
    page, hand = visit.page, hand_of(visit, on_phone=on_phone)
    await visit.open("/live-ops?tab=codes")
    await hand.press("button", "Look up code")
    sheet = page.get_by_role("dialog", name="Look up code")
    await hand.write("Code", "SPRING-AAAA-BBBB-CCCC-DD")
    await hand.press("button", "Look up", sheet)
    await sheet.get_by_role("alert").wait_for()

    # As people read it out: without the prefix, in lower case.
    await hand.write("Code", code.removeprefix("SPRING-").lower())
    await hand.press("button", "Look up", sheet)
    found = sheet.get_by_role("status")
    await expect(found).to_contain_text(campaign)
    await expect(found).to_contain_text("1 of 1")
    await expect(found).to_contain_text(HERO.name)
    await in_order(visit, f"code-look-up-{size}")
    await hand.press("button", "Revoke…", sheet)
    sheet = page.get_by_role("dialog", name="Revoke permanently")
    await expect(sheet).to_contain_text("cannot be undone")
    await in_order(visit, f"code-revoke-{size}")
    await hand.write("Reason", "leaked")
    await hand.press("button", "Revoke permanently", sheet)
    await told(hand, "Code revoked")
    await expect(found).to_contain_text("Revoked")
    facts = await game.post("/codes/look-up", code=code)
    assert facts["RevokedAt"] is not None


async def test_the_code_that_was_looked_up_is_revoked(visits: Visits, world: World, game: Game):
    """Not what is typed while the answer is on its way."""
    campaign = f"typed-{uuid4().hex[:8]}"
    code = await active_code(game, campaign)
    visit = await visits.by(world.owner)
    page, hand = visit.page, hand_of(visit)
    answered = asyncio.Event()

    async def wait(route: Route) -> None:
        await answered.wait()
        await route.continue_()

    await page.route("**/api/v1/codes/look-up", wait)
    await visit.open("/live-ops?tab=codes")
    await hand.press("button", "Look up code")
    sheet = page.get_by_role("dialog", name="Look up code")
    await hand.write("Code", code)
    await hand.press("button", "Look up", sheet)
    field = sheet.get_by_role("textbox", name="Code")
    await field.press_sequentially("X")
    answered.set()
    await expect(sheet.get_by_role("status")).to_contain_text(campaign)
    await expect(field).to_have_value(code)
    await hand.press("button", "Revoke…", sheet)
    await hand.press("button", "Revoke permanently")
    await told(hand, "Code revoked")
    assert (await game.post("/codes/look-up", code=code))["RevokedAt"] is not None


@ON_PHONE
async def test_another_download_is_confirmed_and_may_fail(
    visits: Visits, world: World, game: Game, on_phone: bool
):
    campaign, size = f"again-{uuid4().hex[:8]}", "phone" if on_phone else "desk"
    batch = await game.batch(campaign=campaign, codes=1)
    first = await game.send("POST", f"/codes/batches/{batch}/download")
    visit = await visits.by(world.owner, on_phone=on_phone)
    page, hand = visit.page, hand_of(visit, on_phone=on_phone)
    await visit.open(f"/codes/{batch}")
    await page.get_by_text("The earlier file stops working.").wait_for()
    await hand.press("button", "Download new codes")
    sheet = page.get_by_role("dialog", name="Download new codes")
    await expect(sheet).to_contain_text("Stops working")
    await in_order(visit, f"codes-download-again-{size}")
    await hand.press("button", "Cancel", sheet)
    if not on_phone:
        await expect(page.get_by_role("button", name="Download new codes")).to_be_focused()
    assert (await game.post("/codes/look-up", code=first.text.split()[1]))["Batch"]["Id"] == batch

    download, broken = f"**/codes/batches/{batch}/download", asyncio.Event()

    async def abort(route: Route) -> None:
        await broken.wait()
        await route.abort()

    await page.route(download, abort)
    await hand.press("button", "Download new codes")
    await hand.press("button", "Download", sheet)
    await expect(sheet.get_by_role("status")).to_contain_text("Creating codes.")
    await in_order(visit, f"codes-downloading-{size}")
    async with page.expect_request(lambda sent: sent.url.endswith(f"/codes/batches/{batch}")):
        broken.set()
    await expect(sheet.get_by_role("alert")).to_contain_text("The download is not complete")
    await page.unroute(download)
    async with page.expect_download() as saved:
        await hand.press("button", "Download", sheet)
    await told(hand, "1 code downloaded")
    file = await saved.value
    assert (await file.path()).read_text() != first.text
    replaced = await game.send("POST", "/codes/look-up", code=first.text.split()[1])
    assert replaced.status_code == 404


@ON_PHONE
async def test_a_code_is_redeemed_for_a_player(
    visits: Visits, world: World, game: Game, on_phone: bool
):
    campaign, size = f"helped-{uuid4().hex[:8]}", "phone" if on_phone else "desk"
    code = await active_code(game, campaign)
    await game.batch(campaign=f"other-{campaign}", name=f"other-{campaign}")
    visit = await visits.by(world.owner, on_phone=on_phone)
    page, hand = visit.page, hand_of(visit, on_phone=on_phone)
    await visit.open("/live-ops?tab=codes")
    await hand.write("Filter by campaign", campaign)
    rows = page.get_by_role("table", name="Batches of codes").get_by_role("row")
    await expect(rows).to_have_count(2)
    await expect(rows.last).to_contain_text(campaign)
    await hand.press("button", "Look up code")
    sheet = page.get_by_role("dialog", name="Look up code")
    await hand.write("Code", code)
    await hand.press("button", "Look up", sheet)
    await hand.press("button", "Redeem for player…", sheet)
    await hand.write("Player", HERO.name)
    await hand.pick("Player", re.compile(HERO.name))
    redeem = page.get_by_role("dialog", name="Redeem code")
    await expect(redeem).to_contain_text("Uses left")
    await in_order(visit, f"code-redeem-{size}")
    await hand.press("button", "Redeem code", redeem)
    await told(hand, f"Code redeemed for {HERO.name}")
    await expect(sheet.get_by_role("status")).to_contain_text("1 of 1")
    assert await sheet.get_by_role("button", name="Redeem for player…").count() == 0
    mailbox = await game.get(f"/players/{quote(HERO.name)}/mailbox")
    assert "A gift" in [letter["Subject"] for letter in mailbox["Values"]]


@ON_PHONE
async def test_a_batch_that_has_expired_is_not_active(
    visits: Visits, world: World, game: Game, on_phone: bool
):
    campaign, size = f"late-{uuid4().hex[:8]}", "phone" if on_phone else "desk"
    code = await active_code(game, campaign, expiresat="2026-01-31T12:00:00Z")
    visit = await visits.by(world.owner, on_phone=on_phone)
    page, hand = visit.page, hand_of(visit, on_phone=on_phone)
    await visit.open("/live-ops?tab=codes")
    row = page.get_by_role("row").filter(has_text=campaign)
    await expect(row).to_contain_text("Expired")
    await expect(row.get_by_text("2026-01-31").filter(visible=True)).to_have_count(1)
    await in_order(visit, f"codes-expired-{size}")
    await hand.press("button", "Look up code")
    sheet = page.get_by_role("dialog", name="Look up code")
    await hand.write("Code", code)
    await hand.press("button", "Look up", sheet)
    found = sheet.get_by_role("status")
    await expect(found).to_contain_text("Expired")
    await expect(found).to_contain_text("2026-01-31")
    batch = await batch_named(game, campaign)
    await visit.open(f"/codes/{batch['Id']}")
    await page.get_by_role("main").get_by_role("status").filter(has_text="Expired").wait_for()


async def test_a_field_says_what_is_wrong_with_it(visits: Visits, world: World):
    visit = await visits.by(world.owner)
    page, hand = visit.page, hand_of(visit)
    await visit.open("/live-ops?tab=codes&new=true")
    await hand.write("Campaign", "Spring 2026")
    await page.get_by_text("Begin with a letter or digit.").wait_for()
    await hand.write("Prefix", "SPRING-")
    await page.get_by_text("Use letters A to Z and digits only.").wait_for()
    sheet = page.get_by_role("dialog", name="New batch of codes")
    await sheet.get_by_label("Starts").fill("2030-01-02T12:00")
    await sheet.get_by_label("Expires", exact=True).fill("2030-01-01T12:00")
    await page.get_by_text("The end must be after the start.").wait_for()
    await in_order(visit, "codes-new-wrong-desk")
    await expect(sheet.get_by_role("button", name="Create batch")).to_be_disabled()


async def test_those_with_limits_are_told_before_they_begin(visits: Visits, game: Game):
    batch = await game.batch(campaign=f"limited-{uuid4().hex[:8]}")
    scopes = ["codes.read", "codes.manage", "players.read"]
    visit = await visits.by(await make_supporter(game, scopes, largestgift=5))
    await visit.open("/live-ops?tab=codes&new=true")
    make = visit.page.get_by_role("button", name="New batch")
    await expect(make).to_have_attribute("aria-disabled", "true")
    await make.hover()
    await visit.page.get_by_text("Accounts with limits cannot").wait_for()
    assert await visit.page.get_by_role("dialog").count() == 0
    await visit.open(f"/codes/{batch}")
    download = visit.page.get_by_role("button", name="Download codes")
    await expect(download).to_have_attribute("aria-disabled", "true")
    revoke = visit.page.get_by_role("button", name="Revoke")
    await expect(revoke).to_have_attribute("aria-disabled", "false")


async def test_those_who_only_read_codes_cannot_create_them(visits: Visits, game: Game):
    batch = await game.batch(campaign=f"read-{uuid4().hex[:8]}")
    visit = await visits.by(await make_supporter(game, ["codes.read", "players.read"]))
    await visit.open("/live-ops")
    make = visit.page.get_by_role("button", name="New batch")
    await expect(make).to_have_attribute("aria-disabled", "true")
    await visit.open(f"/codes/{batch}")
    revoke = visit.page.get_by_role("button", name="Revoke")
    await expect(revoke).to_have_attribute("aria-disabled", "true")
    assert await visit.page.get_by_role("button", name=re.compile("Download")).count() == 0
