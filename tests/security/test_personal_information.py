"""Where callers called from is told only to those who may see personal information."""

import pytest

from gamekeeper.auth import keys
from gamekeeper.auth.keys import NewKey
from gamekeeper.events import records
from gamekeeper.ledger import chain
from tests.make import BY, make_item, make_player, make_user

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
