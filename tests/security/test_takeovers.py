"""
No short sequence of takeovers, grants, keys and approvals gets around limits or gives anybody more.

All sequences of up to four steps are walked, by one greedy member of the staff and by two who
collude; each step is a real operation in a transaction that is rolled back. They set passwords
and emails, remove second factors, sign in as others, hand out, approve, give roles, make keys,
change limits, undo a change of powers and redirect a webhook, with their own accounts and with
all that they get hold of. Nobody else does anything.

What was walked from a state with as many steps left is counted, not walked again.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import Any, LiteralString, TypeVar
from uuid import UUID, uuid4

import pytest
from msgspec import Struct

from gamekeeper.approvals import decisions, requests
from gamekeeper.approvals.decisions import ApprovalDecision
from gamekeeper.approvals.requests import ApprovalRequest, ApprovalRequired
from gamekeeper.auth import authorisation, credentials, limits, managed_keys, roles
from gamekeeper.auth.limits import Limits
from gamekeeper.auth.managed_keys import KeyRequest
from gamekeeper.auth.principal import BrowserSession, Principal
from gamekeeper.auth.roles import NO_ROLES, limited_scopes
from gamekeeper.core import ids
from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.events.webhooks import management
from gamekeeper.events.webhooks.management import NewWebhook, WebhookChange
from gamekeeper.events.webhooks.owners import OPERATOR, Viewer
from gamekeeper.history.undo import execute
from gamekeeper.history.undo.execute import Undoing
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from gamekeeper.players.quotas import LimitExceeded
from gamekeeper.users import accounts, emails, passwords
from gamekeeper.users.accounts import PowersChange
from gamekeeper.users.emails import NewEmail
from gamekeeper.users.passwords import NewPassword
from gamekeeper.users.staff import members, second_factors, sign_in
from gamekeeper.users.staff import roles as managed_roles
from gamekeeper.users.staff.members import RoleGrant
from gamekeeper.users.staff.roles import RoleChange
from gamekeeper.users.staff.second_factors import FactorReset
from gamekeeper.users.staff.sign_in import NewSession, SignInRefused
from tests.make import BY, make_item, make_player, make_user
from tests.staff.make import make_role, make_staff

DEPUTY = (
    *("players.items", "players.read", "players.variables", "players.spells", "actions.undo"),
    *("approvals", "users.query", "users.manage", "staff.manage", "keys.manage"),
    *("events.read", "webhooks", "webhooks.manage"),
)
LIMITS = Limits(pieces_per_day=10)
A_DAYS_WORTH = 10
DEPTH = 4
ALONE = 2
"""So many steps of a sequence are taken again for all that follows them."""
KEYS = (("players.items", "players.read"), ("users.query", "users.manage"))
KNOWN = "a password that they know"
MINE = "@mine.example"

T = TypeVar("T")
Run = Callable[[Writer], Awaitable[object]]


class Step(Struct, frozen=True):
    name: str
    run: Run
    needs: tuple[str, ...] = ()


class World(Struct):
    """
    Ana, and in another round Bo too, want more than they may hand out.

    Ana has handed out a day's worth, and one more waits for approval. Bo may do the same as she;
    Cy hands out and approves, and has no second factor yet; Di reads.
    """

    users: dict[str, UUID]
    group: frozenset[str]
    player: UUID
    item: UUID
    webhook: UUID
    powers: UUID
    """The action that took the power Api from Ana."""

    @classmethod
    async def make(cls, database: Database, group: frozenset[str]) -> "World":
        stored = limits.as_json(LIMITS)
        await make_role(database, "deputy", DEPUTY, stored)
        await make_role(database, "giver", ["approvals", "players.items", "players.read"], stored)
        await make_role(database, "reader", ["players.read", "users.query"])
        users = {
            name: await make_staff(database, *held, user=await make_user(database, name))
            for name, held in {
                "ana": ["deputy"],
                "bo": ["deputy"],
                "cy": ["giver"],
                "di": ["reader"],
                "owner": ["owner"],
            }.items()
        }
        hook = NewWebhook(
            by=BY,
            id=ids.new_id(),
            viewer=OPERATOR,
            url="https://example.com",
            kinds=None,
            sealed="sealed",
        )
        await management.create.one(database, hook)
        for api in (True, False):
            change = PowersChange(by=BY, user=str(users["ana"]), api=api)
            await accounts.empower.one(database, change)
        sql = "SELECT id FROM actions WHERE kind = 'users.powers' ORDER BY id DESC LIMIT 1"
        powers = await database.reader.value(sql)
        player, item = await make_player(database), await make_item(database)
        world = cls(users, group, player, item, hook.id, powers)
        await database.write(world._begin)
        return world

    async def _begin(self, writer: Writer) -> None:
        sql = "INSERT INTO passwords (user_id, sealed) SELECT unnest($1::uuid[]), 'theirs'"
        await writer.run(sql, list(self.users.values()))
        await writer.run(
            """
            INSERT INTO second_factors (user_id, id, kind, name, secret, confirmed_at)
            SELECT unnest($1::uuid[]), gen_random_uuid(), 'totp', 'app', 'sealed', now()
            """,
            [self.users[name] for name in ("ana", "bo", "owner")],
        )
        ana = (await self.callers(writer))["ana"]
        for _ in range(2):
            await self._give(writer, ana)

    async def callers(self, writer: Writer) -> dict[str, Principal]:
        """All that the group can act as now: own accounts, sessions of others, and keys."""
        sql = "SELECT user_id FROM browser_sessions WHERE ended_at IS NULL"
        taken = {row["user_id"] for row in await writer.rows(sql)}
        names = [name for name, user in self.users.items() if name in self.group or user in taken]
        held = await roles.held(writer, [self.users[name] for name in names])
        found = {
            name: _signed_in(name, self.users[name], held.get(self.users[name], NO_ROLES))
            for name in names
        }
        for row in await writer.rows("SELECT id, name, scopes, limits FROM api_keys ORDER BY name"):
            found[row["name"]] = Principal(
                id=f"key:{row['id']}",
                name=row["name"],
                scopes=frozenset(row["scopes"]),
                limits=limits.of_json(row["limits"]),
            )
        return found

    # ── Steps ──

    async def steps(self, writer: Writer, caller: Principal) -> list[Step]:
        pending = await writer.rows(
            "SELECT id FROM approval_requests WHERE state = 'pending' ORDER BY id"
        )
        return [
            *self._of_accounts(caller),
            *self._of_power(caller),
            Step("give", lambda writer: self._give(writer, caller), ("players.items",)),
            *(
                Step("approve", self._approval(row["id"], caller), ("approvals",))
                for row in pending
            ),
        ]

    def _of_accounts(self, caller: Principal) -> Iterator[Step]:
        by = _by(caller)
        manage = ("users.query", "users.manage")
        for name, user in self.users.items():
            if user == caller.user_id or name in self.group:
                continue
            new = NewPassword(by=by, user_id=user, sealed=KNOWN, manager=caller)
            yield Step(f"password of {name}", _one(passwords.replace, new), manage)
            email = NewEmail(by=by, user=str(user), email=f"{name}{MINE}", manager=caller)
            yield Step(f"email of {name}", _one(emails.change, email), manage)
            reset = FactorReset(by=by, user_id=user, manager=caller)
            step = _one(second_factors.reset, reset)
            yield Step(f"factors of {name}", step, ("staff.manage",))

    def _of_power(self, caller: Principal) -> Iterator[Step]:
        by = _by(caller)
        for role, name in (("deputy", "di"), ("giver", "di"), ("reader", "cy")):
            grant = RoleGrant(by=by, caller=caller, user=str(self.users[name]), role=role)
            yield Step(f"grant {role} to {name}", _one(members.grant, grant), ("staff.manage",))
        for role in ("deputy", "giver"):
            free = RoleChange(by=by, caller=caller, role=role, limits=Limits())
            yield Step(f"free {role}", _one(managed_roles.change, free), ("staff.manage",))
        for scopes in KEYS:
            key = KeyRequest(
                by=by,
                caller=caller,
                name=f"key for {scopes[0]}",
                scopes=scopes,
                secret=credentials.new_credential("gk"),
            )
            yield Step(f"key for {scopes[0]}", _one(managed_keys.create, key), ("keys.manage",))
        undo = Undoing(by=by, action_id=self.powers, caller=caller)
        yield Step("undo of powers", _one(execute.undo, undo), ("actions.undo",))
        url = WebhookChange(
            by=by, viewer=Viewer.of(caller), webhook=self.webhook, url="https://mine.example"
        )
        yield Step("webhook", _one(management.change, url), ("webhooks",))

    def of_nobody(self) -> Iterator[Step]:
        """What needs no rights, only what the group knows: a password, or a mailbox."""
        for name, user in self.users.items():
            if name not in self.group:
                yield Step(f"sign in as {name}", lambda writer, user=user: _sign_in(writer, user))
                yield Step(f"mail to {name}", lambda writer, user=user: _by_mail(writer, user))

    async def _give(self, writer: Writer, caller: Principal) -> None:
        """Hand out a day's worth; beyond the limit request it, as the route does."""
        gift = Gift(
            by=_by(caller), player=str(self.player), item_id=self.item, quantity=A_DAYS_WORTH
        )
        [outcome] = await items.give(writer, [gift])
        if isinstance(outcome, LimitExceeded):
            request = ApprovalRequest(by=_by(caller), command=gift, exceeded=outcome)
            [outcome] = await requests.request(writer, [request])
        if isinstance(outcome, Problem) and not isinstance(outcome, ApprovalRequired):
            raise outcome

    def _approval(self, approval: UUID, caller: Principal) -> Run:
        decision = ApprovalDecision(by=_by(caller), approval_id=approval, caller=caller)
        return _one(decisions.approve, decision)

    # ── What must hold ──

    async def check(self, writer: Writer, path: list[str]) -> None:
        handed_out = await writer.value("SELECT coalesce(sum(quantity), 0) FROM slots")
        assert handed_out <= A_DAYS_WORTH * len(self.group), path
        limited = limited_scopes(LIMITS)
        for name, caller in (await self.callers(writer)).items():
            assert caller.scopes is not None, (path, name)
            assert caller.scopes <= set(DEPUTY), (path, name)
            if caller.scopes & limited:
                # Each further account or key would be a day's worth more.
                assert name in self.group, (path, name)
                assert not roles.exceeds(caller.scopes, caller.limits, LIMITS), (path, name)
        assert not await writer.value("SELECT true FROM users WHERE api"), path
        # A webhook sends an owner no more than the owner may read.
        assert not await writer.value("SELECT emails AND owner IS NOT NULL FROM webhooks"), path

    async def state(self, writer: Writer) -> str:
        return await writer.value(STATE, KNOWN, f"%{MINE}")


STATE: LiteralString = """
    SELECT concat_ws(';',
        (SELECT string_agg(user_id || role, ',' ORDER BY user_id, role) FROM staff_roles),
        (SELECT string_agg(name || limits, ',' ORDER BY name) FROM roles),
        (SELECT string_agg(name, ',' ORDER BY name) FROM api_keys),
        (SELECT string_agg(user_id::text, ',' ORDER BY user_id) FROM passwords WHERE sealed = $1),
        (SELECT string_agg(id::text, ',' ORDER BY id) FROM users WHERE email LIKE $2 OR api),
        (SELECT string_agg(user_id::text, ',' ORDER BY user_id) FROM second_factors),
        (SELECT string_agg(DISTINCT user_id::text, ',') FROM browser_sessions
          WHERE ended_at IS NULL),
        (SELECT sum(quantity) FROM slots),
        (SELECT string_agg(requested_by || state, ',' ORDER BY requested_by, state)
           FROM approval_requests),
        (SELECT string_agg(url, ',') FROM webhooks),
        (SELECT string_agg(DISTINCT actor || user_id, ',') FROM actions
          WHERE kind IN ('users.password', 'users.email', 'factors.reset') AND actor <> 'system'
            AND user_id <> (SELECT id FROM users WHERE name = 'di')))
"""
# Who took over Di makes no difference: whoever gets hold of an approver has broken a rule before.


def _signed_in(name: str, user: UUID, held: roles.Held) -> Principal:
    return Principal(
        id=f"user:{user}",
        name=name,
        scopes=held.scopes,
        roles=held.roles,
        limits=held.limits,
        user_id=user,
        session=BrowserSession(id=uuid4(), verified_at=None),
    )


def _by(caller: Principal) -> AuditContext:
    return AuditContext(actor=caller.id, name=caller.name, allowance=caller.allowance)


def _one(operation: Any, command: Any) -> Run:
    return lambda writer: operation.one(writer, command)


async def _sign_in(writer: Writer, user: UUID) -> None:
    """With the password; a second factor is enrolled on the way, if there is none."""
    command = NewSession(by=BY, user_id=user, sealed=KNOWN, user_agent="tests")
    begun = await sign_in.begin.one(writer, command)
    if begun.state == "second_factor_required":
        raise SignInRefused


async def _by_mail(writer: Writer, user: UUID) -> None:
    """A new password by the link in a mail that the group can read."""
    sql = "SELECT true FROM users WHERE id = $1 AND email LIKE $2"
    if not await writer.value(sql, user, f"%{MINE}"):
        raise SignInRefused
    await passwords.replace.one(writer, NewPassword(by=BY, user_id=user, sealed=KNOWN))


class Search:
    """
    All sequences, with the first steps in transactions of their own.

    What a transaction rolled back to a savepoint stays in its tables until it ends, so one
    transaction for everything would read more and more of it.
    """

    def __init__(self, world: World, database: Database) -> None:
        self.world = world
        self.database = database
        self.walked: dict[tuple[str, int], int] = {}
        """How many sequences of so many steps are accepted from a state."""
        self.tried = 0
        self.accepted: set[str] = set()
        self.begun: list[str] = []
        """The steps before those of the transaction, in words."""

    async def sequences(self, begun: tuple[int, ...], left: int) -> int:
        """The number of sequences of at most `left` steps after these, by their positions."""
        if len(begun) == ALONE:
            return await self._rolled_back(begun, lambda writer: self._walk(writer, [], left))
        state = await self._rolled_back(begun, self.world.state)
        if (state, left) not in self.walked:
            accepted = await self._rolled_back(begun, self._accepted)
            after = [await self.sequences((*begun, step), left - 1) for step in accepted]
            self.walked[state, left] = len(after) + sum(after)
        return self.walked[state, left]

    async def _rolled_back(
        self, begun: tuple[int, ...], work: Callable[[Writer], Awaitable[T]]
    ) -> T:
        """What some work returns after these steps, of which nothing stays."""
        found: list[T] = []

        async def run(writer: Writer) -> None:
            self.begun = []
            for position in begun:
                actor, step = (await self._steps(writer))[position]
                self.begun.append(f"{actor}: {step.name}")
                await step.run(writer)
            found.append(await work(writer))
            raise _RolledBack

        with suppress(_RolledBack):
            await self.database.write(run)
        [result] = found
        return result

    async def _accepted(self, writer: Writer) -> list[int]:
        steps = await self._steps(writer)
        taken = [await self._take(writer, actor, step, [], 1) for actor, step in steps]
        return [position for position, sequences in enumerate(taken) if sequences]

    async def _walk(self, writer: Writer, path: list[str], left: int) -> int:
        """As `sequences`, in this transaction."""
        await self.world.check(writer, self.begun + path)
        if left == 0:
            return 0
        at = (await self.world.state(writer), left)
        if at not in self.walked:
            steps = await self._steps(writer)
            taken = [await self._take(writer, actor, step, path, left) for actor, step in steps]
            self.walked[at] = sum(taken)
        return self.walked[at]

    async def _steps(self, writer: Writer) -> list[tuple[str, Step]]:
        """All that the routes let somebody of the group try, always in the same order."""
        found = [("anybody", step) for step in self.world.of_nobody()]
        for name, caller in (await self.world.callers(writer)).items():
            steps = await self.world.steps(writer, caller)
            found += [(name, step) for step in steps if _is_let_in(caller, step.needs)]
        return found

    async def _take(
        self, writer: Writer, actor: str, step: Step, path: list[str], left: int
    ) -> int:
        """The number of sequences that begin with this step; it is undone."""
        self.tried += 1
        sequences = 0
        await writer.run("SAVEPOINT step")
        with suppress(Problem):
            await step.run(writer)
            self.accepted.add(step.name)
            sequences = 1 + await self._walk(writer, [*path, f"{actor}: {step.name}"], left - 1)
        await writer.run("ROLLBACK TO SAVEPOINT step")
        await writer.run("RELEASE SAVEPOINT step")
        return sequences


def _is_let_in(caller: Principal, scopes: tuple[str, ...]) -> bool:
    """Whether the route calls the operation at all."""
    with suppress(Problem):
        authorisation.authorise(caller, frozenset(scopes))
        return True
    return False


class _RolledBack(Exception):
    pass


@pytest.mark.torture
@pytest.mark.parametrize(
    ("group", "least"), [({"ana"}, 3_000), ({"ana", "bo"}, 50_000)], ids=["greedy", "colluding"]
)
async def test_no_sequence_of_four_steps_gets_around_limits(database, group, least):
    search = Search(await World.make(database, frozenset(group)), database)

    sequences = await search.sequences((), DEPTH)

    print(f"{sequences} sequences, {len(search.walked)} states, {search.tried} steps tried")
    assert sequences > least
    assert {"password of di", "email of di", "factors of di", "sign in as di"} <= search.accepted
    assert {"give", "webhook", "key for users.query", "grant reader to cy"} <= search.accepted
    assert ("approve" in search.accepted) == (group == {"ana", "bo"})
