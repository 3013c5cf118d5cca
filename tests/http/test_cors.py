"""CORS: which web pages may call the API, asked of a real server."""

from collections.abc import AsyncIterator, Iterator

import httpx2
import pytest

from gamekeeper.auth import keys
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from tests.conftest import cloned
from tests.deadlines import PATIENCE
from tests.make import BY
from tests.server import serving

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


@pytest.fixture(scope="module")
async def settings(template: str) -> AsyncIterator[Settings]:
    async with cloned(template) as settings:
        yield settings


@pytest.fixture(scope="module")
async def key(settings: Settings) -> str:
    async with Database.open(settings) as database:
        return str(await keys.create.one(database, keys.NewKey(by=BY, name="site")))


@pytest.fixture(scope="module")
def named(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    log = tmp_path_factory.mktemp("named") / "log"
    with serving(settings, log, GAMEKEEPER_CORS_ORIGINS=f"http://a.example,{SITE}") as (url, _):
        yield url


@pytest.fixture(scope="module")
def everybody(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    log = tmp_path_factory.mktemp("everybody") / "log"
    with serving(settings, log, GAMEKEEPER_CORS_ORIGINS=f"*,{SITE}") as (url, _):
        yield url


def cors(answer: httpx2.Response) -> dict[str, str]:
    return {name: answer.headers[name] for name in HEADERS if name in answer.headers}


def call(url: str, method: str, path: str, **headers: str) -> httpx2.Response:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.request(method, url + path, headers=sent, timeout=PATIENCE)


def preflight(url: str, path: str, origin: str) -> httpx2.Response:
    return call(url, "OPTIONS", path, origin=origin, access_control_request_method="POST")


def test_a_preflight_of_a_named_origin_is_answered_without_a_credential(named):
    answer = preflight(named, "/api/v1/players/nobody/items/give", SITE)

    assert (answer.status_code, answer.content) == (204, b"")
    assert "Authorization" in answer.headers["access-control-allow-headers"]
    assert "Idempotency-Key" in answer.headers["access-control-allow-headers"]
    assert answer.headers["access-control-allow-origin"] == SITE
    assert answer.headers["access-control-allow-methods"] == "GET, HEAD, POST, PUT, PATCH, DELETE"
    assert answer.headers["access-control-max-age"] == "600"
    assert "Origin" in answer.headers["vary"].split(", ")
    assert "access-control-allow-credentials" not in answer.headers


def test_a_page_of_a_named_origin_may_read_answers_and_refusals(named, key):
    for authorization, status in ((f"Bearer {key}", 200), ("Bearer wrong", 401)):
        answer = call(named, "GET", COUNT, origin=SITE, authorization=authorization)
        assert answer.status_code == status
        assert answer.headers["access-control-allow-origin"] == SITE
        assert "X-Request-Id" in answer.headers["access-control-expose-headers"]
        assert "access-control-allow-credentials" not in answer.headers
    assert cors(call(named, "GET", "/api/nothing", origin=SITE)) != {}


@pytest.mark.parametrize(
    "origin", [OTHER, "null", SITE + ".evil.example", "http://www.example.org", SITE + ":8443", ""]
)
def test_other_origins_get_no_permission(named, key, origin):
    answer = preflight(named, COUNT, origin)
    assert (answer.status_code, cors(answer)) == (405, {})
    answer = call(named, "GET", COUNT, origin=origin, authorization=f"Bearer {key}")
    assert (answer.status_code, cors(answer)) == (200, {})
    assert "Origin" in answer.headers["vary"].split(", ")


def test_only_the_api_is_shared(named):
    for path in ("/metrics", "/readyz", "/livez", "/reset"):
        assert cors(call(named, "GET", path, origin=SITE)) == {}, path
        assert preflight(named, path, SITE).status_code == 405, path
    assert cors(call(named, "GET", "/API/v1/players", origin=SITE)) != {}


def test_a_star_is_for_requests_without_a_credential(everybody, key):
    answer = preflight(everybody, COUNT, OTHER)
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "authorization" not in answer.headers["access-control-allow-headers"].lower()
    answer = call(everybody, "GET", "/api/openapi.json", origin=OTHER)
    assert answer.headers["access-control-allow-origin"] == "*"
    answer = call(everybody, "GET", COUNT, origin=OTHER, authorization=f"Bearer {key}")
    assert (answer.status_code, cors(answer)) == (200, {})
    answer = call(everybody, "GET", COUNT, origin=SITE, authorization=f"Bearer {key}")
    assert answer.headers["access-control-allow-origin"] == SITE


def test_an_options_request_that_is_no_preflight_is_refused_as_ever(named):
    answer = call(named, "OPTIONS", COUNT, origin=SITE)
    assert (answer.status_code, answer.json()["Code"]) == (405, "method_not_allowed")


async def test_without_the_setting_there_is_nothing_of_it(client):
    answer = await client.get(COUNT, headers={"Origin": SITE})
    assert (answer.status_code, cors(answer)) == (200, {})
    assert "Origin" not in answer.headers.get("vary", "")
    answer = await client.options(
        COUNT, headers={"Origin": SITE, "Access-Control-Request-Method": "GET"}
    )
    assert (answer.status_code, cors(answer)) == (405, {})
