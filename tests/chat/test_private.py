"""Private messages: with their own permission, with a reason, and recorded with the read."""

from uuid import uuid4

import pytest

from tests.chat.talk import MESSAGES, PRIVATE, said, say, texts
from tests.security.callers import key_with

LOGGED = "/api/v1/logs/chat"
BETWEEN = "/api/v1/logs/pm"
REASON = {"X-Reason": "report 812"}


@pytest.fixture
async def whispers(realm, ana, bo) -> None:
    await say(
        realm,
        said(ana, "hello all", channel="global"),
        said(ana, "psst", channel="pm", targetId=str(bo)),
        said(bo, "yes?", channel="pm", targetId=str(ana)),
    )


async def _readings(client) -> list[dict]:
    return (await client.get("/api/v1/actions", params={"kind": "chat.read"})).json()["Values"]


async def test_a_read_is_recorded_with_its_reason(client, whispers, ana):
    body = {"reason": "report 812", "player": "Ana"}
    answer = await client.post(PRIVATE, json=body)

    # What Ana said, and what was said to her in private.
    assert set(texts(answer)) == {"hello all", "psst", "yes?"}
    [action] = await _readings(client)
    assert (action["Reason"], action["PlayerId"]) == ("report 812", str(ana))
    assert action["After"]["lines"] == 3
    assert "psst" not in str(action)


@pytest.mark.parametrize("reason", ["", "  ", "\u200b"])
async def test_without_a_reason_nothing_is_read(client, whispers, ana, bo, reason):
    """On every path: ours, and both of Intersect."""
    asked = [
        await client.post(PRIVATE, json={"reason": reason}),
        await client.get(LOGGED, params={"messageType": 3}),
        await client.get(BETWEEN, params={"player1Id": str(ana), "player2Id": str(bo)}),
    ]
    for answer in asked:
        assert (answer.status_code, answer.json()["Code"]) == (400, "reason_required")
        assert "psst" not in answer.text
    assert await _readings(client) == []


async def test_without_the_permission_nothing_is_read(client, database, whispers, ana, bo):
    headers = await key_with(database, "logs.read") | REASON
    asked = [
        await client.post(PRIVATE, json={"reason": "curious"}, headers=headers),
        await client.get(LOGGED, params={"messageType": 3}, headers=headers),
        await client.get(
            BETWEEN, params={"player1Id": str(ana), "player2Id": str(bo)}, headers=headers
        ),
    ]
    for answer in asked:
        assert (answer.status_code, answer.json()["Code"]) == (403, "role_required")
    assert await _readings(client) == []


async def test_other_lists_leave_private_messages_out(client, whispers, ana):
    """Even for those who may read them, and send a reason."""
    for query in ({}, {"player": str(ana)}, {"search": "psst"}):
        found = await client.get(MESSAGES, params=query, headers=REASON)
        assert "psst" not in texts(found)
    assert "psst" not in (await client.get(LOGGED, headers=REASON)).text
    assert await _readings(client) == []


async def test_the_paths_of_intersect_are_recorded_too(client, whispers, ana, bo):
    query = {"player1Id": str(ana), "player2Id": str(bo)}
    assert (await client.get(BETWEEN, params=query, headers=REASON)).json()["Total"] == 2
    assert (await client.get(LOGGED, params={"messageType": 3}, headers=REASON)).json()[
        "Total"
    ] == 2

    assert [action["After"]["lines"] for action in await _readings(client)] == [2, 2]


async def test_a_response_is_not_stored_for_an_idempotency_key(client, database, whispers):
    headers = {"Idempotency-Key": uuid4().hex}
    for _ in range(2):
        answer = await client.post(PRIVATE, json={"reason": "report 812"}, headers=headers)
        assert "psst" in texts(answer)

    assert len(await _readings(client)) == 2
    async with database.pools[2].acquire() as connection:
        assert await connection.fetchval("SELECT count(*) FROM replies") == 0


async def test_a_read_that_fails_is_not_recorded(client, whispers):
    answer = await client.post(PRIVATE, json={"reason": "report 812", "search": "x"})
    assert (answer.status_code, answer.json()["Code"]) == (400, "invalid_query")
    assert await _readings(client) == []


async def test_private_channel_and_search(client, whispers, bo):
    body = {"reason": "report 812", "channel": "pm", "player": "Bo"}
    assert set(texts(await client.post(PRIVATE, json=body))) == {"psst", "yes?"}
    assert texts(await client.post(PRIVATE, json={**body, "search": "PSST"})) == ["psst"]
    body = {"reason": "report 812", "channel": "global", "player": "Bo"}
    assert texts(await client.post(PRIVATE, json=body)) == []
