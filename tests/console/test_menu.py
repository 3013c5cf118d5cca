"""The menu: the parts of Moderation and Live ops, and the number of what waits."""

import re

import pytest
from playwright.async_api import expect

from tests.console.conftest import Visits
from tests.console.game import Game
from tests.console.test_limits import make_supporter
from tests.console.visit import ConsoleVisit

pytestmark = pytest.mark.browser


async def test_the_menu_counts_the_appeals_that_wait(visit: ConsoleVisit, game: Game):
    total = (await game.get("/appeals?state=open&pageSize=1"))["Total"]
    assert total > 0
    await visit.open("/players")
    menu = visit.page.get_by_role("navigation").first
    moderation = menu.get_by_role("link", name="Moderation")
    await expect(moderation).to_contain_text(str(total))
    assert await menu.get_by_role("link", name=re.compile("^Appeals")).count() == 0

    await moderation.click()
    await menu.get_by_role("link", name=re.compile("^Appeals")).click()

    await expect(visit.page.get_by_role("tab", name="Appeals")).to_have_attribute(
        "aria-selected", "true"
    )
    appeals = menu.get_by_role("link", name=re.compile("^Appeals"))
    await expect(appeals).to_have_attribute("aria-current", "page")
    await expect(appeals).to_contain_text(str(total))


async def test_those_who_decide_no_appeals_see_no_number(visits: Visits):
    visit = await visits.by("Kjell")
    await visit.open("/players")
    link = visit.page.get_by_role("navigation").first.get_by_role("link", name="Moderation")
    await expect(link).to_have_text("Moderation")


async def test_moderation_has_the_tabs_that_the_role_may_see(visits: Visits, game: Game):
    visit = await visits.by(await make_supporter(game, ["logs.read", "players.read"]))
    await visit.open("/players")
    menu = visit.page.get_by_role("navigation").first
    await menu.get_by_role("link", name="Moderation").click()
    await visit.page.get_by_role("log").wait_for()
    await expect(visit.page.get_by_role("tab")).to_have_text(["Chat"])
    await expect(menu.get_by_role("link", name="Chat")).to_have_attribute("aria-current", "page")
    assert await menu.get_by_role("link", name="Sanctions").count() == 0


async def test_live_ops_has_the_tabs_that_the_role_may_see(visits: Visits, visit: ConsoleVisit):
    await visit.open("/servers")
    await visit.page.keyboard.press("g")
    await visit.page.keyboard.press("l")
    menu = visit.page.get_by_role("navigation").first
    await menu.get_by_role("link", name="Segments").click()
    tab = visit.page.get_by_role("tab", name="Segments")
    await expect(tab).to_have_attribute("aria-selected", "true")
    await expect(menu.get_by_role("link", name="Segments")).to_have_attribute(
        "aria-current", "page"
    )

    moderator = await visits.by("Ines")
    await moderator.open("/live-ops?tab=segments")
    await moderator.page.get_by_text("segments.read").wait_for()
    assert await moderator.page.get_by_role("tab", name="Segments").count() == 0
    assert not [call for call in moderator.api_calls if "/segments" in call]
