"""Gifts whose items go to the mailbox: all of them, or those that have no room."""

import asyncio
from typing import Any

import pytest

from gamekeeper.core.errors import Problem
from gamekeeper.history.undo.execute import UndoConflict
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from gamekeeper.players.mailbox import changes
from gamekeeper.players.mailbox.gifts import MailedHolding
from gamekeeper.players.mailbox.letters import MailboxFull
from gamekeeper.players.mailbox.records import MAX_LETTERS
from gamekeeper.players.moves import ByMail
from gamekeeper.players.records import Holding
from gamekeeper.players.rules import InventoryFull
from tests.approvals.callers import approval_id
from tests.approvals.conftest import Office, office
from tests.findings.hours import add_up
from tests.mailbox.post import Post, sound
from tests.make import BY, make_bag_item

__all__ = ["office"]

ROOM = 350
"""Potions in an inventory."""


@pytest.fixture
async def post(database) -> Post:
    return await Post.make(database)


def gift(post: Post, quantity: int, by_mail: ByMail, **about: Any) -> Gift:
    """Potions for Bo."""
    named = {"player": str(post.bo), "item_id": post.potion} | about
    return Gift(by=BY, quantity=quantity, by_mail=by_mail, **named)


async def give(post: Post, quantity: int, by_mail: ByMail = "overflow", **about: Any) -> Holding:
    return await items.give.one(post.database, gift(post, quantity, by_mail, **about))


async def kinds(post: Post) -> list[str]:
    rows = await post.database.reader.rows("SELECT kind FROM actions ORDER BY id")
    return [row["kind"] for row in rows]


async def test_all_of_a_gift_goes_to_the_mailbox(post, settings):
    held = await give(post, 5, "always")
    assert isinstance(held, MailedHolding)
    assert (held.total, held.mailed) == (0, 5)
    assert await post.held(post.bo) == {"mail": 5}
    assert await kinds(post) == ["mail.send"]
    await sound(settings)


async def test_what_has_no_room_goes_to_the_mailbox(post, settings):
    held = await give(post, ROOM + 7)
    assert isinstance(held, MailedHolding)
    assert (held.inventory, held.mailed) == (ROOM, 7)
    assert await post.held(post.bo) == {"inventory": ROOM, "mail": 7}
    assert await kinds(post) == ["mail.send"]
    await sound(settings)


async def test_the_bank_comes_before_the_mailbox(post, settings):
    await give(post, ROOM + 7, overflow_to_bank=True)
    assert await post.held(post.bo) == {"inventory": ROOM, "bank": 7}
    await sound(settings)


async def test_a_gift_that_fits_is_a_gift_as_any_other(post):
    assert type(await give(post, 5)) is Holding
    assert await kinds(post) == ["items.give"]
    [row] = await post.database.reader.rows("SELECT before, after, item_id FROM actions")
    assert (row["before"]["total"], row["after"]["total"]) == (0, 5)
    assert row["item_id"] == post.potion


async def test_both_parts_are_undone_and_redone_together(post, settings):
    await give(post, ROOM + 7)
    undone = await post.undo(await post.last("mail.send"))
    assert await post.held(post.bo) == {}
    await sound(settings)
    await post.undo(undone)
    assert await post.held(post.bo) == {"inventory": ROOM, "mail": 7}
    await sound(settings)


@pytest.mark.parametrize("partial", [False, True])
async def test_a_claimed_part_keeps_the_whole_gift(post, settings, partial):
    held = await give(post, ROOM + 7)
    assert isinstance(held, MailedHolding)
    taken = items.Taking(by=BY, player=str(post.bo), item_id=post.potion, quantity=10)
    await items.take.one(post.database, taken)
    await changes.claim.one(post.database, post.command(held.letter_id))
    with pytest.raises(UndoConflict):
        await post.undo(await post.last("mail.send"), partial=partial)
    assert await post.held(post.bo) == {"inventory": ROOM - 3}
    await sound(settings)


async def test_a_full_mailbox_gives_nothing(post, database, settings):
    gifts = [gift(post, 1, "always") for _ in range(MAX_LETTERS)]
    assert not any(isinstance(done, Problem) for done in await items.give(database, gifts))
    with pytest.raises(MailboxFull):
        await give(post, ROOM + 1)
    assert await post.held(post.bo) == {"mail": MAX_LETTERS}
    await sound(settings)


async def test_more_bags_than_a_letter_holds_are_not_given(post, database, settings):
    satchel = await make_bag_item(database)
    with pytest.raises(InventoryFull):
        await give(post, 11, "always", item_id=satchel)
    await give(post, 10, "always", item_id=satchel)
    assert await database.reader.value("SELECT count(*) FROM letter_slots") == 10
    await sound(settings)


async def test_gifts_with_and_without_letters_in_one_batch(post, database, settings):
    orders = [
        gift(post, ROOM - 5, "overflow"),
        gift(post, 10, "overflow"),
        Gift(by=BY, player=str(post.bo), item_id=post.potion, quantity=1),
        gift(post, 2, "always", player="Nobody"),
        gift(post, 2, "always"),
    ]
    outcomes = await items.give(database, orders)
    refused = [isinstance(outcome, Problem) for outcome in outcomes]
    assert refused == [False, False, True, True, False]
    assert await post.held(post.bo) == {"inventory": ROOM, "mail": 7}
    await sound(settings)


async def test_twenty_at_once_fill_the_inventory_once(post, settings):
    await asyncio.gather(*(give(post, 20) for _ in range(20)))
    assert await post.held(post.bo) == {"inventory": ROOM, "mail": 400 - ROOM}
    await sound(settings)


# ── Through the front door ──

GIVE = "/api/v1/players/Bo/items/give"


async def test_the_response_names_the_letter(client, post):
    body = {"itemid": str(post.potion), "quantity": 352}
    refused = await client.post(GIVE, json=body)
    assert refused.json()["Code"] == "inventory_full"
    given = (await client.post(GIVE, json=body | {"overflow": "mailbox"})).json()
    [letter] = (await client.get("/api/v1/players/Bo/mailbox")).json()["Values"]
    assert given == {
        "id": str(post.potion),
        "quantity": {"total": ROOM, "bank": 0, "inventory": ROOM},
        "letter": {"id": letter["Id"], "quantity": 2},
    }
    assert (letter["Sender"]["Kind"], letter["Items"][0]["Quantity"]) == ("key", 2)
    wrong = await client.post(GIVE, json=body | {"deliver": "pigeon"})
    assert wrong.json()["Code"] == "invalid_body"


async def test_without_a_letter_the_response_is_as_before(client, post):
    for more in ({}, {"deliver": "inventory", "overflow": "refuse"}, {"overflow": "mailbox"}):
        answer = await client.post(GIVE, json={"itemid": str(post.potion), "quantity": 1} | more)
        assert sorted(answer.json()) == ["id", "quantity"]


async def test_a_repeated_request_gives_once(client, post):
    body = {"itemid": str(post.potion), "quantity": 352, "overflow": "mailbox"}
    headers = {"Idempotency-Key": "gift-1"}
    first = await client.post(GIVE, json=body, headers=headers)
    again = await client.post(GIVE, json=body, headers=headers)
    assert first.content == again.content
    assert await post.held(post.bo) == {"inventory": ROOM, "mail": 2}


# ── Limits, approvals and economy rules ──


async def by_mail(office: Office, quantity: int, caller: Any) -> Any:
    body = {"itemid": str(office.potion), "quantity": quantity, "deliver": "mailbox"}
    return await caller.call("POST", f"/api/v1/players/{office.player}/items/give", json=body)


async def mailed(office: Office) -> int:
    sql = "SELECT coalesce(sum(quantity), 0)::int FROM letter_slots"
    return await office.database.reader.value(sql)


async def test_a_gift_beyond_a_limit_is_sent_when_it_is_approved(office):
    answer = await by_mail(office, 6, office.supporter)
    approval = approval_id(answer)
    assert (await office.administrator.approval(approval))["Change"]["by_mail"] == "always"
    assert await mailed(office) == 0
    assert (await office.administrator.approve(approval)).status_code == 200
    assert (await mailed(office), await office.pieces()) == (6, 0)


@pytest.mark.parametrize("shape", ["given_per_day", "created_per_hour"])
async def test_an_economy_rule_holds_it(office, shape):
    rule = {"shape": shape, "morethan": 4, "effect": "hold", "itemid": str(office.potion)}
    path = "/api/v1/economy/rules/potions"
    assert (await office.administrator.call("PUT", path, json=rule)).status_code == 200
    assert (await by_mail(office, 4, office.administrator)).status_code == 200
    assert (await by_mail(office, 1, office.administrator)).status_code == 202
    assert await mailed(office) == 4


async def test_the_sums_of_gifts_count_letters_and_what_had_room(office, database):
    body = {"itemid": str(office.potion), "quantity": 352, "overflow": "mailbox"}
    path = f"/api/v1/players/{office.player}/items/give"
    assert (await office.administrator.call("POST", path, json=body)).status_code == 200
    await by_mail(office, 3, office.administrator)
    await add_up(database)
    sql = "SELECT sum(quantity)::int FROM item_gifts WHERE item_id = $1 AND actor = $2"
    assert await database.reader.value(sql, office.potion, office.administrator.actor) == 355
