"""Rate limits of callers with a credential and of addresses: 429, and the headers before that."""

import asyncio
import re
from collections import Counter
from contextlib import asynccontextmanager
from uuid import uuid4

import httpx2
import pytest
from msgspec import structs
from prometheus_client.registry import REGISTRY

from gamekeeper.app import ROUTES, App
from gamekeeper.auth import keys, tokens
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.http.endpoints import _signature
from gamekeeper.http.rate_limits import classes_of
from tests.contract.endpoints import label
from tests.make import BY, make_item, make_player, make_user, proved

READ = "/api/v1/players/online/count"
LIST = "/api/v1/players"
ITEM = re.compile(r'"([a-z-]+)"((?:;[a-z*][a-z0-9_.*-]*=\d{1,15})+)')
"""An item of a structured field (RFC 9651): a string with integers as parameters."""


def fields(answer: httpx2.Response, name: str) -> dict[str, dict[str, int]]:
    """A List of such items, which may come in several header lines."""
    found: dict[str, dict[str, int]] = {}
    for part in answer.headers.get_list(name, split_commas=True):
        item = ITEM.fullmatch(part.strip())
        assert item, part
        pairs = (pair.split("=") for pair in item[2][1:].split(";"))
        found[item[1]] = {key: int(value) for key, value in pairs}
    return found


@asynccontextmanager
async def calling(settings: Settings, *, address: str = "192.0.2.1", **limits: str):
    """The application with these limits, called from an address without a credential."""
    app = App(structs.replace(settings, **limits))
    await app.start()
    transport = httpx2.ASGITransport(app, client=(address, 1))
    async with httpx2.AsyncClient(transport=transport, base_url="http://gamekeeper") as client:
        yield client
    await app.stop()


async def bearer(database, **about: object) -> dict[str, str]:
    key = await keys.create.one(database, keys.NewKey(by=BY, name=f"k{uuid4().hex[:8]}", **about))  # pyright: ignore[reportArgumentType]
    return {"Authorization": f"Bearer {key}"}


async def statuses(client, count: int, path: str = READ, method: str = "GET", **about) -> Counter:
    calls = (client.request(method, path, **about) for _ in range(count))
    return Counter(answer.status_code for answer in await asyncio.gather(*calls))


def limited(name: str) -> float:
    return REGISTRY.get_sample_value("gamekeeper_rate_limited_total", {"class": name}) or 0.0


# --- the counts ---------------------------------------------------------------


async def test_a_key_has_one_budget_from_all_addresses(settings, database):
    key = await bearer(database)
    async with calling(settings, key_rate_limits="read 5/hour") as client:
        elsewhere = httpx2.ASGITransport(client._transport.app, client=("192.0.2.2", 1))
        async with httpx2.AsyncClient(transport=elsewhere, base_url="http://gamekeeper") as other:
            assert await statuses(client, 5, headers=key) == {200: 5}
            assert await statuses(other, 5, headers=key) == {429: 5}


async def test_of_fifty_at_once_exactly_as_many_pass_as_the_limit_says(settings, database):
    before = limited("read")
    async with calling(settings, key_rate_limits="read 20/hour") as client:
        told = await statuses(client, 50, headers=await bearer(database))
    assert told == {200: 20, 429: 30}
    assert limited("read") == before + 30


async def test_each_class_is_limited_alone(settings, database):
    player = await make_player(database)
    body = {"new": "Bertha"}
    classes = {
        "read": ("GET", READ, {}, 3),
        "list": ("GET", LIST, {}, 4),
        "write": ("POST", f"/api/v1/players/{player}/name", {"json": body}, 5),
    }
    words = ", ".join(f"{name} {most}/hour" for name, (*_, most) in classes.items())
    async with calling(settings, key_rate_limits=words) as client:
        headers = await bearer(database)
        for name, (method, path, about, most) in classes.items():
            told = await statuses(client, 10, path, method, headers=headers, **about)
            assert told[429] == 10 - most, name


async def test_a_lookup_under_another_method_or_spelling_is_the_same_class(settings, database):
    async with calling(settings, key_rate_limits="read 2/hour") as client:
        headers = await bearer(database)
        assert (await client.head(READ, headers=headers)).status_code == 200
        assert (await client.get("/API/v1/players/Nobody/", headers=headers)).status_code == 404
        assert (await client.get(READ, headers=headers)).status_code == 429


async def test_sign_in_and_public_calls_are_limited_by_address(settings):
    words = "sign-in 2/hour, public 3/hour"
    form = {"grant_type": "password", "username": "nobody", "password": "0" * 64}
    async with calling(settings, rate_limits=words) as client:
        told = await statuses(client, 5, "/api/oauth/token", "POST", data=form)
        assert (told[400], told[429]) == (2, 3)
        told = await statuses(client, 5, "/api/v1/appeals/status", "POST", json={"code": "x"})
        assert (told[404], told[429]) == (3, 2)
        for _ in range(5):
            assert (await client.get("/livez")).status_code == 200


async def test_one_address_does_not_spend_the_budget_of_another(settings):
    proxied = {"rate_limits": "public 1/hour", "trusted_proxies": "192.0.2.1"}
    async with calling(settings, **proxied) as client:
        for address, expected in (
            ("198.51.100.1", 404),
            ("198.51.100.1", 429),
            ("198.51.100.2", 404),
            ("2001:db8::1", 404),
            ("2001:db8::2", 429),
        ):
            answer = await client.post(
                "/api/v1/appeals/status", json={"code": "x"}, headers={"X-Forwarded-For": address}
            )
            assert answer.status_code == expected


# --- whose they are -----------------------------------------------------------


async def test_the_flood_of_one_credential_does_not_touch_another(settings, database):
    async with calling(settings, key_rate_limits="read 5/hour") as client:
        first, second = await bearer(database), await bearer(database)
        assert (await statuses(client, 40, headers=first))[429] == 35
        assert await statuses(client, 5, headers=second) == {200: 5}


async def test_all_tokens_of_an_account_count_together_and_apart_from_other_accounts(
    settings, database
):
    ana, bert = [await make_user(database, name, api=True) for name in ("ana", "bert")]

    async def token(user) -> dict[str, str]:
        issued = await tokens.issue.one(database, await proved(database, user))
        return {"Authorization": f"Bearer {issued.access}"}

    async with calling(settings, rate_limits="read 4/hour") as client:
        assert (await statuses(client, 3, headers=await token(ana))) == {200: 3}
        assert (await statuses(client, 3, headers=await token(ana))) == {200: 1, 429: 2}
        assert (await statuses(client, 3, headers=await token(bert))) == {200: 3}
        # Keys have limits of their own.
        assert (await statuses(client, 9, headers=await bearer(database))) == {200: 9}


async def test_a_key_may_carry_its_own_limits(settings, database):
    async with calling(settings, key_rate_limits="read 5/hour, list 5/hour") as client:
        narrow = await bearer(database, rates="read 2/hour")
        assert await statuses(client, 6, headers=narrow) == {200: 2, 429: 4}
        assert await statuses(client, 6, LIST, headers=narrow) == {200: 5, 429: 1}
        free = await bearer(database, rates="read off")
        assert await statuses(client, 30, headers=free) == {200: 30}


async def test_an_invalid_credential_spends_nobodys_budget(settings, database):
    async with calling(settings, key_rate_limits="read 1/hour") as client:
        headers = await bearer(database)
        wrong = {"Authorization": headers["Authorization"] + "x"}
        assert await statuses(client, 3, headers=wrong) == {401: 3}
        assert await statuses(client, 1, headers=headers) == {200: 1}


async def test_heartbeats_go_on_while_the_same_key_floods(settings, database):
    """A game server whose gifts are limited must not lose its lease."""
    async with calling(settings, key_rate_limits="write 3/hour") as client:
        headers = await bearer(database)
        made = await client.post("/api/v1/servers", json={"name": "one"}, headers=headers)
        server = made.json()
        told = await statuses(client, 5, "/api/v1/players/x/name", "POST", headers=headers)
        assert told[429] == 3
        answer = await client.post(
            f"/api/v1/servers/{server['Id']}/heartbeat",
            json={"fence": server["Fence"]},
            headers=headers,
        )
        assert answer.status_code == 200


# --- what is said -------------------------------------------------------------


async def test_a_caller_with_a_credential_is_told_its_policy_and_what_is_left(settings, database):
    async with calling(settings, key_rate_limits="read 3/minute") as client:
        headers = await bearer(database)
        for left in (2, 1, 0):
            answer = await client.get(READ, headers=headers)
            assert fields(answer, "ratelimit-policy") == {"read": {"q": 3, "w": 60}}
            told = fields(answer, "ratelimit")["read"]
            assert told["r"] == left
            assert 1 <= told["t"] <= 20
        answer = await client.get(READ, headers=headers)
        assert fields(answer, "ratelimit-policy") == {"read": {"q": 3, "w": 60}}
        told = fields(answer, "ratelimit")["read"]
        assert told["r"] == 0
        assert int(answer.headers["retry-after"]) >= told["t"]


async def test_a_refusal_says_which_limit_and_how_long_to_wait(settings, database):
    async with calling(settings, key_rate_limits="list 1/minute") as client:
        headers = await bearer(database)
        await client.get(LIST, headers=headers)
        answer = await client.get(LIST, headers=headers)
        wait = int(answer.headers["retry-after"])
        assert 1 <= wait <= 61
        assert answer.json() == {
            "Message": "Too many requests of this kind. Wait before you send the next one.",
            "Code": "rate_limit_exceeded",
            "RequestId": answer.headers["x-request-id"],
            "Details": {"RetryAfter": wait, "Policy": "list"},
        }


async def test_errors_carry_the_headers_too_and_strangers_get_them_only_when_refused(
    settings, database
):
    async with calling(settings, rate_limits="public 1/hour") as client:
        headers = await bearer(database)
        answer = await client.get("/api/v1/players/nobody", headers=headers)
        assert answer.status_code == 404
        assert fields(answer, "ratelimit")
        first = await client.post("/api/v1/appeals/status", json={"code": "x"})
        assert "ratelimit" not in first.headers
        second = await client.post("/api/v1/appeals/status", json={"code": "x"})
        assert fields(second, "ratelimit-policy") == {"public": {"q": 1, "w": 3600}}


async def test_without_limits_there_are_no_headers(settings, database):
    async with calling(settings, rate_limits="off") as client:
        answer = await client.get(READ, headers=await bearer(database))
        assert answer.status_code == 200
        assert "ratelimit" not in answer.headers
        assert "ratelimit-policy" not in answer.headers


async def test_what_is_refused_is_not_done_and_not_stored_under_its_key(settings, database):
    """After the wait, the same request with the same key is carried out."""
    player, potion = await make_player(database), await make_item(database)
    path = f"/api/v1/players/{player}/items/give"
    gift = {"itemid": str(potion), "quantity": 1}
    headers = await bearer(database)
    async with calling(settings, key_rate_limits="write 1/hour") as client:
        await client.post("/api/v1/players/nobody/name", json={"new": "x"}, headers=headers)
        keyed = headers | {"Idempotency-Key": "one"}
        assert (await client.post(path, json=gift, headers=keyed)).status_code == 429
    assert await database.reader.value("SELECT count(*) FROM replies") == 0
    assert await database.reader.value("SELECT count(*) FROM postings") == 0
    async with calling(settings) as client:
        assert (await client.post(path, json=gift, headers=keyed)).status_code == 200


# --- registering and resets ---------------------------------------------------


async def test_visitors_of_a_website_register_within_a_budget_each(settings, database):
    limits = {"rate_limits": "register 2/hour", "trusted_proxies": "192.0.2.1"}
    headers = await bearer(database)

    def account(number: int) -> dict[str, str]:
        return {
            "username": f"user{number}",
            "email": f"u{number}@example.org",
            "password": f"{number:064x}",
        }

    async with calling(settings, **limits) as client:
        for number, address, expected in (
            (1, "198.51.100.1", 200),
            (2, "198.51.100.1", 200),
            (3, "198.51.100.1", 429),
            (4, "198.51.100.2", 200),
        ):
            answer = await client.post(
                "/api/v1/users/register",
                json=account(number),
                headers=headers | {"X-Forwarded-For": address},
            )
            assert answer.status_code == expected, answer.text
        assert fields(answer, "ratelimit").keys() == {"write", "register"}


async def test_reset_mails_have_a_budget_for_each_visitor(settings, database):
    limits = {"rate_limits": "reset 1/hour", "trusted_proxies": "192.0.2.1"}
    headers = await bearer(database)
    ana, bert = [await make_user(database, name) for name in ("ana", "bert")]
    async with calling(settings, **limits) as client:
        for user, address, expected in (
            (ana, "198.51.100.1", 200),
            (bert, "198.51.100.1", 429),
            (bert, "198.51.100.2", 200),
        ):
            answer = await client.get(
                f"/api/v1/users/{user}/password/reset",
                headers=headers | {"X-Forwarded-For": address},
            )
            assert answer.status_code == expected


async def test_a_mailbox_gets_ten_reset_mails_a_day_whoever_asks(settings, database):
    user = await make_user(database, "ana")
    async with calling(settings, smtp_url=Hidden("smtp://127.0.0.1:1")) as client:
        headers = await bearer(database)
        told = Counter()
        for _ in range(14):
            answer = await client.get(f"/api/v1/users/{user}/password/reset", headers=headers)
            told[answer.json()["Delivery"]] += 1
            await database.write(
                lambda writer: writer.run(
                    "UPDATE password_resets SET created_at = created_at - interval '6 minutes'"
                )
            )
        assert told == {"queued": 10, "throttled": 4}
        await database.write(
            lambda writer: writer.run(
                "UPDATE password_resets SET created_at = created_at - interval '1 day'"
            )
        )
        answer = await client.get(f"/api/v1/users/{user}/password/reset", headers=headers)
        assert answer.json()["Delivery"] == "queued"


# --- the classes of the routes ------------------------------------------------

CLASSES = {
    label(route): [kind.name for kind in classes_of(route, _signature(route.handler).answer)]
    for route in ROUTES
}


@pytest.mark.parametrize(
    ("route", "names"),
    [
        ("GET /api/v1/players/{key}", ["read"]),
        ("GET /api/v1/players", ["list"]),
        ("POST /api/v1/players", ["list"]),
        ("GET /api/v1/keys", ["list"]),
        ("GET /api/v1/players/online/count", ["read"]),
        ("POST /api/v1/players/{key}/items/give", ["write"]),
        ("POST /api/v1/servers/{server_id}/heartbeat", ["write"]),
        ("DELETE /api/v1/players/{key}", ["write"]),
        ("GET /api/v1/users/{key}/password/reset", ["write", "reset"]),
        ("POST /api/v1/users/register", ["write", "register"]),
        ("POST /api/oauth/token", ["sign-in"]),
        ("POST /api/v1/session", ["sign-in"]),
        ("POST /api/v1/session/totp", ["sign-in"]),
        ("GET /api/v1/me", ["read"]),
        ("POST /api/v1/appeals", ["public"]),
        ("GET /readyz", []),
    ],
)
def test_the_class_of_a_route_follows_from_what_it_says(route, names):
    assert CLASSES[route] == names


def test_only_health_checks_have_no_class():
    assert {name for name, kinds in CLASSES.items() if not kinds} == {
        "GET /livez",
        "GET /readyz",
        "GET /metrics",
    }
