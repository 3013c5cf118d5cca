"""A search tells callers that may not see emails nothing about them: neither answer nor time."""

import asyncio

import pytest

from gamekeeper.auth import keys
from gamekeeper.auth.keys import NewKey
from tests.contract.outcomes import outcome
from tests.make import BY, make_user

PATHS = ["/api/v1/users/search", "/api/v1/users"]


@pytest.fixture
async def accounts(database) -> None:
    await make_user(database, "Lavan", email="someone.else@corner.test")
    await make_user(database, "Quiet", email="lavan.hidden@corner.test")


@pytest.mark.parametrize("path", PATHS)
async def test_the_statements_are_the_same_whether_the_email_exists(
    client, database, accounts, statements, path
):
    key = await keys.create.one(database, NewKey(by=BY, name="narrow", scopes=["users.query"]))
    narrow = {"Authorization": f"Bearer {key}"}
    await client.get(path, params={"search": "warm up"}, headers=narrow)
    seen = []
    for email in ("hidden@corner.test", "nobody@corner.test"):
        with statements() as sent:
            answer = await client.get(path, params={"search": email}, headers=narrow)
        assert sent, "the search is seen here"
        assert not any("user_emails" in sql for sql in sent)
        seen.append((outcome(answer), sent))
    assert seen[0] == seen[1]
    assert seen[0][0][1]["Values"] == []


@pytest.mark.parametrize("path", PATHS)
async def test_who_may_see_them_has_them_searched(client, accounts, statements, path):
    with statements() as sent:
        answer = await client.get(path, params={"search": "hidden@corner.test"})
    assert any("user_emails" in sql for sql in sent)
    assert [entry["Name"] for entry in answer.json()["Values"]] == ["Quiet"]


async def test_both_at_once_get_each_their_own(client, database, accounts):
    """Equal calls share one execution, but never across what the callers may see."""
    key = await keys.create.one(database, NewKey(by=BY, name="narrow", scopes=["users.query"]))
    narrow = {"Authorization": f"Bearer {key}"}
    asked = {"search": "hidden@corner.test"}
    for path in PATHS:
        both = [client.get(path, params=asked, headers=one) for one in ({}, narrow) * 10]
        counts = [len(answer.json()["Values"]) for answer in await asyncio.gather(*both)]
        assert counts == [1, 0] * 10
