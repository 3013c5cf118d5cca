"""
The number of members of a segment, with some of them; an estimate if counting takes longer.

Few counts run at once, each for a limited time (load shedding): the others wait for a moment and
then get 503, so that no number of open consoles slows down the game.
"""

from collections.abc import Awaitable, Callable
from typing import Any, LiteralString

from gamekeeper.core.errors import Unavailable
from gamekeeper.db.batching import Batcher
from gamekeeper.db.database import Reader, StatementTooSlow
from gamekeeper.db.paging import pages
from gamekeeper.db.paging.orderings import PLAYERS
from gamekeeper.segments import checks, estimates
from gamekeeper.segments.estimates import BlockSample, Estimate
from gamekeeper.segments.members import find_members
from gamekeeper.segments.records import SAMPLE_SIZE, Definition, SegmentPreview
from gamekeeper.segments.statements import SCANNED, compile_segment

COUNT_SECONDS = 1.0
"""For an exact count, before it is estimated instead."""
ESTIMATE_SECONDS = 0.8
"""For the sample; together they stay below two seconds."""
EXACT_SECONDS = 20.0
"""For an exact count on request."""

COUNTS_AT_ONCE = 2
EXACT_COUNTS_AT_ONCE = 1
"""Per process."""

EXAMINED_ROWS = 40_000
"""Conditions that a sample examines, roughly: with more conditions, it has fewer rows."""


class CountTooSlow(Unavailable):
    """Counting takes longer than 20 seconds. Use the estimate, or fewer conditions."""


async def preview(reader: Reader, definition: Definition, *, exact: bool) -> SegmentPreview:
    """
    Count the members of an unsaved segment, and return up to 20 of them.

    Unless `exact`, a count that takes longer than a second is replaced by an estimate.
    """
    checks.check(definition)
    await checks.check_objects(reader, definition)

    async def work() -> SegmentPreview:
        return await (_exact if exact else _quick)(reader, definition)

    return await _queued(reader, work, exact=exact)


async def _queued(
    reader: Reader, work: Callable[[], Awaitable[SegmentPreview]], *, exact: bool
) -> SegmentPreview:
    async def run(turns: list[Callable[[], Awaitable[Any]]]) -> list[Any]:
        return [await turn() for turn in turns]

    name, concurrency = (
        ("exact_segment_counts", EXACT_COUNTS_AT_ONCE)
        if exact
        else ("segment_counts", COUNTS_AT_ONCE)
    )
    batcher = reader.batcher(name, lambda: Batcher(run, concurrency=concurrency, largest=1))
    return await batcher.submit(work)


async def _exact(reader: Reader, definition: Definition) -> SegmentPreview:
    try:
        return await _counted(reader, definition, EXACT_SECONDS)
    except StatementTooSlow:
        raise CountTooSlow from None


async def _quick(reader: Reader, definition: Definition) -> SegmentPreview:
    try:
        return await _counted(reader, definition, COUNT_SECONDS)
    except StatementTooSlow:
        pass
    try:
        return await _estimated(reader, definition)
    except StatementTooSlow:
        raise CountTooSlow from None


async def _counted(reader: Reader, definition: Definition, seconds: float) -> SegmentPreview:
    declared = await checks.find_variables(reader, definition)
    segment = compile_segment(definition, declared, "all")
    sql: LiteralString = f"""
        WITH members AS MATERIALIZED (SELECT players.id FROM players WHERE {segment.where})
        SELECT (SELECT count(*) FROM members) AS count,
               ARRAY(SELECT id FROM members ORDER BY id LIMIT {segment.after(1)}) AS samples
    """
    [row] = await reader.rows_within(seconds, sql, *segment.args, SAMPLE_SIZE)
    number: int = row["count"]
    exact = Estimate(count=number, at_least=number, at_most=number)
    return await _preview(reader, exact, row["samples"], is_estimate=False)


async def _estimated(reader: Reader, definition: Definition) -> SegmentPreview:
    total = await pages.total(reader, PLAYERS)
    declared = await checks.find_variables(reader, definition)
    segment = compile_segment(definition, declared, "each")
    rows = EXAMINED_ROWS // (4 + len(definition.conditions))
    percent = min(100.0, 100 * rows / max(1, total))
    # The block is the first number of the row's address. Each call samples other blocks.
    sql: LiteralString = f"""
        WITH sample AS MATERIALIZED (
            SELECT (players.ctid::text::point)[0]::bigint AS block, {SCANNED}
              FROM players TABLESAMPLE SYSTEM ({segment.after(1)}::real)
        ), examined AS MATERIALIZED (
            SELECT block, id, {segment.where} AS is_hit FROM sample AS players
        )
        SELECT count(*) AS rows, count(*) FILTER (WHERE is_hit) AS hits,
               (array_agg(id) FILTER (WHERE is_hit))[1:{segment.after(2)}] AS samples
          FROM examined
         GROUP BY block
    """
    found = await reader.rows_within(ESTIMATE_SECONDS, sql, *segment.args, percent, SAMPLE_SIZE)
    guess = estimates.estimate(total, [BlockSample(row["rows"], row["hits"]) for row in found])
    samples = [player for row in found for player in row["samples"] or ()][:SAMPLE_SIZE]
    return await _preview(reader, guess, sorted(samples), is_estimate=True)


async def _preview(
    reader: Reader, number: Estimate, samples: list[Any], *, is_estimate: bool
) -> SegmentPreview:
    return SegmentPreview(
        count=number.count,
        is_estimate=is_estimate,
        at_least=number.at_least,
        at_most=number.at_most,
        samples=await find_members(reader, samples),
    )
