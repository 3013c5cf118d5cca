"""Limits in the change sheet: it says before a gift is sent that somebody else has to approve."""

import re
from collections.abc import Sequence
from urllib.parse import quote
from uuid import uuid4

import pytest
from playwright.async_api import expect

from gamekeeper.demo.story.cast import LUCKY
from tests.console.conftest import Visits
from tests.console.game import Game
from tests.console.keyboard import Hand, Keyboard, Thumb
from tests.console.test_step_up import ON_PHONE
from tests.console.visit import ConsoleVisit
from tests.make import sha

pytestmark = pytest.mark.browser

SCOPES = ["players.read", "players.items", "actions.read", "actions.undo", "staff.read"]


async def make_supporter(game: Game, scopes: Sequence[str] = SCOPES, **limits: int) -> str:
    """Somebody with these scopes, who may hand out only so much."""
    name = f"limited-{uuid4().hex[:6]}"
    about = {"username": name, "email": f"{name}@example.com", "password": sha("a lantern")}
    await game.post("/users/register", **about)
    await game.post("/roles", name=name, scopes=list(scopes), limits=limits)
    answer = await game.send("PUT", f"/staff/{name}/roles/{name}")
    assert answer.is_success, answer.text
    return name


async def choose_potions(visit: ConsoleVisit, hand: Hand, quantity: int) -> None:
    await visit.open(f"/players/{quote(LUCKY.name)}")
    await hand.press("button", "Give items")
    await hand.pick("Item", "Health Potion")
    await hand.write("Quantity", str(quantity))


@ON_PHONE
async def test_a_gift_beyond_the_limit_is_announced_before_it_is_sent(
    visits: Visits, game: Game, on_phone: bool
):
    visit = await visits.by(await make_supporter(game, piecesperday=5), on_phone=on_phone)
    page, hand = visit.page, Thumb(visit.page) if on_phone else Keyboard(visit.page)
    sheet = page.get_by_role("dialog", name="Give items")
    await choose_potions(visit, hand, 3)
    await expect(sheet).to_contain_text("Left of your limit for this item today: 5 of 5.")
    await hand.press("button", "Give")
    await page.get_by_role("alert").filter(has_text="Undo").first.wait_for()

    await choose_potions(visit, hand, 3)
    notice = sheet.get_by_role("status")
    await expect(notice).to_have_text(
        "More than your limit of 5 per day for this item, of which 3 are used: "
        "another member of staff has to approve."
    )
    assert await visit.violations() == []
    await hand.write("Quantity", "2")
    await expect(notice).to_be_hidden()
    await expect(sheet).to_contain_text("Left of your limit for this item today: 2 of 5.")

    await hand.write("Quantity", "3")
    await hand.press("button", "Give")
    waits = page.get_by_role("alert").filter(has_text="waiting for approval")
    await waits.get_by_role("link", name="Open request").click()
    await expect(page.get_by_role("main")).to_contain_text("Limit")


async def test_staff_without_limits_see_no_notice(visit: ConsoleVisit):
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    await choose_potions(visit, Keyboard(visit.page), 1000)

    sheet = visit.page.get_by_role("dialog", name="Give items")
    await expect(sheet.get_by_role("button", name="Give", exact=True)).to_be_enabled()
    await expect(sheet).not_to_contain_text("limit")
    assert not [url for url in asked if url.endswith("/me/usage")]


async def test_an_undo_beyond_the_limit_is_announced(visits: Visits, game: Game):
    name = await make_supporter(game, undosperday=0)
    item = (await game.get("/search?q=Health+Potion"))["Items"][0]["Id"]
    await game.post(
        f"/players/{quote(LUCKY.name)}/items/give", itemid=item, quantity=1, reason=name
    )
    visit = await visits.by(name)
    await visit.open(f"/actions?reason={name}")
    await Keyboard(visit.page).press("button", re.compile("^Undo: Gave items"))

    await expect(visit.page.get_by_role("dialog")).to_contain_text(
        "More than your limit of 0 undos per day: another member of staff has to approve."
    )
