"""The mailbox of a character in the console: letters sent, withdrawn, claimed, and taken back."""

import re
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from playwright.async_api import expect

from gamekeeper.demo import world as demo
from gamekeeper.demo.story.cast import LUCKY
from gamekeeper.demo.story.letters import OLD
from tests.console.conftest import Visits, World
from tests.console.game import Game
from tests.console.test_journeys import ON_PHONE, hand_of, told
from tests.console.test_screens import MOST_CALLS
from tests.console.test_stolen_accounts import make_account, make_character
from tests.console.visit import ConsoleVisit

pytestmark = pytest.mark.browser

ITEM = "Antidote"
SUPPORT, MODERATOR = "Tomas", "Ines"


@pytest.fixture
async def whom(game: Game) -> str:
    """A character with an empty mailbox."""
    mark = "".join(chr(ord("a") + int(digit, 16)) for digit in uuid4().hex[:6])
    return await make_character(game, await make_account(game, f"mail-{mark}"), f"Post {mark}")


async def letters(game: Game, player: str, *, ended: bool = False) -> list[dict[str, Any]]:
    query = "?ended=true" if ended else ""
    return (await game.get(f"/players/{quote(player)}/mailbox{query}"))["Values"]


async def in_mailbox(game: Game, player: str) -> list[tuple[str, str, list[int]]]:
    """Subject, state and quantities of each letter."""
    return [
        (letter["Subject"], letter["State"], [item["Quantity"] for item in letter["Items"]])
        for letter in await letters(game, player)
    ]


async def send(game: Game, player: str, subject: str) -> None:
    item = {"itemid": str(demo.items()[ITEM].id), "quantity": 4}
    await game.post(f"/players/{quote(player)}/mailbox", subject=subject, items=[item])


@ON_PHONE
async def test_a_letter_is_sent_withdrawn_and_put_back(
    visits: Visits, world: World, game: Game, whom: str, on_phone: bool
):
    visit = await visits.by(world.owner, on_phone=on_phone)
    hand, page = hand_of(visit, on_phone=on_phone), visit.page
    await visit.open(f"/players/{quote(whom)}?tab=mailbox")
    assert len(visit.api_calls) <= MOST_CALLS, visit.api_calls
    await expect(page.get_by_role("status").filter(has_text="No letters")).to_be_visible()

    await hand.press("button", "Send letter")
    await hand.write("Subject", "Sorry for the outage")
    await hand.write("Text", "Enjoy these.")
    await hand.press("button", "Add item")
    await hand.pick("Item 1", re.compile(f"^{ITEM}"))
    await hand.write("Quantity of item 1", "3")
    await hand.write("Reason", "outage #77")
    preview = page.get_by_role("dialog").get_by_role("list", name="Preview")
    await expect(preview).to_contain_text(ITEM)
    assert await visit.violations() == []
    await hand.press("button", "Send")
    await told(hand, f"Sent a letter to {whom}")
    assert await in_mailbox(game, whom) == [("Sorry for the outage", "open", [3])]
    [newest, *_] = (await game.get(f"/players/{quote(whom)}/history"))["Values"]
    assert (newest["Kind"], newest["Reason"]) == ("mail.send", "outage #77")

    await hand.press("button", "Withdraw: Sorry for the outage")
    await hand.write("Reason", "sent twice")
    await hand.press("button", "Withdraw")
    await told(hand, f"Withdrew the letter to {whom}")
    assert await letters(game, whom) == []
    [ended] = await letters(game, whom, ended=True)
    assert (ended["State"], ended["Subject"]) == ("withdrawn", "Sorry for the outage")

    toast = page.get_by_role("alert").filter(has_text="Withdrew the letter")
    await hand.press("button", "Undo", within=toast)
    await told(hand, "Undone")
    assert await in_mailbox(game, whom) == [("Sorry for the outage", "open", [3])]
    await page.get_by_role("article", name="Sorry for the outage").wait_for()
    assert await visit.violations() == []


async def test_items_are_claimed_for_the_player_and_returned_to_the_letter(
    visit: ConsoleVisit, game: Game, whom: str
):
    await send(game, whom, "Prize")
    await visit.open(f"/players/{quote(whom)}?tab=mailbox")
    hand, page = hand_of(visit), visit.page

    await hand.press("button", "Claim items: Prize")
    await expect(page.get_by_role("dialog")).to_contain_text("+4")
    await hand.press("button", "Claim items")
    await told(hand, f"Moved the items to the inventory of {whom}")
    assert await game.carried(whom, ITEM) == 4
    assert await in_mailbox(game, whom) == [("Prize", "claimed", [4])]

    # A claim has two sides: the toast undoes the whole transaction.
    await hand.press("button", "Undo", within=page.get_by_role("alert").filter(has_text="Moved"))
    await told(hand, "Undone")
    assert await game.carried(whom, ITEM) == 0
    assert await in_mailbox(game, whom) == [("Prize", "open", [4])]


async def test_ended_letters_have_an_address(visit: ConsoleVisit, game: Game, whom: str):
    await send(game, whom, "Mistake")
    [sent] = await letters(game, whom)
    await game.post(f"/players/{quote(whom)}/mailbox/{sent['Id']}/withdraw")
    await visit.open(f"/players/{quote(whom)}?tab=mailbox")
    await hand_of(visit).choose("Ended")

    letter = visit.page.get_by_role("article", name="Mistake")
    await expect(letter).to_contain_text("Withdrawn")
    await expect(letter.get_by_role("button")).to_have_count(0)
    assert visit.page.url.endswith("tab=mailbox&ended=true")


async def test_the_letters_of_the_story_are_there(visit: ConsoleVisit):
    await visit.open(f"/players/{quote(LUCKY.name)}?tab=mailbox")
    old = visit.page.get_by_role("article", name=OLD)
    await expect(old).to_contain_text("From Kjell (staff)")
    await expect(old).to_contain_text("Claimed")
    await expect(old.get_by_role("list", name="Items of the letter")).to_contain_text(
        "8 × Moonpetal"
    )


async def test_private_words_are_hidden_from_support(visits: Visits, game: Game, whom: str):
    await send(game, whom, "For your eyes")
    visit = await visits.by(SUPPORT)
    await visit.open(f"/players/{quote(whom)}?tab=mailbox")
    page = visit.page

    await expect(page.get_by_role("article")).to_contain_text(f"4 × {ITEM}")
    await expect(page.get_by_role("main")).to_contain_text("“chat.private”")
    await expect(page.get_by_role("main")).not_to_contain_text("For your eyes")
    assert await visit.violations() == []


async def test_a_moderator_reads_letters_and_sends_none(visits: Visits, game: Game, whom: str):
    await send(game, whom, "Readable")
    visit = await visits.by(MODERATOR)
    await visit.open(f"/players/{quote(whom)}?tab=mailbox")
    page = visit.page

    await page.get_by_role("article", name="Readable").wait_for()
    for name in ("Send letter", "Withdraw: Readable"):
        button = page.get_by_role("button", name=name)
        await expect(button).to_have_attribute("aria-disabled", "true")
        await button.dispatch_event("click")
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_a_list_that_does_not_load_is_asked_for_again(visit: ConsoleVisit, whom: str):
    page = visit.page
    await page.route("**/mailbox?*", lambda route: route.abort())
    await visit.open(f"/players/{quote(whom)}?tab=mailbox")
    await expect(page.get_by_role("status").filter(has_text="Loading failed")).to_be_visible()
    await page.unroute("**/mailbox?*")
    await page.get_by_role("button", name="Try again").click()
    await expect(page.get_by_role("status").filter(has_text="No letters")).to_be_visible()
