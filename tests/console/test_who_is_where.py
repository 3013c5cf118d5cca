"""Who is on which server: live on the server's page, and first in the list by last online."""

from urllib.parse import quote
from uuid import uuid4

import pytest
from playwright.async_api import expect

from tests.console.conftest import Visits, World
from tests.console.game import Game
from tests.console.keyboard import Hand, Keyboard
from tests.console.test_stolen_accounts import make_account, make_character

pytestmark = pytest.mark.browser


async def test_a_join_appears_on_the_page_of_the_server(visits: Visits, world: World, game: Game):
    """From a list of players by last online to the server, its players, and back when one left."""
    mark = "".join(chr(ord("a") + int(digit, 16)) for digit in uuid4().hex[:6])
    names = [f"Early {mark}", f"Late {mark}"]
    for number, name in enumerate(names):
        await make_character(game, await make_account(game, f"here-{mark}-{number}"), name)
    server = await game.post("/servers", name=f"realm-{mark}")
    path, fence = f"/servers/{server['Id']}", server["Fence"]
    await game.post(f"{path}/join", fence=fence, players=names[:1])
    visit = await visits.by(world.owner)
    page = visit.page
    hand: Hand = Keyboard(page)

    await visit.open("/players")
    await hand.choose("Last online")
    # Who came last is first, before all whose last session has ended.
    first = page.get_by_role("table", name="Characters").get_by_role("row").nth(1)
    await expect(first).to_contain_text(names[0])
    assert "sort=seen" in page.url

    await visit.open(f"/servers/{quote(f'realm-{mark}')}")
    table = page.get_by_role("table", name="Players on this server")
    await expect(table.get_by_role("row")).to_have_count(2)
    await expect(table).to_contain_text(names[0])
    assert await visit.violations() == []
    assert await visit.too_wide() <= 0
    assert len(visit.api_calls) <= 8

    await game.post(f"{path}/join", fence=fence, players=names[1:])
    await expect(table).to_contain_text(names[1])
    await game.post(f"{path}/leave", fence=fence, players=names[:1])
    await expect(table).not_to_contain_text(names[0])
    await hand.press("link", names[1])
    await page.get_by_role("heading", name=names[1]).wait_for()
    await game.post(f"{path}/stop", fence=fence)


async def test_all_who_are_online_come_before_the_others(game: Game):
    """As the console asks for the list."""
    path = "/players?sortBy=lastonline&sortDirection=Descending&pageSize=100"
    online = (await game.get("/players/online/count"))["onlineCount"]
    shown = (await game.get(path))["Values"]

    flags = [player["Online"] for player in shown]
    assert flags == sorted(flags, reverse=True)
    assert 0 < sum(flags) == min(online, len(flags))
