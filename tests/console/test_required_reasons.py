"""The console where the operator requires reasons: it says so before anything is sent."""

import re
from urllib.parse import quote
from uuid import uuid4

import pytest
from playwright.async_api import expect

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.demo.story.cast import LUCKY
from tests.console.conftest import World
from tests.console.game import Game
from tests.console.keyboard import Keyboard, Name, Thumb
from tests.console.test_campaigns import EVERYONE, TOO_MANY, create
from tests.console.test_step_up import ON_PHONE, game_of, make_owner, visiting
from tests.server import free_port, serving

pytestmark = pytest.mark.browser


@pytest.fixture(scope="session")
def strict(world: World, tmp_path_factory):
    """Another server of the same world, which requires reasons."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    env = {
        "GAMEKEEPER_PUBLIC_URL": url,
        "GAMEKEEPER_STAFF_STEP_UP": "off",
        "GAMEKEEPER_REQUIRED_REASONS": "players.items,approvals,campaigns.manage,codes.manage",
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


@ON_PHONE
async def test_steps_of_campaigns_schedules_and_codes_ask_for_the_reason(
    browser, strict, game: Game, on_phone: bool
):
    """Also what is done on one tap elsewhere: the service would refuse it."""
    batch, schedule = await game.batch(campaign=f"strict-{on_phone}".lower()), await game.schedule()
    campaign = await running_campaign(game)
    async with game_of(strict) as there:
        owner = await make_owner(browser, strict, there)
    async with visiting(browser, strict, owner, on_phone=on_phone) as visit:
        page, hand = visit.page, Thumb(visit.page) if on_phone else Keyboard(visit.page)

        async def step(button: Name, title: str, submit: str) -> None:
            await hand.press("button", button)
            sheet = page.get_by_role("dialog", name=title)
            await expect(sheet.get_by_role("button", name=submit)).to_be_disabled()
            await hand.write(re.compile("^Reason"), f"why: {title}")
            await hand.press("button", submit, sheet)
            await sheet.wait_for(state="hidden")

        state = page.get_by_role("main").get_by_role("status")
        await visit.open(f"/codes/{batch}")
        async with page.expect_download():
            await step("Download codes", "Download codes", "Download")
        await state.filter(has_text="Ready").wait_for()
        await visit.open(f"/schedules/{schedule}")
        await step(re.compile("^Skip the run"), "Skip run", "Skip run")
        await step("Pause", "Pause schedule", "Pause schedule")
        await state.filter(has_text="Paused").wait_for()
        await step("Resume", "Resume schedule", "Resume schedule")
        await state.filter(has_text="Active").wait_for()
        await visit.open(f"/campaigns/{campaign}")
        await step("Pause", "Pause campaign", "Pause campaign")
        await state.filter(has_text="Paused").wait_for()
        await step("Resume", "Resume campaign", "Resume campaign")
        await state.filter(has_text="Running").wait_for()
    await game.post(f"/campaigns/{campaign}/stop")
    kinds = "codes.download,schedules.skip,schedules.pause,campaigns.pause,campaigns.resume"
    for kind in kinds.split(","):
        [last, *_] = (await game.get(f"/actions?kind={kind}"))["Values"]
        assert last["Reason"].startswith("why: ")


async def running_campaign(game: Game) -> str:
    """A campaign that takes what nobody has, slowly."""
    segment = f"strict-{uuid4().hex[:8]}"
    await game.put(f"/segments/{segment}", groups=[{"conditions": [EVERYONE]}])
    campaign = await create(game, segment, work={"kind": "take", "items": [TOO_MANY]}, persecond=1)
    await game.post(f"/campaigns/{campaign}/start")
    return campaign
