"""Endpoints 14 and 15: items given and taken, each time all of them or none."""

import asyncio
from collections.abc import Mapping
from uuid import UUID, uuid4

import pytest

from tests.contract.outcomes import outcome, refusal
from tests.make import empty_slot, fill_slot, filled_slot, make_item, make_player

FULL = refusal(409, "inventory_full", "There is no room for that many; nothing was given.")
NO_ITEM = refusal(400, "unknown_item", "Invalid item id.")
NO_QUANTITY = refusal(400, "invalid_quantity", "The quantity must be at least 1.")
NOBODY = refusal(404, "player_not_found", "No player with name 'nobody'.")
MAX_QUANTITY = 2**31 - 1


def too_few(held: int):
    message = "The inventory holds fewer than that; nothing was taken."
    return refusal(409, "not_enough_items", message, Held=held)


async def give(client, player: UUID | str, item: UUID, quantity: int, **more: object):
    body = {"itemid": str(item), "quantity": quantity} | more
    return await client.post(f"/api/v1/players/{player}/items/give", json=body)


async def take(client, player: UUID | str, item: UUID, quantity: int):
    body = {"itemid": str(item), "quantity": quantity}
    return await client.post(f"/api/v1/players/{player}/items/take", json=body)


async def carried(client, player: UUID) -> dict[str, list[dict[str, object]]]:
    answer = await client.get(f"/api/v1/players/{player}/items")
    assert answer.status_code == 200
    return answer.json()


def holding(inventory: Mapping[int, object], bank: Mapping[int, object] | None = None):
    """What `carried` shows when these slots are filled, and no others."""
    return {
        "inventory": [inventory.get(number) or empty_slot(number) for number in range(35)],
        "bank": [(bank or {}).get(number) or empty_slot(number) for number in range(100)],
    }


def given(item: UUID, inventory: int, bank: int = 0):
    held = {"total": inventory + bank, "bank": bank, "inventory": inventory}
    return 200, {"id": str(item), "quantity": held}


def stacks(item: UUID, *quantities: int) -> dict[int, object]:
    """The first slots, filled with so many each."""
    return {n: filled_slot(n, item, quantity) for n, quantity in enumerate(quantities)}


# --- give ---------------------------------------------------------------------


async def test_a_gift_fills_plain_stacks_in_slot_order_then_the_lowest_free_slots(client, database):
    player, potion = await make_player(database), await make_item(database)
    other = await make_item(database, "Elixir")
    await fill_slot(database, player, "inventory", 1, other, 1)
    await fill_slot(database, player, "inventory", 5, potion, 9, stat_buffs=(1, 0, 0, 0, 0))
    await fill_slot(database, player, "inventory", 3, potion, 8)

    answer = await give(client, player, potion, 25)

    assert outcome(answer) == given(potion, 42)
    assert list(answer.json()) == ["id", "quantity"]
    assert list(answer.json()["quantity"]) == ["total", "bank", "inventory"]
    assert await carried(client, player) == holding(
        {
            0: filled_slot(0, potion, 10),
            1: filled_slot(1, other, 1),
            2: filled_slot(2, potion, 10),
            3: filled_slot(3, potion, 10),
            4: filled_slot(4, potion, 3),
            5: filled_slot(5, potion, 9, StatBuffs=[1, 0, 0, 0, 0]),
        }
    )


async def test_what_does_not_stack_takes_a_slot_each(client, database):
    player, sword = await make_player(database), await make_item(database, stackable=False)

    assert outcome(await give(client, player, sword, 3)) == given(sword, 3)
    assert outcome(await give(client, player, sword, 1)) == given(sword, 4)
    assert await carried(client, player) == holding(stacks(sword, 1, 1, 1, 1))


async def test_an_inventory_can_be_filled_to_the_last_place(client, database):
    player, potion = await make_player(database), await make_item(database)

    assert outcome(await give(client, player, potion, 350)) == given(potion, 350)
    assert await carried(client, player) == holding(stacks(potion, *[10] * 35))


@pytest.mark.parametrize("more", [{}, {"bankoverflow": False}, {"bankoverflow": None}])
async def test_without_overflow_a_gift_that_does_not_fit_is_not_given_at_all(
    client, database, more
):
    player, potion = await make_player(database), await make_item(database)
    await fill_slot(database, player, "inventory", 0, potion, 9)
    before = await carried(client, player)

    assert outcome(await give(client, player, potion, 342, **more)) == FULL
    assert await carried(client, player) == before
    assert outcome(await give(client, player, potion, 341, **more)) == given(potion, 350)


async def test_what_overflows_goes_to_the_bank_and_only_that(client, database):
    """The bank has stacks of its own size, and they are filled up first as well."""
    player, potion = await make_player(database), await make_item(database)
    await fill_slot(database, player, "bank", 1, potion, 45)

    answer = await give(client, player, potion, 407, bankoverflow=True)

    assert outcome(answer) == given(potion, 350, bank=102)
    bank = {n: filled_slot(n, potion, held) for n, held in ((0, 50), (1, 50), (2, 2))}
    assert await carried(client, player) == holding(stacks(potion, *[10] * 35), bank)


async def test_with_room_in_the_inventory_nothing_overflows(client, database):
    player, potion = await make_player(database), await make_item(database)

    assert outcome(await give(client, player, potion, 5, bankoverflow=True)) == given(potion, 5)
    assert await carried(client, player) == holding(stacks(potion, 5))


async def test_what_fits_neither_inventory_nor_bank_is_not_given_at_all(client, database):
    player, sword = await make_player(database), await make_item(database, stackable=False)

    assert outcome(await give(client, player, sword, 136, bankoverflow=True)) == FULL
    assert await carried(client, player) == holding({})
    answer = await give(client, player, sword, 135, bankoverflow=True)
    assert outcome(answer) == given(sword, 35, bank=100)
    assert outcome(await give(client, player, sword, 1, bankoverflow=True)) == FULL


async def test_what_may_not_be_banked_does_not_overflow(client, database):
    player = await make_player(database)
    relic = await make_item(database, "Relic", stackable=False, bankable=False)

    assert outcome(await give(client, player, relic, 36, bankoverflow=True)) == FULL
    assert await carried(client, player) == holding({})
    answer = await give(client, player, relic, 35, bankoverflow=True)
    assert outcome(answer) == given(relic, 35)


async def test_nobody_holds_more_of_an_item_than_32_bits_count(client, database):
    """Inventory and bank together, though there is room for more in each of them."""
    player = await make_player(database)
    gold = await make_item(database, "Gold", inventory_stack=MAX_QUANTITY, bank_stack=MAX_QUANTITY)
    await fill_slot(database, player, "bank", 0, gold, 10)

    assert outcome(await give(client, player, gold, MAX_QUANTITY - 9)) == FULL
    assert await carried(client, player) == holding({}, stacks(gold, 10))
    answer = await give(client, player, gold, MAX_QUANTITY - 10)
    assert outcome(answer) == given(gold, MAX_QUANTITY - 10, bank=10)
    assert outcome(await give(client, player, gold, 1, bankoverflow=True)) == FULL


async def test_the_counts_are_of_that_item_alone(client, database):
    player, potion = await make_player(database), await make_item(database)
    await fill_slot(database, player, "inventory", 7, await make_item(database, "Elixir"), 3)
    await fill_slot(database, player, "bank", 7, potion, 3)

    assert outcome(await give(client, player, potion, 1)) == given(potion, 1, bank=3)


async def test_twenty_gifts_at_once_are_all_given(client, database):
    player, potion = await make_player(database), await make_item(database)

    answers = await asyncio.gather(*(give(client, player, potion, 10) for _ in range(20)))

    totals = sorted(answer.json()["quantity"]["total"] for answer in answers)
    assert totals == list(range(10, 210, 10))
    assert await carried(client, player) == holding(stacks(potion, *[10] * 20))


# --- take ---------------------------------------------------------------------


async def test_what_is_taken_leaves_the_lowest_slots_first(client, database):
    player, potion = await make_player(database), await make_item(database)
    for slot, quantity in ((8, 5), (2, 3), (4, 10)):
        await fill_slot(database, player, "inventory", slot, potion, quantity)
    await fill_slot(database, player, "bank", 0, potion, 40)

    answer = await take(client, player, potion, 7)

    assert outcome(answer) == (200, {"ItemId": str(potion), "Quantity": 7, "id": str(potion)})
    assert list(answer.json()) == ["ItemId", "Quantity", "id"]
    left = {4: filled_slot(4, potion, 6), 8: filled_slot(8, potion, 5)}
    assert await carried(client, player) == holding(left, stacks(potion, 40))


async def test_the_last_one_can_be_taken(client, database):
    player, sword = await make_player(database), await make_item(database, stackable=False)
    await give(client, player, sword, 2)

    answer = await take(client, player, sword, 2)

    assert outcome(answer) == (200, {"ItemId": str(sword), "Quantity": 2, "id": str(sword)})
    assert await carried(client, player) == holding({})
    assert outcome(await take(client, player, sword, 1)) == too_few(0)


@pytest.mark.parametrize("quantity", [6, MAX_QUANTITY])
async def test_more_than_the_inventory_holds_is_not_taken_at_all(client, database, quantity):
    """What is in the bank does not count."""
    player, potion = await make_player(database), await make_item(database)
    await fill_slot(database, player, "inventory", 0, potion, 2)
    await fill_slot(database, player, "inventory", 9, potion, 3)
    await fill_slot(database, player, "bank", 0, potion, 50)
    before = await carried(client, player)

    assert outcome(await take(client, player, potion, quantity)) == too_few(5)
    assert await carried(client, player) == before


async def test_what_is_taken_is_no_longer_worn(client, database):
    """Only the slot that became empty: what is left of a stack stays where it is worn."""
    player = await make_player(database, equipment=[3, -1, 0, 3, 5])
    sword, arrows = await make_item(database, stackable=False), await make_item(database, "Arrows")
    await fill_slot(database, player, "inventory", 3, sword)
    await fill_slot(database, player, "inventory", 5, arrows, 2)

    await take(client, player, sword, 1)
    await take(client, player, arrows, 1)

    answer = await client.get(f"/api/v1/players/{player}")
    assert answer.json()["Equipment"] == [-1, -1, 0, -1, 5]


async def test_twenty_who_take_at_once_take_no_more_than_there_is(client, database):
    player, potion = await make_player(database), await make_item(database)
    await give(client, player, potion, 15)

    answers = await asyncio.gather(*(take(client, player, potion, 2) for _ in range(20)))

    taken = (200, {"ItemId": str(potion), "Quantity": 2, "id": str(potion)})
    assert sorted(map(repr, map(outcome, answers))) == sorted(
        map(repr, [taken] * 7 + [too_few(1)] * 13)
    )
    assert await carried(client, player) == holding({1: filled_slot(1, potion, 1)})


# --- both ---------------------------------------------------------------------


@pytest.mark.parametrize("move", [give, take])
@pytest.mark.parametrize("quantity", [0, -1, -(2**31)])
async def test_a_quantity_is_at_least_one(client, database, move, quantity):
    player, potion = await make_player(database), await make_item(database)
    await fill_slot(database, player, "inventory", 0, potion, 5)

    assert outcome(await move(client, player, potion, quantity)) == NO_QUANTITY
    assert await carried(client, player) == holding(stacks(potion, 5))


@pytest.mark.parametrize("move", [give, take])
async def test_a_quantity_has_32_bits(client, database, move):
    player, potion = await make_player(database), await make_item(database)

    message = "'quantity' must be an integer of 32 bits."
    expected = refusal(400, "invalid_body", message, Field="quantity")
    assert outcome(await move(client, player, potion, 2**31)) == expected


@pytest.mark.parametrize("move", [give, take])
async def test_an_item_that_does_not_exist_is_unknown(client, database, move):
    player = await make_player(database)

    for item in (uuid4(), UUID(int=0), player):
        assert outcome(await move(client, player, item, 1)) == NO_ITEM
    assert await carried(client, player) == holding({})


@pytest.mark.parametrize("move", [give, take])
async def test_of_several_faults_the_item_comes_first_then_the_quantity(client, database, move):
    potion = await make_item(database)

    assert outcome(await move(client, "nobody", uuid4(), 0)) == NO_ITEM
    assert outcome(await move(client, "nobody", potion, 0)) == NO_QUANTITY
    assert outcome(await move(client, "nobody", potion, 1)) == NOBODY


async def test_a_gift_with_stat_buffs_lies_apart_from_one_without(client, database):
    """They survive a trade and come back by an undo, as those of any other item."""
    player, potion = await make_player(database), await make_item(database)
    path = f"/api/v1/players/{player}/items/give"
    body = {"itemid": str(potion), "quantity": 1}
    for buffs in ([1, -2, 3, 0, 2**31 - 1], None, None, [0, 0, 0, 0, 0]):
        answer = await client.post(path, json=body | {"statbuffs": buffs})
        assert answer.status_code == 200, answer.text

    slots = (await client.get(f"/api/v1/players/{player}/items/inventory")).json()
    shown = [(slot["Quantity"], slot["StatBuffs"]) for slot in slots if slot["Quantity"]]
    assert shown == [(1, [1, -2, 3, 0, 2**31 - 1]), (3, [0, 0, 0, 0, 0])]


@pytest.mark.parametrize(
    ("buffs", "code"),
    [
        ([], "invalid_stat_buffs"),
        ([1], "invalid_stat_buffs"),
        ([1] * 6, "invalid_body"),
        ([1, 2, 3, 4, "x"], "invalid_body"),
        ([0, 0, 0, 0, 2**31], "invalid_body"),
        (5, "invalid_body"),
    ],
)
async def test_stat_buffs_are_five_integers(client, database, buffs, code):
    player, potion = await make_player(database), await make_item(database)
    body = {"itemid": str(potion), "quantity": 1, "statbuffs": buffs}
    answer = await client.post(f"/api/v1/players/{player}/items/give", json=body)

    assert (answer.status_code, answer.json()["Code"]) == (400, code)
    assert await carried(client, player) == holding({})
