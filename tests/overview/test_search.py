"""One search for everything, in groups, each only for those who may see it."""

from uuid import UUID, uuid4

import pytest

from gamekeeper.core import ids
from gamekeeper.db.database import Database
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from tests.make import BY, join, make_item, make_player, make_server, make_user
from tests.orders.counter import Counter, good
from tests.security.callers import key_with

GROUPS = ("Players", "Users", "Items", "Sanctions", "Actions", "Transactions", "Orders")


async def found(client, text: str, headers: dict[str, str] | None = None) -> dict:
    answer = await client.get("/api/v1/search", params={"q": text}, headers=headers)
    assert answer.status_code == 200, answer.text
    assert list(answer.json()) == ["Searched", *GROUPS]
    return answer.json()


def names(result: dict, group: str) -> list[str]:
    return [one["Name"] for one in result[group]]


async def sanction(database: Database, user: UUID, code: str) -> None:
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO sanctions (code, kind, user_id, imposed_by, imposed_by_name)
            VALUES ($1, 'ban', $2, 'system', 'tests')
            """,
            code,
            user,
        )
    )


async def test_a_part_of_a_name_finds_characters_accounts_and_items(client, database):
    user = await make_user(database, "lyrist", email="ana@lyra.example")
    other = await make_user(database, "bo", email="bo@lyra.example")
    lyra = await make_player(database, "Ana Lyra", user=user)
    await make_player(database, "Lyrana", user=other)
    await join(database, lyra, await make_server(database))
    await make_item(database, "Golden Lyre")
    await make_item(database, "Lyre")

    result = await found(client, "lyr")

    assert names(result, "Players") == ["Lyrana", "Ana Lyra"]
    assert [player["Online"] for player in result["Players"]] == [False, True]
    assert result["Players"][1]["ClassName"] == "Knight"
    assert names(result, "Users") == ["lyrist", "bo"]
    assert names(result, "Items") == ["Lyre", "Golden Lyre"]
    assert (result["Sanctions"], result["Actions"], result["Transactions"]) == ([], [], [])


async def test_each_group_has_five_at_most(client, database):
    user = await make_user(database)
    for number in range(7):
        await make_player(database, f"Twin {'abcdefg'[number]}", user=user)
        await make_item(database, f"Twin {number}")
        await make_user(database, f"twin{number}")
        await sanction(database, user, f"TWIN-000{number}")

    result = await found(client, "twin")

    assert names(result, "Players") == [f"Twin {letter}" for letter in "abcde"]
    assert names(result, "Items") == [f"Twin {number}" for number in range(5)]
    assert [len(result[group]) for group in ("Users", "Sanctions")] == [5, 5]


async def test_an_id_finds_what_has_it(client, database):
    user = await make_user(database, "ana")
    player = await make_player(database, "Lyra", user=user)
    item = await make_item(database, "Sword")

    for group, wanted in (("Players", player), ("Users", user), ("Items", item)):
        for text in (str(wanted), wanted.hex, f"{{{str(wanted).upper()}}}"):
            result = await found(client, text)
            hits = {name: [one["Id"] for one in result[name]] for name in GROUPS}
            assert hits == {name: [] for name in GROUPS} | {group: [str(wanted)]}


@pytest.mark.parametrize("text", ["ab12-cd34", "AB12CD34", " ab12 cd34", "ab12-c", "AB12"])
async def test_a_sanction_is_found_by_its_code_or_the_first_half_of_it(client, database, text):
    user = await make_user(database)
    await sanction(database, user, "AB12-CD34")
    await sanction(database, user, "AB99-CD34")

    [hit] = (await found(client, text))["Sanctions"]

    assert (hit["Code"], hit["Kind"], hit["InForce"]) == ("AB12-CD34", "ban", True)


async def test_actions_and_transactions_are_found_by_their_ids(client, database):
    player = await make_player(database, "Lyra")
    trade = ids.new_id()
    action = Action(kind="spells.teach", by=BY, player_id=player, after={"transaction": str(trade)})
    await database.write(lambda writer: actions.record(writer, [action]))

    whole = await found(client, str(action.id))
    part = await found(client, action.id.hex[:12])
    done = await found(client, str(trade))

    for result in (whole, part):
        assert str(action.id) in [action["Id"] for action in result["Actions"]]
        assert result["Actions"][0]["ActorName"] == "tests"
    assert done["Transactions"] == [{"Id": str(trade), "Actions": 1}]
    assert (await found(client, str(uuid4())))["Transactions"] == []


async def test_an_order_is_found_by_its_exact_id_in_every_shop(client, database):
    counter = await Counter.make(client, database)
    for shop, order in (("webshop", "WS-1"), ("another", "WS-1"), ("webshop", "WS-11")):
        body = {"character": "Ana", "lines": [counter.line()]}
        good(await client.put(f"/api/v1/orders/{shop}/{order}", json=body))

    hits = (await found(client, "WS-1"))["Orders"]
    assert [(hit["Shop"], hit["OrderId"], hit["State"]) for hit in hits] == [
        ("another", "WS-1", "delivered"),
        ("webshop", "WS-1", "delivered"),
    ]
    assert (await found(client, "ws-1"))["Orders"] == []
    assert (await found(client, "WS 1"))["Orders"] == []


@pytest.mark.parametrize(
    ("scopes", "seen"),
    [
        (["players.read"], {"Players", "Items"}),
        (["players.read", "users.query"], {"Players", "Items", "Users"}),
        (["players.read", "sanctions.read"], {"Players", "Items", "Sanctions"}),
        (["players.read", "actions.read"], {"Players", "Items", "Actions", "Transactions"}),
        (["players.read", "orders.read"], {"Players", "Items", "Orders"}),
    ],
    ids=lambda value: "-".join(sorted(value)),
)
async def test_a_caller_sees_the_groups_of_its_scopes(client, database, statements, scopes, seen):
    await make_user(database, "lyrist", email="lyra@lyra.example")
    headers = await key_with(database, *scopes)

    with statements() as sent:
        result = await found(client, "lyra", headers)

    assert {name.title() for name in result["Searched"]} == seen
    asked = {"Users": "user_names", "Sanctions": "FROM sanctions", "Orders": "FROM orders"}
    for group, table in asked.items():
        assert any(table in sql for sql in sent) is (group in seen)
    assert not any("user_emails" in sql for sql in sent)


async def test_an_email_is_found_and_shown_only_to_those_who_see_emails(client, database):
    await make_user(database, "bo", email="bo@lyra.example")
    blind = await key_with(database, "players.read", "users.query")

    assert (await found(client, "@lyra"))["Users"][0]["Email"] == "bo@lyra.example"
    assert (await found(client, "@lyra", blind))["Users"] == []
    assert (await found(client, "bo", blind))["Users"][0]["Email"] == "b•••@l•••.example"


@pytest.mark.parametrize("text", ["", "a", " a ", "x" * 65])
async def test_a_text_that_is_too_short_or_too_long_is_refused(client, text):
    answer = await client.get("/api/v1/search", params={"q": text})
    assert (answer.status_code, answer.json()["Code"]) == (400, "invalid_query")


@pytest.mark.parametrize(
    "text", ["%%", "__", "\\\\", "''", "--", "🜏🜏", "ﬀﬀ", "a\u0301\u0301", "{}", "~~"]
)
async def test_odd_texts_find_nothing_and_harm_nobody(client, database, text):
    await make_player(database, "Lyra")
    result = await found(client, text)
    assert [result[group] for group in GROUPS] == [[]] * len(GROUPS)
