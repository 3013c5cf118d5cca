"""What a caller is told that it used of its limits agrees with what the service decides."""

import asyncio
from random import Random

from tests.approvals.callers import Caller
from tests.make import make_item, make_player

LIMITS = {"pieces_per_day": 20, "value_per_day": 90, "largest_gift": 6}


async def usage(caller: Caller) -> dict:
    answer = await caller.call("GET", "/api/v1/me/usage")
    assert answer.status_code == 200
    return answer.json()


async def test_usage_tells_which_gifts_will_wait_for_approval(office):
    random = Random(7)
    values = {
        await make_item(office.database, name, value=value, inventory_stack=1000): value or 0
        for name, value in (("Potion", 3), ("Rope", None), ("Gem", 11))
    }
    caller = await office.caller("players.items", **LIMITS)
    waited = 0
    for _ in range(40):
        item, quantity = random.choice(list(values)), random.randint(1, 7)
        told = await usage(caller)
        pieces = {one["ItemId"]: one["Pieces"] for one in told["HandedOut"]}
        is_beyond = (
            quantity > LIMITS["largest_gift"]
            or pieces.get(str(item), 0) + quantity > LIMITS["pieces_per_day"]
            or told["Value"] + quantity * values[item] > LIMITS["value_per_day"]
        )

        answer = await caller.give(office.player, item, quantity)

        assert answer.status_code == (202 if is_beyond else 200), answer.text
        waited += is_beyond
        if is_beyond:
            assert await usage(caller) == told
    assert 0 < waited < 40


async def test_of_two_with_limits_who_approves_is_charged_and_who_asked_is_not(office):
    bo = await make_player(office.database, "Bo")
    first = await office.caller("players.items", pieces_per_day=5)
    second = await office.caller("players.items", "approvals", pieces_per_day=8)
    asked = [await first.give(bo, office.potion, 6) for _ in range(2)]
    ids = [answer.json()["Details"]["ApprovalId"] for answer in asked]

    decided = await asyncio.gather(*(second.approve(one) for one in ids))

    assert sorted(answer.status_code for answer in decided) == [200, 403]
    assert (await usage(first))["HandedOut"] == []
    used = {"ItemId": str(office.potion), "Pieces": 6}
    assert (await usage(second))["HandedOut"] == [used]
    assert await office.pieces() == 6
