"""
No sequence of grants, withdrawals, changed roles and new keys gives anybody more.

All short sequences by staff who manage others are walked, each step a real operation in a
transaction that is rolled back. States that were seen with as many steps left are not walked
again. Nobody, account or key, ends with a scope that none of them had at the beginning.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from uuid import UUID, uuid4

import pytest
from msgspec import Struct

from gamekeeper.auth import authorisation, credentials, managed_keys, roles
from gamekeeper.auth.limits import Limits
from gamekeeper.auth.managed_keys import KeyRequest
from gamekeeper.auth.principal import BrowserSession, Principal
from gamekeeper.auth.roles import NO_ROLES
from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Database, Writer
from gamekeeper.users.staff import members
from gamekeeper.users.staff import roles as managed_roles
from gamekeeper.users.staff.members import RoleGrant, RoleWithdrawal
from gamekeeper.users.staff.roles import NewRole, RoleChange
from tests.make import BY
from tests.staff.make import make_role, make_staff

LEAD = ("keys.manage", "players.items", "players.read", "staff.manage")
LIMITS = Limits(pieces_per_day=20)
WANTED = (
    ("players.items", "players.read"),
    ("players.read", "webhooks"),
    ("keys.manage", "players.read", "staff.manage"),
)
ROLES = ("owner", "lead", "helper", "made")

Run = Callable[[Writer], Awaitable[object]]


class Step(Struct, frozen=True):
    do: str
    actor: str
    what: str
    run: Run
    needs: str = "staff.manage"


class World:
    """An owner, who does nothing; a lead with limits, a helper, and somebody without a role."""

    def __init__(self, owner: UUID, staff: dict[str, UUID]) -> None:
        self.owner = owner
        self.staff = staff

    @classmethod
    async def make(cls, database: Database) -> "World":
        await make_role(database, "lead", LEAD, {"pieces_per_day": 20})
        await make_role(database, "helper", ["players.read"])
        return cls(
            await make_staff(database, "owner"),
            {
                "lead": await make_staff(database, "lead"),
                "helper": await make_staff(database, "helper"),
                "nobody": await make_staff(database),
            },
        )

    async def callers(self, writer: Writer) -> dict[str, Principal]:
        """The principals of all staff and of all keys, as they are now."""
        held = await roles.held(writer, list(self.staff.values()))
        found = {
            name: Principal(
                id=f"user:{user}",
                name=name,
                scopes=held.get(user, NO_ROLES).scopes,
                roles=held.get(user, NO_ROLES).roles,
                limits=held.get(user, NO_ROLES).limits,
                user_id=user,
                session=BrowserSession(id=uuid4(), verified_at=None),
            )
            for name, user in self.staff.items()
        }
        for row in await writer.rows("SELECT id, name, scopes FROM api_keys"):
            scopes = None if row["scopes"] is None else frozenset(row["scopes"])
            found[row["name"]] = Principal(id=f"key:{row['id']}", name=row["name"], scopes=scopes)
        return found

    def steps(self, name: str, caller: Principal) -> Iterator[Step]:
        for role in ROLES:
            for whom, user in self.staff.items():
                grant = RoleGrant(by=BY, caller=caller, user=str(user), role=role)
                taking = RoleWithdrawal(by=BY, caller=caller, user=str(user), role=role)
                what = f"{role} of {whom}"
                yield Step("grant", name, what, _one(members.grant, grant))
                yield Step("withdraw", name, what, _one(members.withdraw, taking))
        for scopes in WANTED:
            for role in ("lead", "helper"):
                change = RoleChange(by=BY, caller=caller, role=role, scopes=scopes, limits=LIMITS)
                yield Step("change", name, role, _one(managed_roles.change, change))
            made = NewRole(by=BY, caller=caller, name="made", scopes=scopes, limits=LIMITS)
            yield Step("make", name, "made", _one(managed_roles.create, made))
            key = KeyRequest(
                by=BY,
                caller=caller,
                name=f"key of {name}",
                scopes=scopes,
                secret=credentials.new_credential("gk"),
            )
            yield Step("key", name, " ".join(scopes), _one(managed_keys.create, key), "keys.manage")
        free = RoleChange(by=BY, caller=caller, role="lead", limits=Limits())
        yield Step("free", name, "lead", _one(managed_roles.change, free))

    async def state(self, writer: Writer) -> str:
        return await writer.value(
            """
            SELECT concat_ws(';',
                (SELECT string_agg(user_id || role, ',' ORDER BY user_id, role) FROM staff_roles),
                (SELECT string_agg(name || scopes::text || limits, ',' ORDER BY name) FROM roles),
                (SELECT string_agg(name || scopes::text, ',' ORDER BY name, scopes::text)
                   FROM api_keys))
            """
        )

    async def check(self, writer: Writer, path: list[Step]) -> None:
        said = [(step.actor, step.do, step.what) for step in path]
        for name, caller in (await self.callers(writer)).items():
            assert caller.scopes is not None, (said, name)
            assert caller.scopes <= set(LEAD), (said, name)
            # The lead alone hands out items, within limits: others would have their own budgets.
            if caller.may("players.items"):
                assert name == "lead", (said, name)
                assert not roles.exceeds(caller.scopes, caller.limits, LIMITS), (said, name)
        owners = await writer.rows("SELECT user_id FROM staff_roles WHERE role = 'owner'")
        assert [row["user_id"] for row in owners] == [self.owner], said


def _one(operation, command) -> Run:
    return lambda writer: operation.one(writer, command)


class Search:
    def __init__(self, world: World) -> None:
        self.world = world
        self.seen: dict[str, int] = {}
        """The states, and how many steps were left when they were walked."""
        self.accepted = 0
        self.kinds: set[str] = set()

    async def walk(self, writer: Writer, path: list[Step], left: int) -> None:
        await self.world.check(writer, path)
        state = await self.world.state(writer)
        if left <= self.seen.get(state, 0):
            return
        self.seen[state] = left
        for name, caller in (await self.world.callers(writer)).items():
            for step in self.world.steps(name, caller):
                if not _is_let_in(caller, step.needs):
                    continue
                await writer.run("SAVEPOINT step")
                if await _done(writer, step):
                    self.accepted += 1
                    self.kinds.add(step.do)
                    await self.walk(writer, [*path, step], left - 1)
                await writer.run("ROLLBACK TO SAVEPOINT step")
                await writer.run("RELEASE SAVEPOINT step")


def _is_let_in(caller: Principal, scope: str) -> bool:
    """Whether the route calls the operation at all."""
    try:
        authorisation.authorise(caller, frozenset({scope}))
    except Problem:
        return False
    return True


async def _done(writer: Writer, step: Step) -> bool:
    try:
        await step.run(writer)
    except Problem:
        return False
    return True


class _RolledBack(Exception):
    pass


@pytest.mark.parametrize(
    "depth",
    [2, pytest.param(3, marks=pytest.mark.torture), pytest.param(4, marks=pytest.mark.slow)],
)
async def test_no_sequence_gives_anybody_more_than_their_lead_had(database, depth):
    world = await World.make(database)
    search = Search(world)

    async def work(writer: Writer) -> None:
        await search.walk(writer, [], depth)
        raise _RolledBack

    with suppress(_RolledBack):
        await database.write(work)

    print(f"{len(search.seen)} states, {search.accepted} steps that were accepted")
    assert {"grant", "withdraw", "change", "make", "key"} <= search.kinds
