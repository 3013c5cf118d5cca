"""Who am I, and what may I: any caller is told."""

from datetime import datetime

from gamekeeper.auth.principal import SCOPES
from tests.contract.outcomes import outcome
from tests.make import make_item, make_player
from tests.security.callers import account_with, key_with

NO_LIMITS = dict.fromkeys(("PiecesPerDay", "ValuePerDay", "LargestGift", "UndosPerDay"))

YESTERDAY = """
    INSERT INTO quota_usage (actor, day, subject, used)
    VALUES ($1, (now() AT TIME ZONE 'utc')::date - 1, 'value', 40)
"""


async def test_a_key_is_told_its_scopes(client, database):
    headers = await key_with(database, "webhooks", "events.read")

    status, told = outcome(await client.get("/api/v1/me", headers=headers))

    key = await database.reader.rows("SELECT id, name FROM api_keys WHERE 'webhooks' = ANY(scopes)")
    assert (status, told) == (
        200,
        {
            "Id": f"key:{key[0]['id']}",
            "Kind": "key",
            "Name": key[0]["name"],
            "UserId": None,
            "Roles": [],
            "Scopes": ["events.read", "webhooks"],
            "Limits": NO_LIMITS,
            "Session": None,
        },
    )


async def test_a_key_that_may_do_everything_is_told_all_scopes(client):
    told = (await client.get("/api/v1/me")).json()

    assert told["Scopes"] == sorted(SCOPES)


async def test_a_key_without_any_scope_is_told_so(client, database):
    status, told = outcome(await client.get("/api/v1/me", headers=await key_with(database)))

    assert (status, told["Scopes"]) == (200, [])


async def test_a_token_is_told_its_account_and_what_its_powers_give(client, database):
    name, headers = await account_with(database, "user_query")

    told = (await client.get("/api/v1/me", headers=headers)).json()

    user = await database.reader.value("SELECT id FROM users WHERE name = $1", name)
    assert told == {
        "Id": f"user:{user}",
        "Kind": "token",
        "Name": name,
        "UserId": str(user),
        "Roles": [],
        "Scopes": [
            "logs.read",
            *("players.items", "players.read", "players.spells", "players.variables"),
            "users.query",
        ],
        "Limits": NO_LIMITS,
        "Session": None,
    }


async def test_a_stranger_is_told_nothing(client):
    answer = await client.get("/api/v1/me", headers={"Authorization": ""})

    assert answer.status_code == 401


async def test_a_caller_is_told_what_it_used_of_its_limits_today(client, database):
    """Its own alone, today's alone; gifts of others and gifts that were refused do not count."""
    await make_player(database, "ana")
    potion, sword = await make_item(database, value=3), await make_item(database, "Sword")
    scopes = ["players.items", "actions.undo"]
    limits = {"piecesperday": 5, "undosperday": 1}
    first, second = [
        (await client.post("/api/v1/keys", json={"name": name, "scopes": scopes} | limits)).json()
        for name in ("first", "second")
    ]
    own, other = ({"Authorization": f"Bearer {key['Key']}"} for key in (first, second))
    for headers, item, quantity, status in (
        *((own, potion, 2, 200), (own, sword, 1, 200), (own, potion, 4, 202)),
        *((other, potion, 4, 200), (client.headers, potion, 9, 200)),
    ):
        gift = {"itemid": str(item), "quantity": quantity, "bankoverflow": True}
        answer = await client.post("/api/v1/players/ana/items/give", json=gift, headers=headers)
        assert answer.status_code == status
    await database.write(lambda writer: writer.run(YESTERDAY, f"key:{first['Id']}"))
    [action] = await database.reader.rows(
        "SELECT id FROM actions WHERE kind = 'items.give' AND actor = $1 ORDER BY id LIMIT 1",
        f"key:{first['Id']}",
    )
    undone = await client.post(f"/api/v1/actions/{action['id']}/undo", headers=own)
    assert undone.status_code == 200

    told = (await client.get("/api/v1/me/usage", headers=own)).json()
    ends = await database.reader.value("SELECT date_trunc('day', now(), 'UTC') + interval '1 day'")

    # The undo does not give the budget back.
    used = [{"ItemId": str(potion), "Pieces": 2}, {"ItemId": str(sword), "Pieces": 1}]
    assert datetime.fromisoformat(told.pop("ResetsAt")) == ends
    assert told == {"HandedOut": used, "Value": 6, "Undos": 1}
    unlimited = (await client.get("/api/v1/me/usage")).json()
    assert (unlimited["HandedOut"], unlimited["Value"], unlimited["Undos"]) == ([], 0, 0)
