"""Segments: built as a sentence, counted, saved, renamed and deleted; lists of names."""

import re
from uuid import uuid4

import pytest
from playwright.async_api import expect

from tests.console.conftest import Visits, World
from tests.console.game import Game
from tests.console.test_cases import in_order
from tests.console.test_journeys import ON_PHONE, hand_of, told

pytestmark = pytest.mark.browser

LEVEL = 30
CONDITIONS = [{"field": "level", "atleast": LEVEL}, {"field": "guild", "negate": True}]


def new_name() -> str:
    return f"test-{uuid4().hex[:8]}"


async def counted(game: Game, conditions: list[dict[str, object]], match: str = "all") -> int:
    groups = [{"match": match, "conditions": conditions}]
    return (await game.post("/segments/preview", groups=groups, exact=True))["Count"]


async def test_on_a_phone_the_actions_of_a_list_are_in_view(
    visits: Visits, world: World, game: Game
):
    name = await game.segment()
    visit = await visits.by(world.owner, on_phone=True)
    await visit.open("/live-ops?tab=segments")
    remove = visit.page.get_by_role("button", name=f"Delete the list {name}", exact=True)
    await expect(remove).to_be_visible()
    table = visit.page.get_by_role("table", name="Lists of names")
    frame = visit.page.locator(".mantine-Paper-root", has=table).last

    button, edge = await remove.bounding_box(), await frame.bounding_box()

    assert button
    assert edge
    assert button["x"] + button["width"] <= edge["x"] + edge["width"]


@ON_PHONE
async def test_a_sentence_becomes_a_saved_segment(
    visits: Visits, world: World, game: Game, on_phone: bool
):
    name, size = new_name(), "phone" if on_phone else "desk"
    visit = await visits.by(world.owner, on_phone=on_phone)
    page, hand = visit.page, hand_of(visit, on_phone=on_phone)
    await visit.open("/live-ops?tab=segments")
    await hand.press("button", "New segment")
    players = page.get_by_role("region", name="Players")
    await expect(players).to_contain_text("Complete the conditions")
    await expect(page.get_by_role("button", name="Save segment")).to_be_disabled()

    await hand.write("Condition 1: at least", str(LEVEL))
    await expect(players).to_contain_text(f"{await counted(game, CONDITIONS[:1])} players")
    await hand.press("button", "Add condition")
    await hand.pick("Condition 2: property", "Guild")
    await hand.pick("Condition 2: is or is not", "not a member of")
    total = await counted(game, CONDITIONS)
    assert 0 < total < await counted(game, CONDITIONS[:1])
    await expect(players).to_contain_text(f"{total} players")
    examples = players.get_by_role("table", name="Examples").get_by_role("row")
    assert await examples.count() == 1 + min(20, total)
    await in_order(visit, f"segment-builder-{size}")

    await hand.press("button", "Save segment")
    sheet = page.get_by_role("dialog", name="Save segment")
    await hand.write("Name", name)
    await hand.write("Description", "Strong, in no guild")
    await in_order(visit, f"segment-save-{size}")
    await hand.press("button", "Save segment", sheet)
    await told(hand, f"Segment “{name}” saved")
    await page.get_by_role("heading", name=name).wait_for()

    saved = await game.get(f"/segments/{name}")
    [group] = saved["Groups"]
    level, guild = group["Conditions"]
    assert (level["Field"], level["AtLeast"], level["Negate"]) == ("level", LEVEL, False)
    assert (guild["Field"], guild["Id"], guild["Negate"]) == ("guild", None, True)
    assert saved["Description"] == "Strong, in no guild"
    assert (saved["Match"], group["Match"]) == ("all", "all")


async def test_a_segment_is_changed_renamed_and_deleted(visits: Visits, world: World, game: Game):
    name, renamed = new_name(), new_name()
    await game.put(f"/segments/{name}", groups=[{"conditions": CONDITIONS}])
    visit = await visits.by(world.owner)
    page, hand = visit.page, hand_of(visit)
    await visit.open("/live-ops?tab=segments")
    row = page.get_by_role("row", name=re.compile(name))
    await row.get_by_role("button", name=f"Count {name}").click()
    await expect(row).to_contain_text(str(await counted(game, CONDITIONS)))
    await hand.press("row", re.compile(name))

    await hand.pick("Group 1: all or any", "any")
    await page.get_by_text("Unsaved changes").wait_for()
    either = await counted(game, CONDITIONS, "any")
    players = page.get_by_role("region", name="Players")
    await expect(players).to_contain_text(f"{either} players")
    await hand.press("button", "Save")
    sheet = page.get_by_role("dialog", name=f"Save “{name}”")
    # How many there are now, and how many there will be.
    await expect(sheet).to_contain_text(f"{either}")
    await hand.press("button", "Save segment", sheet)
    await told(hand, f"Segment “{name}” saved")
    assert (await game.get(f"/segments/{name}"))["Groups"][0]["Match"] == "any"

    await hand.press("button", "Rename")
    await hand.write("Name", renamed)
    await hand.press("button", "Rename segment")
    await page.get_by_role("heading", name=renamed).wait_for()
    assert (await game.get(f"/segments/{renamed}"))["Groups"][0]["Match"] == "any"
    assert (await game.send("GET", f"/segments/{name}")).status_code == 404

    await hand.press("button", "Delete")
    await hand.press("button", "Delete segment")
    await told(hand, f"Segment “{renamed}” deleted")
    assert (await game.send("GET", f"/segments/{renamed}")).status_code == 404
    toast = page.get_by_role("alert").filter(has_text="deleted")
    await toast.get_by_role("button", name="Restore").click()
    await told(hand, f"Segment “{renamed}” restored")
    assert (await game.get(f"/segments/{renamed}"))["Groups"][0]["Match"] == "any"


async def test_every_property_can_be_chosen_and_saved(visits: Visits, world: World, game: Game):
    """What the console sends is what the API takes, of each type of condition."""
    name, names = new_name(), new_name()
    [member] = (await game.post("/segments/preview", groups=[{"conditions": CONDITIONS}]))[
        "Samples"
    ][:1]
    await game.post(f"/segment-lists/{names}/names", names=[member["Name"]])
    visit = await visits.by(world.owner)
    page, hand = visit.page, hand_of(visit)
    await visit.open("/live-ops/new-segment")
    await hand.pick("Group 1: all or any", "any")
    await hand.pick("Condition 1: comparison", "between")
    await hand.write("Condition 1: at least", "10")
    await hand.write("Condition 1: at most", "20")
    choices = [
        ("Class", ("name", "Mage")),
        ("Last online", ("days", "7")),
        ("Hours played", ("at least", "3")),
        ("Online", None),
        ("Item", ("name", "Health Potion")),
        ("Sanction", None),
        ("List of names", ("list", names)),
    ]
    for at, (field, operand) in enumerate(choices, 2):
        await hand.press("button", "Add condition")
        await hand.pick(f"Condition {at}: property", field)
        if operand is None:
            continue
        label, value = f"Condition {at}: {operand[0]}", operand[1]
        await (hand.write if value.isdigit() else hand.pick)(label, value)
    players = page.get_by_role("region", name="Players").get_by_role("status")
    await expect(players).to_have_text(re.compile(r"^[\d,]+ players$"))
    await in_order(visit, "segment-properties-desk")
    await hand.press("button", "Save segment")
    await hand.write("Name", name)
    await hand.press("button", "Save segment", page.get_by_role("dialog"))
    await told(hand, f"Segment “{name}” saved")

    [group] = (await game.get(f"/segments/{name}"))["Groups"]
    assert [condition["Field"] for condition in group["Conditions"]] == [
        *("level", "class", "last_online", "hours_played", "online", "item", "sanction", "list")
    ]
    level, _, online, hours, _, item, _, listed = group["Conditions"]
    assert (level["AtLeast"], level["AtMost"]) == (10, 20)
    assert (online["WithinDays"], hours["AtLeast"], item["AtLeast"]) == (7, 3, 1)
    assert listed["List"] == names
    # Opened again, it says the same.
    await expect(page.get_by_role("combobox", name="Condition 8: list")).to_have_value(names)
    await expect(page.get_by_text("Unsaved changes")).to_have_count(0)


@ON_PHONE
async def test_an_uploaded_list_says_which_names_did_not_match(
    visits: Visits, world: World, game: Game, on_phone: bool
):
    name, size = new_name(), "phone" if on_phone else "desk"
    found = await game.post("/segments/preview", groups=[{"conditions": CONDITIONS}])
    known = [member["Name"] for member in found["Samples"][:2]]
    visit = await visits.by(world.owner, on_phone=on_phone)
    page, hand = visit.page, hand_of(visit, on_phone=on_phone)
    await visit.open("/live-ops?tab=segments")
    await hand.press("button", "Upload list")
    sheet = page.get_by_role("dialog", name="Upload list of names")
    await hand.write("List", name)
    names = sheet.get_by_role("textbox", name="Names")
    await names.fill("\n".join([*known, "Nobody At All", ""]))
    await expect(sheet).to_contain_text("3 names")
    await in_order(visit, f"list-upload-{size}")
    await hand.press("button", "Upload list", sheet)

    await expect(sheet).to_contain_text("2 characters matched")
    await expect(sheet).to_contain_text("1 name matches no character")
    await sheet.get_by_role("listitem").filter(has_text="Nobody At All").wait_for()
    await in_order(visit, f"list-uploaded-{size}")
    await hand.press("button", "Close", sheet)
    stored = await game.get(f"/segment-lists/{name}")
    assert (stored["Received"], stored["Matched"], stored["Unmatched"]) == (3, 2, 1)

    await hand.press("button", f"1 not matched on the list {name}")
    await page.get_by_role("listitem").filter(has_text="Nobody At All").wait_for()
    await page.keyboard.press("Escape")
    await hand.press("button", f"Delete the list {name}")
    await hand.press("button", "Delete list")
    await told(hand, f"List “{name}” deleted")
    assert (await game.send("GET", f"/segment-lists/{name}")).status_code == 404
