"""Options of clients: of a single call, of the environment, of the HTTP client, of the log."""

import asyncio
import logging
import socket
import time

import gamekeeper_client
import httpx2
import pytest
from gamekeeper_client import (
    AsyncGamekeeper,
    Gamekeeper,
    RetryPolicy,
    Unauthorized,
    Unavailable,
    Unreachable,
)

from tests.clients.answers import answering
from tests.clients.proxies import proxying
from tests.make import make_item, make_player

ALIVE = '{"Status": "alive"}'


@pytest.fixture
def silent():
    """A port that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


def test_a_single_call_has_a_timeout_of_its_own(silent):
    with Gamekeeper(silent, "gk_x", retries=0) as client:
        hurried = client.players.with_options(timeout=0.2)
        began = time.monotonic()
        with pytest.raises(Unreachable) as late:
            hurried.get("Ana")
        assert time.monotonic() - began < 5
        assert late.value.attempts == 1
        assert client.players.client is client, "the client itself stays as it was"
        assert client._connection.timeout == 10.0


async def test_so_it_is_with_async(silent):
    async with AsyncGamekeeper(silent, "gk_x") as client:
        began = time.monotonic()
        with pytest.raises(Unreachable) as late:
            await client.with_options(timeout=0.2, retries=1).players.get("Ana")
        assert (late.value.attempts, time.monotonic() - began < 5) == (2, True)


@pytest.mark.parametrize(("retries", "attempts"), [(0, 1), (2, 3), (RetryPolicy(attempts=2), 2)])
def test_retries_are_a_number_or_a_policy(retries, attempts):
    with answering(503) as away, Gamekeeper(away.url, "gk_x") as client:
        with pytest.raises(Unavailable):
            client.health.with_options(retries=retries).alive()
        assert len(away.asked) == attempts


async def test_what_shares_connections_does_not_close_them(url, key, database):
    ana = await make_player(database)
    async with AsyncGamekeeper(url, key) as client:
        async with client.with_options(timeout=5) as other:
            await other.players.get(ana)
        assert (await client.players.get(ana))["Id"] == str(ana)
        async with asyncio.timeout(10):
            events = client.events.with_options(timeout=5).stream("latest")
            coming = asyncio.ensure_future(anext(events))
            while not coming.done():
                await client.players.give(ana, await make_item(database))
                await asyncio.sleep(0.2)
            await events.aclose()


def test_address_and_key_come_from_the_environment(url, key, monkeypatch):
    monkeypatch.setenv("GAMEKEEPER_CLIENT_URL", url + "/")
    monkeypatch.setenv("GAMEKEEPER_CLIENT_KEY", key)
    with Gamekeeper() as client:
        assert client.players.online_count() == {"onlineCount": 0}
    with Gamekeeper(key="") as nobody, pytest.raises(Unauthorized):
        nobody.players.online_count()


async def test_what_is_given_comes_before_the_environment(url, key, monkeypatch):
    monkeypatch.setenv("GAMEKEEPER_CLIENT_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("GAMEKEEPER_CLIENT_KEY", "gk_wrong")
    async with AsyncGamekeeper(url, key) as client:
        assert await client.players.online_count() == {"onlineCount": 0}


@pytest.mark.parametrize("kind", [Gamekeeper, AsyncGamekeeper])
def test_options_that_make_no_sense_are_refused_at_once(kind, monkeypatch):
    monkeypatch.delenv("GAMEKEEPER_CLIENT_URL", raising=False)
    with pytest.raises(ValueError, match="GAMEKEEPER_CLIENT_URL"):
        kind()
    with pytest.raises(ValueError, match="timeout"):
        kind("http://x", timeout=0)
    with pytest.raises(ValueError, match="retries"):
        kind("http://x", retries=-1)
    with pytest.raises(ValueError, match="the URL of the service"):
        kind("http://127.0.0.1:port")
    with pytest.raises(ValueError, match="characters") as wrong:
        kind("http://x", "gk_one\r\nX-Other: two")
    assert "gk_one" not in str(wrong.value)
    with pytest.raises(TypeError, match="http_client"):
        kind("http://x", http_client=object())


def test_a_line_break_after_a_key_is_no_part_of_it(url, key):
    with Gamekeeper(f"{url}\n", f"{key}\n") as client:
        assert client.players.online_count() == {"onlineCount": 0}


def test_an_http_client_of_ones_own_is_used_and_left_open(url, key):
    """Its headers stay its own: the key must not go along with other requests of it."""
    seen: list[httpx2.Request] = []
    with httpx2.Client(event_hooks={"request": [seen.append]}) as http:
        with Gamekeeper(url, key, http_client=http) as client:
            assert client.info.authorized()
        assert [request.url.path for request in seen] == ["/api/v1/info/authorized"]
        assert not http.is_closed
        assert "authorization" not in http.headers
        assert http.get(f"{url}/livez").status_code == 200


async def test_a_proxy_is_an_option_of_the_http_client(url, key, database):
    """The proxy gets the whole address, which our server does not mind."""
    ana = await make_player(database)
    async with proxying(url) as proxy, httpx2.AsyncClient(proxy=proxy.url) as http:
        client = AsyncGamekeeper("http://game.invalid", key, http_client=http)
        assert (await client.players.get(ana))["Id"] == str(ana)
        assert proxy.asked == 1


def test_a_service_below_a_path_is_reached():
    with answering(200, ALIVE) as service, Gamekeeper(f"{service.url}/game/", "") as client:
        client.health.alive()
    assert service.asked[0][0] == "GET /game/livez"


def test_requests_say_who_asks():
    with answering(200, ALIVE) as service, Gamekeeper(service.url, "gk_x") as client:
        client.health.alive()
    headers = service.asked[0][1]
    assert headers["user-agent"].startswith(f"gamekeeper-client/{gamekeeper_client.__version__} ")
    assert headers["authorization"] == "Bearer gk_x"


def test_no_secret_is_shown_or_logged(url, key, caplog):
    caplog.set_level(logging.DEBUG, "gamekeeper_client")
    with Gamekeeper(url, key) as client:
        list(client.players.all(search="private"))
        assert repr(client) == f"Gamekeeper('{url}')"
        assert key not in repr(client._connection)
    [said] = [
        record.getMessage() for record in caplog.records if record.name == "gamekeeper_client"
    ]
    assert said.startswith("GET /api/v1/players: 200 (request ")
    assert "private" not in said
    with Gamekeeper("http://user:secret@127.0.0.1", key) as client:
        assert repr(client) == "Gamekeeper('http://user:[secure]@127.0.0.1')"


def test_retries_are_logged(caplog):
    caplog.set_level(logging.INFO, "gamekeeper_client")
    with (
        answering(503, X_Request_Id="abc") as away,
        Gamekeeper(away.url, "", retries=1) as client,
        pytest.raises(Unavailable),
    ):
        client.health.alive()
    with Gamekeeper("http://127.0.0.1:1", "", retries=1) as client, pytest.raises(Unreachable):
        client.health.alive()
    first, second = [
        message for message in caplog.messages if message.startswith("GET /livez: retry 1 in ")
    ]
    assert first.endswith("after 503 (request abc)")
    assert "ConnectError" in second
