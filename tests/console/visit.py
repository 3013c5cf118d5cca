"""One page of the console in a browser, and what it did."""

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, ConsoleMessage, Page, Request, ViewportSize

from tests.deadlines import PATIENCE

DESK = ViewportSize(width=1440, height=900)
PHONE = ViewportSize(width=390, height=844)

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
RUN_AXE = """
async () => {
    const { violations } = await axe.run(document, {
        resultTypes: ["violations"],
        runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
    return violations.map(({ id, nodes }) => ({
        id, nodes: nodes.map(({ html, failureSummary }) => [html.slice(0, 200), failureSummary]),
    }));
}
"""
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
QUIET, STEP = 0.5, 0.05
"""Seconds without a request after which nothing loads any more."""


def _is_stream(request: Request) -> bool:
    return "/api/v1/events?" in request.url


END_TRANSITIONS = """
    Promise.allSettled(document.getAnimations()
        .filter((one) => one instanceof CSSTransition).map((one) => one.finished))
"""
"""Half-way from light to dark, colours have no contrast."""
NEXT_FRAMES = """
    new Promise((drawn) => {
        requestAnimationFrame(() => requestAnimationFrame(drawn));
        setTimeout(drawn, 500);
    })
"""
"""Styles of another theme are there after two frames; a busy Chromium may draw none for long."""


class ConsoleVisit:
    def __init__(self, context: BrowserContext, page: Page, url: str) -> None:
        self.context = context
        self.page = page
        self.url = url
        self.requests: list[Request] = []
        self.faults: list[str] = []
        self._loading: set[Request] = set()
        page.on("request", self._asked)
        page.on("requestfinished", lambda request: self._loading.discard(request))
        page.on("requestfailed", lambda request: self._loading.discard(request))
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.faults.append(str(error)))

    def _asked(self, request: Request) -> None:
        self.requests.append(request)
        if not _is_stream(request):
            self._loading.add(request)

    def _heard(self, message: ConsoleMessage) -> None:
        # What the API refuses is for the page to tell; the browser logs it as well.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.faults.append(message.text)

    async def open(self, path: str) -> None:
        """Go to a screen, and wait until nothing on it loads any more."""
        self.requests.clear()
        await self.page.goto(f"{self.url}/console{path}")
        await self.settled()

    async def settled(self) -> None:
        await self.page.get_by_role("main").wait_for()
        await self._quiet()
        await self.page.locator("main [aria-busy=true]").first.wait_for(state="hidden")
        await self.page.evaluate(END_TRANSITIONS)

    async def drawn(self) -> None:
        """Wait until a change of styles is to be seen; what it loads is not waited for."""
        await self.page.evaluate(NEXT_FRAMES)
        await self.page.evaluate(END_TRANSITIONS)

    async def _quiet(self) -> None:
        # Not "networkidle": the stream of events never ends.
        quiet = 0.0
        async with asyncio.timeout(PATIENCE):
            while quiet < QUIET:
                await asyncio.sleep(STEP)
                quiet = 0.0 if self._loading else quiet + STEP

    @property
    def api_calls(self) -> list[str]:
        """What the screen asked for; neither pictures nor the stream of events behind it."""
        return [
            f"{request.method} {request.url}"
            for request in self.requests
            if "/api/v1/" in request.url
            and request.resource_type != "image"
            and not _is_stream(request)
        ]

    async def violations(self) -> list[dict[str, Any]]:
        """What axe finds on the page as it is."""
        if not await self.page.evaluate("'axe' in window"):
            await self.page.evaluate(AXE.read_text())
        return await self.page.evaluate(RUN_AXE)

    async def too_wide(self) -> int:
        """By how many pixels the page is wider than the screen."""
        return await self.page.evaluate(TOO_WIDE)

    def check(self) -> None:
        """No fault in the console, and no request to another host."""
        host = urlsplit(self.url).netloc
        elsewhere = [
            request.url
            for request in self.requests
            if not request.url.startswith(("data:", "blob:"))
            and urlsplit(request.url).netloc != host
        ]
        assert (self.faults, elsewhere) == ([], [])
