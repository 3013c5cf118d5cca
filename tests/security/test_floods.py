"""
Strangers who flood the service do not shut out callers with a key (attack 1).

In CI small; `just slow tests/security/test_floods.py` with 500 connections on two processes.
"""

import asyncio
from collections.abc import AsyncIterator
from time import monotonic

import httpx2
import pytest
from msgspec import Struct

from gamekeeper.auth import credentials, keys
from gamekeeper.db.database import Database
from tests.crowd import Crowd, Outcome, crowd, request
from tests.databases import cloned
from tests.make import BY, make_player
from tests.security.flood import Flood, flooding
from tests.server import serving

pytestmark = pytest.mark.torture

WRONG_PASSWORD = '{"grant_type": "password", "username": "nobody", "password": "%s"}' % ("a" * 64)
NO_RESET = '{"username": "nobody", "code": "AAAAAAAA", "new": "%s"}' % ("a" * 64)


def anonymous(method: str, path: str, body: str = "") -> str:
    lines = [f"{method} {path} HTTP/1.1", "Host: x"]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", body])


FLOODS = {
    "wrong passwords": anonymous("POST", "/api/oauth/token", WRONG_PASSWORD),
    "revocations": anonymous("POST", "/api/oauth/revoke", '{"token": "x"}'),
    "resets": anonymous("POST", "/api/v1/users/password/reset/complete", NO_RESET),
    "no credential": anonymous("GET", "/api/v1/players/rank"),
    "unknown credential": request(
        "GET", "/api/v1/players/rank", str(credentials.new_credential("gk"))
    ),
    "no such path": anonymous("GET", "/nowhere"),
    "health": anonymous("GET", "/livez"),
    "metrics": anonymous("GET", "/metrics"),
    "documents": anonymous("GET", "/api/docs/swagger-ui-bundle.js"),
}


class Caller(Struct, frozen=True):
    """Has a key and two connections, and sends 40 requests a second."""

    port: int
    key: str

    async def call(self, seconds: float) -> Outcome:
        asked = {"rank": [request("GET", "/api/v1/players/rank", self.key)]}
        caller = Crowd(port=self.port, requests=asked, clients=2, seconds=seconds, rate=40)
        return (await crowd(caller))["rank"]


@pytest.fixture(scope="module")
async def caller(template, tmp_path_factory) -> AsyncIterator[Caller]:
    """Of a server of two processes, which has answered this caller before."""
    log = tmp_path_factory.mktemp("floods") / "log"
    async with cloned(template) as settings:
        async with Database.open(settings) as database:
            await make_player(database, "ana")
            key = str(await keys.create.one(database, keys.NewKey(by=BY, name="caller")))
        with serving(settings, log, "--workers", "2") as (url, _):
            port = httpx2.URL(url).port
            assert port
            caller = Caller(port, key)
            await caller.call(2)
            yield caller


class Flooded(Struct):
    beside: Outcome
    """What the caller met beside the flood."""
    alone: Outcome
    """What it met while the flood paused."""
    rate: float
    """Answers that each connection of the flood got in a second."""


async def flooded(
    caller: Caller, kind: str, connections: int, seconds: float, turns: int
) -> Flooded:
    """The caller beside a flood and while it pauses, by turns, so that noise hits both."""
    beside, alone = Outcome(), Outcome()
    flood = Flood(port=caller.port, connections=connections, request=FLOODS[kind])
    begun = monotonic()
    with flooding(flood) as strangers:
        await asyncio.sleep(2)
        for _ in range(turns):
            beside.add(await caller.call(seconds))
            with strangers.paused():
                alone.add(await caller.call(seconds))
    rate = strangers.answered.total() / connections / (monotonic() - begun)
    print(
        f"\n{kind} × {connections}: {share(beside):.1%} good, {share(alone):.1%} while it paused; "
        f"p99 {beside.p99 * 1000:.1f} and {alone.p99 * 1000:.1f} ms; "
        f"strangers heard {dict(strangers.answered)}, {rate:.1f}/s each"
    )
    return Flooded(beside, alone, rate)


def share(outcome: Outcome) -> float:
    return outcome.good / (outcome.good + outcome.busy + outcome.other + outcome.late)


@pytest.mark.parametrize("kind", FLOODS)
async def test_a_caller_with_a_key_is_served_beside_a_flood(caller, kind):
    seen = await flooded(caller, kind, connections=150, seconds=1, turns=4)
    assert share(seen.beside) >= 0.6 * share(seen.alone)
    # Without the limits each connection is answered 18 to 50 times a second.
    assert seen.rate <= 3


@pytest.mark.slow
@pytest.mark.parametrize("kind", FLOODS)
async def test_five_hundred_connections_slow_a_caller_down_little(caller, kind):
    seen = await flooded(caller, kind, connections=500, seconds=4, turns=3)
    assert share(seen.beside) >= 0.95
    assert seen.beside.p99 < 5 * seen.alone.p99
