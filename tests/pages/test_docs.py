"""The page to read the contract and try it, in a real browser, against a real server."""

import re
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Locator, expect

from gamekeeper.app import ROUTES
from tests.pages.conftest import Visit, visiting

pytestmark = pytest.mark.browser

WIDTHS = {"desk": (1280, 900), "phone": (390, 844)}


@pytest.fixture(scope="module")
async def drawn(browser: Browser, url: str) -> AsyncIterator[Visit]:
    """The page, for tests that leave it as it is: Chromium takes seconds to draw it."""
    async with visiting(browser) as visit:
        await visit.page.goto(f"{url}/api/docs")
        await expect(visit.page.locator(".index .count").first).to_be_visible()
        yield visit


async def test_the_operations_are_shown_and_everything_comes_from_us(visit: Visit, url: str):
    await visit.page.goto(f"{url}/api/docs")
    operation = await opened(visit, "players", "give_item")
    await expect(operation.get_by_text("no room for that many").first).to_be_visible()
    await expect(operation.get_by_placeholder("Idempotency-Key")).to_be_visible()
    assert [request.url for request in visit.requests if not request.url.startswith(url)] == []
    assert visit.faults == []


async def opened(visit: Visit, group: str, name: str) -> Locator:
    """An operation, found by the index as a reader would."""
    index = visit.page.get_by_role("navigation")
    await index.get_by_role("link", name=re.compile(rf"^{group} \d+$")).click()
    operation = visit.page.locator(f"#operations-{group}-{name}")
    await operation.locator(".opblock-summary-control").click()
    return operation


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
async def test_authorize_the_index_and_the_first_group_are_on_the_first_screen(
    drawn: Visit, width: str, look: str
):
    across, down = WIDTHS[width]
    page = drawn.page
    await page.emulate_media(color_scheme=look)
    await page.set_viewport_size({"width": across, "height": down})
    authorize = page.get_by_role("button", name="Authorize").first
    index = page.get_by_role("navigation").get_by_role("link")
    for part in (authorize, index.first, index.last, page.locator(".opblock-tag").first):
        box = await part.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < down
        assert box["x"] + box["width"] <= across
    assert await page.evaluate("document.documentElement.scrollWidth") == across
    for words in (authorize, index.first, page.locator(".index .count").first):
        assert await contrast(words) >= 4.5
    assert drawn.faults == []


async def test_the_index_counts_every_operation(drawn: Visit, url: str):
    counts = drawn.page.locator(".index .count")
    document = await (await drawn.page.request.get(f"{url}/api/openapi.json")).json()
    described = sum(len(methods) for methods in document["paths"].values())
    assert sum(int(count) for count in await counts.all_inner_texts()) == described
    assert described < len(ROUTES)


async def test_the_prose_is_folded_and_can_be_read(drawn: Visit):
    heading = drawn.page.get_by_role("heading", name="Signing in", exact=True)
    fold = drawn.page.get_by_text("How to call it")
    await expect(fold).to_be_visible()
    await expect(heading).not_to_be_visible()
    # By keyboard: a click waits for two frames, and once Chromium drew none for five minutes.
    await fold.press("Enter")
    await expect(heading).to_be_visible()
    await fold.press("Enter")
    await expect(heading).not_to_be_visible()


async def test_an_operation_is_found_by_a_part_of_its_path(visit: Visit, url: str):
    await visit.page.goto(f"{url}/api/docs")
    search = visit.page.get_by_role("searchbox", name="Find an operation")
    await search.fill("ITEMS/gi")
    operations = visit.page.locator(".opblock")
    await expect(operations).to_have_count(1)
    await expect(operations.first).to_contain_text("/api/v1/players/{key}/items/give")
    await search.fill("nothing is called that")
    await expect(operations).to_have_count(0)
    await search.fill("")
    await expect(visit.page.locator(".opblock-tag")).not_to_have_count(0)
    assert visit.faults == []


@pytest.fixture(scope="module")
async def badges(browser: Browser, url: str) -> AsyncIterator[Visit]:
    """The page with operations of every kind."""
    async with visiting(browser) as visit:
        await visit.page.goto(f"{url}/api/docs")
        for group in ("webhooks", "users"):
            await visit.page.locator(f'nav a[href="#/{group}"]').click()
        yield visit


@pytest.mark.parametrize("look", ["light", "dark"])
async def test_every_badge_can_be_read(badges: Visit, look: str):
    """That of a deprecated operation too, which was white on nearly white."""
    await badges.page.emulate_media(color_scheme=look)
    for kind in ("get", "post", "delete", "patch", "deprecated"):
        badge = badges.page.locator(f".opblock-{kind} .opblock-summary-method").first
        assert await contrast(badge) >= 4.5, kind
    deprecated = badges.page.locator(".opblock-deprecated")
    assert await deprecated.first.evaluate("one => getComputedStyle(one).opacity") == "1"


CONTRAST = """element => {
    const numbers = text => text.match(/[\\d.]+/g).map(Number);
    const seen = one => {
        const colour = numbers(getComputedStyle(one).backgroundColor);
        return colour.length < 4 || colour[3] > 0 || !one.parentElement
            ? colour : seen(one.parentElement);
    };
    const light = colour => colour.slice(0, 3).map(part => part / 255)
        .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
    const both = [light(numbers(getComputedStyle(element).color)), light(seen(element))];
    return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
}"""


async def contrast(words: Locator) -> float:
    """The contrast of words to what is behind them, as WCAG 2 reckons it."""
    return await words.evaluate(CONTRAST)


async def test_an_operation_can_be_tried(visit: Visit, url: str, key: str):
    await visit.page.goto(f"{url}/api/docs")
    await visit.page.get_by_role("button", name="Authorize").first.click()
    await visit.page.locator("input#auth-bearer-value").fill(key)
    # There are two ways to call it: with a bearer credential, and with a cookie.
    bearer = visit.page.locator("form").filter(has=visit.page.locator("input#auth-bearer-value"))
    await bearer.get_by_role("button", name="Apply credentials").click()
    await visit.page.get_by_role("button", name="Close", exact=True).first.click()
    operation = await opened(visit, "players", "count_online_players")
    await operation.get_by_role("button", name="Try it out").click()
    await operation.get_by_role("button", name="Execute").click()
    await expect(operation.locator(".live-responses-table")).to_contain_text('"onlineCount": 0')
    assert visit.faults == []
