"""Chat as clients of the Intersect Engine send it, and hear of it."""

from time import monotonic
from uuid import uuid4

from gamekeeper.auth import tokens
from gamekeeper.servers.commands import acknowledgement
from tests.commands.orders import code, obedient
from tests.make import make_user, proved
from tests.servers.game_server import GameServer

PATH = "/api/v1/chat"
HELLO = {"Message": "Hello", "Color": {"A": 255, "R": 1, "G": 2, "B": 3}, "Target": "all"}
SAID = {"Message": "Hello", "Color": {"A": 255, "R": 1, "G": 2, "B": 3}, "Target": "all"}


async def test_global_chat_goes_to_every_server(client, realm):
    other = await GameServer.register(client, "Other")
    async with obedient(realm) as here, obedient(other) as there:
        for path in (PATH, f"{PATH}/global"):
            answer = await client.post(path, json=HELLO)
            assert (answer.status_code, answer.json()) == (
                200,
                {"success": True, "chatMessage": SAID},
            )
    told = {str(one["Payload"]) for one in here + there}
    assert told == {str({"Text": "Hello", "Color": "#FF010203"})}


async def test_direct_chat_goes_to_one_character(client, realm, ana):
    async with obedient(realm) as here:
        answer = await client.post(f"{PATH}/direct/ana", json=HELLO)

    assert answer.json() == {"success": True, "lookupKey": "ana", "chatMessage": SAID}
    assert [one["PlayerId"] for one in here] == [str(ana)]


async def test_proximity_chat_goes_to_a_map(client, realm):
    place = str(uuid4())
    async with obedient(realm) as here:
        answer = await client.post(f"{PATH}/proximity/{place}", json=HELLO)

    assert answer.json() == {"success": True, "mapId": place, "chatMessage": SAID}
    assert here[0]["Payload"]["MapId"] == place


async def test_a_form_has_its_colour_in_brackets(client, realm):
    async with obedient(realm) as here:
        form = {"message": "Hi", "Color[A]": "255", "Color[R]": "17", "Color[B]": "x"}
        answer = await client.post(PATH, data=form)

    color = {"A": 255, "R": 17, "G": 255, "B": 255}
    assert answer.json()["chatMessage"] == {"Message": "Hi", "Color": color, "Target": None}
    assert here[0]["Payload"]["Color"] == "#FF11FFFF"


async def test_who_is_not_there_is_not_found(client, realm, ana):
    begun = monotonic()
    answer = await client.post(f"{PATH}/direct/Nobody", json=HELLO)
    assert answer.json()["Message"] == "No player found for 'Nobody'."
    assert answer.status_code == 404
    await realm.leave(ana)
    answer = await client.post(f"{PATH}/direct/Ana", json=HELLO)
    assert answer.json()["Message"] == "No player found for 'Ana'."
    assert monotonic() - begun < 2.5, "nobody waits for who is not online"


async def test_a_map_that_no_server_has_is_not_found(client, realm):
    place = uuid4()
    async with obedient(realm, done=False, text="no such map"):
        answer = await client.post(f"{PATH}/proximity/{place}", json=HELLO)

    assert (answer.status_code, answer.json()["Message"]) == (404, f"No map found for '{place}'.")
    answer = await client.post(f"{PATH}/proximity/7", json=HELLO)
    assert (answer.status_code, answer.json()["Message"]) == (400, "Invalid map id '7'.")


async def test_nobody_answers(client, realm, monkeypatch):
    assert acknowledgement.WAIT_SECONDS == 2.5
    monkeypatch.setattr(acknowledgement, "WAIT_SECONDS", 0.3)
    begun = monotonic()
    answer = await client.post(PATH, json=HELLO)

    assert code(answer) == (504, "not_answered")
    assert monotonic() - begun >= 0.3


async def test_no_server_runs(client, database):
    assert code(await client.post(PATH, json=HELLO)) == (409, "game_offline")
    assert await database.reader.value("SELECT count(*) FROM commands") == 0


async def test_an_empty_or_long_message_is_refused(client, realm, ana):
    for text in ("", "a" * 501):
        for path in (PATH, f"{PATH}/direct/Ana", f"{PATH}/proximity/{uuid4()}"):
            answer = await client.post(path, json={"message": text})
            assert code(answer) == (400, "invalid_command")


async def test_an_account_that_may_kick_may_send_commands(client, database, realm, ana):
    """Intersect's tools sign in with accounts, which have powers and no scopes."""
    for powers, status in (({"api": True}, 403), ({"api": True, "kick": True}, 200)):
        user = await make_user(database, password="secret", **powers)
        token = await tokens.issue.one(database, await proved(database, user))
        async with obedient(realm):
            answer = await client.post(
                f"{PATH}/direct/Ana",
                json=HELLO,
                headers={"Authorization": f"Bearer {token.access}"},
            )
        assert answer.status_code == status
