"""
Brute-force protection (login rate limit): failed attempts are counted and cause backoff.

Every attempt is charged in PostgreSQL before the password is checked, so a thousand
concurrent guesses are no cheaper than a thousand sequential ones, on any number of
machines, and a restart resets nothing. A correct password refunds its charge.
Equal attempts at a token that wait in one process at the same time are one guess, charged once.
No budget blocks for ever, and an attacker cannot spend the budget of the owner
(docs/decisions/0021-the-login-throttle-is-per-source.md).

    pair      an account, from a source where its password was correct within 30 days:
              10, then one each 90 seconds. Other sources cannot spend it, and other accounts
              at that address cannot: it is not charged to the address.
    account   an account, from all unknown addresses together: 5, then a wait
              that doubles to 15 minutes; after 100 in a row one attempt an hour.
    website   an account, through one API key, from unknown sources: 10, then
              one each 90 seconds; after 100 in a row one each 15 minutes.
    address   10 in 10 minutes, then blocked for 10 minutes.
    client    an API key that checks passwords for its visitors: 200 in a minute.
    reset     an address that tries the codes of reset mails: 20, then one a minute.
    verify    an address that tries the codes of verification mails: 20, then one a minute.
    appeal    an address that tries the codes of sanctions: 20, then one a minute.
    appeal_code  one such code, from all addresses: 30, then one each 30 seconds.
    code      an account whose authenticator app is tried, by whoever knows its password: 5,
              then a wait that doubles to 15 minutes.
    code-at   the same from a source where a second factor was correct within 30 days.
    codes-in  the same for one browser session, and for recovery codes too.
    link      the same for an address that tries the codes of sign-in links.
    report    reports by one account: 10 an hour.
    reported  reports about one account, by all: 200 an hour.
    order     an address that tries the claim codes of orders: 20, then one a minute.
    order_account  the same for one account: 10, then one each 6 minutes.
    redeem    an address that tries redeem codes: 20, then one a minute.
    redeem_account  the same for one account: 10, then one each 6 minutes.
    identity  an address that tries link codes: 20, then one a minute.
    identity_account  the same for one account or identity: 10, then one each 6 minutes.
    identity_client  a bot, a game server or staff that use link codes for others: 200 in a minute.
    identity_code  link codes that one account or identity gets: 10, then one a minute.
    identity_codes  link codes that one caller asks for: 200 in a minute.
    redeem_client  an API key or staff that redeem codes for accounts: 200 in a minute.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from math import inf
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth import client_traces
from gamekeeper.auth.client_traces import NOWHERE, ClientTrace
from gamekeeper.core.errors import TooManyRequests
from gamekeeper.core.names import LONGEST_KEY
from gamekeeper.db.database import Database, Writer


class Policy(Struct, frozen=True, kw_only=True):
    free: int
    """Failures before the first wait."""
    forgiven_after: float
    """Seconds after which one failure is forgiven."""
    wait: Callable[[float], float]
    """Seconds to wait after that many failures."""
    longest: float
    """Maximum wait in seconds, whatever is stored."""
    slow_after: float = inf
    """After this many failures in a row every wait is the longest."""


def _doubling(failures: float) -> float:
    """Exponential backoff: 1, 2, 4 seconds, up to 15 minutes."""
    return min(900, 2 ** min(10, failures - 5))


POLICIES = {
    "account": Policy(free=5, forgiven_after=3600, wait=_doubling, slow_after=100, longest=3600),
    "website": Policy(free=10, forgiven_after=90, wait=lambda _: 90, slow_after=100, longest=900),
    "pair": Policy(free=10, forgiven_after=90, wait=lambda _: 90, slow_after=100, longest=900),
    "address": Policy(free=10, forgiven_after=60, wait=lambda _: 600, longest=600),
    "client": Policy(free=200, forgiven_after=0.3, wait=lambda _: 1, longest=1),
    "reset": Policy(free=20, forgiven_after=60, wait=lambda _: 60, longest=60),
    "verify": Policy(free=20, forgiven_after=60, wait=lambda _: 60, longest=60),
    "appeal": Policy(free=20, forgiven_after=60, wait=lambda _: 60, longest=60),
    "appeal_code": Policy(free=30, forgiven_after=30, wait=lambda _: 30, longest=30),
    "code": Policy(free=5, forgiven_after=3600, wait=_doubling, longest=900),
    "code-at": Policy(free=5, forgiven_after=3600, wait=_doubling, longest=900),
    "codes-in": Policy(free=5, forgiven_after=3600, wait=_doubling, longest=900),
    "link": Policy(free=5, forgiven_after=3600, wait=_doubling, longest=900),
    "report": Policy(free=10, forgiven_after=360, wait=lambda _: 360, longest=360),
    "reported": Policy(free=200, forgiven_after=18, wait=lambda _: 18, longest=18),
    "order": Policy(free=20, forgiven_after=60, wait=lambda _: 60, longest=60),
    "order_account": Policy(free=10, forgiven_after=360, wait=lambda _: 360, longest=360),
    "redeem": Policy(free=20, forgiven_after=60, wait=lambda _: 60, longest=60),
    "redeem_account": Policy(free=10, forgiven_after=360, wait=lambda _: 360, longest=360),
    "identity": Policy(free=20, forgiven_after=60, wait=lambda _: 60, longest=60),
    "identity_account": Policy(free=10, forgiven_after=360, wait=lambda _: 360, longest=360),
    "identity_client": Policy(free=200, forgiven_after=0.3, wait=lambda _: 1, longest=1),
    "identity_code": Policy(free=10, forgiven_after=60, wait=lambda _: 60, longest=60),
    "identity_codes": Policy(free=200, forgiven_after=0.3, wait=lambda _: 1, longest=1),
    "redeem_client": Policy(free=200, forgiven_after=0.3, wait=lambda _: 1, longest=1),
}

KNOWN_DAYS = 30
"""Days that a source stays known after a correct password."""


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
    """One attempt at an account's password, and its source."""

    account: str
    """The folded name; the account need not exist: both cases are charged alike."""
    user_id: UUID | None
    source: str
    """`address:…`, or `client:…@…`: an API client and its visitor's address."""
    trace: ClientTrace = NOWHERE
    """The device and the address of the owner, which are stored if the password is correct."""

    @property
    def client(self) -> str | None:
        """The API client that made the attempt; None for a direct one."""
        client, visitor, _ = self.source.partition("@")
        return client if visitor else None


def from_client(client: str, address: str) -> str:
    """The source of a visitor of a client; `address` is the best address we know."""
    return f"client:{client}@{from_address(address)}"


def from_address(address: str) -> str:
    """The source of an address; for IPv6 the /64, because one home has many addresses."""
    return f"address:{client_traces.canonical_address(address) or 'unknown'}"


def consume(budget: Budget, now: datetime) -> Budget | timedelta:
    """Charge one failure, or return how long to wait."""
    policy = budget.policy
    longest = timedelta(seconds=policy.longest)
    # Versions before this one blocked accounts until the year 9999.
    blocked = min(budget.blocked_until, budget.counted_at + longest)
    if now < blocked:
        return blocked - now
    passed = max(0.0, (now - budget.counted_at).total_seconds())
    failures = max(0.0, budget.failures - passed / policy.forgiven_after) + 1
    streak = budget.streak + 1
    if streak >= policy.slow_after:
        blocked = now + longest
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
    """Reserve one attempt before the password is checked, or raise TooManyRequests."""
    await database.write(lambda writer: _charge(writer, attempt))


async def _charge(writer: Writer, attempt: Attempt) -> None:
    await charge_all(writer, await _subjects(writer, attempt))


async def charge_all(writer: Writer, subjects: list[str]) -> None:
    """Charge one failure to each of these budgets, or raise TooManyRequests."""
    budgets, now = await _locked(writer, subjects)
    charged = [consume(budget, now) for budget in budgets]
    # All or none: an attempt that one budget refuses must not use up the others.
    waits = [wait for wait in charged if isinstance(wait, timedelta)]
    if waits:
        raise TooManyRequests(max(waits).total_seconds())
    await _store(writer, [budget for budget in charged if isinstance(budget, Budget)])


async def charge_each(
    writer: Writer, groups: Sequence[Sequence[str]]
) -> list[TooManyRequests | None]:
    """Charge one to all budgets of each group, in order; the refusal of a group that cannot be."""
    found, now = await _locked(writer, sorted({subject for group in groups for subject in group}))
    budgets = {budget.subject: budget for budget in found}
    refusals: list[TooManyRequests | None] = []
    for group in groups:
        charged = [consume(budgets[subject], now) for subject in group]
        waits = [wait for wait in charged if isinstance(wait, timedelta)]
        if not waits:
            budgets |= {each.subject: each for each in charged if isinstance(each, Budget)}
        refusals.append(TooManyRequests(max(waits).total_seconds()) if waits else None)
    await _store(writer, list(budgets.values()))
    return refusals


async def _subjects(writer: Writer, attempt: Attempt) -> list[str]:
    """The budgets of an attempt: the account's for this source, and the source's own."""
    budget = await _budget(writer, attempt)
    if budget.startswith("pair:") and not attempt.client:
        # An address may be shared: its budget would let a neighbour's guesses block the owner.
        return [budget]
    return [budget, attempt.client or attempt.source]


async def _budget(writer: Writer, attempt: Attempt) -> str:
    # Also run without an account: skipping it would reveal by timing that none exists.
    known = await writer.value(
        """
        SELECT true FROM known_sources
         WHERE user_id = $1 AND source = $2
           AND seen_at > statement_timestamp() - make_interval(days => $3)
        """,
        attempt.user_id,
        attempt.source,
        KNOWN_DAYS,
    )
    account = attempt.account[:LONGEST_KEY]
    if known:
        return f"pair:{attempt.user_id}:{attempt.source}"
    if attempt.client:
        return f"website:{attempt.user_id or account}:{attempt.client}"
    return f"account:{account}"


async def _locked(writer: Writer, subjects: list[str]) -> tuple[list[Budget], datetime]:
    # Both statements in the order of the subjects, so that two attempts cannot deadlock.
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
    # Not now(): that is the transaction's start, before we waited for the lock.
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


async def reset_failures(database: Database, attempt: Attempt) -> None:
    """The password was correct: refund the charge, and remember the source."""

    async def work(writer: Writer) -> None:
        # Only the budget that was charged: otherwise each sign-in from a known source would
        # give attackers, who spend another budget, a new set of attempts.
        budget, *others = await _subjects(writer, attempt)
        await writer.run("DELETE FROM guess_budgets WHERE subject = $1", budget)
        for other in others:
            await refund(writer, other)
        assert attempt.user_id is not None
        await client_traces.remember(writer, attempt.user_id, attempt.source, attempt.trace)

    await database.write(work)


async def refund(writer: Writer, subject: str) -> None:
    """Refund one charge: the attempt was correct."""
    await writer.run(
        """
        UPDATE guess_budgets
           SET failures = greatest(0, failures - 1), streak = 0, blocked_until = 'epoch'
         WHERE subject = $1
        """,
        subject,
    )


async def clear_codes(writer: Writer, user: UUID) -> None:
    """Clear all failures at the second factors of an account, which were removed."""
    await writer.run(
        """
        DELETE FROM guess_budgets
         WHERE subject = $1 OR subject > $2 || ':' AND subject < $2 || ';'
        """,
        f"code:{user}",
        f"code-at:{user}",
    )


async def clear(writer: Writer, users: Sequence[UUID]) -> None:
    """Clear all failures of accounts whose passwords were replaced."""
    rows = await writer.rows("SELECT name_key FROM users WHERE id = ANY($1)", list(users))
    await writer.run(
        "DELETE FROM guess_budgets WHERE subject = ANY($1)",
        [f"account:{row['name_key'][:LONGEST_KEY]}" for row in rows],
    )
    await writer.run(
        """
        DELETE FROM guess_budgets USING unnest($1::text[]) AS wanted (prefix)
         WHERE subject > wanted.prefix || ':' AND subject < wanted.prefix || ';'
        """,
        [f"{kind}:{user}" for user in users for kind in ("pair", "website")],
    )
