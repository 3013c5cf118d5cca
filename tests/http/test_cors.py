"""CORS: which web pages may call the API."""

from collections.abc import AsyncIterator

import httpx2
import pytest
from msgspec import structs

from gamekeeper.auth import keys
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from tests.in_process import in_process
from tests.make import BY

SITE = "https://www.example.org"
OTHER = "https://evil.example"
COUNT = "/api/v1/players/online/count"
HEADERS = (
    "access-control-allow-origin",
    "access-control-allow-headers",
    "access-control-allow-methods",
    "access-control-allow-credentials",
    "access-control-expose-headers",
    "access-control-max-age",
)


@pytest.fixture
async def key(database: Database) -> str:
    return str(await keys.create.one(database, keys.NewKey(by=BY, name="site")))


@pytest.fixture
async def named(settings: Settings, database: Database) -> AsyncIterator[httpx2.AsyncClient]:
    shared = structs.replace(settings, cors_origins=f"http://a.example,{SITE}")
    async with in_process(shared, database) as client:
        yield client


@pytest.fixture
async def everybody(settings: Settings, database: Database) -> AsyncIterator[httpx2.AsyncClient]:
    async with in_process(structs.replace(settings, cors_origins=f"*,{SITE}"), database) as client:
        yield client


def cors(answer: httpx2.Response) -> dict[str, str]:
    return {name: answer.headers[name] for name in HEADERS if name in answer.headers}


async def call(
    client: httpx2.AsyncClient, method: str, path: str, **headers: str
) -> httpx2.Response:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return await client.request(method, path, headers=sent)


async def preflight(client: httpx2.AsyncClient, path: str, origin: str) -> httpx2.Response:
    return await call(client, "OPTIONS", path, origin=origin, access_control_request_method="POST")


async def test_a_preflight_of_a_named_origin_is_answered_without_a_credential(named):
    answer = await preflight(named, "/api/v1/players/nobody/items/give", SITE)

    assert (answer.status_code, answer.content) == (204, b"")
    assert "Authorization" in answer.headers["access-control-allow-headers"]
    assert "Idempotency-Key" in answer.headers["access-control-allow-headers"]
    assert answer.headers["access-control-allow-origin"] == SITE
    assert answer.headers["access-control-allow-methods"] == "GET, HEAD, POST, PUT, PATCH, DELETE"
    assert answer.headers["access-control-max-age"] == "600"
    assert "Origin" in answer.headers["vary"].split(", ")
    assert "access-control-allow-credentials" not in answer.headers


async def test_a_page_of_a_named_origin_may_read_answers_and_refusals(named, key):
    for authorization, status in ((f"Bearer {key}", 200), ("Bearer wrong", 401)):
        answer = await call(named, "GET", COUNT, origin=SITE, authorization=authorization)
        assert answer.status_code == status
        assert answer.headers["access-control-allow-origin"] == SITE
        assert "X-Request-Id" in answer.headers["access-control-expose-headers"]
        assert "access-control-allow-credentials" not in answer.headers
    assert cors(await call(named, "GET", "/api/nothing", origin=SITE)) != {}


@pytest.mark.parametrize(
    "origin", [OTHER, "null", SITE + ".evil.example", "http://www.example.org", SITE + ":8443", ""]
)
async def test_other_origins_get_no_permission(named, key, origin):
    answer = await preflight(named, COUNT, origin)
    assert (answer.status_code, cors(answer)) == (405, {})
    answer = await call(named, "GET", COUNT, origin=origin, authorization=f"Bearer {key}")
    assert (answer.status_code, cors(answer)) == (200, {})
    assert "Origin" in answer.headers["vary"].split(", ")


async def test_only_the_api_is_shared(named):
    for path in ("/metrics", "/readyz", "/livez", "/reset"):
        assert cors(await call(named, "GET", path, origin=SITE)) == {}, path
        assert (await preflight(named, path, SITE)).status_code == 405, path
    assert cors(await call(named, "GET", "/API/v1/players", origin=SITE)) != {}


async def test_a_star_is_for_requests_without_a_credential(everybody, key):
    answer = await preflight(everybody, COUNT, OTHER)
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "authorization" not in answer.headers["access-control-allow-headers"].lower()
    answer = await call(everybody, "GET", "/api/openapi.json", origin=OTHER)
    assert answer.headers["access-control-allow-origin"] == "*"
    answer = await call(everybody, "GET", COUNT, origin=OTHER, authorization=f"Bearer {key}")
    assert (answer.status_code, cors(answer)) == (200, {})
    answer = await call(everybody, "GET", COUNT, origin=SITE, authorization=f"Bearer {key}")
    assert answer.headers["access-control-allow-origin"] == SITE


async def test_an_options_request_that_is_no_preflight_is_refused_as_ever(named):
    answer = await call(named, "OPTIONS", COUNT, origin=SITE)
    assert (answer.status_code, answer.json()["Code"]) == (405, "method_not_allowed")


async def test_without_the_setting_there_is_nothing_of_it(client):
    answer = await client.get(COUNT, headers={"Origin": SITE})
    assert (answer.status_code, cors(answer)) == (200, {})
    assert "Origin" not in answer.headers.get("vary", "")
    answer = await client.options(
        COUNT, headers={"Origin": SITE, "Access-Control-Request-Method": "GET"}
    )
    assert (answer.status_code, cors(answer)) == (405, {})


@pytest.mark.parametrize("path", ["/openid/token", "/openid/userinfo", "/openid/revoke"])
async def test_a_page_may_be_an_openid_client(settings: Settings, database: Database, path: str):
    """It has no secret, and exchanges its codes in the browser."""
    issuer = "http://127.0.0.1:8000"
    shared = structs.replace(settings, cors_origins=SITE, openid_issuer=issuer, public_url=issuer)
    async with in_process(shared, database) as client:
        asked = await preflight(client, path, SITE)
        refused = await call(client, "POST", path, origin=SITE)
        other = await call(client, "POST", path, origin=OTHER)
        page = await call(client, "POST", "/openid/sign-in", origin=SITE)

    assert asked.headers["access-control-allow-headers"].startswith("Authorization")
    assert refused.headers["access-control-allow-origin"] == SITE
    assert (cors(other), cors(page)) == ({}, {})
