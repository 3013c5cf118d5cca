"""What was lost comes back, once, and nothing that was not lost does."""

import asyncio
from uuid import UUID, uuid4

import pytest

from gamekeeper.history.restore import Restoration, restore
from gamekeeper.ledger import actions
from gamekeeper.players import items
from gamekeeper.players.items import Gift, Taking
from tests.history.test_as_of import clock
from tests.make import BY, fill_slot, make_bag_item, make_item, make_player

TABLES = ("slots", "bags", "bag_owners", "bag_slots", "postings", "actions", "ledger_heads")


@pytest.fixture
async def ana(database) -> UUID:
    return await make_player(database, "ana")


async def give(database, item: UUID, quantity: int, **about) -> None:
    await items.give.one(
        database, Gift(by=BY, player="ana", item_id=item, quantity=quantity, **about)
    )


async def take(database, item: UUID, quantity: int) -> None:
    await items.take.one(database, Taking(by=BY, player="ana", item_id=item, quantity=quantity))


async def ask(client, at, *slots: tuple[str, int], **about):
    body = {"at": at.isoformat()} | about
    if slots:
        body["slots"] = [{"place": place, "slot": slot} for place, slot in slots]
    headers = {"Idempotency-Key": body.pop("key")} if "key" in body else {}
    return await client.post("/api/v1/players/ana/items/restore", json=body, headers=headers)


def back(answer) -> list[tuple]:
    assert answer.status_code == 200, answer.text
    return [(entry["Quantity"], entry["Place"], entry["Slot"]) for entry in answer.json()["Values"]]


async def slots(database) -> dict[tuple, int]:
    rows = await database.reader.rows("SELECT place, slot, quantity FROM slots")
    return {(row["place"], row["slot"]): row["quantity"] for row in rows}


async def counts(database) -> list[int]:
    sql = {table: f"SELECT count(*) FROM {table}" for table in TABLES}
    return [await database.reader.value(sql[table]) for table in TABLES]


async def test_what_was_taken_comes_back_where_it_lay_as_one_action(client, database, ana):
    potion = await make_item(database)
    await give(database, potion, 25)
    before, then = await slots(database), await clock(database)
    await take(database, potion, 14)

    answer = await ask(client, then, reason="taken by mistake")

    assert back(answer) == [(10, "inventory", 0), (4, "inventory", 1)]
    assert await slots(database) == before
    [row] = await database.reader.rows("SELECT * FROM actions WHERE kind = 'items.restore'")
    assert (str(row["id"]), row["reason"]) == (answer.json()["ActionId"], "taken by mistake")
    assert (row["before"]["items"][0]["total"], row["after"]["items"][0]["total"]) == (11, 25)
    posted = await database.reader.rows(
        "SELECT quantity, against FROM postings WHERE action_id = $1 ORDER BY seq", row["id"]
    )
    assert [tuple(one) for one in posted] == [(10, "restore"), (4, "restore")]


async def test_a_second_time_nothing_is_missing(client, database, ana):
    potion = await make_item(database)
    await give(database, potion, 5)
    then = await clock(database)
    await take(database, potion, 5)
    await ask(client, then)
    left = await counts(database)

    answer = await ask(client, then)

    assert (back(answer), answer.json()["ActionId"]) == ([], None)
    assert await counts(database) == left


async def test_a_dry_run_says_the_same_and_writes_nothing(client, database, ana):
    satchel, potion = await make_bag_item(database), await make_item(database)
    await give(database, satchel, 1)
    await give(database, potion, 5)
    then = await clock(database)
    await take(database, satchel, 1)
    await take(database, potion, 3)
    left = await counts(database), await slots(database)

    tried = await ask(client, then, dryrun=True)

    assert (tried.json()["DryRun"], tried.json()["ActionId"]) == (True, None)
    assert (await counts(database), await slots(database)) == left
    assert (await ask(client, then)).json()["Values"] == tried.json()["Values"]


async def test_only_what_lay_in_the_slots_asked_for_comes_back(client, database, ana):
    sword = await make_item(database, "Sword", type="equipment")
    await give(database, sword, 3)
    then = await clock(database)
    await take(database, sword, 3)

    assert back(await ask(client, then, ("inventory", 1), ("bank", 1))) == [(1, "inventory", 1)]
    assert await slots(database) == {("inventory", 1): 1}


async def test_what_an_undo_took_back_is_not_lost(client, database, ana):
    """A gift that was a fraud, undone: a restore to the time between must not bring it back."""
    potion = await make_item(database)
    await give(database, potion, 5)
    then = await clock(database)
    gift = await database.reader.value("SELECT id FROM actions WHERE kind = 'items.give'")
    assert (await client.post(f"/api/v1/actions/{gift}/undo", json={})).status_code == 200

    answer = await ask(client, then)

    assert (back(answer), answer.json()["ActionId"]) == ([], None)
    assert await slots(database) == {}


async def test_an_undone_gift_does_not_come_back_out_of_an_older_loss(client, database, ana):
    potion = await make_item(database)
    await give(database, potion, 5)
    await take(database, potion, 5)
    await give(database, potion, 5)
    then = await clock(database)
    gift = await database.reader.value(
        "SELECT id FROM actions WHERE kind = 'items.give' ORDER BY at DESC LIMIT 1"
    )
    await client.post(f"/api/v1/actions/{gift}/undo", json={})

    assert back(await ask(client, then)) == []


async def test_out_of_two_losses_one_slot_comes_back_as_one(client, database, ana):
    potion = await make_item(database)
    await give(database, potion, 5)
    then = await clock(database)
    await take(database, potion, 2)
    await take(database, potion, 3)

    assert back(await ask(client, then)) == [(5, "inventory", 0)]
    rows = await database.reader.rows(
        "SELECT quantity FROM postings WHERE against = 'restore' ORDER BY seq"
    )
    assert [row["quantity"] for row in rows] == [3, 2]


async def test_what_the_player_has_again_is_not_missing(client, database, ana):
    potion = await make_item(database)
    await give(database, potion, 8)
    then = await clock(database)
    await take(database, potion, 8)
    await give(database, potion, 6)

    assert back(await ask(client, then)) == [(2, "inventory", 0)]


async def test_what_the_player_has_again_in_another_slot_is_not_missing(client, database, ana):
    """All eight were lost, and none lie where they did: only the six held now are the limit."""
    potion, sword = await make_item(database), await make_item(database, "Sword", type="equipment")
    await give(database, potion, 8)
    then = await clock(database)
    await take(database, potion, 8)
    await give(database, sword, 1)
    await give(database, potion, 6)

    assert back(await ask(client, then)) == [(2, "inventory", 1)]
    assert await slots(database) == {("inventory", 0): 1, ("inventory", 1): 8}


async def move(database, player: UUID, item: UUID, *moves: tuple) -> None:
    """Nothing of ours moves or trades yet, so slots and postings are written by hand."""
    moved = [
        actions.LedgerPosting(
            player_id=player,
            action_id=uuid4(),
            place=place,
            inside=bag,
            slot=slot,
            item_id=item,
            held_before=before,
            held_after=after,
            stat_buffs=(0, 0, 0, 0, 0),
            bag_id=None,
            against="move",
        )
        for place, bag, slot, before, after in moves
    ]
    await database.write(lambda writer: actions.post(writer, moved))


async def test_what_was_moved_to_the_bank_or_a_bag_is_not_missing(client, database, ana):
    potion, satchel = await make_item(database), await make_bag_item(database)
    await give(database, satchel, 1)
    await give(database, potion, 9)
    then, bag = await clock(database), await database.reader.value("SELECT id FROM bags")
    await fill_slot(database, ana, "bank", 7, potion, 2)

    async def pack(writer) -> None:
        await writer.run("UPDATE slots SET quantity = 4 WHERE quantity = 9")
        await writer.run("INSERT INTO bag_slots SELECT player_id, id, 0, $1, 3 FROM bags", potion)

    await database.write(pack)
    await move(
        database,
        ana,
        potion,
        ("inventory", None, 1, 9, 4),
        ("bank", None, 7, 0, 2),
        ("bag", bag, 0, 0, 3),
    )
    await take(database, potion, 4)

    assert back(await ask(client, then)) == [(4, "inventory", 1)]


async def test_what_was_traded_on_is_not_given_again(client, database, ana):
    potion = await make_item(database)
    await give(database, potion, 9)
    then = await clock(database)
    await take(database, potion, 2)
    await database.write(lambda writer: writer.run("UPDATE slots SET quantity = 3"))
    await move(database, ana, potion, ("inventory", None, 0, 7, 3))

    assert back(await ask(client, then)) == [(2, "inventory", 0)]


async def test_of_two_swords_the_one_with_the_lost_buffs_comes_back(client, database, ana):
    sword = await make_item(database, "Sword", type="equipment")
    await fill_slot(database, ana, "inventory", 0, sword, 1, (5, 0, 0, 0, 0))
    await fill_slot(database, ana, "inventory", 1, sword)
    then = await clock(database)
    await take(database, sword, 1)

    [one] = (await ask(client, then)).json()["Values"]

    assert (one["Slot"], one["StatBuffs"]) == (0, [5, 0, 0, 0, 0])
    assert await database.reader.value("SELECT stat_buffs FROM slots WHERE slot = 0") == [
        *(5, 0, 0, 0, 0)
    ]


async def test_a_bag_comes_back_as_a_new_and_empty_one(client, database, ana):
    satchel = await make_bag_item(database)
    await give(database, satchel, 1)
    then, old = await clock(database), await database.reader.value("SELECT id FROM bags")
    await take(database, satchel, 1)

    await ask(client, then)

    [new] = await database.reader.rows("SELECT id FROM bags")
    assert new["id"] != old
    assert await database.reader.value("SELECT bag_id FROM slots") == new["id"]


async def test_what_finds_its_slot_taken_goes_where_a_gift_would(client, database, ana):
    sword = await make_item(database, "Sword", type="equipment")
    shield = await make_item(database, "Shield", type="equipment")
    await give(database, sword, 2)
    then = await clock(database)
    await take(database, sword, 2)
    await give(database, shield, 1)

    assert back(await ask(client, then)) == [(1, "inventory", 1), (1, "inventory", 2)]


async def test_without_room_nothing_comes_back(client, database, ana):
    sword = await make_item(database, "Sword", type="equipment")
    shield = await make_item(database, "Shield", type="equipment", bankable=False)
    await give(database, shield, 2)
    then = await clock(database)
    await take(database, shield, 2)
    await give(database, sword, 34)
    left = await counts(database)

    for dry in (True, False):
        answer = await ask(client, then, dryrun=dry)
        assert (answer.status_code, answer.json()["Code"]) == (409, "inventory_full")
        assert answer.json()["Details"] == {"Lacking": {str(shield): 1}}
    assert await counts(database) == left


async def test_under_a_key_it_is_done_once_and_answered_the_same(client, database, ana):
    potion = await make_item(database)
    await give(database, potion, 5)
    then = await clock(database)
    await take(database, potion, 5)

    first = await ask(client, then, key="k")
    await take(database, potion, 5)
    again = await ask(client, then, key="k")

    assert again.content == first.content
    assert again.headers["Idempotency-Replayed"] == "true"
    assert await slots(database) == {}


async def test_twenty_at_once_give_back_once(database, ana):
    potion = await make_item(database)
    await give(database, potion, 5)
    then = await clock(database)
    await take(database, potion, 5)
    order = Restoration(by=BY, player="ana", at=then)

    await asyncio.gather(*(restore(database, [order]) for _ in range(20)))

    assert await slots(database) == {("inventory", 0): 5}
    sql = "SELECT count(*) FROM actions WHERE kind = 'items.restore'"
    assert await database.reader.value(sql) == 1


async def test_in_one_batch_each_counts_what_the_one_before_did(database, ana):
    """A dry run leaves nothing for the next to find, and a refusal hinders nobody."""
    potion = await make_item(database)
    await give(database, potion, 5)
    then = await clock(database)
    await take(database, potion, 5)
    orders = [
        Restoration(by=BY, player=player, at=then, dry_run=dry)
        for player, dry in (("ana", True), ("nobody", False), ("ana", False), ("ana", False))
    ]

    tried, unknown, done, idle = await restore(database, orders)

    assert unknown.code == "player_not_found"
    assert [len(one.values) for one in (tried, done, idle)] == [1, 1, 0]
    assert await slots(database) == {("inventory", 0): 5}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "'at' is required."),
        ({"at": "then"}, "'at' must be an instant"),
        ({"at": "2026-01-01T00:00:00Z", "slots": 3}, "'slots' must be a list of objects."),
        (
            {"at": "2026-01-01T00:00:00Z", "slots": [{"place": "bag", "slot": 1}]},
            "'slots[0].place' must be 'inventory'",
        ),
    ],
)
async def test_a_wrong_body_is_refused_with_the_field(client, database, ana, body, message):
    answer = await client.post("/api/v1/players/ana/items/restore", json=body)
    assert (answer.status_code, answer.json()["Code"]) == (400, "invalid_body")
    assert answer.json()["Message"].startswith(message)


async def test_what_was_handed_on_is_named_with_its_transaction(client, database):
    """Nothing is missing, and staff hear who has it and what to undo."""
    await make_player(database, "ana")
    bo = await make_player(database, "bo")
    potion = await make_item(database)
    body = {"itemid": str(potion), "quantity": 5}
    assert (await client.post("/api/v1/players/ana/items/give", json=body)).status_code == 200
    at = (await database.reader.value("SELECT clock_timestamp()")).isoformat()

    async def move(key: str, **about: object) -> str:
        moved = {"do": "items", "itemid": str(potion), "from": "ana", **about}
        sent = {"transactions": [{"key": key, "moves": [moved]}]}
        [outcome] = (await client.post("/api/v1/transactions", json=sent)).json()["Values"]
        return outcome["Done"]["Id"]

    async def restored() -> dict[str, object]:
        body = {"at": at, "dryrun": True}
        answer = await client.post("/api/v1/players/ana/items/restore", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    await move("a", quantity=2, to="ana", toplace="bank")
    assert (await restored())["HandedOn"] == []
    trade = await move("b", quantity=3, to="bo")
    found = await restored()
    assert found["Values"] == []
    [handed] = found["HandedOn"]
    assert handed.pop("At") > at
    shown = (await client.get(f"/api/v1/transactions/{trade}")).json()
    assert handed == {
        "ItemId": str(potion),
        "StatBuffs": [0, 0, 0, 0, 0],
        "BagId": None,
        "Quantity": 3,
        "ActionId": shown["Actions"][0]["Id"],
        "TransactionId": trade,
        "To": [{"PlayerId": str(bo), "GuildId": None, "Name": "bo"}],
    }
    assert (await client.post(f"/api/v1/transactions/{trade}/undo", json={})).status_code == 200
    assert (await restored())["HandedOn"] == []


async def test_two_stacks_in_a_bag_are_both_counted(client, database, ana):
    """Nine: three stay, three and three go into a bag; three are taken and given again."""
    potion, satchel = await make_item(database), await make_bag_item(database)
    await give(database, satchel, 1)
    await give(database, potion, 9)
    then, bag = await clock(database), await database.reader.value("SELECT id FROM bags")

    async def pack(writer) -> None:
        await writer.run("UPDATE slots SET quantity = 3 WHERE quantity = 9")
        for slot in (0, 1):
            sql = "INSERT INTO bag_slots SELECT player_id, id, $2, $1, 3 FROM bags"
            await writer.run(sql, potion, slot)

    await database.write(pack)
    packed = [("bag", bag, 0, 0, 3), ("bag", bag, 1, 0, 3)]
    await move(database, ana, potion, ("inventory", None, 1, 9, 3), *packed)
    await take(database, potion, 3)
    await give(database, potion, 3)

    assert back(await ask(client, then)) == []


async def test_what_was_undone_again_since_is_not_lost(client, database, ana):
    """A gift, undone and redone before the instant, and undone again after it."""
    potion = await make_item(database)
    await give(database, potion, 5)
    undone = await database.reader.value("SELECT id FROM actions WHERE kind = 'items.give'")
    for _ in range(2):
        undone = (await client.post(f"/api/v1/actions/{undone}/undo", json={})).json()["Id"]
    then = await clock(database)
    last = await client.post(f"/api/v1/actions/{undone}/undo", json={})

    assert last.status_code == 200, last.text
    assert back(await ask(client, then)) == []
