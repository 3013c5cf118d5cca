"""
Requests as real programs for Intersect's API send them, and what they read of the answers.

Nine public programs were driven against the service. Their oddities are kept here: forms,
last slashes, empty lists as bodies, numbers that are none, a sign-in before every call.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import UUID

import httpx2
import pytest

from gamekeeper.auth import tokens
from gamekeeper.auth.tokens import MOST_FAMILIES
from gamekeeper.db.database import Database
from tests.contract.outcomes import outcome, refusal
from tests.contract.sign_in import TOKEN, bearer, make_signer, sign_in
from tests.deadlines import PATIENCE
from tests.make import (
    fill_slot,
    join,
    make_item,
    make_player,
    make_server,
    make_user,
    proved,
    sha,
)

DENIED = "Authorization has been denied for this request."


@pytest.fixture(scope="module")
def url(server_behind_a_proxy: tuple[str, Path]) -> str:
    return server_behind_a_proxy[0]


@pytest.fixture(scope="module")
def log(server_behind_a_proxy: tuple[str, Path]) -> Path:
    return server_behind_a_proxy[1]


@pytest.fixture(scope="module")
async def site(url: str):
    """A client without any credential, at one address."""
    headers = {"X-Forwarded-For": "203.0.113.9"}
    async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE, headers=headers) as client:
        yield client


@pytest.fixture(scope="module")
async def signer(database: Database) -> str:
    return await make_signer(database, user_query=True, user_management=True)


@pytest.fixture(scope="module")
async def token(site: httpx2.AsyncClient, signer: str) -> dict[str, str]:
    return bearer((await sign_in(site, signer))["access_token"])


@pytest.fixture(scope="module")
async def ana(database: Database) -> UUID:
    """A character that is online, beside one that never played."""
    await make_player(database, "Never")
    player = await make_player(database, "Anabel", user=await make_user(database, "anna"))
    await join(database, player, await make_server(database))
    return player


async def form_token(site: httpx2.AsyncClient, name: str) -> dict[str, Any]:
    """As the PHP sites sign in: a form, and the hash in capitals."""
    fields = {"grant_type": "password", "username": name, "password": sha("secret").upper()}
    answer = await site.post(TOKEN, data=fields)
    assert answer.status_code == 200, answer.text
    return answer.json()


# --- the first page -----------------------------------------------------------


async def test_a_symfony_site_finds_the_server_up(site, token, ana):
    """It opens registration and lists only if `uptime` is there."""
    stats = (await site.get("/api/v1/info/stats", headers=token)).json()

    assert stats["uptime"] > 0
    assert stats["onlineCount"] == 1


async def test_an_electron_tool_starts_and_the_vb_tool_signs_in(site, token, ana):
    """One needs `onlineCount`; the other reads four limits unguarded, as 32 bits."""
    assert "onlineCount" in (await site.get("/api/v1/info/stats/", headers=token)).json()
    config = (await site.get("/api/v1/info/config", headers=token)).json()
    for limit in ("MaxStat", "MaxBank", "MaxInventory", "MaxSpells", "MaxCharacters"):
        assert 0 < config["Player"][limit] < 2**31
    assert config["GameName"]


# --- lists --------------------------------------------------------------------


@pytest.mark.parametrize(
    "query",
    [
        "?page=0pageSize=25",
        "?page=undefined&pageSize=NaN",
        "?pageSize=&page=",
        "?page=null&limit=1.5",
    ],
)
@pytest.mark.parametrize("path", ["players", "players/rank", "players/online", "users"])
async def test_broken_numbers_are_the_first_page(site, token, ana, path, query):
    answer = await site.get(f"/api/v1/{path}/{query}", headers=token)

    assert outcome(answer) == outcome(await site.get(f"/api/v1/{path}", headers=token))
    assert answer.json()["PageSize"] == 5


async def test_the_online_list_is_read_by_either_family_of_clients(site, token, ana):
    """One reads `entries`, one merges a default of `Values`, one asks for `size`."""
    for sent in ({"json": {"page": 0, "size": 30}}, {"data": {"page": "0"}}, {"json": []}):
        answer = await site.post("/api/v1/players/online", headers=token, **sent)
        shown = {"Values": []} | answer.json()
        assert [entry["Name"] for entry in shown["Values"]] == ["Anabel"]
        assert shown["Values"] == shown["entries"]
        assert (shown["total"], shown["count"], shown["Page"], shown["PageSize"]) == (1, 1, 0, 5)


async def test_no_date_of_a_page_is_null(site, token, ana):
    """Else Json.NET refuses the whole page."""
    players = (await site.get("/api/v1/players?pageSize=99999", headers=token)).json()["Values"]
    users = (await site.get("/api/v1/users?pageSize=5000", headers=token)).json()["Values"]

    assert {player["Name"] for player in players} >= {"Anabel", "Never"}
    for player in players:
        assert player["LastOnline"] is not None
        assert player["CreationDate"] is not None
        assert player["Dead"] is False
    for user in users:
        assert user["RegistrationDate"] is not None
        assert type(user["PlayTimeSeconds"]) is int
        assert user["IsBanned"] is False
        assert user["IsMuted"] is False


# --- a shop -------------------------------------------------------------------


async def test_a_shop_gives_by_form_and_an_admin_page_takes(site, token, database, ana):
    """Success is the key `id`, in both answers."""
    potion = await make_item(database)
    await fill_slot(database, ana, "inventory", 0, potion, 3)
    fields = {"itemid": str(potion), "quantity": "1"}

    given = await site.post("/api/v1/players/Anabel/items/give/", data=fields, headers=token)
    taken = await site.post("/api/v1/players/Anabel/items/take", json=fields, headers=token)

    assert given.json()["id"] == str(potion)
    expected = {"ItemId": str(potion), "Quantity": 1, "id": str(potion)}
    assert outcome(taken) == (200, expected)


# --- signing in ---------------------------------------------------------------


async def test_a_token_is_kept_for_a_week(site, signer):
    issued = await form_token(site, signer)

    assert issued["token_type"] == "bearer"
    assert issued["expires_in"] == 7 * 24 * 3600


@pytest.fixture(scope="module", autouse=True)
async def signing_in(
    site: httpx2.AsyncClient, database: Database
) -> AsyncIterator[asyncio.Task[None]]:
    """In the end it waits for two seconds, so it goes on while other tests run."""
    task = asyncio.create_task(sign_in_before_every_call(site, database))
    yield task
    task.cancel()
    await asyncio.wait([task])


async def test_a_site_that_signs_in_before_every_call_leaves_few_rows(signing_in):
    """Each of its tokens is good, also the earlier ones, and one revocation ends all."""
    await signing_in


async def sign_in_before_every_call(site: httpx2.AsyncClient, database: Database) -> None:
    name = await make_signer(database)
    user = await database.reader.value("SELECT id FROM users WHERE name = $1", name)
    await tokens.issue(database, [await proved(database, user)] * (MOST_FAMILIES - 2))

    issued = []
    for _ in range(8):
        issued.append(await form_token(site, name))
        headers = bearer(issued[-1]["access_token"])
        assert (await site.get("/api/v1/players/online/count", headers=headers)).status_code == 200

    assert len({tokens["access_token"] for tokens in issued}) == 3
    assert len({tokens["refresh_token"] for tokens in issued}) == 8
    assert 0 < issued[-1]["expires_in"] <= 7 * 24 * 3600
    sql = "SELECT count(*) FROM token_families WHERE user_id = $1"
    assert await database.reader.value(sql, user) == MOST_FAMILIES + 1
    own = bearer(issued[0]["access_token"])
    ended = await site.delete(f"/api/oauth/token/{name}", headers=own)
    assert outcome(ended) == (200, {"username": name})
    for issue in issued:
        again = {"grant_type": "refresh_token", "refresh_token": issue["refresh_token"]}
        assert (await site.post(TOKEN, json=again)).json()["error"] == "invalid_grant"
    # A caller is remembered for two seconds.
    limit = monotonic() + 5
    shared = bearer(issued[-1]["access_token"])
    while (late := await site.get("/api/v1/info", headers=shared)).status_code == 200:
        assert monotonic() < limit
        await asyncio.sleep(0.1)
    assert (late.status_code, late.json()["Message"]) == (401, DENIED)


async def test_a_shared_sign_in_is_refreshed_once_and_revoked_by_its_refresh_token(site, database):
    name = await make_signer(database)
    user = await database.reader.value("SELECT id FROM users WHERE name = $1", name)
    await tokens.issue(database, [await proved(database, user)] * MOST_FAMILIES)
    one, two = await form_token(site, name), await form_token(site, name)
    assert one["access_token"] == two["access_token"]

    fields = {"grant_type": "refresh_token", "refresh_token": one["refresh_token"]}
    refreshed = (await site.post(TOKEN, data=fields)).json()
    assert refreshed["access_token"] != one["access_token"]
    assert outcome(await site.post("/api/oauth/revoke", json={"token": two["refresh_token"]})) == (
        200,
        {},
    )

    shared = await site.get("/api/v1/info", headers=bearer(one["access_token"]))
    mine = await site.get("/api/v1/info", headers=bearer(refreshed["access_token"]))
    assert (shared.status_code, mine.status_code) == (401, 200)
    assert (await site.post(TOKEN, data=fields)).json()["error"] == "invalid_grant"
    other = bearer((await form_token(site, name))["access_token"])
    assert (await site.get("/api/v1/info", headers=other)).status_code == 200


async def test_a_library_ends_a_sign_in_by_its_refresh_token(site, database, log):
    """By Intersect's older path; the token, which stands in the path, is not in the log."""
    name, stranger = await make_signer(database), await make_signer(database)
    one, two = await sign_in(site, name), await sign_in(site, name)
    path = f"/api/oauth/token/{name}/{one['refresh_token']}"

    theirs = bearer((await sign_in(site, stranger))["access_token"])
    refused = await site.delete(path, headers=theirs)
    assert refused.json()["Code"] == "role_required"
    assert (await site.delete(path)).status_code == 401
    mine = bearer(two["access_token"])
    assert outcome(await site.delete(path, headers=mine)) == (
        200,
        {"username": name, "tokenId": one["refresh_token"]},
    )

    denied = await site.get("/api/v1/info", headers=bearer(one["access_token"]))
    assert denied.status_code == 401
    message = "The account has no active token with this id."
    for gone in (path, f"/api/oauth/token/{name}/nonsense"):
        again = await site.delete(gone, headers=mine)
        assert outcome(again) == refusal(404, "token_not_found", message)
    by_id = await site.delete(f"/api/oauth/token/{name}/{two['token_id']}/", headers=mine)
    assert outcome(by_id) == (200, {"username": name, "tokenId": two["token_id"]})
    limit = monotonic() + PATIENCE
    while f"/api/oauth/token/{name}/gkr_***" not in log.read_text():
        assert monotonic() < limit, log.read_text()[-3000:]
        await asyncio.sleep(0.05)
    assert one["refresh_token"] not in log.read_text()


async def test_nobody_ends_anothers_sign_in_by_putting_it_under_their_own_name(site, database):
    name, thief = await make_signer(database), await make_signer(database)
    victim, mine = await sign_in(site, name), await sign_in(site, thief)
    headers = bearer(mine["access_token"])

    for named in (victim["refresh_token"], victim["token_id"]):
        answer = await site.delete(f"/api/oauth/token/{thief}/{named}", headers=headers)
        assert answer.json()["Code"] == "token_not_found"

    alive = await site.get("/api/v1/info", headers=bearer(victim["access_token"]))
    assert alive.status_code == 200
