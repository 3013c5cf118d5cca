"""API keys by API: made, listed, revoked, and never with more than their maker has."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from gamekeeper.auth import credentials, keys, managed_keys
from gamekeeper.auth.keys import KeyNameTaken, KeyNotFound, UnknownScope
from gamekeeper.auth.limits import Limits
from gamekeeper.auth.managed_keys import (
    KeyEvadesLimits,
    KeyExceedsCaller,
    KeyOutlivesMaker,
    KeyRequest,
    KeyRevocation,
    TooManyKeys,
)
from gamekeeper.auth.principal import SCOPES, Principal
from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Database
from gamekeeper.ledger import verify_ledger
from tests.contract.outcomes import outcome
from tests.make import BY
from tests.security.callers import key_with

KEYS = "/api/v1/keys"
PERSON = Principal(id=f"user:{uuid4()}", name="ana", scopes=frozenset(SCOPES), user_id=uuid4())


def wanted(name: str, *scopes: str, caller: Principal = PERSON, **about: object) -> KeyRequest:
    secret = credentials.new_credential("gk")
    return KeyRequest(by=BY, caller=caller, name=name, scopes=scopes, secret=secret, **about)  # pyright: ignore[reportArgumentType]


async def caller_of(database: Database, *scopes: str, days: int | None = None) -> Principal:
    """A key as a caller."""
    secret = await keys.create.one(
        database, keys.NewKey(by=BY, name=f"key-{uuid4().hex[:8]}", scopes=scopes, days=days)
    )
    row = await database.reader.rows(
        "SELECT id, name FROM api_keys WHERE hash = $1", credentials.digest(secret)
    )
    return Principal(id=f"key:{row[0]['id']}", name=row[0]["name"], scopes=frozenset(scopes))


def refusal(answer) -> tuple[int, str]:
    return answer.status_code, answer.json()["Code"]


async def rows(database: Database) -> int:
    """How many keys and actions there are."""
    return await database.reader.value(
        "SELECT (SELECT count(*) FROM api_keys) + (SELECT count(*) FROM actions)"
    )


async def test_a_key_is_made_shown_once_used_listed_and_revoked(client, database):
    body = {
        "name": "website",
        "scopes": ["players.read", "Players.Items"],
        "days": 30,
        "PiecesPerDay": 20,
        "Rates": "read 600/minute, list off",
    }
    made = await client.post(KEYS, json=body)
    assert made.status_code == 200, made.text
    key = made.json()
    secret = key.pop("Key")
    assert credentials.kind_of(secret) == "gk"
    assert (key["Name"], key["State"], key["UsedAt"]) == ("website", "live", None)
    assert key["Scopes"] == ["players.read", "players.items"]
    assert key["Limits"] == {
        "PiecesPerDay": 20,
        "ValuePerDay": None,
        "LargestGift": None,
        "UndosPerDay": None,
    }
    assert key["Rates"] == "read 600/minute, list off"
    ends = datetime.fromisoformat(key["ExpiresAt"])
    assert abs(ends - datetime.now(UTC) - timedelta(days=30)) < timedelta(minutes=1)
    assert outcome(await client.get(f"{KEYS}/{key['Id']}")) == (200, key)

    theirs = {"Authorization": f"Bearer {secret}"}
    assert (await client.get("/api/v1/players", headers=theirs)).status_code == 200
    listed = (await client.get(KEYS, params={"state": "live"})).json()
    assert [entry["Name"] for entry in listed["Values"]] == ["website", "tests"]
    assert secret not in str(listed)

    ended = (await client.delete(f"{KEYS}/{key['Id']}")).json()
    assert (ended["State"], ended["Id"]) == ("revoked", key["Id"])
    assert (await client.get(KEYS, params={"state": "revoked"})).json()["Total"] == 1
    assert refusal(await client.delete(f"{KEYS}/{key['Id']}")) == (404, "key_not_found")
    kinds = await database.reader.rows("SELECT kind, after::text FROM actions ORDER BY id")
    assert [row["kind"] for row in kinds] == ["keys.create", "keys.create", "keys.revoke"]
    assert secret not in str(kinds)
    assert (await verify_ledger.verify(database.settings)).breach is None


async def test_a_repeated_call_makes_one_key_and_shows_its_secret_once(client, database):
    headers = {"Idempotency-Key": "one"}
    body = {"name": "website", "scopes": ["players.read"]}

    first = await client.post(KEYS, json=body, headers=headers)
    second = await client.post(KEYS, json=body, headers=headers)

    assert second.json() == first.json() | {"Key": None}
    assert first.json()["Key"].startswith("gk_")
    stored = await database.reader.value("SELECT convert_from(body, 'UTF8') FROM replies")
    assert first.json()["Key"] not in stored


async def test_the_scopes_are_told_in_words_with_those_that_the_caller_may_grant(client, database):
    headers = await key_with(database, "keys.manage", "players.read")
    answer = (await client.get(f"{KEYS}/scopes", headers=headers)).json()["Values"]
    assert {one["Scope"]: one["Description"] for one in answer} == SCOPES
    assert {one["Scope"] for one in answer if one["Grantable"]} == {"keys.manage", "players.read"}


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"name": "", "scopes": []}, 400, "invalid_key_name"),
        ({"name": "x" * 65, "scopes": []}, 400, "invalid_key_name"),
        ({"name": "x"}, 400, "invalid_body"),
        ({"name": "x", "scopes": ["players.raed"]}, 400, "unknown_scope"),
        ({"name": "x", "scopes": ["players.read"] * 65}, 400, "invalid_body"),
        ({"name": "x", "scopes": [], "days": 0}, 400, "invalid_key_days"),
        ({"name": "x", "scopes": [], "days": 36_501}, 400, "invalid_key_days"),
        ({"name": "x", "scopes": [], "largestgift": -1}, 400, "invalid_key_limit"),
        ({"name": "x", "scopes": [], "largestgift": 2**53 + 1}, 400, "invalid_key_limit"),
        ({"name": "tests", "scopes": []}, 409, "key_name_taken"),
    ],
)
async def test_a_request_that_makes_no_sense_makes_no_key(client, database, body, status, code):
    before = await rows(database)
    assert refusal(await client.post(KEYS, json=body)) == (status, code)
    assert await rows(database) == before


async def test_nobody_makes_or_revokes_a_key_that_may_do_more_than_they(client, database):
    headers = await key_with(database, "keys.manage", "players.read")
    everything = await database.reader.value("SELECT id FROM api_keys WHERE name = 'tests'")
    more = await client.post(KEYS, json={"name": "more", "scopes": ["players.items"]})
    before = await rows(database)

    refused = await client.post(
        KEYS, json={"name": "mine", "scopes": ["players.items"]}, headers=headers
    )
    assert refusal(refused) == (403, "key_exceeds_caller")
    for key in (everything, more.json()["Id"]):
        refused = await client.delete(f"{KEYS}/{key}", headers=headers)
        assert refusal(refused) == (403, "key_exceeds_caller")

    assert await rows(database) == before
    own = await client.post(KEYS, json={"name": "own", "scopes": ["players.read"]}, headers=headers)
    ended = await client.delete(f"{KEYS}/{own.json()['Id']}", headers=headers)
    assert ended.json()["State"] == "revoked"


async def test_a_key_does_not_outlive_the_key_that_makes_it(database):
    caller = await caller_of(database, "keys.manage", "players.read", days=10)

    outcomes = await managed_keys.create(
        database,
        [
            wanted("for ever", "players.read", caller=caller),
            wanted("longer", "players.read", caller=caller, days=10),
            wanted("shorter", "players.read", caller=caller, days=9),
        ],
    )

    assert [type(outcome) for outcome in outcomes[:2]] == [KeyOutlivesMaker, KeyOutlivesMaker]
    assert not isinstance(outcomes[2], Problem)


async def test_a_key_that_was_revoked_meanwhile_makes_no_key(database):
    """The authenticator remembers it for two seconds."""
    caller = await caller_of(database, "keys.manage", "players.read")
    await keys.revoke.one(database, keys.Revocation(by=BY, key=caller.name))

    [refused] = await managed_keys.create(database, [wanted("late", "players.read", caller=caller)])

    assert isinstance(refused, KeyExceedsCaller)


@pytest.mark.parametrize(
    ("limits", "scope", "made"),
    [
        (Limits(pieces_per_day=5), "players.items", False),
        (Limits(value_per_day=5), "transactions", False),
        (Limits(largest_gift=5), "players.items", False),
        (Limits(undos_per_day=5), "actions.undo", False),
        (Limits(undos_per_day=5), "players.items", True),
        (Limits(pieces_per_day=5), "players.read", True),
    ],
)
async def test_whoever_has_limits_makes_no_key_for_what_they_limit(database, limits, scope, made):
    """Each key is an actor with a day's worth of its own: ten keys would be ten times as much."""
    caller = Principal(id=f"user:{uuid4()}", name="ana", scopes=frozenset(SCOPES), limits=limits)
    order = wanted("mine", scope, caller=caller, limits=Limits(pieces_per_day=1, undos_per_day=1))

    [outcome] = await managed_keys.create(database, [order])

    assert isinstance(outcome, KeyEvadesLimits) is not made
    assert managed_keys.may_grant(caller, scope) is made


async def test_a_refused_request_does_not_harm_its_neighbours(database):
    narrow = Principal(id=f"user:{uuid4()}", name="ana", scopes=frozenset({"keys.manage"}))
    outcomes = await managed_keys.create(
        database,
        [
            wanted("one", "players.read"),
            wanted("two", "players.raed"),
            wanted("three", "players.read", caller=narrow),
            wanted("one", "players.read"),
            wanted("five", "players.read"),
        ],
    )
    assert [type(outcome) for outcome in outcomes[1:4]] == [
        UnknownScope,
        KeyExceedsCaller,
        KeyNameTaken,
    ]
    assert "--rotate" not in str(outcomes[3])
    first, last = (outcome for outcome in outcomes if not isinstance(outcome, Problem))
    assert (first.name, last.name) == ("one", "five")

    ended = await managed_keys.revoke(
        database,
        [
            KeyRevocation(by=BY, caller=PERSON, key=first.id),
            KeyRevocation(by=BY, caller=narrow, key=last.id),
            KeyRevocation(by=BY, caller=PERSON, key=first.id),
            KeyRevocation(by=BY, caller=PERSON, key=uuid4()),
        ],
    )
    assert [type(one) for one in ended[1:]] == [KeyExceedsCaller, KeyNotFound, KeyNotFound]
    assert not isinstance(ended[0], Problem)
    assert (await verify_ledger.verify(database.settings)).breach is None


async def test_twenty_of_one_name_at_once_are_one_key_and_end_once(database):
    made = await asyncio.gather(
        *(managed_keys.create(database, [wanted("site", "players.read")]) for _ in range(20))
    )
    [key] = [one for [one] in made if not isinstance(one, Problem)]
    order = KeyRevocation(by=BY, caller=PERSON, key=key.id)

    ended = await asyncio.gather(*(managed_keys.revoke(database, [order]) for _ in range(20)))

    assert sum(not isinstance(one, Problem) for [one] in ended) == 1
    kinds = await database.reader.rows("SELECT kind, count(*) FROM actions GROUP BY kind")
    assert {row["kind"]: row["count"] for row in kinds} == {"keys.create": 1, "keys.revoke": 1}


async def test_twenty_at_once_make_no_more_keys_than_there_may_be(database, monkeypatch):
    monkeypatch.setattr(managed_keys, "MOST_LIVE", 7)

    made = await asyncio.gather(
        *(managed_keys.create(database, [wanted(f"key {n}")]) for n in range(20))
    )

    assert sum(isinstance(one, TooManyKeys) for [one] in made) == 13
    assert len(await keys.list_keys(database.reader)) == 7


async def test_a_key_named_like_the_id_of_another_is_not_revoked_with_it(client, database):
    body = {"name": "one", "scopes": ["players.read"]}
    one = (await client.post(KEYS, json=body)).json()
    other = (await client.post(KEYS, json=body | {"name": one["Id"]})).json()

    await client.delete(f"{KEYS}/{one['Id']}")

    live = (await client.get(KEYS, params={"state": "live"})).json()["Values"]
    assert UUID(other["Id"]) in {UUID(key["Id"]) for key in live}


@pytest.mark.parametrize("words", ["", "read", "read 0/minute", "off " * 60, "fly 3/day"])
async def test_rate_limits_that_are_none_are_refused(client, database, words):
    before = await rows(database)
    body = {"name": "website", "scopes": ["players.read"], "rates": words}
    answer = await client.post(KEYS, json=body)
    assert refusal(answer) == (400, "invalid_key_rates")
    assert "'read 600/minute, list off'" in answer.json()["Message"]
    assert await rows(database) == before


async def test_a_key_with_rate_limits_of_its_own_makes_no_others(database):
    """Each would have a budget of its own: ten keys would be ten times the limit."""
    maker = Principal(id=PERSON.id, name="ana", user_id=PERSON.user_id, rates="write 10/minute")
    with pytest.raises(KeyEvadesLimits):
        await managed_keys.create.one(database, wanted("mine", "players.read", caller=maker))
