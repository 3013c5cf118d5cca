"""
Wrong passwords are counted, and too many of them cost time.

Every attempt is charged before the password is looked at, in PostgreSQL, so a
thousand guesses at once are no cheaper than a thousand in a row, on any number
of machines, and a restart forgives nothing. A right password gets its charge back.

    account   5 free, then a wait that doubles to 15 minutes; one is forgiven each
              hour. 100 wrong ones without a right one: only a reset by mail helps.
    pair      an account, from an address it was signed in to from before: 10 in 15
              minutes of its own, so that strangers cannot lock an owner out.
    address   10 in 10 minutes, then 10 minutes of nothing.
    client    a website checking passwords for its visitors: 200 in a minute.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from math import inf
from uuid import UUID

from msgspec import Struct

from gamekeeper.database import Database, Writer
from gamekeeper.errors import TooManyRequests
from gamekeeper.lookup import LONGEST_KEY


class Policy(Struct, frozen=True, kw_only=True):
    free: int
    """So many failures before there is a wait."""
    forgiven_after: float
    """Seconds after which one failure no longer counts."""
    wait: Callable[[float], float]
    """Seconds to wait after that many failures."""
    streak: float = inf
    """So many in a row end it altogether."""


FOR_GOOD = datetime(9999, 1, 1, tzinfo=UTC)

POLICIES = {
    "account": Policy(
        free=5, forgiven_after=3600, wait=lambda failures: min(900, 2 ** (failures - 5)), streak=100
    ),
    "pair": Policy(free=10, forgiven_after=90, wait=lambda _: 90, streak=100),
    "address": Policy(free=10, forgiven_after=60, wait=lambda _: 600),
    "client": Policy(free=200, forgiven_after=0.3, wait=lambda _: 1),
}


class Budget(Struct, frozen=True, kw_only=True):
    subject: str
    failures: float
    streak: int
    counted_at: datetime
    blocked_until: datetime

    @property
    def policy(self) -> Policy:
        return POLICIES[self.subject.partition(":")[0]]


class Attempt(Struct, frozen=True, kw_only=True):
    """One try at an account's password, from somewhere."""

    account: str
    """The folded name, of an account that exists or not: both are charged alike."""
    user_id: UUID | None
    source: str
    """`address:…` or `client:…`."""


def from_address(address: str) -> str:
    """One home has many IPv6 addresses, so there the network counts."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return "address:unknown"
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped:
        parsed = parsed.ipv4_mapped
    if isinstance(parsed, IPv6Address):
        return f"address:{ip_network(f'{parsed}/64', strict=False)}"
    return f"address:{parsed}"


def spend(budget: Budget, now: datetime) -> Budget | timedelta:
    """Charge one failure, or say how long to wait."""
    if now < budget.blocked_until:
        return budget.blocked_until - now
    policy = budget.policy
    passed = max(0.0, (now - budget.counted_at).total_seconds())
    failures = max(0.0, budget.failures - passed / policy.forgiven_after) + 1
    streak = budget.streak + 1
    blocked = budget.blocked_until
    if streak >= policy.streak:
        blocked = FOR_GOOD
    elif failures > policy.free - 1:
        blocked = now + timedelta(seconds=policy.wait(failures))
    return Budget(
        subject=budget.subject,
        failures=failures,
        streak=streak,
        counted_at=now,
        blocked_until=blocked,
    )


async def charge(database: Database, attempt: Attempt) -> None:
    """Reserve one attempt before the password is looked at, or raise TooManyRequests."""
    await database.write(lambda writer: _charge(writer, attempt))


async def _charge(writer: Writer, attempt: Attempt) -> None:
    budgets, now = await _locked(writer, await _subjects(writer, attempt))
    charged = [spend(budget, now) for budget in budgets]
    waits = [wait for wait in charged if isinstance(wait, timedelta)]
    if waits:
        raise TooManyRequests(max(waits).total_seconds())
    await _store(writer, [budget for budget in charged if isinstance(budget, Budget)])


async def _subjects(writer: Writer, attempt: Attempt) -> list[str]:
    known = attempt.user_id is not None and await writer.value(
        """
        SELECT true FROM known_sources
         WHERE user_id = $1 AND source = $2 AND seen_at > now() - interval '30 days'
        """,
        attempt.user_id,
        attempt.source,
    )
    account = attempt.account[:LONGEST_KEY]
    if known:
        return [f"pair:{attempt.user_id}:{attempt.source}", attempt.source]
    return [f"account:{account}", attempt.source]


async def _locked(writer: Writer, subjects: list[str]) -> tuple[list[Budget], datetime]:
    await writer.run(
        """
        INSERT INTO guess_budgets (subject)
        SELECT subject FROM unnest($1::text[]) AS subject ORDER BY subject
        ON CONFLICT DO NOTHING
        """,
        subjects,
    )
    budgets = await writer.all(
        Budget,
        """
        SELECT subject, failures, streak, counted_at, blocked_until
          FROM guess_budgets
         WHERE subject = ANY($1)
         ORDER BY subject
           FOR UPDATE
        """,
        subjects,
    )
    # Not now(): that was before we waited for the lock.
    return budgets, await writer.value("SELECT clock_timestamp()")


async def _store(writer: Writer, budgets: list[Budget]) -> None:
    await writer.run(
        """
        UPDATE guess_budgets
           SET failures = new.failures, streak = new.streak,
               counted_at = new.counted_at, blocked_until = new.blocked_until
          FROM unnest($1::text[], $2::float8[], $3::int[], $4::timestamptz[], $5::timestamptz[])
               AS new (subject, failures, streak, counted_at, blocked_until)
         WHERE guess_budgets.subject = new.subject
        """,
        [budget.subject for budget in budgets],
        [budget.failures for budget in budgets],
        [budget.streak for budget in budgets],
        [budget.counted_at for budget in budgets],
        [budget.blocked_until for budget in budgets],
    )


async def forgive(database: Database, attempt: Attempt) -> None:
    """The password was right: give the charge back, and remember the place."""

    async def work(writer: Writer) -> None:
        await clear(writer, [attempt.user_id] if attempt.user_id else [])
        await writer.run(
            "DELETE FROM guess_budgets WHERE subject = $1",
            f"pair:{attempt.user_id}:{attempt.source}",
        )
        await writer.run(
            """
            UPDATE guess_budgets
               SET failures = greatest(0, failures - 1), streak = 0, blocked_until = 'epoch'
             WHERE subject = $1
            """,
            attempt.source,
        )
        # A website is no place of the owner's: all its visitors would share it.
        if attempt.source.startswith("address:"):
            await writer.run(
                """
                INSERT INTO known_sources (user_id, source) VALUES ($1, $2)
                ON CONFLICT (user_id, source) DO UPDATE SET seen_at = excluded.seen_at
                """,
                attempt.user_id,
                attempt.source,
            )

    await database.write(work)


async def clear(writer: Writer, users: Sequence[UUID]) -> None:
    """Forget the failures of accounts: their passwords were proved, or replaced."""
    rows = await writer.rows("SELECT name_key FROM users WHERE id = ANY($1)", list(users))
    await writer.run(
        "DELETE FROM guess_budgets WHERE subject = ANY($1)",
        [f"account:{row['name_key'][:LONGEST_KEY]}" for row in rows],
    )
