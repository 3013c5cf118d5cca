"""
Every sequence of gifts, decisions, undos, other limits and expiry, up to a length.

After each step: what was handed out is within the limit, apart from what was approved, and
each request was carried out at most once. One transaction with savepoints walks the tree.
"""

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from uuid import UUID

import pytest
from msgspec import Struct

from gamekeeper.approvals import decisions
from gamekeeper.approvals.decisions import ApprovalDecision
from gamekeeper.approvals.requests import ApprovalRequest, request
from gamekeeper.auth.limits import Limits, as_json
from gamekeeper.auth.principal import Principal
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import Allowance, AuditContext, Command, Operation
from gamekeeper.history.undo import execute
from gamekeeper.history.undo.execute import Undoing
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from gamekeeper.players.quotas import LimitExceeded
from tests.make import make_item, make_player

pytestmark = pytest.mark.torture

LENGTH = int(os.environ.get("APPROVAL_SEQUENCES", "5"))
LOW, HIGH = 3, 5
GIFT = 2


class Rollback(Exception):
    """Ends the walk and undoes it."""


class Facts(Struct, frozen=True):
    """What the tables say."""

    own: int
    """Pieces that the supporter created alone, ever."""
    approved: int
    used: int
    carried_out: int
    """Actions that name an approver."""
    requests: dict[str, int]


class Desk:
    """A supporter, a boss, and one character, in a transaction that is never committed."""

    def __init__(self, writer: Writer, supporter: Principal, player: UUID, item: UUID) -> None:
        self.writer = writer
        self.supporter = supporter
        self.player = player
        self.item = item
        self.limit = LOW
        self.boss = Principal(id="key:00000000-0000-0000-0000-000000000001", name="boss")

    def by(self) -> AuditContext:
        limits = as_json(Limits(pieces_per_day=self.limit, undos_per_day=1))
        allowance = Allowance(self.supporter.id, limits)
        return AuditContext(actor=self.supporter.id, name="supporter", allowance=allowance)

    async def submit(self, change: Operation, command: Command) -> None:
        """As the routes do: carried out, or requested."""
        [outcome] = await change(self.writer, [command])
        if isinstance(outcome, LimitExceeded):
            order = ApprovalRequest(by=command.by, command=command, exceeded=outcome)
            await request(self.writer, [order])

    async def give(self) -> None:
        gift = Gift(by=self.by(), player=str(self.player), item_id=self.item, quantity=GIFT)
        await self.submit(items.give, gift)

    async def undo(self) -> None:
        last = await self.writer.value(
            "SELECT id FROM actions WHERE kind IN ('items.give', 'undo') ORDER BY id DESC LIMIT 1"
        )
        if last:
            order = Undoing(by=self.by(), action_id=last, caller=self.supporter)
            await self.submit(execute.undo, order)

    async def decide(self, decision: Operation) -> None:
        """On all requests, decided or not: nothing may happen twice."""
        rows = await self.writer.rows("SELECT id FROM approval_requests ORDER BY id")
        by = AuditContext(actor=self.boss.id, name="boss")
        for row in rows:
            await decision(
                self.writer, [ApprovalDecision(by=by, approval_id=row["id"], caller=self.boss)]
            )

    async def approve(self) -> None:
        await self.decide(decisions.approve)

    async def reject(self) -> None:
        await self.decide(decisions.reject)

    async def change_limit(self) -> None:
        self.limit = LOW + HIGH - self.limit

    async def expire(self) -> None:
        await self.writer.run("UPDATE approval_requests SET expires_at = now()")

    async def facts(self) -> Facts:
        [row] = await self.writer.rows(FACTS, self.supporter.id)
        return Facts(**row)


FACTS = """
    SELECT coalesce(sum(quantity) FILTER (WHERE approved_by IS NULL AND quantity > 0), 0)::int
               AS own,
           coalesce(sum(quantity) FILTER (WHERE approved_by IS NOT NULL AND quantity > 0), 0)::int
               AS approved,
           coalesce((SELECT used FROM quota_usage WHERE actor = $1 AND subject LIKE '%-%'), 0)
               AS used,
           (SELECT count(*) FROM actions WHERE approved_by IS NOT NULL) AS carried_out,
           (SELECT coalesce(jsonb_object_agg(state, count), '{}')
              FROM (SELECT state, count(*) FROM approval_requests GROUP BY state) AS states)
               AS requests
      FROM postings JOIN actions ON actions.id = action_id
"""

STEPS: tuple[Callable[[Desk], Awaitable[None]], ...] = (
    *(Desk.give, Desk.undo, Desk.approve, Desk.reject, Desk.change_limit, Desk.expire),
)


async def walk(desk: Desk, before: Facts, path: tuple[str, ...]) -> AsyncIterator[tuple[str, ...]]:
    """Every sequence from here on; a step that changes nothing is not followed further."""
    for step in STEPS if len(path) < LENGTH else ():
        limit, name = desk.limit, step.__name__
        await desk.writer.run("SAVEPOINT step")
        await step(desk)
        after = await desk.facts()
        check(before, after, limit, (*path, name))
        yield (*path, name)
        if after != before or name in ("change_limit", "expire"):
            async for longer in walk(desk, after, (*path, name)):
                yield longer
        await desk.writer.run("ROLLBACK TO SAVEPOINT step; RELEASE SAVEPOINT step")
        desk.limit = limit


def check(before: Facts, after: Facts, limit: int, path: tuple[str, ...]) -> None:
    # What is handed out alone fits into the limit of that moment; it never shrinks.
    assert after.own == before.own or after.own <= limit, path
    assert after.own <= HIGH, path
    assert after.used == after.own, path
    assert after.carried_out == after.requests.get("approved", 0), path
    assert after.approved <= GIFT * after.requests.get("approved", 0), path
    if path[-1] != "approve":
        assert (after.approved, after.carried_out) == (before.approved, before.carried_out), path


async def test_every_sequence_stays_within_the_limits(database: Database):
    player, item = await make_player(database), await make_item(database)
    key = await database.write(
        lambda writer: writer.value(
            "INSERT INTO api_keys (hash, name) VALUES (sha256('s'), 'supporter') RETURNING id"
        )
    )
    supporter = Principal(id=f"key:{key}", name="supporter")
    seen: list[tuple[str, ...]] = []

    async def work(writer: Writer) -> None:
        # The walk is one long transaction: a pause of the machine must not end it.
        await writer.run("SET LOCAL idle_in_transaction_session_timeout = 0")
        desk = Desk(writer, supporter, player, item)
        seen.extend([path async for path in walk(desk, await desk.facts(), ())])
        raise Rollback

    with pytest.raises(Rollback):
        await database.write(work)

    assert len(set(seen)) == len(seen) > 500
    assert ("give", "give", "approve", "undo") in seen
    assert await database.reader.value("SELECT count(*) FROM actions") == 0
