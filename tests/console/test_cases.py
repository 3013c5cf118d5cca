"""Reports and cases: a report becomes a mute with evidence, by keyboard and by thumb."""

import re
import time

import pytest
from playwright.async_api import expect

from gamekeeper.demo.story.cast import HERO, LOUD, LUCKY, VICTIMS
from tests.console.conftest import Visits, World
from tests.console.game import Game
from tests.console.test_journeys import ON_PHONE, hand_of

pytestmark = pytest.mark.browser

INSULT = "cry about it, you worthless clown"


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
