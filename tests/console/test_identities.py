"""A Discord account of a player, linked by the code of a bot and unlinked again."""

from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from playwright.async_api import expect

from tests.console.conftest import Visits, World
from tests.console.game import Game
from tests.console.test_journeys import ON_PHONE, hand_of, told
from tests.console.test_screens import MOST_CALLS
from tests.console.test_stolen_accounts import make_account

pytestmark = pytest.mark.browser


async def code_of(game: Game) -> dict[str, str]:
    """What a Discord bot knows of a player, with the code that it gave."""
    about = {"issuer": "discord", "subject": str(10**17 + uuid4().int % 10**17)}
    made = await game.post("/identities/codes", displayname="Ana of Discord", **about)
    return about | {"code": made["Code"]}


async def identities(game: Game, account: str) -> dict[str, Any]:
    return await game.get(f"/users/{quote(account)}/identities")


@ON_PHONE
async def test_a_discord_account_is_linked_by_code_and_unlinked(
    visits: Visits, world: World, game: Game, on_phone: bool
):
    account = await make_account(game, f"linked-{uuid4().hex[:8]}")
    discord = await code_of(game)
    visit = await visits.by(world.owner, on_phone=on_phone)
    hand, page = hand_of(visit, on_phone=on_phone), visit.page
    await visit.open(f"/accounts/{account}")
    await hand.tab("Identities")
    await expect(page.get_by_text("No identities")).to_be_visible()

    await hand.press("button", "Link by code…")
    sheet = page.get_by_role("dialog", name="Link identity by code")
    await hand.write("Code", "0000-0000-00")
    await hand.press("button", "Link identity", sheet)
    await expect(sheet.get_by_role("alert")).to_contain_text("wrong, used or expired")
    assert await visit.violations() == []
    await hand.write("Code", discord["code"].lower())
    await hand.write("Reason", "asked in ticket #4001")
    await hand.press("button", "Link identity", sheet)
    await told(hand, f"Linked an identity with {account}")

    table = page.get_by_role("table", name="Identities", exact=True)
    await expect(table).to_contain_text("Discord")
    await expect(table).to_contain_text("Ana of Discord")
    await expect(table).to_contain_text(discord["subject"])
    await visit.open(f"/accounts/{account}?tab=identities")
    assert len(visit.api_calls) <= MOST_CALLS
    assert await visit.violations() == []
    assert await visit.too_wide() == 0
    [linked] = (await identities(game, account))["Values"]
    assert linked["Subject"] == discord["subject"]

    await hand.press("button", "Unlink…")
    sheet = page.get_by_role("dialog", name="Unlink identity")
    await expect(sheet).to_contain_text("Sign-ins that began with it end")
    await hand.write("Reason", "sold the account, ticket #4002")
    assert await visit.violations() == []
    await hand.press("button", "Unlink identity", sheet)
    await told(hand, f"Unlinked Discord from {account}")

    former = page.get_by_role("table", name="Former identities")
    await expect(former).to_contain_text(discord["subject"])
    await expect(page.get_by_text("No identities")).to_be_visible()
    assert await visit.violations() == []
    found = await identities(game, account)
    assert (found["Values"], [each["Issuer"] for each in found["Former"]]) == ([], ["discord"])
    logged = await game.get(f"/actions?user={account}&kind=identities.unlink")
    assert [action["Reason"] for action in logged["Values"]] == ["sold the account, ticket #4002"]
