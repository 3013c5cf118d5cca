"""Chat lines as the evidence of a sanction: frozen with it, hashed into its action."""

from uuid import uuid4

import pytest

from gamekeeper.ledger import verify_ledger
from tests.chat.talk import said, say
from tests.make import make_player
from tests.security.callers import key_with
from tests.servers.game_server import GameServer

SANCTIONS = "/api/v1/sanctions"


@pytest.fixture
async def talk(client, database) -> list[dict[str, object]]:
    """An insult to all, and one in private."""
    ana, bo = await make_player(database, "Ana"), await make_player(database, "Bo")
    messages = [
        said(ana, "you fool, unmistakable", channel="global", saidAt="2026-11-01T10:00:00Z"),
        said(ana, "fool again", channel="pm", targetId=str(bo), saidAt="2026-11-01T10:00:01Z"),
    ]
    await say(await GameServer.register(client), *messages)
    return messages


async def impose(client, *messages, headers=None, **about: object):
    body = {"player": "Ana", "kind": "mute", "reason": "insults", **about}
    body["excerpt"] = [message["id"] for message in messages]
    return await client.post(SANCTIONS, json=body, headers=headers or {})


async def lines_of(client, code: str, headers=None) -> list[str | None]:
    answer = await client.get(f"{SANCTIONS}/{code}/excerpt", headers=headers or {})
    assert answer.status_code == 200, answer.text
    return [line["Message"] for line in answer.json()["Values"]]


async def test_lines_stay_when_the_log_expires_and_the_action_has_their_hash(
    client, database, settings, talk
):
    made = (await impose(client, *reversed(talk))).json()
    await database.write(lambda writer: writer.run("DELETE FROM chat_messages"))

    found = (await client.get(f"{SANCTIONS}/{made['Code']}/excerpt")).json()

    assert [line["Message"] for line in found["Values"]] == [one["message"] for one in talk]
    assert found["Values"][1]["TargetName"] == "Bo"
    [action] = (await client.get("/api/v1/actions?kind=sanctions.impose")).json()["Values"]
    assert action["After"]["excerpt"] == {"lines": 2, "sha256": found["Sha256"]}
    assert "fool" not in str(action)
    assert (await verify_ledger.verify(settings)).breaches == []


@pytest.mark.parametrize(
    "forgery",
    [
        "UPDATE sanction_excerpts SET message = 'thank you' WHERE position = 1",
        "UPDATE sanction_excerpts SET said_at = said_at - interval '1 day' WHERE position = 1",
        "DELETE FROM sanction_excerpts WHERE position = 2",
        "DELETE FROM sanction_excerpts",
        "UPDATE sanction_excerpts SET position = position + 1 WHERE position = 2",
    ],
)
async def test_verification_finds_changed_evidence(client, database, settings, talk, forgery):
    await impose(client, *talk)
    await database.write(lambda writer: writer.run(forgery))

    laws = [breach.law for breach in (await verify_ledger.verify(settings)).breaches]

    # A number that leaves a gap changes no order, and nothing that was said.
    assert laws == ([] if "position + 1" in forgery else ["evidence"])


async def test_a_moderator_uses_only_what_they_may_read(client, database, talk):
    public, whisper = talk
    manage = await key_with(database, "sanctions.manage")
    reader = await key_with(database, "sanctions.manage", "logs.read")
    for headers, message, scope in (
        (manage, public, "logs.read"),
        (reader, whisper, "chat.private"),
    ):
        refused = await impose(client, message, headers=headers)
        assert (refused.status_code, refused.json()["Code"]) == (403, "role_required")
        assert scope in refused.text
    assert (await impose(client, public, headers=reader)).status_code == 200


async def test_private_lines_have_no_text_without_the_permission(client, database, talk):
    code = (await impose(client, *talk)).json()["Code"]
    staff = await key_with(database, "sanctions.read")

    assert await lines_of(client, code, staff) == ["you fool, unmistakable", None]
    assert await lines_of(client, code) == ["you fool, unmistakable", "fool again"]


async def test_an_unknown_line_imposes_nothing(client, database, talk):
    refused = await impose(client, talk[0], {"id": str(uuid4())})

    assert (refused.status_code, refused.json()["Code"]) == (404, "chat_message_not_found")
    assert (await client.get(SANCTIONS)).json()["Values"] == []
    assert await database.reader.value("SELECT count(*) FROM sanction_excerpts") == 0


async def test_a_preview_freezes_nothing(client, database, talk):
    assert (await impose(client, *talk, dryrun=True)).json()["DryRun"] is True
    assert await database.reader.value("SELECT count(*) FROM sanction_excerpts") == 0


async def test_a_sanction_without_lines_has_an_empty_excerpt(client, talk):
    code = (await impose(client)).json()["Code"]
    found = (await client.get(f"{SANCTIONS}/{code}/excerpt")).json()
    assert found == {"Values": [], "Sha256": None}


async def test_erasure_empties_the_lines_and_leaves_the_proof(client, database, settings, talk):
    """Of who said it, and of who heard it in private."""
    code = (await impose(client, *talk)).json()["Code"]
    bo = (await client.get("/api/v1/players/Bo")).json()["UserId"]
    ana = (await client.get("/api/v1/players/Ana")).json()["UserId"]

    assert (await client.delete(f"/api/v1/users/{bo}")).status_code == 200
    assert await lines_of(client, code) == ["you fool, unmistakable", None]
    assert (await verify_ledger.verify(settings)).breaches == []

    assert (await client.delete(f"/api/v1/users/{ana}")).status_code == 200
    assert await lines_of(client, code) == [None, None]
    assert (await verify_ledger.verify(settings)).breaches == []
    sql = "SELECT string_agg(one::text, '') FROM sanction_excerpts AS one"
    assert "unmistakable" not in await database.reader.value(sql)
