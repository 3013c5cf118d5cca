"""The page on which a player appeals, in a real browser, against a real server."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from playwright.async_api import Page, expect

from gamekeeper.db.database import Database
from gamekeeper.sanctions import codes
from tests.deadlines import PATIENCE
from tests.moderation.rows import make_sanction
from tests.pages.conftest import GAME, Visit

pytestmark = pytest.mark.browser

TEXT = "It was my brother.\nAsk him: <b>he</b> says so."
ANSWER = "We asked him.\nHe does. <i>Sorry!</i>"


@pytest.fixture
async def code(database: Database) -> str:
    """Of a ban without end."""
    code = codes.new_code()
    await make_sanction(database, code, message="You used a bot.")
    return code


def title(page: Page, words: str):
    return page.get_by_role("heading", name=words)


async def appeal(page: Page, text: str) -> None:
    # By its id: for a moment the page shows the field for the code, which is a textbox too.
    await page.locator("#text").fill(text)
    await page.get_by_role("button", name="Send the appeal").click()


async def staff_decides(url: str, key: str, code: str, *, lift: bool) -> None:
    async with httpx2.AsyncClient(
        base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE
    ) as client:
        waiting = (await client.get("/api/v1/appeals?state=open&pageSize=100")).json()["Values"]
        [one] = [one for one in waiting if one["Sanction"]["Code"] == code]
        assert one["Text"] == TEXT
        decision: dict[str, Any] = {"lift": lift, "answer": ANSWER, "reason": "an internal word"}
        answer = await client.post(f"/api/v1/appeals/{one['Id']}/decide", json=decision)
        assert answer.status_code == 200


async def test_a_banned_player_appeals_and_reads_the_answer(
    visit: Visit, url: str, key: str, code: str
):
    page = visit.page
    await page.goto(f"{url}/appeal#{code}")
    await expect(title(page, "Your account is banned")).to_be_focused()
    await expect(page.get_by_text("permanent since")).to_be_visible()
    await expect(page.get_by_text("You used a bot.")).to_be_visible()

    await appeal(page, TEXT)

    await expect(page.get_by_text("Waiting for an answer")).to_be_visible()
    await expect(page.get_by_role("textbox")).to_be_hidden()
    await staff_decides(url, key, code, lift=True)
    assert page.url == f"{url}/appeal#{code}"
    await page.reload()

    await expect(title(page, "The ban of your account was lifted")).to_be_visible()
    # As it was typed: markup in it is text.
    await expect(page.locator(".answer")).to_have_text(ANSWER, use_inner_text=True)
    assert "an internal word" not in await page.content()
    await expect(page.get_by_role("textbox")).to_be_hidden()
    assert visit.faults == []


async def test_who_was_refused_may_appeal_once_more(visit: Visit, url: str, key: str, code: str):
    page = visit.page
    await page.goto(f"{url}/appeal#{code}")
    await appeal(page, TEXT)
    await expect(page.get_by_text("Waiting for an answer")).to_be_visible()
    await staff_decides(url, key, code, lift=False)
    await page.reload()

    await expect(page.get_by_text("The decision stands")).to_be_visible()
    await expect(page.get_by_text("you can appeal 1 more time")).to_be_visible()
    await appeal(page, "Please.")
    await expect(page.get_by_text("Waiting for an answer")).to_be_visible()
    assert visit.faults == []


async def test_the_code_is_typed_by_hand(visit: Visit, url: str, code: str):
    page = visit.page
    await page.goto(f"{url}/appeal")
    await expect(page.get_by_text(f"warned in {GAME}")).to_be_visible()
    await expect(page.get_by_label("Your code")).to_be_focused()
    await page.keyboard.type(code.lower().replace("-", ""))
    await expect(page.get_by_label("Your code")).to_have_value(code)
    await page.keyboard.press("Enter")
    await expect(title(page, "Your account is banned")).to_be_focused()

    await page.get_by_role("button", name="Use another code").click()
    await expect(page.get_by_label("Your code")).to_be_focused()
    await expect(page.get_by_label("Your code")).to_have_value("")
    assert page.url == f"{url}/appeal"
    assert visit.faults == []


async def test_only_the_code_and_the_text_leave_the_page(visit: Visit, url: str, code: str):
    page = visit.page
    await page.goto(f"{url}/appeal#{code}")
    await appeal(page, TEXT)
    await expect(page.get_by_text("Waiting for an answer")).to_be_visible()

    sent = [json.loads(post.post_data or "") for post in visit.posts]
    assert sent == [{"code": code}, {"code": code, "text": TEXT}]
    for post in visit.posts:
        assert "referer" not in await post.all_headers()
    for request in visit.requests:
        assert request.url.startswith(f"{url}/")
        assert code not in request.url.partition("#")[0]
    assert await visit.context.cookies() == []
    assert await page.evaluate("localStorage.length + sessionStorage.length") == 0


async def test_what_is_wrong_is_said(visit: Visit, url: str, code: str):
    page = visit.page
    await page.goto(f"{url}/appeal")
    await page.get_by_role("button", name="Continue").click()
    await expect(page.get_by_text("A code has 8 letters and digits.")).to_be_visible()
    await expect(page.get_by_label("Your code")).to_be_focused()
    await expect(page.get_by_label("Your code")).to_have_attribute("aria-invalid", "true")
    assert visit.posts == []

    await page.get_by_label("Your code").fill("ZZZZ-ZZZZ")
    await page.get_by_role("button", name="Continue").click()
    await expect(page.get_by_role("alert")).to_contain_text("Compare it letter by letter")

    await page.get_by_label("Your code").fill(code)
    await page.get_by_role("button", name="Continue").click()
    await page.get_by_role("button", name="Send the appeal").click()
    await expect(page.get_by_text("Tell us why we should review the decision.")).to_be_visible()
    await expect(page.get_by_role("textbox")).to_be_focused()
    await visit.context.set_offline(True)
    await appeal(page, TEXT)
    await expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    # What was typed is still there, to be sent again.
    await expect(page.get_by_role("textbox")).to_have_value(TEXT)


CONTRAST = """() => {
    const luminance = (colour) => {
        const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).slice(0, 3)
            .map((c) => c / 255)
            .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element) => {
        for (let one = element; one; one = one.parentElement) {
            const colour = getComputedStyle(one).backgroundColor;
            if (!/, 0\\)$/.test(colour)) return colour;
        }
        return "rgb(255, 255, 255)";
    };
    const poor = [];
    for (const element of document.querySelectorAll("main *")) {
        const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
        if (!own || !element.checkVisibility()) continue;
        const pair = [getComputedStyle(element).color, behind(element)].map(luminance);
        const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
        if (ratio < 4.5) poor.push([element.textContent, ratio]);
    }
    return poor;
}"""
NAMELESS = """() => [...document.querySelectorAll("main :is(input, textarea, button)")]
    .filter((one) => one.checkVisibility() && !(one.labels?.length || one.textContent.trim()))
    .map((one) => one.outerHTML)"""
SMALL = """() => [...document.querySelectorAll("main :is(input, textarea, button)")]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44)
    .map((one) => one.outerHTML)"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_it_fits_a_phone_and_can_be_read_by_everybody(
    visit: Visit, url: str, key: str, database: Database, scheme: str
):
    until = datetime.now(UTC) + timedelta(days=400)
    code = codes.new_code()
    await make_sanction(
        database, code, kind="trade_lock", message="Word" * 60, ends_at=until, player_id=uuid4()
    )
    page = visit.page
    await page.emulate_media(color_scheme=scheme)  # pyright: ignore[reportArgumentType]
    await page.set_viewport_size({"width": 320, "height": 640})

    async def is_accessible() -> None:
        assert await page.evaluate("document.documentElement.scrollWidth") == 320
        for check in (CONTRAST, NAMELESS, SMALL):
            assert await page.evaluate(check) == []

    await page.goto(f"{url}/appeal")
    await expect(page.get_by_label("Your code")).to_be_focused()
    await is_accessible()
    await page.goto(f"{url}/appeal#{code}")
    await expect(title(page, "Your character cannot trade")).to_be_visible()
    await is_accessible()
    await appeal(page, TEXT)
    await expect(page.get_by_text("Waiting for an answer")).to_be_visible()
    await is_accessible()
    await staff_decides(url, key, code, lift=False)
    await page.reload()
    await expect(page.get_by_text("The decision stands")).to_be_visible()
    await is_accessible()
