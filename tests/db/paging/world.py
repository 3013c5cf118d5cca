"""
Players and users who come, go, rise and are renamed at random, and their lists by OFFSET.

The players join game servers and leave them, and these die and come back.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, LiteralString
from uuid import UUID, uuid4

from gamekeeper.core.schemas import Window
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.paging import maintenance, pages
from gamekeeper.db.paging.orderings import (
    ONLINE,
    ORDERINGS,
    PLAYERS,
    RANK,
    USERS,
    CountDelta,
    Ordering,
    added,
    by_name,
    by_rank,
    record_deltas,
    removed,
)
from gamekeeper.db.paging.rebalance import Sizes
from gamekeeper.servers import presence, registration, session_expiry
from gamekeeper.servers.leases import Fenced, Lease, LeaseHolder
from gamekeeper.servers.presence import PresenceChange
from gamekeeper.servers.registration import ServerRegistration
from tests.make import BY, KNIGHT, make_class, make_user

SMALL = Sizes(bucket=4, branch=5)
"""So that a hundred players are a tree with many nodes at every height."""

SERVERS = 5

SHOWN: dict[str, LiteralString] = {
    "online": """
        (SELECT presences.* FROM presences JOIN servers ON servers.id = server_id
          WHERE lease_until > now()) AS shown
    """
}
"""What is to be seen of a list, where that is not its whole table."""

# Letters of one to four bytes, and names of which one is the beginning of another.
LETTERS = "aabc'-zßéяλ漢😀𐍈"


class World:
    def __init__(self, database: Database, seed: int = 1) -> None:
        self.database = database
        self.dice = random.Random(seed)
        self.owner = UUID(int=0)
        self.servers: list[LeaseHolder] = []

    async def make(self) -> "World":
        self.owner = await make_user(self.database, "owner")
        await make_class(self.database)
        self.servers = [await self._register(number) for number in range(SERVERS)]
        return self

    async def _register(self, number: int) -> LeaseHolder:
        order = ServerRegistration(by=BY, name=f"Realm {number}")
        lease = await registration.register.one(self.database, order)
        assert isinstance(lease, Lease)
        return LeaseHolder(lease.id, lease.fence)

    def name(self) -> str:
        return "".join(self.dice.choices(LETTERS, k=self.dice.randint(1, 6)))

    async def create(self, count: int) -> None:
        """So many players, of whom half join a server, and half as many users."""
        players = [
            (uuid4(), self.name(), self.dice.randint(1, 5), self.dice.choice((0, 0, 7, 2**40)))
            for _ in range(count)
        ]
        users = [(uuid4(), self.name()) for _ in range(count // 2)]

        async def work(writer: Writer) -> None:
            await writer.run(
                """
                INSERT INTO players (id, user_id, name, name_key, class_id, level, exp)
                SELECT id, $5, name, name, $6, level, exp
                  FROM unnest($1::uuid[], $2::text[], $3::int[], $4::bigint[])
                       AS new (id, name, level, exp)
                """,
                *(list(column) for column in zip(*players, strict=True)),
                self.owner,
                KNIGHT,
            )
            await writer.run(
                """
                INSERT INTO users (id, name, name_key, email)
                SELECT id, name, name, 'a@b.c' FROM unnest($1::uuid[], $2::text[]) AS new (id, name)
                """,
                [user for user, _ in users],
                [name for _, name in users],
            )
            notes = [added(USERS, by_name(name, user)) for user, name in users]
            for player, name, level, exp in players:
                notes += player_notes(added, player, name, level, exp)
            await record_deltas(writer, notes)

        await self.database.write(work)
        await self.join([player for player, *_ in players[::2]])

    async def join(self, players: Sequence[UUID], number: int | None = None) -> None:
        """Join a server or any, if it is alive, and leave the one they were on."""
        chosen = self.dice.randrange(SERVERS) if number is None else number
        await self._say(presence.join, self.servers[chosen], players)

    async def leave(self, players: Sequence[UUID]) -> None:
        for holder in self.servers:
            await self._say(presence.leave, holder, players)

    async def _say(self, what: Any, holder: LeaseHolder, players: Sequence[UUID]) -> None:
        with suppress(Fenced):
            order = PresenceChange(
                by=BY, holder=holder, players=[str(player) for player in players]
            )
            await what.one(self.database, order)

    async def some(self, count: int) -> list[UUID]:
        rows = await self.database.reader.rows(
            "SELECT id FROM players ORDER BY random() LIMIT $1", count
        )
        return [row["id"] for row in rows]

    async def die(self, number: int) -> None:
        """As a server does that says nothing any more, when its time has come."""
        await self.database.write(
            lambda writer: writer.run(
                "UPDATE servers SET lease_until = now() - interval '1 second' WHERE id = $1",
                self.servers[number].server_id,
            )
        )

    async def come_back(self, number: int) -> None:
        self.servers[number] = await self._register(number)

    async def remove(self, count: int) -> None:
        async def work(writer: Writer) -> None:
            chosen = await writer.rows(
                "SELECT id FROM players ORDER BY random() LIMIT $1 FOR UPDATE", count
            )
            players = [row["id"] for row in chosen]
            notes = await _absent(writer, players)
            rows = await writer.rows(
                """
                DELETE FROM players WHERE id = ANY($1) RETURNING id, name_key, level, exp
                """,
                players,
            )
            users = await writer.rows(
                """
                DELETE FROM users
                 WHERE id IN (SELECT id FROM users WHERE id <> $2
                               ORDER BY random() LIMIT $1 FOR UPDATE)
                RETURNING id, name_key
                """,
                count // 2,
                self.owner,
            )
            notes += [removed(USERS, by_name(row["name_key"], row["id"])) for row in users]
            for row in rows:
                notes += player_notes(removed, row["id"], row["name_key"], row["level"], row["exp"])
            await record_deltas(writer, notes)

        await self.database.write(work)

    async def change(self, count: int, *, rename: bool = True) -> None:
        """Other levels and experience for some players, and other names."""

        async def work(writer: Writer) -> None:
            # Locked in the order of ids, as everywhere.
            rows = await writer.rows(
                """
                SELECT id, name_key, level, exp FROM players
                 WHERE id IN (SELECT id FROM players ORDER BY random() LIMIT $1)
                 ORDER BY id FOR UPDATE
                """,
                count,
            )
            notes: list[CountDelta] = []
            for row in rows:
                name = self.name() if rename else row["name_key"]
                level = max(1, row["level"] + self.dice.randint(-1, 1))
                exp = self.dice.randrange(1000)
                notes += player_notes(removed, row["id"], row["name_key"], row["level"], row["exp"])
                notes += player_notes(added, row["id"], name, level, exp)
                await writer.run(
                    "UPDATE players SET name = $2, name_key = $2, level = $3, exp = $4 "
                    "WHERE id = $1",
                    *(row["id"], name, level, exp),
                )
                if await writer.run(
                    "UPDATE presences SET list_key = $2 WHERE player_id = $1",
                    *(row["id"], by_name(name, row["id"])),
                ):
                    notes.append(removed(ONLINE, by_name(row["name_key"], row["id"])))
                    notes.append(added(ONLINE, by_name(name, row["id"])))
            await record_deltas(writer, notes)

        await self.database.write(work)

    async def step(self) -> None:
        number = self.dice.randrange(SERVERS)
        match self.dice.randrange(10):
            case 0 | 1:
                await self.create(self.dice.randint(2, 40))
            case 2 | 3:
                await self.remove(self.dice.randint(1, 30))
            case 4:
                await self.join(await self.some(self.dice.randint(1, 40)))
            case 5:
                await self.leave(await self.some(self.dice.randint(1, 30)))
            case 6:
                await self.die(number)
            case 7:
                await self.come_back(number)
                if self.dice.random() < 0.3:
                    await session_expiry.sweep(self.database, asyncio.Event())
            case _:
                await self.change(self.dice.randint(1, 20))


async def _absent(writer: Writer, players: Sequence[UUID]) -> list[CountDelta]:
    """Let players be on no server, without a trace, and return what to note of that."""
    gone = await writer.rows(
        "DELETE FROM presences WHERE player_id = ANY($1) RETURNING server_id, list_key", players
    )
    for server in sorted({row["server_id"] for row in gone}):
        await writer.run(
            "UPDATE crowds SET online = online - $2 WHERE server_id = $1",
            *(server, sum(row["server_id"] == server for row in gone)),
        )
    return [removed(ONLINE, row["list_key"]) for row in gone]


def player_notes(way: Any, player: UUID, name: str, level: int, exp: int) -> list[CountDelta]:
    return [way(RANK, by_rank(level, exp, player)), way(PLAYERS, by_name(name, player))]


async def fold(
    settings: Settings, sizes: Sizes = SMALL, only: Sequence[Ordering] = ORDERINGS
) -> int:
    """Bring the counts up to date, as the worker does; return by how many notes."""
    folded = 0
    async with maintenance.connected(settings) as connection:
        for listing in only:
            async with maintenance.alone(connection, settings, listing, patient=True) as writer:
                assert writer
                folded += await maintenance.fold(writer, listing, sizes)
    return folded


@asynccontextmanager
async def instant(database: Database) -> AsyncIterator[Writer]:
    """All statements inside see the same."""
    # On a new connection PostgreSQL would plan each statement again, which takes half the time.
    readers, *_ = database.pools
    async with (
        readers.acquire() as connection,
        connection.transaction(isolation="repeatable_read", readonly=True),
    ):
        yield Writer(connection, database.settings)


async def compare(reader: Writer, dice: random.Random, listing: Ordering, windows: int = 8) -> None:
    """Pages at random, and the first, last and next ones, equal those by OFFSET."""
    whole = await reader.value(f"SELECT count(*) FROM {listing.table}")
    assert await pages.total(reader, listing) == whole
    count = await reader.value(f"SELECT count(*) FROM {SHOWN.get(listing.name, listing.table)}")
    for number in range(windows):
        size = dice.randint(1, 12)
        last = max(count - 1, 0) // size
        page = [0, last, last + 1, dice.randint(0, last)][min(number, 3)]
        window = Window.of(page, size, dice.choice((None, dice.randint(1, size))))
        for descending in (False, True):
            await same(reader, listing, window, count, descending=descending)


async def same(
    reader: Writer, listing: Ordering, window: Window, count: int, *, descending: bool
) -> None:
    order = ", ".join(
        f"{column} {'DESC' if descending else 'ASC'}" for column in listing.columns.split(", ")
    )
    wanted = await reader.rows(
        f"""
        SELECT {listing.id} AS id FROM {SHOWN.get(listing.name, listing.table)}
         ORDER BY {order} LIMIT $1 OFFSET $2
        """,
        window.shown,
        window.offset,
    )
    rows, total = await pages.page(
        reader,
        listing,
        window,
        columns=f"{listing.table}.{listing.id} AS id",
        descending=descending,
    )
    assert total == count
    found = [row["id"] for row in rows]
    assert found == [row["id"] for row in wanted], (listing.name, window, descending)


async def shape(database: Database, listing: Ordering) -> list[int]:
    """How many nodes there are at each height, from the buckets up."""
    rows = await database.reader.rows(
        "SELECT height, count(*) FROM list_nodes WHERE list = $1 GROUP BY height ORDER BY height",
        listing.name,
    )
    return [row["count"] for row in rows]
