"""
Retention: expired rows are deleted, table by table, in short transactions.

A statement deletes a bounded number of rows, found by an index on their age, and the
sweep goes on until nothing is left. A table that fails or is far behind does not delay
the others: each has a time slice. Overdue rows are logged and exported as a metric.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import LiteralString

import asyncpg
from msgspec import Struct

from gamekeeper.core import loggers, metrics
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.settings import Settings
from gamekeeper.core.tasks import pause
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.queries import single_flight

BATCH = 2000
SMALLEST_BATCH = 50
TURN_SECONDS = 30.0
MEASURE_SECONDS = 0.5
BEHIND_SECONDS = 3600.0
"""The sweep runs every ten minutes; rows overdue for longer mean that it cannot keep up."""

log = loggers.get_logger()


class Rule(Struct, frozen=True, kw_only=True):
    """The retention rule of one table: which rows expire, and when."""

    name: LiteralString
    table: LiteralString
    key: LiteralString
    age: LiteralString
    """The column from which the days are counted; there is an index on it."""
    days: Callable[[Settings], int]
    where: LiteralString = "true"
    unless: LiteralString = "false"
    """A condition on rows of another table that must be swept first."""

    @property
    def is_dependent(self) -> bool:
        return self.unless != "false"

    @property
    def statement(self) -> LiteralString:
        """Delete at most $1 rows older than $2 days, the oldest first."""
        # Checked twice: a row may have been renewed since it was found.
        expired: LiteralString = f"{self.where} AND {self.age} < now() - make_interval(days => $2)"
        return f"""
            {self.change}
             WHERE ({self.key}) IN
                   (SELECT {self.key} FROM {self.table}
                     WHERE {expired} AND NOT ({self.unless})
                     ORDER BY {self.age} LIMIT $1)
               AND {expired}
        """

    @property
    def change(self) -> LiteralString:
        return f"DELETE FROM {self.table}"

    @property
    def oldest(self) -> LiteralString:
        """The age in seconds of the oldest row, expired or not."""
        return f"""
            (SELECT extract(epoch FROM now() - {self.age})::float8
               FROM {self.table} WHERE {self.where} ORDER BY {self.age} LIMIT 1)
                AS "{self.name}"
        """


class Emptied(Rule, frozen=True, kw_only=True):
    """A rule that sets a column to NULL and keeps the row."""

    column: LiteralString

    @property
    def change(self) -> LiteralString:
        return f"UPDATE {self.table} SET {self.column} = NULL"


RULES: list[Rule] = [
    Rule(
        name="access_tokens",
        table="access_tokens",
        key="hash",
        age="expires_at",
        days=lambda _: 1,
    ),
    Rule(
        name="refresh_tokens",
        table="refresh_tokens",
        key="hash",
        age="expires_at",
        days=lambda _: 1,
    ),
    Rule(
        name="token_families",
        table="token_families",
        key="user_id, id",
        age="expires_at",
        days=lambda _: 1,
        # Deleting a family deletes its tokens, and there may be any number of them.
        unless="""
            EXISTS (SELECT FROM access_tokens AS token
                     WHERE (token.user_id, token.family_id)
                           = (token_families.user_id, token_families.id))
            OR EXISTS (SELECT FROM refresh_tokens AS token
                        WHERE (token.user_id, token.family_id)
                              = (token_families.user_id, token_families.id))
        """,
    ),
    Rule(
        name="password_resets",
        table="password_resets",
        key="user_id, id",
        age="expires_at",
        days=lambda _: 1,
    ),
    Rule(
        name="browser_sessions",
        table="browser_sessions",
        key="id",
        age="expires_at",
        days=lambda _: 1,
    ),
    Rule(
        name="sign_in_links",
        table="sign_in_links",
        key="hash",
        age="expires_at",
        days=lambda _: 1,
    ),
    Rule(
        name="known_sources",
        table="known_sources",
        key="user_id, source",
        age="seen_at",
        days=lambda _: 31,
    ),
    Rule(
        name="guess_budgets",
        table="guess_budgets",
        key="subject",
        age="counted_at",
        days=lambda _: 1,
        where="streak < 20",
    ),
    Rule(
        name="guess_budgets_streaks",
        table="guess_budgets",
        key="subject",
        age="counted_at",
        days=lambda _: 30,
        where="streak >= 20",
    ),
    Rule(
        name="webhook_deliveries",
        table="webhook_deliveries",
        key="webhook_id, id",
        age="tried_at",
        days=lambda settings: settings.event_days,
        where="state <> 'waiting'",
    ),
    Rule(
        name="commands",
        table="commands",
        key="id",
        age="created_at",
        days=lambda _: 90,
    ),
    Emptied(
        name="replies",
        table="replies",
        key="caller, key",
        age="created_at",
        days=lambda _: 30,
        where="body IS NOT NULL",
        column="body",
    ),
    Rule(
        name="deleted_players",
        table="deleted_players",
        key="player_id",
        age="deleted_at",
        days=lambda settings: settings.deleted_player_days,
    ),
    Rule(
        name="approval_requests",
        table="approval_requests",
        key="id",
        age="expires_at",
        days=lambda _: 366,
    ),
    Rule(
        name="quota_usage",
        table="quota_usage",
        key="actor, day, subject",
        age="day",
        days=lambda _: 31,
    ),
    Rule(
        name="online_counts_minutes",
        table="online_counts",
        key="span, at",
        age="at",
        days=lambda _: 8,
        where="span = 'minute'",
    ),
    Rule(
        name="online_counts_hours",
        table="online_counts",
        key="span, at",
        age="at",
        days=lambda _: 2 * 366,
        where="span = 'hour'",
    ),
    Rule(
        name="server_online_minutes",
        table="server_online_counts",
        key="span, at, server_id",
        age="at",
        days=lambda _: 8,
        where="span = 'minute'",
    ),
    Rule(
        name="server_online_hours",
        table="server_online_counts",
        key="span, at, server_id",
        age="at",
        days=lambda _: 2 * 366,
        where="span = 'hour'",
    ),
    Rule(
        name="server_online_days",
        table="server_online_counts",
        key="span, at, server_id",
        age="at",
        days=lambda _: 5 * 366,
        where="span = 'day'",
    ),
    Rule(
        name="item_movements",
        table="item_movements",
        key="item_id, day, player_id, action_id, against",
        age="day",
        days=lambda _: 92,
    ),
    Rule(
        name="action_counts",
        table="action_counts",
        key="hour, kind",
        age="hour",
        days=lambda _: 2 * 366,
    ),
]


async def sweep(database: Database, stop: asyncio.Event) -> None:
    """Delete all expired rows, until `stop`; log an error if rows are overdue."""
    for dependent in (False, True):
        waiting = [rule for rule in RULES if rule.is_dependent == dependent]
        while waiting and not stop.is_set():
            waiting = [rule for rule in waiting if await _has_more(database, rule, stop)]
            await _report(database.reader, waiting)
    await _report(database.reader, RULES)


async def _report(reader: Reader, rules: Sequence[Rule]) -> None:
    """Log an error for tables with rows that are long overdue."""
    if not rules:
        return
    late = await overdue(reader)
    for rule in rules:
        if late[rule.name] > BEHIND_SECONDS:
            log.error("retention_behind", table=rule.name, overdue_seconds=int(late[rule.name]))


async def _has_more(database: Database, rule: Rule, stop: asyncio.Event) -> bool:
    """Sweep a table for one time slice; whether expired rows are left."""
    batch, until = BATCH, monotonic() + TURN_SECONDS
    while not stop.is_set() and monotonic() < until:
        begun = monotonic()
        try:
            gone = await _delete(database, rule, batch)
        except (Unavailable, asyncpg.PostgresError) as fault:
            if batch == SMALLEST_BATCH or not isinstance(fault, Unavailable):
                log.error("retention_failed", table=rule.name, fault=repr(fault.__cause__ or fault))  # noqa: TRY400
                return False
            batch = SMALLEST_BATCH
            continue
        if gone < batch:
            return False
        # Throttling: pause as long as the statement took.
        await pause(stop, monotonic() - begun)
    return True


async def _delete(database: Database, rule: Rule, batch: int) -> int:
    days = rule.days(database.settings)
    return await database.write(lambda writer: writer.run(rule.statement, batch, days))


@single_flight
async def overdue(reader: Reader) -> dict[str, float]:
    """For how many seconds the oldest row of each table has been overdue."""
    [ages] = await reader.rows(AGES)
    return {
        rule.name: max(0.0, (age or 0.0) - rule.days(reader.settings) * 86_400)
        for rule, age in zip(RULES, ages.values(), strict=True)
    }


AGES: LiteralString = f"SELECT {', '.join(rule.oldest for rule in RULES)}"


async def measure(reader: Reader) -> None:
    """Set the gauges, if the database answers in time."""
    with suppress(Unavailable, TimeoutError):
        async with asyncio.timeout(MEASURE_SECONDS):
            for name, seconds in (await overdue(reader)).items():
                metrics.RETENTION_OVERDUE.labels(name).set(seconds)
