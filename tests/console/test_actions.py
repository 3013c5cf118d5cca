"""The log of everything: how staff finds actions in it, and what a row says."""

import re
from urllib.parse import quote

import pytest
from playwright.async_api import expect

from gamekeeper.demo.story.cast import HERO, THIEF
from tests.console.keyboard import Keyboard, field_of
from tests.console.test_stolen_accounts import COINS, Theft
from tests.console.test_stolen_accounts import theft as theft
from tests.console.visit import ConsoleVisit

pytestmark = pytest.mark.browser


async def test_who_is_completed_from_a_part_of_the_name(visit: ConsoleVisit):
    await visit.open("/actions")
    hand = Keyboard(visit.page)

    await hand.write("Done by", THIEF[:3].lower())
    await visit.page.get_by_role("option", name=THIEF, exact=True).wait_for()
    assert visit.page.url.endswith("/actions"), "half a name is no filter yet"
    await hand.keys("Enter")

    await visit.page.get_by_role("button", name=f"Undo everything by {THIEF}").wait_for()
    await expect(field_of(visit.page, "Done by")).to_have_value(THIEF)
    assert f"actor={THIEF}" in visit.page.url


async def test_a_player_is_completed_from_a_part_of_the_name(visit: ConsoleVisit):
    await visit.open("/actions")
    hand = Keyboard(visit.page)

    await hand.write("Player", HERO.name[:4])
    await visit.page.get_by_role("option", name=HERO.name).wait_for()
    await hand.keys("Enter")

    await visit.page.wait_for_url(re.compile(r"player=Bram(\+|%20)Ashford"))
    await visit.settled()
    rows = visit.page.get_by_role("main").get_by_role("listitem")
    assert await rows.count() == await rows.filter(has_text=HERO.name).count() > 0


async def test_a_name_that_nobody_has_offers_the_nearest(visit: ConsoleVisit):
    await visit.open("/actions?actor=vigo")

    state = visit.page.get_by_role("status").filter(has_text="named “vigo”")
    await state.wait_for()
    assert await visit.page.get_by_text("Loading failed").count() == 0
    assert await visit.violations() == []
    await Keyboard(visit.page).press("link", f"Did you mean {THIEF}?")

    await visit.page.get_by_role("button", name=f"Undo everything by {THIEF}").wait_for()


async def test_a_player_that_does_not_exist_is_no_failure(visit: ConsoleVisit):
    await visit.open("/actions")
    hand = Keyboard(visit.page)
    await hand.write("Player", "Nobody At All")
    await hand.keys("Enter")

    await visit.page.get_by_text("No player named “Nobody At All”").wait_for()


async def test_a_row_says_who_gave_who_received_and_how_many(visit: ConsoleVisit, theft: Theft):
    await visit.open(f"/actions?player={quote(theft.owner)}")
    rows = visit.page.get_by_role("main").get_by_role("listitem")

    handed = f"{theft.owner} gave 300 × {COINS} to {theft.buyer}"
    await expect(rows.filter(has_text=handed)).to_have_count(1)
    await visit.open(f"/actions?player={quote(theft.buyer)}")
    received = f"{theft.buyer} received 300 × {COINS} from {theft.owner}"
    await expect(rows.filter(has_text=received)).to_have_count(1)
