"""The page to read the contract and try it, in a real browser, against a real server."""

from playwright.async_api import expect

from tests.pages.conftest import Visit


async def test_the_operations_are_shown_and_everything_comes_from_us(visit: Visit, url: str):
    await visit.page.goto(f"{url}/api/docs")
    operation = visit.page.locator("#operations-players-give_item")
    await operation.locator(".opblock-summary-control").click()
    await expect(operation.get_by_text("no room for that many").first).to_be_visible()
    await expect(visit.page.get_by_role("heading", name="Signing in", exact=True)).to_be_visible()
    assert [request.url for request in visit.requests if not request.url.startswith(url)] == []
    assert visit.faults == []


async def test_an_operation_can_be_tried(visit: Visit, url: str, key: str):
    await visit.page.goto(f"{url}/api/docs")
    await visit.page.get_by_role("button", name="Authorize").first.click()
    await visit.page.locator("input#auth-bearer-value").fill(key)
    await visit.page.get_by_role("button", name="Apply credentials").click()
    await visit.page.get_by_role("button", name="Close", exact=True).click()
    operation = visit.page.locator("#operations-players-count_online_players")
    await operation.locator(".opblock-summary-control").click()
    await operation.get_by_role("button", name="Try it out").click()
    await operation.get_by_role("button", name="Execute").click()
    await expect(operation.locator(".live-responses-table")).to_contain_text('"onlineCount": 0')
    assert visit.faults == []
