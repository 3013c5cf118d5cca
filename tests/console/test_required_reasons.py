"""The change sheet where the operator requires a reason: it says so before anything is sent."""

import re
from urllib.parse import quote

import pytest
from playwright.async_api import expect

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.demo.story.cast import LUCKY
from tests.console.conftest import World
from tests.console.keyboard import Keyboard, Thumb
from tests.console.test_step_up import ON_PHONE, game_of, make_owner, visiting
from tests.server import free_port, serving

pytestmark = pytest.mark.browser


@pytest.fixture(scope="session")
def strict(world: World, tmp_path_factory):
    """Another server of the same world, which requires a reason for gifts."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    env = {
        "GAMEKEEPER_PUBLIC_URL": url,
        "GAMEKEEPER_STAFF_STEP_UP": "off",
        "GAMEKEEPER_REQUIRED_REASONS": "players.items,approvals",
    }
    settings = Settings(database_url=Hidden(world.database_url))
    with serving(settings, tmp_path_factory.mktemp("strict") / "log", port=port, **env):
        about = {"owner": world.owner, "key": world.key, "databaseUrl": world.database_url}
        yield World({"url": url, **about})


@ON_PHONE
async def test_a_gift_is_sent_only_with_a_reason(browser, strict, on_phone: bool):
    async with game_of(strict) as game:
        owner = await make_owner(browser, strict, game)
    async with visiting(browser, strict, owner, on_phone=on_phone) as visit:
        page, hand = visit.page, Thumb(visit.page) if on_phone else Keyboard(visit.page)
        await visit.open(f"/players/{quote(LUCKY.name)}")
        await hand.press("button", "Give items")
        sheet = page.get_by_role("dialog", name="Give items")
        await hand.pick("Item", "Health Potion")
        reason = sheet.get_by_label("Reason")
        await expect(reason).to_have_attribute("required", "")
        await expect(sheet).to_contain_text("Required for the audit log")
        await expect(sheet.get_by_role("button", name="Give", exact=True)).to_be_disabled()

        await hand.write(re.compile("^Reason"), "a quest bug")
        await hand.press("button", "Give")

        await page.get_by_role("alert").filter(has_text="Undo").first.wait_for()
