"""Chat that staff add to a case: frozen, hashed, once, and only what they may read."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from gamekeeper.db import retention
from gamekeeper.ledger import verify_ledger
from tests.chat.talk import said, say
from tests.make import make_player, make_user
from tests.moderation.complaints import CASES, close, filed, only_case, refused
from tests.security.callers import key_with
from tests.servers.game_server import GameServer

HANDLER = ("reports.read", "reports.manage", "logs.read")


class Scene:
    """A case about a bully, and a server on which people talk."""

    def __init__(self, client, ids: dict[str, Any], realm: GameServer, case: str) -> None:
        self.client = client
        self.ids = ids
        self.realm = realm
        self.case = case

    async def say(self, who: str, text: str, *, minutes_ago: float = 60, **about: Any) -> str:
        at = (datetime.now(UTC) - timedelta(minutes=minutes_ago)).isoformat()
        line = said(self.ids[who], text, saidAt=at, **{"channel": "global"} | about)
        await say(self.realm, line)
        return str(line["id"])

    async def add(self, *messages: str, headers: Any = None, **about: Any):
        path = f"{CASES}/{self.case}/evidence"
        body = {"messages": list(messages), **about}
        return await self.client.post(path, json=body, headers=headers or {})

    async def added(self, *messages: str, **about: Any) -> Any:
        answer = await self.add(*messages, **about)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def chat(self, headers: Any = None) -> list[Any]:
        answer = await self.client.get(f"{CASES}/{self.case}/chat", headers=headers or {})
        assert answer.status_code == 200, answer.text
        return answer.json()["Values"]

    async def texts(self, headers: Any = None) -> list[str]:
        return [each["Line"]["Message"] for each in await self.chat(headers)]

    async def actions(self) -> list[Any]:
        return (await self.client.get("/api/v1/actions?kind=cases.evidence")).json()["Values"]


@pytest.fixture
async def scene(client, database) -> Scene:
    ids = {}
    for name in ("Bully", "Ana", "Bo"):
        user = await make_user(database, f"{name}-account")
        ids[name] = str(await make_player(database, name, user=user))
    await filed(client, "Ana", "Bully")
    case = (await only_case(client))["Id"]
    return Scene(client, ids, await GameServer.register(client), case)


async def test_added_messages_are_frozen_and_proved(scene, database, settings):
    older = await scene.say("Bully", "older words", minutes_ago=90)
    newer = await scene.say("Bo", "newer words")

    first = await scene.added(newer)
    second = await scene.added(newer, older, older)

    assert (first["Added"], first["Lines"]) == (1, 1)
    assert (second["Added"], second["Lines"]) == (1, 2)
    again = await scene.added(older, newer)
    assert again == {"Added": 0, "Lines": 2, "Sha256": second["Sha256"]}
    await database.write(lambda writer: writer.run("DELETE FROM chat_messages"))
    lines = await scene.chat()
    assert [each["Line"]["Message"] for each in lines] == ["older words", "newer words"]
    assert all(each["AddedAt"] and not each["IsReported"] for each in lines)
    last, before = await scene.actions()
    assert (before["After"]["added"], before["After"]["private"]) == (1, 0)
    assert last["After"]["excerpt"] == {"lines": 2, "sha256": second["Sha256"]}
    assert "words" not in str(last)
    assert (await verify_ledger.verify(settings)).breaches == []

    await database.write(
        lambda writer: writer.run("UPDATE case_excerpts SET message = 'x' WHERE position = 2")
    )
    assert [one.law for one in (await verify_ledger.verify(settings)).breaches] == ["evidence"]


async def test_a_line_of_a_report_that_is_added_is_shown_once(scene):
    line = await scene.say("Bully", "you fool", minutes_ago=1)
    await filed(scene.client, "Ana", "Bully", messages=[line])
    await scene.added(line)

    [shown] = await scene.chat()
    assert shown["IsReported"]
    assert shown["AddedAt"]
    assert len(shown["ReportIds"]) == 1


async def test_around_a_message_is_what_was_said_on_its_server(scene, client):
    line = await scene.say("Bully", "this one")
    await scene.say("Bo", "shortly before", minutes_ago=64, channel="local")
    await scene.say("Ana", "shortly after", minutes_ago=56)
    await scene.say("Bo", "in private", minutes_ago=60, channel="pm", targetId=scene.ids["Ana"])
    await scene.say("Bo", "too early", minutes_ago=66)
    await scene.say("Bo", "too late", minutes_ago=54)
    elsewhere = await GameServer.register(client, name="Elsewhere")
    at = (datetime.now(UTC) - timedelta(minutes=60)).isoformat()
    await say(elsewhere, said(scene.ids["Bo"], "elsewhere", channel="global", saidAt=at))

    assert (await scene.added(line, around=True))["Added"] == 3

    assert await scene.texts() == ["shortly before", "this one", "shortly after"]
    other = await scene.say("Bo", "other")
    for messages in ((), (line, other)):
        answer = await scene.add(*messages, around=True)
        assert refused(answer) == (400, "invalid_case_evidence")


async def test_bounds(scene, database):
    """200 in a call, 1,000 of a case; around a message the nearest 200."""
    assert (await scene.add(*(str(uuid4()) for _ in range(201)))).status_code == 400
    begun = datetime.now(UTC) - timedelta(minutes=60)
    busy = [
        said(
            scene.ids["Bo"],
            f"line {number}",
            channel="global",
            saidAt=(begun + timedelta(milliseconds=500 * number)).isoformat(),
        )
        for number in range(400)
    ]
    for start in range(0, 400, 100):
        await say(scene.realm, *busy[start : start + 100])
    assert (await scene.added(str(busy[200]["id"]), around=True))["Added"] == 200
    texts = await scene.texts()
    assert {"line 110", "line 200", "line 290"} <= set(texts)
    assert "line 50" not in texts

    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO case_excerpts (case_id, position, digest, message_id, said_at, server_id,
                                       player_id, user_id, channel)
            SELECT case_id, number, digest, gen_random_uuid(), said_at, server_id, player_id,
                   user_id, channel
              FROM case_excerpts CROSS JOIN generate_series(201, 1000) AS number
             WHERE position = 1
            """
        )
    )
    assert refused(await scene.add(str(busy[0]["id"]))) == (400, "too_many_case_lines")
    assert (await scene.added(str(busy[200]["id"])))["Added"] == 0


async def test_unknown_messages_and_cases(scene):
    line = await scene.say("Bully", "you fool")
    assert refused(await scene.add(line, str(uuid4()))) == (404, "chat_message_not_found")
    assert await scene.texts() == []
    assert (await scene.added())["Added"] == 0
    assert await scene.actions() == []
    scene.case = str(uuid4())
    assert refused(await scene.add(line)) == (404, "case_not_found")


async def test_only_an_open_case_takes_evidence(scene):
    line = await scene.say("Bully", "you fool")
    await close(scene.client, scene.case, outcome="none")
    assert refused(await scene.add(line)) == (409, "case_closed")


async def test_the_chat_log_has_its_own_permission(scene, database):
    line = await scene.say("Bully", "you fool")
    for scopes, missing in (
        (("reports.read", "logs.read"), "reports.manage"),
        (("reports.read", "reports.manage"), "logs.read"),
    ):
        answer = await scene.add(line, headers=await key_with(database, *scopes))
        assert refused(answer) == (403, "role_required")
        assert missing in answer.text
    assert (await scene.add(line, headers=await key_with(database, *HANDLER))).status_code == 200


async def test_private_messages_need_their_permission_and_a_reason(scene, database):
    whisper = await scene.say("Bully", "a whisper", channel="pm", targetId=scene.ids["Bo"])
    plain = await key_with(database, *HANDLER)
    answer = await scene.add(whisper, headers=plain, reason="case 12")
    assert refused(answer) == (403, "role_required")
    assert "chat.private" in answer.text
    reader = await key_with(database, *HANDLER, "chat.private")
    for reason in ("", " "):
        answer = await scene.add(whisper, headers=reader, reason=reason)
        assert refused(answer) == (400, "reason_required")
    assert await scene.actions() == []

    await scene.added(whisper, headers=reader, reason="case 12")

    [action] = await scene.actions()
    assert (action["Reason"], action["After"]["private"]) == ("case 12", 1)
    assert await scene.texts(reader) == ["a whisper"]
    assert await scene.chat(plain) == []
    knows = await key_with(database, "reports.read", "reports.reporters")
    assert await scene.texts(knows) == [None]


async def test_a_private_message_of_a_report_that_is_added_names_no_reporter(scene, database):
    """Who may not know reporters sees the message, and not that it is one of a report."""
    whisper = await scene.say(
        "Bully", "a whisper", minutes_ago=1, channel="pm", targetId=scene.ids["Ana"]
    )
    await filed(scene.client, "Ana", "Bully", messages=[whisper])
    reader = await key_with(database, *HANDLER, "chat.private")

    assert (await scene.added(whisper, headers=reader, reason="case 12"))["Added"] == 1

    [line] = await scene.chat(reader)
    assert (line["IsReported"], line["ReportIds"]) == (False, [])
    [full] = await scene.chat()
    assert (full["IsReported"], len(full["ReportIds"])) == (True, 1)


async def test_added_messages_are_evidence_of_the_sanction(scene, database):
    added = await scene.say("Bo", "what Bo saw")
    await scene.say("Bo", "beside it", minutes_ago=61)
    await scene.added(added)
    await database.write(lambda writer: writer.run("DELETE FROM chat_messages"))
    # Without the chat log: the lines of the case are enough.
    moderator = await key_with(database, "reports.read", "reports.manage", "sanctions.manage")

    closed = await close(scene.client, scene.case, moderator, outcome="mute", reason="insults")

    assert closed.status_code == 200, closed.text
    path = f"/api/v1/sanctions/{closed.json()['SanctionId']}/excerpt"
    values = (await scene.client.get(path)).json()["Values"]
    assert [line["Message"] for line in values] == ["what Bo saw"]


async def test_twenty_who_add_at_once_add_each_line_once(scene, settings):
    lines = [await scene.say("Bully", f"line {number}") for number in range(5)]

    answers = await asyncio.gather(*(scene.add(*lines) for _ in range(20)))

    assert sorted(answer.json()["Added"] for answer in answers) == [0] * 19 + [5]
    assert len(await scene.chat()) == 5
    assert (await verify_ledger.verify(settings)).breaches == []


async def test_an_erasure_empties_added_messages(scene, database, settings):
    """Those that the account said, and private ones to it; the hashes stay."""
    lines = [
        await scene.say("Bo", "unmistakable words of Bo"),
        await scene.say("Bully", "unmistakable whisper", channel="pm", targetId=scene.ids["Bo"]),
        await scene.say("Bully", "other words"),
    ]
    await scene.added(*lines, reason="case 12")
    assert (await scene.client.delete("/api/v1/users/Bo-account")).status_code == 200

    sql = "SELECT string_agg(row::text, ' ') FROM case_excerpts AS row"
    left = await database.reader.value(sql)
    assert "unmistakable" not in left
    assert "Bo" not in left.replace("Bully", "")
    assert "other words" in left
    assert (await verify_ledger.verify(settings)).breaches == []

    assert (await scene.client.delete("/api/v1/users/Bully-account")).status_code == 200
    assert "other words" not in await database.reader.value(sql)
    assert await database.reader.value("SELECT bool_and(closed_at IS NOT NULL) FROM case_excerpts")


async def test_added_messages_expire_with_the_case(scene, database, settings):
    await scene.added(await scene.say("Bully", "unmistakable words"))
    await close(scene.client, scene.case, outcome="none")
    await retention.sweep(database, asyncio.Event())
    assert await scene.texts() == ["unmistakable words"]
    late = "UPDATE case_excerpts SET closed_at = closed_at - interval '366 days'"
    await database.write(lambda writer: writer.run(late))

    await retention.sweep(database, asyncio.Event())

    assert await scene.texts() == [None]
    assert (await verify_ledger.verify(settings)).breaches == []


async def test_adding_and_erasing_at_once_leaves_no_text(scene, database):
    """Whichever comes first: no words of an erased account are stored after its erasure."""
    for number in range(5):
        user = await make_user(database, f"witness-{number}")
        scene.ids["Witness"] = str(await make_player(database, f"Witness{number}", user=user))
        line = await scene.say("Witness", f"unmistakable {number}")
        await asyncio.gather(
            scene.client.delete(f"/api/v1/users/witness-{number}"), scene.add(line)
        )
    left = await database.reader.rows(
        """
        SELECT user_id FROM case_excerpts
         WHERE message IS NOT NULL AND user_id NOT IN (SELECT id FROM users)
        """
    )
    assert left == []
