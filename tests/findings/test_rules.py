"""Rules: written, refused, exceeded and not exceeded."""

import asyncio
from uuid import uuid4

import pytest

from gamekeeper.ledger.findings.rules import MAX_RULES
from gamekeeper.players.moves import Endpoint, MoveItems
from gamekeeper.servers.transactions import Transaction, transact
from tests.economy.worlds import World
from tests.findings.hours import add_up, found, look_at_all
from tests.make import BY, make_item, make_player, make_user

RULES = "/api/v1/economy/rules"


async def put(client, name: str = "potions", **body: object):
    full = {"shape": "created_per_hour", "morethan": 10} | body
    return await client.put(f"{RULES}/{name}", json=full)


async def given(database, player, item, quantity: int) -> None:
    """By a game server, which no rule holds."""
    move = MoveItems(
        item_id=item,
        quantity=quantity,
        source=None,
        target=Endpoint(player=str(player)),
        overflow_to_bank=True,
    )
    await transact.one(database, Transaction(by=BY, holder=None, expected=(), moves=[move]))


async def set_age(database, days: int) -> None:
    """How old all accounts are."""
    aged = "UPDATE users SET created_at = now() - make_interval(days => $1)"
    await database.write(lambda writer: writer.run(aged, days))


async def apply(database) -> list[tuple]:
    await add_up(database)
    await look_at_all(database)
    return [
        (finding["rule"], finding["measure"], finding["quantity"])
        for finding in await found(database)
    ]


# ── Written ──


async def test_a_rule_is_created_replaced_and_deleted(client, database):
    potion = await make_item(database)
    made = await put(client, itemid=str(potion))
    assert made.status_code == 200, made.text
    assert made.json() | {"ChangedAt": None} == {
        "Name": "potions",
        "Shape": "created_per_hour",
        "ItemId": str(potion),
        "ItemName": "Potion",
        "MoreThan": 10,
        "Days": None,
        "Effect": "flag",
        "ChangedAt": None,
        "ChangedByName": "tests",
    }
    assert (await client.get(RULES)).json()["Values"] == [made.json()]
    changed = await put(client, shape="received_by_new_account", days=3, effect="hold")
    assert (await client.get(f"{RULES}/potions")).json() == changed.json()
    assert (await client.delete(f"{RULES}/potions")).json() == changed.json()
    assert (await client.delete(f"{RULES}/potions")).json()["Code"] == "rule_not_found"
    rows = await database.reader.rows(
        "SELECT kind, before, after FROM actions WHERE kind LIKE 'rules.%' ORDER BY id"
    )
    assert [row["kind"] for row in rows] == ["rules.change", "rules.change", "rules.remove"]
    assert rows[1]["before"]["more_than"] == 10
    assert rows[1]["after"]["effect"] == "hold"
    assert rows[2]["after"] is None


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("Potions", {}),
        ("p" * 41, {}),
        ("potions", {"morethan": -1}),
        ("potions", {"morethan": 2**53 + 1}),
        ("potions", {"days": 3}),
        ("potions", {"shape": "received_by_new_account"}),
        ("potions", {"shape": "received_by_new_account", "days": 0}),
        ("potions", {"shape": "received_by_new_account", "days": 366}),
        ("potions", {"itemid": str(uuid4())}),
        ("potions", {"shape": "anything"}),
        ("potions", {"effect": "ban"}),
    ],
)
async def test_a_rule_that_makes_no_sense_is_refused(client, database, name, body):
    answer = await put(client, name, **body)

    assert answer.status_code == 400
    assert await database.reader.value("SELECT count(*) FROM economy_rules") == 0
    assert await database.reader.value("SELECT count(*) FROM actions WHERE kind LIKE 'rules%'") == 0


async def test_twenty_at_once_do_not_exceed_a_hundred(client, database):
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO economy_rules (name, shape, more_than, effect, changed_by_name)
            SELECT 'rule-' || number, 'created_per_hour', 1, 'flag', 'tests'
              FROM generate_series(1, $1) AS number
            """,
            MAX_RULES - 5,
        )
    )
    answers = await asyncio.gather(*(put(client, f"new-{number}") for number in range(20)))

    codes = [answer.json().get("Code") for answer in answers]
    assert (codes.count(None), codes.count("too_many_rules")) == (5, 15)
    assert (await put(client, "rule-1", morethan=2)).status_code == 200


# ── Exceeded, and not ──


@pytest.mark.parametrize(("quantity", "expected"), [(10, []), (11, [("potions", "created", 11)])])
async def test_more_than_so_many_created_in_an_hour(client, database, quantity, expected):
    potion, player = await make_item(database), await make_player(database)
    await put(client, itemid=str(potion))
    await given(database, player, potion, quantity)
    await given(database, player, await make_item(database, "Other"), 100)

    assert await apply(database) == expected
    assert await apply(database) == expected


@pytest.mark.parametrize(("more_than", "count"), [(59, 1), (60, 0)])
async def test_the_value_of_all_items(client, database, more_than, count):
    player = await make_player(database)
    await put(client, morethan=more_than)
    for value in (2, 4):
        await given(database, player, await make_item(database, f"{value}", value=value), 10)

    assert len(await apply(database)) == count


async def test_a_finding_grows_with_its_hour_and_is_one(client, database):
    potion, player = await make_item(database), await make_player(database)
    await put(client, itemid=str(potion))
    await given(database, player, potion, 11)
    await apply(database)
    await given(database, player, potion, 9)

    assert await apply(database) == [("potions", "created", 20)]


async def test_more_than_so_many_given_by_one_in_a_day(client, database):
    """Counted for each actor, not for all together; a game server's loot is not given."""
    world = await World(database, seed=1).make(players=2)
    ana, potion = world.players[0], world.items[0]
    await put(client, shape="given_per_day", itemid=str(potion))
    body = {"itemid": str(potion), "quantity": 9}
    assert (await client.post(f"/api/v1/players/{ana}/items/give", json=body)).status_code == 200
    await world.give(ana, potion, 10)
    await given(database, ana, potion, 50)

    assert await apply(database) == []
    body = {"itemid": str(potion), "quantity": 2, "bankoverflow": True}
    assert (await client.post(f"/api/v1/players/{ana}/items/give", json=body)).status_code == 200
    assert await apply(database) == [("potions", "given", 11)]
    [finding] = (await client.get("/api/v1/economy/findings")).json()["Values"]
    assert (finding["ActorName"], finding["Actor"][:4]) == ("tests", "key:")
    details = (await client.get(f"/api/v1/economy/findings/{finding['Id']}")).json()
    kinds = "SELECT array_agg(DISTINCT kind) FROM actions WHERE id = ANY($1)"
    assert len(details["Actions"]) == 2
    assert await database.reader.value(kinds, details["Actions"]) == ["items.give"]


@pytest.mark.parametrize(("age", "count"), [(2, 1), (4, 0)])
async def test_a_new_account_that_receives_too_many(client, database, age, count):
    user = await make_user(database, "newcomer")
    player = await make_player(database, "Fresh", user=user)
    await set_age(database, age)
    potion = await make_item(database)
    await put(client, shape="received_by_new_account", days=3, itemid=str(potion))
    await given(database, player, potion, 6)
    await add_up(database)
    await given(database, player, potion, 6)

    assert await apply(database) == [("potions", "received", 12)] * count
    users = [finding["user_id"] for finding in await found(database)]
    assert users == [user] * count


async def test_items_moved_within_a_new_account_are_not_received(client, database):
    player, potion = await make_player(database), await make_item(database)
    await set_age(database, 1)
    await put(client, shape="received_by_new_account", days=3, itemid=str(potion))
    await given(database, player, potion, 6)
    move = MoveItems(
        item_id=potion,
        quantity=6,
        source=Endpoint(player=str(player), place="inventory"),
        target=Endpoint(player=str(player), place="bank"),
    )
    await transact.one(database, Transaction(by=BY, holder=None, expected=(), moves=[move]))

    assert await apply(database) == []


async def test_an_erased_account_leaves_a_finding_without_a_name(client, database):
    user = await make_user(database, "newcomer")
    player, potion = await make_player(database, "Fresh", user=user), await make_item(database)
    await set_age(database, 1)
    await put(client, shape="received_by_new_account", days=3, itemid=str(potion))
    await given(database, player, potion, 11)
    assert len(await apply(database)) == 1
    assert (await client.delete(f"/api/v1/players/{player}")).status_code == 200
    assert (await client.delete(f"/api/v1/users/{user}")).status_code == 200

    assert [finding["user_id"] for finding in await found(database)] == [None]
    assert await database.reader.value("SELECT count(*) FROM new_account_receipts") == 0


async def test_a_changed_rule_counts_anew(client, database):
    player, potion = await make_player(database), await make_item(database)
    other = await make_item(database, "Other")
    await set_age(database, 1)
    await put(client, shape="received_by_new_account", days=3, itemid=str(potion))
    await given(database, player, potion, 9)
    await add_up(database)
    await put(client, shape="received_by_new_account", days=3, itemid=str(other))
    await given(database, player, other, 9)

    assert await apply(database) == []
