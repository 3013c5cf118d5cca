"""A person with data in as many tables as possible, every text of which has one word."""

from uuid import UUID

import httpx2

from gamekeeper.db.database import Database
from tests.chat.talk import said, say
from tests.make import make_player, make_user, make_variable, sha
from tests.moderation.complaints import CASES, filed, queue
from tests.moderation.rows import make_appeal, make_sanction
from tests.servers.game_server import GameServer

WORD = "unmistakable"
NAME, EMAIL, ADDRESS = f"ana-{WORD}", f"ana.{WORD}@example.com", "203.0.113.77"
CHARACTER = "Unmistakable"


async def make_person(client: httpx2.AsyncClient, database: Database) -> UUID:
    """Register, play, talk, complain, be reported and sanctioned; returns the account."""
    registered = {"username": NAME, "email": EMAIL, "password": sha("secret")}
    answer = await client.post(
        "/api/v1/users/register", json=registered, headers={"Idempotency-Key": "register-ana"}
    )
    assert answer.status_code == 200, answer.text
    user: UUID = await database.reader.value("SELECT id FROM users WHERE name = $1", NAME)
    ana = await make_player(database, CHARACTER, user=user)
    bo = await make_player(database, "Bo", user=await make_user(database, "bo"))
    await _talk(client, ana, bo)
    await _complain(client)
    await _sign_in(client, database, user)
    sanction = await make_sanction(database, user_id=user, message="Be polite.", reason="Rude.")
    await make_appeal(database, sanction, text=f"I am {WORD}.")
    votes = await make_variable(database, owner="user", type="string")
    answer = await client.post(f"/api/v1/users/{NAME}/variables/{votes}", json={"value": WORD})
    assert answer.status_code == 200, answer.text
    return user


async def _talk(client: httpx2.AsyncClient, ana: UUID, bo: UUID) -> None:
    realm = await GameServer.register(client)
    await say(
        realm,
        said(ana, f"{WORD}, to all", channel="global", address=ADDRESS),
        said(bo, f"{WORD}, to her", channel="pm", targetId=str(ana)),
        said(ana, f"{WORD}, to him", channel="pm", targetId=str(bo)),
        said(bo, "hello all", channel="global"),
    )


async def _complain(client: httpx2.AsyncClient) -> None:
    await filed(client, "Bo", CHARACTER, text=f"She is {WORD}.")
    await filed(client, CHARACTER, "Bo", text=f"He is {WORD}.")
    for case in await queue(client):
        if case["PlayerName"] == CHARACTER:
            note = {"text": f"A note about {WORD}."}
            answer = await client.post(f"{CASES}/{case['Id']}/notes", json=note)
            assert answer.status_code == 200, answer.text


async def _sign_in(client: httpx2.AsyncClient, database: Database, user: UUID) -> None:
    token = {"grant_type": "password", "username": NAME, "password": sha("secret")}
    await database.write(
        lambda writer: writer.run("UPDATE users SET api = true WHERE id = $1", user)
    )
    answer = await client.post("/api/oauth/token", data=token | {"device_id": WORD})
    assert answer.status_code == 200, answer.text
    wrong = token | {"password": sha("wrong")}
    assert (await client.post("/api/oauth/token", data=wrong)).status_code == 400
    reset = {"email": EMAIL, "username": NAME}
    await client.get(f"/api/v1/users/{NAME}/password/reset", params=reset)
