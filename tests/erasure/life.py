"""What else a person leaves behind: letters, a guild, a shop, codes, and work as staff."""

from typing import Any
from uuid import UUID

import httpx2

from gamekeeper.auth import tokens
from gamekeeper.db.database import Database
from tests.chat.talk import said, say
from tests.codes.mint import make_typed_code
from tests.erasure.person import ADDRESS, CHARACTER, NAME, WORD
from tests.make import make_item, make_variable, proved
from tests.moderation.complaints import CASES, queue, without_key
from tests.servers.game_server import GameServer
from tests.staff.make import make_staff
from tests.staff.signed_in import staff_session

API = "/api/v1"


async def live(client: httpx2.AsyncClient, database: Database, user: UUID) -> None:
    """A person of `make_person`, with the character Unmistakable; Bo is another account's."""
    potion = await make_item(database)
    await _write_letters(client)
    await _found_a_guild(client, database)
    await _be_judged(client, database)
    await _buy(client, database, potion)
    await _redeem(client, database, user, potion)
    await _work_as_staff(client, database, user)


async def _post(client: httpx2.AsyncClient, path: str, headers: Any = None, **body: Any) -> Any:
    answer = await client.post(f"{API}{path}", json=body, headers=headers or {})
    assert answer.status_code == 200, (path, answer.text)
    return answer.json()


async def _write_letters(client: httpx2.AsyncClient) -> None:
    texts = {"subject": f"{WORD} greetings", "text": f"Meet me, {WORD}."}
    await _post(client, "/players/Bo/mailbox", **texts, **{"from": CHARACTER})
    await _post(client, f"/players/{CHARACTER}/mailbox", **texts, **{"from": "Bo"})


async def _found_a_guild(client: httpx2.AsyncClient, database: Database) -> None:
    """It has an owner again, or the account could not be erased."""
    guild = (await _post(client, "/guilds/create", name=f"The {WORD}", owner=CHARACTER))["Id"]
    await _post(client, f"/guilds/{guild}/members/Bo")
    motto = await make_variable(database, owner="guild", type="string")
    await _post(client, f"/guilds/{guild}/variables/{motto}", value=f"{WORD} for ever")
    await _post(client, f"/guilds/{guild}/transfer/Bo")
    realm = await GameServer.register(client, "Guild realm")
    ana = await database.reader.value("SELECT id FROM players WHERE name = $1", CHARACTER)
    await say(realm, said(ana, f"{WORD}, guild", channel="guild", targetId=guild))


async def _be_judged(client: httpx2.AsyncClient, database: Database) -> None:
    """Her words become evidence of a case, of a report and of a sanction."""
    lines = await database.reader.rows(
        "SELECT id FROM chat_messages WHERE message LIKE $1 AND channel IN ('global', 'guild')",
        f"{WORD}%",
    )
    meant = [str(line["id"]) for line in lines]
    [case] = [case for case in await queue(client) if case["PlayerName"] == CHARACTER]
    added = await client.post(f"{CASES}/{case['Id']}/evidence", json={"messages": meant})
    assert added.status_code == 200, added.text
    sanction = {"player": CHARACTER, "kind": "warning", "reason": "Rude.", "message": "Be polite."}
    await _post(client, "/sanctions", **sanction, excerpt=meant)
    await _post(
        client,
        f"/players/{CHARACTER}/commands",
        kind="message",
        text=f"Dear {WORD}, read the rules.",
        when="next_join",
    )
    ban = {"range": ADDRESS, "durationseconds": 3600, "reason": "Bots."}
    await _post(client, "/access-bans", **ban)


async def _buy(client: httpx2.AsyncClient, database: Database, potion: UUID) -> None:
    lines = [{"items": [{"itemid": str(potion)}]}]
    for number, receiver in enumerate(({"character": CHARACTER}, {"account": NAME})):
        body = {"lines": lines, "buyer": NAME, **receiver}
        answer = await client.put(f"{API}/orders/webshop/order-{number}", json=body)
        assert answer.status_code == 200, answer.text


async def _redeem(client: httpx2.AsyncClient, database: Database, user: UUID, potion: UUID) -> None:
    """With her own token, so that the action is hers; her ban is lifted before."""
    lift = "UPDATE sanctions SET lifted_at = now(), lifted_by = 'system', lifted_by_name = 'x'"
    await database.write(lambda writer: writer.run(lift))
    code = await make_typed_code(database, potion)
    issued = await tokens.issue.one(database, await proved(database, user))
    own = {"Authorization": f"Bearer {issued.access}"}
    await _post(client, "/me/codes", own, code=code, character=CHARACTER)


async def _work_as_staff(client: httpx2.AsyncClient, database: Database, user: UUID) -> None:
    """For a while: an account with a role is not erased."""
    await make_staff(database, "support", user=user)
    session = await staff_session(database, user=user)
    browser = without_key(client)
    query = f"kind=items.give&player={WORD}"
    await _post(browser, "/me/filters", session, list="actions", name=f"My {WORD}", query=query)
    await database.write(
        lambda writer: writer.run("DELETE FROM staff_roles WHERE user_id = $1", user)
    )
