"""The limits of callers without a credential: by rate and concurrency, per address and in all."""

import asyncio

import pytest

from gamekeeper.app import App
from gamekeeper.auth import authenticator, credentials, keys
from gamekeeper.http import admission
from gamekeeper.http.admission import (
    BURST_SECONDS,
    LONGEST_DELAY,
    AnonymousLimits,
    RateLimiter,
    SourceLimiter,
    source_of,
)
from gamekeeper.http.load_shedding import Overloaded
from tests.deadlines import PATIENCE
from tests.http.test_load_shedding import Clock
from tests.make import BY


@pytest.mark.parametrize(
    ("address", "source"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("", "unknown"),
        ("testclient", "testclient"),
    ],
)
def test_a_network_of_ipv6_counts_as_one_address(address, source):
    assert source_of(address) == source


def test_one_source_gets_its_rate_and_a_burst():
    clock = Clock()
    pace, sent = RateLimiter(10, clock), 0
    for _ in range(100):
        while pace.delay("a") == 0:
            pace.charge("a")
            sent += 1
        clock.now += 0.1
    assert sent == pytest.approx(10 * (BURST_SECONDS + 10), abs=2)
    assert pace.delay("b") == 0


def test_what_is_owed_ends_soon_after_a_flood():
    clock = Clock()
    pace = RateLimiter(10, clock)
    for _ in range(10_000):
        pace.charge("a")
    assert pace.delay("a") > LONGEST_DELAY
    clock.now += 2 * LONGEST_DELAY
    assert pace.delay("a") == 0


def test_many_sources_take_bounded_memory(monkeypatch):
    monkeypatch.setattr(admission, "MOST_SOURCES", 100)
    clock = Clock()
    pace = RateLimiter(10, clock)
    for number in range(1000):
        pace.charge(str(number))
    assert len(pace._full_at) <= 101
    clock.now += 100
    pace.charge("late")
    assert len(pace._full_at) == 1


async def test_a_limiter_bounds_each_source_and_all_together():
    limiter = SourceLimiter(3, 2)
    assert [limiter.try_acquire("a") for _ in range(3)] == [True, True, False]
    assert [limiter.try_acquire("b") for _ in range(2)] == [True, False]
    limiter.release("a")
    assert limiter.try_acquire("b")


async def test_who_finds_no_room_waits_for_it():
    limiter, entered = SourceLimiter(2, 1), []

    async def visit(source: str) -> None:
        entered.append(source)
        await asyncio.sleep(0.01)

    await asyncio.gather(*(limiter.run(visit(source), source) for source in "aabbab"))
    assert sorted(entered) == list("aaabbb")
    assert limiter.try_acquire("a")
    assert limiter._waiting == {}


async def test_who_waits_too_long_or_leaves_takes_no_room(monkeypatch):
    monkeypatch.setattr(admission, "LONGEST_DELAY", 0.05)
    limiter = SourceLimiter(1, 1)
    assert limiter.try_acquire("a")
    with pytest.raises(Overloaded):
        await limiter.run(asyncio.sleep(0), "b")
    leaving = asyncio.create_task(limiter._wait("c"))
    await asyncio.sleep(0.01)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    limiter.release("a")
    assert limiter.try_acquire("d")
    assert limiter._waiting == {}


async def test_over_the_rate_requests_are_delayed_and_then_refused(monkeypatch):
    monkeypatch.setattr(admission, "LONGEST_DELAY", 0.2)
    strangers = AnonymousLimits(10)
    told = await asyncio.gather(*(strangers.admits("a") for _ in range(50)))
    assert told.count(True) == pytest.approx(10 * (BURST_SECONDS + 0.2), abs=2)
    assert await strangers.admits("b")


async def test_all_addresses_together_have_a_rate(monkeypatch):
    monkeypatch.setattr(admission, "LONGEST_DELAY", 0.1)
    strangers = AnonymousLimits(10)
    told = await asyncio.gather(*(strangers.admits(str(number)) for number in range(400)))
    assert told.count(True) == pytest.approx(10 * admission.ADDRESSES * BURST_SECONDS, rel=0.2)


async def test_health_is_told_however_many_ask(monkeypatch):
    monkeypatch.setattr(admission, "LONGEST_DELAY", 0.05)
    strangers = AnonymousLimits(1)
    async with asyncio.timeout(5):
        await asyncio.gather(*(strangers.delay_health_check("a") for _ in range(100)))


# --- the whole application ----------------------------------------------------


def strangers_of(client) -> AnonymousLimits:
    app: App = client._transport.app
    assert app._application is not None
    return app._application._anonymous


async def test_a_bad_credential_does_not_count_as_one(client):
    """However well formed: only what was found good enters the limit of those who have one."""
    unknown = {"Authorization": f"Bearer {credentials.new_credential('gk')}"}
    for _ in range(3):
        assert (await client.get("/api/v1/players", headers=unknown)).status_code == 401
    assert not strangers_of(client)._known
    assert (await client.get("/api/v1/players")).status_code == 200
    assert len(strangers_of(client)._known) == 1


async def test_a_revoked_key_counts_as_a_stranger_again(client, database, monkeypatch):
    monkeypatch.setattr(authenticator, "REMEMBERED_SECONDS", 0.2)
    key = await keys.create.one(database, keys.NewKey(by=BY, name="soon revoked"))
    headers = {"Authorization": f"Bearer {key}"}
    assert (await client.get("/api/v1/players", headers=headers)).status_code == 200
    known = len(strangers_of(client)._known)
    await database.write(
        lambda writer: writer.run("UPDATE api_keys SET revoked_at = now() WHERE name LIKE 'soon%'")
    )
    async with asyncio.timeout(10):
        while (await client.get("/api/v1/players", headers=headers)).status_code == 200:
            await asyncio.sleep(0.02)
    assert len(strangers_of(client)._known) == known - 1


async def test_a_cold_burst_is_counted_from_the_door(client, database, monkeypatch):
    """More than the limit wait for the same lookup: the others hear at once that it is full."""
    application = client._transport.app._application
    application._anonymous.lookups = SourceLimiter(5, 5)
    release = asyncio.Event()
    authenticate = application._authenticate

    async def slow(request):
        await release.wait()
        return await authenticate(request)

    application._authenticate = slow
    calls = [asyncio.create_task(client.get("/api/v1/players")) for _ in range(20)]
    # The last to hear it, so that nobody else will.
    async with asyncio.timeout(PATIENCE):
        while sum(call.done() for call in calls) < 15:
            await asyncio.sleep(0.01)
    done, waiting = await asyncio.wait(calls, timeout=0.1)
    assert {call.result().status_code for call in done} == {503}
    assert len(waiting) == 5
    release.set()
    assert {(await call).status_code for call in waiting} == {200}


async def test_strangers_do_not_narrow_the_limit_of_callers(client):
    """What is slow on a public route is not measured."""
    limiter = client._transport.app._application._limiter
    body = {"grant_type": "password", "username": "nobody", "password": "a" * 64}
    for _ in range(5):
        await client.post("/api/oauth/token", json=body, headers={"Authorization": ""})
    assert (limiter.in_flight, limiter._fast, limiter._slow, limiter._rejected) == (0, 0, 0, 0)
