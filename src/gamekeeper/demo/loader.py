"""
Loader of the demo world (seed data) into an empty database, by COPY.

All of it is one transaction: until the end nothing is visible, and a failure leaves
nothing behind. A separate process generates the players while PostgreSQL stores the
batch before, so that both have a CPU of their own.
"""

import asyncio
import gc
import signal
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import aclosing, contextmanager
from datetime import datetime
from multiprocessing import get_context
from uuid import UUID

import asyncpg
from msgspec import Struct, structs

from gamekeeper.catalog import importer
from gamekeeper.core import names
from gamekeeper.core.errors import Conflict, Invalid, Unavailable
from gamekeeper.core.progress import ProgressCallback
from gamekeeper.core.settings import Settings
from gamekeeper.db import primary
from gamekeeper.db.database import Writer, translate_errors
from gamekeeper.db.paging import maintenance, rebalance
from gamekeeper.db.paging.orderings import ORDERINGS
from gamekeeper.demo import bulk_load, ledger, world
from gamekeeper.demo.builds import Room
from gamekeeper.demo.people import CROWD, NOW, TABLES, CopyTarget, People, Population, crowd

Seal = Callable[[UUID], Awaitable[str]]
"""Returns the password hash to store for the id of an account."""

# Only for this transaction. Sorting in memory makes index builds fast. Coarse statistics
# suffice: autovacuum analyzes the tables soon afterwards.
SETTINGS = """
    SET LOCAL statement_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL lock_timeout = '4s';
    SET LOCAL maintenance_work_mem = '512MB';
    SET LOCAL work_mem = '256MB';
    SET LOCAL max_parallel_maintenance_workers = 2;
    SET LOCAL default_statistics_target = 30;
    SET LOCAL jit = off;
"""


PIECE = 2**18
SEALED_AT_ONCE = 4
AHEAD = 3
"""The most batches that are being generated or waiting to be stored."""
FEW = 5
"""This many batches are generated in less time than a process takes to start."""


class WorldNotEmpty(Conflict):
    """The demo needs an empty database."""


class NotMigrated(Conflict):
    """The database has no tables yet. Run: gamekeeper migrate"""


class WorldTooLarge(Invalid):
    """The demo cannot generate that many names."""


class Filled(Struct):
    """The result: what the world contains now."""

    players: int = 0
    users: int = 0
    online: int = 0
    accounts: list[tuple[UUID, str]] = []
    """The accounts with a password, if `seal` was given."""


async def fill(
    settings: Settings,
    *,
    players: int,
    seed: int,
    items: int = 0,
    seal: Seal | None = None,
    now: datetime = NOW,
    began: datetime | None = None,
    on_progress: ProgressCallback = lambda step, done, total: None,
) -> Filled:
    """
    Fill an empty database with `players` characters and all that belongs to them.

    The same seed gives the same world. With `items`, each character has at least so many
    filled slots, up to its slot count. With `seal`, the first hundred accounts get a
    password, whose hash it returns. `now` is the present of the world, and `began` when its
    ledger begins: before its story.
    """
    room = Room(settings.inventory_slots, settings.bank_slots, settings.spell_slots, items)
    people = People(seed, room, now)
    if players > people.names.room:
        raise WorldTooLarge(f"The demo has names for at most {people.names.room:,} players.")
    with translate_errors():
        connection = await primary.connect(settings.database_url, timeout=settings.connect_seconds)
        try:
            async with connection.transaction():
                return await Filling(connection, settings, people, seal, on_progress).run(
                    players, began
                )
        finally:
            await connection.close(timeout=5)


class Filling:
    """One run of the loader."""

    def __init__(
        self,
        connection: asyncpg.Connection,
        settings: Settings,
        people: People,
        seal: Seal | None,
        on_progress: ProgressCallback,
    ) -> None:
        self.connection, self.settings = connection, settings
        self.people, self.seal, self.on_progress = people, seal, on_progress

    async def run(self, players: int, began: datetime | None) -> Filled:
        await self._own_the_empty_world()
        catalog = structs.replace(world.catalog(), objects=self.people.maps)
        await importer.load(Writer(self.connection, self.settings), catalog)
        await self._add_servers()
        taken = await bulk_load.strip(self.connection, TABLES)
        filled = await self._copy(players)
        sealing = asyncio.create_task(self._sealed(filled))
        try:
            await self._restore(taken)
            await self._add_passwords(await sealing)
        finally:
            sealing.cancel()
        await self._enter(filled, began)
        await self._count()
        await self._count_online()
        return filled

    async def _own_the_empty_world(self) -> None:
        await self.connection.execute(SETTINGS)
        # Checked twice: before the lock, so that a mistake does not block a running game,
        # and after it, when no other transaction can add players.
        await self._refuse_unless_empty()
        try:
            # Before the tables, because the maintenance of the orderings reads them.
            await maintenance.hold(Writer(self.connection, self.settings))
            await self.connection.execute(
                f"LOCK TABLE {', '.join(TABLES)} IN ACCESS EXCLUSIVE MODE"
            )
        except asyncpg.LockNotAvailableError:
            raise Unavailable(
                "The tables are in use. Stop the programs that use this database, and try again."
            ) from None
        await self._refuse_unless_empty()

    async def _refuse_unless_empty(self) -> None:
        if await self.connection.fetchval("SELECT to_regclass('players') IS NULL"):
            raise NotMigrated
        if await self.connection.fetchval("SELECT EXISTS (SELECT FROM players)"):
            raise WorldNotEmpty(
                "This database already has players, and the demo needs an empty "
                "database. Set GAMEKEEPER_DATABASE_URL to another one."
            )

    async def _add_servers(self) -> None:
        # An infinite lease: the demo's game servers never renew it.
        await self.connection.executemany(
            """
            INSERT INTO servers (id, name, name_key, registered_at, lease_until)
            VALUES ($1, $2, $3, $4, 'infinity')
            """,
            [
                (server, name, names.fold(name), self.people.now)
                for server, name in self.people.servers
            ],
        )

    # ── Players and accounts ──

    async def _copy(self, players: int) -> Filled:
        fresh = await self._truncated()
        filled = Filled()
        self.on_progress("Players", 0, players)
        async with aclosing(_crowds(self.people, players)) as crowds:
            async for crowd in crowds:
                for sheet, data in crowd.sheets:
                    await self._copy_sheet(sheet, data, freeze=sheet.table in fresh)
                filled.players += crowd.players
                filled.users += crowd.users
                filled.online += crowd.online
                filled.accounts += crowd.accounts
                self.on_progress("Players", filled.players, players)
        return filled

    async def _truncated(self) -> set[str]:
        """
        Truncate the empty tables, and return them.

        Into a table truncated in the same transaction PostgreSQL can COPY frozen rows,
        which need no vacuum later. The other tables may have accounts, which stay.
        """
        fresh = set()
        for table in TABLES:
            if not await self.connection.fetchval(f"SELECT EXISTS (SELECT FROM {table})"):
                await self.connection.execute(f"TRUNCATE {table}")
                fresh.add(table)
        return fresh

    async def _copy_sheet(self, sheet: CopyTarget, data: bytes, *, freeze: bool) -> None:
        await self.connection.copy_to_table(
            sheet.table,
            columns=sheet.columns,
            source=_pieces(data),
            format="binary",
            freeze=freeze,
        )

    async def _sealed(self, filled: Filled) -> list[tuple[UUID, str]]:
        """The password hashes of the first accounts; hashing is slow on purpose."""
        if self.seal is None:
            return []
        users = [user for user, _ in filled.accounts]
        sealed: list[str] = []
        while len(sealed) < len(users):
            some = users[len(sealed) : len(sealed) + SEALED_AT_ONCE]
            sealed += await asyncio.gather(*(self.seal(user) for user in some))
            self.on_progress("Passwords", len(sealed), len(users))
        return list(zip(users, sealed, strict=True))

    async def _add_passwords(self, passwords: list[tuple[UUID, str]]) -> None:
        await self.connection.executemany(
            "INSERT INTO passwords (user_id, sealed, changed_at) VALUES ($1, $2, $3)",
            [(user, sealed, self.people.now) for user, sealed in passwords],
        )

    # ── After the load ──

    async def _restore(self, taken: bulk_load.Bare) -> None:
        done = 0
        try:
            async for _ in bulk_load.restore_indexes(self.connection, taken):
                done += 1
                self.on_progress("Indexes and keys", done, taken.size)
        except asyncpg.UniqueViolationError as fault:
            which = getattr(fault, "detail", fault)
            raise WorldNotEmpty(
                f"An existing account already has a name or an email address that the demo uses: "
                f"{which} Use another --random-seed, or an empty database."
            ) from None
        # Before the foreign keys: PostgreSQL needs statistics to plan the joins that check them.
        await self.connection.execute(f"ANALYZE {', '.join(TABLES)}")
        async for _ in bulk_load.restore_foreign_keys(self.connection, taken):
            done += 1
            self.on_progress("Indexes and keys", done, taken.size)

    async def _enter(self, filled: Filled, began: datetime | None) -> None:
        self.on_progress("Ledger", 0, ledger.STEPS)
        await ledger.enter(
            Writer(self.connection, self.settings),
            players=filled.players,
            seed=self.people.seed,
            items=self.people.room.filled,
            began=began,
            on_progress=lambda done: self.on_progress("Ledger", done, ledger.STEPS),
        )

    async def _count(self) -> None:
        for done, listing in enumerate(ORDERINGS):
            self.on_progress("Lists", done, len(ORDERINGS))
            await rebalance.rebuild(Writer(self.connection, self.settings), listing)
        self.on_progress("Lists", len(ORDERINGS), len(ORDERINGS))

    async def _count_online(self) -> None:
        await self.connection.execute(
            """
            INSERT INTO crowds (server_id, online)
            SELECT id, (SELECT count(*) FROM presences WHERE server_id = servers.id)
              FROM servers
             WHERE id NOT IN (SELECT server_id FROM crowds)
            """
        )


async def _crowds(people: People, players: int) -> AsyncGenerator[Population, None]:
    """All players in batches; the executor generates the next ones meanwhile."""
    count = -(-players // CROWD)
    ask = asyncio.get_running_loop().run_in_executor
    asked: deque[asyncio.Future[Population]] = deque()
    with _drawer(count) as drawer:
        for number in range(count):
            asked.append(ask(drawer, crowd, people.seed, people.room, people.now, number, players))
            if len(asked) == AHEAD:
                yield await asked.popleft()
        for drawn in asked:
            yield await drawn


@contextmanager
def _drawer(count: int) -> Iterator[Executor]:
    """
    The executor that generates batches: a process, or a thread if they are few.

    A thread would share the GIL with the event loop that sends the data, and
    PostgreSQL would wait for both.
    """
    if count <= FEW:
        drawer = ThreadPoolExecutor(1)
    else:
        drawer = ProcessPoolExecutor(1, get_context("spawn"), initializer=_settle)
    try:
        yield drawer
    finally:
        drawer.shutdown(cancel_futures=True)


def _settle() -> None:
    """Initialize the generating process."""
    # Only the parent handles Ctrl-C; it then stops this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The generator makes no reference cycles, so the garbage collector has no work.
    gc.disable()


async def _pieces(data: bytes) -> AsyncIterator[memoryview]:
    # In chunks that fit the CPU cache, because each is copied several times on its way.
    for begin in range(0, len(data), PIECE):
        yield memoryview(data)[begin : begin + PIECE]
