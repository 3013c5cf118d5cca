"""The sign-ins of an account: who was there, with a browser or for tokens."""

import pytest

from gamekeeper.auth import tokens
from tests.make import make_user, proved
from tests.security.callers import key_with
from tests.staff.signed_in import Person


async def listed(client, key, **query) -> dict:
    answer = await client.get(f"/api/v1/users/{key}/sign-ins", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def sign_in_for_tokens(database, user) -> None:
    await tokens.issue.one(database, await proved(database, user))


async def test_browsers_and_tokens_are_listed_newest_first(client, database):
    ana = await Person.make(client, database)
    await database.write(
        lambda writer: writer.run("UPDATE users SET api = true WHERE id = $1", ana.user_id)
    )
    await sign_in_for_tokens(database, ana.user_id)
    await ana.sign_in()
    assert (await ana.call("DELETE", "/api/v1/session")).status_code == 200
    await make_user(database, "bob")

    session, token = (await listed(client, ana.name.upper()))["Values"]

    assert (session["Kind"], session["Method"], session["IsShared"]) == ("session", "totp", False)
    assert session["Address"] == "127.0.0.1"
    assert session["At"] < session["EndedAt"]
    assert session["UserAgent"].startswith("python")
    assert (token["Kind"], token["EndedAt"]) == ("token", None)
    assert token["At"] < session["At"] < token["ExpiresAt"]
    assert await listed(client, "bob") == {"Values": [], "Next": None}


async def test_a_session_that_goes_on_has_no_end(client, database):
    ana = await Person.make(client, database)
    await ana.sign_in()

    [session] = (await listed(client, ana.user_id))["Values"]

    assert session["EndedAt"] is None


async def test_ended_tokens_say_so(client, database):
    user = await make_user(database, "ana", api=True)
    await sign_in_for_tokens(database, user)
    await tokens.end_all.one(database, user)

    [token] = (await listed(client, "ana"))["Values"]

    assert token["EndedAt"] is not None


async def test_pages_follow_each_other_even_within_one_instant(client, database, statements):
    user = await make_user(database, "ana")
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO token_families (user_id, created_at, expires_at)
            SELECT $1, now() - n % 3 * interval '1 hour', now() + interval '1 day'
              FROM generate_series(1, 30) AS n
            """,
            user,
        )
    )
    seen, cursor = [], None
    for size in (1, 7, 11, 100):
        with statements() as made:
            page = await listed(client, "ana", limit=size, **({"cursor": cursor} if cursor else {}))
        # Who it is, sessions, tokens; nothing for ends if there is no session.
        assert sum("api_keys" not in sql for sql in made) <= 3
        seen += [(entry["At"], entry["Id"]) for entry in page["Values"]]
        cursor = page["Next"]

    assert cursor is None
    assert len(set(seen)) == len(seen) == 30
    assert seen == sorted(seen, reverse=True)


async def test_addresses_are_for_those_who_see_personal_information(client, database):
    ana = await Person.make(client, database)
    await ana.sign_in()
    headers = await key_with(database, "users.query", "actions.read")

    answer = await client.get(f"/api/v1/users/{ana.name}/sign-ins", headers=headers)

    assert [entry["Address"] for entry in answer.json()["Values"]] == [None]


@pytest.mark.parametrize("cursor", ["x", "AAAA", "é", "_" * 32, "A" * 500])
async def test_a_cursor_that_nobody_gave_is_refused(client, database, cursor):
    await make_user(database, "ana")
    answer = await client.get("/api/v1/users/ana/sign-ins", params={"cursor": cursor})
    assert (answer.status_code, answer.json()["Code"]) == (400, "invalid_query")


async def test_nobody_has_no_sign_ins(client):
    answer = await client.get("/api/v1/users/nobody/sign-ins")
    assert (answer.status_code, answer.json()["Code"]) == (404, "user_not_found")
