"""Orders of shops in the console: found, delivered, taken back, disputed, compared."""

import json
import re
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from msgspec import Struct
from playwright.async_api import FilePayload, expect

from gamekeeper.demo import world as demo
from gamekeeper.demo.story.cast import HERO
from gamekeeper.demo.story.orders import CLAIMED, DISPUTED, MISSPELT, UNKNOWN_PRODUCT
from tests.console.conftest import Visits, World
from tests.console.game import Game
from tests.console.test_journeys import ON_PHONE, hand_of, told
from tests.console.test_screens import MOST_CALLS
from tests.console.test_stolen_accounts import make_account, make_character
from tests.console.visit import ConsoleVisit

pytestmark = pytest.mark.browser

ITEM = "Antidote"
SUPPORT, MODERATOR = "Tomas", "Ines"


class Buyer(Struct, frozen=True):
    """An account with one character, and orders of its own shop."""

    game: Game
    account: str
    player: str
    shop: str

    async def order(self, order_id: str, *, lines: int = 1, **about: Any) -> None:
        """An order that was paid; without a receiver unless one is given."""
        line = {"items": [{"itemid": str(demo.items()[ITEM].id), "quantity": 3}]}
        answer = await self.game.send(
            "PUT",
            f"/orders/{self.shop}/{order_id}",
            lines=[line] * lines,
            **{"amount": "4.99", "currency": "EUR", "paidat": "2026-03-14T18:22:05Z"} | about,
        )
        assert answer.status_code == 200, answer.text

    async def stored(self, order_id: str) -> dict[str, Any]:
        return await self.game.get(f"/orders/{self.shop}/{order_id}")

    async def states(self, order_id: str) -> tuple[str, list[str]]:
        found = await self.stored(order_id)
        return found["State"], [line["State"] for line in found["Lines"]]

    async def letters(self) -> list[int]:
        """The quantities in the mailbox."""
        found = await self.game.get(f"/players/{quote(self.player)}/mailbox")
        return [item["Quantity"] for letter in found["Values"] for item in letter["Items"]]


@pytest.fixture
async def buyer(game: Game) -> Buyer:
    mark = "".join(chr(ord("a") + int(digit, 16)) for digit in uuid4().hex[:6])
    account = await make_account(game, f"buyer-{mark}")
    player = await make_character(game, account, f"Buyer {mark}")
    return Buyer(game, account, player, f"shop-{mark}")


@ON_PHONE
async def test_an_order_that_was_paid_and_never_arrived_is_found_and_delivered(
    visits: Visits, world: World, buyer: Buyer, on_phone: bool
):
    order = f"WS-{uuid4().hex[:8]}"
    # The shop sent a name that no account has.
    await buyer.order(order, account=f"{buyer.account}x")
    assert await buyer.states(order) == ("unclaimed", ["waiting"])
    visit = await visits.by(world.owner, on_phone=on_phone)
    hand, page = hand_of(visit, on_phone=on_phone), visit.page
    await visit.open("/")

    await hand.find(order, re.compile(order))
    await page.get_by_role("heading", name=f"Order {order}").wait_for()
    await expect(page.get_by_role("main")).to_contain_text("The receiver is unknown")
    assert await visit.violations() == []
    await hand.press("button", "Assign to player")
    await hand.write("Player", buyer.player)
    await hand.pick("Player", re.compile(f"^{buyer.player}"))
    await hand.write("Reason", "misspelt in the shop, ticket #88")
    assert await visit.violations() == []
    await hand.press("button", "Assign")
    await told(hand, f"Assigned order {order} to {buyer.player}")

    assert await buyer.states(order) == ("delivered", ["delivered"])
    assert await buyer.letters() == [3]
    timeline = page.get_by_role("list", name="Timeline")
    await expect(timeline.get_by_role("listitem").last).to_contain_text("Delivered")
    assert await visit.violations() == []


async def test_lines_are_taken_back_one_by_one(visit: ConsoleVisit, buyer: Buyer):
    await buyer.order("R-1", lines=2, character=buyer.player)
    await visit.open(f"/orders/{buyer.shop}~R-1")
    assert len(visit.api_calls) <= MOST_CALLS, visit.api_calls
    hand, page = hand_of(visit), visit.page

    await hand.press("button", "Take back items")
    await page.get_by_role("checkbox", name="Line 1: 1 × 1 item").uncheck()
    await hand.write("Reason", "bought twice")
    await hand.press("button", "Take back 1 line")
    await told(hand, "Recorded the refund of order R-1")
    assert await buyer.states("R-1") == ("delivered", ["delivered", "returned"])
    assert await buyer.letters() == [3]

    await hand.press("button", "Take back items")
    await hand.press("button", "Take back 1 line")
    ended = page.get_by_role("listitem").filter(has_text="items taken back")
    await expect(ended).to_have_count(2)
    assert await buyer.states("R-1") == ("refunded", ["returned", "returned"])
    assert await buyer.letters() == []
    await expect(page.get_by_role("button", name="Take back items")).to_have_count(0)


async def test_a_dispute_holds_an_order_until_it_is_won(
    visit: ConsoleVisit, game: Game, buyer: Buyer
):
    await buyer.order("D-1", character=buyer.player)
    await visit.open(f"/orders/{buyer.shop}~D-1")
    hand, page = hand_of(visit), visit.page

    await hand.menu("Change the dispute", "Open dispute")
    await hand.press("button", "Open dispute")
    await told(hand, "Changed the dispute of order D-1")
    [letter] = (await game.get(f"/players/{quote(buyer.player)}/mailbox"))["Values"]
    path = f"/players/{quote(buyer.player)}/mailbox/{letter['Id']}/claim"
    assert (await game.send("POST", path)).json()["Code"] == "letter_held"
    timeline = page.get_by_role("list", name="Timeline")
    await expect(timeline).to_contain_text(re.compile(r"Dispute opened.* by "))

    await hand.menu("Change the dispute", "Dispute won")
    await hand.press("button", "Dispute won")
    await expect(timeline).to_contain_text("Dispute won")
    assert (await buyer.stored("D-1"))["Dispute"] == "won"
    assert (await game.send("POST", path)).json()["State"] == "claimed"
    await expect(page.get_by_role("button", name="Change the dispute")).to_have_count(0)


async def test_a_receipt_is_a_file(visit: ConsoleVisit, buyer: Buyer):
    await buyer.order("F-1", character=buyer.player)
    await visit.open(f"/orders/{buyer.shop}~F-1")
    async with visit.page.expect_download() as download:
        await hand_of(visit).press("button", "Download receipt")
    file = await download.value
    assert file.suggested_filename == f"receipt-{buyer.shop}-F-1.json"
    receipt = json.loads((await file.path()).read_text())
    document = json.loads(receipt["Document"])
    assert (document["order"], document["lines"][0]["character"]) == ("F-1", buyer.player)
    assert len(receipt["Signature"]) == 128


@ON_PHONE
async def test_orders_are_filtered_by_player_shop_and_state(
    visits: Visits, world: World, buyer: Buyer, on_phone: bool
):
    await buyer.order("P-1", character=buyer.player)
    await buyer.order("P-2", account="nobody-known")
    visit = await visits.by(world.owner, on_phone=on_phone)
    hand, page = hand_of(visit, on_phone=on_phone), visit.page
    await visit.open("/live-ops?tab=orders")
    assert len(visit.api_calls) <= MOST_CALLS, visit.api_calls
    rows = page.get_by_role("table", name="Orders").get_by_role("row")

    shop = page.get_by_role("searchbox", name="Shop")
    await shop.fill(buyer.shop)
    await expect(rows).to_have_count(3)
    await hand.pick("State", "Unclaimed")
    await expect(rows).to_have_count(2)
    await expect(rows.last).to_contain_text("P-2")
    await visit.open(f"/live-ops?tab=orders&player={quote(buyer.player)}")
    await expect(rows).to_have_count(2)
    await expect(rows.last).to_contain_text("P-1")
    await page.get_by_role("searchbox", name="Order id").fill("P-17")
    await expect(page.get_by_role("status").filter(has_text="No orders found")).to_be_visible()
    assert await visit.violations() == []


async def test_an_account_is_a_filter_by_its_email(visit: ConsoleVisit, buyer: Buyer):
    await buyer.order("E-1", account=buyer.account)
    await visit.open("/live-ops?tab=orders")
    hand = hand_of(visit)
    await hand.write("Player or account", f"{buyer.account}@example.com")
    await hand.pick("Player or account", re.compile(f"^{buyer.account}"))
    rows = visit.page.get_by_role("table", name="Orders").get_by_role("row")
    await expect(rows).to_have_count(2)
    assert visit.page.url.endswith(f"account={buyer.account}")


async def test_the_list_of_a_shop_is_compared(visit: ConsoleVisit, buyer: Buyer):
    await buyer.order("C-1", character=buyer.player)
    await buyer.order("C-2", character=buyer.player)
    await buyer.order("C-3")
    await buyer.order("C-4", character=buyer.player)
    await visit.open("/live-ops?tab=orders")
    hand, page = hand_of(visit), visit.page
    await hand.press("link", "Compare with shop")

    await hand.write("Shop", buyer.shop)
    paid = "order,amount,currency\nC-1,4.99,EUR\nC-2,5.99,EUR\nC-3,4.99,EUR\nC-9,1.00,EUR"
    await page.get_by_role("textbox", name="Orders of the shop").fill(paid)
    await page.get_by_label("From").fill("2026-03-14")
    await page.get_by_label("Until").fill("2026-03-14")
    assert await visit.violations() == []
    await hand.press("button", "Compare")

    found = {}
    for title in ("Missing", "Undelivered", "Different", "Extra"):
        items = page.get_by_role("region", name=title).get_by_role("listitem")
        await items.first.wait_for()
        found[title] = [re.sub(r"\s+", " ", text) for text in await items.all_inner_texts()]
    assert found == {
        "Missing": ["C-9"],
        "Undelivered": ["C-3"],
        "Different": ["C-2 amount"],
        "Extra": ["C-4"],
    }
    assert await visit.violations() == []
    await hand.press("link", "C-3")
    await page.get_by_role("heading", name="Order C-3").wait_for()


async def test_an_uploaded_list_that_agrees_is_said_to_be_the_same(
    visit: ConsoleVisit, buyer: Buyer
):
    await buyer.order("U-1", character=buyer.player)
    await visit.open("/live-ops?tab=orders&compare=true")
    page = visit.page
    await page.get_by_role("textbox", name="Shop", exact=True).fill(buyer.shop)
    async with page.expect_file_chooser() as chooser:
        await page.get_by_role("button", name="Upload file").click()
    file = FilePayload(name="paid.csv", mimeType="text/csv", buffer=b"U-1;4,99;EUR\n")
    await (await chooser.value).set_files(file)
    await expect(page.get_by_role("main")).to_contain_text("1 order")
    await page.get_by_role("button", name="Compare").click()
    await expect(page.get_by_role("alert")).to_contain_text("Both lists are the same")


async def test_an_account_has_its_orders(visit: ConsoleVisit, buyer: Buyer):
    await buyer.order("A-1", character=buyer.player)
    await buyer.order("A-2", account="nobody-known", buyer=buyer.account)
    await visit.open(f"/accounts/{buyer.account}?tab=orders")
    assert len(visit.api_calls) <= MOST_CALLS, visit.api_calls
    rows = visit.page.get_by_role("table", name="Orders").get_by_role("row")
    await expect(rows).to_have_count(3)
    await rows.last.press("Enter")
    await visit.page.get_by_role("heading", name="Order A-1").wait_for()


async def test_support_sees_orders_and_changes_none(visits: Visits, buyer: Buyer):
    await buyer.order("S-1")
    visit = await visits.by(SUPPORT)
    await visit.open(f"/orders/{buyer.shop}~S-1")
    page = visit.page
    assign = page.get_by_role("button", name="Assign to player")
    await expect(assign).to_have_attribute("aria-disabled", "true")
    await expect(page.get_by_role("button", name="Change the dispute")).to_have_count(0)
    await expect(page.get_by_role("main")).not_to_contain_text("Claim code")


async def test_a_moderator_is_told_which_permission_is_missing(visits: Visits, buyer: Buyer):
    await buyer.order("M-1")
    visit = await visits.by(MODERATOR)
    for path in (f"/orders/{buyer.shop}~M-1", f"/accounts/{buyer.account}?tab=orders"):
        await visit.open(path)
        said = visit.page.get_by_role("status").filter(has_text="Permission required")
        await expect(said).to_contain_text("“orders.read”")


async def test_the_orders_of_the_story_need_attention(visit: ConsoleVisit):
    await visit.open(f"/live-ops?tab=orders&player={quote(HERO.name)}")
    await expect(visit.page.get_by_role("row", name=re.compile(CLAIMED))).to_contain_text(
        "Delivered"
    )
    for shop, order, said in (
        ("webshop", MISSPELT, "“osvin” (unknown)"),
        ("tebex", UNKNOWN_PRODUCT, "The product is unknown"),
        ("stripe", DISPUTED, "Dispute opened"),
    ):
        await visit.open(f"/orders/{shop}~{order}")
        await expect(visit.page.get_by_role("main")).to_contain_text(said)
