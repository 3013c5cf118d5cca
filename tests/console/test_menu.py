"""The menu: the parts of Moderation, and the number of what waits for the person."""

import re

import pytest
from playwright.async_api import expect

from tests.console.conftest import Visits
from tests.console.game import Game
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
