"""
Retention: expired rows are deleted, table by table, in short transactions.

A statement deletes a bounded number of rows, found by an index on their age, and the
sweep goes on until nothing is left. A table that fails or is far behind does not delay
the others: each has a time slice. Overdue rows are logged and exported as a metric.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import LiteralString

import asyncpg

from gamekeeper.core.errors import Unavailable
from gamekeeper.core.observability import loggers, metrics
from gamekeeper.core.tasks import pause
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.queries import single_flight
from gamekeeper.db.retention_rules import RULES, Rule

BATCH = 2000
SMALLEST_BATCH = 50
TURN_SECONDS = 30.0
MEASURE_SECONDS = 0.5
BEHIND_SECONDS = 3600.0
"""The sweep runs every ten minutes; rows overdue for longer mean that it cannot keep up."""

log = loggers.get_logger()


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
    seconds = rule.seconds(database.settings)
    return await database.write(lambda writer: writer.run(rule.statement, batch, seconds))


@single_flight
async def overdue(reader: Reader) -> dict[str, float]:
    """For how many seconds the oldest row of each table has been overdue."""
    [ages] = await reader.rows(AGES)
    return {
        rule.name: max(0.0, (age or 0.0) - rule.seconds(reader.settings))
        for rule, age in zip(RULES, ages.values(), strict=True)
    }


AGES: LiteralString = f"SELECT {', '.join(rule.oldest for rule in RULES)}"


async def measure(reader: Reader) -> None:
    """Set the gauges, if the database answers in time."""
    with suppress(Unavailable, TimeoutError):
        async with asyncio.timeout(MEASURE_SECONDS):
            for name, seconds in (await overdue(reader)).items():
                metrics.RETENTION_OVERDUE.labels(name).set(seconds)
