"""Schedules: created, skipped, paused, resumed and deleted, and what their runs did."""

import asyncio
import re
import time
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from playwright.async_api import expect

from tests import processes
from tests.console.conftest import Visits, World
from tests.console.game import Game
from tests.console.test_campaigns import letters_to, segment_of
from tests.console.test_cases import in_order
from tests.console.test_journeys import ON_PHONE, hand_of, told
from tests.console.test_limits import make_supporter

pytestmark = pytest.mark.browser

GIFT = "Health Potion"
SCOPES = ["campaigns.read", "players.read"]


async def schedule_named(game: Game, name: str) -> dict[str, Any] | None:
    found = (await game.get("/schedules?limit=100"))["Values"]
    return next((schedule for schedule in found if schedule["Name"] == name), None)


async def test_an_event_of_every_weekend_is_planned_skipped_and_deleted(
    visits: Visits, world: World, game: Game
):
    segment, _ = await segment_of(game, 70, 2)
    name = f"Festival {uuid4().hex[:6]}"
    visit = await visits.by(world.owner)
    page, hand = visit.page, hand_of(visit)
    await visit.open(f"/live-ops?tab=schedules&new=true&segment={segment}")
    sheet = page.get_by_role("dialog", name="New schedule")
    await hand.write("Name", name)
    await hand.pick("Work", "Give items")
    await hand.pick("Item 1", GIFT)
    await hand.choose("Weekly")
    await hand.pick("Taken back on", "Monday")
    await hand.write("Time zone", "Berlin")
    await hand.pick("Time zone", "Europe/Berlin")
    await expect(sheet).to_contain_text("Runs: Friday at 18:00 (Europe/Berlin)")
    await expect(sheet).to_contain_text("Ends: Monday at 09:00 (Europe/Berlin)")
    await in_order(visit, "schedule-new-desk")
    await hand.write("Reason", "festival")
    await hand.press("button", "Create schedule", sheet)
    await told(hand, f"Schedule “{name}” created")
    await page.get_by_role("heading", name=name).wait_for()
    made = await schedule_named(game, name)
    assert made is not None
    assert (made["Cron"], made["EndsCron"], made["TimeZone"], made["Segment"], made["Reason"]) == (
        *("0 18 * * FRI", "0 9 * * MON", "Europe/Berlin"),
        *(segment, "festival"),
    )

    runs = page.get_by_role("table", name="Next runs").get_by_role("row")
    await expect(runs).to_have_count(11)
    await expect(runs.nth(1)).to_contain_text(re.compile(r"\d{4}-\d\d-\d\d 18:00 \+0[12]:00"))
    await in_order(visit, "schedule-page-desk")
    [_, second, *_] = (await game.get(f"/schedules/{made['Id']}/next"))["Values"]
    local = second["LocalTime"]
    skip = f"Skip the run of {local[:10]} 18:00 {local[19:]}"
    await hand.press("button", skip)
    sheet = page.get_by_role("dialog", name="Skip run")
    await expect(sheet).to_contain_text("cannot be undone")
    await expect(sheet).to_contain_text(f"{local[:10]} 18:00")
    await in_order(visit, "schedule-skip-desk")
    await hand.press("button", "Cancel", sheet)
    await expect(page.get_by_role("button", name=skip)).to_be_focused()
    await hand.press("button", skip)
    await hand.press("button", "Skip run", sheet)
    await told(hand, "Run skipped")
    await expect(runs.nth(2)).to_contain_text("Skipped")
    [_, skipped, *_] = (await game.get(f"/schedules/{made['Id']}/next"))["Values"]
    assert skipped["Skipped"]

    await hand.press("button", "Pause")
    state = page.get_by_role("main").get_by_role("status")
    await state.filter(has_text="Paused").wait_for()
    await page.get_by_text("Paused. Resume the schedule to plan runs.").wait_for()
    await visit.open("/live-ops?tab=schedules")
    row = page.get_by_role("row").filter(has_text=name)
    await expect(row).to_contain_text("None")
    await visit.open(f"/schedules/{made['Id']}")
    await hand.press("button", "Resume")
    sheet = page.get_by_role("dialog", name="Resume schedule")
    await expect(sheet).to_contain_text("Friday at 18:00 (Europe/Berlin)")
    await in_order(visit, "schedule-resume-desk")
    await hand.press("button", "Resume schedule", sheet)
    await state.filter(has_text="Active").wait_for()

    await hand.press("button", "Delete")
    sheet = page.get_by_role("dialog", name="Delete schedule")
    await expect(sheet.get_by_role("listitem").filter(has_text="Next run")).to_contain_text("None")
    await in_order(visit, "schedule-delete-desk")
    await hand.press("button", "Delete schedule", sheet)
    await told(hand, f"Schedule “{name}” deleted")
    await page.get_by_role("tab", name="Schedules").wait_for()
    assert await schedule_named(game, name) is None


async def test_a_schedule_is_skipped_paused_resumed_and_deleted_by_thumb(
    visits: Visits, world: World, game: Game
):
    schedule = await game.schedule()
    visit = await visits.by(world.owner, on_phone=True)
    page, hand = visit.page, hand_of(visit, on_phone=True)
    await visit.open(f"/schedules/{schedule}")
    await hand.press("button", re.compile("^Skip the run"))
    sheet = page.get_by_role("dialog", name="Skip run")
    await in_order(visit, "schedule-skip-phone")
    await hand.press("button", "Skip run", sheet)
    await told(hand, "Run skipped")
    await hand.press("button", "Pause")
    state = page.get_by_role("main").get_by_role("status")
    await state.filter(has_text="Paused").wait_for()
    await hand.press("button", "Resume")
    sheet = page.get_by_role("dialog", name="Resume schedule")
    await in_order(visit, "schedule-resume-phone")
    await hand.press("button", "Resume schedule", sheet)
    await state.filter(has_text="Active").wait_for()
    await hand.press("button", "Delete")
    sheet = page.get_by_role("dialog", name="Delete schedule")
    await in_order(visit, "schedule-delete-phone")
    await hand.press("button", "Delete schedule", sheet)
    await page.get_by_role("tab", name="Schedules").wait_for()
    assert (await game.send("GET", f"/schedules/{schedule}")).status_code == 404


async def test_a_run_sends_its_letters_and_leads_to_its_campaign(
    visits: Visits, world: World, game: Game
):
    segment, names = await segment_of(game, 80, 2)
    name = f"Reward {uuid4().hex[:6]}"
    soon = datetime.now(UTC) + timedelta(seconds=2)
    made = await game.post(
        "/schedules",
        name=name,
        segment=segment,
        work={"kind": "letter", "subject": name},
        startsat=soon.isoformat(),
    )
    visit = await visits.by(world.owner)
    page, hand = visit.page, hand_of(visit)
    await visit.open(f"/schedules/{made['Id']}")
    past = page.get_by_role("table", name="Past runs")
    # Without a reload.
    await expect(past).to_contain_text("Started")
    deadline = time.monotonic() + processes.PATIENCE
    while not all([await letters_to(game, player, name) for player in names]):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.5)
    await page.get_by_role("main").get_by_role("status").filter(has_text="Ended").wait_for()
    await in_order(visit, "schedule-ended-desk")
    await hand.press("link", re.compile("Open campaign"))
    await page.get_by_role("heading", name=name).wait_for()
    await page.get_by_role("status").filter(has_text="Finished").wait_for()
    await hand.press("link", name)
    await page.get_by_role("table", name="Past runs").wait_for()


async def test_a_run_that_became_due_during_a_pause_starts_at_once(
    visits: Visits, world: World, game: Game
):
    segment, _ = await segment_of(game, 85, 1)
    name = f"Late {uuid4().hex[:6]}"
    soon = datetime.now(UTC) + timedelta(seconds=4)
    work = {"kind": "letter", "subject": name}
    about = {"name": name, "segment": segment, "work": work, "startsat": soon.isoformat()}
    made = await game.post("/schedules", **about)
    await game.post(f"/schedules/{made['Id']}/pause")
    visit = await visits.by(world.owner)
    page, hand = visit.page, hand_of(visit)
    await asyncio.sleep(max(0.0, (soon - datetime.now(UTC)).total_seconds()) + 0.1)
    await visit.open(f"/schedules/{made['Id']}")
    await page.get_by_text("No past runs.").wait_for()
    await hand.press("button", "Resume")
    sheet = page.get_by_role("dialog", name="Resume schedule")
    await expect(sheet).to_contain_text("The run starts at once.")
    await in_order(visit, "schedule-resume-due-desk")
    await hand.press("button", "Resume schedule", sheet)
    await expect(page.get_by_role("table", name="Past runs")).to_contain_text("Started")


@ON_PHONE
async def test_a_login_reward_needs_an_end(
    visits: Visits, world: World, game: Game, on_phone: bool
):
    segment, _ = await segment_of(game, 90 if on_phone else 91, 1)
    name, size = f"Daily {uuid4().hex[:6]}", "phone" if on_phone else "desk"
    visit = await visits.by(world.owner, on_phone=on_phone)
    page, hand = visit.page, hand_of(visit, on_phone=on_phone)
    await visit.open(f"/live-ops?tab=schedules&new=true&segment={segment}")
    sheet = page.get_by_role("dialog", name="New schedule")
    await hand.write("Name", name)
    await hand.write("Subject", name)
    await hand.choose("When they next join")
    await hand.choose("Cron")
    await hand.write("Cron expression", "0 0 * * *")
    create = sheet.get_by_role("button", name="Create schedule")
    await expect(create).to_be_disabled()
    await hand.write("Until the next match of", "0 0 * * *")
    await hand.write("Most recipients per run", "20")
    await in_order(visit, f"schedule-login-reward-{size}")
    await hand.press("button", "Create schedule", sheet)
    await page.get_by_role("heading", name=name).wait_for()
    made = await schedule_named(game, name)
    assert made is not None
    assert (made["OnJoin"], made["EndsCron"], made["MaxRecipients"]) == (True, "0 0 * * *", 20)
    await expect(page.get_by_role("region", name="Facts")).to_contain_text("When they next join")


@ON_PHONE
async def test_an_announcement_needs_no_segment_and_has_no_end(
    visits: Visits, world: World, game: Game, on_phone: bool
):
    name, size = f"Soon {uuid4().hex[:6]}", "phone" if on_phone else "desk"
    visit = await visits.by(world.owner, on_phone=on_phone)
    page, hand = visit.page, hand_of(visit, on_phone=on_phone)
    await visit.open("/live-ops?tab=schedules&new=true")
    await hand.write("Name", name)
    await hand.pick("Work", "Announce on all game servers")
    await hand.write("Message", "The festival begins in 15 minutes.")
    await hand.choose("Weekly")
    assert await page.get_by_role("textbox", name="Segment").count() == 0
    assert await page.get_by_role("textbox", name="Taken back on").count() == 0
    await in_order(visit, f"schedule-announcement-{size}")
    await hand.press("button", "Create schedule")
    await page.get_by_role("heading", name=name).wait_for()
    made = await schedule_named(game, name)
    assert made is not None
    assert (made["Work"]["Kind"], made["Segment"]) == ("announcement", None)
    facts = page.get_by_role("region", name="Facts")
    await expect(facts).to_contain_text("The festival begins in 15 minutes.")


async def test_a_single_run_is_shown_in_the_time_of_the_person(visits: Visits, world: World):
    visit = await visits.by(world.owner)
    page, hand = visit.page, hand_of(visit)
    await visit.open("/live-ops?tab=schedules&new=true")
    sheet = page.get_by_role("dialog", name="New schedule")
    await sheet.get_by_label("Starts").fill("2030-01-01T12:00")
    await expect(sheet).to_contain_text("Runs: 2030-01-01 12:00:00")
    await hand.write("Name", "never created")
    await sheet.get_by_label("Taken back at").fill("2030-01-01T11:00")
    await sheet.get_by_text("The end must be after the start.").wait_for()


async def test_those_who_may_not_see_segments_read_why_there_are_none(visits: Visits, game: Game):
    scopes = ["campaigns.read", "campaigns.manage", "players.read"]
    visit = await visits.by(await make_supporter(game, scopes))
    await visit.open("/live-ops?tab=schedules&new=true")
    await visit.page.get_by_text("segments.read").wait_for()
    segment = visit.page.get_by_label("Segment", exact=False).first
    await expect(segment).to_be_disabled()
    assert not [call for call in visit.api_calls if "/segments" in call]


async def test_those_who_only_read_schedules_cannot_change_them(visits: Visits, game: Game):
    schedule = await game.schedule()
    visit = await visits.by(await make_supporter(game, SCOPES))
    await visit.open(f"/schedules/{schedule}")
    for name in ("Delete", "Pause"):
        button = visit.page.get_by_role("button", name=name, exact=True)
        await expect(button).to_have_attribute("aria-disabled", "true")
    skip = visit.page.get_by_role("button", name=re.compile("Skip the run")).first
    await expect(skip).to_have_attribute("aria-disabled", "true")
