"""The chat log: read, search, context, private messages with a reason, and evidence."""

import re

import pytest
from playwright.async_api import expect

from gamekeeper.demo.story.cast import HERO
from tests.console.conftest import Visits
from tests.console.game import Game
from tests.console.test_cases import in_order
from tests.console.test_journeys import ON_PHONE, hand_of
from tests.console.test_screens import MOST_CALLS
from tests.console.visit import ConsoleVisit

pytestmark = pytest.mark.browser

LOUD = "Nyra Voss"
CHAT = f"/players/{LOUD}?tab=chat"


async def test_a_search_leads_to_the_conversation_around_a_message(visit: ConsoleVisit):
    page = visit.page
    await visit.open(CHAT)
    await page.get_by_label("Search text").fill("worthless")
    await page.locator("mark", has_text="worthless").wait_for()

    await page.get_by_role("button", name=re.compile("^Around this message")).first.click()

    await page.get_by_text("Please just give the token back").wait_for()
    await page.get_by_text("Selected moment").wait_for()
    assert "moment=" in page.url
    await page.get_by_role("button", name=f"Only messages of {LOUD}").click()
    await page.get_by_text("Please just give the token back").wait_for(state="detached")


async def test_private_messages_need_a_reason_that_the_log_shows(visit: ConsoleVisit):
    page, secret = visit.page, "report me again and I will hunt you"
    await visit.open(CHAT)
    await page.get_by_text("you were not asked either").wait_for()
    assert await page.get_by_text(secret).count() == 0

    await page.get_by_role("button", name="Show private messages").click()
    dialog = page.get_by_role("dialog")
    assert await dialog.get_by_role("button", name="Show messages").is_disabled()
    await dialog.get_by_role("textbox").fill("report 4812")
    await dialog.get_by_role("button", name="Show messages").click()

    await page.get_by_text(secret).wait_for()
    await page.get_by_role("button", name="Hide private messages").click()
    await page.get_by_text(secret).wait_for(state="detached")
    await visit.open("/actions?kind=chat.read")
    await page.get_by_text("report 4812").first.wait_for()


async def test_selected_messages_are_the_evidence_of_a_sanction(visit: ConsoleVisit):
    page = visit.page
    await visit.open(CHAT)
    line = page.get_by_role("listitem").filter(has_text="you were not asked either")
    await line.get_by_role("checkbox").check()
    await page.get_by_text("1 message selected").wait_for()
    await page.get_by_role("button", name="New sanction").click()
    sheet = page.get_by_role("dialog")
    await sheet.get_by_text("you were not asked either").wait_for()
    await sheet.get_by_label("Staff reason").fill("insults, again")
    await sheet.get_by_role("button", name="Impose mute").click()
    await sheet.get_by_text("Sanction code").wait_for()

    await visit.open(f"/players/{LOUD}?tab=sanctions")

    made = page.get_by_role("article").filter(has_text="insults, again")
    await made.get_by_text("you were not asked either").wait_for()
    await made.get_by_text("SHA-256 in the audit log").wait_for()


async def test_a_guild_has_its_channel_and_everyone_around_a_message(
    visit: ConsoleVisit, game: Game
):
    page = visit.page
    await visit.open(await game.address("/guilds/{court}?tab=chat"))
    log = page.get_by_role("log")
    await log.get_by_role("listitem").first.wait_for()
    channels = await log.get_by_role("listitem").get_by_text(re.compile("^Guild$")).count()
    assert channels == await log.get_by_role("listitem").count()
    # The channel of a guild has no private messages, so nobody is asked why they read them.
    assert await page.get_by_role("button", name="Show private messages").count() == 0
    assert await page.get_by_label("Channel").count() == 0

    await page.get_by_role("button", name=re.compile("^Around this message")).last.click()
    await page.get_by_text("Everyone on Ravenmoor").wait_for()
    await page.get_by_role("button", name="Show private messages").wait_for()
    await page.get_by_role("button", name="Only guild chat of Sunfall Company").click()
    await page.get_by_text("Everyone on Ravenmoor").wait_for(state="detached")


async def test_private_messages_of_a_server_need_a_reason(visit: ConsoleVisit, game: Game):
    page, secret = visit.page, "report me again and I will hunt you"
    await visit.open("/servers/Ravenmoor")
    await page.get_by_role("tab", name="Chat").click()
    await page.get_by_label("Search text").fill("report")
    await page.get_by_text("reported.").wait_for()
    assert await page.get_by_text(secret).count() == 0

    await page.get_by_role("button", name="Show private messages").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("textbox").fill("report 4813")
    await dialog.get_by_role("button", name="Show messages").click()
    await page.get_by_text(secret).wait_for()

    found = await game.get("/actions?kind=chat.read&pageSize=5")
    assert "report 4813" in [action["Reason"] for action in found["Values"]]
    await page.get_by_role("button", name=re.compile("^Around this message")).first.click()
    await page.get_by_text("Selected moment").wait_for()
    # Its log is of everyone already.
    assert "server=" not in page.url


async def test_each_chat_tab_names_the_permission_that_is_missing(visits: Visits, game: Game):
    visit = await visits.by("Kjell")
    for path in ("/guilds/{court}?tab=chat", "/servers/Ravenmoor?tab=chat"):
        await visit.open(await game.address(path))
        await visit.page.get_by_text("logs.read").wait_for()
        assert not [call for call in visit.api_calls if "/chat/" in call]


@ON_PHONE
async def test_who_said_something_is_found_on_all_servers(visits: Visits, on_phone: bool):
    """With nothing but words: nobody knows who said them, or on which server."""
    visit, size = await visits.by("Ines", on_phone=on_phone), "phone" if on_phone else "desk"
    page, hand = visit.page, hand_of(visit, on_phone=on_phone)
    await visit.open("/moderation?tab=chat")
    assert len(visit.api_calls) <= MOST_CALLS, visit.api_calls
    # Nobody reads the private messages of everyone.
    assert await page.get_by_role("button", name="Show private messages").count() == 0

    await hand.write("Search text", "worthless")
    await page.locator("mark", has_text="worthless").first.wait_for()
    await in_order(visit, f"chat-of-all-{size}")
    await hand.press("button", re.compile("^Around this message on Ravenmoor"))
    await page.get_by_text("Please just give the token back").wait_for()
    await page.get_by_text("Selected moment").wait_for()
    await expect(page.get_by_role("combobox", name="Server")).to_have_value("Ravenmoor")
    await in_order(visit, f"chat-around-{size}")

    await page.go_back()
    await page.locator("mark", has_text="worthless").first.wait_for()
    await hand.tick(re.compile(f"^Select the message of {LOUD}"))
    await in_order(visit, f"chat-of-all-selected-{size}")
    await page.get_by_text("1 message selected").wait_for()
    await page.get_by_role("button", name="Add to case…").wait_for()


@ON_PHONE
async def test_the_log_of_all_servers_is_narrowed_to_a_player_and_a_server(
    visits: Visits, on_phone: bool
):
    visit = await visits.by("Ines", on_phone=on_phone)
    page, hand = visit.page, hand_of(visit, on_phone=on_phone)
    await visit.open("/moderation?tab=chat")
    lines = page.get_by_role("log").get_by_role("listitem")
    await hand.write("Player", "nyra")
    await hand.pick("Player", re.compile(LOUD))
    await expect(page).to_have_url(re.compile("player=Nyra"))
    await expect(lines.filter(has_text=LOUD).first).to_be_visible()
    await expect(lines.filter(has_not_text=LOUD)).to_have_count(0)
    # Of one person they are read, for a reason.
    await expect(page.get_by_role("button", name="Show private messages")).to_be_visible()

    await hand.pick("Server", "Ravenmoor")
    await expect(page).to_have_url(re.compile("server=.+"))
    await expect(lines.filter(has_text=LOUD).first).to_be_visible()
    await page.reload()
    await expect(page.get_by_role("combobox", name="Player")).to_have_value(LOUD)
    await expect(page.get_by_role("combobox", name="Server")).to_have_value("Ravenmoor")
    assert await visit.violations() == []


async def test_a_filter_keeps_the_focus_and_the_selected_messages(visits: Visits):
    visit = await visits.by("Ines")
    page, hand = visit.page, hand_of(visit)
    await visit.open("/moderation?tab=chat&said=worthless")
    await hand.tick(re.compile(f"^Select the message of {LOUD}"))
    await hand.write("Player", "nyra")
    await hand.pick("Player", re.compile(LOUD))
    await expect(page).to_have_url(re.compile("player=Nyra"))
    await expect(page.get_by_role("combobox", name="Player")).to_be_focused()
    await page.get_by_text("1 message selected").wait_for()


async def test_a_reason_for_private_messages_is_for_one_player(visit: ConsoleVisit):
    page, hand = visit.page, hand_of(visit)
    await visit.open(f"/moderation?tab=chat&player={LOUD}")
    await hand.press("button", "Show private messages")
    await hand.write("Reason", "report 4814")
    await hand.press("button", "Show messages")
    await page.get_by_role("button", name="Hide private messages").wait_for()
    await hand.write("Player", HERO.name)
    async with page.expect_request("**/api/v1/chat/messages**") as read:
        await hand.pick("Player", re.compile(HERO.name))
    assert "private" not in (await read.value).url
    await page.get_by_role("button", name="Show private messages").wait_for()


async def test_the_log_of_all_servers_needs_its_permission(visits: Visits):
    visit = await visits.by("Kjell")
    await visit.open("/moderation?tab=chat")
    await visit.page.get_by_text(re.compile("logs.read|sanctions.read")).first.wait_for()
    assert not [call for call in visit.api_calls if "/chat/" in call]
