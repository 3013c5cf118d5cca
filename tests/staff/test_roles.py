"""Roles made, changed and deleted, by somebody who may do as much as they."""

import asyncio
from typing import Any

from gamekeeper.auth import roles as held_roles
from gamekeeper.auth.limits import Limits
from gamekeeper.auth.principal import SCOPES, Principal
from gamekeeper.auth.roles import BUILT_IN, DESCRIPTIONS
from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Database
from gamekeeper.users.staff import roles
from gamekeeper.users.staff.roles import NewRole, RoleChange, RoleDeletion
from tests.contract.outcomes import outcome, refusal
from tests.make import BY
from tests.security.callers import key_with
from tests.staff.make import make_role, make_staff, staff_caller

NO_LIMITS = dict.fromkeys(("PiecesPerDay", "ValuePerDay", "LargestGift", "UndosPerDay"))
HERALD = {
    "name": "herald",
    "description": "announces things",
    "scopes": ["Webhooks", "events.read", "webhooks"],
    "limits": {"undosPerDay": 3},
}
STORED = {
    "name": "herald",
    "description": "announces things",
    "scopes": ["events.read", "webhooks"],
    "limits": {"undos_per_day": 3},
}


def code(result: object) -> str | None:
    return result.code if isinstance(result, Problem) else None


def new(caller: Principal | None, name: str, *scopes: str, **limits: int) -> NewRole:
    own = Limits(**limits) if limits else None
    return NewRole(by=BY, caller=caller, name=name, scopes=scopes, limits=own)


def change(caller: Principal | None, role: str, **about: Any) -> RoleChange:
    return RoleChange(by=BY, caller=caller, role=role, **about)


def deletion(caller: Principal | None, role: str, *, withdraw: bool = False) -> RoleDeletion:
    return RoleDeletion(by=BY, caller=caller, role=role, withdraw=withdraw)


async def stored(database: Database) -> list[tuple[Any, ...]]:
    """All of the roles, who has them, and what the log says of that."""
    rows = await database.reader.rows(
        """
        SELECT name, description, scopes, limits FROM roles
        UNION ALL SELECT user_id::text, role, NULL, NULL FROM staff_roles
        UNION ALL SELECT kind, '', NULL, NULL FROM actions
         WHERE kind LIKE 'roles.%' OR kind LIKE 'staff.%'
         ORDER BY 1, 2
        """
    )
    return [tuple(row) for row in rows]


async def recorded(database: Database) -> list[tuple[Any, ...]]:
    rows = await database.reader.rows(
        """
        SELECT kind, user_id, before, after FROM actions
         WHERE kind <> 'keys.create' ORDER BY at, id
        """
    )
    return [tuple(row) for row in rows]


# ── Over HTTP ──


async def test_a_role_is_made_read_changed_and_deleted(client, database):
    status, made = outcome(await client.post("/api/v1/roles", json=HERALD))

    created_at = made.pop("CreatedAt")
    shown = {
        "Name": "herald",
        "Description": "announces things",
        "BuiltIn": False,
        "Scopes": ["events.read", "webhooks"],
        "Limits": NO_LIMITS | {"UndosPerDay": 3},
        "Members": 0,
    }
    assert (status, made) == (200, shown)
    shown["CreatedAt"] = created_at
    assert outcome(await client.get("/api/v1/roles/herald")) == (200, shown)

    body = {"description": "", "limits": {"LARGESTGIFT": 0}}
    changed = outcome(await client.patch("/api/v1/roles/herald", json=body))

    shown |= {"Description": "", "Limits": NO_LIMITS | {"LargestGift": 0}}
    assert changed == (200, shown)
    assert outcome(await client.patch("/api/v1/roles/herald", json={})) == (200, shown)
    assert outcome(await client.delete("/api/v1/roles/herald")) == (200, shown)
    after = STORED | {"description": "", "limits": {"largest_gift": 0}}
    assert await recorded(database) == [
        ("roles.create", None, None, STORED),
        ("roles.change", None, STORED, after),
        ("roles.delete", None, after, None),
    ]
    assert (await client.get("/api/v1/roles/herald")).status_code == 404


async def test_the_roles_are_listed_the_built_in_ones_first(client, database):
    await make_role(database, "aaa", [])
    await make_staff(database, "aaa", "support")
    await make_staff(database, "support")

    page = (await client.get("/api/v1/roles")).json()

    assert [role["Name"] for role in page["Values"]] == [*BUILT_IN, "aaa"]
    assert (page["Total"], page["PageSize"], page["Count"]) == (7, 100, 7)
    members = {role["Name"]: role["Members"] for role in page["Values"] if role["Members"]}
    assert members == {"support": 2, "aaa": 1}
    for role in page["Values"][:-1]:
        assert role["BuiltIn"]
        assert role["Scopes"] == sorted(BUILT_IN[role["Name"]])
        assert role["Description"] == DESCRIPTIONS[role["Name"]]
    second = (await client.get("/api/v1/roles?page=1&pageSize=6")).json()
    assert [role["Name"] for role in second["Values"]] == ["aaa"]


SENSELESS: list[tuple[dict[str, Any], str]] = [
    ({}, "invalid_body"),
    ({"scopes": "webhooks"}, "invalid_body"),
    ({"scopes": ["webhooks"] * 65}, "invalid_body"),
    ({"limits": 5}, "invalid_body"),
    ({"limits": []}, "invalid_body"),
    ({"limits": {"largest_gift": 5}}, "invalid_body"),
    ({"limits": {"undosperday": 2**64}}, "invalid_body"),
    ({"limits": {"undosperday": "many"}}, "invalid_body"),
    ({"limits": {"undosperday": True}}, "invalid_body"),
    ({"limits": {"undosperday": -1}}, "invalid_limit"),
    ({"limits": {"undosperday": 2**53 + 1}}, "invalid_limit"),
    ({"name": ""}, "invalid_role_name"),
    ({"name": "Herald"}, "invalid_role_name"),
    ({"name": "1st"}, "invalid_role_name"),
    ({"name": "a" * 33}, "invalid_role_name"),
    ({"name": "a\n"}, "invalid_role_name"),
    ({"name": "ärger"}, "invalid_role_name"),
    ({"name": "owner"}, "owner_required"),
    ({"name": "support"}, "role_name_taken"),
    ({"description": "x" * 201}, "invalid_role_description"),
    ({"description": "two\nlines"}, "invalid_role_description"),
    ({"scopes": ["everything"]}, "unknown_scope"),
]


async def test_a_role_that_makes_no_sense_is_not_made(client, database):
    before = await stored(database)

    for body, expected in SENSELESS:
        answer = await client.post("/api/v1/roles", json=body and HERALD | body)
        assert answer.json()["Code"] == expected, body
    without_scopes = await client.post("/api/v1/roles", json={"name": "x"})

    assert without_scopes.json()["Code"] == "invalid_body"
    assert await stored(database) == before


async def test_two_roles_of_one_name_are_refused(client, database):
    await client.post("/api/v1/roles", json=HERALD)

    assert outcome(await client.post("/api/v1/roles", json=HERALD)) == refusal(
        409,
        "role_name_taken",
        "A role with this name already exists. Choose another name.",
    )


async def test_a_role_in_use_is_deleted_only_on_demand(client, database):
    await make_role(database, "herald", ["webhooks"])
    users = [await make_staff(database, "herald") for _ in range(2)]
    before = await stored(database)

    refused = await client.delete("/api/v1/roles/herald")

    assert outcome(refused) == refusal(
        409,
        "role_in_use",
        "2 accounts have the role 'herald'. Remove it from them, or delete it with withdraw=true.",
        Members=2,
    )
    assert await stored(database) == before

    done = await client.delete("/api/v1/roles/herald?withdraw=true")

    assert (done.status_code, done.json()["Members"]) == (200, 2)
    assert await held_roles.held(database.reader, users) == {}
    kinds = sorted((kind, str(user)) for kind, user, *_ in await recorded(database))
    assert kinds == sorted(
        [("roles.delete", "None"), *(("staff.withdraw", str(user)) for user in users)]
    )


async def test_a_built_in_role_stays(client, database):
    before = await stored(database)

    for role in BUILT_IN:
        expected = "owner_required" if role == "owner" else "built_in_role"
        for body in ({"scopes": []}, {"description": "mine"}):
            answer = await client.patch(f"/api/v1/roles/{role}", json=body)
            assert answer.json()["Code"] == expected, role
        answer = await client.delete(f"/api/v1/roles/{role}?withdraw=true")
        assert (answer.status_code, answer.json()["Code"]) == (409, "built_in_role")
    assert await stored(database) == before


async def test_the_limits_of_a_built_in_role_are_changed_by_who_may_do_everything(client, database):
    body = {"limits": {"largestgift": 20, "piecesperday": 500}}
    listed = await key_with(database, *SCOPES)

    refused = await client.patch("/api/v1/roles/support", json=body, headers=listed)
    done = await client.patch("/api/v1/roles/support", json=body)

    assert outcome(refused) == refusal(
        403, "owner_required", "Only an owner can change the limits of a built-in role."
    )
    assert done.json()["Limits"] == NO_LIMITS | {"LargestGift": 20, "PiecesPerDay": 500}
    user = await make_staff(database, "support")
    held = (await held_roles.held(database.reader, [user]))[user]
    assert held.limits == Limits(largest_gift=20, pieces_per_day=500)
    assert held.scopes == BUILT_IN["support"]
    gone = await client.patch("/api/v1/roles/support", json={"limits": {}})
    assert gone.json()["Limits"] == NO_LIMITS


# ── Whoever may ──


async def test_an_owner_limits_the_built_in_roles_but_not_owners(database):
    owner = await staff_caller(database, "owner")
    administrator = await staff_caller(database, "administrator")
    limits = Limits(undos_per_day=1)

    results = await roles.change(
        database,
        [
            change(administrator, "support", limits=limits),
            change(owner, "support", limits=limits),
            change(owner, "administrator", limits=limits),
            change(owner, "owner", limits=limits),
        ],
    )

    assert [code(result) for result in results] == ["owner_required", None, None, "built_in_role"]


async def test_nobody_makes_or_changes_a_role_beyond_their_own(database):
    await make_role(
        database, "chief", ["staff.manage", "players.items", "webhooks"], {"largest_gift": 20}
    )
    await make_role(database, "below", ["webhooks"])
    await make_role(database, "above", ["webhooks", "actions.undo"])
    await make_role(database, "generous", ["players.items"])
    chief = await staff_caller(database, "chief")

    made = await roles.create(
        database,
        [
            new(chief, "one", "webhooks"),
            new(chief, "two", "webhooks", "actions.undo"),
            new(chief, "three", "players.items"),
            new(chief, "four", "players.items", largest_gift=21),
            new(chief, "five", "players.items", largest_gift=20),
        ],
    )
    changed = await roles.change(
        database,
        [
            change(chief, "below", scopes=("webhooks", "actions.undo")),
            change(chief, "below", scopes=("players.items",)),
            change(chief, "below", scopes=("players.items",), limits=Limits(largest_gift=1)),
            change(chief, "above", scopes=()),
            change(chief, "generous", limits=Limits(largest_gift=1)),
            change(chief, "chief", limits=Limits(largest_gift=21)),
            change(chief, "chief", limits=Limits()),
        ],
    )
    deleted = await roles.delete(
        database,
        [deletion(chief, "above"), deletion(chief, "generous"), deletion(chief, "below")],
    )

    beyond = "role_exceeds_caller"
    evades = "role_evades_limits"
    assert [code(one) for one in made] == [None, beyond, beyond, beyond, evades]
    assert [code(one) for one in changed] == [beyond, beyond, evades, *[beyond] * 4]
    assert [code(one) for one in deleted] == [beyond, beyond, None]


async def test_who_has_limits_narrows_a_role_and_widens_none(database):
    """Whoever has the role has a day's budget of their own, which must not grow."""
    chief = ["staff.manage", "players.items", "transactions", "actions.undo"]
    await make_role(database, "chief", chief, {"largest_gift": 20})
    await make_role(database, "giver", ["players.items"], {"largest_gift": 5})
    caller = await staff_caller(database, "chief")

    def giver(*scopes: str, gift: int) -> RoleChange:
        return change(caller, "giver", scopes=scopes, limits=Limits(largest_gift=gift))

    changed = await roles.change(
        database,
        [
            giver("players.items", gift=6),
            giver("players.items", "transactions", gift=5),
            giver("transactions", gift=5),
            change(caller, "giver", description="gives"),
            giver("players.items", "actions.undo", gift=4),
            giver("players.items", gift=5),
            giver("actions.undo", gift=20),
            giver("players.items", gift=1),
        ],
    )

    evades = "role_evades_limits"
    outcomes = [*[evades] * 3, None, None, evades, None, evades]
    assert [code(one) for one in changed] == outcomes
    scopes = await database.reader.value("SELECT scopes FROM roles WHERE name = 'giver'")
    assert scopes == ["actions.undo"]


async def test_a_role_is_not_withdrawn_by_deletion_from_who_holds_more(database):
    await make_role(database, "herald", ["webhooks"])
    boss, helper = (
        await make_staff(database, "owner", "herald"),
        await make_staff(database, "herald"),
    )
    before = await stored(database)

    [refused] = await roles.delete(
        database,
        [deletion(await staff_caller(database, "administrator"), "herald", withdraw=True)],
    )

    assert code(refused) == "outranked"
    after = [row for row in await stored(database) if row[1] != "administrator"]
    assert after == before
    [done] = await roles.delete(
        database, [deletion(await staff_caller(database, "owner"), "herald", withdraw=True)]
    )
    assert code(done) is None
    held = await held_roles.held(database.reader, [boss, helper])
    assert {user: one.roles for user, one in held.items()} == {boss: ("owner",)}


async def test_who_does_not_manage_the_staff_makes_no_role(database):
    for role in BUILT_IN.keys() - {"owner", "administrator"}:
        caller = await staff_caller(database, role)

        [made] = await roles.create(database, [new(caller, "mine")])
        [changed] = await roles.change(database, [change(caller, role, limits=Limits())])

        assert (code(made), code(changed)) == ("role_required", "role_required"), role


# ── Many ──


async def test_twenty_at_once_make_one_role(database):
    results = await asyncio.gather(
        *(roles.create(database, [new(None, "herald", "webhooks")]) for _ in range(20))
    )

    codes = [code(result) for [result] in results]
    assert sorted(codes, key=str) == [None] + ["role_name_taken"] * 19
    assert [kind for kind, *_ in await recorded(database)] == ["roles.create"]


async def test_twenty_at_once_change_one_after_another(database):
    await make_role(database, "herald", [])

    await asyncio.gather(
        *(
            roles.change(database, [change(None, "herald", limits=Limits(undos_per_day=number))])
            for number in range(1, 21)
        )
    )

    log = await recorded(database)
    rows = sorted(log, key=lambda row: row[2]["limits"].get("undos_per_day", 0))
    before = {row[2]["limits"].get("undos_per_day") for row in rows}
    after = {row[3]["limits"].get("undos_per_day") for row in rows}
    # Each found what another left: together they are one chain from nothing to the last.
    assert len(log) == 20
    assert after == set(range(1, 21))
    assert before - after == {None}


async def test_twenty_at_once_delete_it_once(database):
    await make_role(database, "herald", [])

    results = await asyncio.gather(
        *(roles.delete(database, [deletion(None, "herald")]) for _ in range(20))
    )

    codes = [code(result) for [result] in results]
    assert sorted(codes, key=str) == [None] + ["role_not_found"] * 19
    assert [kind for kind, *_ in await recorded(database)] == ["roles.delete"]


async def test_in_one_list_only_the_refused_is_refused(database):
    made = await roles.create(
        database, [new(None, "one"), new(None, "one"), new(None, "TWO"), new(None, "three")]
    )
    changed = await roles.change(
        database,
        [
            change(None, "one", scopes=("webhooks",)),
            change(None, "two", scopes=("webhooks",)),
            change(None, "three", scopes=("nothing",)),
        ],
    )
    deleted = await roles.delete(database, [deletion(None, "two"), deletion(None, "one")])

    assert [code(one) for one in made] == [None, "role_name_taken", "invalid_role_name", None]
    assert [code(one) for one in changed] == [None, "role_not_found", "unknown_scope"]
    assert [code(one) for one in deleted] == ["role_not_found", None]


async def test_there_are_at_most_a_hundred(database):
    orders = [new(None, f"role-{number}") for number in range(95)]

    results = await roles.create(database, orders)

    assert [code(result) for result in results] == [None] * 94 + ["too_many_roles"]
    assert await database.reader.value("SELECT count(*) FROM roles") == 100
