"""A real browser, and a real server for it to visit."""

import os
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from msgspec import structs
from playwright.async_api import Browser, BrowserContext, Page, Request, async_playwright

from gamekeeper.auth import keys
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from tests.databases import cloned
from tests.deadlines import PATIENCE
from tests.make import BY
from tests.server import serving

GAME = "Larkspur & Sons"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A name that is not localhost: there the browser does not trust a page without HTTPS.
    "--host-resolver-rules=MAP gamekeeper.test 127.0.0.1",
]


class Visit:
    """One page in a fresh browser, and what it did."""

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self.context = context
        self.page = page
        self.requests: list[Request] = []
        self.faults: list[str] = []
        page.on("request", lambda request: self.requests.append(request))
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.faults.append(str(error)))

    def _heard(self, message) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(message.text)

    @property
    def posts(self) -> list[Request]:
        return [request for request in self.requests if request.method == "POST"]


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    found = shutil.which("chromium-headless-shell")
    if found is None and "CI" not in os.environ:
        pytest.skip("there is no chromium-headless-shell here: apt install chromium-headless-shell")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=found or "chromium-headless-shell", args=ARGUMENTS
        )
        yield browser
        await browser.close()


@asynccontextmanager
async def visiting(browser: Browser) -> AsyncIterator[Visit]:
    context = await browser.new_context()
    context.set_default_timeout(PATIENCE * 1000)
    yield Visit(context, await context.new_page())
    await context.close()


@pytest.fixture
async def visit(browser: Browser) -> AsyncIterator[Visit]:
    async with visiting(browser) as visit:
        yield visit


@pytest.fixture(scope="module")
async def settings(template: str) -> AsyncIterator[Settings]:
    # Nobody listens there: mails are asked for, and never sent.
    async with cloned(template) as settings:
        yield structs.replace(settings, game_name=GAME, smtp_url=Hidden("smtp://127.0.0.1:1"))


@pytest.fixture(scope="module")
async def database(settings: Settings) -> AsyncIterator[Database]:
    async with Database.open(settings) as database:
        yield database


@pytest.fixture(scope="module")
def url(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(settings, tmp_path_factory.mktemp("server") / "log") as (url, _):
        yield url


@pytest.fixture(scope="module")
async def key(database: Database) -> str:
    return str(await keys.create.one(database, keys.NewKey(by=BY, name="pages")))
