"""Who is let in, with what; and how a credential ends, everywhere, within two seconds."""

import asyncio
from collections.abc import AsyncIterator
from time import monotonic
from typing import Any, LiteralString
from uuid import UUID, uuid4

import httpx2
import pytest
from msgspec import Struct

from gamekeeper.auth import credentials, keys
from gamekeeper.db.database import Database
from tests.contract.outcomes import outcome, refusal
from tests.contract.sign_in import ask, bearer, behind_a_proxy, make_signer, sign_in
from tests.deadlines import PATIENCE
from tests.make import BY, make_user

DENIED = refusal(401, "unauthorized", "Authorization has been denied for this request.")
LATEST = 5.0
"""Seconds until a credential that has ended must be refused by every process."""


@pytest.fixture(scope="module")
def url(settings, log):
    with behind_a_proxy(settings, log, "--workers", "2") as url:
        yield url


@pytest.fixture(scope="module")
async def anonymous(url: str):
    """A client without any credential."""
    async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE) as client:
        yield client


@pytest.fixture(scope="module")
async def signer(database: Database) -> str:
    """An account that may sign in and has no other power."""
    return await make_signer(database)


@pytest.fixture(scope="module")
async def manager(database: Database, anonymous: httpx2.AsyncClient) -> dict[str, str]:
    """The headers of an account that may manage others."""
    name = await make_signer(database, user_query=True, user_management=True)
    return bearer((await sign_in(anonymous, name))["access_token"])


async def set_back(database: Database, table: LiteralString, credential: str) -> None:
    """Let a credential have run out a second ago."""
    digest = credentials.digest(credential)
    await database.write(
        lambda writer: writer.run(
            f"UPDATE {table} SET expires_at = now() - interval '1 second' WHERE hash = $1", digest
        )
    )


async def statuses(url: str, credential: str, times: int = 12) -> set[int]:
    """What all the processes say to a credential: each call is a connection of its own."""
    async with httpx2.AsyncClient(
        base_url=url, headers=bearer(credential) | {"Connection": "close"}, timeout=PATIENCE
    ) as client:
        answers = [await client.get("/api/v1/players/online/count") for _ in range(times)]
    return {answer.status_code for answer in answers}


async def refused_after(url: str, credential: str) -> float:
    """Seconds until no process lets the credential in any more."""
    begun = monotonic()
    while await statuses(url, credential) != {401}:
        assert monotonic() < begun + 2 * LATEST, "it is still let in"
        await asyncio.sleep(0.2)
    return monotonic() - begun


async def test_an_expired_token_or_key_is_denied(anonymous, database, signer):
    issued = await sign_in(anonymous, signer)
    expiring = str(await keys.create.one(database, keys.NewKey(by=BY, name="short", days=1)))
    await set_back(database, "access_tokens", issued["access_token"])
    await set_back(database, "api_keys", expiring)

    for credential in (issued["access_token"], expiring):
        answer = await anonymous.get("/api/v1/players", headers=bearer(credential))

        assert outcome(answer) == DENIED
        assert answer.headers["www-authenticate"] == "Bearer"


async def test_anything_but_a_live_credential_is_denied(anonymous, key, signer):
    issued = await sign_in(anonymous, signer)
    flipped = key[:-1] + ("0" if key[-1] != "0" else "1")
    headers: list[dict[str, str]] = [
        {},
        {"Authorization": ""},
        {"Authorization": "Bearer"},
        {"Authorization": key},
        {"Authorization": f"Basic {key}"},
        bearer(flipped),
        bearer(str(credentials.new_credential("gk"))),
        bearer(str(credentials.new_credential("gka"))),
        bearer(issued["refresh_token"]),
        bearer("x" * 5000),
    ]
    for header in headers:
        answer = await anonymous.get("/api/v1/users", headers=header)

        assert outcome(answer) == DENIED, header
        assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "Bearer "])
async def test_the_scheme_is_written_in_any_case(anonymous, signer, scheme):
    issued = await sign_in(anonymous, signer)

    header = {"Authorization": f"{scheme} {issued['access_token']}"}
    answer = await anonymous.get("/api/v1/players", headers=header)

    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("powers", "query", "manage", "email"),
    [
        ({}, 403, 403, None),
        ({"editor": True, "ban": True, "kick": True, "mute": True}, 403, 403, None),
        ({"user_query": True}, 200, 403, "b•••@e•••.org"),
        ({"user_query": True, "personal_information": True}, 200, 403, "bob@example.org"),
        ({"user_query": True, "user_management": True}, 200, 200, "b•••@e•••.org"),
        ({"user_management": True}, 403, 403, None),
    ],
)
async def test_a_token_may_what_its_accounts_powers_say(
    anonymous, database, powers: dict[str, Any], query, manage, email
):
    """Every player endpoint in any case; accounts by two roles; addresses by a third."""
    if not await database.reader.value("SELECT true FROM users WHERE name = 'Bob'"):
        await make_user(database, "Bob", email="bob@example.org")
    issued = await sign_in(anonymous, await make_signer(database, **powers))
    headers = bearer(issued["access_token"])

    players = await anonymous.get("/api/v1/players", headers=headers)
    found = await anonymous.get("/api/v1/users/bob", headers=headers)
    changed = await anonymous.post(
        "/api/v1/users/bob/manage/email/change", json={"new": "bob@example.org"}, headers=headers
    )

    assert players.status_code == 200
    assert (found.status_code, found.json().get("Email")) == (query, email)
    assert changed.status_code == manage


# Each ending takes two seconds to be noticed, so all of them go on at the same time, and from the
# first test of this file on.


class Ending(Struct, frozen=True):
    """A credential that every process let in and that was ended then."""

    refused_after: float
    refresh_token: str = ""
    other_token: str = ""
    answer: httpx2.Response | None = None


async def end_sign_in(
    anonymous: httpx2.AsyncClient, url: str, database: Database, shown: str
) -> Ending:
    """Revoke one of two sign-ins of an account by its access or its refresh token."""
    signer = await make_signer(database)
    issued, other = await sign_in(anonymous, signer), await sign_in(anonymous, signer)
    assert await statuses(url, issued["access_token"]) == {200}
    answer = await anonymous.post(
        "/api/oauth/revoke", data={"token": issued[shown], "token_type_hint": "whatever"}
    )
    seconds = await refused_after(url, issued["access_token"])
    return Ending(seconds, issued["refresh_token"], other["access_token"], answer)


async def end_key(database: Database, url: str) -> Ending:
    name = f"site {uuid4()}"
    credential = str(await keys.create.one(database, keys.NewKey(by=BY, name=name)))
    assert await statuses(url, credential) == {200}
    assert await keys.revoke.one(database, keys.Revocation(by=BY, key=name)) == 1
    return Ending(await refused_after(url, credential))


async def take_power(anonymous: httpx2.AsyncClient, url: str, database: Database) -> Ending:
    name = await make_signer(database)
    issued = await sign_in(anonymous, name)
    assert await statuses(url, issued["access_token"]) == {200}
    await database.write(
        lambda writer: writer.run("UPDATE users SET api = false WHERE name = $1", name)
    )
    seconds = await refused_after(url, issued["access_token"])
    return Ending(seconds, issued["refresh_token"])


@pytest.fixture(scope="module", autouse=True)
async def endings(
    anonymous: httpx2.AsyncClient, url: str, database: Database
) -> AsyncIterator[dict[str, asyncio.Task[Ending]]]:
    tasks = {
        "access_token": asyncio.create_task(end_sign_in(anonymous, url, database, "access_token")),
        "refresh_token": asyncio.create_task(
            end_sign_in(anonymous, url, database, "refresh_token")
        ),
        "key": asyncio.create_task(end_key(database, url)),
        "power": asyncio.create_task(take_power(anonymous, url, database)),
    }
    yield tasks
    for task in tasks.values():
        task.cancel()
    await asyncio.wait(tasks.values())


@pytest.mark.parametrize("shown", ["access_token", "refresh_token"])
async def test_a_revoked_sign_in_is_refused_by_every_process_within_five_seconds(
    anonymous, url, endings, shown
):
    """Whichever of its two tokens was shown; another sign-in of the account lives on."""
    ended = await endings[shown]

    assert outcome(ended.answer) == (200, {})
    assert ended.refused_after <= LATEST
    again = await ask(anonymous, grant_type="refresh_token", refresh_token=ended.refresh_token)
    assert again.json()["error"] == "invalid_grant"
    assert await statuses(url, ended.other_token, 1) == {200}


async def test_revoking_what_is_no_token_is_no_error(anonymous, key):
    """RFC 7009; and a key does not end that way, or whoever finds one could shut a site down."""
    for token in ("garbage", "", "é", str(credentials.new_credential("gka")), key):
        answer = await anonymous.post("/api/oauth/revoke", json={"token": token})

        assert outcome(answer) == (200, {})
    assert (await anonymous.get("/api/v1/players", headers=bearer(key))).status_code == 200


async def test_revoking_needs_a_token(anonymous):
    answer = await anonymous.post("/api/oauth/revoke", json={})

    expected = refusal(400, "invalid_body", "'token' is required.", Field="token")
    assert outcome(answer) == expected


async def test_an_account_ends_all_its_own_sign_ins(anonymous, database, url):
    name = await make_signer(database)
    mine = [await sign_in(anonymous, name) for _ in range(3)]

    answer = await anonymous.delete(
        f"/api/oauth/tokens/{name.upper()}", headers=bearer(mine[0]["access_token"])
    )

    assert outcome(answer) == (200, {"Username": name.upper(), "Ended": 3})
    for issued in mine[1:]:
        assert await statuses(url, issued["access_token"], 1) == {401}


async def test_an_account_ends_one_of_its_own_sign_ins(anonymous, database, url):
    name = await make_signer(database)
    mine, gone = await sign_in(anonymous, name), await sign_in(anonymous, name)
    path = f"/api/oauth/tokens/{name}/{gone['token_id']}"
    headers = bearer(mine["access_token"])

    answer = await anonymous.delete(path, headers=headers)

    assert outcome(answer) == (200, {"Username": name, "TokenId": gone["token_id"]})
    assert await statuses(url, gone["access_token"], 1) == {401}
    assert await statuses(url, mine["access_token"], 1) == {200}
    again = await anonymous.delete(path, headers=headers)
    expected = refusal(404, "token_not_found", "The account has no active token with this id.")
    assert outcome(again) == expected


async def test_who_manages_accounts_ends_anybodys_sign_ins(anonymous, database, manager, key):
    """An account with the power, or a key that may do everything."""
    name = await make_signer(database)
    for headers in (manager, bearer(key)):
        one, two = await sign_in(anonymous, name), await sign_in(anonymous, name)

        by_id = await anonymous.delete(
            f"/api/oauth/tokens/{name}/{one['token_id']}", headers=headers
        )
        rest = await anonymous.delete(f"/api/oauth/tokens/{name}", headers=headers)
        none = await anonymous.delete(f"/api/oauth/tokens/{name}", headers=headers)

        assert outcome(by_id) == (200, {"Username": name, "TokenId": one["token_id"]})
        assert outcome(rest) == (200, {"Username": name, "Ended": 1})
        assert outcome(none) == (200, {"Username": name, "Ended": 0})
        denied = await anonymous.get("/api/v1/players", headers=bearer(two["access_token"]))
        assert outcome(denied) == DENIED


async def test_others_cannot_end_a_sign_in_and_learn_nothing(anonymous, database, signer):
    """Not even whether there is such an account."""
    victim = await make_signer(database)
    issued = await sign_in(anonymous, victim)
    headers = bearer((await sign_in(anonymous, signer))["access_token"])
    expected = refusal(
        403, "role_required", "This needs the role 'users.manage'.", Role="users.manage"
    )
    for path in (victim, f"{victim}/{issued['token_id']}", "nobody", f"nobody/{uuid4()}"):
        answer = await anonymous.delete(f"/api/oauth/tokens/{path}", headers=headers)

        assert outcome(answer) == expected
    assert outcome(await anonymous.delete(f"/api/oauth/tokens/{victim}")) == DENIED
    alive = await anonymous.get("/api/v1/players", headers=bearer(issued["access_token"]))
    assert alive.status_code == 200


async def test_a_sign_in_is_only_ended_under_its_own_account(anonymous, database, manager):
    """An id of another account's sign-in, an unknown one and no id at all are the same."""
    name, other = await make_signer(database), await make_signer(database)
    issued = await sign_in(anonymous, other)
    for token_id in (issued["token_id"], UUID(int=7), "garbage"):
        answer = await anonymous.delete(f"/api/oauth/tokens/{name}/{token_id}", headers=manager)

        expected = refusal(404, "token_not_found", "The account has no active token with this id.")
        assert outcome(answer) == expected
    alive = await anonymous.get("/api/v1/players", headers=bearer(issued["access_token"]))
    assert alive.status_code == 200


@pytest.mark.parametrize("rest", ["", f"/{UUID(int=7)}"])
async def test_an_unknown_account_has_no_sign_ins(anonymous, manager, rest):
    answer = await anonymous.delete(f"/api/oauth/tokens/nobody{rest}", headers=manager)

    assert outcome(answer) == refusal(404, "user_not_found", "No user with name 'nobody'.")


async def test_a_revoked_key_is_refused_by_every_process_within_five_seconds(endings):
    assert (await endings["key"]).refused_after <= LATEST


async def test_without_the_api_power_a_token_ends_within_five_seconds(anonymous, endings):
    ended = await endings["power"]

    assert ended.refused_after <= LATEST
    again = await ask(anonymous, grant_type="refresh_token", refresh_token=ended.refresh_token)
    assert again.json()["error"] == "invalid_grant"
