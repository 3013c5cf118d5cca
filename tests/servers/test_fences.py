"""
A game server is stopped until its place is taken, and goes on: it changes nothing any more.

`TORTURE_FENCES` says how often; `just gate` raises it.
"""

import asyncio
import os
import random
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from pathlib import Path
from uuid import UUID

import httpx2

from gamekeeper.auth import keys
from gamekeeper.db.database import Database
from tests.clients import shared_server as shared
from tests.deadlines import PATIENCE
from tests.make import BY, make_item, make_player, make_user
from tests.processes import ended
from tests.servers.game_server import GameServer

FENCES = int(os.environ.get("TORTURE_FENCES", "8"))
AT_ONCE = 8
PUPPET = Path(__file__).with_name("puppet.py")

shared_url, settings, database = shared.shared_url, shared.settings, shared.database
url = shared.url


class Theatre:
    def __init__(self, database: Database, client: httpx2.AsyncClient, key: str) -> None:
        self._database = database
        self._client = client
        self._key = key
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._port = str(client.base_url.port)

    async def act(self, number: int, owner: UUID, item: UUID) -> str:
        """The first thing that a puppet hears after it was fenced; it must have changed nothing."""
        async with self._gate:
            player = await make_player(self._database, user=owner)
            name = f"Realm {number}"
            arguments = [self._port, self._key, name, str(player), str(item)]
            puppet = await asyncio.create_subprocess_exec(
                sys.executable, str(PUPPET), *arguments, stdout=PIPE, start_new_session=True
            )
            try:
                return await self._fence(puppet, number, player)
            finally:
                await ended(puppet)

    async def _fence(self, puppet: Process, number: int, player: UUID) -> str:
        assert puppet.stdout is not None
        assert await puppet.stdout.readline() == b"playing\n"
        await asyncio.sleep(random.uniform(0.2, 0.6))
        puppet.send_signal(signal.SIGSTOP)
        # What it had sent is done by then.
        await asyncio.sleep(0.2)
        await self._end_lease(f"Realm {number}")
        # By name the same place is taken; else only its character, by a server elsewhere.
        place = f"Realm {number}" if number % 2 else f"Elsewhere {number}"
        taker = await GameServer.register(self._client, place)
        await taker.join(player)
        before = await self._books(player)
        assert before[0] > 0, "it never played"
        puppet.send_signal(signal.SIGCONT)
        async with asyncio.timeout(PATIENCE):
            heard = (await puppet.stdout.readline()).decode().strip()
        assert await self._books(player) == before
        await taker.say("stop")
        return heard

    async def _end_lease(self, name: str) -> None:
        ended = "UPDATE servers SET lease_until = now() - interval '1 second' WHERE name = $1"
        await self._database.write(lambda writer: writer.run(ended, name))

    async def _books(self, player: UUID) -> tuple[int, int, int]:
        """How many it holds, how far its ledger is, how many actions are about it."""
        [row] = await self._database.reader.rows(
            """
            SELECT (SELECT coalesce(sum(quantity), 0) FROM slots WHERE player_id = $1),
                   (SELECT coalesce(max(seq), 0) FROM ledger_heads WHERE player_id = $1),
                   (SELECT count(*) FROM actions WHERE player_id = $1)
            """,
            player,
        )
        return row[0], row[1], row[2]


async def test_a_fenced_servers_late_batch_changes_nothing(database: Database, url: str):
    key = await keys.create.one(database, keys.NewKey(by=BY, name="puppets"))
    owner = await make_user(database)
    potion = await make_item(database, inventory_stack=1_000_000)
    async with httpx2.AsyncClient(
        base_url=url,
        headers={"Authorization": f"Bearer {key}"},
        timeout=PATIENCE,
    ) as client:
        theatre = Theatre(database, client, str(key))
        heard = Counter(
            await asyncio.gather(*(theatre.act(number, owner, potion) for number in range(FENCES)))
        )
    print(f"\n{FENCES} stopped, fenced and continued: {dict(heard)}")
    assert set(heard) <= {"409 fenced", "heart fenced", "alone fenced"}
    assert heard.total() == FENCES
