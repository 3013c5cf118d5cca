"""Rules that hold: gifts beyond them wait for approval; the game never waits."""

import asyncio

import pytest

from gamekeeper.players import items
from gamekeeper.players.items import Gift
from tests.approvals.callers import approval_id
from tests.approvals.conftest import Office, office
from tests.findings.hours import add_up
from tests.findings.test_rules import given, set_age
from tests.make import BY, make_item

__all__ = ["office"]


async def put(office: Office, shape: str = "given_per_day", more_than: int = 4, **body: object):
    full = {"shape": shape, "morethan": more_than, "effect": "hold"}
    full |= {"itemid": str(office.potion)} | body
    path = "/api/v1/economy/rules/potions"
    answer = await office.administrator.call("PUT", path, json=full)
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("shape", ["given_per_day", "created_per_hour"])
async def test_a_gift_beyond_a_rule_waits_for_approval(office, shape):
    await put(office, shape)
    giver, other = office.administrator, await office.caller()
    assert (await giver.give(office.player, office.potion, 4)).status_code == 200

    held = await giver.give(office.player, office.potion, 1)

    assert held.status_code == 202
    assert "'potions' holds this change" in held.json()["Message"]
    assert await office.pieces() == 4
    waiting = await other.approval(approval_id(held))
    assert waiting["Exceeded"] == {"Limit": "rule:potions", "Allowed": 4, "Used": 4, "Wanted": 1}
    assert (await other.approve(approval_id(held))).status_code == 200
    assert await office.pieces() == 5


async def test_each_giver_has_a_day_of_its_own(office):
    await put(office)
    other = await office.caller()

    assert (await office.administrator.give(office.player, office.potion, 4)).status_code == 200
    assert (await other.give(office.player, office.potion, 4)).status_code == 200
    assert (await other.give(office.player, office.potion, 1)).status_code == 202


async def test_what_was_given_before_the_rule_counts(office):
    assert (await office.administrator.give(office.player, office.potion, 4)).status_code == 200
    await add_up(office.database)
    await put(office)

    assert (await office.administrator.give(office.player, office.potion, 1)).status_code == 202


async def test_what_the_game_creates_counts_but_never_waits(office):
    await put(office, "created_per_hour")
    await given(office.database, office.player, office.potion, 9)
    await add_up(office.database)

    assert (await office.administrator.give(office.player, office.potion, 1)).status_code == 202
    await given(office.database, office.player, office.potion, 9)
    assert await office.pieces() == 18


async def test_twenty_at_once_in_two_processes_do_not_exceed_it(office):
    await put(office)

    answers = await asyncio.gather(
        *(office.administrator.give(office.player, office.potion, 1) for _ in range(20))
    )

    codes = [answer.status_code for answer in answers]
    assert (codes.count(200), codes.count(202)) == (4, 16)
    assert await office.pieces() == 4


async def test_a_new_account_is_held_and_an_old_one_is_not(office):
    await put(office, "received_by_new_account", days=3)
    giver = office.administrator
    await set_age(office.database, 2)

    assert (await giver.give(office.player, office.potion, 5)).status_code == 202
    await set_age(office.database, 4)
    assert (await giver.give(office.player, office.potion, 5)).status_code == 200


async def test_the_value_of_all_items_holds_every_item(office):
    await put(office, more_than=11, itemid=None)
    other = await make_item(office.database, "Other", value=6)
    giver = office.administrator

    assert (await giver.give(office.player, office.potion, 3)).status_code == 200
    assert (await giver.give(office.player, other, 1)).status_code == 202


async def test_a_gift_that_is_refused_counts_nothing(office):
    await put(office)
    giver = office.administrator
    # It does not fit: five slots too many.
    assert (await giver.give(office.player, office.potion, 100_000)).status_code == 409
    assert (await giver.give("nobody", office.potion, 4)).status_code == 404
    assert (await giver.give(office.player, office.potion, 4)).status_code == 200


async def test_limits_come_first_and_count_nothing_for_the_rule(office):
    await put(office, more_than=8)
    assert (await office.supporter.give(office.player, office.potion, 6)).status_code == 202
    used = "SELECT coalesce(sum(used), 0) FROM hold_usage"
    assert await office.database.reader.value(used) == 0


async def test_the_command_line_is_not_held(office):
    await put(office)
    gift = Gift(by=BY, player=str(office.player), item_id=office.potion, quantity=9)

    assert (await items.give.one(office.database, gift)).total == 9


async def test_a_gift_without_a_rule_takes_no_statement_more(office, statements):
    other = await make_item(office.database, "Other")

    async def made() -> list[str]:
        with statements() as made:
            assert (await office.administrator.give(office.player, other, 1)).status_code == 200
        return [sql for sql in made if "api_keys" not in sql and "hash, id, name" not in sql]

    await made()
    before = await made()
    await put(office)

    assert await made() == before


async def test_a_rule_that_is_deleted_meanwhile_holds_nothing(office):
    await put(office)
    giver = office.administrator
    gone = giver.call("DELETE", "/api/v1/economy/rules/potions")
    answers = await asyncio.gather(
        gone, *(giver.give(office.player, office.potion, 1) for _ in range(10))
    )

    assert {answer.status_code for answer in answers} <= {200, 202}
    assert (await giver.give(office.player, office.potion, 9)).status_code == 200
