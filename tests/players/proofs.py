"""What must hold after any sequence of changes to characters: ledger, lists, chain, names."""

import asyncio
from collections.abc import Awaitable, Iterable
from typing import TypeVar

from gamekeeper.core.names import fold, look
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.paging import verify as paging_verify
from gamekeeper.db.paging.orderings import ORDERINGS
from gamekeeper.ledger import verify_chain
from gamekeeper.ledger.verify_ledger import verify
from tests.ledger.chains import link
from tests.open_connections import open_connections

T = TypeVar("T")


async def prove(database: Database, *, chain: bool = False) -> None:
    """`ledger verify`, `lists verify` and, if wanted, `actions verify`; and names by counting."""
    settings = database.settings
    with open_connections(database):
        proof = await verify(settings)
        assert proof.breach is None, proof.breach
        for listing in ORDERINGS:
            found = await paging_verify.check(settings, listing)
            assert found.wrong == [], found
    await _names(database)
    if chain:
        await link(database)
        with open_connections(database):
            breaches = (await verify_chain.find(settings)).breaches
        assert not breaches, breaches


async def _names(database: Database) -> None:
    """Everybody has one name in the directory, and it has nobody else's."""
    players = await database.reader.rows("SELECT id, name, name_key FROM players")
    names = await database.reader.rows("SELECT player_id, name_key FROM player_names")
    looks = await database.reader.rows("SELECT player_id, skeleton FROM player_skeletons")
    assert sorted((row["id"], row["name_key"]) for row in players) == sorted(map(tuple, names))
    assert all(row["name_key"] == fold(row["name"]) for row in players)
    called = {row["id"]: look(row["name"]) for row in players}
    assert all(called[row["player_id"]] == row["skeleton"] for row in looks)


async def at_once(database: Database, calls: Iterable[Awaitable[T]]) -> list[T]:
    """Results of calls that really overlap: each finds a connection that is open already."""
    size = database.settings.connections
    all_open = asyncio.Barrier(size)

    async def wait(_: Writer) -> None:
        await all_open.wait()

    await asyncio.gather(*(database.write(wait) for _ in range(size)))
    return await asyncio.gather(*calls)


async def total(database: Database, table: str) -> int:
    return await database.reader.value(f"SELECT count(*) FROM {table}")  # pyright: ignore
