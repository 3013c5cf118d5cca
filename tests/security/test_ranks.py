"""Nobody manages an account that has a power they lack (attack 13)."""

import asyncio
from uuid import UUID, uuid4

import pytest

from gamekeeper.auth import tokens
from gamekeeper.auth.principal import SCOPES, Principal
from gamekeeper.db.database import Database
from gamekeeper.users import emails, lookup, passwords
from gamekeeper.users.accounts import POWERS
from gamekeeper.users.emails import NewEmail
from gamekeeper.users.passwords import NewPassword
from gamekeeper.users.ranks import GRANTS, Outranked
from tests.contract.outcomes import outcome, refusal
from tests.make import BY, make_user, proved, sha
from tests.security.callers import account_with, key_with

OUTRANKED = refusal(403, "outranked", "The account has permissions that you lack.")
MANAGING = ("users.query", "users.manage")
WAITING = """
    SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'
"""
NARROW = Principal(id="key:1", name="narrow", scopes=frozenset(MANAGING))
STAFF = ("editor", "ban", "kick", "mute")


async def managed(client, name: str, headers: dict[str, str]) -> list[tuple[int, object]]:
    """What each way to manage an account answers."""
    path = f"/api/v1/users/{name}/manage"
    email = {"new": f"{uuid4().hex[:8]}@example.org"}
    return [
        outcome(await client.post(f"{path}/email/change", json=email, headers=headers)),
        outcome(
            await client.post(f"{path}/password/change", json={"new": sha("own")}, headers=headers)
        ),
        outcome(await client.delete(f"/api/oauth/tokens/{name}/{uuid4()}", headers=headers)),
        outcome(await client.delete(f"/api/oauth/tokens/{name}", headers=headers)),
    ]


async def state(database: Database, user: UUID) -> list[object]:
    """All that managing an account could change about it."""
    rows = await database.reader.rows(
        """
        SELECT email, sealed, (SELECT count(*) FROM token_families AS ended
                                WHERE ended.user_id = users.id AND revoked_at IS NOT NULL),
               (SELECT count(*) FROM actions)
          FROM users JOIN passwords ON passwords.user_id = users.id
         WHERE users.id = $1
        """,
        user,
    )
    return [tuple(row) for row in rows]


async def test_every_power_has_a_rank():
    assert set(GRANTS) == set(POWERS)
    assert all(GRANTS.values())


@pytest.mark.parametrize("power", sorted({*POWERS} - {"user_query", "user_management"}))
async def test_a_key_that_lacks_what_a_power_gives_does_not_manage_who_has_it(
    client, database, power
):
    """Even if it has all other scopes there are."""
    headers = await key_with(database, *(scope for scope in SCOPES if scope not in GRANTS[power]))
    user = await make_user(database, "boss", password="secret", **{"api": True, power: True})
    await tokens.issue.one(database, await proved(database, user))
    before = await state(database, user)

    assert await managed(client, "boss", headers) == [OUTRANKED] * 4
    assert await state(database, user) == before


@pytest.mark.parametrize("power", ["user_query", "user_management"])
async def test_who_may_manage_at_all_holds_what_these_two_give(client, database, power):
    await make_user(database, "boss", password="secret", **{power: True})
    headers = await key_with(database, *MANAGING)

    assert [status for status, _ in await managed(client, "boss", headers)] == [200, 200, 404, 200]


async def test_the_takeover_of_a_manager_by_a_narrow_key_is_refused(client, database):
    """As it was attacked: set the password of somebody above, sign in, be them."""
    headers = await key_with(database, *MANAGING)
    boss, _ = await account_with(database, "user_query", "user_management", "personal_information")

    assert await managed(client, boss, headers) == [OUTRANKED] * 4
    taken = await client.post(
        "/api/oauth/token",
        json={"grant_type": "password", "username": boss, "password": sha("own")},
    )
    assert taken.status_code == 400


@pytest.mark.parametrize("scopes", [None, MANAGING])
async def test_players_without_powers_are_managed_as_ever(client, database, scopes):
    await make_user(database, "ana", password="secret")
    headers = await key_with(database, *scopes) if scopes else {}

    assert [status for status, _ in await managed(client, "ana", headers)] == [200, 200, 404, 200]


async def test_a_key_that_may_do_everything_manages_everybody(client, database):
    await make_user(database, "boss", password="secret", **dict.fromkeys(POWERS, True))

    assert [status for status, _ in await managed(client, "boss", {})] == [200, 200, 404, 200]


@pytest.mark.parametrize("extra", STAFF)
async def test_accounts_manage_their_equals_and_not_those_above(client, database, extra):
    _, manager = await account_with(database, "user_query", "user_management")
    equal, _ = await account_with(database, "user_query", "user_management")
    above, _ = await account_with(database, "user_query", "user_management", extra)
    _, higher = await account_with(database, "user_query", "user_management", extra)

    assert await managed(client, above, manager) == [OUTRANKED] * 4
    assert [status for status, _ in await managed(client, equal, manager)] == [200, 200, 404, 200]
    assert [status for status, _ in await managed(client, above, higher)] == [200, 200, 404, 200]


async def test_ones_own_tokens_are_ones_own_whatever_the_rank(client, database):
    name, headers = await account_with(database, "ban")

    answer = await client.delete(f"/api/oauth/tokens/{name}", headers=headers)

    assert outcome(answer) == (200, {"Username": name, "Ended": 1})


async def test_whose_an_address_is_is_not_told_to_who_is_outranked(client, database):
    """A refusal must not say more than that."""
    headers = await key_with(database, *MANAGING)
    await make_user(database, "boss", ban=True)
    await make_user(database, "ana", email="ana@example.com")

    path = "/api/v1/users/boss/manage/email/change"
    for email in ("ana@example.com", "free@example.com"):
        assert outcome(await client.post(path, json={"new": email}, headers=headers)) == OUTRANKED
    kept = await database.reader.value(
        "SELECT count(*) FROM user_emails WHERE email_key = 'free@example.com'"
    )
    assert kept == 0


async def test_in_one_list_only_who_is_outranked_is_refused(database):
    ana = await make_user(database, "ana", password="secret")
    boss = await make_user(database, "boss", password="secret", kick=True)

    by_email = await emails.change(
        database,
        [
            NewEmail(by=BY, user=name, email=f"new-{name}@example.org", manager=NARROW)
            for name in ("boss", "ana")
        ],
    )
    by_password = await passwords.replace(
        database,
        [NewPassword(by=BY, user_id=user, sealed="new", manager=NARROW) for user in (boss, ana)],
    )

    assert isinstance(by_email[0], Outranked)
    assert not isinstance(by_email[1], Exception)
    assert isinstance(by_password[0], Outranked)
    assert by_password[1] is None


async def test_powers_granted_meanwhile_count(database):
    """The account is locked before its powers are read."""
    ana = await make_user(database, "ana", password="secret")
    granting, granted = asyncio.Event(), asyncio.Event()

    async def grant(writer) -> None:
        await lookup.lock(writer, [ana])
        granting.set()
        await granted.wait()
        await writer.run("UPDATE users SET ban = true WHERE id = $1", ana)

    first = asyncio.create_task(database.write(grant))
    await granting.wait()
    order = NewPassword(by=BY, user_id=ana, sealed="new", manager=NARROW)
    second = asyncio.create_task(passwords.replace(database, [order]))
    while not await database.reader.value(WAITING):
        await asyncio.sleep(0.01)
    granted.set()
    await first

    [outcome] = await second
    assert isinstance(outcome, Outranked)
