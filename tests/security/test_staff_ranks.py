"""Whoever has limits takes over nobody who has fewer, and nobody takes over an owner."""

from uuid import UUID, uuid4

import pytest

from gamekeeper.auth.limits import Limits
from gamekeeper.auth.principal import SCOPES, BrowserSession, Principal
from gamekeeper.auth.roles import exceeds
from gamekeeper.db.database import Database
from gamekeeper.users import passwords, ranks
from gamekeeper.users.passwords import NewPassword
from gamekeeper.users.ranks import Management, Outranked
from tests.make import BY, make_user

ALL = frozenset(SCOPES)
GIVES = frozenset({"players.items", "users.manage"})


async def staff(database: Database, role: str, scopes: frozenset[str] | None = None) -> UUID:
    """An account with a role; with scopes it is a role of its own."""
    user = await make_user(database)
    if scopes is not None:
        sql = "INSERT INTO roles (name, scopes) VALUES ($1, $2)"
        await database.write(lambda writer: writer.run(sql, role, sorted(scopes)))
    sql = "INSERT INTO staff_roles (user_id, role) VALUES ($1, $2)"
    await database.write(lambda writer: writer.run(sql, user, role))
    return user


async def limit(database: Database, role: str, limits: str) -> None:
    sql = "UPDATE roles SET limits = $2::text::jsonb WHERE name = $1"
    await database.write(lambda writer: writer.run(sql, role, limits))


def session(user: UUID, scopes: frozenset[str], limits: Limits | None = None) -> Principal:
    return Principal(
        id=f"user:{user}",
        name="somebody",
        scopes=scopes,
        user_id=user,
        limits=limits,
        session=BrowserSession(id=uuid4(), verified_at=None),
    )


async def outranked(database: Database, caller: Principal, user: UUID) -> bool:
    [refusal] = await ranks.refusals(database.reader, [Management(caller, user)])
    return isinstance(refusal, Outranked)


async def test_a_role_of_all_scopes_takes_over_no_owner(database):
    """They hold the same scopes, but only one of them makes owners."""
    owner, deputy = await staff(database, "owner"), await staff(database, "deputy", ALL)

    assert await outranked(database, session(deputy, ALL), owner)
    assert not await outranked(database, session(owner, ALL), deputy)
    other = await staff(database, "owner")
    assert not await outranked(database, session(owner, ALL), other)


async def test_a_key_that_names_all_scopes_takes_over_no_owner(database):
    owner = await staff(database, "owner")

    assert await outranked(database, Principal(id="key:1", name="key", scopes=ALL), owner)
    # As the command line does, which made it.
    assert not await outranked(database, Principal(id="key:1", name="key"), owner)


async def test_who_has_limits_takes_over_nobody_who_may_hand_out_more(database):
    limited, free = await staff(database, "limited", GIVES), await staff(database, "free", GIVES)
    await limit(database, "limited", '{"pieces_per_day": 20}')
    caller = session(limited, GIVES, Limits(pieces_per_day=20))

    assert await outranked(database, caller, free)
    assert not await outranked(database, session(free, GIVES), limited)
    assert not await outranked(database, caller, limited)
    await limit(database, "free", '{"pieces_per_day": 21}')
    assert await outranked(database, caller, free)
    await limit(database, "free", '{"pieces_per_day": 20}')
    assert not await outranked(database, caller, free)


async def test_who_has_limits_takes_over_no_account_with_the_api_power(database):
    """Its token gives without limits."""
    player = await make_user(database, api=True)
    plain = await make_user(database)
    gives = frozenset({"players.read", "players.items", "players.variables", "players.spells"})
    scopes = gives | {"users.query", "users.manage"}
    key = Principal(id="key:1", name="key", scopes=scopes, limits=Limits(value_per_day=5))

    assert await outranked(database, key, player)
    assert not await outranked(database, key, plain)
    undos = Principal(id="key:2", name="key", scopes=scopes, limits=Limits(undos_per_day=5))
    assert not await outranked(database, undos, player)


async def test_a_limited_manager_leaves_the_password_and_its_neighbours_alone(database):
    """In one list only the account that may hand out more is refused."""
    key = Principal(id="key:1", name="key", scopes=ALL, limits=Limits(pieces_per_day=1))
    free, plain = await staff(database, "free", GIVES), await make_user(database)
    wanted = [NewPassword(user_id=user, sealed="x", manager=key, by=BY) for user in (free, plain)]

    refused, done = await passwords.replace(database, wanted)

    assert isinstance(refused, Outranked)
    assert done is None
    changed = await database.reader.rows("SELECT user_id FROM passwords")
    assert [row["user_id"] for row in changed] == [plain]


@pytest.mark.parametrize(
    ("granted", "own", "is_more"),
    [
        (None, None, False),
        (None, Limits(pieces_per_day=5), True),
        (Limits(pieces_per_day=5), None, False),
        (Limits(pieces_per_day=5), Limits(pieces_per_day=5), False),
        (Limits(pieces_per_day=6), Limits(pieces_per_day=5), True),
        (Limits(pieces_per_day=4), Limits(pieces_per_day=5, value_per_day=1), True),
        (None, Limits(undos_per_day=0), False),
    ],
    ids=str,
)
def test_only_limits_of_what_the_scopes_allow_are_compared(granted, own, is_more):
    assert exceeds(frozenset({"players.items"}), granted, own) is is_more
    assert not exceeds(frozenset({"players.read"}), granted, own)
