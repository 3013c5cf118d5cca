"""A rule and what it found: set, looked into, acknowledged and deleted at the console."""

import asyncio
import re
import time
from typing import Any
from uuid import uuid4

import pytest
from playwright.async_api import expect

from gamekeeper.demo import world as demo
from gamekeeper.demo.story.cast import HERO
from tests.console.conftest import Visits, World
from tests.console.game import Game
from tests.console.keyboard import Hand, Keyboard, Thumb

pytestmark = pytest.mark.browser

ITEM = "Antidote"
GIVEN = 7
FOUND = 120.0
"""Seconds; rules are checked twice a minute, after the totals are summed."""


async def finding_of(game: Game, rule: str) -> dict[str, Any]:
    deadline = time.monotonic() + FOUND
    while True:
        found = (await game.get("/economy/findings?state=open&pageSize=100"))["Values"]
        if mine := [finding for finding in found if finding["Rule"] == rule]:
            return mine[0]
        assert time.monotonic() < deadline, found
        await asyncio.sleep(0.5)


@pytest.mark.parametrize("on_phone", [False, True], ids=["keyboard", "thumb"])
async def test_a_rule_is_set_and_what_it_finds_is_acknowledged(
    visits: Visits, world: World, game: Game, on_phone: bool
):
    visit = await visits.by(world.owner, on_phone=on_phone)
    page = visit.page
    hand: Hand = Thumb(page) if on_phone else Keyboard(page)
    rule = f"journey-{uuid4().hex[:8]}"
    await visit.open("/economy?tab=rules")
    await hand.press("button", "New rule")
    await hand.write("Name", rule)
    await hand.pick("Item (empty: value of all items)", re.compile(f"^{ITEM}"))
    await hand.write("More than", "3")
    sheet = page.get_by_role("dialog")
    await expect(sheet).to_contain_text(f"More than 3 {ITEM} created in an hour")
    assert await visit.violations() == []
    await hand.press("button", "Save")
    await page.get_by_text(f"Saved the rule {rule}").first.wait_for()

    item = str(demo.items()[ITEM].id)
    await game.post(f"/players/{HERO.name}/items/give", itemid=item, quantity=GIVEN)
    finding = await finding_of(game, rule)
    assert finding["Quantity"] >= GIVEN

    await visit.open("/economy?tab=findings")
    row = page.get_by_role("row").filter(has_text=f"Rule {rule}")
    if on_phone:
        # A phone shows no secondary columns, so the newest of this item.
        row = page.get_by_role("row").filter(has_text=ITEM).first
    await hand.press("button", "Acknowledge", within=row)
    await hand.write("Note", "a gift of ours")
    assert await visit.violations() == []
    await hand.press("button", "Acknowledge", within=page.get_by_role("dialog"))
    await page.get_by_text("Acknowledged the finding").first.wait_for()

    path = f"/economy/findings?state=acknowledged&item={item}&pageSize=100"
    [mine] = [one for one in (await game.get(path))["Values"] if one["Rule"] == rule]
    assert (mine["Id"], mine["Note"], mine["State"]) == (
        *(finding["Id"], "a gift of ours"),
        "acknowledged",
    )
    await visit.open("/economy?tab=rules")
    await hand.press("button", "Delete", within=page.get_by_role("row").filter(has_text=rule))
    await hand.press("button", "Delete", within=page.get_by_role("dialog"))
    await page.get_by_text(f"Deleted the rule {rule}").first.wait_for()
    rules = (await game.get("/economy/rules"))["Values"]
    assert rule not in {one["Name"] for one in rules}


async def test_those_who_may_not_manage_rules_read_findings(visits: Visits, game: Game):
    visit = await visits.by("Kjell")
    await visit.open("/economy?tab=findings&state=all")

    await visit.page.get_by_role("table", name="Findings").wait_for()
    assert await visit.page.get_by_role("button", name="Acknowledge").count() == 0
    await visit.open("/economy?tab=rules")
    button = visit.page.get_by_role("button", name="New rule")
    await expect(button).to_have_attribute("aria-disabled", "true")
