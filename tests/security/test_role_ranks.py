"""Nobody manages an account whose roles may do what they may not."""

from uuid import UUID

import pytest

from gamekeeper.auth.principal import SCOPES, Principal
from gamekeeper.auth.roles import BUILT_IN
from gamekeeper.db.database import Database
from gamekeeper.users import passwords, ranks
from gamekeeper.users.passwords import NewPassword
from gamekeeper.users.ranks import Management, Outranked
from tests.contract.outcomes import outcome, refusal
from tests.make import BY, make_user, sha
from tests.security.callers import key_with
from tests.staff.make import by_session, make_role, make_staff, staff_caller

MANAGING = ("users.query", "users.manage")


def by_token(user: UUID) -> Principal:
    return Principal(id=f"user:{user}", name="staff", scopes=frozenset(MANAGING), user_id=user)


async def may_manage(database: Database, caller: Principal, user: UUID) -> bool:
    [refused] = await ranks.refusals(database.reader, [Management(caller, user)])
    return refused is None


ABOVE = {
    "owner": set(BUILT_IN),
    "administrator": {*BUILT_IN} - {"owner"},
    # Moderators read private messages, which support does not.
    "support": {"support", "analyst"},
    "moderator": {"moderator", "analyst"},
    "live-operations": {"live-operations", "analyst"},
    "analyst": {"analyst"},
}
"""Whom each of the built-in roles ranks at least as high as, written by hand."""


@pytest.mark.parametrize("role", BUILT_IN)
async def test_a_role_ranks_above_those_that_may_do_no_more(database, role):
    caller = await staff_caller(database, role)

    managed = {
        other
        for other in BUILT_IN
        if await may_manage(database, caller, await make_staff(database, other))
    }

    assert managed == ABOVE[role]


async def test_a_supporter_does_not_set_the_password_of_an_administrator(database):
    supporter = await staff_caller(database, "support")
    boss = await make_staff(database, "administrator", password="secret")
    player = await make_user(database, password="secret")
    before = await database.reader.value("SELECT sealed FROM passwords WHERE user_id = $1", boss)

    outcomes = await passwords.replace(
        database,
        [
            NewPassword(by=BY, user_id=user, sealed="new", manager=supporter)
            for user in (boss, player)
        ],
    )

    assert isinstance(outcomes[0], Outranked)
    assert outcomes[1] is None
    after = await database.reader.value("SELECT sealed FROM passwords WHERE user_id = $1", boss)
    assert after == before


async def test_a_key_does_not_take_over_staff_that_hold_more(client, database):
    await make_staff(database, "support", name="helper", password="secret")
    narrow = await key_with(database, *MANAGING)
    wide = await key_with(database, *BUILT_IN["support"], "users.query")
    path, body = "/api/v1/users/helper/manage/password/change", {"new": sha("own")}

    refused = await client.post(path, json=body, headers=narrow)
    done = await client.post(path, json=body, headers=wide)

    assert outcome(refused) == refusal(
        403, "outranked", "The account has permissions that you lack."
    )
    assert done.status_code == 200


async def test_a_key_with_a_list_of_all_scopes_is_no_owner(client, database):
    """Only one without a list ranks as high: it may do what later versions add."""
    await make_staff(database, "owner", name="boss", password="secret")
    listed = await key_with(database, *SCOPES)
    path, body = "/api/v1/users/boss/manage/password/change", {"new": sha("own")}

    assert (await client.post(path, json=body, headers=listed)).status_code == 403
    assert (await client.post(path, json=body)).status_code == 200


async def test_with_a_token_an_account_holds_its_powers_only(database):
    """A token has no second factor, so the roles of its account do not stand behind it."""
    user = await make_user(database, api=True, user_query=True, user_management=True)
    await make_staff(database, "owner", user=user)
    player, helper = await make_user(database), await make_staff(database, "analyst")

    assert await may_manage(database, by_token(user), player)
    assert not await may_manage(database, by_token(user), helper)
    assert not await may_manage(database, by_token(user), user)
    assert await may_manage(database, await by_session(database, user), helper)


@pytest.mark.parametrize("power", ["editor", "ban", "kick", "mute"])
async def test_who_manages_the_staff_ranks_above_the_powers_inside_the_game(database, power):
    mighty = await make_user(database, **{power: True})
    expected = {"owner": True, "administrator": True, "support": False, "moderator": False}

    for role, may in expected.items():
        caller = await staff_caller(database, role)
        assert await may_manage(database, caller, mighty) == may, role


async def test_powers_and_roles_of_a_session_add_up(database):
    await make_role(database, "manager", MANAGING)
    user = await make_user(database, ban=True)
    await make_staff(database, "manager", user=user)
    banner, editor = await make_user(database, ban=True), await make_user(database, editor=True)
    caller = await by_session(database, user)

    assert await may_manage(database, caller, banner)
    assert not await may_manage(database, caller, editor)


async def test_a_role_withdrawn_since_the_sign_in_does_not_count(database):
    """What was cached with the session is not what is compared."""
    user = await make_staff(database, "administrator")
    caller = await by_session(database, user)
    helper = await make_staff(database, "support")
    await database.write(
        lambda writer: writer.run("DELETE FROM staff_roles WHERE user_id = $1", user)
    )

    assert not await may_manage(database, caller, helper)
