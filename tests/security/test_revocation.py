"""Revoked means ended, also for those who wait, and for good (attack 12 and 22)."""

import asyncio
import json
from time import monotonic
from typing import Any
from uuid import uuid4

import pytest

from gamekeeper.api.v1 import events
from gamekeeper.auth import authenticator, keys, tokens
from gamekeeper.db.database import Database
from gamekeeper.history.undo import execute
from gamekeeper.history.undo.execute import Undoing
from gamekeeper.http import application
from gamekeeper.ledger import chain
from gamekeeper.users import accounts, lookup
from gamekeeper.users.accounts import PowersChange
from tests.contract.outcomes import outcome, refusal
from tests.make import BY, make_item, make_player, make_spell, make_user, proved

DENIED = refusal(401, "unauthorized", "Authorization has been denied for this request.")
REMEMBERED_SECONDS = authenticator.REMEMBERED_SECONDS / 10
SLACK = 3.0
"""Seconds that a busy machine may take on top."""
WAITING = """
    SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


@pytest.fixture(autouse=True)
def frequent_checks(monkeypatch) -> None:
    """Look credentials up ten times as often, so that no test waits for seconds."""
    monkeypatch.setattr(authenticator, "REMEMBERED_SECONDS", REMEMBERED_SECONDS)
    monkeypatch.setattr(events, "CHECK_SECONDS", events.CHECK_SECONDS / 10)
    monkeypatch.setattr(application, "SLOW_BODY_SECONDS", application.SLOW_BODY_SECONDS / 10)


async def listener(database: Database) -> tuple[str, dict[str, str]]:
    """The name of a key that may listen, and its headers."""
    name = f"listener-{uuid4().hex[:8]}"
    key = await keys.create.one(
        database, keys.NewKey(by=BY, name=name, scopes=("events.read", "users.personal"))
    )
    return name, {"Authorization": f"Bearer {key}"}


async def revoke(database: Database, name: str) -> None:
    assert await keys.revoke.one(database, keys.Revocation(by=BY, key=name)) == 1


async def test_a_long_poll_ends_soon_after_its_key(client, database):
    name, headers = await listener(database)
    await chain.catch_up(database)
    # Not of the revocation itself, which it may hear of within the two seconds.
    path = "/api/v1/events?after=latest&wait=30&kinds=spells.teach"
    polling = asyncio.create_task(client.get(path, headers=headers, timeout=60))
    await asyncio.sleep(0.3)

    await revoke(database, name)
    begun = monotonic()

    assert outcome(await polling) == DENIED
    assert monotonic() - begun < REMEMBERED_SECONDS + SLACK


async def test_a_long_poll_tells_nothing_after_its_key_has_ended(client, database):
    """Neither does it if the event comes in the same moment in which it would ask again."""
    name, headers = await listener(database)
    ana, fire = await make_player(database), await make_spell(database)
    await chain.catch_up(database)
    path = "/api/v1/events?after=latest&wait=30&kinds=spells.teach"
    polling = asyncio.create_task(client.get(path, headers=headers, timeout=60))
    await asyncio.sleep(0.3)
    await revoke(database, name)
    await asyncio.sleep(REMEMBERED_SECONDS)

    taught = await client.post(f"/api/v1/players/{ana}/spells/teach", json={"spellid": str(fire)})
    assert taught.status_code == 200
    await chain.catch_up(database)

    assert outcome(await polling) == DENIED


async def test_a_body_that_comes_after_the_key_has_ended_does_nothing(client, database):
    """A body may take ten seconds to arrive; its head was let in before."""
    ana, potion = await make_player(database), await make_item(database)
    name = f"slow-{uuid4().hex[:8]}"
    key = await keys.create.one(database, keys.NewKey(by=BY, name=name))
    gift = json.dumps({"itemid": str(potion), "quantity": 1}).encode()

    async def body():
        yield gift[:5]
        await revoke(database, name)
        await asyncio.sleep(REMEMBERED_SECONDS)
        yield gift[5:]

    answer = await client.post(
        f"/api/v1/players/{ana}/items/give",
        content=body(),
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
        timeout=60,
    )

    assert outcome(answer) == DENIED
    assert await database.reader.value("SELECT count(*) FROM slots") == 0


async def signed_in(database: Database, **powers: Any) -> tuple[str, tokens.Tokens]:
    name = f"staff-{uuid4().hex[:8]}"
    user = await make_user(database, name, password="secret", **({"api": True} | powers))
    return name, await tokens.issue.one(database, await proved(database, user))


async def alive(client, issued: tokens.Tokens) -> tuple[int, int]:
    """What the two tokens of a sign-in are answered; the second is used up by it."""
    headers = {"Authorization": f"Bearer {issued.access}"}
    access = await client.get("/api/v1/players/online/count", headers=headers)
    form = {"grant_type": "refresh_token", "refresh_token": str(issued.refresh)}
    refresh = await client.post("/api/oauth/token", data=form)
    return access.status_code, refresh.status_code


async def change(database: Database, name: str, **powers: bool) -> None:
    await accounts.empower.one(database, PowersChange(by=BY, user=name, **powers))


@pytest.mark.parametrize("power", tokens.CARRIED)
async def test_tokens_do_not_come_back_with_the_power_that_was_taken(client, database, power):
    name, issued = await signed_in(database, **{power: True})
    _, other = await signed_in(database, **{power: True})

    await change(database, name, **{power: False})
    await change(database, name, **{power: True})

    assert await alive(client, issued) == (401, 400)
    assert await alive(client, other) == (200, 200)


async def test_tokens_do_not_come_back_when_powers_are_taken_and_granted_by_undo(client, database):
    name, _ = await signed_in(database, api=True)
    await change(database, name, user_query=True)
    user = await lookup.find_user_id(database.reader, name)
    issued = await tokens.issue.one(database, await proved(database, user))
    grant = await database.reader.value("SELECT id FROM actions WHERE kind = 'users.powers'")

    undo = await execute.undo.one(database, Undoing(by=BY, action_id=grant))
    await execute.undo.one(database, Undoing(by=BY, action_id=undo.id))

    assert await alive(client, issued) == (401, 400)


@pytest.mark.parametrize("power", sorted({*accounts.POWERS} - {*tokens.CARRIED}))
async def test_powers_in_the_game_end_no_tokens(client, database, power):
    name, issued = await signed_in(database, **{power: True})

    await change(database, name, **{power: False})

    assert await alive(client, issued) == (200, 200)


async def test_granting_and_keeping_powers_ends_no_tokens(client, database):
    name, issued = await signed_in(database)

    await change(database, name, user_query=True, api=True, user_management=False)

    assert await alive(client, issued) == (200, 200)


async def test_no_sign_in_begins_beside_the_taking_of_the_power(client, database):
    """Its password was proved before; it waits, and then there is no power any more."""
    user = await make_user(database, "ana", password="secret", api=True)
    sign_in = await proved(database, user)
    taking, go_on = asyncio.Event(), asyncio.Event()

    async def take(writer) -> None:
        await accounts.empower.one(writer, PowersChange(by=BY, user="ana", api=False))
        taking.set()
        await go_on.wait()

    first = asyncio.create_task(database.write(take))
    await taking.wait()
    second = asyncio.create_task(tokens.issue(database, [sign_in]))
    while not await database.reader.value(WAITING):
        await asyncio.sleep(0.01)
    go_on.set()
    await first

    assert [outcome.code for outcome in await second] == ["invalid_grant"]
    families = "SELECT count(*) FROM token_families WHERE revoked_at IS NULL"
    assert await database.reader.value(families) == 0
