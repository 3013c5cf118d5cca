"""The bank of a guild: what is deposited and withdrawn, and that the ledger follows."""

import asyncio
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from gamekeeper.history import trail
from gamekeeper.ledger.economy import rebuild
from gamekeeper.ledger.verify_ledger import verify
from gamekeeper.operations.overview import figures
from tests.guilds.halls import Hall, good, refused, sound
from tests.make import make_bag_item, make_item


@pytest.fixture
async def hall(client, database) -> Hall:
    return await Hall.make(client, database)


async def test_what_is_deposited_is_withdrawn_by_another(hall, settings, client):
    await hall.give("Ana", hall.potion, 30)

    moved = good(await hall.deposit("Ana", 25))
    assert moved == {"ItemId": str(hall.potion), "Quantity": 25, "Inventory": 5, "Bank": 25}
    assert [slot["Quantity"] for slot in await hall.bank()] == [25]
    assert len(good(await hall.get("/bank"))) == 4
    await sound(settings)

    good(await hall.withdraw("Bo", 25))
    assert await hall.bank() == []
    carried = good(await client.get("/api/v1/players/Bo/items/inventory"))
    assert [slot["Quantity"] for slot in carried if slot["Quantity"]] == [10, 10, 5]
    await sound(settings)


async def test_a_refusal_leaves_nothing_behind(hall, database, settings):
    await hall.give("Ana", hall.potion, 5)
    await hall.give("Cyd", hall.potion, 5)
    before = await database.reader.value("SELECT count(*) FROM postings")

    assert refused(await hall.deposit("Cyd")) == (400, "Cyd is not a member of Larkspur Court.")
    assert (await hall.deposit("Ana", 6)).json()["Code"] == "not_enough_items"
    assert (await hall.deposit("Ana", 0)).json()["Code"] == "invalid_quantity"
    assert (await hall.deposit("Ana", itemid=str(uuid4()))).json()["Code"] == "unknown_item"
    assert (await hall.deposit("Nobody")).json()["Code"] == "player_not_found"
    empty = "The guild's bank holds fewer than that; nothing was withdrawn."
    assert refused(await hall.withdraw("Ana")) == (409, empty)

    assert await database.reader.value("SELECT count(*) FROM postings") == before
    await sound(settings)


async def test_a_full_bank_takes_nothing(hall, settings):
    """Four slots, each of 50 potions."""
    for _ in range(2):
        await hall.give("Ana", hall.potion, 100)
        good(await hall.deposit("Ana", 100))
    await hall.give("Ana", hall.potion, 1)

    assert (await hall.deposit("Ana")).json()["Code"] == "guild_bank_full"

    assert [slot["Quantity"] for slot in await hall.bank()] == [50, 50, 50, 50]
    await sound(settings)


async def test_a_full_inventory_withdraws_nothing(hall, settings):
    await hall.give("Ana", hall.potion, 10)
    good(await hall.deposit("Ana", 10))
    await hall.give("Bo", hall.potion, 350)

    assert (await hall.withdraw("Bo")).json()["Code"] == "inventory_full"

    assert [slot["Quantity"] for slot in await hall.bank()] == [10]
    await sound(settings)


async def test_buffs_are_kept_and_do_not_stack_with_others(hall, settings, client):
    await hall.give("Ana", hall.potion, 3, statbuffs=[1, 2, 3, 4, 5])
    await hall.give("Ana", hall.potion, 3)
    good(await hall.deposit("Ana", 6))
    assert [slot["StatBuffs"] for slot in await hall.bank()] == [[1, 2, 3, 4, 5], [0] * 5]
    await sound(settings)

    good(await hall.withdraw("Bo", 2, slot=1))
    good(await hall.withdraw("Bo", 2, slot=0))

    carried = good(await client.get("/api/v1/players/Bo/items/inventory"))
    assert [slot["StatBuffs"] for slot in carried if slot["Quantity"]] == [[0] * 5, [1, 2, 3, 4, 5]]
    assert (await hall.withdraw("Bo", 2, slot=0)).status_code == 409
    await sound(settings)


async def test_a_filled_bag_stays_and_an_empty_one_comes_back_as_a_new_one(
    hall, database, settings, client
):
    satchel = await make_bag_item(database)
    await hall.give("Ana", satchel, 2)
    await hall.give("Ana", hall.potion, 1)
    [bag, _] = [
        slot["BagId"]
        for slot in good(await client.get("/api/v1/players/Ana/items/inventory"))
        if slot["BagId"]
    ]
    inside = {"from": "Ana", "to": "Ana", "toplace": "bag", "tobag": bag}
    move = {"do": "items", "itemid": str(hall.potion), "quantity": 1, **inside}
    sent = {"transactions": [{"key": "fill", "moves": [move]}]}
    good(await client.post("/api/v1/transactions", json=sent))
    both = await hall.deposit("Ana", 2, itemid=str(satchel))
    assert both.json()["Code"] == "bag_not_empty"

    good(await hall.deposit("Ana", 1, itemid=str(satchel)))
    await sound(settings)
    good(await hall.withdraw("Bo", 1, itemid=str(satchel)))

    [new] = [
        slot["BagId"]
        for slot in good(await client.get("/api/v1/players/Bo/items/inventory"))
        if slot["BagId"]
    ]
    assert len(good(await client.get(f"/api/v1/players/bag/{new}"))["Slots"]) == 4
    await sound(settings)


async def test_what_is_not_bankable_stays(hall, database):
    token = await make_item(database, "Token", bankable=False)
    await hall.give("Ana", token, 1)

    assert (await hall.deposit("Ana", itemid=str(token))).json()["Code"] == "not_bankable"


async def test_whoever_may_not_trade_may_not_use_the_bank(hall, client):
    await hall.give("Ana", hall.potion, 5)
    good(await hall.deposit("Ana", 2))
    body = {"player": "Ana", "kind": "trade_lock", "reason": "bought gold"}
    good(await client.post("/api/v1/sanctions", json=body))

    for way in (hall.deposit, hall.withdraw):
        assert (await way("Ana")).json()["Code"] == "trade_locked"


async def test_a_muted_member_may_use_the_bank(hall, client):
    await hall.give("Ana", hall.potion, 5)
    mute = {"player": "Ana", "kind": "mute", "reason": "loud"}
    good(await client.post("/api/v1/sanctions", json=mute))
    good(await hall.deposit("Ana", 2))
    good(await hall.withdraw("Ana", 2))


async def test_a_bank_with_something_in_it_is_lost_only_by_force(hall, client, settings, database):
    await hall.give("Ana", hall.potion, 7)
    good(await hall.deposit("Ana", 7))

    kept = await hall.delete()
    assert (kept.status_code, kept.json()["Code"]) == (409, "guild_bank_not_empty")
    good(await hall.delete("?force=true"))

    lost = await database.reader.rows(
        "SELECT quantity, against FROM postings WHERE player_id = $1 ORDER BY seq", hall.id
    )
    assert [tuple(row) for row in lost] == [(7, "guild"), (-7, "removal")]
    [action] = good(await client.get("/api/v1/actions?kind=guilds.delete"))["Values"]
    assert action["Before"]["lost"] == 7
    await sound(settings)


async def test_a_key_moves_once(hall, settings):
    await hall.give("Ana", hall.potion, 5)
    body = {"player": "Ana", "itemid": str(hall.potion), "quantity": 2}
    for _ in range(3):
        good(await hall.post("bank/deposit", headers={"Idempotency-Key": "once"}, **body))

    assert [slot["Quantity"] for slot in await hall.bank()] == [2]
    await sound(settings)


async def test_forty_at_once_are_each_made_or_refused(hall, settings):
    await hall.give("Ana", hall.potion, 20)
    await hall.give("Bo", hall.potion, 20)

    done = await asyncio.gather(
        *(hall.deposit(("Ana", "Bo")[n % 2], 3) for n in range(20)),
        *(hall.withdraw(("Ana", "Bo")[n % 2], 2) for n in range(20)),
    )

    assert {answer.status_code for answer in done} <= {200, 409}
    await sound(settings)


async def test_the_economy_counts_what_guilds_hold(hall, client, settings):
    await hall.give("Ana", hall.potion, 10)
    good(await hall.deposit("Ana", 4))

    async def counted() -> None:
        shown = good(await client.get(f"/api/v1/economy/items/{hall.potion}"))
        assert (shown["Total"], shown["Inventories"], shown["Guilds"]) == (10, 6, 4)
        assert [holder["Quantity"] for holder in shown["Holders"]] == [6]
        flows = {flow["Source"]: (flow["Came"], flow["Went"]) for flow in shown["Flows"]}
        assert flows == {"grant": (10, 0), "guild": (4, 4)}
        [listed] = good(await client.get("/api/v1/economy/items"))["Values"]
        assert listed["Guilds"] == 4

    await counted()
    await rebuild.run(settings)
    await counted()


@pytest.mark.parametrize(
    ("change", "law"),
    [
        ("UPDATE guild_slots SET quantity = quantity + 1", "slots"),
        ("DELETE FROM guild_slots", "slots"),
        ("UPDATE guild_slots SET stat_buffs = '{1,0,0,0,0}'", "slots"),
        ("UPDATE postings SET action_id = gen_random_uuid() WHERE place = 'guild'", "guilds"),
        ("UPDATE postings SET against = 'grant' WHERE place = 'guild'", "guilds"),
        (
            """UPDATE postings SET stat_buffs = '{1,0,0,0,0}' WHERE place = 'guild';
               UPDATE guild_slots SET stat_buffs = '{1,0,0,0,0}'""",
            "guilds",
        ),
        (
            """UPDATE postings SET quantity = 5, held_after = 5 WHERE place = 'guild';
               UPDATE guild_slots SET quantity = 5""",
            "accounts",
        ),
        (
            """DELETE FROM postings WHERE place = 'guild'; DELETE FROM guild_slots;
               DELETE FROM ledger_heads WHERE player_id NOT IN (SELECT id FROM players)""",
            "accounts",
        ),
    ],
)
async def test_whatever_is_changed_in_a_bank_is_found(hall, settings, database, change, law):
    await hall.give("Ana", hall.potion, 4)
    good(await hall.deposit("Ana", 4))
    await sound(settings)

    await database.write(lambda writer: writer.run(change))

    breach = (await verify(settings)).breach
    assert breach is not None
    assert breach.law == law


# ── What a bank holds is neither lost nor new ──


async def test_a_restore_does_not_pay_for_what_is_in_the_bank(hall, settings, client, database):
    """Deposited, bought again, used and restored: it paid each time, without end."""
    await hall.give("Ana", hall.potion, 10)
    then = await database.reader.value("SELECT clock_timestamp()")
    for _ in range(3):
        good(await hall.deposit("Ana", 10))
        await hall.give("Ana", hall.potion, 10)
        used = {"itemid": str(hall.potion), "quantity": 10}
        good(await client.post("/api/v1/players/Ana/items/take", json=used))

        body = {"at": then.isoformat()}
        restored = good(await client.post("/api/v1/players/Ana/items/restore", json=body))

        assert restored["Values"] == []
        good(await hall.withdraw("Ana", 10))
    assert await hall.bank() == []
    await sound(settings)


async def test_what_lay_in_the_bank_and_was_used_is_restored(hall, client, database, settings):
    await hall.give("Ana", hall.potion, 10)
    then = await database.reader.value("SELECT clock_timestamp()")
    good(await hall.deposit("Ana", 10))
    good(await hall.withdraw("Ana", 7))
    used = {"itemid": str(hall.potion), "quantity": 7}
    good(await client.post("/api/v1/players/Ana/items/take", json=used))

    body = {"at": then.isoformat()}
    restored = good(await client.post("/api/v1/players/Ana/items/restore", json=body))

    assert [entry["Quantity"] for entry in restored["Values"]] == [7]
    await sound(settings)


async def test_what_goes_in_and_out_does_not_change_the_supply(hall, database, settings):
    await hall.give("Ana", hall.potion, 30)
    for _ in range(3):
        good(await hall.deposit("Ana", 25))
        good(await hall.withdraw("Ana", 25))
    await rebuild.run(settings)

    changes = await figures.supply_changes(database.reader, datetime.now(UTC))

    assert [(entry.came, entry.went) for entry in changes.values] == [(30, 0)]


async def test_a_trail_leads_through_a_bank(hall, database):
    since = await database.reader.value("SELECT clock_timestamp()")
    await hall.give("Ana", hall.potion, 10)
    good(await hall.deposit("Ana", 10))
    good(await hall.withdraw("Bo", 4))

    found = await trail.of_item(database.reader, "Ana", hall.potion, since)

    told = [
        (
            transfer.giver.name,
            [to.name for to in transfer.receivers],
            transfer.quantity,
            transfer.transaction_id,
        )
        for transfer in found.transfers
    ]
    assert told == [
        ("Ana", ["Larkspur Court"], 10, None),
        ("Larkspur Court", ["Bo"], 4, None),
    ]
    held = {(holder.player_id, holder.guild_id): holder.quantity for holder in found.holders}
    assert held == {(None, hall.id): 6, (hall.bo, None): 4}
    assert found.is_complete


async def test_a_trail_leaves_out_what_a_guild_had_before(hall, database):
    """A withdrawal before the deposit is no way of what was deposited."""
    await hall.give("Ana", hall.potion, 3)
    good(await hall.deposit("Ana", 3))
    good(await hall.withdraw("Bo", 3))
    # Earlier than the times of one transaction may differ.
    earlier = "UPDATE postings SET at = at - interval '1 second'"
    await database.write(lambda writer: writer.run(earlier))
    since = await database.reader.value("SELECT clock_timestamp()")
    await hall.give("Ana", hall.potion, 5)
    good(await hall.deposit("Ana", 5))

    found = await trail.of_item(database.reader, "Ana", hall.potion, since)

    assert [transfer.receivers[0].guild_id for transfer in found.transfers] == [hall.id]
    assert [(holder.guild_id, holder.quantity) for holder in found.holders] == [(hall.id, 5)]


async def test_a_restore_names_the_guild_that_has_it(hall, client, database):
    await hall.give("Ana", hall.potion, 5)
    at = await database.reader.value("SELECT clock_timestamp()")
    good(await hall.deposit("Ana", 5))

    body = {"at": at.isoformat(), "dryrun": True}
    told = good(await client.post("/api/v1/players/Ana/items/restore", json=body))

    assert told["Values"] == []
    [handed] = told["HandedOn"]
    assert handed["Quantity"] == 5
    assert handed["To"] == [{"PlayerId": None, "GuildId": str(hall.id), "Name": "Larkspur Court"}]
    [action] = good(await client.get("/api/v1/actions?kind=guilds.deposit"))["Values"]
    assert (handed["ActionId"], handed["TransactionId"]) == (action["Id"], None)
