"""Whatever a target answers, little of it is read and nobody waits for it for long."""

import gzip
import time

import pytest

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.egress import http_client, targets
from gamekeeper.egress.http_client import Outcome
from tests.webhooks.receivers import Receiver, answer, receiver

NAMED = Settings(database_url=Hidden("postgresql://x/y"), webhook_hosts="127.0.0.1:*")


async def told(target: Receiver, seconds: float = http_client.SECONDS) -> Outcome:
    return await http_client.send(targets.parse(NAMED, target.url), [], b"{}", seconds=seconds)


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        (b"HTTP/1.1 100 Continue\r\n\r\n" + answer(200), (200, "thanks")),
        (b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" * 2 + answer(500), (500, "thanks")),
        (answer(200, b"a\0b\xff"), (200, "ab\N{REPLACEMENT CHARACTER}")),
        (answer(200, b"x" * 5_000_000), (200, "x" * 200)),
        (b"HTTP/1.0 200\r\n\r\nold", (200, "old")),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            (200, "abc"),
        ),
        (b"HTTP/1.1 204 No Content\r\n\r\n", (204, "")),
    ],
)
async def test_an_answer_is_its_status_and_the_beginning_of_its_body(said, outcome):
    async with receiver() as target:
        target.answer = lambda _: said
        got = await told(target)

    assert (got.status, got.answer) == outcome


@pytest.mark.parametrize(
    "said",
    [
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1_000_000 + b"\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" * 10_000,
        b"HTTP/1.1 100 Continue\r\n\r\n" * 10 + answer(200),
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n" + answer(200),
        answer(200, b"ab", "Content-Length: 1"),
        b"HTTP/1.1 2000 OK\r\n\r\n",
        b"HTTP/2 200\r\n\r\n",
        b"HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\nContent-Length: 0\n\n",
        b"\0" * 100_000,
        b"",
    ],
)
async def test_what_is_no_answer_is_a_failure(said):
    async with receiver() as target:
        target.answer = lambda _: said
        got = await told(target)

    assert (got.status, got.is_success) == (None, False)
    assert got.fault


async def test_what_is_packed_is_not_unpacked():
    packed = gzip.compress(b"0" * 10_000_000)
    async with receiver() as target:
        target.answer = lambda _: answer(200, packed, "Content-Encoding: gzip")
        got = await told(target)

    assert got.status == 200
    assert "000" not in (got.answer or "")
    assert target.received[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize(
    "said",
    [
        answer(200),
        answer(200, b""),
        b"HTTP/1.1 204 No Content\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding:chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    ],
)
async def test_a_target_that_leaves_the_connection_open_costs_no_time(said, monkeypatch):
    monkeypatch.setattr(http_client, "BODY_SECONDS", 30)
    async with receiver() as target:
        target.answer, target.stay_seconds = (lambda _: said), 30
        began = time.monotonic()
        got = await told(target)

    assert got.is_success
    assert time.monotonic() - began < 15


async def test_a_target_that_trickles_has_no_longer_than_others():
    async with receiver() as target:
        target.answer, target.byte_seconds = (lambda _: answer(200)), 0.2
        began = time.monotonic()
        got = await told(target, seconds=1)

    assert got.fault == "timeout"
    assert time.monotonic() - began < 5


async def test_a_body_that_trickles_is_not_waited_for(monkeypatch):
    """The answer has been given; what follows is only kept to be looked at."""
    monkeypatch.setattr(http_client, "BODY_SECONDS", 0.2)
    async with receiver() as target:
        target.answer = lambda _: b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbegun"
        target.stay_seconds = 30
        got = await told(target)

    assert (got.status, got.answer) == (200, "begun")


async def test_the_path_is_sent_as_it_stands():
    async with receiver() as target:
        url = target.url.replace("/hook?a=1", "/a%0d%0aX-Evil:%201?b=%00")
        await http_client.send(targets.parse(NAMED, url), [], b"{}")

    assert "x-evil" not in target.received[0].headers


@pytest.mark.parametrize("header", [("X-A", "b\r\nX-Evil: 1"), ("X-A\n", "b"), ("X-A", "b\0")])
async def test_a_header_cannot_begin_another(header):
    async with receiver() as target:
        got = await http_client.send(targets.parse(NAMED, target.url), [header], b"{}")

    assert got.fault is not None
    assert got.fault.startswith("ValueError")
    assert target.received == []
