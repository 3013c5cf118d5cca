"""Erasure of accounts: what goes, what stays, and who is in the way."""

import asyncio
from uuid import uuid4

import pytest

from gamekeeper.auth.secrets import Vault
from gamekeeper.ledger import verify_ledger
from gamekeeper.users.erasure import Erased, Erasure, erase
from tests.contract.outcomes import outcome, refusal
from tests.make import BY, make_item, make_player, make_user, make_variable, sha
from tests.moderation.rows import make_sanction
from tests.security.callers import account_with, key_with
from tests.servers.game_server import GameServer

ONLINE = refusal(400, "user_online", "Cannot delete a user is currently online.")
EMAIL = "ana.unmistakable@example.com"
REGISTER = {"username": "newcomer", "email": EMAIL.upper(), "password": sha("a long one")}


async def deleted(client, key: object, **headers: str):
    return await client.delete(f"/api/v1/users/{key}", headers=headers)


async def tables_with(database, text: str) -> list[str]:
    """The tables that have this text anywhere, whatever the column."""
    rows = await database.reader.rows(
        """
        SELECT relname FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
           AND NOT relispartition
        """
    )
    found = []
    for row in rows:
        sql = f'SELECT EXISTS (SELECT FROM "{row["relname"]}" AS one WHERE one::text ILIKE $1)'
        if await database.reader.value(sql, f"%{text}%"):
            found.append(row["relname"])
    return sorted(found)


async def test_all_that_names_a_person_is_gone_and_the_ledger_still_adds_up(client, database):
    user = await make_user(database, "ana", email=EMAIL, password="secret", api=True)
    for name in ("Hero", "Gone"):
        await make_player(database, name, user=user)
    potion, votes = await make_item(database), await make_variable(database, owner="user")
    given = {"itemid": str(potion), "quantity": 3}
    assert (await client.post("/api/v1/players/hero/items/give", json=given)).status_code == 200
    await client.delete("/api/v1/players/gone")
    await client.post(f"/api/v1/users/ana/variables/{votes}", json={"value": 1})
    token = {"grant_type": "password", "username": "ana", "password": sha("secret")}
    issued = (await client.post("/api/oauth/token", data=token)).json()
    before = (await client.get("/api/v1/users/ana")).json()

    answer = await deleted(client, "ana")

    assert outcome(answer) == (200, before)
    assert (await client.get("/api/v1/users/ana")).status_code == 404
    assert (await client.get("/api/v1/players/hero")).status_code == 404
    assert (await client.get("/api/v1/users")).json()["Total"] == 0
    own = {"Authorization": f"Bearer {issued['access_token']}"}
    assert (await client.get("/api/v1/players", headers=own)).status_code == 401
    assert (await client.post("/api/oauth/token", data=token)).status_code == 400
    assert await tables_with(database, EMAIL) == []
    assert await tables_with(database, str(user)) == ["actions", "erased_users"]
    [row] = await database.reader.rows(
        "SELECT user_id, before, after FROM actions WHERE kind = 'users.delete'"
    )
    assert row["user_id"] == user
    assert row["before"].keys() == {"registered_at", "characters"}
    assert row["before"]["characters"] == 1
    assert (await verify_ledger.verify(database.settings)).breach is None
    assert outcome(await deleted(client, "ana"))[0] == 404
    assert (await client.post("/api/v1/users/register", json=REGISTER)).status_code == 200


async def test_nothing_of_it_comes_back(client, database):
    user = await make_user(database, "ana")
    await make_player(database, "Hero", user=user)
    assert (await deleted(client, "ana")).status_code == 200
    rows = await database.reader.rows(
        "SELECT kind, id FROM actions WHERE kind IN ('players.delete', 'users.delete')"
    )
    for row in rows:
        answer = await client.post(f"/api/v1/actions/{row['id']}/undo", json={})
        assert answer.status_code == 409, row["kind"]
    assert await database.reader.value("SELECT count(*) FROM players") == 0


async def test_who_plays_is_not_deleted_until_they_left(client, database):
    user = await make_user(database, "ana")
    await make_player(database, "Hero", user=user)
    server = await GameServer.register(client)
    await server.join("hero")

    assert outcome(await deleted(client, "ana")) == ONLINE
    assert (await client.get("/api/v1/players/hero")).status_code == 200
    await server.leave("hero")
    assert (await deleted(client, "ana")).status_code == 200


@pytest.mark.parametrize("kind", ["ban", "mute", "trade_lock"])
async def test_a_sanction_stays_and_keeps_the_address_away(client, database, kind):
    user = await make_user(database, "ana", email=EMAIL)
    await make_sanction(database, "AAAA-BBBB", user_id=user, kind=kind)

    assert (await deleted(client, "ana")).status_code == 200

    refused = await client.post("/api/v1/users/register", json=REGISTER)
    message = f"Account already with email '{EMAIL.upper()}'."
    assert outcome(refused) == refusal(409, "email_taken", message)
    assert await database.reader.value("SELECT count(*) FROM sanctions") == 1
    assert await tables_with(database, EMAIL) == []
    other = REGISTER | {"email": "somebody@example.com"}
    assert (await client.post("/api/v1/users/register", json=other)).status_code == 200
    lift = "UPDATE sanctions SET lifted_at = now(), lifted_by = 'x'"
    await database.write(lambda writer: writer.run(lift))
    late = REGISTER | {"username": "latecomer"}
    assert (await client.post("/api/v1/users/register", json=late)).status_code == 200


async def test_staff_and_who_ranks_above_are_not_deleted(client, database):
    member = await make_user(database, "member")
    sql = "INSERT INTO staff_roles (user_id, role) VALUES ($1, 'owner')"
    await database.write(lambda writer: writer.run(sql, member))
    answer = await deleted(client, "member")
    assert (answer.status_code, answer.json()["Code"]) == (409, "account_has_roles")
    _, manages = await account_with(database, "user_query", "user_management")
    above, _ = await account_with(database, "user_query", "user_management", "ban")
    refused = await deleted(client, above, **manages)
    assert (refused.status_code, refused.json()["Code"]) == (403, "outranked")
    for scope in ("users.query", "users.manage"):
        headers = await key_with(database, scope)
        assert (await deleted(client, above, **headers)).status_code == 403


async def test_many_are_erased_together_and_those_refused_stay(client, database):
    """Accounts with and without characters, one of staff, one twice and one unknown."""
    names = ("ana", "bo", "cy", "staff")
    users = {name: await make_user(database, name, email=f"{name}@example.com") for name in names}
    for hero, owner in (("Hero", "ana"), ("Heroine", "ana"), ("Knight", "bo"), ("Mage", "staff")):
        await make_player(database, hero, user=users[owner])
    await make_sanction(database, "AAAA-BBBB", user_id=users["bo"], kind="ban")
    sql = "INSERT INTO staff_roles (user_id, role) VALUES ($1, 'owner')"
    await database.write(lambda writer: writer.run(sql, users["staff"]))

    outcomes = await erase(Vault(database.settings))(
        database,
        [Erasure(by=BY, user=name) for name in ("ana", "staff", "bo", "ana", "nobody", "cy")],
    )

    done = [erased for erased in outcomes if isinstance(erased, Erased)]
    assert [(erased.user.name, erased.characters, erased.sanctions) for erased in done] == [
        *(("ana", 2, 0), ("bo", 1, 1), ("cy", 0, 0)),
    ]
    assert [getattr(result, "code", "") for result in outcomes] == [
        *("", "account_has_roles", "", "user_not_found", "user_not_found", ""),
    ]
    left = await database.reader.rows("SELECT name FROM users UNION ALL SELECT name FROM players")
    assert {row["name"] for row in left} == {"staff", "Mage"}
    tagged = await database.reader.rows(
        "SELECT user_id FROM erased_users WHERE email_tag IS NOT NULL"
    )
    assert [row["user_id"] for row in tagged] == [users["bo"]]
    counts = await database.reader.rows(
        "SELECT kind, count(*) AS count FROM actions GROUP BY kind ORDER BY kind"
    )
    kinds = {row["kind"]: row["count"] for row in counts}
    assert (kinds["players.delete"], kinds["users.delete"]) == (3, 3)
    # No action gave the role of this test.
    await database.write(lambda writer: writer.run("DELETE FROM staff_roles"))
    assert (await verify_ledger.verify(database.settings)).breach is None


async def test_who_owns_a_guild_is_not_deleted_until_it_has_another_owner(client, database):
    user = await make_user(database, "ana")
    for name in ("Hero", "Heroine"):
        await make_player(database, name, user=user)
    made = await client.post("/api/v1/guilds/create", json={"name": "Hall", "owner": "Hero"})
    assert made.status_code == 200, made.text

    answer = await deleted(client, "ana")

    assert (answer.status_code, answer.json()["Code"]) == (409, "owns_guild")
    assert (await client.get("/api/v1/players/heroine")).status_code == 200
    assert (
        await database.reader.value("SELECT count(*) FROM actions WHERE kind LIKE '%.delete'") == 0
    )


async def test_deleted_twice_at_once_it_is_deleted_once(client, database):
    user = await make_user(database, "ana")
    await make_player(database, "Hero", user=user)

    answers = await asyncio.gather(*(deleted(client, "ana") for _ in range(8)))

    assert sorted(answer.status_code for answer in answers) == [200] + [404] * 7
    count = "SELECT count(*) FROM actions WHERE kind = 'users.delete'"
    assert await database.reader.value(count) == 1


async def test_gifts_creations_and_undos_that_are_under_way_leave_no_half(client, database):
    potion = await make_item(database, inventory_stack=1000)
    gift = {"itemid": str(potion), "quantity": 1}
    knight = str(await database.reader.value("SELECT id FROM classes LIMIT 1") or "")
    for number in range(4):
        user = await make_user(database, f"user{number}")
        hero = await make_player(database, f"Hero{number}", user=user)
        knight = knight or str(await database.reader.value("SELECT id FROM classes LIMIT 1"))
        made = {"name": f"New{uuid4().hex[:8]}", "classid": knight}
        answers = await asyncio.gather(
            *(client.post(f"/api/v1/players/{hero}/items/give", json=gift) for _ in range(3)),
            deleted(client, user),
            client.post(f"/api/v1/users/{user}/players", json=made),
            client.post(f"/api/v1/users/{user}/manage/email/change", json={"new": "x@y.org"}),
            client.post(f"/api/v1/users/{user}/name", json={"name": f"renamed{number}"}),
        )
        assert {answer.status_code for answer in answers} <= {200, 404, 409}, [
            answer.text for answer in answers
        ]
        assert answers[3].status_code == 200, answers[3].text
    for table in ("users", "players", "slots", "user_names", "user_emails", "user_skeletons"):
        assert await database.reader.value(f"SELECT count(*) FROM {table}") == 0, table
    assert (await verify_ledger.verify(database.settings)).breach is None


async def test_what_the_person_said_and_heard_in_private_is_gone(client, database):
    """Also of a character that was deleted before; what others said to all stays."""
    user, realm = await make_user(database, "ana"), await GameServer.register(client)
    hero = await make_player(database, "Hero", user=user)
    gone = await make_player(database, "Gone", user=user)
    bo = await make_player(database, "Bo")
    said = [
        {"id": str(uuid4()), "playerId": str(who), "message": text, **about}
        for who, text, about in (
            (hero, "mine, unmistakable", {"channel": "global"}),
            (bo, "to hero, unmistakable", {"channel": "pm", "targetId": str(hero)}),
            (bo, "to gone, unmistakable", {"channel": "pm", "targetId": str(gone)}),
            (bo, "to all", {"channel": "global"}),
        )
    ]
    assert (await realm.say("chat", messages=said)).json()["Stored"] == len(said)
    await client.delete("/api/v1/players/gone")

    assert (await deleted(client, "ana")).status_code == 200

    assert await tables_with(database, "unmistakable") == []
    assert await tables_with(database, "to all") == ["chat_messages"]
