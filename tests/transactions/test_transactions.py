"""Transactions: all or nothing, once, for whoever holds the lease; and the books stay right."""

import asyncio
from collections import Counter
from typing import Any
from uuid import UUID, uuid4

import pytest

from gamekeeper.ledger import verify_ledger
from tests.make import (
    make_bag_item,
    make_item,
    make_player,
    make_spell,
    make_user,
    make_variable,
)
from tests.servers.game_server import GameServer

PATH = "/api/v1/transactions"


def items(item: UUID | None = None, quantity: int | None = None, **about: object) -> dict[str, Any]:
    named = {"itemid": item, "quantity": quantity, **about}
    return {"do": "items"} | {
        name.replace("_", ""): str(value) if isinstance(value, UUID) else value
        for name, value in named.items()
        if value is not None
    }


async def send(client, *batches: list[dict[str, Any]], **about: Any) -> list[Any]:
    """Each list of moves as a transaction; the outcomes."""
    expected = about.pop("expected", None)
    body = {
        "transactions": [
            {"key": uuid4().hex, "moves": moves, "expected": expected} for moves in batches
        ]
    }
    answer = await client.post(PATH, json=body | about)
    assert answer.status_code == 200, answer.text
    return answer.json()["Values"]


def codes(outcomes: list[Any]) -> list[str]:
    return [outcome["Failure"]["Code"] if outcome["Failure"] else "done" for outcome in outcomes]


async def held(client, player: UUID) -> dict[str, list[tuple[int, str, int]]]:
    """What lies where: slot, item and quantity."""
    answer = (await client.get(f"/api/v1/players/{player}/items")).json()
    return {
        place: [
            (slot["Slot"], slot["ItemId"], slot["Quantity"]) for slot in slots if slot["Quantity"]
        ]
        for place, slots in answer.items()
    }


async def bag_of(client, player: UUID, slot: int, place: str = "inventory") -> str:
    slots = (await client.get(f"/api/v1/players/{player}/items/{place}")).json()
    return slots[slot]["BagId"]


@pytest.fixture
async def ana(database) -> UUID:
    return await make_player(database, "Ana", user=await make_user(database))


@pytest.fixture
async def bo(database) -> UUID:
    return await make_player(database, "Bo", user=await make_user(database))


@pytest.fixture(autouse=True)
async def the_books_are_right(database):
    """After each test, whatever it did."""
    yield
    assert (await verify_ledger.verify(database.settings)).breach is None


async def test_items_are_made_passed_on_and_gone(client, database, ana, bo):
    potion = await make_item(database)
    outcomes = await send(
        client,
        [items(potion, 25, to="Ana")],
        [items(potion, 12, from_="Ana", to=str(bo))],
        [items(potion, 2, from_="Bo")],
    )

    assert codes(outcomes) == ["done"] * 3
    assert await held(client, ana) == {
        "inventory": [(1, str(potion), 8), (2, str(potion), 5)],
        "bank": [],
    }
    assert await held(client, bo) == {
        "inventory": [(0, str(potion), 8), (1, str(potion), 2)],
        "bank": [],
    }


async def test_a_trade_is_both_or_neither(client, database, ana, bo):
    potion, gem = await make_item(database), await make_item(database, "Gem")
    await send(client, [items(potion, 5, to="Ana"), items(gem, 3, to="Bo")])
    before = await held(client, ana), await held(client, bo)

    refused = await send(
        client, [items(potion, 5, from_="Ana", to="Bo"), items(gem, 4, from_="Bo", to="Ana")]
    )
    assert codes(refused) == ["not_enough_items"]
    assert refused[0]["Failure"]["Details"] == {"Held": 3}
    assert (await held(client, ana), await held(client, bo)) == before

    [done] = await send(
        client, [items(potion, 5, from_="Ana", to="Bo"), items(gem, 3, from_="Bo", to="Ana")]
    )
    assert await held(client, ana) == {"inventory": [(0, str(gem), 3)], "bank": []}
    assert await held(client, bo) == {"inventory": [(1, str(potion), 5)], "bank": []}
    for player in (ana, bo):
        timeline = (await client.get(f"/api/v1/players/{player}/history")).json()["Values"]
        assert timeline[0]["Kind"] == "items.move"
        other = {"player_id": str(bo), "name": "Bo"}
        if player == bo:
            other = {"player_id": str(ana), "name": "Ana"}
        assert timeline[0]["After"] == {
            "transaction": done["Done"]["Id"],
            "counterparties": [other],
        }
        assert {posting["Against"] for posting in timeline[0]["Postings"]} == {"move"}
        undo = await client.post(f"/api/v1/actions/{timeline[0]['Id']}/undo", json={})
        assert undo.json()["Code"] == "not_undoable"
        assert undo.json()["Details"]["Transaction"] == done["Done"]["Id"]


async def test_a_refused_neighbour_changes_nothing_for_the_others(client, database, ana, bo):
    potion, sword = await make_item(database), await make_item(database, "Sword", type="equipment")
    outcomes = await send(
        client,
        [items(potion, 10, to="Ana")],
        [items(sword, 1, to="Ana"), items(potion, 11, from_="Ana")],
        [items(potion, 1, from_="Ana"), items(sword, 1, to="Bo")],
        [items(sword, 1, to="nobody")],
        [items(uuid4(), 1, to="Ana")],
        [items(potion, 0, to="Ana")],
        [items(potion, 1)],
    )

    assert codes(outcomes) == [
        "done",
        "not_enough_items",
        "done",
        "player_not_found",
        "unknown_item",
        "invalid_quantity",
        "invalid_move",
    ]
    assert await held(client, ana) == {"inventory": [(0, str(potion), 9)], "bank": []}
    assert await held(client, bo) == {"inventory": [(0, str(sword), 1)], "bank": []}
    kinds = await database.reader.rows("SELECT kind FROM actions WHERE player_id IS NOT NULL")
    assert Counter(row["kind"] for row in kinds) == {"items.exchange": 3}


async def test_what_is_made_keeps_its_buffs_wherever_it_goes(client, database, ana, bo):
    sword = await make_item(database, "Sword", type="equipment")
    await send(client, [items(sword, 1, to="Ana", stat_buffs=[1, 2, 3, 4, 5])])
    await send(client, [items(sword, 1, from_="Ana", to="Bo", to_place="bank", to_slot=7)])

    bank = (await client.get(f"/api/v1/players/{bo}/items/bank")).json()
    assert (bank[7]["ItemId"], bank[7]["StatBuffs"]) == (str(sword), [1, 2, 3, 4, 5])


async def test_things_move_between_containers_and_slots(client, database, ana):
    potion, gem = await make_item(database), await make_item(database, "Gem")
    satchel = await make_bag_item(database, slots=2)
    await send(client, [items(potion, 10, to="Ana"), items(gem, 4, to="Ana")])
    await send(client, [items(satchel, 1, to="Ana")])
    bag = await bag_of(client, ana, 2)
    mine = {"from_": "Ana", "to": "Ana"}

    outcomes = await send(
        client,
        [items(potion, 3, to_place="bag", to_bag=bag, **mine)],
        [items(gem, None, from_slot=1, to_slot=9, **mine)],
        [items(None, None, from_slot=0, to_slot=9, **mine)],
        [items(None, 2, from_place="bag", from_bag=bag, from_slot=0, to_place="bank", **mine)],
        [items(satchel, 1, to_place="bag", to_bag=bag, **mine)],
        [items(satchel, 1, to_place="bank", **mine)],
        [items(potion, 1, from_place="bag", from_bag=uuid4(), **mine)],
        [items(potion, 1, to_slot=35, **mine)],
        [items(potion, 1, to_slot=0, **mine)],
    )

    assert codes(outcomes) == [
        "done",
        "done",
        "done",
        "done",
        "bag_inside_bag",
        "done",
        "bag_not_found",
        "invalid_move",
        "slot_occupied",
    ]
    assert await held(client, ana) == {
        "inventory": [(0, str(gem), 4), (9, str(potion), 7)],
        "bank": [(0, str(potion), 2), (1, str(satchel), 1)],
    }
    inside = (await client.get(f"/api/v1/players/bag/{bag}")).json()["Slots"]
    assert (inside[0]["ItemId"], inside[0]["Quantity"]) == (str(potion), 1)
    moved = await database.reader.value("SELECT sum(quantity) FROM postings WHERE against = 'move'")
    assert moved == 0


async def test_a_slot_moved_onto_itself_stays_as_it_is(client, database, ana):
    satchel, potion = await make_bag_item(database), await make_item(database)
    await send(client, [items(satchel, to=str(ana)), items(potion, 5, to=str(ana))])
    bag = await bag_of(client, ana, 0)
    before = await held(client, ana)
    here: dict[str, Any] = {"from": str(ana), "to": str(ana)}

    for slot in (0, 1):
        assert codes(await send(client, [items(fromslot=slot, toslot=slot, **here)])) == ["done"]

    assert (await held(client, ana), await bag_of(client, ana, 0)) == (before, bag)


async def test_a_filled_bag_stays_with_its_owner_and_an_empty_one_changes_hands(
    client, database, ana, bo
):
    potion, satchel = await make_item(database), await make_bag_item(database)
    await send(client, [items(satchel, 1, to="Ana"), items(potion, 1, to="Ana")])
    bag = await bag_of(client, ana, 0)
    inside = {"to_place": "bag", "to_bag": bag}
    outside = {"from_place": "bag", "from_bag": bag}

    outcomes = await send(
        client,
        [items(potion, 1, from_="Ana", to="Ana", **inside)],
        [items(satchel, 1, from_="Ana", to="Bo")],
        [items(satchel, 1, from_="Ana")],
        [
            items(potion, 1, from_="Ana", to="Ana", **outside),
            items(satchel, 1, from_="Ana", to="Bo"),
            items(satchel, 1, from_="Bo", to="Ana"),
            items(satchel, 1, from_="Ana", to="Bo"),
            items(potion, 1, from_="Ana", to="Bo", **inside),
        ],
    )

    assert codes(outcomes) == ["done", "bag_not_empty", "bag_not_empty", "done"]
    assert await held(client, ana) == {"inventory": [], "bank": []}
    assert await bag_of(client, bo, 0) == bag
    slots = (await client.get(f"/api/v1/players/bag/{bag}")).json()["Slots"]
    assert slots[0]["ItemId"] == str(potion)


async def test_what_is_worn_and_goes_is_taken_off(client, database, ana):
    sword = await make_item(database, "Sword", type="equipment")
    await send(client, [items(sword, 1, to="Ana", to_slot=3), items(sword, 1, to="Ana", to_slot=4)])
    await database.write(
        lambda writer: writer.run("UPDATE players SET equipment = '{3,4,-1,-1,-1}'")
    )
    await send(client, [items(None, None, from_="Ana", from_slot=3, to="Ana", to_slot=5)])

    player = (await client.get(f"/api/v1/players/{ana}")).json()
    assert player["Equipment"] == [-1, 4, -1, -1, -1]


async def test_variables_spells_and_levels_change_with_the_rest(client, database, ana):
    karma, fire = await make_variable(database), await make_spell(database)
    potion = await make_item(database)
    player = {"player": "Ana"}
    traits = [
        {"do": "variable", "variableid": str(karma), "value": 7, **player},
        {"do": "teach", "spellid": str(fire), **player},
        {"do": "progress", "level": 3, "exp": 50, "gain": 9_000_000_000, **player},
        items(potion, 1, to="Ana"),
    ]
    outcomes = await send(
        client,
        traits,
        [{"do": "variable", "variableid": str(karma), "value": 8, **player}, *traits[1:2]],
        [{"do": "progress", "level": 101, **player}],
        [{"do": "progress", "gain": -9_000_000_051, **player}],
        [{"do": "variable", "variableid": str(karma), "value": "x", **player}],
        [{"do": "variable", "variableid": str(uuid4()), "value": 1, **player}],
        [{"do": "teach", "spellid": str(uuid4()), **player}],
    )

    assert codes(outcomes) == [
        "done",
        "spell_already_known",
        "invalid_progress",
        "invalid_progress",
        "wrong_variable_type",
        "variable_not_found",
        "unknown_spell",
    ]
    shown = (await client.get(f"/api/v1/players/{ana}")).json()
    assert (shown["Level"], shown["Exp"]) == (3, 9_000_000_050)
    value = (await client.get(f"/api/v1/players/{ana}/variables/{karma}/value")).json()
    assert value == {"value": 7}
    timeline = (await client.get(f"/api/v1/players/{ana}/history")).json()["Values"]
    assert {entry["Kind"] for entry in timeline} == {
        "items.exchange",
        "variables.set",
        "spells.teach",
        "players.progress",
    }
    assert {entry["After"]["transaction"] for entry in timeline} == {outcomes[0]["Done"]["Id"]}

    [forgotten] = await send(client, [{"do": "forget", "spellid": str(fire), **player}])
    assert forgotten["Status"] == 200
    assert (await client.get(f"/api/v1/players/{ana}/spells")).json() == []
    for action in timeline:
        undone = await client.post(f"/api/v1/actions/{action['Id']}/undo", json={})
        told = undone.json().get("Code", "done")
        expected = {"spells.teach": "undo_conflict"}
        assert told == expected.get(action["Kind"], "done"), action["Kind"]


async def test_a_sheet_is_saved_with_the_rest_or_not_at_all(client, database, ana):
    """Where a character stands and what it holds change together, and can be undone apart."""
    potion = await make_item(database)
    saved = {"do": "sheet", "player": "Ana", "X": 7, "vitals": [5, 6], "face": "a.png"}
    wrong = {"do": "sheet", "player": "Ana", "vitals": [5, 1000]}
    before = (await client.get(f"/api/v1/players/{ana}/sheet")).json()

    outcomes = await send(
        client,
        [items(potion, 1, to="Ana"), saved],
        [items(potion, 1, to="Ana"), wrong],
        [{"do": "sheet", "player": "Ana", "classid": str(uuid4())}],
        [saved],
    )

    assert codes(outcomes) == ["done", "invalid_sheet", "unknown_class", "done"]
    after = (await client.get(f"/api/v1/players/{ana}/sheet")).json()
    assert after == before | {"X": 7, "Vitals": [5, 6], "Face": "a.png"}
    assert await held(client, ana) == {"inventory": [(0, str(potion), 1)], "bank": []}
    timeline = (await client.get(f"/api/v1/players/{ana}/history")).json()["Values"]
    assert sorted(entry["Kind"] for entry in timeline) == ["items.exchange", "players.sheet"]
    [action] = [entry for entry in timeline if entry["Kind"] == "players.sheet"]
    undone = await client.post(f"/api/v1/actions/{action['Id']}/undo", json={})
    assert undone.status_code == 200
    assert (await client.get(f"/api/v1/players/{ana}/sheet")).json() == before


async def test_a_transaction_is_done_once_however_often_it_is_sent(client, database, ana):
    potion = await make_item(database)
    good, bad = (
        [items(potion, n, **way)] for n, way in ((2, {"to": "Ana"}), (9, {"from_": "Ana"}))
    )
    body = {
        "transactions": [
            {"key": "a", "moves": good},
            {"key": "b", "moves": bad},
            {"key": "a", "moves": good},
            {"key": "a", "moves": bad},
        ]
    }
    first = (await client.post(PATH, json=body)).json()["Values"]
    again = (await client.post(PATH, json=body)).json()["Values"]

    assert codes(first) == ["done", "not_enough_items", "done", "idempotency_key_reused"]
    assert [one["Replayed"] for one in first] == [False, False, True, False]
    assert [one["Replayed"] for one in again] == [True, True, True, False]
    assert [one["Done"] for one in again] == [one["Done"] for one in first]
    assert again[1]["Failure"] == first[1]["Failure"]
    assert (await held(client, ana))["inventory"] == [(0, str(potion), 2)]


async def test_a_stale_transaction_changes_nothing_and_says_where_the_ledger_is(
    client, database, ana
):
    potion = await make_item(database)
    [first] = await send(client, [items(potion, 15, to="Ana")])
    assert first["Done"]["Players"] == [{"PlayerId": str(ana), "Seq": 2}]

    right = [{"player": "Ana", "seq": 2}]
    outcomes = await send(
        client, [items(potion, 1, to="Ana")], [items(potion, 1, to="Ana")], expected=right
    )

    assert codes(outcomes) == ["done", "stale"]
    assert outcomes[1]["Failure"]["Details"] == {"Player": "Ana", "Expected": 2, "Seq": 3}
    assert (await held(client, ana))["inventory"] == [(0, str(potion), 10), (1, str(potion), 6)]


async def test_a_fenced_server_changes_nothing_and_may_send_again_when_it_is_back(
    client, database, ana, bo
):
    potion = await make_item(database)
    server = await GameServer.register(client)
    await server.join(ana)
    body = {"transactions": [{"key": "loot", "moves": [items(potion, 1, to="Ana")]}]}
    late = await GameServer.register(client)

    def held_by(one: GameServer) -> dict[str, Any]:
        return body | {"server": str(one.id), "fence": one.fence}

    fenced = await client.post(PATH, json=held_by(server))
    assert (fenced.status_code, fenced.json()["Code"]) == (409, "fenced")
    not_joined = (await client.post(PATH, json=held_by(late))).json()["Values"]
    assert codes(not_joined) == ["fenced"]
    assert not_joined[0]["Failure"]["Details"] == {"Player": "Ana"}
    assert (await held(client, ana))["inventory"] == []

    await late.join(ana)
    assert codes((await client.post(PATH, json=held_by(late))).json()["Values"]) == ["done"]
    elsewhere = await GameServer.register(client, "Elsewhere")
    await elsewhere.join(ana)
    [outcome] = await send(
        client, [items(potion, 1, to="Ana")], server=str(late.id), fence=late.fence
    )
    assert outcome["Failure"]["Code"] == "fenced"
    assert (await held(client, ana))["inventory"] == [(0, str(potion), 1)]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            {"transactions": [], "server": str(uuid4())},
            "'server' and 'fence' must be sent together.",
        ),
        ({"transactions": [{"key": "", "moves": []}]}, "'key' must be a string of 1 to 200"),
        (
            {"transactions": [{"key": "k", "moves": [{"do": "steal"}]}]},
            "moves[0].do' must be 'items' or",
        ),
        (
            {"transactions": [{"key": "k", "moves": [{"do": "teach"}]}]},
            "The move requires 'player'.",
        ),
        ({"transactions": [{"key": "k", "moves": []}] * 101}, "a list of at most 100"),
        ({"transactions": [{"key": "k", "moves": [{"do": "items"}] * 51}]}, "at most 50"),
    ],
)
async def test_what_makes_no_sense_is_refused_as_a_whole(client, body, message):
    answer = await client.post(PATH, json=body)

    assert answer.status_code == 400
    assert message in answer.json()["Message"]


GOOD_MOVE = {"do": "items"}
TEACH = {"do": "teach", "player": "Ana"}


@pytest.mark.parametrize(
    ("bad", "code", "message", "details"),
    [
        (
            {"key": "k", "moves": [GOOD_MOVE, {"do": "items", "itemid": "x"}]},
            "invalid_body",
            "'transactions[2].moves[1].itemid' must be a guid.",
            {"Field": "transactions", "Path": "transactions[2].moves[1].itemid"},
        ),
        (
            {"moves": []},
            "invalid_body",
            "'transactions[2].key' is required.",
            {"Field": "transactions", "Path": "transactions[2].key"},
        ),
        (
            {"key": "k", "moves": [GOOD_MOVE, GOOD_MOVE, TEACH]},
            "invalid_move",
            "The move requires 'spellid'.",
            {"Field": "spellid", "Path": "transactions[2].moves[2].spellid"},
        ),
        (
            {"key": "", "moves": []},
            "invalid_body",
            "'key' must be a string of 1 to 200 characters.",
            {"Field": "key", "Path": "transactions[2].key"},
        ),
    ],
)
async def test_a_refusal_says_which_transaction_and_which_move(client, bad, code, message, details):
    good = {"key": "k", "moves": []}
    answer = await client.post(PATH, json={"transactions": [good, good, bad]})

    said = answer.json()
    assert (answer.status_code, said["Code"]) == (400, code)
    assert (said["Message"], said["Details"]) == (message, details)


async def test_a_body_may_have_a_mebibyte_here_and_only_here(client):
    body = {"transactions": [], "pad": "x" * 900_000}
    assert (await client.post(PATH, json=body)).json() == {"Values": []}
    body["pad"] *= 2
    answer = await client.post(PATH, json=body)
    assert answer.json()["Message"] == "The body is larger than 1024 KiB."
    assert (await client.post("/api/v1/servers", json={"name": "x" * 70_000})).status_code == 413


async def test_twenty_that_trade_with_each_other_at_once_lose_nothing(client, database):
    owner = await make_user(database)
    players = [await make_player(database, user=owner) for _ in range(5)]
    potion = await make_item(database, inventory_stack=50)
    await send(client, [items(potion, 100, to=str(player)) for player in players])

    async def trade(number: int) -> str:
        one, other = players[number % 5], players[(number * 3 + 1) % 5]
        gives = items(potion, number + 1, from_=str(one), to=str(other))
        takes = items(potion, 5, from_=str(other), to=str(one))
        return codes(await send(client, [gives, takes]))[0]

    told = Counter(await asyncio.gather(*(trade(number) for number in range(20))))
    assert set(told) <= {"done", "not_enough_items", "inventory_full"}
    assert told["done"] > 10
    assert await database.reader.value("SELECT sum(quantity) FROM slots") == 500


async def test_one_slot_of_a_bag_is_emptied_and_the_other_stays(client, database, ana):
    potion, gem = await make_item(database), await make_item(database, "Gem")
    satchel = await make_bag_item(database, slots=2)
    await send(client, [items(potion, 3, to="Ana"), items(gem, 4, to="Ana")])
    await send(client, [items(satchel, 1, to="Ana")])
    bag = await bag_of(client, ana, 2)
    mine = {"from_": "Ana", "to": "Ana"}
    into = {"to_place": "bag", "to_bag": bag, **mine}
    await send(client, [items(potion, 3, **into)], [items(gem, 4, **into)])

    await send(client, [items(potion, 3, from_place="bag", from_bag=bag, **mine)])

    [left] = await database.reader.rows("SELECT item_id, quantity FROM bag_slots")
    assert tuple(left) == (gem, 4)


async def test_a_change_in_the_bank_leaves_what_is_worn(client, database, ana):
    """It lies in the slot of the inventory that has the same number."""
    potion = await make_item(database)
    sword = await make_item(database, "Sword", type="equipment")
    await send(client, [items(sword, 1, to="Ana", to_slot=5)])
    await send(client, [items(potion, 3, to="Ana", to_place="bank", to_slot=5)])
    worn = "UPDATE players SET equipment = array_fill(5, ARRAY[1])"
    await database.write(lambda writer: writer.run(worn))

    await send(client, [items(potion, 3, from_="Ana", from_place="bank")])

    assert await database.reader.value("SELECT equipment[1] FROM players WHERE id = $1", ana) == 5
