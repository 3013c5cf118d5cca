"""What was said in the game: reported by game servers, read in the logs."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from gamekeeper.db.retention_rules import RULES
from tests.chat.talk import said
from tests.security.callers import key_with
from tests.servers.game_server import GameServer

CHAT, PRIVATE = "/api/v1/logs/chat", "/api/v1/logs/pm"
REASON = {"X-Reason": "report 812"}


async def test_what_was_said_is_in_the_log_newest_first(client, realm, ana, bo):
    begun = datetime.now(UTC) - timedelta(minutes=5)
    messages = [
        said(who, text, channel="global", saidAt=(begun + timedelta(seconds=number)).isoformat())
        for number, (who, text) in enumerate([(ana, "hello"), (bo, "hi"), (ana, "bye")])
    ]
    stored = await realm.say("chat", messages=messages)
    assert stored.json() == {"Stored": 3, "Unknown": []}

    page = (await client.get(CHAT)).json()

    assert [page[name] for name in ("Total", "Page", "PageSize", "Count")] == [3, 0, 5, 3]
    assert [entry["MessageText"] for entry in page["Values"]] == ["bye", "hi", "hello"]
    first = page["Values"][-1]
    assert first["PlayerName"] == "Ana"
    assert (first["MessageType"], first["TargetName"], first["TargetId"]) == ("Global", "", None)


async def test_a_report_that_is_sent_again_is_stored_once(client, realm, ana):
    messages = [said(ana, "hello")]
    assert (await realm.say("chat", messages=messages)).json()["Stored"] == 1
    assert (await realm.say("chat", messages=messages)).json()["Stored"] == 0
    assert (await client.get(CHAT)).json()["Total"] == 1


async def test_words_are_attributed_to_nobody_unknown(client, realm, ana):
    nobody = uuid4()
    answer = await realm.say("chat", messages=[said(nobody, "boo"), said(ana, "who?")])

    assert answer.json() == {"Stored": 1, "Unknown": [str(nobody)]}
    assert (await client.get(CHAT)).json()["Total"] == 1


async def test_the_future_is_now(client, realm, ana):
    await realm.say("chat", messages=[said(ana, "soon", saidAt="2100-01-01T00:00:00Z")])

    [one] = (await client.get(CHAT)).json()["Values"]
    assert datetime.fromisoformat(one["TimeStamp"]) <= datetime.now(UTC) + timedelta(seconds=5)


async def test_filters(client, realm, ana, bo):
    guild = uuid4()
    await realm.say(
        "chat",
        messages=[
            said(ana, "Selling a HAMMER", channel="global"),
            said(bo, "for the guild", channel="Guild", targetId=str(guild)),
            said(bo, "psst", channel="pm", targetId=str(ana)),
            said(ana, "yes?", channel="pm", targetId=str(bo)),
        ],
    )

    async def texts(path: str, **query: object) -> set[str]:
        answer = await client.get(path, params=query, headers=REASON)
        assert answer.status_code == 200, answer.text
        return {entry["MessageText"] for entry in answer.json()["Values"]}

    assert await texts(CHAT, messageType=2) == {"Selling a HAMMER"}
    assert await texts(CHAT, search="hammer") == {"Selling a HAMMER"}
    assert await texts(CHAT, guildId=guild) == {"for the guild"}
    assert await texts(CHAT, playerId=bo) == {"for the guild"}
    assert await texts(CHAT, messageType=3, playerId=bo) == {"psst"}
    assert await texts(PRIVATE, player1Id=ana, player2Id=bo) == {"psst", "yes?"}
    assert await texts(PRIVATE, player1Id=bo, player2Id=ana) == {"psst", "yes?"}
    assert await texts(PRIVATE, player1Id=bo, player2Id=uuid4()) == set()
    whispered = await client.get(CHAT, params={"messageType": 3, "playerId": bo}, headers=REASON)
    [whisper] = whispered.json()["Values"]
    assert (whisper["MessageType"], whisper["TargetName"]) == ("PM", "Ana")


@pytest.mark.parametrize(
    ("path", "query"),
    [
        (CHAT, {"messageType": 6}),
        (CHAT, {"messageType": -1}),
        (CHAT, {"search": "a" * 101}),
        (CHAT, {"search": "\0"}),
        (PRIVATE, {}),
        (PRIVATE, {"player1Id": str(uuid4())}),
    ],
)
async def test_filters_that_make_no_sense_are_refused(client, path, query):
    answer = await client.get(path, params=query)
    assert (answer.status_code, answer.json()["Code"]) == (400, "invalid_query")


async def test_unreadable_pages_are_the_first(client):
    """As a real client sends it."""
    assert (await client.get(f"{CHAT}?page=0pageSize=25")).status_code == 200


async def test_messages_are_bounded(client, realm, ana):
    for message in ("", "a" * 1001):
        answer = await realm.say("chat", messages=[said(ana, message)])
        assert (answer.status_code, answer.json()["Code"]) == (400, "invalid_chat")
    answer = await realm.say("chat", messages=[said(ana, "a", address="1" * 65)])
    assert answer.json()["Code"] == "invalid_chat"
    answer = await realm.say("chat", messages=[said(ana, "a") for _ in range(501)])
    assert answer.status_code == 400
    assert (await realm.say("chat", messages=[said(ana, "a" * 1000)])).status_code == 200


async def test_a_server_that_was_replaced_reports_nothing(client, realm, ana):
    await GameServer.register(client, id=str(realm.id))

    answer = await realm.say("chat", messages=[said(ana, "late")])

    assert (answer.status_code, answer.json()["Code"]) == (409, "fenced")
    assert (await client.get(CHAT)).json()["Total"] == 0


async def test_addresses_are_for_those_who_may_see_them(client, database, realm, ana):
    await realm.say("chat", messages=[said(ana, "hello", address="203.0.113.9")])
    for scopes, shown in (
        (["logs.read"], ""),
        (["logs.read", "users.query", "users.personal"], "203.0.113.9"),
    ):
        headers = await key_with(database, *scopes)
        [one] = (await client.get(CHAT, headers=headers)).json()["Values"]
        assert one["Ip"] == shown


async def test_what_was_said_is_forgotten_after_a_month(client, database, realm, ana):
    await realm.say("chat", messages=[said(ana, "old"), said(ana, "new")])
    await database.write(
        lambda writer: writer.run(
            "UPDATE chat_messages SET said_at = now() - interval '31 days' WHERE message = 'old'"
        )
    )
    [rule] = [rule for rule in RULES if rule.name == "chat_messages"]
    seconds = rule.seconds(database.settings)
    await database.write(lambda writer: writer.run(rule.statement, 10, seconds))

    [left] = (await client.get(CHAT)).json()["Values"]
    assert left["MessageText"] == "new"
