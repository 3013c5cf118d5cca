"""A fetch returns the whole response of a public address within its limits, or fails."""

import pytest

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.egress import http_client, targets
from gamekeeper.egress.http_client import FetchFailed
from tests.webhooks.receivers import answer, receiver

PLAIN = Settings(database_url=Hidden("postgresql://x/y"))
NAMED = Settings(database_url=Hidden("postgresql://x/y"), webhook_hosts="127.0.0.1:*")


async def test_a_fetch_reads_the_whole_body():
    async with receiver() as target:
        target.answer = lambda _: answer(200, b"x" * 200_000)
        got = await http_client.fetch(targets.parse(NAMED, target.url), "GET")
    assert (got.status, len(got.body)) == (200, 200_000)


async def test_a_fetch_follows_no_redirect():
    async with receiver() as target, receiver() as other:
        target.answer = lambda _: answer(302, b"", f"Location: {other.url}")
        got = await http_client.fetch(targets.parse(NAMED, target.url), "GET")
    assert (got.status, other.received) == (302, [])


@pytest.mark.parametrize(
    "said",
    [
        answer(200, b"x" * 300_000),
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    ],
)
async def test_a_body_that_is_cut_off_or_too_long_is_a_failure(said):
    async with receiver() as target:
        target.answer = lambda _: said
        with pytest.raises(FetchFailed):
            await http_client.fetch(targets.parse(NAMED, target.url), "GET")


async def test_a_slow_response_is_a_failure(monkeypatch):
    monkeypatch.setattr(http_client, "FETCH_SECONDS", 0.2)
    async with receiver() as target:
        target.byte_seconds = 0.1
        with pytest.raises(FetchFailed):
            await http_client.fetch(targets.parse(NAMED, target.url), "GET")


async def test_a_private_address_is_not_fetched():
    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    target = targets.parse(PLAIN, "https://login.example/keys")
    with pytest.raises(FetchFailed, match="ForbiddenTarget"):
        await http_client.fetch(target, "GET", resolve=resolve)
