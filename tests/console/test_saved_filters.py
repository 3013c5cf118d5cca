"""Saved filters of a list: saved, opened, and deleted, with a mouse and with a thumb."""

import re

import pytest
from playwright.async_api import expect

from tests.console.conftest import Visits, World
from tests.console.test_journeys import ON_PHONE, hand_of, told

pytestmark = pytest.mark.browser


@ON_PHONE
async def test_filters_are_saved_and_opened_again(visits: Visits, world: World, on_phone: bool):
    visit = await visits.by(world.owner, on_phone=on_phone)
    hand, page = hand_of(visit, on_phone=on_phone), visit.page
    name = f"Online on a {'phone' if on_phone else 'desk'}"
    await visit.open("/players?online=true")
    assert len(visit.api_calls) <= 8
    await hand.menu("Saved filters", "Save or delete…")
    dialog = page.get_by_role("dialog", name="Saved filters")
    await dialog.get_by_label("Name").fill(name)
    assert await visit.violations() == []
    await hand.press("button", "Save filter", dialog)
    await told(hand, f"Saved {name}.")
    await expect(dialog).to_contain_text(name)

    await visit.open("/players")
    await hand.press("button", "Saved filters")
    await expect(page.get_by_role("menuitem", name=name)).to_be_visible()
    await visit.drawn()
    assert await visit.violations() == []
    await page.keyboard.press("Escape")
    await hand.menu("Saved filters", name)
    await expect(page).to_have_url(re.compile(r"/players\?online=true$"))

    await visit.open("/accounts")
    await hand.press("button", "Saved filters")
    await expect(page.get_by_text("No saved filters for this list.")).to_be_visible()
    await visit.drawn()
    assert await visit.violations() == []
    await visit.open("/players")
    await hand.menu("Saved filters", "Save or delete…")
    await expect(dialog).to_contain_text("Set a filter first")
    await hand.press("button", f"Delete {name}", dialog)
    await told(hand, f"Deleted {name}.")
    await expect(dialog.get_by_text(name, exact=True)).to_have_count(0)
    assert await visit.violations() == []
