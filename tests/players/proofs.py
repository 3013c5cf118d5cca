"""What must hold after any sequence of changes to characters: ledger, lists, chain, names."""

from gamekeeper.database import Database
from gamekeeper.ledger import breaches
from gamekeeper.ledger.verifying import verify
from gamekeeper.lists import checking
from gamekeeper.lists.listings import LISTINGS
from gamekeeper.lookup import fold, look
from tests.ledger.chains import link


async def prove(database: Database, *, chain: bool = False) -> None:
    """`ledger verify`, `lists verify` and, if wanted, `actions verify`; and names by counting."""
    settings = database.settings
    proof = await verify(settings)
    assert proof.breach is None, proof.breach
    for listing in LISTINGS:
        found = await checking.check(settings, listing)
        assert found.wrong == [], found
    await _names(database)
    if chain:
        await link(database)
        assert not (await breaches.find(settings)).breaches


async def _names(database: Database) -> None:
    """Everybody has one name in the directory, and it has nobody else's."""
    players = await database.reader.rows("SELECT id, name, name_key FROM players")
    names = await database.reader.rows("SELECT player_id, name_key FROM player_names")
    looks = await database.reader.rows("SELECT player_id, skeleton FROM player_skeletons")
    assert sorted((row["id"], row["name_key"]) for row in players) == sorted(map(tuple, names))
    assert all(row["name_key"] == fold(row["name"]) for row in players)
    called = {row["id"]: look(row["name"]) for row in players}
    assert all(called[row["player_id"]] == row["skeleton"] for row in looks)


async def total(database: Database, table: str) -> int:
    return await database.reader.value(f"SELECT count(*) FROM {table}")  # pyright: ignore
