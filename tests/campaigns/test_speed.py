"""
The speed of a campaign beside bare PostgreSQL: `just slow tests/campaigns/test_speed.py`.

Bare PostgreSQL inserts the same rows into tables with the same columns, indexes and checks, in
transactions of the same size, one statement for each table. `CAMPAIGN_SPEED` is the number of
characters.
"""

import asyncio
import os
import time
from typing import LiteralString
from uuid import UUID

import pytest

from gamekeeper.campaigns import runner
from gamekeeper.db.database import Database, Writer
from gamekeeper.ledger.verify_ledger import verify
from tests.campaigns.crowds import Crowd
from tests.make import make_player

SIZE = int(os.environ.get("CAMPAIGN_SPEED", "20000"))
AT_ONCE = 50
"""Characters that are made at a time."""
WRITTEN: tuple[LiteralString, ...] = (
    "letters",
    "letter_slots",
    "actions",
    "postings",
    "campaign_recipients",
)
"""The tables in which a letter has rows, each with the id of its character."""

SCHEMAS: tuple[LiteralString, ...] = ("public", "bare")

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("schema_changes")]


async def test_a_campaign_beside_bare_postgresql(database: Database, settings):
    crowd = await Crowd.make(database, size=1)
    await multiply(database, crowd.players[0])
    campaign = await crowd.ready(crowd.letter(), per_second=10_000)
    assert campaign.recipients == SIZE
    await crowd.start(campaign.id)
    begun = time.monotonic()
    done = await crowd.advanced(campaign.id)
    seconds = time.monotonic() - begun
    assert (done.state, done.done) == ("finished", SIZE)

    bare = await bare_seconds(database)

    print(f"\n{SIZE:,} letters in {seconds:.1f} s, {SIZE / seconds:,.0f}/s; ", end="")
    print(f"bare PostgreSQL {bare:.1f} s, {SIZE / bare:,.0f}/s: {bare / seconds:.0%} of it")
    assert (await verify(settings)).breaches == []


async def multiply(database: Database, veteran: UUID) -> None:
    """More characters of one account, like the one that there is."""
    user = await database.reader.value("SELECT user_id FROM players WHERE id = $1", veteran)
    for first in range(1, SIZE, AT_ONCE):
        made = (
            make_player(database, f"Recruit {number}", user=user, level=20)
            for number in range(first, min(first + AT_ONCE, SIZE))
        )
        await asyncio.gather(*made)


async def bare_seconds(database: Database) -> float:
    """Insert the rows of the campaign again, by character, in the order that it had."""
    players = await database.reader.rows("SELECT player_id FROM campaign_recipients ORDER BY 1")
    ids = [row["player_id"] for row in players]

    async def prepare(writer: Writer) -> None:
        await writer.run("CREATE SCHEMA bare")
        for table in WRITTEN:
            await writer.run(f"CREATE TABLE bare.{table} (LIKE public.{table} INCLUDING ALL)")

    await database.write(prepare)
    begun = time.monotonic()
    for first in range(0, len(ids), runner.BATCH):
        batch = ids[first : first + runner.BATCH]

        async def insert(writer: Writer, batch: list[UUID] = batch) -> None:
            for table in WRITTEN:
                await writer.run(
                    f"INSERT INTO bare.{table} SELECT * FROM public.{table}"
                    f" WHERE player_id = ANY($1)",
                    batch,
                )

        await database.write(insert)
    seconds = time.monotonic() - begun
    for table in WRITTEN:
        counts = [
            await database.reader.value(
                f"SELECT count(*) FROM {schema}.{table} WHERE player_id = ANY($1)", ids
            )
            for schema in SCHEMAS
        ]
        assert counts[0] == counts[1] >= SIZE, table
    return seconds
