"""Endpoints 10 to 13: every slot of inventories, banks and bags."""

from uuid import UUID

import pytest

from tests.contract.outcomes import outcome, refusal
from tests.make import empty_slot, fill_slot, filled_slot, make_bag_item, make_item, make_player

NO_BAG = refusal(404, "bag_not_found", "Bag does not exist.")


def at(player: UUID, place: str = "") -> str:
    return f"/api/v1/players/{player}/items{place}"


def slots(size: int, *filled: dict[str, object]) -> list[dict[str, object]]:
    """All `size` slots, of which some are filled."""
    there = {slot["Slot"]: slot for slot in filled}
    return [there.get(number) or empty_slot(number) for number in range(size)]


async def give_bag(client, database, size: int = 4) -> tuple[UUID, UUID, str]:
    """A player with an empty bag in the first slot; the bag's item and its id."""
    player, item = await make_player(database), await make_bag_item(database, size)
    answer = await client.post(at(player, "/give"), json={"itemid": str(item), "quantity": 1})
    assert answer.status_code == 200
    [slot, *_] = (await client.get(at(player, "/inventory"))).json()
    return player, item, slot["BagId"]


async def test_a_character_with_nothing_has_35_and_100_empty_slots(client, database):
    player = await make_player(database)

    answer = await client.get(at(player))

    assert outcome(answer) == (200, {"inventory": slots(35), "bank": slots(100)})
    assert list(answer.json()) == ["inventory", "bank"]
    keys = ["Slot", "BagId", "ItemId", "Quantity", "StatBuffs"]
    assert list(answer.json()["inventory"][0]) == keys
    assert outcome(await client.get(at(player, "/inventory"))) == (200, slots(35))
    assert outcome(await client.get(at(player, "/bank"))) == (200, slots(100))


async def test_what_is_there_is_shown_in_its_slot(client, database):
    player = await make_player(database)
    potion, sword = await make_item(database), await make_item(database, "Sword", stackable=False)
    await fill_slot(database, player, "inventory", 34, potion, 10)
    await fill_slot(database, player, "inventory", 2, sword, stat_buffs=(1, -2, 3, 0, 2**31 - 1))
    await fill_slot(database, player, "bank", 99, potion, 50)
    await fill_slot(database, player, "bank", 0, sword)

    inventory = slots(
        35,
        filled_slot(2, sword, StatBuffs=[1, -2, 3, 0, 2**31 - 1]),
        filled_slot(34, potion, 10),
    )
    bank = slots(100, filled_slot(0, sword), filled_slot(99, potion, 50))
    answer = await client.get(at(player))
    assert outcome(answer) == (200, {"inventory": inventory, "bank": bank})
    assert outcome(await client.get(at(player, "/inventory"))) == (200, inventory)
    assert outcome(await client.get(at(player, "/bank"))) == (200, bank)


async def test_items_beyond_the_last_slot_are_not_hidden(client, database):
    """From a time when the server was configured with more slots."""
    player, potion = await make_player(database), await make_item(database)
    await fill_slot(database, player, "inventory", 36, potion)

    answer = await client.get(at(player, "/inventory"))

    assert outcome(answer) == (200, slots(37, filled_slot(36, potion)))


async def test_others_items_are_not_shown(client, database):
    ana, bo = await make_player(database), await make_player(database)
    await fill_slot(database, bo, "inventory", 0, await make_item(database))

    assert outcome(await client.get(at(ana))) == (200, {"inventory": slots(35), "bank": slots(100)})


# --- bags ---------------------------------------------------------------------


async def test_the_slot_that_holds_a_bag_names_it(client, database):
    player, item, bag = await give_bag(client, database)

    answer = await client.get(at(player))

    inventory = slots(35, filled_slot(0, item, BagId=bag))
    assert outcome(answer) == (200, {"inventory": inventory, "bank": slots(100)})
    assert str(UUID(bag)) == bag


async def test_a_bag_shows_every_slot_and_its_inner_slots_name_no_bag(client, database):
    player, _, bag = await give_bag(client, database, size=4)
    potion = await make_item(database)
    answer = await client.get(f"/api/v1/players/bag/{bag}")
    assert outcome(answer) == (200, {"Id": bag, "SlotCount": 4, "Slots": slots(4)})
    assert list(answer.json()) == ["Id", "SlotCount", "Slots"]

    await fill_bag(database, player, bag, 2, potion, 7)

    answer = await client.get(f"/api/v1/players/bag/{bag}")
    inner = slots(4, filled_slot(2, potion, 7, StatBuffs=[0, 0, 0, 0, 9]))
    assert outcome(answer) == (200, {"Id": bag, "SlotCount": 4, "Slots": inner})


async def test_a_bag_is_found_by_any_spelling_of_its_id(client, database):
    _, _, bag = await give_bag(client, database, size=1)

    for spelled in (bag.upper(), bag.replace("-", ""), f"%7B{bag}%7D", bag + "/"):
        answer = await client.get(f"/api/v1/players/bag/{spelled}")
        assert outcome(answer) == (200, {"Id": bag, "SlotCount": 1, "Slots": slots(1)})


async def test_two_bags_of_one_kind_have_insides_of_their_own(client, database):
    player, item = await make_player(database), await make_bag_item(database, 2)
    body = {"itemid": str(item), "quantity": 2}

    answer = await client.post(at(player, "/give"), json=body)

    held = {"total": 2, "bank": 0, "inventory": 2}
    assert outcome(answer) == (200, {"id": str(item), "quantity": held})
    inventory = (await client.get(at(player, "/inventory"))).json()
    bags = [slot["BagId"] for slot in inventory[:2]]
    expected = slots(35, *(filled_slot(n, item, BagId=bag) for n, bag in enumerate(bags)))
    assert inventory == expected
    assert len(set(bags)) == 2
    for bag in bags:
        answer = await client.get(f"/api/v1/players/bag/{bag}")
        assert outcome(answer) == (200, {"Id": bag, "SlotCount": 2, "Slots": slots(2)})


async def test_a_bag_that_overflowed_to_the_bank_has_an_inside_too(client, database):
    player, item = await make_player(database), await make_bag_item(database, 2)
    body = {"itemid": str(item), "quantity": 36, "bankoverflow": True}

    answer = await client.post(at(player, "/give"), json=body)

    held = {"total": 36, "bank": 1, "inventory": 35}
    assert outcome(answer) == (200, {"id": str(item), "quantity": held})
    [slot, *rest] = (await client.get(at(player, "/bank"))).json()
    assert slot == filled_slot(0, item)
    assert rest == slots(100)[1:]
    bag = await _bag_in_the_bank(client, player)
    answer = await client.get(f"/api/v1/players/bag/{bag}")
    assert outcome(answer) == (200, {"Id": bag, "SlotCount": 2, "Slots": slots(2)})


async def _bag_in_the_bank(client, player) -> str:
    """A slot of the bank does not name it, but the timeline does."""
    timeline = (await client.get(f"/api/v1/players/{player}/history")).json()
    [bag] = [
        posting["BagId"]
        for entry in timeline["Values"]
        for posting in entry["Postings"]
        if (posting["Place"], posting["Slot"]) == ("bank", 0)
    ]
    return bag


@pytest.mark.parametrize("then", [{}, {"at": "2099-01-01T00:00:00Z"}], ids=["now", "then"])
async def test_a_slot_names_its_bag_only_in_the_inventory(client, database, then):
    """And a bag that was in the bank is the same when it comes back."""
    player, item = await make_player(database), await make_bag_item(database, 2)
    await client.post(at(player, "/give"), json={"itemid": str(item), "quantity": 1})
    bag = (await client.get(at(player, "/inventory"))).json()[0]["BagId"]

    await _move(client, player, "inventory", "bank")
    both = (await client.get(at(player, ""), params=then)).json()
    one = (await client.get(at(player, "/bank"), params=then)).json()
    assert both == {"inventory": slots(35), "bank": slots(100, filled_slot(0, item))}
    assert one == both["bank"]

    await _move(client, player, "bank", "inventory")
    both = (await client.get(at(player, ""), params=then)).json()
    assert both == {"inventory": slots(35, filled_slot(0, item, BagId=bag)), "bank": slots(100)}


async def _move(client, player, place: str, to: str) -> None:
    move = {"do": "items", "from": str(player), "fromplace": place, "fromslot": 0}
    move |= {"to": str(player), "toplace": to, "toslot": 0}
    body = {"transactions": [{"key": f"to the {to} of {player}", "moves": [move]}]}
    answer = await client.post("/api/v1/transactions", json=body)
    assert answer.json()["Values"][0]["Status"] == 200, answer.text


@pytest.mark.parametrize(
    "wrong", [str(UUID(int=7)), str(UUID(int=0)), "satchel", "1", "%00", "x" * 65]
)
async def test_an_unknown_bag_is_not_found(client, wrong):
    assert outcome(await client.get(f"/api/v1/players/bag/{wrong}")) == NO_BAG


async def test_a_bag_item_and_a_character_are_no_bags(client, database):
    player, item, _ = await give_bag(client, database)

    for other in (player, item):
        assert outcome(await client.get(f"/api/v1/players/bag/{other}")) == NO_BAG


async def test_a_bag_that_was_taken_is_gone(client, database):
    player, item, bag = await give_bag(client, database)

    answer = await client.post(at(player, "/take"), json={"itemid": str(item), "quantity": 1})

    assert outcome(answer) == (200, {"ItemId": str(item), "Quantity": 1, "id": str(item)})
    assert outcome(await client.get(at(player, "/inventory"))) == (200, slots(35))
    assert outcome(await client.get(f"/api/v1/players/bag/{bag}")) == NO_BAG


async def test_a_bag_with_something_in_it_is_never_taken(client, database):
    player, item, bag = await give_bag(client, database)
    await fill_bag(database, player, bag, 0, await make_item(database), 1)
    before = outcome(await client.get(at(player)))

    answer = await client.post(at(player, "/take"), json={"itemid": str(item), "quantity": 1})

    message = "A bag that is not empty cannot be taken; nothing was taken."
    assert outcome(answer) == refusal(409, "bag_not_empty", message, Held=1, Empty=0)
    assert outcome(await client.get(at(player))) == before
    assert (await client.get(f"/api/v1/players/bag/{bag}")).status_code == 200


async def test_empty_bags_are_taken_and_the_filled_one_between_them_stays(client, database):
    player, item = await make_player(database), await make_bag_item(database, 1)
    body = {"itemid": str(item), "quantity": 3}
    await client.post(at(player, "/give"), json=body)
    filled = (await client.get(at(player, "/inventory"))).json()[0]
    await fill_bag(database, player, filled["BagId"], 0, await make_item(database), 1)
    before = outcome(await client.get(at(player)))

    answer = await client.post(at(player, "/take"), json=body)
    message = "A bag that is not empty cannot be taken; nothing was taken."
    assert outcome(answer) == refusal(409, "bag_not_empty", message, Held=3, Empty=2)
    assert outcome(await client.get(at(player))) == before

    answer = await client.post(at(player, "/take"), json=body | {"quantity": 2})
    assert outcome(answer) == (200, {"ItemId": str(item), "Quantity": 2, "id": str(item)})
    assert outcome(await client.get(at(player, "/inventory"))) == (200, slots(35, filled))


async def fill_bag(database, player: UUID, bag: str, slot: int, item: UUID, quantity: int) -> None:
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO bag_slots (player_id, bag_id, slot, item_id, quantity, stat_buffs)
            VALUES ($1, $2, $3, $4, $5, '{0,0,0,0,9}')
            """,
            player,
            bag,
            slot,
            item,
            quantity,
        )
    )
