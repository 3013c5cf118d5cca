"""Guilds in the console: found by name, changed by the keyboard, looked at as they were."""

import asyncio
import re

import pytest
from playwright.async_api import Route

from tests.console.game import Game
from tests.console.visit import ConsoleVisit

pytestmark = pytest.mark.browser

TEMPORARY = "Gilded Compass"


async def test_a_guild_is_found_and_a_rank_changed(visit: ConsoleVisit, game: Game):
    guild = await _guild(game)
    page = visit.page
    await visit.open("/")
    await page.keyboard.press("g")
    await page.keyboard.press("u")
    await page.get_by_role("searchbox", name="Search by name").fill(TEMPORARY)
    row = page.get_by_role("row", name=TEMPORARY)
    await row.wait_for()
    await row.focus()
    await page.keyboard.press("Enter")

    await page.get_by_role("button", name="Change Faddei").click()
    await page.get_by_role("menuitem", name="Change rank…").click()
    sheet = page.get_by_role("dialog")
    await sheet.get_by_role("textbox", name="Rank").fill("1")
    await sheet.get_by_role("textbox", name="Reason").fill("elected")
    await sheet.get_by_role("button", name="Change rank").click()
    await page.get_by_text("Changed the rank of Faddei").wait_for()

    assert (await _ranks(game, guild))["Faddei"] == 1
    [newest, *_] = (await game.get(f"/guilds/{guild}/history"))["Values"]
    assert (newest["Kind"], newest["Reason"]) == ("guilds.rank", "elected")


async def test_a_guild_opened_right_after_typing_stays_open(visit: ConsoleVisit, game: Game):
    guild = await _guild(game)
    page = visit.page

    async def slow(route: Route) -> None:
        await asyncio.sleep(1)
        await route.continue_()

    # The list is there until the screen of a guild has loaded, and its search still waits.
    await page.route(re.compile(r"/assets/Guild-[^/]+\.js$"), slow)
    await visit.open("/guilds")
    await page.get_by_role("searchbox", name="Search by name").fill(TEMPORARY)
    await page.get_by_role("row", name=TEMPORARY).press("Enter")

    await page.get_by_role("heading", name=TEMPORARY).wait_for()
    assert page.url.endswith(f"/guilds/{guild}")


async def test_the_bank_is_shown_before_it_was_emptied(visit: ConsoleVisit, game: Game):
    await visit.open(await game.address("/guilds/{court}?tab=bank"))
    page = visit.page
    bank = page.get_by_role("grid", name="Bank")
    now = await bank.get_by_role("gridcell", name="Dragon Scale").first.get_attribute("aria-label")

    await page.get_by_role("button", name="Previous change").click()
    await bank.get_by_role("gridcell", name="quantity changed").first.wait_for()

    then = await bank.get_by_role("gridcell", name="Dragon Scale").first.get_attribute("aria-label")
    assert then != now
    await page.get_by_role("button", name="Back to now").click()


async def _guild(game: Game) -> str:
    """A guild of two characters who are in no other."""
    found = await game.get(f"/guilds?search={TEMPORARY}")
    if found["Values"]:
        return found["Values"][0]["Key"]["Id"]
    for name in ("Faddei", "Ottilie"):
        await game.post("/users/ana/players", name=name, classid=await _class(game))
    made = await game.post("/guilds/create", name=TEMPORARY, owner="Ottilie")
    await game.post(f"/guilds/{made['Id']}/members/Faddei", rank=3)
    return made["Id"]


async def _class(game: Game) -> str:
    return (await game.get("/catalog/classes"))["Values"][0]["Id"]


async def _ranks(game: Game, guild: str) -> dict[str, int]:
    found = await game.get(f"/guilds/{guild}/members")
    return {member["Name"]: member["GuildRank"] for member in found["Values"]}


async def test_a_bank_emptied_by_a_member_is_undone(visit: ConsoleVisit, game: Game):
    guild = await _guild(game)
    item = (await game.get("/catalog/items?search=Dragon Scale"))["Values"][0]["Id"]
    await game.post("/players/Ottilie/items/give", itemid=item, quantity=5)
    for way, name in (("deposit", "Ottilie"), ("withdraw", "Faddei")):
        body = {"player": name, "itemid": item, "quantity": 5}
        await game.post(f"/guilds/{guild}/bank/{way}", **body)
    await visit.open(f"/guilds/{guild}?tab=bank")
    page = visit.page

    await page.get_by_role("button", name="Undo:").first.click()
    sheet = page.get_by_role("dialog")
    preview = sheet.get_by_role("list", name="Preview")
    await preview.wait_for()
    assert await preview.get_by_role("listitem").count() == 2
    await sheet.get_by_role("textbox", name="Reason").fill("the bank was emptied")
    await sheet.get_by_role("button", name="Undo action").click()
    bank = page.get_by_role("grid", name="Bank")
    await bank.get_by_role("gridcell", name="Dragon Scale").first.wait_for()

    slots = await game.get(f"/guilds/{guild}/bank")
    assert sum(slot["Quantity"] for slot in slots if slot["ItemId"] == item) == 5
    [newest, *_] = (await game.get(f"/guilds/{guild}/history"))["Values"]
    assert (newest["Kind"], newest["Reason"]) == ("undo", "the bank was emptied")
