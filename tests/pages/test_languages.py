"""The pages of players in each language, in a real browser that asks for it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest
from playwright.async_api import Browser, expect

from gamekeeper.core.languages.negotiation import LANGUAGES, Language
from gamekeeper.db.database import Database
from gamekeeper.sanctions import codes
from tests.deadlines import PATIENCE
from tests.moderation.rows import make_sanction
from tests.pages.conftest import GAME, Visit

pytestmark = pytest.mark.browser

BANNED: dict[Language, str] = {
    "de": "Dein Konto ist gesperrt",
    "en": "Your account is banned",
    "es": "Tu cuenta está suspendida",
    "fr": "Votre compte est banni",
    "pl": "Twoje konto jest zbanowane",
    "pt-BR": "Sua conta está banida",
    "ru": "Ваш аккаунт заблокирован",
}
UNTIL: dict[Language, str] = {
    "de": "bis zum 3. Dezember 2031 um 15:30 MEZ",
    "en": "until 3 December 2031, 15:30 CET",
    "es": "hasta el 3 de diciembre de 2031 a las 15:30 CET",
    "fr": "jusqu’au 3 décembre 2031 à 15:30 UTC+1",
    "pl": "do 3 grudnia 2031 15:30 CET",
    "pt-BR": "até 3 de dezembro de 2031 às 15:30 GMT+1",
    "ru": "до 3 декабря 2031 г. в 15:30 GMT+1",
}
LEFT: dict[Language, str] = {
    "de": "Noch 22 Zeichen.",
    "en": "22 characters left.",
    "es": "Quedan 22 caracteres.",
    "fr": "Encore 22 caractères.",
    "pl": "Zostały 22 znaki.",
    "pt-BR": "Restam 22 caracteres.",
    "ru": "Осталось 22 символа.",
}
WRONG_LINK: dict[Language, str] = {
    "de": "Fordere eine neue E-Mail an.",
    "en": "Ask for a new email.",
    "es": "Pide un nuevo correo.",
    "fr": "Demandez un nouvel e-mail.",
    "pl": "Poproś o nową wiadomość e-mail.",
    "pt-BR": "Peça um novo e-mail.",
    "ru": "Запросите новое письмо.",
}
CUT_OFF = """() => [...document.querySelectorAll("main *")]
    .filter((one) => one.checkVisibility() && !one.closest(".unseen, input, textarea"))
    .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
    .map((one) => one.outerHTML)"""


@asynccontextmanager
async def reading(browser: Browser, language: Language) -> AsyncIterator[Visit]:
    """A phone of somebody in Berlin who reads this language."""
    context = await browser.new_context(
        locale=language,
        timezone_id="Europe/Berlin",
        viewport={"width": 320, "height": 640},
    )
    context.set_default_timeout(PATIENCE * 1000)
    yield Visit(context, await context.new_page())
    await context.close()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_an_appeal_is_in_the_language_of_the_browser(
    browser: Browser, url: str, database: Database, language: Language
):
    code, end = codes.new_code(), datetime(2031, 12, 3, 14, 30, tzinfo=UTC)
    await make_sanction(database, code, message="You used a bot.", ends_at=end)
    async with reading(browser, language) as visit:
        page = visit.page
        await page.goto(f"{url}/appeal#{code}")

        await expect(page.get_by_role("heading", name=BANNED[language])).to_be_focused()
        await expect(page.locator("html")).to_have_attribute("lang", language)
        await expect(page.locator("#period")).to_contain_text(UNTIL[language])
        await page.locator("#text").fill("x" * (4000 - 22))
        await expect(page.locator("#text-hint")).to_have_text(LEFT[language])
        await page.locator("#appeal-send").click()
        await expect(page.locator(".verdict")).to_be_visible()
        assert await page.evaluate(CUT_OFF) == []
        assert await page.evaluate("document.documentElement.scrollWidth") == 320
        # The texts are data in the page: the content security policy has nothing against them.
        assert visit.faults == []


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_reset_is_in_the_language_of_the_browser(
    browser: Browser, url: str, language: Language
):
    async with reading(browser, language) as visit:
        page = visit.page
        await page.goto(f"{url}/reset#token=wrong")
        await expect(page.locator("#ask .lead bdi")).to_have_text(GAME)
        await page.locator("#show").click()
        await page.locator("#password").fill("a long and good password")
        await page.locator("#again").fill("a long and good password")
        assert await page.evaluate(CUT_OFF) == []
        await page.locator("#send").click()

        await expect(page.get_by_role("alert")).to_contain_text(WRONG_LINK[language])
        assert await page.evaluate("document.documentElement.scrollWidth") == 320


async def test_a_page_can_be_turned_to_the_other_direction(
    visit: Visit, url: str, database: Database
):
    """None of the languages is written from right to left yet; what people write may be."""
    code = codes.new_code()
    await make_sanction(database, code, message="השתמשת בבוט.")
    page = visit.page
    await page.goto(f"{url}/appeal#{code}")
    message = page.locator("#message-text")
    await expect(message).to_be_visible()
    assert await message.evaluate("one => getComputedStyle(one).direction") == "rtl"
    border = (
        "one => [getComputedStyle(one).borderLeftWidth, getComputedStyle(one).borderRightWidth]"
    )
    assert await message.evaluate(border) == ["0px", "3px"]

    await page.evaluate("document.documentElement.dir = 'rtl'")
    assert await page.locator("#shown-code").evaluate("one => getComputedStyle(one).direction") == (
        "ltr"
    )
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# The last one: it uses up the attempts of this address.
async def test_too_many_attempts_are_said_in_the_language_of_the_browser(
    browser: Browser, url: str
):
    async with reading(browser, "pl") as visit:
        page = visit.page
        await page.goto(f"{url}/appeal")
        for _ in range(60):
            await page.locator("#code").fill(codes.new_code())
            await page.locator("#find-send").click()
            await expect(page.locator("#find")).to_have_attribute("aria-busy", "false")
            await expect(page.get_by_role("alert")).not_to_be_empty()
            if "Zbyt" in (await page.get_by_role("alert").text_content() or ""):
                break

        await expect(page.get_by_role("alert")).to_contain_text("Zbyt wiele prób. Spróbuj")
