"""Requests of staff members, whose rights and limits are those of their roles."""

from uuid import UUID, uuid4

import pytest
from msgspec import Struct

from gamekeeper.approvals import decisions
from gamekeeper.approvals.decisions import ApprovalDecision, OwnRequest, RequesterLostRights
from gamekeeper.approvals.records import Approval
from gamekeeper.approvals.requests import ApprovalRequired, carry_out
from gamekeeper.auth import keys
from gamekeeper.auth.limits import Limits
from gamekeeper.auth.principal import BrowserSession, Principal
from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from tests.history.ledgers import row_counts
from tests.make import make_item, make_player, make_user

SCOPES = frozenset({"players.items", "approvals"})


def staff(user: UUID, limits: Limits | None = None) -> Principal:
    session = BrowserSession(id=uuid4(), verified_at=None)
    return Principal(
        id=f"user:{user}", name="sam", scopes=SCOPES, user_id=user, limits=limits, session=session
    )


def context(caller: Principal) -> AuditContext:
    return AuditContext(actor=caller.id, name=caller.name, allowance=caller.allowance)


class Team(Struct):
    database: Database
    sam: Principal
    """A supporter who may hand out nothing alone."""
    robin: Principal
    player: UUID
    item: UUID

    async def run(self, sql: str, *args: object) -> None:
        await self.database.write(lambda writer: writer.run(sql, *args))  # pyright: ignore

    async def ask(self, caller: Principal | None = None) -> UUID:
        by = context(caller or self.sam)
        gift = Gift(by=by, player=str(self.player), item_id=self.item, quantity=1)
        with pytest.raises(ApprovalRequired) as waiting:
            await carry_out(self.database, items.give, gift)
        approval = waiting.value.details["approval_id"]
        assert isinstance(approval, UUID)
        return approval

    def decision(self, approval: UUID, caller: Principal | None = None) -> ApprovalDecision:
        caller = caller or self.robin
        return ApprovalDecision(by=context(caller), approval_id=approval, caller=caller)

    async def approve(self, approval: UUID, caller: Principal | None = None) -> Approval | Problem:
        [outcome] = await decisions.approve(self.database, [self.decision(approval, caller)])
        return outcome


@pytest.fixture
async def team(database) -> Team:
    sam, robin = await make_user(database, "sam"), await make_user(database, "robin")
    team = Team(
        database,
        staff(sam, Limits(pieces_per_day=0)),
        staff(robin),
        await make_player(database),
        await make_item(database),
    )
    await team.run("INSERT INTO staff_roles (user_id, role) VALUES ($1, 'support')", sam)
    return team


async def test_a_staff_members_request_is_approved_by_another(team):
    outcome = await team.approve(await team.ask())

    assert isinstance(outcome, Approval)
    assert (outcome.state, outcome.decided_by) == ("approved", team.robin.id)


@pytest.mark.parametrize("lost", ["role", "scope", "ban", "account"])
async def test_who_lost_the_right_meanwhile_gets_nothing(team, lost):
    approval = await team.ask()
    statement = {
        "role": "DELETE FROM staff_roles WHERE user_id = $1",
        "scope": "UPDATE staff_roles SET role = 'moderator' WHERE user_id = $1",
        "ban": "INSERT INTO sanctions (code, kind, user_id, imposed_by, imposed_by_name) "
        "VALUES ('ABCD-EFGH', 'ban', $1, 'system', 'tests')",
        "account": "DELETE FROM users WHERE id = $1",
    }[lost]
    await team.run(statement, team.sam.user_id)
    before = await row_counts(team.database)

    assert isinstance(await team.approve(approval), RequesterLostRights)
    assert await row_counts(team.database) == before


@pytest.mark.parametrize(
    ("kind", "sanctioned"), [("ban", "robin"), ("mute", "sam"), ("warning", "sam")]
)
async def test_a_sanction_that_is_no_ban_of_the_requester_takes_no_right_away(
    team, kind, sanctioned
):
    approval = await team.ask()
    await team.run(
        "INSERT INTO sanctions (code, kind, user_id, imposed_by, imposed_by_name) "
        "VALUES ('ABCD-EFGH', $1, $2, 'system', 'tests')",
        kind,
        getattr(team, sanctioned).user_id,
    )

    assert isinstance(await team.approve(approval), Approval)


async def test_nobody_approves_by_another_session_or_by_a_key_they_made(team):
    approval = await team.ask()
    again = staff(team.sam.user_id)
    order = keys.NewKey(by=context(team.sam), name="mine")
    await keys.create.one(team.database, order)
    key = await team.database.reader.value("SELECT id FROM api_keys")
    own_key = Principal(id=f"key:{key}", name="mine")

    assert isinstance(await team.approve(approval, again), OwnRequest)
    assert isinstance(await team.approve(approval, own_key), OwnRequest)
    # Nor the other way round.
    limited = Principal(id=f"key:{key}", name="mine", limits=Limits(largest_gift=0))
    assert isinstance(await team.approve(await team.ask(limited), again), OwnRequest)


async def test_in_one_list_each_decision_stands_alone(team):
    approvals = [await team.ask() for _ in range(3)]
    nothing, twice = uuid4(), approvals[0]
    wanted = [approvals[0], nothing, twice, approvals[1]]

    outcomes = await decisions.approve(team.database, [team.decision(one) for one in wanted])
    rejected = await decisions.reject(
        team.database, [team.decision(one) for one in (approvals[2], twice, approvals[2])]
    )

    def told(found) -> list[str]:
        return [one.code if isinstance(one, Problem) else one.state for one in found]

    assert told(outcomes) == ["approved", "approval_not_found", "approval_decided", "approved"]
    assert told(rejected) == ["rejected", "approval_decided", "approval_decided"]
    assert await team.database.reader.value("SELECT sum(quantity) FROM slots") == 2
