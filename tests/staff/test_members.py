"""Roles given to accounts and withdrawn: by whom, of what, and never the last owner."""

import asyncio
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest

from gamekeeper.auth import keys, roles
from gamekeeper.auth.keys import NewKey
from gamekeeper.auth.limits import Limits
from gamekeeper.auth.principal import SCOPES, Principal
from gamekeeper.auth.roles import BUILT_IN, NO_ROLES
from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Database
from gamekeeper.users.staff import members
from gamekeeper.users.staff import roles as managed
from gamekeeper.users.staff.members import RoleGrant, RoleWithdrawal
from gamekeeper.users.staff.roles import RoleDeletion
from tests.contract.outcomes import outcome, refusal
from tests.make import BY, make_user
from tests.security.callers import key_with
from tests.staff.make import by_session, make_role, make_staff, staff_caller

NO_LIMITS = dict.fromkeys(("PiecesPerDay", "ValuePerDay", "LargestGift", "UndosPerDay"))


def given(caller: Principal | None, user: UUID | str, role: str) -> RoleGrant:
    return RoleGrant(by=BY, caller=caller, user=str(user), role=role)


def taken(caller: Principal | None, user: UUID | str, role: str) -> RoleWithdrawal:
    return RoleWithdrawal(by=BY, caller=caller, user=str(user), role=role)


async def roles_of(database: Database, user: UUID) -> list[str]:
    return list((await roles.held(database.reader, [user])).get(user, NO_ROLES).roles)


async def recorded(database: Database) -> list[tuple[Any, ...]]:
    """The actions about staff, oldest first."""
    rows = await database.reader.rows(
        """
        SELECT kind, user_id, before, after FROM actions
         WHERE kind LIKE 'staff.%' OR kind LIKE 'roles.%' ORDER BY at, id
        """
    )
    return [tuple(row) for row in rows]


def code(result: object) -> str | None:
    return result.code if isinstance(result, Problem) else None


# ── Over HTTP ──


async def test_a_role_is_given_seen_and_withdrawn(client, database):
    ana = await make_user(database, "ana")
    path = "/api/v1/staff/ANA/roles/support"

    status, member = outcome(await client.put(path))
    again = outcome(await client.put(f"/api/v1/staff/{ana}/roles/support"))

    [granted_at] = [role.pop("GrantedAt") for role in member["Roles"]]
    assert (status, member) == (
        200,
        {
            "UserId": str(ana),
            "Name": "ana",
            "Roles": [{"Name": "support"}],
            "Scopes": sorted(BUILT_IN["support"]),
            "Limits": NO_LIMITS,
        },
    )
    assert again[1]["Roles"] == [{"Name": "support", "GrantedAt": granted_at}]
    listed = outcome(await client.get("/api/v1/staff"))
    assert listed == (
        200,
        {"Total": 1, "Page": 0, "PageSize": 100, "Count": 1, "Values": [again[1]]},
    )

    status, left = outcome(await client.delete(path))

    assert (status, left["Roles"], left["Scopes"]) == (200, [], [])
    assert outcome(await client.get("/api/v1/staff"))[1]["Total"] == 0
    assert await recorded(database) == [
        ("staff.grant", ana, None, {"role": "support"}),
        ("staff.withdraw", ana, {"role": "support"}, None),
    ]
    assert outcome(await client.delete(path)) == refusal(
        404, "role_not_held", "'ANA' does not have the role 'support'."
    )


async def test_the_staff_are_listed_by_name_and_by_role(client, database):
    for name, role in (("bo", "analyst"), ("Ana", "support"), ("cy", "support")):
        await make_staff(database, role, "moderator", name=name)

    async def named(**query: object) -> tuple[int, list[str]]:
        page = (await client.get("/api/v1/staff", params=query)).json()
        return page["Total"], [member["Name"] for member in page["Values"]]

    assert await named() == (3, ["Ana", "bo", "cy"])
    assert await named(role="support") == (2, ["Ana", "cy"])
    assert await named(pageSize=2, page=1) == (3, ["cy"])
    assert await named(pageSize=2, page=9) == (3, [])
    assert await named(role="nothing") == (0, [])


ABSENT = {
    "nobody/roles/support": (404, "user_not_found"),
    "ana/roles/nothing": (404, "role_not_found"),
    "ana/roles/Support": (404, "role_not_found"),
    "ana/roles/%00": (404, "role_not_found"),
    "ana/roles/%ff": (404, "role_not_found"),
    "ana/roles/" + "x" * 500: (404, "role_not_found"),
    "%00/roles/support": (404, "user_not_found"),
    "ana/roles/owner": (403, "owner_required"),
}


async def test_what_cannot_be_given_is_refused_and_leaves_nothing(client, database):
    await make_user(database, "ana")
    for path, expected in ABSENT.items():
        for method in ("PUT", "DELETE"):
            answer = await client.request(method, f"/api/v1/staff/{path}")
            assert (answer.status_code, answer.json()["Code"]) == expected, path
    assert await recorded(database) == []
    assert await database.reader.value("SELECT count(*) FROM staff_roles") == 0


async def test_the_same_key_gives_once(client, database):
    ana = await make_user(database, "ana")
    path, key = "/api/v1/staff/ana/roles/analyst", {"Idempotency-Key": "one"}

    first = await client.put(path, headers=key)
    await members.withdraw.one(database, taken(None, ana, "analyst"))
    again = await client.put(path, headers=key)

    assert again.content == first.content
    assert await roles_of(database, ana) == []


async def test_giving_and_taking_are_in_the_history_of_the_account(client, database):
    ana = await make_user(database, "ana")
    await client.put("/api/v1/staff/ana/roles/analyst", headers={"X-Reason": "new colleague"})

    page = (await client.get("/api/v1/actions", params={"user": "ana"})).json()

    [entry] = page["Values"]
    assert (entry["Kind"], entry["Reason"], entry["UserId"]) == (
        "staff.grant",
        "new colleague",
        str(ana),
    )
    undo = await client.post(f"/api/v1/actions/{entry['Id']}/undo", json={})
    assert (undo.status_code, undo.json()["Code"]) == (409, "not_undoable")


# ── Whoever may ──


async def test_a_key_gives_what_it_holds(client, database):
    ana = await make_user(database, "ana")
    narrow = await key_with(database, "staff.manage", *BUILT_IN["analyst"])
    path = "/api/v1/staff/ana/roles/"

    refused = await client.put(path + "support", headers=narrow)
    done = await client.put(path + "analyst", headers=narrow)

    assert (refused.status_code, refused.json()["Code"]) == (403, "role_exceeds_caller")
    assert refused.json()["Details"] == {"Scope": "actions.undo"}
    assert done.status_code == 200
    assert await roles_of(database, ana) == ["analyst"]


async def test_no_key_makes_an_owner(client, database):
    ana = await make_user(database, "ana")
    every = await key_with(database, *SCOPES)

    for headers in ({}, every):
        answer = await client.put("/api/v1/staff/ana/roles/owner", headers=headers)
        assert (answer.status_code, answer.json()["Code"]) == (403, "owner_required")
    assert await roles_of(database, ana) == []


GIVEN = {
    "owner": set(BUILT_IN),
    "administrator": {*BUILT_IN} - {"owner"},
    "support": set(),
    "moderator": set(),
    "live-operations": set(),
    "analyst": set(),
}
"""Which of the built-in roles each of them gives, written by hand."""


@pytest.mark.parametrize("role", BUILT_IN)
async def test_a_role_gives_what_it_holds_if_it_manages_the_staff(database, role):
    caller = await staff_caller(database, role)
    users = {wanted: await make_user(database) for wanted in BUILT_IN}

    outcomes = await members.grant(
        database, [given(caller, user, wanted) for wanted, user in users.items()]
    )

    done = {wanted for wanted, result in zip(users, outcomes, strict=True) if not code(result)}
    assert done == GIVEN[role]
    for wanted, user in users.items():
        assert await roles_of(database, user) == ([wanted] if wanted in done else [])


async def test_nobody_changes_the_roles_of_who_holds_more(database):
    boss, deputy = await make_staff(database, "owner", "analyst"), "administrator"
    caller = await staff_caller(database, deputy)

    [grant] = await members.grant(database, [given(caller, boss, "support")])
    [withdrawal] = await members.withdraw(database, [taken(caller, boss, "analyst")])

    assert (code(grant), code(withdrawal)) == ("outranked", "outranked")
    assert await roles_of(database, boss) == ["analyst", "owner"]


async def test_nobody_gives_a_limit_more_generous_than_their_own(database):
    scopes = ["staff.manage", "players.items"]
    await make_role(database, "chief", scopes, {"largest_gift": 20})
    roles_there = {
        "unlimited": (["players.items"], {}),
        "more": (["players.items"], {"largest_gift": 21}),
        "other": (["players.items"], {"pieces_per_day": 1}),
        "as-much": (["players.items"], {"largest_gift": 20}),
        "less": (["players.items"], {"largest_gift": 0, "pieces_per_day": 4}),
        "unconcerned": (["staff.manage"], {}),
    }
    for name, (its, limits) in roles_there.items():
        await make_role(database, name, its, limits)
    caller = await staff_caller(database, "chief")

    outcomes = {
        name: code(
            (await members.grant(database, [given(caller, await make_user(database), name)]))[0]
        )
        for name in roles_there
    }

    assert outcomes == {
        "unlimited": "role_exceeds_caller",
        "more": "role_exceeds_caller",
        "other": "role_exceeds_caller",
        "as-much": "role_evades_limits",
        "less": "role_evades_limits",
        "unconcerned": None,
    }


async def test_who_has_limits_gives_nobody_what_is_limited_but_may_withdraw_it(database):
    """Each account has a day's budget of its own: ten puppets would have ten."""
    chief = ["staff.manage", "players.items", "actions.undo"]
    await make_role(database, "chief", chief, {"largest_gift": 20})
    await make_role(database, "giver", ["players.items"], {"largest_gift": 1})
    await make_role(database, "undoer", ["actions.undo"])
    caller = await staff_caller(database, "chief")
    puppet, giver = await make_user(database), await make_staff(database, "giver")

    wanted = [(puppet, "giver"), (puppet, "undoer"), (giver, "giver")]
    granted = await members.grant(database, [given(caller, *one) for one in wanted])
    [withdrawn] = await members.withdraw(database, [taken(caller, giver, "giver")])

    assert [code(one) for one in granted] == ["role_evades_limits", None, None]
    assert "Accounts with limits cannot grant" in str(granted[0])
    assert code(withdrawn) is None
    assert await roles_of(database, puppet) == ["undoer"]
    assert await roles_of(database, giver) == []


async def test_a_limited_key_gives_no_role_with_a_budget_of_its_own(client, database):
    await make_role(database, "undoer", ["actions.undo"], {"undos_per_day": 1})
    user = await make_user(database)
    order = NewKey(by=BY, name="desk", limits=Limits(undos_per_day=5))
    headers = {"Authorization": f"Bearer {await keys.create.one(database, order)}"}

    refused = await client.put(f"/api/v1/staff/{user}/roles/undoer", headers=headers)
    allowed = await client.put(f"/api/v1/staff/{user}/roles/analyst", headers=headers)

    assert (refused.status_code, refused.json()["Code"]) == (403, "role_evades_limits")
    assert allowed.status_code == 200, allowed.text
    assert await roles_of(database, user) == ["analyst"]


async def test_two_roles_together_give_what_neither_gives_alone(database):
    await make_role(database, "giver", ["players.items"])
    await make_role(database, "chief", ["staff.manage"])
    user, friend = await make_staff(database, "chief"), await make_user(database)

    caller = await by_session(database, user)
    [before] = await members.grant(database, [given(caller, friend, "giver")])
    await make_staff(database, "giver", user=user)
    [after] = await members.grant(database, [given(caller, friend, "giver")])

    assert (code(before), code(after)) == ("role_exceeds_caller", None)


async def test_a_caller_whose_role_was_withdrawn_gives_nothing_any_more(database):
    caller = await staff_caller(database, "administrator")
    assert caller.user_id
    await members.withdraw.one(database, taken(None, caller.user_id, "administrator"))

    [result] = await members.grant(database, [given(caller, await make_user(database), "analyst")])

    assert code(result) == "role_required"


async def test_a_limited_key_gives_no_unlimited_role(database):
    limits = Limits(undos_per_day=5)
    caller = Principal(id="key:1", name="key", scopes=None, limits=limits)

    [result] = await members.grant(database, [given(caller, await make_user(database), "support")])

    assert code(result) == "role_exceeds_caller"
    assert str(result) == "The role 'support' has higher limits than yours."


# ── Owners ──


async def test_the_command_line_makes_the_first_owner_and_keeps_the_last(database):
    ana, bo = await make_user(database, "ana"), await make_user(database, "bo")

    await members.grant.one(database, given(None, ana, "owner"))
    [alone] = await members.withdraw(database, [taken(None, ana, "owner")])
    await members.grant.one(database, given(None, bo, "owner"))
    [first, second] = await members.withdraw(
        database, [taken(None, ana, "owner"), taken(None, bo, "owner")]
    )

    assert (code(alone), code(first), code(second)) == ("last_owner", None, "last_owner")
    assert await roles_of(database, bo) == ["owner"]


async def test_owners_make_and_remove_owners_and_themselves(database):
    first = await staff_caller(database, "owner")
    ana = await make_user(database, "ana")
    assert first.user_id

    await members.grant.one(database, given(first, ana, "owner"))
    await members.withdraw.one(database, taken(first, first.user_id, "owner"))
    [result] = await members.withdraw(
        database, [taken(await by_session(database, ana), ana, "owner")]
    )

    assert code(result) == "last_owner"
    assert await roles_of(database, first.user_id) == []


async def test_of_owners_who_remove_each_other_at_once_one_stays(database):
    owners = [await staff_caller(database, "owner") for _ in range(8)]
    targets = owners[1:] + owners[:1]

    results = await asyncio.gather(
        *(
            members.withdraw(database, [taken(owner, str(target.user_id), "owner")])
            for owner, target in zip(owners, targets, strict=True)
        )
    )

    codes = [code(result) for [result] in results]
    left = await database.reader.value("SELECT count(*) FROM staff_roles WHERE role = 'owner'")
    assert left >= 1
    assert codes.count(None) == 8 - left
    # Whoever was removed before their turn came was an owner no more.
    assert set(codes) <= {None, "last_owner", "owner_required", "role_required"}


async def test_of_all_owners_removed_at_once_one_stays(database):
    users = [await make_staff(database, "owner") for _ in range(20)]

    results = await asyncio.gather(
        *(members.withdraw(database, [taken(None, user, "owner")]) for user in users)
    )

    codes = [code(result) for [result] in results]
    assert sorted(codes, key=str) == [None] * 19 + ["last_owner"]
    assert await database.reader.value("SELECT count(*) FROM staff_roles") == 1


# ── Many ──


async def test_twenty_at_once_give_it_once(database):
    ana = await make_user(database)

    results = await asyncio.gather(
        *(members.grant(database, [given(None, ana, "support")]) for _ in range(20))
    )

    assert [code(result) for [result] in results] == [None] * 20
    assert [kind for kind, *_ in await recorded(database)] == ["staff.grant"]


async def test_twenty_at_once_withdraw_it_once(database):
    ana = await make_staff(database, "support")

    results = await asyncio.gather(
        *(members.withdraw(database, [taken(None, ana, "support")]) for _ in range(20))
    )

    codes = [code(result) for [result] in results]
    assert sorted(codes, key=str) == [None] + ["role_not_held"] * 19
    assert [kind for kind, *_ in await recorded(database)] == ["staff.withdraw"]


async def test_in_one_list_only_the_refused_is_refused(database):
    ana, bo = await make_user(database), await make_user(database)
    caller = await staff_caller(database, "administrator")

    grants = await members.grant(
        database,
        [
            given(caller, ana, "support"),
            given(caller, uuid4(), "support"),
            given(caller, ana, "owner"),
            given(caller, bo, "analyst"),
        ],
    )
    withdrawals = await members.withdraw(
        database, [taken(caller, ana, "analyst"), taken(caller, bo, "analyst")]
    )

    assert [code(result) for result in grants] == [None, "user_not_found", "owner_required", None]
    assert [code(result) for result in withdrawals] == ["role_not_held", None]
    assert (await roles_of(database, ana), await roles_of(database, bo)) == (["support"], [])


async def test_an_account_has_at_most_32_roles(database):
    names = [await make_role(database, f"role-{number}", []) for number in range(33)]
    ana = await make_user(database)

    results = await members.grant(database, [given(None, ana, name) for name in names])

    assert [code(result) for result in results] == [None] * 32 + ["too_many_roles_held"]
    again = await members.grant.one(database, given(None, ana, names[0]))
    assert len(msgspec.to_builtins(again)["Roles"]) == 32


async def test_a_role_deleted_meanwhile_is_not_given(database):
    """A grant waits for the role, and then it is gone."""
    users = [await make_user(database) for _ in range(10)]
    await make_role(database, "brief", [])

    results = await asyncio.gather(
        *(members.grant(database, [given(None, user, "brief")]) for user in users[:5]),
        managed.delete(database, [RoleDeletion(by=BY, caller=None, role="brief", withdraw=True)]),
        *(members.grant(database, [given(None, user, "brief")]) for user in users[5:]),
    )

    assert {code(result) for [result] in results} <= {None, "role_not_found"}
    assert await database.reader.value("SELECT count(*) FROM staff_roles") == 0
    assert await database.reader.value("SELECT count(*) FROM roles WHERE name = 'brief'") == 0
