"""Guessing passwords: what it costs, whom it costs, and whom it must not."""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle
from math import floor, log2
from time import monotonic
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from msgspec import structs

from gamekeeper.app import App
from gamekeeper.auth import keys
from gamekeeper.auth.login_throttle import POLICIES
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from tests.cheap_passwords import cheap_passwords
from tests.contract.outcomes import outcome
from tests.contract.sign_in import TOKEN, bearer, from_anywhere, make_signer
from tests.databases import ServedDatabase
from tests.deadlines import PATIENCE
from tests.make import BY, make_user, sha

FREE = POLICIES["account"].free
FREE_FROM_HOME = POLICIES["pair"].free
FREE_AT_A_WEBSITE = POLICIES["website"].free
FREE_AT_AN_ADDRESS = POLICIES["address"].free


@pytest.fixture
async def transport(
    settings: Settings, served_database: ServedDatabase
) -> AsyncIterator[httpx2.ASGITransport]:
    """
    The application in this process, behind a proxy.

    The tests are about how many passwords are looked at, so that is done in no time.
    """
    behind_a_proxy = structs.replace(
        settings,
        trusted_proxies="127.0.0.1/32",
        anonymous_rate=100_000,
        rate_limits="public off, sign-in off",
    )
    with cheap_passwords():
        app = App(behind_a_proxy, served_database.database(behind_a_proxy))
        await app.start()
        yield httpx2.ASGITransport(app)
        await app.stop()


@pytest.fixture
async def anonymous(transport: httpx2.ASGITransport) -> AsyncIterator[httpx2.AsyncClient]:
    """A client without any credential."""
    async with httpx2.AsyncClient(transport=transport, base_url="http://gamekeeper") as client:
        yield client


@pytest.fixture
async def client(transport: httpx2.ASGITransport, key: str) -> AsyncIterator[httpx2.AsyncClient]:
    """A website, whose key may do everything."""
    async with httpx2.AsyncClient(
        transport=transport, base_url="http://gamekeeper", headers=bearer(key)
    ) as client:
        yield client


@asynccontextmanager
async def guessers(url: str) -> AsyncIterator[Iterator[httpx2.AsyncClient]]:
    """
    Forty clients in turn, with two hundred connections in all.

    For every request a client looks at all its connections and waiting requests, so that one
    client would take longer than the server.
    """
    limits = httpx2.Limits(max_connections=5)
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(
                httpx2.AsyncClient(base_url=url, timeout=PATIENCE, limits=limits)
            )
            for _ in range(40)
        ]
        yield cycle(clients)


async def guess(
    client: httpx2.AsyncClient, name: str, password: str, home: dict[str, str] | None = None
) -> httpx2.Response:
    """One try at the token endpoint, from an address of its own or from `home`."""
    fields = {"grant_type": "password", "username": name, "password": sha(password)}
    return await client.post(TOKEN, json=fields, headers=home or from_anywhere())


def throttled(answer: httpx2.Response) -> dict[str, Any]:
    """The whole body of a 429, which must agree with its header, without what differs by chance."""
    status, body = outcome(answer)
    assert status == 429, body
    assert body["Details"] == {"RetryAfter": int(answer.headers["retry-after"])}
    assert body.pop("Details")["RetryAfter"] >= 1
    return body


TOO_MANY = {
    "Message": "Too many attempts. Wait before you try again.",
    "Code": "too_many_requests",
}


async def hashes(client: httpx2.AsyncClient) -> Counter[str]:
    """How often passwords have been evaluated so far, by what for."""
    text = (await client.get("/metrics")).text
    counter = re.compile(r'^gamekeeper_password_hashes_total\{kind="(\w+)"\} (\S+)$', re.MULTILINE)
    found = counter.findall(text)
    return Counter({kind: int(float(number)) for kind, number in found})


async def wait_over(database: Database, subject: str) -> None:
    """Let the wait of a budget have passed, without the failures being forgiven."""
    await database.write(
        lambda writer: writer.run(
            "UPDATE guess_budgets SET blocked_until = 'epoch' WHERE subject = $1", subject
        )
    )


@pytest.mark.torture
async def test_a_thousand_guesses_at_once_cost_five_evaluations_and_one_for_each_wait(
    server_behind_a_proxy, database
):
    """
    Each is charged before the password is looked at, so being fast does not help.

    If they take longer than the first wait of a second, one more is let through,
    and then one after each wait, which is twice as long as the last.
    """
    name = await make_signer(database)
    async with guessers(server_behind_a_proxy[0]) as clients:
        before, begun = await hashes(next(clients)), monotonic()
        answers = await asyncio.gather(
            *(guess(next(clients), name, f"no {n}") for n in range(1000))
        )
        waits = floor(log2(monotonic() - begun + 1))
        spent = (await hashes(next(clients))) - before

    counts = Counter(answer.status_code for answer in answers)
    print(f"\n1000 guesses in {monotonic() - begun:.1f} s: {dict(counts)}, hashes {dict(spent)}")
    assert counts.keys() <= {400, 429, 503}
    assert counts[400] <= spent["check"] <= FREE + waits
    assert spent["decoy"] <= 1


async def test_unknown_accounts_are_throttled_like_known_ones(anonymous, database):
    """Answer for answer, so that nobody learns which names there are."""
    known, unknown = await make_signer(database), f"nobody-{uuid4().hex[:8]}"

    told = []
    for number in range(FREE + 1):
        one = await guess(anonymous, known, f"no {number}")
        two = await guess(anonymous, unknown, f"no {number}")
        told.append([_without_chance(one), _without_chance(two)])

    assert [one for one, _ in told] == [two for _, two in told]
    assert [status for (status, _, _), _ in told] == [400] * FREE + [429]


def _without_chance(answer: httpx2.Response) -> tuple[int, bytes, set[str]]:
    """Status, bytes and header names of an answer, without its own request id."""
    own = answer.headers["x-request-id"].encode()
    return answer.status_code, answer.content.replace(own, b""), set(answer.headers)


@pytest.mark.parametrize("name", ["nobody", "none", "unknown", "null"])
async def test_names_that_cannot_be_use_up_the_attempts_of_no_account(anonymous, database, name):
    """Whatever they are counted as, somebody may be called that."""
    await make_user(database, name, password="secret", api=True)
    for impossible in ("x" * 65, "a\nb"):
        for number in range(FREE):
            await guess(anonymous, impossible, f"no {number}")

    assert (await guess(anonymous, name, "secret")).status_code == 200


async def test_a_wait_is_for_the_right_password_too(anonymous, database):
    """Or a guesser would learn from the answer that it was the right one."""
    name = await make_signer(database)
    for number in range(FREE):
        assert (await guess(anonymous, name, f"no {number}")).status_code == 400

    right, wrong = await guess(anonymous, name, "secret"), await guess(anonymous, name, "no")

    assert throttled(right) == throttled(wrong) == TOO_MANY


async def test_waits_double_and_a_right_password_clears_them(anonymous, database):
    name = await make_signer(database)
    waits = []
    for number in range(FREE + 4):
        assert (await guess(anonymous, name, f"no {number}")).status_code == 400
        if number >= FREE - 1:
            waits.append(int((await guess(anonymous, name, "no")).headers["retry-after"]))
            await wait_over(database, f"account:{name}")

    assert waits == sorted(waits)
    assert waits[-1] in (15, 16, 17)
    assert (await guess(anonymous, name, "secret")).status_code == 200
    for number in range(FREE):
        assert (await guess(anonymous, name, f"no {number}")).status_code == 400


async def test_a_strangers_attack_does_not_lock_the_owner_out(anonymous, database):
    """Where the owner has signed in before, there are attempts of their own."""
    name, home = await make_signer(database), from_anywhere()
    assert (await guess(anonymous, name, "secret", home)).status_code == 200
    while (await guess(anonymous, name, "no")).status_code == 400:
        pass

    mistyped = await guess(anonymous, name, "oops", home)
    right = await guess(anonymous, name, "secret", home)

    assert (mistyped.status_code, right.status_code) == (400, 200)


async def test_at_home_too_there_are_not_endless_attempts(anonymous, database):
    """And they are counted apart: strangers can still try, and fail, as often as before."""
    name, home = await make_signer(database), from_anywhere()
    assert (await guess(anonymous, name, "secret", home)).status_code == 200

    statuses = [
        (await guess(anonymous, name, f"no {number}", home)).status_code
        for number in range(FREE_FROM_HOME + 1)
    ]

    assert statuses == [400] * FREE_FROM_HOME + [429]
    assert throttled(await guess(anonymous, name, "secret", home)) == TOO_MANY
    assert (await guess(anonymous, name, "no")).status_code == 400


async def test_one_address_cannot_try_many_accounts(anonymous, database):
    """A neighbour at another address, and an account that was not tried, are not affected."""
    name, here = await make_signer(database), from_anywhere()

    statuses = [
        (await guess(anonymous, f"nobody-{uuid4().hex[:8]}", "123456", here)).status_code
        for _ in range(FREE_AT_AN_ADDRESS + 1)
    ]

    assert statuses == [400] * FREE_AT_AN_ADDRESS + [429]
    refused = await guess(anonymous, name, "secret", here)
    assert throttled(refused) == TOO_MANY
    assert int(refused.headers["retry-after"]) > 590
    assert (await guess(anonymous, name, "secret")).status_code == 200


async def test_neighbours_at_a_shared_address_do_not_lock_a_known_account_out(anonymous, database):
    """In an office or a school: it has a budget of its own there."""
    name, here = await make_signer(database), from_anywhere()
    assert (await guess(anonymous, name, "secret", here)).status_code == 200
    for _ in range(FREE_AT_AN_ADDRESS):
        await guess(anonymous, f"nobody-{uuid4().hex[:8]}", "123456", here)

    assert (await guess(anonymous, name, "secret", here)).status_code == 200
    # The address is as blocked as it was for everybody else.
    other = await make_signer(database)
    assert throttled(await guess(anonymous, other, "secret", here)) == TOO_MANY
    wrong = [(await guess(anonymous, name, f"no {n}", here)).status_code for n in range(11)]
    assert wrong == [400] * 10 + [429]


async def test_many_addresses_of_one_ipv6_home_are_one(anonymous):
    statuses = [
        (
            await guess(
                anonymous,
                f"nobody-{uuid4().hex[:8]}",
                "123456",
                {"X-Forwarded-For": f"2001:db8:7:7::{number:x}"},
            )
        ).status_code
        for number in range(1, FREE_AT_AN_ADDRESS + 2)
    ]

    assert statuses == [400] * FREE_AT_AN_ADDRESS + [429]


async def test_right_passwords_cost_an_address_nothing(anonymous, database):
    """A school behind one address signs in as often as it likes."""
    here = from_anywhere()
    name = await make_signer(database)

    for _ in range(FREE_AT_AN_ADDRESS + 3):
        assert (await guess(anonymous, name, "secret", here)).status_code == 200


async def test_a_hundred_wrong_ones_in_a_row_cost_an_hour_each_and_never_more(anonymous, database):
    """Also of an account that an older version blocked for good."""
    name = await make_signer(database)
    subject = f"account:{name}"
    assert (await guess(anonymous, name, "no")).status_code == 400
    await database.write(
        lambda writer: writer.run(
            "UPDATE guess_budgets SET streak = 98, failures = 2 WHERE subject = $1", subject
        )
    )
    assert (await guess(anonymous, name, "no 99")).status_code == 400
    assert (await guess(anonymous, name, "no 100")).status_code == 400
    hour = await guess(anonymous, name, "secret")
    assert throttled(hour) == TOO_MANY
    assert 3500 < int(hour.headers["retry-after"]) <= 3600

    await database.write(
        lambda writer: writer.run(
            """
            UPDATE guess_budgets
               SET blocked_until = '9999-01-01', counted_at = counted_at - interval '1 hour'
             WHERE subject = $1
            """,
            subject,
        )
    )

    assert (await guess(anonymous, name, "secret")).status_code == 200


async def spent_by_strangers(client: httpx2.AsyncClient, name: str) -> None:
    """Strangers try from one address after the other until no new one gets an attempt."""
    while (await guess(client, name, "no")).status_code != 429:
        pass


async def validated(
    client: httpx2.AsyncClient, name: str, password: str, **headers: str
) -> httpx2.Response:
    path = f"/api/v1/users/{name}/password/validate"
    return await client.post(path, json={"password": sha(password)}, headers=headers)


async def test_strangers_cannot_lock_people_out_of_a_website_or_the_game(
    anonymous, client, database
):
    """Not those who never signed in anywhere else, and not those who mistype once."""
    name = await make_signer(database)
    await spent_by_strangers(anonymous, name)

    mistyped, right = [await validated(client, name, word) for word in ("oops", "secret")]

    assert (mistyped.status_code, right.status_code) == (400, 200)
    assert (await guess(anonymous, name, "secret")).status_code == 429


async def test_strangers_at_a_website_cannot_lock_out_its_known_visitors(client, database):
    """If the website passes their addresses on; one that does not is one place for all."""
    name, home = await make_signer(database), from_anywhere()
    assert (await validated(client, name, "secret", **home)).status_code == 200
    while (await validated(client, name, "no", **from_anywhere())).status_code != 429:
        pass

    assert (await validated(client, name, "secret", **home)).status_code == 200
    assert (await validated(client, name, "secret", **from_anywhere())).status_code == 429


async def test_a_website_has_a_budget_of_its_own_for_each_account(client, anonymous, database):
    """Guessing through one key is bounded, however many visitors it says it has."""
    name = await make_signer(database)

    statuses = [
        (await validated(client, name, f"no {number}", **from_anywhere())).status_code
        for number in range(FREE_AT_A_WEBSITE + 1)
    ]

    assert statuses == [400] * FREE_AT_A_WEBSITE + [429]
    assert (await guess(anonymous, name, "secret")).status_code == 200


async def test_a_sign_in_from_a_known_place_gives_strangers_no_new_attempts(anonymous, database):
    name, home = await make_signer(database), from_anywhere()
    assert (await guess(anonymous, name, "secret", home)).status_code == 200
    await spent_by_strangers(anonymous, name)

    assert (await guess(anonymous, name, "secret", home)).status_code == 200

    assert (await guess(anonymous, name, "no")).status_code == 429


@pytest.mark.parametrize("rest", ["password/validate", "email/change", "password/change"])
async def test_checks_by_a_website_are_charged_to_the_account(client, database, rest):
    """All three endpoints that look at a password share one budget of the account and the key."""
    name = await make_signer(database)
    email = {"new": f"{name}@new.example.org", "authorization": sha("no"), "password": sha("no")}
    body = email if "email" in rest else email | {"new": sha("new")}

    answers = [
        await client.post(f"/api/v1/users/{name}/{rest}", json=body)
        for _ in range(FREE_AT_A_WEBSITE)
    ]
    refused = await client.post(
        f"/api/v1/users/{name}/password/validate", json={"password": sha("secret")}
    )

    assert {answer.json()["Code"] for answer in answers} == {"invalid_credentials"}
    assert throttled(refused) == TOO_MANY


async def test_a_website_may_fail_often_but_not_endlessly(anonymous, database):
    """Its visitors mistype; a site that only guesses is stopped, and others go on."""
    name = await make_signer(database)
    guessing, honest = [
        await keys.create.one(database, keys.NewKey(by=BY, name=name, scopes=("users.query",)))
        for name in ("guessing", "honest")
    ]
    path = f"/api/v1/users/{name}/password/validate"
    first = await anonymous.post(path, json={"password": sha("no")}, headers=bearer(guessing))
    assert first.status_code == 400
    await database.write(
        lambda writer: writer.run(
            """
            UPDATE guess_budgets SET failures = 10000, counted_at = now()
             WHERE subject = (SELECT 'client:key:' || id FROM api_keys WHERE name = 'guessing')
            """
        )
    )
    last = await anonymous.post(path, json={"password": sha("no")}, headers=bearer(guessing))

    refused = await anonymous.post(path, json={"password": sha("secret")}, headers=bearer(guessing))
    other = await anonymous.post(path, json={"password": sha("secret")}, headers=bearer(honest))

    assert last.status_code == 400
    assert throttled(refused) == TOO_MANY
    assert other.status_code == 200
