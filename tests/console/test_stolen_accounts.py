"""A thief emptied an account: staff undoes what left it, from the character and the account."""

import re
from urllib.parse import quote
from uuid import uuid4

import pytest
from msgspec import Struct
from playwright.async_api import Locator, expect

from gamekeeper.demo import world as demo
from tests.console.conftest import Visits, World
from tests.console.game import Game
from tests.console.keyboard import Hand, Keyboard, Thumb
from tests.console.visit import ConsoleVisit
from tests.make import sha

pytestmark = pytest.mark.browser

OPEN = "Undo losses since…"
COINS, HELM, POTION = "Gold Coin", "Iron Helm", "Health Potion"


class Theft(Struct, frozen=True):
    """One account with two characters, two others, and what the others have of it."""

    game: Game
    account: str
    owner: str
    second: str
    buyer: str
    fence: str

    async def held(self, name: str) -> tuple[int, int, int]:
        return (
            await self.game.held(name, COINS),
            await self.game.held(name, HELM),
            await self.game.held(name, POTION),
        )


@pytest.fixture
async def theft(game: Game) -> Theft:
    mark = "".join(chr(ord("a") + int(digit, 16)) for digit in uuid4().hex[:6])
    account = await make_account(game, f"stolen-{mark}")
    others = await make_account(game, f"others-{mark}")
    owner = await make_character(game, account, f"Owner {mark}")
    second = await make_character(game, account, f"Second {mark}")
    buyer = await make_character(game, others, f"Buyer {mark}")
    fence = await make_character(game, others, f"Fence {mark}")
    for name, item, many in ((owner, COINS, 500), (owner, HELM, 2), (second, POTION, 9)):
        await give(game, name, item, many)
    await trade(game, owner, buyer, COINS, 300)
    await trade(game, owner, buyer, COINS, 100)
    await trade(game, owner, buyer, HELM, 1)
    await trade(game, owner, fence, HELM, 1)
    await trade(game, second, fence, POTION, 4)
    return Theft(game, account, owner, second, buyer, fence)


async def make_account(game: Game, name: str) -> str:
    about = {"username": name, "email": f"{name}@example.com", "password": sha("a lantern")}
    await game.post("/users/register", **about)
    return name


async def make_character(game: Game, account: str, name: str) -> str:
    [kind] = (await game.get("/catalog/classes?pageSize=1"))["Values"]
    await game.post(f"/users/{account}/players", name=name, classid=kind["Id"])
    return name


async def give(game: Game, name: str, item: str, many: int) -> None:
    id_ = str(demo.items()[item].id)
    await game.post(f"/players/{quote(name)}/items/give", itemid=id_, quantity=many)


async def take(game: Game, name: str, item: str, many: int) -> None:
    id_ = str(demo.items()[item].id)
    await game.post(f"/players/{quote(name)}/items/take", itemid=id_, quantity=many)


async def trade(game: Game, giver: str, receiver: str, item: str, many: int) -> None:
    """As a game server says it: the actor of all trades is its key."""
    id_ = str(demo.items()[item].id)
    move = {"do": "items", "itemid": id_, "quantity": many, "from": giver, "to": receiver}
    answer = await game.post("/transactions", transactions=[{"key": uuid4().hex, "moves": [move]}])
    assert [outcome["Failure"] for outcome in answer["Values"]] == [None]


def row_of(sheet: Locator, *words: str) -> Locator:
    row = sheet.get_by_role("table", name="Recipients").get_by_role("row")
    for word in words:
        row = row.filter(has_text=word)
    return row


async def test_what_left_a_character_comes_back_from_two_recipients(
    visit: ConsoleVisit, theft: Theft
):
    assert await theft.held(theft.owner) == (100, 0, 0)
    await visit.open(f"/players/{quote(theft.owner)}")
    hand = Keyboard(visit.page)

    await hand.press("button", OPEN)
    sheet = visit.page.get_by_role("dialog", name=f"Undo losses of {theft.owner}")
    await expect(row_of(sheet, COINS)).to_contain_text(re.compile(r"400.*\+400"))
    await expect(row_of(sheet, f"To {theft.buyer}")).to_contain_text("3 actions")
    await expect(row_of(sheet, f"To {theft.fence}")).to_contain_text("1 action")
    assert await visit.violations() == []
    await hand.write("Reason", "account stolen, ticket #2001")
    await hand.press("button", "Undo 4 actions")
    outcome = sheet.get_by_role("alert")
    await expect(outcome).to_contain_text(f"Undid 4 actions: items returned to {theft.owner}")
    await expect(row_of(sheet, COINS)).to_contain_text("+400")
    await expect(sheet.get_by_role("columnheader", name="Returned")).to_be_visible()
    assert await visit.violations() == []
    await hand.press("button", "Close", within=sheet)

    await expect(sheet).to_be_hidden()
    assert await theft.held(theft.owner) == (500, 2, 0)
    assert await theft.held(theft.buyer) == (0, 0, 0)
    assert await theft.held(theft.fence) == (0, 0, 4), "this is another character's"
    [last] = (await theft.game.get(f"/players/{quote(theft.owner)}/history?limit=1"))["Values"]
    assert (last["Kind"], last["Reason"]) == ("undo", "account stolen, ticket #2001")


@pytest.mark.parametrize("on_phone", [False, True], ids=["keyboard", "thumb"])
async def test_what_left_an_account_comes_back_but_for_what_a_recipient_used_up(
    visits: Visits, world: World, theft: Theft, on_phone: bool
):
    await take(theft.game, theft.fence, POTION, 1)
    visit = await visits.by(world.owner, on_phone=on_phone)
    hand: Hand = Thumb(visit.page) if on_phone else Keyboard(visit.page)
    await visit.open(f"/accounts/{quote(theft.account)}")

    await hand.press("button", OPEN)
    sheet = visit.page.get_by_role("dialog", name=f"Undo losses of the account {theft.account}")
    await expect(row_of(sheet, "Not returned:")).to_contain_text(
        re.compile(f"{theft.fence}, .*{POTION}: no longer held. Only 3 of 4 possible.")
    )
    assert await visit.too_wide() == 0
    await hand.press("button", "Undo 4 actions")
    await expect(sheet.get_by_role("alert")).to_contain_text(
        f"Undid 4 actions: items returned to the account {theft.account}"
    )

    assert await theft.held(theft.owner) == (500, 2, 0)
    assert await theft.held(theft.second) == (0, 0, 5)
    assert await theft.held(theft.fence) == (0, 0, 3)


async def test_what_came_in_stays_unless_every_change_is_chosen(visit: ConsoleVisit, theft: Theft):
    await visit.open(f"/players/{quote(theft.second)}")
    hand = Keyboard(visit.page)
    await hand.press("button", OPEN)
    await visit.page.get_by_role("button", name="Undo 1 action", exact=True).wait_for()

    await hand.choose("Every change")
    # The potions that left go back first, so that the gift they came by can be undone.
    await hand.press("button", "Undo 2 actions")
    await expect(visit.page.get_by_role("alert")).to_contain_text("Undid 2 actions")

    assert await theft.held(theft.second) == (0, 0, 0)


async def test_a_time_in_which_nothing_left_offers_nothing(visit: ConsoleVisit, theft: Theft):
    await visit.open(f"/players/{quote(theft.owner)}")
    hand = Keyboard(visit.page)
    await hand.press("button", OPEN)
    await hand.choose("Other")
    fields = [visit.page.get_by_label(name, exact=True) for name in ("From", "Until")]
    await fields[0].fill("2026-01-01T10:00")
    await fields[1].fill("2026-01-01T09:00")
    await visit.page.get_by_text("The end is before the start.").wait_for()
    submit = visit.page.get_by_role("dialog").get_by_role("button", name=re.compile("^Undo "))
    await expect(submit).to_be_disabled()

    await fields[0].fill("2026-01-01T08:00")

    await visit.page.get_by_text("No items left this character in this period.").wait_for()
    await expect(submit).to_be_disabled()


async def test_those_who_may_not_undo_are_not_offered_it(visits: Visits, theft: Theft):
    moderator = await visits.by("Ines")
    await moderator.open(f"/players/{quote(theft.owner)}")
    await moderator.page.get_by_role("button", name="Give items").wait_for()

    assert await moderator.page.get_by_role("button", name=OPEN).count() == 0
    await moderator.open(f"/accounts/{quote(theft.account)}")
    await moderator.page.get_by_role("button", name="New sanction").wait_for()
    assert await moderator.page.get_by_role("button", name=OPEN).count() == 0
