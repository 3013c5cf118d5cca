"""Clients that say nothing, or half of it: they are let go, and cost the others little."""

import asyncio
import os
from contextlib import closing
from time import monotonic

import httpx2
import pytest

from gamekeeper.auth import keys
from tests.crowd import Crowd, crowd, request
from tests.deadlines import PATIENCE
from tests.make import BY, make_player
from tests.server import serving

CONNECTIONS = int(os.environ.get("CROWD_CONNECTIONS", "2000"))

HEAD = b"POST /api/v1/users/password/reset/complete HTTP/1.1\r\nHost: gamekeeper\r\n"
SLOW = {
    "says nothing": b"",
    "half a head": HEAD,
    "half a body": HEAD + b"Content-Length: 100\r\nContent-Type: application/json\r\n\r\n{",
    "idle": b"GET /livez HTTP/1.1\r\nHost: gamekeeper\r\n\r\n",
}


async def until_closed(port: int, sent: bytes, after: float = 0) -> tuple[float, bytes]:
    await asyncio.sleep(after)
    begun = monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    with closing(writer):
        writer.write(sent)
        try:
            async with asyncio.timeout(PATIENCE):
                answer = await reader.read()
        except ConnectionError:
            answer = b""
    return monotonic() - begun, answer


@pytest.mark.torture
async def test_slow_connections_are_closed(settings, tmp_path):
    with serving(settings, tmp_path / "log") as (url, _):
        port = httpx2.URL(url).port
        closed = await asyncio.gather(*(until_closed(port, sent) for sent in SLOW.values()))

    assert all(seconds < 20 for seconds, _ in closed)
    answers = dict(zip(SLOW, (answer for _, answer in closed), strict=True))
    assert answers["half a body"].startswith(b"HTTP/1.1 408")
    assert b"body_too_slow" in answers["half a body"]


@pytest.mark.slow
async def test_two_thousand_slow_connections_do_not_slow_down_the_others(
    settings, database, tmp_path
):
    key = await keys.create.one(database, keys.NewKey(by=BY, name="crowd"))
    await make_player(database, "ana")
    asked = {"record": [request("GET", "/api/v1/players/ana", str(key))]}
    with serving(settings, tmp_path / "log") as (url, _):
        port = httpx2.URL(url).port
        honest = Crowd(port=port, requests=asked, clients=50, seconds=8, rate=300)
        await crowd(honest)
        alone = (await crowd(honest))["record"]
        kinds = [*SLOW.values()] * (CONNECTIONS // len(SLOW))
        # One after the other: what the kernel's queue has no room for the server never sees.
        slow = asyncio.gather(
            *(until_closed(port, sent, number * 0.002) for number, sent in enumerate(kinds))
        )
        await asyncio.sleep(len(kinds) * 0.002)
        beside = (await crowd(honest))["record"]
        longest = max(seconds for seconds, _ in await slow)
        print(
            f"\nalone p99 {alone.p99 * 1000:.1f} ms, beside {len(kinds)} slow ones "
            f"{beside.p99 * 1000:.1f} ms; closed within {longest:.1f} s"
        )
    assert beside.busy == beside.other == 0
    assert longest < 20
    assert beside.p99 < 2 * max(alone.p99, 0.02)
