"""
Clients that sign in before every call, as real websites do: calls a second, and what they leave.

They are visitors of one website: one account, one address. A visitor who is refused waits as long
as it is told to, then tries again. Settings after the numbers are given to the server.

    python -m tests.clusters .venv/bin/python -m tests.torture.sign_in_every_call \
        [clients] [seconds] [GAMEKEEPER_…=…]…
"""

import asyncio
import os
import random
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from time import monotonic

import httpx2
from msgspec import Struct, field

from gamekeeper.core.settings import Settings
from gamekeeper.db import retention
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from tests.databases import cloned
from tests.make import make_player, make_user, sha
from tests.server import serving

PASSWORD = "the secret of a website"
SIGN_IN = {"grant_type": "password", "username": "website", "password": sha(PASSWORD)}
CALL = "/api/v1/info/stats"
LONGEST_WAIT = 5.0
"""No visitor waits longer, whatever it is told."""


class Load(Struct):
    """What all clients did together."""

    sign_in_seconds: list[float] = field(default_factory=list)
    call_seconds: list[float] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    """How often, by status and code; or by what became of the connection."""

    async def send(self, clients: int, seconds: float, url: str) -> None:
        end = monotonic() + seconds
        await asyncio.gather(*(self._visits(url, end) for _ in range(clients)))

    async def _visits(self, url: str, end: float) -> None:
        # A client for each: in a pool of a thousand connections, each call looks at all of them.
        async with httpx2.AsyncClient(base_url=url, timeout=30) as client:
            while monotonic() < end:
                try:
                    await self._visit(client, end)
                except httpx2.TransportError as fault:
                    self.refused[type(fault).__name__] += 1

    async def _visit(self, client: httpx2.AsyncClient, end: float) -> None:
        begun = monotonic()
        signed = await client.post("/api/oauth/token", data=SIGN_IN)
        if signed.status_code != 200:
            await self._refuse(signed, end)
            return
        self.sign_in_seconds.append(monotonic() - begun)
        begun = monotonic()
        token = signed.json()["access_token"]
        answer = await client.get(CALL, headers={"Authorization": f"Bearer {token}"})
        if answer.status_code != 200:
            await self._refuse(answer, end)
            return
        self.call_seconds.append(monotonic() - begun)

    async def _refuse(self, answer: httpx2.Response, end: float) -> None:
        self.refused[f"{answer.status_code} {answer.json().get('Code')}"] += 1
        told = float(answer.headers.get("Retry-After", 1))
        # Visitors do not all come back at the same moment.
        pause = min(told, LONGEST_WAIT) * random.uniform(1, 1.5)
        await asyncio.sleep(max(0, min(pause, end - monotonic())))


class Room(Struct, frozen=True):
    """The rows of every table, and the bytes of those that sign-ins write."""

    rows: dict[str, int]
    bytes: dict[str, int]

    def grown(self, before: "Room") -> dict[str, int]:
        return {
            table: rows - before.rows[table]
            for table, rows in self.rows.items()
            if rows > before.rows[table]
        }


async def measure_room(database: Database) -> Room:
    tables = await database.reader.rows(
        """
        SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
         WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname
        """
    )
    rows = {
        table["name"]: await database.reader.value(f'SELECT count(*) FROM "{table["name"]}"')
        for table in tables
    }
    return Room(rows, {table["name"]: table["bytes"] for table in tables})


async def prepare(database: Database) -> None:
    await make_user(database, "website", password=PASSWORD, api=True, user_query=True)
    await make_player(database, "Ana")


def memory(group: int) -> int:
    """The resident bytes of all processes of a group."""
    pages = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int((folder / "stat").read_text().rpartition(")")[2].split()[2]) == group:
                pages += int((folder / "statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def main(clients: int, seconds: float, env: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory(prefix="gamekeeper-sign-ins-") as folder:
        async with cloned("template1") as made:
            # Not those of the tests: an operator's.
            settings = Settings(database_url=made.database_url)
            await migrate(settings)
            async with Database.open(settings) as database:
                await prepare(database)
                await database.write(lambda writer: writer.run(DURABLE))
                await _measure(database, Path(folder), clients, seconds, env)


DURABLE = """
    DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I RESET synchronous_commit', current_database());
    END $$
"""


async def _measure(
    database: Database, folder: Path, clients: int, seconds: float, env: dict[str, str]
) -> None:
    with serving(database.settings, folder / "log", **env) as (url, process):
        before, resident = await measure_room(database), memory(process.pid)
        load = Load()
        begun = monotonic()
        await load.send(clients, seconds, url)
        took = monotonic() - begun
        after, grown = await measure_room(database), memory(process.pid)
        await retention.sweep(database, asyncio.Event())
        swept = await measure_room(database)
    print(f"{clients:,} clients, {took:.1f} s, {env or 'default settings'}")
    _show("sign-ins", load.sign_in_seconds, took)
    _show("calls", load.call_seconds, took)
    print(f"refused: {dict(load.refused) or 'none'}")
    print(f"memory of the server: {resident >> 20} MiB before, {grown >> 20} MiB after")
    for table in sorted(after.grown(before)):
        rows = [room.rows[table] for room in (before, after, swept)]
        size = [room.bytes[table] >> 10 for room in (before, after)]
        print(f"{table}: rows {rows[0]} → {rows[1]}, after the sweep {rows[2]}; KiB {size}")


def _show(what: str, seconds: list[float], took: float) -> None:
    if not seconds:
        print(f"{what}: none")
        return
    ordered = sorted(seconds)
    half, most = (ordered[int(len(ordered) * part)] * 1000 for part in (0.5, 0.99))
    rate = len(ordered) / took
    print(f"{what}: {len(ordered):,}, {rate:,.1f}/s, p50 {half:,.0f} ms, p99 {most:,.0f} ms")


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if "=" not in word]
    given = dict(word.split("=", 1) for word in sys.argv[1:] if "=" in word)
    asyncio.run(main(*numbers, *(1000, 60)[len(numbers) :], given))
