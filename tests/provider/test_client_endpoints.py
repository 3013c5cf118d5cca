"""OpenID clients by the API: their secrets, who may manage which, and what ends with them."""

from typing import Any

import httpx2
import pytest

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from tests.in_process import in_process
from tests.provider.relying_party import CALLBACK, ISSUER, Browser, Registration, RelyingParty
from tests.security.callers import key_with

PATH = "/api/v1/openid-clients"
FORUM = {"name": "Forum", "redirectUris": [CALLBACK], "asksConsent": False}


@pytest.fixture
async def manager(database: Database) -> dict[str, str]:
    """The headers of a key that may let clients ask for everything."""
    return await key_with(database, "keys.manage", "users.personal", "staff.read")


async def create(http: httpx2.AsyncClient, headers: dict[str, str], **about: Any) -> dict[str, Any]:
    response = await http.post(PATH, json=FORUM | about, headers=headers)
    assert response.status_code == 200, response.text
    return response.json()


def party(http: httpx2.AsyncClient, made: dict[str, Any]) -> RelyingParty:
    secret = made["Secret"]
    registration = Registration(id=made["Id"], secret=Hidden(secret) if secret else None)
    return RelyingParty(http, registration)


async def tokens(browser: Browser, party: RelyingParty, **about: str) -> httpx2.Response:
    signed_in = await browser.sign_in(party.query(**about))
    return await party.exchange(signed_in["code"])


async def test_players_sign_in_at_a_new_client(
    http: httpx2.AsyncClient, browser: Browser, manager: dict[str, str]
):
    made = await create(http, manager)

    signed_in = await tokens(browser, party(http, made))

    assert signed_in.status_code == 200
    listed = (await http.get(PATH, headers=manager)).json()
    assert listed["Issuer"] == ISSUER
    [shown] = listed["Values"]
    assert shown["SignIns"] == 1
    assert shown["UsedAt"]
    assert "Secret" not in shown
    assert shown == (await http.get(f"{PATH}/{made['Id']}", headers=manager)).json()


async def test_the_secret_is_shown_once_and_stored_nowhere(
    http: httpx2.AsyncClient, database: Database, manager: dict[str, str]
):
    headers = manager | {"Idempotency-Key": "forum"}
    made = await create(http, headers)
    renewal = manager | {"Idempotency-Key": "renewal"}
    address = f"{PATH}/{made['Id']}/secret"
    renewed = (await http.post(address, headers=renewal)).json()

    repeated = await create(http, headers)
    again = (await http.post(address, headers=renewal)).json()

    assert repeated == made | {"Secret": None}
    assert again == renewed | {"Secret": None}
    assert len((await http.get(PATH, headers=manager)).json()["Values"]) == 1
    for table in ("openid_clients", "actions", "replies"):
        rows = await database.reader.rows(f"SELECT stored::text AS text FROM {table} AS stored")
        stored = "".join(row["text"] for row in rows)
        assert made["Secret"] not in stored
        assert renewed["Secret"] not in stored


async def test_an_old_secret_is_void_at_once(
    http: httpx2.AsyncClient, browser: Browser, manager: dict[str, str]
):
    made = await create(http, manager)
    renewed = (await http.post(f"{PATH}/{made['Id']}/secret", headers=manager)).json()

    refused = await tokens(browser, party(http, made))

    assert (refused.status_code, refused.json()["error"]) == (401, "invalid_client")
    assert (await tokens(browser, party(http, renewed))).status_code == 200


async def test_the_secret_of_a_forum_is_renewed_where_its_answers_are_signed(
    http: httpx2.AsyncClient, database: Database, manager: dict[str, str]
):
    sealed = "SELECT discourse_sealed FROM openid_clients WHERE id = $1"
    made = await create(http, manager, discourse=True)
    assert made["IsDiscourse"]
    before = await database.reader.value(sealed, made["Id"])

    await http.post(f"{PATH}/{made['Id']}/secret", headers=manager)

    assert before
    assert await database.reader.value(sealed, made["Id"]) not in (None, before)


@pytest.mark.parametrize(
    ("scope", "needed"), [("email", "users.personal"), ("roles", "staff.read")]
)
async def test_nobody_lets_a_client_ask_for_what_they_cannot_read(
    http: httpx2.AsyncClient,
    database: Database,
    manager: dict[str, str],
    scope: str,
    needed: str,
):
    other = {"users.personal", "staff.read"} - {needed}
    lacking = await key_with(database, "keys.manage", *other)
    theirs = await create(http, manager, scopes=["profile", scope])
    own = await create(http, lacking, scopes=["profile"])

    answers = [
        await http.post(PATH, json=FORUM | {"scopes": [scope]}, headers=lacking),
        await http.patch(f"{PATH}/{own['Id']}", json={"scopes": [scope]}, headers=lacking),
        # Else the answers with the data could be sent elsewhere.
        await http.patch(
            f"{PATH}/{theirs['Id']}", json={"redirectUris": [CALLBACK]}, headers=lacking
        ),
        await http.patch(f"{PATH}/{theirs['Id']}", json={"scopes": []}, headers=lacking),
        await http.post(f"{PATH}/{theirs['Id']}/secret", headers=lacking),
    ]

    codes = {(answer.status_code, answer.json()["Code"]) for answer in answers}
    assert codes == {(403, "client_exceeds_caller")}


async def test_a_public_client_has_no_secret(
    http: httpx2.AsyncClient, browser: Browser, manager: dict[str, str]
):
    about = {"public": True, "asksConsent": True, "scopes": ["profile"]}
    made = await create(http, manager, **about)

    assert made["Secret"] is None
    assert made["IsPublic"]
    assert (await tokens(browser, party(http, made), scope="openid profile")).status_code == 200
    refused = [
        await http.post(f"{PATH}/{made['Id']}/secret", headers=manager),
        await http.patch(f"{PATH}/{made['Id']}", json={"requiresPkce": False}, headers=manager),
        await http.post(PATH, json=FORUM | {"public": True}, headers=manager),
        await http.post(PATH, json=FORUM | about | {"discourse": True}, headers=manager),
    ]
    assert {(one.status_code, one.json()["Code"]) for one in refused} == {(400, "public_client")}


async def test_only_what_is_sent_changes(http: httpx2.AsyncClient, manager: dict[str, str]):
    address = "https://forum.example.org/bye"
    made = await create(
        http, manager, logoutUris=[address], backchannelUri="http://127.0.0.1:9/out"
    )
    del made["Secret"]

    async def change(**about: Any) -> dict[str, Any]:
        path = f"{PATH}/{made['Id']}"
        return (await http.patch(path, json=about, headers=manager)).json()

    assert await change(name="Board") == made | {"Name": "Board"}
    assert await change(logoutUris=[]) == made | {"Name": "Board", "LogoutUris": []}
    assert await change(backchannelUri="", admitsBanned=True) == made | {
        "Name": "Board",
        "LogoutUris": [],
        "BackchannelUri": None,
        "AdmitsBanned": True,
    }


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"name": " "}, "invalid_client_name"),
        ({"redirectUris": []}, "too_many_redirect_uris"),
        ({"redirectUris": ["http://forum.example.org/"]}, "invalid_redirect_uri"),
        ({"logoutUris": ["javascript:alert(1)"]}, "invalid_redirect_uri"),
        ({"scopes": ["everything"]}, "invalid_client_scope"),
        ({"backchannelUri": "https://10.0.0.1/"}, "forbidden_target"),
        ({"backchannelUri": "ftp://forum.example.org/"}, "invalid_webhook_url"),
    ],
)
async def test_what_is_wrong_with_a_client_is_said(
    http: httpx2.AsyncClient, manager: dict[str, str], wrong: dict[str, Any], code: str
):
    made = await create(http, manager)

    refused = await http.post(PATH, json=FORUM | wrong, headers=manager)
    unchanged = await http.patch(f"{PATH}/{made['Id']}", json=wrong, headers=manager)

    assert (refused.status_code, refused.json()["Code"]) == (400, code)
    assert (unchanged.status_code, unchanged.json()["Code"]) == (400, code)


async def test_the_end_of_all_sign_ins_and_of_the_client(
    http: httpx2.AsyncClient, browser: Browser, manager: dict[str, str]
):
    made = await create(http, manager)
    forum = party(http, made)
    first = (await tokens(browser, forum)).json()

    await http.post(f"{PATH}/{made['Id']}/sign-out", headers=manager)

    assert (await forum.user_info(first["access_token"])).status_code == 401
    second = (await tokens(browser, forum)).json()
    assert (await forum.user_info(second["access_token"])).status_code == 200
    gone = await http.delete(f"{PATH}/{made['Id']}", headers=manager | {"Idempotency-Key": "x"})
    assert gone.json()["Name"] == "Forum"
    assert (await forum.user_info(second["access_token"])).status_code == 401
    again = await http.delete(f"{PATH}/{made['Id']}", headers=manager | {"Idempotency-Key": "x"})
    assert again.json() == gone.json()
    absent = await http.get(f"{PATH}/{made['Id']}", headers=manager)
    assert (absent.status_code, absent.json()["Code"]) == (404, "openid_client_not_found")


async def test_without_an_issuer_the_list_says_that_nobody_can_sign_in(
    settings: Settings, manager: dict[str, str]
):
    async with in_process(settings) as http:
        await create(http, manager)
        listed = (await http.get(PATH, headers=manager)).json()

    assert listed["Issuer"] is None
    assert [client["Name"] for client in listed["Values"]] == ["Forum"]
