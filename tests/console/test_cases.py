"""Reports and cases: a report becomes a mute with evidence, by keyboard and by thumb."""

import os
import re
import time
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.async_api import expect

from gamekeeper.demo.story.cast import HERO, LOUD, LUCKY, VICTIMS
from tests.console.conftest import Visits, World
from tests.console.game import Game
from tests.console.test_journeys import ON_PHONE, hand_of, told
from tests.console.test_linked import Pair, pair
from tests.console.test_stolen_accounts import make_account
from tests.console.visit import ConsoleVisit

pytestmark = pytest.mark.browser

__all__ = ["pair"]

INSULT = "cry about it, you worthless clown"
SECRET = "report me again and I will hunt you every evening"
PICTURES = os.environ.get("CONSOLE_PICTURES")
"""A folder for pictures of what opens on these screens, for people to look at."""


@ON_PHONE
async def test_a_report_becomes_a_mute_with_evidence(visits: Visits, game: Game, on_phone: bool):
    case = await game.report()
    visit = await visits.by("Ines", on_phone=on_phone)
    page, hand = visit.page, hand_of(visit, on_phone=on_phone)
    await visit.open("/moderation")
    began = time.monotonic()

    await hand.press("row", re.compile(LOUD.name))
    await hand.press("button", "Claim")
    await page.get_by_text(f"You claimed the case about {LOUD.name}").wait_for()
    reported = page.get_by_role("listitem").filter(has_text=INSULT)
    await expect(reported).to_contain_text("Reported")
    await expect(reported.get_by_role("checkbox")).to_be_checked()
    await hand.press("button", "Mute")
    await hand.write("Staff reason", "insults in global chat")
    await hand.press("button", "Impose mute")
    await page.get_by_text("Sanction code").wait_for()

    print(f"{time.monotonic() - began:.1f} s")
    found = await game.get(f"/cases/{case}")
    assert (found["Case"]["Outcome"], found["Case"]["ClosedByName"]) == ("mute", "Ines")
    sanction = await game.get(f"/sanctions/{found['Case']['SanctionId']}")
    assert (sanction["Kind"], sanction["Reason"]) == ("mute", "insults in global chat")
    evidence = await game.get(f"/sanctions/{found['Case']['SanctionId']}/excerpt")
    assert INSULT in [line["Message"] for line in evidence["Values"]]
    assert await visit.violations() == []


async def test_keys_claim_and_close_the_row_that_has_the_focus(visits: Visits, game: Game):
    case = await game.report()
    visit = await visits.by("Ines")
    page = visit.page
    await visit.open("/moderation?show=unclaimed")
    row = page.get_by_role("row", name=re.compile(LOUD.name))
    await row.focus()
    await page.keyboard.press("c")
    await page.get_by_text(f"You claimed the case about {LOUD.name}").wait_for()
    assert (await game.get(f"/cases/{case}"))["Case"]["ClaimedByName"] == "Ines"

    await visit.open("/moderation?show=mine")
    menu = page.get_by_role("navigation").first.get_by_role("link", name=re.compile("^Reports"))
    await expect(menu.get_by_role("img", name=re.compile("^You claimed"))).to_be_visible()
    await page.get_by_role("row", name=re.compile(LOUD.name)).focus()
    await page.keyboard.press("e")
    sheet = page.get_by_role("dialog", name="Close without a sanction")
    await sheet.get_by_label("Reason").fill("friends, they made up")
    await sheet.get_by_role("button", name="Close case").click()
    await page.get_by_text(f"Closed the case about {LOUD.name}").wait_for()
    closed = await game.get(f"/cases/{case}")
    assert (closed["Case"]["Outcome"], closed["ClosingNote"]) == ("none", "friends, they made up")

    await page.get_by_role("alert").get_by_role("button", name="Reopen").click()
    await page.get_by_text(f"Reopened the case about {LOUD.name}").wait_for()
    assert (await game.get(f"/cases/{case}"))["Case"]["State"] == "open"
    await game.post(f"/cases/{case}/release")


async def test_two_who_look_at_a_case_see_each_other_and_new_reports(
    visits: Visits, world: World, game: Game
):
    case = await game.report()
    before = (await game.get(f"/cases/{case}"))["Case"]["Reports"]
    first, second = await visits.by("Ines"), await visits.by(world.owner)
    await first.open(f"/cases/{case}")
    await second.open(f"/cases/{case}")
    await second.page.get_by_text("Also looking at this case: Ines").wait_for()

    for reporter in (LUCKY, VICTIMS[0]):
        await game.report(reporter.name)
    await second.page.get_by_text("2 new reports").wait_for()
    await second.page.get_by_role("status").get_by_role("button", name="Show").click()

    await expect(second.page.get_by_text(f"{before + 2} reports by").first).to_be_visible()


async def test_reporters_are_named_to_those_who_may_see_them(visits: Visits, game: Game):
    case = await game.report()
    moderator, supporter = await visits.by("Ines"), await visits.by("Tomas")
    for visit in (moderator, supporter):
        await visit.open(f"/cases/{case}")
    report = moderator.page.get_by_role("article", name="Report").first
    await expect(report).to_contain_text(f"Reported by {HERO.name}")

    hidden = supporter.page.get_by_role("article", name="Report").first
    await expect(hidden).to_contain_text("Reported by a player")
    # Support reads cases and decides none.
    mute = supporter.page.get_by_role("button", name="Mute")
    await expect(mute).to_have_attribute("aria-disabled", "true")
    assert await supporter.page.get_by_role("button", name="Claim").count() == 0


async def test_without_the_permission_there_is_no_queue(visits: Visits):
    visit = await visits.by("Kjell")
    await visit.open("/moderation")
    await expect(visit.page.get_by_role("tab", name="Sanctions")).to_have_attribute(
        "aria-selected", "true"
    )
    await visit.open("/moderation?tab=reports")
    await visit.page.get_by_text("reports.read").wait_for()
    assert not [call for call in visit.api_calls if "/cases" in call]


async def in_order(visit: ConsoleVisit, name: str) -> None:
    """What is open now has nothing that axe finds, in both themes, and is not too wide."""
    for theme in ("light", "dark"):
        await visit.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        await visit.drawn()
        if PICTURES:
            await visit.page.screenshot(path=Path(PICTURES) / f"{name}-{theme}.png")
        assert await visit.violations() == [], (name, theme)
    assert await visit.too_wide() <= 0
    await visit.page.emulate_media(color_scheme="light", reduced_motion="reduce")


async def added_to(game: Game, case: str) -> list[str]:
    """The messages that staff added to a case."""
    chat = await game.get(f"/cases/{case}/chat")
    return [each["Line"]["Message"] for each in chat["Values"] if each["AddedAt"]]


@ON_PHONE
async def test_selected_messages_are_added_to_a_case(visits: Visits, game: Game, on_phone: bool):
    case, size = await game.report(LUCKY.name), "phone" if on_phone else "desk"
    words = "as always" if on_phone else "not asked either"
    visit = await visits.by("Ines", on_phone=on_phone)
    page, hand = visit.page, hand_of(visit, on_phone=on_phone)
    await visit.open(f"/players/{quote(LOUD.name)}?tab=chat&said={quote(words)}")

    await hand.tick(re.compile(f"^Select the message of {LOUD.name}"))
    await in_order(visit, f"chat-selected-{size}")
    await hand.press("button", "Add to case…")
    sheet = page.get_by_role("dialog", name="Add to case")
    # The case about the author is meant already.
    await expect(sheet.get_by_role("combobox", name="Case")).to_have_value(re.compile(LOUD.name))
    await in_order(visit, f"add-to-case-{size}")
    await hand.press("button", "Add to case", sheet)
    await told(hand, f"Added to the case about {LOUD.name}")

    assert any(words in message for message in await added_to(game, case))
    await expect(page.get_by_text("1 message selected")).to_have_count(0)
    await visit.open(f"/cases/{case}")
    line = page.get_by_role("listitem").filter(has_text=words)
    await expect(line).to_contain_text("Added by staff")
    await expect(line.get_by_role("checkbox")).to_be_checked()
    await in_order(visit, f"case-with-added-{size}")


@ON_PHONE
async def test_messages_around_one_are_added_from_its_menu(
    visits: Visits, game: Game, on_phone: bool
):
    case, size = await game.report(LUCKY.name), "phone" if on_phone else "desk"
    visit = await visits.by("Ines", on_phone=on_phone)
    page, hand = visit.page, hand_of(visit, on_phone=on_phone)
    await visit.open("/servers/Ravenmoor?tab=chat&said=worthless")
    more = re.compile(f"^More for the message of {LOUD.name}")

    await hand.press("button", more)
    await expect(page.get_by_role("menuitem", name="Add to case…")).to_be_visible()
    await in_order(visit, f"chat-menu-{size}")
    await page.keyboard.press("Escape")
    await hand.menu(more, "Add to case with messages around it…")
    sheet = page.get_by_role("dialog", name="Add to case")
    await hand.pick("Case", re.compile(LOUD.name))
    await in_order(visit, f"add-around-{size}")
    await hand.press("button", "Add to case", sheet)
    await told(hand, f"Added to the case about {LOUD.name}")

    added = await added_to(game, case)
    assert {INSULT, "reported."} <= set(added)
    assert SECRET not in added
    found = await game.get("/actions?kind=cases.evidence&limit=1")
    assert found["Values"][0]["ActorName"] == "Ines"
    await visit.open("/actions?kind=cases.evidence")
    await page.get_by_text(re.compile("Ines added .* messages to")).first.wait_for()


async def test_private_messages_are_added_with_a_reason(visits: Visits, world: World, game: Game):
    case = await game.report(LUCKY.name)
    visit = await visits.by(world.owner)
    page = visit.page
    await visit.open(f"/players/{quote(LOUD.name)}?tab=chat")
    await page.get_by_role("button", name="Show private messages").click()
    await page.get_by_role("dialog").get_by_role("textbox").fill("report 4814")
    await page.get_by_role("dialog").get_by_role("button", name="Show messages").click()
    line = page.get_by_role("listitem").filter(has_text=SECRET)
    await line.get_by_role("button", name=re.compile("^More for")).click()
    await page.get_by_role("menuitem", name="Add to case…").click()
    sheet = page.get_by_role("dialog", name="Add to case")
    await sheet.get_by_text("Private messages need a reason").wait_for()
    submit = sheet.get_by_role("button", name="Add to case")
    await expect(submit).to_be_disabled()
    await sheet.get_by_label("Reason").fill("report 4814, a threat")
    await submit.click()
    await page.get_by_text("Added to the case about").wait_for()

    assert SECRET in await added_to(game, case)
    found = await game.get("/actions?kind=cases.evidence&limit=5")
    assert "report 4814, a threat" in [action["Reason"] for action in found["Values"]]


async def test_each_chat_tab_adds_only_for_those_who_handle_cases(visits: Visits, game: Game):
    moderator, owner = await visits.by("Ines"), await visits.by("Maren")
    for visit in (moderator, owner):
        await visit.open(await game.address("/guilds/{court}?tab=chat"))
        await visit.page.get_by_role("button", name=re.compile("^More for")).first.wait_for()
    reader = await visits.by("Tomas")
    await reader.open(f"/players/{quote(LOUD.name)}?tab=chat")
    assert await reader.page.get_by_role("button", name=re.compile("^More for")).count() == 0
    assert not [call for call in reader.api_calls if "/cases" in call]


async def test_the_case_shows_linked_accounts_to_those_who_may_see_them(
    visits: Visits, world: World, game: Game, pair: Pair
):
    name = (await game.get(f"/users/{quote(pair.first)}/players"))[0]["Name"]
    await game.post("/reports", reporter=LUCKY.name, player=name, category="spam", text="noise")
    user = (await game.get(f"/users/{quote(pair.first)}"))["Id"]
    case = (await game.get(f"/cases?user={user}&state=open"))["Values"][0]["Id"]
    visit = await visits.by(world.owner)
    await visit.open(f"/cases/{case}")
    card = visit.page.get_by_role("region", name="Linked accounts")
    await expect(card).to_contain_text("2 accounts")
    await expect(card).to_contain_text(f"{pair.second} (Same device, 1 day in common)")
    assert len(visit.api_calls) <= 8
    await in_order(visit, "case-linked-desk")
    await card.get_by_role("link", name="Show all").click()
    await visit.page.get_by_role("table", name="Linked accounts").wait_for()

    mark = await make_account(game, pair.first.replace("one", "reader"))
    await game.post("/roles", name=mark, scopes=["reports.read", "players.read"])
    granted = await game.send("PUT", f"/staff/{mark}/roles/{mark}")
    assert granted.status_code == 200, granted.text
    reader = await visits.by(mark)
    await reader.open(f"/cases/{case}")
    await reader.page.get_by_role("region", name="Earlier outcomes").wait_for()
    assert await reader.page.get_by_role("region", name="Linked accounts").count() == 0
    assert not [call for call in reader.api_calls if "/linked" in call]
