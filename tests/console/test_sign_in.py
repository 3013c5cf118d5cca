"""Staff sign in to the console: the first time, again, with a passkey, after an ended session."""

import re
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from uuid import uuid4

import pyotp
import pytest
from msgspec import Struct
from playwright.async_api import Browser, expect

from gamekeeper.demo.story.cast import HERO
from tests.console.conftest import Visits, World
from tests.console.game import Game
from tests.console.keyboard import Keyboard
from tests.console.visit import DESK, ConsoleVisit
from tests.make import sha

pytestmark = pytest.mark.browser

PASSWORD = "a lantern in the marsh"


class Newcomer(Struct):
    """A new member of the staff, at the sign-in of a browser that does not know them."""

    name: str
    visit: ConsoleVisit
    hand: Keyboard
    secret: str = ""

    def code(self, steps: int) -> str:
        """What the authenticator app shows, so many steps of thirty seconds from now."""
        return pyotp.TOTP(self.secret).at(int(time.time()) + 30 * steps)

    async def enter_password(self, password: str = PASSWORD) -> None:
        await self.hand.write("User name", self.name)
        await self.hand.write("Password", password)
        await self.hand.keys("Enter")

    async def enrol_app(self) -> None:
        await self.hand.press("button", "Use an authenticator app")
        self.secret = await self.visit.page.locator("main code").inner_text()
        await self.hand.write("6-digit code", self.code(0))
        await self.hand.keys("Enter")
        await self.hand.press("button", "I've saved them")
        await self.visit.page.get_by_role("navigation").first.wait_for()

    async def sign_out(self) -> None:
        await self.hand.menu("Account menu", "Sign out")
        await self.visit.page.get_by_role("heading", name="Sign in").wait_for()


@pytest.fixture
async def newcomer(visits: Visits, browser: Browser, world: World, game: Game) -> Newcomer:
    name = f"sanna-{uuid4().hex[:6]}"
    about = {"username": name, "email": f"{name}@example.com", "password": sha(PASSWORD)}
    await game.post("/users/register", **about)
    answer = await game.send("PUT", f"/staff/{name}/roles/support")
    assert answer.is_success, answer.text
    context = await browser.new_context(viewport=DESK, reduced_motion="reduce")
    visit = await visits.of(context)
    return Newcomer(name, visit, Keyboard(visit.page))


async def test_the_first_sign_in_enrols_an_app_that_signs_in_again(newcomer: Newcomer):
    page = newcomer.visit.page
    await newcomer.visit.open("/")
    await page.get_by_role("heading", name="Sign in").wait_for()

    await newcomer.enter_password()
    await newcomer.hand.press("button", "Use an authenticator app")
    picture = page.get_by_role("img", name="QR code for your authenticator app")
    await expect(picture).to_have_js_property("complete", value=True)
    assert await picture.evaluate("image => image.naturalWidth") > 0
    newcomer.secret = await page.locator("main code").inner_text()
    await newcomer.hand.write("6-digit code", "000000")
    await newcomer.hand.keys("Enter")
    await page.get_by_role("alert").wait_for()
    await newcomer.hand.write("6-digit code", newcomer.code(0))
    await newcomer.hand.keys("Enter")
    await page.get_by_role("heading", name="Your recovery codes").wait_for()
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Download").click()
    file = await download.value
    lines = Path(await file.path()).read_text().splitlines()
    shown = await page.locator("main code").all_inner_texts()
    assert (file.suggested_filename, lines[1:]) == ("recovery-codes.txt", shown)
    codes = await page.locator("main code").all_inner_texts()
    assert len(set(codes)) == len(codes) >= 8
    await newcomer.hand.press("button", "I've saved them")
    await page.get_by_role("heading", name="Overview").wait_for()

    await newcomer.sign_out()
    await newcomer.enter_password()
    await newcomer.hand.write("6-digit code", newcomer.code(1))
    await newcomer.hand.keys("Enter")
    await page.get_by_role("heading", name="Overview").wait_for()

    await newcomer.sign_out()
    await newcomer.enter_password()
    await newcomer.hand.press("button", "Use a recovery code instead")
    await newcomer.hand.write("Recovery code", codes[0])
    await newcomer.hand.keys("Enter")
    await page.get_by_role("heading", name="Overview").wait_for()


async def test_a_wrong_password_is_said_in_plain_words(newcomer: Newcomer):
    await newcomer.visit.open("/sign-in")
    await newcomer.enter_password("a lantern in the march")
    said = newcomer.visit.page.get_by_role("alert")
    await expect(said).to_contain_text(re.compile("password", re.IGNORECASE))
    assert not re.search(r"[{}_]|\b[45]\d\d\b", await said.inner_text())
    await newcomer.enter_password()
    await newcomer.visit.page.get_by_role("heading", name="Protect your account").wait_for()


async def test_a_passkey_is_made_and_signs_in_again(newcomer: Newcomer, world: World):
    page = newcomer.visit.page
    devtools = await newcomer.visit.context.new_cdp_session(page)
    await devtools.send("WebAuthn.enable")
    finger = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
    }
    await devtools.send("WebAuthn.addVirtualAuthenticator", {"options": finger})
    # Browsers make no passkeys for addresses, only for names.
    newcomer.visit.url = world.url.replace("127.0.0.1", "localhost")
    await newcomer.visit.open("/")

    await newcomer.enter_password()
    await newcomer.hand.press("button", "Create passkey")
    await newcomer.hand.press("button", "I've saved them")
    await page.get_by_role("heading", name="Overview").wait_for()
    await newcomer.sign_out()
    await newcomer.enter_password()
    await newcomer.hand.press("button", "Use a passkey")
    await page.get_by_role("heading", name="Overview").wait_for()


async def test_a_session_that_ends_leads_back_to_the_same_address(newcomer: Newcomer, game: Game):
    page, address = newcomer.visit.page, "/players?search=bra&sort=rank"
    await page.clock.install()
    await newcomer.visit.open(address)
    await newcomer.enter_password()
    await newcomer.enrol_app()
    await page.get_by_role("table").get_by_text(HERO.name).wait_for()
    await expect(page).to_have_url(f"{newcomer.visit.url}/console{address}")

    answer = await game.send("DELETE", f"/staff/{newcomer.name}/sessions")
    assert answer.is_success, answer.text
    assert await game.refuses(asks(newcomer))
    # The console asks every quarter of a minute who is there.
    await page.clock.fast_forward(16_000)
    await page.get_by_role("heading", name="Sign in").wait_for()
    await newcomer.enter_password()
    await newcomer.hand.write("6-digit code", newcomer.code(1))
    await newcomer.hand.keys("Enter")

    await page.get_by_role("table").get_by_text(HERO.name).wait_for()
    await expect(page).to_have_url(f"{newcomer.visit.url}/console{address}")


def asks(newcomer: Newcomer) -> Callable[[], Awaitable[int]]:
    async def call() -> int:
        return (await newcomer.visit.context.request.get(f"{newcomer.visit.url}/api/v1/me")).status

    return call


async def test_what_a_role_may_not_see_is_said_and_not_offered(visits: Visits):
    visit = await visits.by("Ines")
    await visit.open("/")
    menu = visit.page.get_by_role("navigation", name="Screens").first
    await menu.get_by_role("link", name="Moderation").wait_for()
    assert await menu.get_by_role("link", name="Integrations").count() == 0

    await visit.open("/integrations")
    await visit.page.get_by_text("Permission required").wait_for()
    await expect(visit.page.get_by_role("main")).to_contain_text("“webhooks”")
