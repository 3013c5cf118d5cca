"""Statistics of cases in the console: what waits, how long it took, and who closed how many."""

import re

import pytest
from playwright.async_api import expect

from tests.console.conftest import Visits
from tests.console.game import Game
from tests.console.keyboard import Hand, Keyboard, Thumb

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("on_phone", [False, True], ids=["keyboard", "thumb"])
async def test_a_moderator_sees_how_long_cases_wait_and_who_closed_them(
    visits: Visits, game: Game, on_phone: bool
):
    case = await game.report()
    await game.post(f"/cases/{case}/close", outcome="none")
    visit = await visits.by("Ines", on_phone=on_phone)
    page = visit.page
    hand: Hand = Thumb(page) if on_phone else Keyboard(page)
    await visit.open("/moderation")
    await hand.tab("Statistics")
    await visit.settled()

    found = await game.get("/cases/statistics")
    numbers = page.get_by_role("region", name="Cases in numbers")
    await expect(numbers).to_contain_text(re.compile(f"Open now{found['Open']}"))
    await expect(numbers).to_contain_text(re.compile(f"Closed{found['Closed']}Until claimed"))
    [most, *_] = found["Moderators"]
    moderators = page.get_by_role("table", name="Moderators")
    row = moderators.get_by_role("row").filter(has_text=most["Name"])
    await expect(row).to_contain_text(str(most["Closed"]))
    outcomes = page.get_by_role("table", name="Outcomes")
    await expect(outcomes).to_contain_text("No action")
    assert await visit.violations() == []
    assert await visit.too_wide() <= 0

    await hand.choose("7 days")
    await page.wait_for_url(re.compile("days="))
    await page.reload()
    await visit.settled()
    await expect(page.get_by_role("radio", name="7 days")).to_be_checked()


async def test_without_the_permission_there_are_no_statistics(visits: Visits):
    visit = await visits.by("Kjell")
    await visit.open("/moderation?tab=statistics")

    await visit.page.get_by_text(re.compile(r"reports\.read|sanctions\.read")).first.wait_for()
    assert not [call for call in visit.api_calls if "/statistics" in call]
