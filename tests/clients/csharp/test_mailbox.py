"""Letters and redeem codes of a game server in C#."""

from datetime import UTC, datetime, timedelta

import httpx2
import pytest
from gamekeeper_client import AsyncGamekeeper

from tests.campaigns.arrivals import Arrivals
from tests.campaigns.crowds import SEGMENT
from tests.clients.csharp.conftest import Play
from tests.make import make_item, make_player

pytestmark = pytest.mark.engines


async def test_a_letter_on_joining_is_read_and_claimed(play: Play, direct, database):
    arrivals = await Arrivals.make(database)
    ana, potion = str(arrivals.players[0]), str(arrivals.crowd.potion)
    work = {
        "kind": "letter",
        "subject": "Welcome back",
        "items": [{"itemid": potion, "quantity": 3}],
    }
    campaign = await direct.campaigns.create(
        "Welcome back", SEGMENT, work, on_join=True, ends_at=datetime.now(UTC) + timedelta(days=1)
    )
    await direct.campaigns.start(campaign.id)
    async with play() as game:
        game.tell("online", players=[ana])
        await game.hear("PlayerJoined")
        game.tell("letters", player=ana)
        [shown] = await game.hear("letters")
        [letter] = shown["letters"]
        game.tell("claim", player=ana, letter=letter["id"])
        [claimed] = await game.hear("Outcome")
        game.tell("letters", player=ana)
        again = (await game.hear("letters", 2))[-1]

    assert (letter["claimable"], letter["read"], letter["items"]) == (True, False, [3])
    assert letter["subject"] == "Welcome back"
    assert claimed["status"] == 200
    [after] = again["letters"]
    assert (after["state"], after["claimable"], after["read"]) == ("claimed", False, True)
    assert (await direct.campaigns.get(campaign.id)).done == 1
    assert await arrivals.sent(campaign.id) == {arrivals.players[0]: 1}


async def test_a_code_that_a_player_typed_is_redeemed_once(
    play: Play, direct: AsyncGamekeeper, database, url: str, key: str
):
    ana, coin = str(await make_player(database)), await make_item(database, "Coin")
    items = [{"itemid": str(coin), "quantity": 2}]
    batch = await direct.codes.create("spring", "Spring", 1, "Spring", items=items)
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}) as client:
        answer = await client.post(f"{url}/api/v1/codes/batches/{batch.id}/download")
    assert answer.status_code == 200, answer.text
    [_, code] = answer.text.splitlines()
    await direct.codes.activate(batch.id)
    async with play() as game:
        game.tell("online", players=[ana])
        await game.hear("PlayerJoined")
        game.tell("redeem", player=ana, code=code)
        [redeemed] = await game.hear("redeemed")
        game.tell("redeem", player=ana, code=code)
        again = (await game.hear("redeemed", 2))[-1]
        game.tell("claim", player=ana, letter=redeemed["letter"])
        [claimed] = await game.hear("Outcome")

    assert (redeemed["player"], redeemed["campaign"], redeemed["items"]) == (ana, "spring", [2])
    assert again["code"] == "code_already_redeemed"
    assert claimed["status"] == 200
    held = [slot["Quantity"] for slot in await direct.players.inventory(ana)]
    assert sum(held) == 2
