"""A new member of staff, from the invitation in Settings to the second factor."""

import random
from string import ascii_lowercase

import pytest
from playwright.async_api import expect

from tests.console.conftest import Visits, World
from tests.console.game import Game
from tests.console.test_journeys import ON_PHONE, hand_of, told

pytestmark = pytest.mark.browser


@ON_PHONE
async def test_staff_is_invited_by_a_link_and_another_link_revoked(
    visits: Visits, world: World, game: Game, browser, on_phone: bool
):
    visit = await visits.by(world.owner, on_phone=on_phone)
    hand, page = hand_of(visit, on_phone=on_phone), visit.page
    await visit.open("/settings?tab=staff")
    assert len(visit.api_calls) <= 8
    await hand.press("button", "Invite")
    sheet = page.get_by_role("dialog", name="Invite to the staff")
    await hand.pick("Role", "moderator")
    await hand.write("Reason", "nights and weekends")
    assert await visit.violations() == []
    await hand.press("button", "Create link")
    link = await sheet.get_by_label("Link").input_value()
    assert await visit.violations() == []

    name = "".join(random.choices(ascii_lowercase, k=10))
    context = await browser.new_context()
    invited = await visits.of(context)
    await invited.page.goto(link)
    await invited.page.get_by_label("User name").fill(name)
    await invited.page.get_by_label("Email").fill(f"{name}@example.com")
    await invited.page.get_by_label("Password").first.fill("a long walk to the harbour")
    assert await invited.violations() == []
    await invited.page.get_by_role("button", name="Accept invitation").click()
    await expect(invited.page.get_by_role("heading", name="Protect your account")).to_be_visible()
    members = (await game.get("/staff?role=moderator"))["Values"]
    assert name in [member["Name"] for member in members]

    await visit.open("/settings?tab=staff")
    table = page.get_by_role("table", name="Invitations")
    await expect(table).to_contain_text(name)
    await hand.press("button", "Invite")
    await hand.pick("Role", "analyst")
    await hand.press("button", "Create link")
    await sheet.get_by_label("Link").wait_for()
    await visit.open("/settings?tab=staff")
    await hand.press("button", "Revoke invitation for analyst")
    await hand.press("button", "Revoke", page.get_by_role("dialog"))
    await told(hand, "Invitation revoked")
    await expect(table).to_contain_text("Revoked")
    assert await visit.violations() == []
