"""
Rules that hold (ledger/findings/rules.py): gifts beyond one wait for approval.

Which items have such a rule is read with the items themselves, so a gift of another item costs
nothing. Otherwise the counters of the rules are locked until the transaction ends, so that gifts
at once cannot overshoot together. The game counts too, by the sums of the worker; those are some
seconds late, so a counter is never less than they say.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.catalog.items import StoredItem
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger.findings.rules import MAX_QUANTITY, Shape
from gamekeeper.players.quotas import LimitExceeded

API_CALLERS = ("key:", "user:")
"""Only these can request an approval. The command line is for operators, who make the rules."""


class HeldByRule(LimitExceeded):
    """An economy rule holds this change. Another staff member must approve the request."""


class HeldGift(Struct, frozen=True, kw_only=True):
    by: AuditContext
    player: UUID
    item: StoredItem
    quantity: int

    @property
    def is_subject(self) -> bool:
        """Whether rules may hold it; an approved gift was held before."""
        return self.by.approved_by is None and self.by.actor.startswith(API_CALLERS)


class HoldRule(Struct, frozen=True):
    name: str
    shape: Shape
    item_id: UUID | None
    more_than: int
    days: int | None

    def amount(self, gift: HeldGift) -> int:
        """How much of what the rule counts the gift is."""
        if self.item_id is None:
            return gift.quantity * (gift.item.value or 0)
        return gift.quantity if self.item_id == gift.item.id else 0


class GiftedAccount(Struct, frozen=True):
    id: UUID
    player_id: UUID
    age_days: float


class HoldCounter(Struct, frozen=True):
    """The key of a counter: a rule, whom it counts for, and since when."""

    rule: str
    subject: str
    period: datetime


class Holds:
    def __init__(
        self,
        rules: Sequence[HoldRule],
        accounts: Mapping[UUID, GiftedAccount],
        periods: Mapping[Shape, datetime],
    ) -> None:
        self._rules, self._accounts, self._periods = rules, accounts, periods
        self._used: dict[HoldCounter, int] = {}
        self._changed: set[HoldCounter] = set()

    @classmethod
    async def lock(cls, writer: Writer, gifts: Sequence[HeldGift]) -> "Holds":
        """Load the rules that may hold these gifts; lock and load their counters."""
        held = [gift for gift in gifts if gift.is_subject and gift.item.is_held]
        items = sorted({gift.item.id for gift in held})
        rules = await writer.all(HoldRule, RULES, items) if held else []
        accounts: list[GiftedAccount] = []
        if any(rule.days for rule in rules):
            accounts = await writer.all(GiftedAccount, ACCOUNTS, [gift.player for gift in held])
        [now] = await writer.rows(PERIODS)
        periods: dict[Shape, datetime] = {
            "created_per_hour": now["hour"],
            "given_per_day": now["day"],
            "received_by_new_account": now["always"],
        }
        holds = cls(rules, {account.player_id: account for account in accounts}, periods)
        await holds._load(writer, held)
        return holds

    async def _load(self, writer: Writer, gifts: Sequence[HeldGift]) -> None:
        wanted = {counter: rule for gift in gifts for rule, counter, _ in self._concerned(gift)}
        # Always in this order, so that two lists cannot deadlock.
        counters = sorted(wanted, key=lambda counter: (counter.rule, counter.subject))
        if not counters:
            return
        await writer.run(LOCK, *_columns(counters))
        # A statement of its own: it must see what the last transaction counted.
        rows = await writer.rows(USED, *_columns(counters))
        self._used = dict(zip(counters, (row["used"] for row in rows), strict=True))

    def _concerned(self, gift: HeldGift) -> list[tuple[HoldRule, HoldCounter, int]]:
        """The rules that concern a gift, their counters, and what each would count."""
        if not gift.is_subject:
            return []
        return [
            (rule, HoldCounter(rule.name, subject, self._periods[rule.shape]), amount)
            for rule in self._rules
            if (amount := rule.amount(gift))
            if (subject := self._subject(rule, gift)) is not None
        ]

    def _subject(self, rule: HoldRule, gift: HeldGift) -> str | None:
        match rule.shape:
            case "created_per_hour":
                return ""
            case "given_per_day":
                return gift.by.actor
            case "received_by_new_account":
                account = self._accounts.get(gift.player)
                is_new = account and rule.days and account.age_days < rule.days
                return str(account.id) if account and is_new else None

    def check(self, gift: HeldGift) -> None:
        """Raise HeldByRule if a gift exceeds a rule."""
        for rule, counter, amount in self._concerned(gift):
            used = self._used[counter]
            if used + amount > rule.more_than:
                raise HeldByRule(
                    f"The economy rule '{rule.name}' holds this change: it allows "
                    f"{rule.more_than:,}, of which {used:,} are used, and this needs {amount:,}. "
                    "Another staff member must approve the request.",
                    limit=f"rule:{rule.name}",
                    allowed=rule.more_than,
                    used=used,
                    wanted=min(amount, MAX_QUANTITY),
                )

    def count(self, gift: HeldGift) -> None:
        """Count a gift that was made."""
        for _, counter, amount in self._concerned(gift):
            self._used[counter] = min(MAX_QUANTITY, self._used[counter] + amount)
            self._changed.add(counter)

    async def save(self, writer: Writer) -> None:
        if self._changed:
            counters = list(self._changed)
            used = [self._used[counter] for counter in counters]
            await writer.run(SAVE, *_columns(counters), used)


def _columns(counters: Sequence[HoldCounter]) -> tuple[list[str], list[str], list[datetime]]:
    return (
        [counter.rule for counter in counters],
        [counter.subject for counter in counters],
        [counter.period for counter in counters],
    )


# The lock keeps a rule from being deleted before its counters are written.
RULES: LiteralString = """
    SELECT name, shape, item_id, more_than, days
      FROM economy_rules
     WHERE effect = 'hold' AND (item_id IS NULL OR item_id = ANY($1))
     ORDER BY name
       FOR KEY SHARE
"""

ACCOUNTS: LiteralString = """
    SELECT users.id, players.id AS player_id,
           extract(epoch FROM now() - users.created_at)::float8 / 86400 AS age_days
      FROM players JOIN users ON users.id = players.user_id
     WHERE players.id = ANY($1)
"""

PERIODS: LiteralString = """
    SELECT date_trunc('hour', now(), 'UTC') AS hour, date_trunc('day', now(), 'UTC') AS day,
           'epoch'::timestamptz AS always
"""

LOCK: LiteralString = """
    INSERT INTO hold_usage AS old (rule, subject, period, used)
    SELECT rule, subject, period, 0
      FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS new (rule, subject, period)
    ON CONFLICT (rule, subject, period) DO UPDATE SET used = old.used
"""

# What gifts counted, or the sums if those say more. A rule without an item counts values.
USED: LiteralString = """
    SELECT greatest(
               used,
               CASE rule.shape
                   WHEN 'created_per_hour' THEN (
                       SELECT sum(CASE WHEN rule.item_id IS NULL
                                       THEN created::numeric * coalesce(value, 0)
                                       ELSE created END)
                         FROM item_hours JOIN items ON items.id = item_hours.item_id
                        WHERE hour = wanted.period
                          AND (rule.item_id IS NULL OR item_hours.item_id = rule.item_id))
                   WHEN 'given_per_day' THEN (
                       SELECT sum(CASE WHEN rule.item_id IS NULL
                                       THEN quantity::numeric * coalesce(value, 0)
                                       ELSE quantity END)
                         FROM item_gifts JOIN items ON items.id = item_gifts.item_id
                        WHERE hour >= wanted.period AND actor = wanted.subject
                          AND (rule.item_id IS NULL OR item_gifts.item_id = rule.item_id))
                   ELSE (SELECT quantity FROM new_account_receipts AS receipt
                          WHERE receipt.rule = rule.name
                            AND receipt.user_id::text = wanted.subject)
               END, 0)::bigint AS used
      FROM unnest($1::text[], $2::text[], $3::timestamptz[])
           WITH ORDINALITY AS wanted (rule, subject, period, position)
      JOIN economy_rules AS rule ON rule.name = wanted.rule
      JOIN hold_usage AS usage
        ON (usage.rule, usage.subject, usage.period) = (wanted.rule, wanted.subject, wanted.period)
     ORDER BY position
"""

SAVE: LiteralString = """
    UPDATE hold_usage SET used = new.used
      FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::bigint[])
           AS new (rule, subject, period, used)
     WHERE (hold_usage.rule, hold_usage.subject, hold_usage.period)
           = (new.rule, new.subject, new.period)
"""
