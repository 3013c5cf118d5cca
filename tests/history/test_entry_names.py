"""`names=true` in the audit log: for whom, of whom, and at which cost."""

from uuid import UUID, uuid4

import pytest

from gamekeeper.auth import keys
from gamekeeper.auth.keys import NewKey
from gamekeeper.db.database import Database
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.moderation import sanctions
from gamekeeper.moderation.sanctions import Imposition
from tests.make import BY, make_item, make_player, make_spell, make_user, make_variable

ACTIONS = "/api/v1/actions"
NAMES = {"ItemName", "PlayerName", "UserName"}


async def act(database: Database, **about: object) -> UUID:
    action = Action(**{"kind": "variables.set", "by": BY, **about})
    await database.write(lambda writer: actions.record(writer, [action]))
    return action.id


async def headers(database: Database, *scopes: str) -> dict[str, str]:
    key = await keys.create.one(database, NewKey(by=BY, name="reader", scopes=scopes))
    return {"Authorization": f"Bearer {key}"}


def named(entry: dict[str, object]) -> dict[str, object]:
    return {name: entry[name] for name in NAMES & entry.keys()}


async def trade(client, *players: str) -> str:
    """The id of a transaction in which the first character gives a potion to each other."""
    giver, *others = players
    item = (await client.get("/api/v1/catalog/items?search=Potion")).json()["Values"][0]["Id"]
    moves = [{"do": "items", "itemid": item, "quantity": 1, "from": giver, "to": o} for o in others]
    body = {"transactions": [{"key": uuid4().hex, "moves": moves}]}
    given = {"itemid": item, "quantity": len(others)}
    await client.post(f"/api/v1/players/{giver}/items/give", json=given)
    [outcome] = (await client.post("/api/v1/transactions", json=body)).json()["Values"]
    assert outcome["Done"], outcome
    return outcome["Done"]["Id"]


async def test_everything_with_an_id_has_a_name(client, database):
    ana, user = await make_player(database, "Ana"), await make_user(database, "ben")
    potion = await make_item(database, "Health Potion")
    action = await act(database, player_id=ana, user_id=user, item_id=potion)
    expected = {"ItemName": "Health Potion", "PlayerName": "Ana", "UserName": "ben"}

    [listed] = (await client.get(f"{ACTIONS}?names=true&kind=variables.set")).json()["Values"]
    one = (await client.get(f"{ACTIONS}/{action}?names=true")).json()

    assert named(listed) == named(one) == expected
    plain = (await client.get(f"{ACTIONS}/{action}")).json()
    assert one == plain | expected
    assert (await client.get(f"{ACTIONS}/{action}?names=false")).json() == plain
    assert not NAMES & plain.keys()


async def test_ids_of_nothing_have_no_names(client, database):
    gone = await act(database, player_id=uuid4(), user_id=uuid4(), item_id=uuid4())
    none = await act(database)
    shown = [(await client.get(f"{ACTIONS}/{one}?names=true")).json() for one in (gone, none)]
    assert named(shown[0]) == {"ItemName": "", "PlayerName": None, "UserName": None}
    assert named(shown[1]) == dict.fromkeys(NAMES)


async def test_a_timeline_names_the_account_of_a_sanction(client, database):
    user = await make_user(database, "ben")
    ana = await make_player(database, "Ana", user=user)
    await sanctions.impose.one(database, Imposition(by=BY, user=str(user), kind="warning"))
    history = f"/api/v1/players/{ana}/history?names=true"

    [warning] = of_kind(await client.get(history), "sanctions.impose")
    assert (warning["UserName"], warning["PlayerName"]) == ("ben", None)

    await act(database, player_id=ana)
    [change] = of_kind(await client.get(history), "variables.set")
    assert (change["UserName"], change["PlayerName"]) == (None, "Ana")
    caller = await headers(database, "actions.read", "players.read")
    [hidden] = of_kind(await client.get(history, headers=caller), "sanctions.impose")
    assert "UserName" not in hidden


def of_kind(answer, kind: str) -> list[dict]:
    assert answer.status_code == 200, answer.text
    return [entry for entry in answer.json()["Values"] if entry["Kind"] == kind]


async def test_a_deleted_character_still_has_its_name(client, database):
    ana = await make_player(database, "Ana")
    action = await act(database, player_id=ana)
    answer = await client.delete(f"/api/v1/players/{ana}")
    assert answer.status_code == 200, answer.text
    assert (await client.get(f"{ACTIONS}/{action}?names=true")).json()["PlayerName"] == "Ana"


async def test_a_transaction_has_the_names_of_both_sides_and_of_what_moved(client, database):
    for name in ("Ana", "Ben"):
        await make_player(database, name)
    await make_item(database, "Health Potion")
    path = f"/api/v1/transactions/{await trade(client, 'Ana', 'Ben')}"

    sides = (await client.get(f"{path}?names=true")).json()["Actions"]

    assert {side["PlayerName"] for side in sides} == {"Ana", "Ben"}
    assert {posting["ItemName"] for side in sides for posting in side["Postings"]} == {
        "Health Potion"
    }
    plain = await client.get(path)
    assert b"ItemName" not in plain.content
    assert b"PlayerName" not in plain.content


@pytest.mark.parametrize(
    ("scopes", "sees"),
    [
        (("actions.read",), False),
        (("actions.read", "players.read", "users.manage", "users.personal"), False),
        (("actions.read", "users.query"), True),
    ],
)
async def test_names_of_accounts_are_for_who_may_read_accounts(client, database, scopes, sees):
    # The worst case: a character with the id of the account.
    user = await make_user(database, "secret-account")
    action = await act(database, player_id=user, user_id=user)
    caller = await headers(database, *scopes)

    for path in (ACTIONS, f"{ACTIONS}/{action}"):
        answer = await client.get(f"{path}?names=true", headers=caller)
        assert answer.status_code == 200
        assert (b"secret-account" in answer.content) == sees
        assert (b'"UserName"' in answer.content) == sees


async def test_a_page_costs_two_statements_more_and_only_if_asked(client, database, statements):
    transaction = f"/api/v1/transactions/{await prepared(client, database)}"
    for path in (ACTIONS, transaction):
        with statements() as plain:
            page = await client.get(path)
        with statements() as named_page:
            await client.get(f"{path}?names=true")
        assert page.json().get("Values", [0, 0, 0])[2:], "there are several rows"
        assert plain, "the statements are seen here"
        assert len(named_page) - len(plain) == 2
        assert not [sql for sql in plain if "is_account" in sql]


async def prepared(client, database: Database) -> str:
    await make_item(database, "Health Potion")
    for number in range(4):
        player = await make_player(database, f"Player {number}")
        user = await make_user(database)
        await act(database, player_id=player, user_id=user, item_id=uuid4())
    return await trade(client, *(f"Player {number}" for number in range(4)))


async def test_a_timeline_names_spells_variables_and_classes(client, database):
    await make_player(database, "Ana")
    spell = await make_spell(database, "Blink")
    variable = await make_variable(database, name="Honor")
    body = {"spellid": str(spell)}
    assert (await client.post("/api/v1/players/Ana/spells/teach", json=body)).is_success
    path = f"/api/v1/players/Ana/variables/{variable}"
    assert (await client.post(path, json={"value": 3})).is_success

    named = (await client.get("/api/v1/players/Ana/history?names=true")).json()
    plain = (await client.get("/api/v1/players/Ana/history")).json()

    assert named["CatalogNames"] == {str(spell): "Blink", str(variable): "Honor"}
    assert "CatalogNames" not in plain
