"""
What staff come to the console for, from the question to the outcome in the game.

Each is walked with the keyboard alone; some also with a thumb on a phone.
"""

import re
from urllib.parse import quote

import pytest
from playwright.async_api import Route, expect

from gamekeeper.demo.story.cast import CROOK, DUPER, FENCE, HERO, LUCKY, THIEF, VICTIMS
from gamekeeper.demo.story.incidents import AT_ONCE, BUFFS, LOOT, SPIKE, SWORD
from tests.console.conftest import SignIns, Visits, World
from tests.console.game import Game
from tests.console.keyboard import Hand, Keyboard, Thumb
from tests.console.visit import ConsoleVisit

pytestmark = pytest.mark.browser

GIFT = "Guild Token"
ON_PHONE = pytest.mark.parametrize("on_phone", [False, True], ids=["keyboard", "thumb"])


def hand_of(visit: ConsoleVisit, *, on_phone: bool = False) -> Hand:
    return Thumb(visit.page) if on_phone else Keyboard(visit.page)


async def told(hand: Hand, words: str) -> None:
    """A toast says it."""
    await hand.page.get_by_role("alert").filter(has_text=words).first.wait_for()


async def test_a_lost_sword_comes_back(visit: ConsoleVisit, game: Game):
    assert await game.held(HERO.name, SWORD) == 0
    await visit.open("/")
    hand = Keyboard(visit.page)

    await hand.find("Bram", re.compile(HERO.name))
    await hand.tab("Items")
    await hand.write("Go to time", "yesterday 17:59")
    await hand.keys("Enter")
    await hand.tick(f"Select to restore: {SWORD}")
    await hand.press("button", "Restore 1…")
    await hand.write("Reason", "was no copy, ticket #1043")
    await hand.press("button", "Restore")
    await told(hand, f"Restored 1 item to {HERO.name}")

    [stack] = await game.stacks(HERO.name, SWORD)
    assert (stack["Quantity"], tuple(stack["StatBuffs"])) == (1, BUFFS)
    [last] = (await game.get(f"/players/{quote(HERO.name)}/history?limit=1"))["Values"]
    assert (last["Kind"], last["Reason"]) == ("items.restore", "was no copy, ticket #1043")


@ON_PHONE
async def test_a_wrong_gift_is_undone(visits: Visits, world: World, game: Game, on_phone: bool):
    whom, reason = LUCKY.name, "quest bug #812: 5 tokens"
    if on_phone:
        # The story has one such gift; this is another's.
        whom, reason = HERO.name, "quest bug #813: 5 tokens"
        item = (await game.get(f"/search?q={quote(GIFT)}"))["Items"][0]["Id"]
        await game.post(
            f"/players/{quote(whom)}/items/give", itemid=item, quantity=500, reason=reason
        )
    before = await game.held(whom, GIFT)
    visit = await visits.by(world.owner, on_phone=on_phone)
    hand = hand_of(visit, on_phone=on_phone)
    await visit.open("/")

    await hand.find(whom, re.compile(whom))
    row = visit.page.get_by_role("listitem").filter(has_text=reason)
    if on_phone:
        await hand.press("button", re.compile("^Details: Gave items"), within=row)
    await hand.press("button", re.compile("^Undo: Gave items"), within=row)
    sheet = visit.page.get_by_role("dialog")
    await expect(sheet).to_contain_text("500")
    await hand.write("Reason", "500 instead of 5")
    await hand.press("button", "Undo action")
    await told(hand, "Undone")

    assert await game.held(whom, GIFT) == before - 500
    await expect(row.first).to_contain_text(f"Undone by {world.owner}")


async def test_a_gift_whose_answer_is_lost_is_given_once(visit: ConsoleVisit, game: Game):
    """The gift is made, its answers are lost on the way, and the person presses again."""
    whom, item = VICTIMS[1].name, "Antidote"
    before = await game.held(whom, item)
    lost = 0

    async def lose(route: Route) -> None:
        nonlocal lost
        lost += 1
        await route.fetch()
        await route.abort()

    await visit.page.route("**/items/give", lose)
    await visit.open(f"/players/{whom}")
    hand = Keyboard(visit.page)
    await hand.press("button", "Give items")
    await hand.pick("Item", re.compile(f"^{item}"))
    await hand.press("button", "Give")
    await expect(visit.page.get_by_role("dialog")).to_contain_text("did not answer")
    await visit.page.unroute("**/items/give")
    await hand.press("button", "Give")
    await told(hand, f"Gave {whom} 1 × {item}")

    assert lost > 1
    assert await game.held(whom, item) == before + 1


async def test_a_stolen_staff_session_is_ended(
    visits: Visits, sign_ins: SignIns, browser, visit: ConsoleVisit, game: Game
):
    state = await sign_ins.sign_in("Tomas")
    thief = await visits.of(await browser.new_context(storage_state=state))
    await thief.open("/players")
    assert (await game.get("/staff/Tomas/sessions"))["Total"] >= 1
    await visit.open("/")
    hand = Keyboard(visit.page)

    await hand.find("Tomas", re.compile("tomas@"))
    await hand.tab("Sign-ins")
    await hand.press("button", "End all")
    await told(hand, "All sessions ended")

    assert (await game.get("/staff/Tomas/sessions"))["Total"] == 0

    async def call() -> int:
        return (await thief.context.request.get(f"{visit.url}/api/v1/me")).status

    assert await game.refuses(call)
    await thief.page.goto(f"{visit.url}/console/players")
    await thief.page.get_by_role("heading", name="Sign in").wait_for()


async def test_what_a_thief_did_is_undone_together(visit: ConsoleVisit, game: Game):
    stolen = [(victim.name, item, many) for victim in VICTIMS for item, many in LOOT[victim.name]]
    before = [await game.held(name, item) for name, item, _ in stolen]
    loot = [await game.held(CROOK.name, item) for _, item, _ in stolen]
    await visit.open("/")
    hand = Keyboard(visit.page)

    await hand.keys("g", "a")
    await hand.write("Done by", THIEF)
    await hand.press("button", f"Undo everything by {THIEF}")
    await hand.choose("24 hours")
    await hand.write("Reason", "theft of tonight")
    await hand.press("button", f"Undo {2 * len(stolen)} actions")
    await told(hand, f"Undid {2 * len(stolen)} actions of {THIEF}")

    for (name, item, many), had, booty in zip(stolen, before, loot, strict=True):
        assert await game.held(name, item) == had + many, (name, item)
        assert await game.held(CROOK.name, item) == booty - many, item


@ON_PHONE
async def test_a_ban_by_template_is_appealed_and_lifted(
    visits: Visits, world: World, game: Game, on_phone: bool
):
    # The ladder of this template ends with a ban; its last victim is one step below.
    recent = (await game.get("/sanctions?template=spam&limit=100"))["Values"]
    user = next(one["UserName"] for one in recent if one["Step"] == 3)
    moderator = await visits.by("Ines", on_phone=on_phone)
    hand = hand_of(moderator, on_phone=on_phone)
    await moderator.open(f"/accounts/{quote(user)}")

    await hand.press("button", "New sanction")
    await hand.pick("Template", "spam")
    await moderator.page.get_by_text("Fourth time or later: permanent ban").wait_for()
    await hand.write("Staff reason", "a fourth time, in the guild chat")
    await hand.press("button", "Impose ban")
    await told(hand, f"Ban imposed on {user}")

    [ban] = [
        sanction
        for sanction in await game.sanctions(user)
        if sanction["Kind"] == "ban" and sanction["InForce"]
    ]
    await moderator.page.get_by_text(ban["Code"]).first.wait_for()
    assert (await game.get(f"/users/{quote(user)}"))["IsBanned"] is True
    words = f"I was my brother ({ban['Code']})."
    answer = await game.send("POST", "/appeals", code=ban["Code"], text=words)
    assert answer.is_success, answer.text

    owner = await visits.by(world.owner, on_phone=on_phone)
    hand = hand_of(owner, on_phone=on_phone)
    await owner.open("/moderation?tab=appeals&appeals=open")
    await hand.press("row", re.compile(re.escape(user)))
    await owner.page.get_by_text(words).wait_for()
    await hand.choose("Lift sanction")
    await hand.write("Answer", "We believe you. Please use accounts of your own.")
    await hand.press("button", "Lift and answer")
    await told(hand, "Sanction lifted. The player can read your answer.")

    assert (await game.get(f"/users/{quote(user)}"))["IsBanned"] is False
    [after] = [sanction for sanction in await game.sanctions(user) if sanction["Id"] == ban["Id"]]
    assert (after["InForce"], after["LiftedByName"]) == (False, world.owner)


async def test_a_dupe_is_hunted_from_the_economy(visit: ConsoleVisit, game: Game):
    gold = await game.held(FENCE.name, "Gold Coin")
    assert await game.held(FENCE.name, "Rough Ruby") >= 600
    await visit.open("/")
    hand = Keyboard(visit.page)

    # From the item that jumped to the day, to who made it, to whom it was sold.
    await hand.keys("g", "e")
    await hand.write("Find item", "Rough Ruby")
    await hand.press("link", "Rough Ruby", within=visit.page.get_by_role("table"))
    await hand.press("button", re.compile(r"^\d{4}-\d\d-\d\d: 4,8\d\d created"))
    makers = visit.page.get_by_role("listitem").filter(has_text="of the increase")
    await hand.press("link", DUPER.name, within=makers)
    sale = (
        visit.page.get_by_role("listitem").filter(has_text=FENCE.name).filter(has_text="Rough Ruby")
    )
    await hand.press("button", re.compile("^Undo: "), within=sale)
    await hand.write("Reason", "duped rubies")
    await hand.press("button", "Undo trade")
    await told(hand, "Undone")
    assert await game.held(FENCE.name, "Gold Coin") == gold + 60_000

    made = await game.held(DUPER.name, "Rough Ruby")
    assert made >= SPIKE * AT_ONCE
    await hand.menu("Change this character", "Take items")
    await hand.pick("Item", re.compile("^Rough Ruby"))
    carried = await game.carried(DUPER.name, "Rough Ruby")
    await hand.write("Quantity", str(carried))
    await hand.write("Reason", "duped rubies")
    await hand.press("button", "Take")
    await told(hand, "Took")
    assert await game.held(DUPER.name, "Rough Ruby") == made - carried
