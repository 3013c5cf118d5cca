"""Where callers called from is told only to those who may see personal information."""

import re

import pytest

from gamekeeper.auth import keys
from gamekeeper.auth.keys import NewKey
from gamekeeper.events import records
from gamekeeper.ledger import chain
from tests.make import BY, make_item, make_player, make_user, sha

READ = ("actions.read", "events.read", "players.read")
FROM = "198.51.100.23"


async def told(client, headers, player, action) -> dict[str, str]:
    """What each way to read the log answers."""
    paths = (
        "/api/v1/actions",
        f"/api/v1/actions/{action}",
        f"/api/v1/players/{player}/history",
        "/api/v1/events?after=0",
    )
    return {path: (await client.get(path, headers=headers)).text for path in paths}


@pytest.mark.parametrize(
    ("scopes", "sees"), [(READ, False), ((*READ, "users.personal"), True), ((), True)]
)
async def test_addresses_are_told_as_emails_are(client, database, scopes, sees):
    player, item = await make_player(database), await make_item(database)
    user = await make_user(database, "ana")
    key = await keys.create.one(database, NewKey(by=BY, name="reader", scopes=scopes or None))
    await client.post(
        f"/api/v1/players/{player}/items/give", json={"itemid": str(item), "quantity": 1}
    )
    await client.post(
        f"/api/v1/users/{user}/manage/email/change", json={"new": "ana.new@example.com"}
    )
    await database.write(lambda writer: writer.run("UPDATE actions SET address = $1", FROM))
    await chain.catch_up(database)
    action = await database.reader.value("SELECT id FROM actions WHERE kind = 'items.give'")

    answers = await told(client, {"Authorization": f"Bearer {key}"}, player, action)

    for path, text in answers.items():
        assert (FROM in text) == sees, path
        assert ('"Address":null' in text) != sees, path
        assert sees or "ana.new@" not in text
    # A stream is made of these, and what a webhook is sent too.
    for event in await records.page(database.reader, 0, 100):
        assert (FROM.encode() in event.frame(emails=sees)) == sees


async def test_who_only_reads_the_log_sees_no_email(client, database):
    """Of any kind of action that has one, by any way to read the log."""
    registered = {"username": "ana", "password": sha("a secret"), "email": "ana@first.example"}
    assert (await client.post("/api/v1/users/register", json=registered)).status_code == 200
    path = "/api/v1/users/ana/manage/email/change"
    assert (await client.post(path, json={"new": "ana@second.example"})).status_code == 200
    body = {"new": "ana@third.example", "authorization": sha("a secret")}
    assert (await client.post("/api/v1/users/ana/email/change", json=body)).status_code == 200
    sql = "SELECT id FROM actions WHERE kind = 'users.email' ORDER BY id DESC LIMIT 1"
    action = await database.reader.value(sql)
    assert (await client.post(f"/api/v1/actions/{action}/undo", json={})).status_code == 200
    order = NewKey(by=BY, name="reader", scopes=("actions.read",))
    headers = {"Authorization": f"Bearer {await keys.create.one(database, order)}"}

    listed = await client.get("/api/v1/actions", headers=headers)
    ids = [entry["Id"] for entry in listed.json()["Values"]]
    ones = [await client.get(f"/api/v1/actions/{one}", headers=headers) for one in ids]
    exported = await client.get("/api/v1/actions/export", headers=headers)

    assert len(ids) >= 4
    for answer in (listed, exported, *ones):
        assert answer.status_code == 200
        assert not re.search(r"ana@|(first|second|third)\.example", answer.text)
    assert "a•••@" in listed.text
    assert "a•••@" in exported.text
