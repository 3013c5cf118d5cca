"""Approval requests: who may decide sees that one waits, for whom and why."""

from uuid import uuid4

import pytest
from playwright.async_api import expect

from gamekeeper.demo import world as demo
from gamekeeper.demo.story.cast import LUCKY
from tests.console.conftest import Visits
from tests.console.game import Game
from tests.console.visit import ConsoleVisit

pytestmark = pytest.mark.browser


async def request_gift(game: Game) -> str:
    """A gift beyond the limit of a key, which waits; the reason that it has."""
    mark = f"approve-{uuid4().hex[:6]}"
    key = await game.post("/keys", name=mark, scopes=["players.items"], largestgift=1)
    answer = await game.send(
        "POST",
        f"/players/{LUCKY.name}/items/give",
        key=key["Key"],
        itemid=str(demo.items()["Antidote"].id),
        quantity=2,
        reason=mark,
    )
    assert answer.json()["Code"] == "approval_required", answer.text
    return mark


async def test_the_menu_counts_requests_and_the_list_says_for_whom_and_why(
    visit: ConsoleVisit, game: Game
):
    mark = await request_gift(game)
    await visit.open("/players")
    total = (await game.get("/approvals?state=pending&pageSize=1"))["Total"]
    menu = visit.page.get_by_role("navigation").first
    link = menu.get_by_role("link", name="Settings")

    await expect(link).to_contain_text(str(total))
    await visit.open("/settings?tab=approvals")
    row = visit.page.get_by_role("row").filter(has_text=mark)
    await expect(row).to_contain_text(LUCKY.name)
    await expect(row).to_contain_text("2 × Antidote")
    assert await visit.violations() == []


async def test_those_who_may_not_decide_see_no_number(visits: Visits, game: Game):
    await request_gift(game)
    moderator = await visits.by("Ines")
    await moderator.open("/players")

    link = moderator.page.get_by_role("navigation").first.get_by_role("link", name="Settings")
    await expect(link).to_have_text("Settings")
