"""Commands are sent: what is stored, told and refused."""

import asyncio
from typing import Any
from uuid import uuid4

import pytest

from gamekeeper.auth import keys
from gamekeeper.core.errors import Problem
from gamekeeper.servers.commands import outbox
from gamekeeper.servers.commands.outbox import NewCommand
from tests.commands.orders import age, code, fetched_ids
from tests.make import BY, make_player, make_server, make_user

WARP = {"kind": "warp", "mapid": "7b61f4d0-9a9b-4d3a-8c25-4a6d1f0e8a11", "x": 3, "y": 4}


async def rows(database) -> int:
    return await database.reader.value("SELECT count(*) FROM commands")


async def logged(database) -> list[dict[str, Any]]:
    rows = await database.reader.rows("SELECT * FROM actions WHERE kind = 'commands.send'")
    return [dict(row) for row in rows]


async def test_a_command_to_somebody_online_waits_and_is_audited(client, database, ana, realm):
    answer = await client.post(
        "/api/v1/players/Ana/commands",
        json={"Kind": "Message", "TEXT": "Hello!", "color": "#ff00aa", "reason": "a greeting"},
    )

    sent = answer.json()
    assert sent | {"Id": 0, "SentBy": 0, "CreatedAt": 0, "ExpiresAt": 0} == {
        "Id": 0,
        "Kind": "message",
        "PlayerId": str(ana),
        "ServerId": None,
        "Payload": {"Text": "Hello!", "Color": "#FF00AA"},
        "State": "waiting",
        "Reason": "a greeting",
        "SentBy": 0,
        "SentByName": "tests",
        "CreatedAt": 0,
        "ExpiresAt": 0,
        "DeliveredTo": None,
        "DeliveredAt": None,
        "AnsweredAt": None,
        "Answer": None,
    }
    [action] = await logged(database)
    assert (action["player_id"], action["reason"]) == (ana, "a greeting")
    assert action["after"] == {
        "command_id": sent["Id"],
        "kind": "message",
        "state": "waiting",
        "payload": {"Text": "Hello!", "Color": "#FF00AA"},
    }


async def test_nobody_online_is_expired_at_once(orders, ana, realm, database):
    await realm.leave(ana)

    sent = await orders.send(ana)

    assert (sent["State"], sent["Answer"]) == ("expired", "Not online.")
    assert (await logged(database))[0]["after"]["state"] == "expired"
    await realm.join(ana)
    assert await fetched_ids(realm) == []


async def test_a_character_on_a_dead_server_is_not_online(orders, ana, realm, database):
    await database.write(lambda writer: writer.run("UPDATE servers SET lease_until = now()"))

    assert (await orders.send(ana))["State"] == "expired"


async def test_a_command_is_kept_for_the_next_join_if_asked(orders, ana, realm):
    await realm.leave(ana)

    sent = await orders.send(ana, when="next_join")

    assert sent["State"] == "waiting"
    assert await fetched_ids(realm) == []
    await realm.join(ana)
    assert await fetched_ids(realm) == [sent["Id"]]


async def test_a_command_to_a_dead_server_is_expired_at_once(orders, database):
    server = await make_server(database, lease_seconds=-1)

    sent = await orders.send_server(server)

    assert (sent["State"], sent["Answer"]) == ("expired", "The server was down.")


NONSENSE = [
    ({"kind": "dance"}, "'kind' must be 'kick' or 'kill' or 'warp' or 'message' or 'custom'."),
    ({"kind": "message"}, "The command 'message' requires 'text'."),
    ({"kind": "message", "text": " "}, "'text' must have 1 to 500 characters."),
    ({"kind": "message", "text": "a" * 501}, "'text' must have 1 to 500 characters."),
    ({"kind": "message", "text": "a", "x": 1}, "The command 'message' does not accept 'x'."),
    (
        {"kind": "message", "text": "a", "color": "red"},
        "'color' must be '#RRGGBB' or '#AARRGGBB' (opacity first).",
    ),
    ({"kind": "kill", "text": "a"}, "The command 'kill' does not accept 'text'."),
    ({"kind": "warp", "x": 1, "y": 2}, "The command 'warp' requires 'mapid'."),
    (WARP | {"x": -1}, "'x' must be a number from 0 to 65535."),
    (WARP | {"y": 65_536}, "'y' must be a number from 0 to 65535."),
    (WARP | {"payload": {}}, "The command 'warp' does not accept 'payload'."),
    ({"kind": "custom"}, "The command 'custom' requires 'payload'."),
    ({"kind": "custom", "payload": [1]}, "'payload' must be an object."),
    (
        {"kind": "custom", "payload": {}, "text": "a"},
        "The command 'custom' does not accept 'text'.",
    ),
    ({"kind": "custom", "payload": {"a": "b" * 8192}}, "'payload' is larger than 8 KiB."),
    ({"kind": "custom", "payload": {"a": ["\0"]}}, "'payload' must not contain NUL."),
    ({"kind": "custom", "payload": {"\0": 1}}, "'payload' must not contain NUL."),
    ({"seconds": 0}, "'seconds' must be a number from 1 to 3600."),
    ({"seconds": 3601}, "'seconds' must be a number from 1 to 3600."),
    ({"seconds": 2_592_001, "when": "next_join"}, "'seconds' must be a number from 1 to 2592000."),
    ({"when": "later"}, "'when' must be 'now' or 'next_join'."),
]


async def test_what_makes_no_sense_is_refused(orders, database, ana, realm):
    for body, message in NONSENSE:
        answer = await orders.ask(ana, **body)
        assert (answer.status_code, answer.json()["Message"]) == (400, message), body

    assert await rows(database) == 0
    assert await logged(database) == []


async def test_an_escaped_backslash_before_u0000_is_no_nul(orders, ana, realm):
    sent = await orders.send(ana, kind="custom", payload={"path": "C:\\u0000"})

    assert sent["Payload"] == {"path": "C:\\u0000"}


async def test_unknown_targets_are_not_found(orders, database):
    assert code(await orders.ask("Nobody")) == (404, "player_not_found")
    assert code(await orders.ask_server(uuid4())) == (404, "server_not_found")
    assert await rows(database) == 0


async def test_a_server_does_not_join(orders, realm):
    sent = await orders.send_server(realm.id, when="next_join")

    # The body of a command to a server has no such field.
    assert sent["State"] == "waiting"


async def test_twenty_at_once_are_twenty_commands(orders, ana, realm, database):
    sent = await asyncio.gather(*(orders.send(ana, text=str(number)) for number in range(20)))

    assert len({one["Id"] for one in sent}) == 20
    assert len(await logged(database)) == 20
    assert sorted(await fetched_ids(realm)) == sorted(one["Id"] for one in sent)


async def test_a_retry_with_its_key_sends_once(client, ana, realm, database):
    for _ in range(2):
        answer = await client.post(
            f"/api/v1/players/{ana}/commands",
            json={"kind": "kill"},
            headers={"Idempotency-Key": "order-66"},
        )
        assert answer.status_code == 200

    assert await rows(database) == 1


async def test_a_refused_neighbour_changes_nothing_for_the_others(database, ana, realm):
    good = NewCommand(by=BY, kind="kick", player=str(ana))
    bad = NewCommand(by=BY, kind="message", player=str(ana))
    nobody = NewCommand(by=BY, kind="kick", player="Nobody")

    outcomes = await outbox.send(database, [bad, good, nobody, good])

    assert [isinstance(outcome, Problem) for outcome in outcomes] == [True, False, True, False]
    assert await rows(database) == len(await logged(database)) == 2


async def test_a_hundred_may_wait_for_a_character_and_not_more(orders, database, ana, realm):
    good = NewCommand(by=BY, kind="kick", player=str(ana))
    outcomes = await outbox.send(database, [good] * 101)
    assert [isinstance(outcome, Problem) for outcome in outcomes] == [False] * 100 + [True]

    assert code(await orders.ask(ana)) == (409, "too_many_commands")
    await fetched_ids(realm)
    assert (await orders.send(ana))["State"] == "waiting"


async def test_expired_ones_do_not_count_as_waiting(orders, database, ana, realm):
    good = NewCommand(by=BY, kind="kick", player=str(ana))
    await outbox.send(database, [good] * 100)
    await database.write(lambda writer: writer.run("UPDATE commands SET expires_at = now()"))

    assert (await orders.send(ana))["State"] == "waiting"


async def test_nobody_commands_the_character_of_an_account_that_holds_more(
    client, database, realm, ana
):
    """A message harms nobody, so it may be sent to anybody."""
    boss = await make_player(database, "Boss", user=await make_user(database, ban=True))
    await realm.join(boss)
    limited = await key_with(database, "commands")

    refused = await client.post(
        f"/api/v1/players/{boss}/commands", json={"kind": "kick"}, headers=limited
    )
    assert code(refused) == (403, "outranked")
    assert await rows(database) == 0
    said = await client.post(
        f"/api/v1/players/{boss}/commands", json={"kind": "message", "text": "a"}, headers=limited
    )
    assert said.status_code == 200
    kicked = await client.post(
        f"/api/v1/players/{ana}/commands", json={"kind": "kick"}, headers=limited
    )
    assert kicked.status_code == 200


async def test_an_operation_can_send_in_its_own_transaction(database, ana, realm):
    """What a ban does: if it is rolled back, nothing was sent."""

    async def ban(writer) -> None:
        sent = await outbox.send.one(writer, NewCommand(by=BY, kind="kick", player=str(ana)))
        assert sent.state == "waiting"
        raise KeyError

    with pytest.raises(KeyError):
        await database.write(ban)

    assert await rows(database) == 0


async def test_lists_are_newest_first_and_filtered_by_state(client, orders, database, ana, realm):
    first, second = await orders.send(ana), await orders.send(ana)
    third = await orders.send_server(realm.id)
    await age(database, second, 60)

    async def ids(path: str) -> list[str]:
        answer = (await client.get(f"/api/v1/{path}")).json()
        assert answer["Total"] == len(answer["Values"])
        return [entry["Id"] for entry in answer["Values"]]

    assert await ids("players/Ana/commands") == [second["Id"], first["Id"]]
    assert await ids("players/Ana/commands?state=waiting") == [first["Id"]]
    assert await ids("players/Ana/commands?state=expired") == [second["Id"]]
    assert await ids(f"servers/{realm.id}/commands") == [third["Id"]]
    assert set(await fetched_ids(realm)) == {first["Id"], third["Id"]}
    assert await ids(f"servers/{realm.id}/commands?state=delivered") == [third["Id"], first["Id"]]


async def key_with(database, *scopes: str) -> dict[str, str]:
    key = await keys.create.one(database, keys.NewKey(by=BY, name="limited", scopes=scopes))
    return {"Authorization": f"Bearer {key}"}
