"""The reverse proxies of `deploy/proxy`, before a real server, as docs/operate/tls.md asks."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx2
import pytest

from gamekeeper.auth import keys
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.http.cookies import NAME
from gamekeeper.users.staff import sign_in_links
from gamekeeper.users.staff.sign_in_links import NewLink
from tests import processes
from tests.deadlines import until
from tests.deploy.proxies import CONFIGURATIONS, PROXIES, Proxy, program
from tests.make import BY, make_item, make_player
from tests.own_server import database, log, settings
from tests.server import free_port, serving
from tests.staff.make import make_staff
from tests.staff.signed_in import OURS

__all__ = ["database", "log", "settings"]

pytestmark = pytest.mark.deploy

INSIDE = [
    *("/metrics", "/metrics/", "/METRICS", "//metrics", "/%6detrics", "/metrics?x=1"),
    *("/readyz", "/ReadyZ", "/livez", "/livez/"),
]
KEEP_ALIVE_SECONDS = 10


@pytest.fixture(scope="module", params=sorted(PROXIES))
def proxy(
    request: pytest.FixtureRequest, settings: Settings, log: Path, tmp_path_factory
) -> Iterator[Proxy]:
    """A proxy that trusts nobody, before a service that trusts the proxy."""
    folder = tmp_path_factory.mktemp(request.param)
    ports = free_port(), free_port()
    env = {
        "GAMEKEEPER_TRUSTED_PROXIES": "127.0.0.1",
        "GAMEKEEPER_PUBLIC_URL": f"https://localhost:{ports[0]}",
    }
    with (
        serving(settings, log, port=ports[1], **env),
        PROXIES[request.param](f"127.0.0.1:{ports[1]}", folder, ports[0]) as proxy,
    ):
        yield proxy


@pytest.fixture(scope="module")
async def key(database: Database) -> str:
    return str(await keys.create.one(database, keys.NewKey(by=BY, name="proxy")))


@pytest.fixture
async def client(proxy: Proxy, key: str) -> AsyncIterator[httpx2.AsyncClient]:
    async with proxy.client(Authorization=f"Bearer {key}") as client:
        yield client


async def test_staff_sign_in_through_it_and_browsers_stay_with_https(proxy, database):
    user = await make_staff(database, "owner")
    link = await sign_in_links.make.one(database, NewLink(user_id=user, by=BY))

    async with proxy.client(**OURS) as browser:
        page = await browser.get("/console/sign-in")
        begun = await browser.post("/api/v1/session/link", json={"code": str(link.code)})
        me = await browser.get("/api/v1/me")

    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["strict-transport-security"] == "max-age=31536000"
    assert begun.json()["State"] == "signed_in"
    assert begun.headers["set-cookie"].startswith(f"{NAME}=")
    assert me.json()["Roles"] == ["owner"]


async def test_the_api_answers_through_it_and_refusals_are_the_services(client):
    found = await client.get("/api/v1/players")
    missing = await client.get("/api/v1/players/nobody")

    assert (found.status_code, missing.status_code) == (200, 404)
    assert missing.json()["Code"] == "player_not_found"
    assert missing.headers["strict-transport-security"]


async def test_an_event_comes_at_once(proxy, client, key, database):
    """Held back until a buffer is full or the stream ends, it would come with a hundred others."""
    headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {key}"}
    async with (
        proxy.client(**headers) as listener,
        listener.stream("GET", "/api/v1/events?after=latest") as stream,
    ):
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = stream.aiter_lines()
        gift = {"itemid": str(await make_item(database)), "quantity": 1}
        player = await make_player(database)
        given = await client.post(f"/api/v1/players/{player}/items/give", json=gift)
        assert given.status_code == 200
        # The next keep-alive, which might push it out, comes after 15 seconds.
        async with asyncio.timeout(12):
            heard = [line async for line in _until_data(lines)]
    assert json.loads(heard[-1].removeprefix("data: "))


async def _until_data(lines: AsyncIterator[str]) -> AsyncIterator[str]:
    async for line in lines:
        yield line
        if line.startswith("data: "):
            return


async def test_the_service_knows_who_calls_whatever_the_caller_says(proxy, log):
    """127.0.0.2 is no proxy of ours, so it is the address that limits count by."""
    lies = {"X-Forwarded-For": "203.0.113.7", "X-Real-IP": "203.0.113.7"}
    lies |= {"Forwarded": "for=203.0.113.7", "X-Request-Id": f"who-calls-{proxy.port}"}
    async with proxy.client("127.0.0.2", **lies) as stranger:
        await stranger.get("/api/v1/players")

    async def logged() -> bool:
        return f"who-calls-{proxy.port}" in log.read_text()

    await until(logged, "the request is logged")
    [line] = [line for line in log.read_text().splitlines() if f"who-calls-{proxy.port}" in line]
    assert json.loads(line)["address"] == "127.0.0.2"


@pytest.mark.parametrize("path", INSIDE)
async def test_health_and_metrics_are_not_for_the_public(client, proxy, path):
    answer = await client.get(proxy.url + path)

    assert answer.status_code == 404
    assert "x-request-id" not in answer.headers, "the service was asked"


async def test_a_body_beyond_all_limits_stops_at_the_proxy(client):
    large = await client.post("/api/v1/transactions", content=b"x" * 3_000_000)
    allowed = await client.post("/api/v1/transactions", content=b"x" * 1024 * 1024)

    # Caddy before 2.7 has no better word for it.
    assert large.status_code in (413, 502)
    assert "x-request-id" not in large.headers
    assert "x-request-id" in allowed.headers


async def test_an_idle_connection_is_closed_before_the_service_would(client, proxy, log):
    """Else a request is sent on a connection that was just closed, and lost."""
    await client.get("/api/v1/players")
    upstream = _upstream_port(log)
    assert _connections(upstream)

    await asyncio.sleep(KEEP_ALIVE_SECONDS + 2.5)

    assert not _connections(upstream)


def _upstream_port(log: Path) -> int:
    [line] = [line for line in log.read_text().splitlines() if '"listening"' in line]
    return int(json.loads(line)["address"].rpartition(":")[2])


def _connections(port: int) -> list[str]:
    """The established connections to a port, as the kernel lists them."""
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    rows = [line.split() for line in lines]
    return [row[1] for row in rows if row[2].endswith(f":{port:04X}") and row[3] == "01"]


def test_the_caddyfile_is_in_caddys_own_form():
    done = processes.run([program("caddy"), "fmt", str(CONFIGURATIONS / "Caddyfile")])

    assert done.stdout == (CONFIGURATIONS / "Caddyfile").read_text()
