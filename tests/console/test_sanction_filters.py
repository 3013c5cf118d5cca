"""The list of sanctions by who issued them: staff, and keys of bots."""

from urllib.parse import quote
from uuid import uuid4

import pytest
from playwright.async_api import expect

from tests.console.conftest import Visits, World
from tests.console.game import Game
from tests.console.keyboard import Hand, Keyboard, Thumb
from tests.console.test_stolen_accounts import make_account

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("on_phone", [False, True], ids=["keyboard", "thumb"])
async def test_sanctions_of_a_bot_are_found_by_its_key(
    visits: Visits, world: World, game: Game, on_phone: bool
):
    bot = f"bot-{uuid4().hex[:6]}"
    account = await make_account(game, f"spam{bot}")
    key = (await game.post("/keys", name=bot, scopes=["sanctions.manage", "users.query"]))["Key"]
    body = {"user": account, "kind": "mute", "reason": f"flood seen by {bot}", "message": "Stop."}
    answer = await game.send("POST", "/sanctions", key=key, **body)
    assert answer.status_code == 200, answer.text
    visit = await visits.by(world.owner, on_phone=on_phone)
    hand: Hand = Thumb(visit.page) if on_phone else Keyboard(visit.page)
    await visit.open("/moderation?tab=sanctions")
    assert len(visit.api_calls) <= 8
    assert not [call for call in visit.api_calls if "/keys" in call]

    await hand.pick("Issued by", bot)
    await expect(visit.page.get_by_role("row")).to_have_count(2)

    await expect(visit.page.get_by_role("row").last).to_contain_text(account)
    assert f"actor={quote(bot)}" in visit.page.url
    assert await visit.violations() == []
    listed = (await game.get(f"/sanctions?actor={bot}"))["Values"]
    assert [sanction["UserName"] for sanction in listed] == [account]
