"""Two accounts of one person, found and both banned; a device and a range, banned and lifted."""

from urllib.parse import quote
from uuid import uuid4

import pytest
from msgspec import Struct
from playwright.async_api import expect

from tests.console.conftest import Visits, World
from tests.console.game import Game
from tests.console.keyboard import Hand, Keyboard, Thumb
from tests.console.test_stolen_accounts import make_account, make_character
from tests.console.visit import ConsoleVisit

pytestmark = pytest.mark.browser


class Pair(Struct, frozen=True):
    """Two accounts that played on one device, and another from the same address."""

    first: str
    second: str
    neighbour: str


@pytest.fixture
async def pair(game: Game) -> Pair:
    mark = "".join(chr(ord("a") + int(digit, 16)) for digit in uuid4().hex[:6])
    accounts = [await make_account(game, f"{word}-{mark}") for word in ("one", "two", "near")]
    names = [
        await make_character(game, account, f"Twin {mark}{letter}")
        for account, letter in zip(accounts, "abc", strict=True)
    ]
    server = await game.post("/servers", name=f"realm-{mark}")
    number = int(uuid4().hex[:2], 16)
    clients = [{"player": name, "address": f"203.0.113.{number}"} for name in names]
    for client in clients[:2]:
        client["deviceid"] = f"laptop-{mark}"
    joined = await game.post(
        f"/servers/{server['Id']}/join", fence=server["Fence"], players=names, clients=clients
    )
    assert len(joined["Values"]) == 3
    return Pair(*accounts)


@pytest.mark.parametrize("on_phone", [False, True], ids=["keyboard", "thumb"])
async def test_two_accounts_of_one_person_are_found_and_both_banned(
    visits: Visits, world: World, game: Game, pair: Pair, on_phone: bool
):
    visit = await visits.by(world.owner, on_phone=on_phone)
    hand: Hand = Thumb(visit.page) if on_phone else Keyboard(visit.page)
    await visit.open(f"/accounts/{quote(pair.first)}?tab=linked")
    table = visit.page.get_by_role("table", name="Linked accounts")
    await expect(table).to_contain_text("Same device, 1 day in common")
    assert await visit.too_wide() == 0
    assert await visit.violations() == []
    assert len(visit.api_calls) <= 8

    await hand.press("button", "Ban all…")
    sheet = visit.page.get_by_role("dialog", name="Ban linked accounts")
    await expect(sheet.get_by_role("listitem")).to_have_count(2)
    await expect(sheet.get_by_role("listitem").last).to_contain_text("will be banned")
    assert await visit.violations() == []
    await hand.write("Reason", "two accounts, ticket #3001")
    await hand.press("button", "Ban accounts")
    await expect(sheet.get_by_role("listitem").last).to_contain_text("banned, code")

    for account in (pair.first, pair.second):
        [ban] = await game.sanctions(account)
        assert (ban["Kind"], ban["Reason"]) == ("ban", "two accounts, ticket #3001")
    assert await game.sanctions(pair.neighbour) == []


async def test_a_device_is_banned_from_the_account_and_lifted_in_the_list(
    visit: ConsoleVisit, game: Game, pair: Pair
):
    await visit.open(f"/accounts/{quote(pair.first)}?tab=linked")
    seen = visit.page.get_by_role("table", name="Devices and addresses")
    await seen.get_by_role("row", name="Device").last.get_by_role("button", name="Ban…").click()
    sheet = visit.page.get_by_role("dialog", name="New access ban")
    await expect(sheet).to_contain_text("2 accounts were used from there.")
    await sheet.get_by_label("Reason").fill("bots")
    await sheet.get_by_role("button", name="Ban", exact=True).click()
    await expect(sheet).to_be_hidden()
    [ban, *_] = (await game.get("/access-bans?inForce=true"))["Values"]
    assert (bool(ban["Device"]), ban["Reason"]) == (True, "bots")

    await visit.open("/moderation?tab=access")
    table = visit.page.get_by_role("table", name="Access bans")
    row = table.get_by_role("row").filter(has_text=ban["Code"])
    assert await visit.violations() == []
    await row.get_by_role("button", name="Lift…").click()
    lift = visit.page.get_by_role("dialog", name="Lift access ban")
    await lift.get_by_label("Reason").fill("mistake")
    await lift.get_by_role("button", name="Lift access ban").click()
    await expect(row).to_be_hidden()
    assert (await game.get(f"/access-bans/{ban['Code']}"))["LiftReason"] == "mistake"
