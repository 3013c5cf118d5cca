"""Whole transactions undone: every side or none, what is in the way, and undone again."""

import asyncio
from collections import Counter
from typing import Any
from uuid import UUID, uuid4

import pytest

from gamekeeper.history.undo import transactions as whole
from gamekeeper.history.undo.execute import UndoingTransaction
from gamekeeper.ledger import verify_ledger
from tests.make import (
    BY,
    make_bag_item,
    make_item,
    make_player,
    make_spell,
    make_user,
    make_variable,
)
from tests.security.callers import key_with
from tests.transactions.test_transactions import bag_of, codes, held, items, send

PATH = "/api/v1/transactions"


@pytest.fixture
async def ana(database) -> UUID:
    return await make_player(database, "Ana", user=await make_user(database))


@pytest.fixture
async def bo(database) -> UUID:
    return await make_player(database, "Bo", user=await make_user(database))


@pytest.fixture
async def cy(database) -> UUID:
    return await make_player(database, "Cy", user=await make_user(database))


@pytest.fixture(autouse=True)
async def the_books_are_right(database):
    yield
    assert (await verify_ledger.verify(database.settings)).breach is None


async def done(client, *moves: dict[str, Any]) -> str:
    """The id of a transaction that was carried out."""
    [outcome] = await send(client, list(moves))
    assert outcome["Done"], outcome
    return outcome["Done"]["Id"]


async def undo(client, transaction: str, status: int = 200, **body: Any) -> Any:
    answer = await client.post(f"{PATH}/{transaction}/undo", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


async def count(database) -> int:
    return await database.reader.value("SELECT count(*) FROM actions")


async def totals(database, item: UUID) -> int:
    return await database.reader.value(
        """
        SELECT coalesce((SELECT sum(quantity) FROM slots WHERE item_id = $1), 0)
             + coalesce((SELECT sum(quantity) FROM bag_slots WHERE item_id = $1), 0)
        """,
        item,
    )


async def test_a_trade_is_undone_on_both_sides_and_redone(client, database, ana, bo):
    potion, gem = await make_item(database), await make_item(database, "Gem")
    await done(client, items(potion, 5, to="Ana"), items(gem, 3, to="Bo"))
    before = await held(client, ana), await held(client, bo)
    trade = await done(
        client, items(potion, 5, from_="Ana", to="Bo"), items(gem, 3, from_="Bo", to="Ana")
    )
    after = await held(client, ana), await held(client, bo)

    previewed = await undo(client, trade, dryrun=True)
    assert (await held(client, ana), await held(client, bo)) == after
    undone = await undo(client, trade, reason="a swindle")

    assert (await held(client, ana), await held(client, bo)) == before
    assert (previewed["Id"], previewed["DryRun"]) == (None, True)
    assert (undone["Undoes"], undone["DryRun"]) == (trade, False)
    assert sorted(player["Name"] for player in undone["Players"]) == ["Ana", "Bo"]
    assert [action["Done"] for action in previewed["Actions"]] == [
        action["Done"] for action in undone["Actions"]
    ]
    again = await undo(client, trade, 409)
    assert (again["Code"], again["Message"]) == (
        "already_undone",
        "This transaction is already undone.",
    )
    assert again["Details"]["By"] in [action["Id"] for action in undone["Actions"]]

    await undo(client, undone["Id"])
    assert (await held(client, ana), await held(client, bo)) == after
    assert (await undo(client, undone["Id"], 409))["Code"] == "already_undone"
    await undo(client, trade)
    assert (await held(client, ana), await held(client, bo)) == before


async def test_the_undo_is_in_the_log_as_a_transaction(client, database, ana, bo):
    potion = await make_item(database)
    await done(client, items(potion, 5, to="Ana"))
    trade = await done(client, items(potion, 5, from_="Ana", to="Bo"))
    undone = await undo(client, trade, reason="a swindle")

    shown = (await client.get(f"{PATH}/{undone['Id']}")).json()
    assert (shown["Reason"], shown["IsUndone"]) == ("a swindle", False)
    assert [action["Kind"] for action in shown["Actions"]] == ["undo", "undo"]
    former = (await client.get(f"{PATH}/{trade}")).json()
    assert former["IsUndone"] is True
    assert [action["UndoneBy"] for action in former["Actions"]] == [
        action["Id"] for action in shown["Actions"]
    ]
    for action in shown["Actions"]:
        alone = await client.post(f"/api/v1/actions/{action['Id']}/undo", json={})
        assert alone.json()["Code"] == "not_undoable"
        assert alone.json()["Details"]["Transaction"] == undone["Id"]


async def test_what_was_handed_on_is_in_the_way_and_named(client, database, ana, bo, cy):
    potion = await make_item(database)
    await done(client, items(potion, 5, to="Ana"))
    trade = await done(client, items(potion, 5, from_="Ana", to="Bo"))
    on = await done(client, items(potion, 3, from_="Bo", to="Cy"))
    before, actions = await held(client, bo), await count(database)

    refused = await undo(client, trade, 409)

    assert refused["Code"] == "undo_conflict"
    [obstacle] = refused["Details"]["InTheWay"]
    assert (obstacle["Reason"], obstacle["Wanted"], obstacle["Possible"]) == ("gone", 5, 2)
    assert (obstacle["PlayerId"], obstacle["PlayerName"]) == (str(bo), "Bo")
    [handed] = obstacle["HandedOn"]
    assert handed["To"] == [{"PlayerId": str(cy), "GuildId": None, "Name": "Cy"}]
    assert (handed["Quantity"], handed["TransactionId"]) == (3, on)
    assert (await held(client, bo), await count(database)) == (before, actions)

    await undo(client, on)
    await undo(client, trade)
    assert await held(client, ana) == {"inventory": [(0, str(potion), 5)], "bank": []}


async def test_no_room_is_in_the_way(client, database, ana, bo):
    potion = await make_item(database)
    await done(client, items(potion, 5, to="Ana"))
    trade = await done(client, items(potion, 5, from_="Ana", to="Bo"))
    slots = database.settings.inventory_slots + database.settings.bank_slots
    rock = await make_item(database, "Rock", inventory_stack=1, bank_stack=1)
    for _ in range(slots // 20):
        await done(client, items(rock, 20, to="Ana", bankoverflow=True))
    await done(client, items(rock, slots % 20, to="Ana", bankoverflow=True)) if slots % 20 else None

    [obstacle] = (await undo(client, trade, 409))["Details"]["InTheWay"]
    assert (obstacle["Reason"], obstacle["PlayerName"]) == ("no_room", "Ana")
    assert await totals(database, potion) == 5


async def test_a_middleman_is_no_obstacle(client, database, ana, bo, cy):
    """In one transaction it went through Bo's hands, who has none now."""
    sword = await make_item(database, "Sword", type="equipment")
    await done(client, items(sword, 1, to="Ana"))
    trade = await done(
        client, items(sword, 1, from_="Ana", to="Bo"), items(sword, 1, from_="Bo", to="Cy")
    )

    undone = await undo(client, trade)
    assert (await held(client, ana))["inventory"] == [(0, str(sword), 1)]
    again = await undo(client, undone["Id"])
    assert (await held(client, cy))["inventory"] == [(0, str(sword), 1)]
    await undo(client, again["Id"])
    assert (await held(client, ana))["inventory"] == [(0, str(sword), 1)]


async def test_what_was_made_and_used_up_on_the_way_comes_back_right(client, database, ana, bo):
    """Made for Ana, passed to Bo, some used up there: all in one transaction."""
    potion = await make_item(database)
    trade = await done(
        client,
        items(potion, 5, to="Ana"),
        items(potion, 5, from_="Ana", to="Bo"),
        items(potion, 2, from_="Bo"),
    )
    after = await held(client, ana), await held(client, bo)

    undone = await undo(client, trade)
    assert await totals(database, potion) == 0
    await undo(client, undone["Id"])
    assert (await held(client, ana), await held(client, bo)) == after


async def test_all_kinds_of_changes_are_undone_together(client, database, ana, bo):
    potion, fire = await make_item(database), await make_spell(database)
    karma = await make_variable(database)
    await done(client, items(potion, 5, to="Ana"))
    trade = await done(
        client,
        items(potion, 2, from_="Ana", to="Bo"),
        {"do": "variable", "player": "Ana", "variableid": str(karma), "value": 7},
        {"do": "variable", "player": "Ana", "variableid": str(karma), "value": 8},
        {"do": "teach", "player": "Bo", "spellid": str(fire)},
        {"do": "progress", "player": "Bo", "level": 2},
        {"do": "sheet", "player": "Bo", "x": 77},
    )

    undone = await undo(client, trade)
    assert Counter(action["Kind"] for action in undone["Actions"]) == {
        "items.move": 2,
        "variables.set": 2,
        "spells.teach": 1,
        "players.progress": 1,
        "players.sheet": 1,
    }
    assert (await client.get("/api/v1/players/Ana/variables")).json() == []
    assert (await client.get("/api/v1/players/Bo/spells")).json() == []
    bo_now = (await client.get("/api/v1/players/Bo")).json()
    assert (bo_now["Level"], bo_now["X"] == 77) == (1, False)

    await undo(client, undone["Id"])
    assert (await client.get("/api/v1/players/Ana/variables")).json()[0]["Value"] == 8
    assert (await client.get("/api/v1/players/Bo")).json()["X"] == 77


async def test_one_change_that_cannot_be_undone_keeps_all(client, database, ana, bo):
    potion, karma = await make_item(database), await make_variable(database)
    await done(client, items(potion, 5, to="Ana"))
    trade = await done(
        client,
        items(potion, 2, from_="Ana", to="Bo"),
        {"do": "variable", "player": "Ana", "variableid": str(karma), "value": 7},
    )
    await client.post(f"/api/v1/players/Ana/variables/{karma}", json={"value": 9})
    before = await held(client, ana), await held(client, bo), await count(database)

    [obstacle] = (await undo(client, trade, 409))["Details"]["InTheWay"]
    assert (obstacle["Reason"], obstacle["PlayerName"]) == ("changed_since", "Ana")
    assert (await held(client, ana), await held(client, bo), await count(database)) == before


async def test_what_was_undone_alone_stays_undone(client, database, ana, bo):
    potion, karma = await make_item(database), await make_variable(database)
    await done(client, items(potion, 5, to="Ana"))
    trade = await done(
        client,
        items(potion, 2, from_="Ana", to="Bo"),
        {"do": "variable", "player": "Ana", "variableid": str(karma), "value": 7},
    )
    [action] = [
        action["Id"]
        for action in (await client.get(f"{PATH}/{trade}")).json()["Actions"]
        if action["Kind"] == "variables.set"
    ]
    assert (await client.post(f"/api/v1/actions/{action}/undo", json={})).status_code == 200
    assert (await client.get(f"{PATH}/{trade}")).json()["IsUndone"] is False

    undone = await undo(client, trade)
    assert {action["Kind"] for action in undone["Actions"]} == {"items.move"}
    assert (await undo(client, trade, 409))["Code"] == "already_undone"
    await undo(client, undone["Id"])
    assert (await client.get("/api/v1/players/Ana/variables")).json() == []


async def test_a_change_of_places_is_undone_with_a_filled_bag(client, database, ana):
    """A filled bag stays with its owner, and may go back to the place where it lay."""
    satchel, potion = await make_bag_item(database), await make_item(database)
    await done(client, items(satchel, 1, to="Ana"), items(potion, 2, to="Ana"))
    bag = await bag_of(client, ana, 0)
    await done(client, items(potion, 2, from_="Ana", to="Ana", toplace="bag", tobag=bag))
    before = await held(client, ana)
    moved = await done(client, items(satchel, 1, from_="Ana", to="Ana", toplace="bank"))

    await undo(client, moved)
    assert await held(client, ana) == before
    assert await bag_of(client, ana, 0) == bag
    assert await totals(database, potion) == 2


async def test_a_bag_that_was_filled_since_stays(client, database, ana, bo):
    satchel, potion = await make_bag_item(database), await make_item(database)
    await done(client, items(satchel, 1, to="Ana"), items(potion, 2, to="Bo"))
    bag = await bag_of(client, ana, 0)
    trade = await done(client, items(satchel, 1, from_="Ana", to="Bo"))
    filled = await done(client, items(potion, 2, from_="Bo", to="Bo", toplace="bag", tobag=bag))

    [obstacle] = (await undo(client, trade, 409))["Details"]["InTheWay"]
    assert (obstacle["Reason"], obstacle["PlayerName"]) == ("bag_not_empty", "Bo")
    await undo(client, filled)
    await undo(client, trade)
    assert await bag_of(client, ana, 0) == bag


async def test_what_lies_in_a_bag_by_now_is_found_there(client, database, ana, bo):
    satchel, potion = await make_bag_item(database), await make_item(database)
    await done(client, items(satchel, 1, to="Bo"), items(potion, 2, to="Ana"))
    bag = await bag_of(client, bo, 0)
    trade = await done(client, items(potion, 2, from_="Ana", to="Bo"))
    await done(client, items(potion, 2, from_="Bo", to="Bo", toplace="bag", tobag=bag))

    await undo(client, trade)
    assert await held(client, ana) == {"inventory": [(0, str(potion), 2)], "bank": []}
    assert await totals(database, potion) == 2


async def test_a_bag_given_away_after_it_was_emptied_is_filled_again(client, database, ana, bo):
    satchel, potion = await make_bag_item(database), await make_item(database)
    await done(client, items(satchel, 1, to="Ana"), items(potion, 2, to="Ana"))
    bag = await bag_of(client, ana, 0)
    await done(client, items(potion, 2, from_="Ana", to="Ana", toplace="bag", tobag=bag))
    before = await held(client, ana)
    trade = await done(
        client,
        items(potion, 2, from_="Ana", fromplace="bag", frombag=bag, to="Ana"),
        items(satchel, 1, from_="Ana", to="Bo"),
    )

    await undo(client, trade)
    assert await held(client, ana) == before
    inside = (await client.get(f"/api/v1/players/bag/{bag}")).json()["Slots"]
    assert (inside[0]["ItemId"], inside[0]["Quantity"]) == (str(potion), 2)


async def test_stat_buffs_go_back_and_equal_items_without_them_do_not(client, database, ana, bo):
    sword = await make_item(database, "Sword", type="equipment")
    await done(client, items(sword, 1, to="Ana", statbuffs=[1, 2, 3, 4, 5]))
    await done(client, items(sword, 1, to="Bo"))
    trade = await done(client, items(sword, 1, from_="Ana", to="Bo"))
    await done(client, items(sword, 1, from_="Bo", fromslot=1))

    [obstacle] = (await undo(client, trade, 409))["Details"]["InTheWay"]
    assert (obstacle["Reason"], obstacle["HandedOn"]) == ("gone", [])


async def test_a_deleted_character_is_in_the_way_until_it_is_back(client, database, ana, bo):
    potion = await make_item(database)
    await done(client, items(potion, 5, to="Ana"))
    trade = await done(client, items(potion, 5, from_="Ana", to="Bo"))
    assert (await client.delete("/api/v1/players/Bo")).status_code == 200

    [obstacle] = (await undo(client, trade, 409))["Details"]["InTheWay"]
    assert (obstacle["Reason"], obstacle["PlayerName"]) == ("player_gone", "Bo")
    deletion = await database.reader.value("SELECT id FROM actions WHERE kind = 'players.delete'")
    assert (await client.post(f"/api/v1/actions/{deletion}/undo", json={})).status_code == 200
    await undo(client, trade)
    assert await totals(database, potion) == 5


async def test_postings_that_are_no_longer_kept_are_a_clear_refusal(client, database, ana, bo):
    """On all sides, or on one only: half a trade is never undone."""
    potion = await make_item(database)
    await done(client, items(potion, 5, to="Ana"))
    trades = [await done(client, items(potion, 2, from_="Ana", to="Bo")) for _ in range(2)]
    kept = await database.reader.rows("SELECT * FROM postings WHERE against = 'move'")
    undone = []
    for number, trade in enumerate(trades):
        actions = (await client.get(f"{PATH}/{trade}")).json()["Actions"]
        gone = [UUID(action["Id"]) for action in actions[number:]]
        await database.write(
            lambda writer, gone=gone: writer.run(
                "UPDATE postings SET action_id = gen_random_uuid() WHERE action_id = ANY($1)", gone
            )
        )
        undone.append((await undo(client, trade, 409))["Details"]["InTheWay"])
    assert {one["Reason"] for some in undone for one in some} == {"no_longer_kept"}
    for row in kept:
        await database.write(
            lambda writer, row=row: writer.run(
                "UPDATE postings SET action_id = $3 WHERE player_id = $1 AND seq = $2",
                row["player_id"],
                row["seq"],
                row["action_id"],
            )
        )


async def test_an_unknown_transaction(client, database, ana):
    potion = await make_item(database)
    await done(client, items(potion, 5, to="Ana"))
    action = await database.reader.value("SELECT id FROM actions WHERE kind = 'items.exchange'")
    for unknown in (uuid4(), action, UUID(int=0), UUID(int=2**128 - 1)):
        answer = await client.get(f"{PATH}/{unknown}")
        assert (answer.status_code, answer.json()["Code"]) == (404, "transaction_not_found")
        assert (await undo(client, str(unknown), 404))["Code"] == "transaction_not_found"


async def test_twenty_undos_at_once_undo_once(client, database, ana, bo):
    potion = await make_item(database)
    await done(client, items(potion, 20, to="Ana"), items(potion, 20, to="Bo"))
    trade = await done(client, items(potion, 5, from_="Ana", to="Bo"))

    answers = await asyncio.gather(
        *(client.post(f"{PATH}/{trade}/undo", json={}) for _ in range(20))
    )
    assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 19}
    rows = await database.reader.rows("SELECT player_id, sum(quantity) FROM slots GROUP BY 1")
    assert {row[0]: row[1] for row in rows} == {ana: 20, bo: 20}


async def test_crossing_trades_and_undos_do_not_deadlock(client, database, ana, bo, cy):
    """Two undos lock the same characters, each in the order of the ids."""
    potion = await make_item(database, inventory_stack=1000)
    await done(client, *(items(potion, 100, to=name) for name in ("Ana", "Bo", "Cy")))
    ring = [("Ana", "Bo"), ("Bo", "Cy"), ("Cy", "Ana")] * 4
    trades = [await done(client, items(potion, 1, from_=a, to=b)) for a, b in ring]

    answers = await asyncio.gather(
        *(client.post(f"{PATH}/{trade}/undo", json={}) for trade in trades)
    )
    assert {answer.status_code for answer in answers} == {200}
    rows = await database.reader.rows("SELECT player_id, sum(quantity) FROM slots GROUP BY 1")
    assert {row[1] for row in rows} == {100}


async def test_a_key_undoes_once(client, database, ana, bo):
    potion = await make_item(database)
    await done(client, items(potion, 5, to="Ana"))
    trade = await done(client, items(potion, 5, from_="Ana", to="Bo"))
    keyed = {"Idempotency-Key": "undo-it"}

    first = await client.post(f"{PATH}/{trade}/undo", json={}, headers=keyed)
    again = await client.post(f"{PATH}/{trade}/undo", json={}, headers=keyed)
    assert (first.status_code, again.content) == (200, first.content)
    other = await client.post(f"{PATH}/{trade}/undo", json={"dryrun": True}, headers=keyed)
    assert other.json()["Code"] == "idempotency_key_reused"


async def test_each_scope_alone_is_not_enough(client, database, ana, bo):
    potion, karma = await make_item(database), await make_variable(database)
    await done(client, items(potion, 5, to="Ana"))
    trade = await done(
        client,
        items(potion, 5, from_="Ana", to="Bo"),
        {"do": "variable", "player": "Ana", "variableid": str(karma), "value": 7},
    )
    needed = ("actions.undo", "players.items", "players.variables")
    for dry in (True, False):
        for lacking in needed:
            headers = await key_with(database, *(scope for scope in needed if scope != lacking))
            answer = await client.post(
                f"{PATH}/{trade}/undo", json={"dryrun": dry}, headers=headers
            )
            assert (answer.status_code, answer.json()["Details"]) == (403, {"Role": lacking})
    headers = await key_with(database, *needed)
    answer = await client.post(f"{PATH}/{trade}/undo", json={}, headers=headers)
    assert answer.status_code == 200
    again = answer.json()["Id"]
    headers = await key_with(database, "actions.undo", "players.items")
    assert (await client.post(f"{PATH}/{again}/undo", json={}, headers=headers)).status_code == 403


async def test_in_one_batch_with_a_refused_neighbour(client, database, ana, bo):
    potion = await make_item(database)
    await done(client, items(potion, 5, to="Ana"))
    one = await done(client, items(potion, 2, from_="Ana", to="Bo"))
    other = await done(client, items(potion, 1, from_="Ana", to="Bo"))
    orders = [
        UndoingTransaction(by=BY, transaction_id=UUID(name))
        for name in (one, one, str(uuid4()), other)
    ]

    outcomes = await whole.undo(database, orders)
    assert [getattr(outcome, "code", "done") for outcome in outcomes] == [
        "done",
        "already_undone",
        "transaction_not_found",
        "done",
    ]
    assert await held(client, ana) == {"inventory": [(0, str(potion), 5)], "bank": []}


async def test_one_of_many_transactions_of_a_call_is_undone_alone(client, database, ana, bo):
    """They were written by one database transaction, and share nothing else."""
    potion = await make_item(database)
    await done(client, items(potion, 9, to="Ana"))
    outcomes = await send(client, *([items(potion, n, from_="Ana", to="Bo")] for n in (1, 2, 3)))
    assert codes(outcomes) == ["done"] * 3

    await undo(client, outcomes[1]["Done"]["Id"])
    assert await held(client, bo) == {"inventory": [(0, str(potion), 4)], "bank": []}


async def test_what_was_handed_on_does_not_add_to_what_was_used_up(client, database, ana, bo):
    """In one action of Ana's 5 were handed on and 3 used up: 3 can be restored, and no more."""
    potion = await make_item(database)
    await done(client, items(potion, 8, to="Ana"))
    at = (await database.reader.value("SELECT clock_timestamp()")).isoformat()
    trade = await done(
        client, items(potion, 5, from_="Ana", to="Bo"), items(potion, 3, from_="Ana")
    )
    body = {"at": at}
    restored = await client.post("/api/v1/players/Ana/items/restore", json=body)
    assert sum(entry["Quantity"] for entry in restored.json()["Values"]) == 3

    [obstacle] = (await undo(client, trade, 409))["Details"]["InTheWay"]
    assert (obstacle["Reason"], obstacle["Wanted"], obstacle["Possible"]) == ("restored", 8, 5)
    assert await totals(database, potion) == 8
    action = restored.json()["ActionId"]
    assert (await client.post(f"/api/v1/actions/{action}/undo", json={})).status_code == 200
    await undo(client, trade)
    assert await held(client, ana) == {"inventory": [(0, str(potion), 8)], "bank": []}
