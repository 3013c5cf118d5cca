"""A player signs in at a website in a real browser, and a ban signs the player out there."""

import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.moderation import sanctions
from gamekeeper.moderation.sanctions import Imposition
from tests.make import BY, make_user
from tests.pages.conftest import Visit, browser, visiting
from tests.provider import websites
from tests.provider.relying_party import PASSWORD, register
from tests.server import free_port

__all__ = ["browser"]

pytestmark = pytest.mark.browser

SECONDS = 5


@pytest.fixture
async def visit(browser: Browser) -> AsyncIterator[Visit]:
    async with visiting(browser) as visit:
        yield visit


async def test_a_ban_signs_the_player_out_of_a_website_within_five_seconds(
    visit: Visit, settings: Settings, database: Database, tmp_path: Path
):
    port = free_port()
    home = f"http://127.0.0.1:{port}"
    client = await register(
        database,
        redirect_uris=(f"{home}/callback",),
        backchannel_uri=f"{home}/backchannel",
    )
    user = await make_user(database, "Ana", password=PASSWORD)
    page = visit.page
    with (
        websites.provider(settings, tmp_path) as issuer,
        websites.worker(settings, issuer, tmp_path),
        websites.website(port, issuer, client, "openid profile", tmp_path),
    ):
        await page.goto(home)
        await page.get_by_role("link", name="Sign in").click()
        await expect(page.get_by_text("Continue to")).to_contain_text("Forum")
        await page.get_by_label("Username").fill("Ana")
        await page.get_by_label("Password").fill("wrong")
        await page.get_by_role("button", name="Sign in").click()
        await expect(page.get_by_role("alert")).to_have_text("The username or password is wrong.")
        await page.get_by_label("Password").fill(PASSWORD)
        await page.get_by_role("button", name="Sign in").click()
        await expect(
            page.get_by_role("heading", name="Forum wants to use your account")
        ).to_be_visible()
        await expect(page.get_by_text(f"127.0.0.1:{port}")).to_be_visible()
        await page.get_by_role("button", name="Allow").click()
        await expect(page.get_by_role("heading", name="Welcome, Ana")).to_be_visible()
        assert page.url == f"{home}/"

        order = Imposition(by=BY, user=str(user), kind="ban", reason="a bot")
        await sanctions.impose.one(database, order)
        banned = time.monotonic()
        while await page.get_by_role("heading", name="Welcome, Ana").count():
            assert time.monotonic() - banned < SECONDS, (tmp_path / "worker").read_text()
            await page.reload()
        assert time.monotonic() - banned < SECONDS

        await expect(page.get_by_role("heading", name="Signed out")).to_be_visible()
        await page.get_by_role("link", name="Sign in").click()
        await page.get_by_label("Username").fill("Ana")
        await page.get_by_label("Password").fill(PASSWORD)
        await page.get_by_role("button", name="Sign in").click()
        await expect(page.get_by_role("heading", name="Your account is banned")).to_be_visible()
        await page.get_by_role("link", name="Back to Forum").click()
        assert "error=access_denied" in page.url
