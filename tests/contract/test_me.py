"""Who am I, and what may I: any caller is told."""

from gamekeeper.auth.principal import SCOPES
from tests.contract.outcomes import outcome
from tests.security.callers import account_with, key_with

NO_LIMITS = dict.fromkeys(("PiecesPerDay", "ValuePerDay", "LargestGift", "UndosPerDay"))


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
