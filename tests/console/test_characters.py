"""Characters created, moved and deleted in the console, each with a reason and a way back."""

import random
from string import ascii_lowercase
from typing import Any
from urllib.parse import quote

import pytest
from playwright.async_api import expect

from tests.console.conftest import Visits, World
from tests.console.game import Game
from tests.console.test_journeys import ON_PHONE, hand_of, told
from tests.console.visit import ConsoleVisit

pytestmark = pytest.mark.browser


async def somebody_somewhere(game: Game) -> dict[str, Any]:
    """A character whose place the game has reported."""
    found = (await game.get("/players?pageSize=100"))["Values"]
    return next(player for player in found if player["MapName"] and player["X"])


@ON_PHONE
async def test_a_character_is_created_moved_deleted_and_brought_back(
    visits: Visits, world: World, game: Game, on_phone: bool
):
    name = "".join(random.choices(ascii_lowercase, k=10)).capitalize()
    visit = await visits.by(world.owner, on_phone=on_phone)
    hand, page = hand_of(visit, on_phone=on_phone), visit.page
    await visit.open("/accounts/ana")
    await hand.press("button", "New character")
    await hand.write("Name", name)
    await hand.pick("Class", "Warrior")
    await hand.write("Reason", "lost in a migration")
    assert await visit.violations() == []
    await hand.press("button", "Create")
    await told(hand, f"Created {name}")

    await visit.open(f"/players/{name}")
    await hand.menu("Change this character", "Warp")
    place = await somebody_somewhere(game)
    await hand.write("Near a player", place["Name"][:8])
    await hand.pick("Near a player", place["Name"])
    sheet = page.get_by_role("dialog", name="Warp")
    await expect(sheet).to_contain_text(f"{place['MapName']} ({place['X']}, {place['Y']})")
    await hand.write("Reason", "stuck in a wall")
    assert await visit.violations() == []
    await hand.press("button", "Warp")
    await told(hand, f"Warped {name}")
    moved = await game.get(f"/players/{name}")
    assert [moved[key] for key in ("MapId", "MapName", "X", "Y")] == [
        place[key] for key in ("MapId", "MapName", "X", "Y")
    ]

    await hand.menu("Change this character", "Delete character")
    await hand.write("Reason", "asked for by the player")
    assert await visit.violations() == []
    await hand.press("button", "Delete")
    await told(hand, f"Deleted {name}")
    assert (await game.send("GET", f"/players/{name}")).status_code == 404
    await page.get_by_role("alert").filter(has_text="Deleted").get_by_role("button").first.click()
    await told(hand, "Undone")
    history = (await game.get(f"/players/{name}/history"))["Values"]
    assert [(entry["Kind"], entry["Reason"]) for entry in history[1:]] == [
        ("players.delete", "asked for by the player"),
        ("players.sheet", "stuck in a wall"),
        ("players.create", "lost in a migration"),
    ]


async def test_in_the_game_a_character_is_killed_and_not_deleted(visit: ConsoleVisit, game: Game):
    [online, *_] = (await game.get("/players/online?pageSize=1"))["Values"]
    page = visit.page
    await visit.open(f"/players/{quote(online['Name'])}")
    await page.get_by_role("button", name="Change this character").click()
    await page.get_by_role("menuitem", name="Delete character").click()
    sheet = page.get_by_role("dialog", name="Delete character")
    await expect(sheet).to_contain_text("Kick the player first")
    await expect(sheet.get_by_role("button", name="Delete", exact=True)).to_be_disabled()
    await page.keyboard.press("Escape")

    await page.get_by_role("button", name="Change this character").click()
    await page.get_by_role("menuitem", name="Kill", exact=True).click()
    sheet = page.get_by_role("dialog", name="Kill")
    await sheet.get_by_label("Reason").fill("stuck below the map")
    assert await visit.violations() == []
    await sheet.get_by_role("button", name="Kill", exact=True).click()
    await page.get_by_text(f"Killed {online['Name']}").wait_for()

    [newest, *_] = (await game.get(f"/players/{quote(online['Name'])}/history"))["Values"]
    assert (newest["Kind"], newest["Reason"]) == ("commands.send", "stuck below the map")


async def test_who_may_only_read_sees_why_nothing_is_created(visits: Visits):
    reader = await visits.by("Ines")
    await reader.open("/accounts/ana")
    button = reader.page.get_by_role("button", name="New character")
    await expect(button).to_have_attribute("aria-disabled", "true")
