"""
Writers that never rest, as a process of its own.

Each transaction is on one character and numbers what it writes, under the character's lock;
a few take long. For each action it is noted when its transaction was about to commit.
"""

import asyncio
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from struct import Struct
from typing import Any
from uuid import UUID

import asyncpg
import msgspec
import uvloop

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Writer
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from tests.make import BY

NOTE = Struct("<16sd")
"""An action, and the time before its commit was asked for: what is late is never called early."""

IN_A_TRANSACTION = 10
LONG_SECONDS = (0.5, 3.0)
LONG_SHARE = 0.005


class Work(msgspec.Struct, frozen=True):
    """What one process writes: so many actions, so many a second, all on characters of its own."""

    database_url: str
    notes: str
    players: list[UUID]
    writers: int
    transactions: int
    rate: float
    seed: int


class Writers:
    def __init__(self, work: Work) -> None:
        self._work = work
        self._settings = Settings(database_url=Hidden(work.database_url))
        self._left = work.transactions
        self._begun = time.monotonic()
        self._number: Counter[UUID] = Counter()

    async def run(self) -> None:
        with Path(self._work.notes).open("ab", buffering=0) as book:
            seeds = range(self._work.writers)
            await asyncio.gather(
                *(self._write(random.Random(self._work.seed * 100 + seed), book) for seed in seeds)
            )

    async def _write(self, dice: random.Random, book: Any) -> None:
        # A connection without the pool's deadlines: who waits behind a long one waits.
        connection = await asyncpg.connect(self._work.database_url)
        writer = Writer(connection, self._settings)
        while self._left:
            self._left -= 1
            await self._keep_pace()
            pause = dice.uniform(*LONG_SECONDS) if dice.random() < LONG_SHARE else 0
            async with connection.transaction():
                done = await self._act(writer, dice.choice(self._work.players), pause)
                asked = time.time()
            book.write(b"".join(NOTE.pack(action.id.bytes, asked) for action in done))
        await connection.close()

    async def _keep_pace(self) -> None:
        done = (self._work.transactions - self._left) * IN_A_TRANSACTION
        ahead = done / self._work.rate - (time.monotonic() - self._begun)
        if ahead > 0:
            await asyncio.sleep(ahead)

    async def _act(self, writer: Writer, player: UUID, pause: float) -> Sequence[Action]:
        """As operations do: numbered before the character is waited for, recorded after that."""
        await writer.value("SELECT pg_current_xact_id()")
        await writer.rows("SELECT id FROM players WHERE id = $1 FOR NO KEY UPDATE", player)
        first = self._number[player]
        done = [
            Action(kind="variables.set", by=BY, player_id=player, after={"value": number})
            for number in range(first, first + IN_A_TRANSACTION)
        ]
        await actions.record(writer, done)
        await asyncio.sleep(pause)
        self._number[player] += IN_A_TRANSACTION
        return done


if __name__ == "__main__":
    uvloop.run(Writers(msgspec.json.decode(sys.argv[1], type=Work)).run())
