"""Roles: what the accounts that have them hold."""

import pytest
from msgspec import structs

from gamekeeper.auth import limits, roles
from gamekeeper.auth.limits import Limits
from gamekeeper.auth.principal import SCOPES
from gamekeeper.auth.roles import BUILT_IN, DESCRIPTIONS, NEEDED_BY, Held, Role
from tests.make import make_user
from tests.staff.make import make_role, make_staff


async def test_an_account_holds_what_all_its_roles_grant(database):
    await make_role(database, "herald", ["events.read", "webhooks"])
    ana = await make_staff(database, "analyst", "herald")
    owner = await make_staff(database, "owner")
    nobody = await make_user(database)

    held = await roles.held(database.reader, [nobody, owner, ana])

    assert held == {
        ana: Held(
            roles=("analyst", "herald"),
            scopes=BUILT_IN["analyst"] | {"events.read", "webhooks"},
            limits=None,
        ),
        owner: Held(roles=("owner",), scopes=frozenset(SCOPES), limits=None),
    }


async def test_a_limit_of_a_built_in_role_counts(database):
    await database.write(
        lambda writer: writer.run(
            """UPDATE roles SET limits = '{"largest_gift": 20}' WHERE name = 'support'"""
        )
    )
    user = await make_staff(database, "support")

    held = await roles.held(database.reader, [user])

    assert held[user].limits == Limits(largest_gift=20)


async def test_what_a_newer_version_stored_grants_nothing_and_breaks_nothing(database):
    await make_role(database, "oracle", None, {"largest_gift": 5, "kicks_per_day": 2})
    user = await make_staff(database, "oracle")

    held = await roles.held(database.reader, [user])

    assert held[user] == Held(roles=("oracle",), scopes=frozenset(), limits=Limits(largest_gift=5))


def role(name: str, *scopes: str, **amounts: int) -> Role:
    return Role(name=name, scopes=frozenset(scopes), limits=limits.of_json(amounts))


GIVER = role("giver", "players.items", largest_gift=20, pieces_per_day=100)


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (role("analyst", "players.read"), Limits(largest_gift=20, pieces_per_day=100)),
        (role("reverser", "actions.undo"), Limits(largest_gift=20, pieces_per_day=100)),
        (role("generous", "players.items"), None),
        (role("trader", "transactions"), None),
        (
            role("mixed", "players.items", largest_gift=50, value_per_day=9),
            Limits(largest_gift=50),
        ),
        (
            role("mean", "players.items", largest_gift=0, pieces_per_day=0),
            Limits(largest_gift=20, pieces_per_day=100),
        ),
        (
            role("undoing", "actions.undo", undos_per_day=3),
            Limits(largest_gift=20, pieces_per_day=100, undos_per_day=3),
        ),
    ],
    ids=lambda given: given.name if isinstance(given, Role) else "",
)
def test_of_each_limit_the_most_generous_counts_among_the_roles_that_need_it(other, expected):
    assert roles.combined([GIVER, other]).limits == expected
    assert roles.combined([other, GIVER]).limits == expected


def test_a_limit_that_no_role_needs_is_still_a_limit():
    alone = role("reader", "players.read", largest_gift=1)

    assert roles.combined([alone]).limits == Limits(largest_gift=1)


def test_no_role_is_nothing():
    assert roles.combined([]) == roles.NO_ROLES


def test_built_in_roles_grant_scopes_that_exist():
    for name, scopes in BUILT_IN.items():
        assert scopes <= SCOPES.keys(), name
        assert scopes <= BUILT_IN["owner"], name
    assert BUILT_IN.keys() == DESCRIPTIONS.keys()


def test_an_analyst_reads_only():
    assert all(scope.endswith(".read") for scope in BUILT_IN["analyst"])


def test_every_limit_has_scopes_that_need_it():
    assert set(NEEDED_BY) == {field.name for field in structs.fields(Limits)}
    assert all(scopes and scopes <= SCOPES.keys() for scopes in NEEDED_BY.values())


async def test_the_migration_knows_the_built_in_roles(database):
    names = await database.reader.rows("SELECT name FROM roles WHERE scopes IS NULL")

    assert {row["name"] for row in names} == BUILT_IN.keys()
