"""A small check of the ledger by plain counting, for tests that change items."""

from collections import Counter
from typing import Any

from gamekeeper.db.database import Database


async def check_ledger(database: Database) -> None:
    """Slots are what the postings say, step by step: numbers, chains and sums."""
    rows = await database.reader.rows("SELECT * FROM postings ORDER BY player_id, seq")
    held: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    numbers: Counter[Any] = Counter()
    for row in rows:
        numbers[row["player_id"]] += 1
        assert row["seq"] == numbers[row["player_id"]], row
        spot = (row["player_id"], row["place"], row["slot"])
        before = held.pop(spot, None)
        assert row["held_before"] == (before[1] if before else 0), row
        assert before is None or before[0] == row["item_id"], row
        if row["held_after"]:
            held[spot] = _thing(row, row["held_after"])
    slots = await database.reader.rows("SELECT *, place::text AS place_name FROM slots")
    assert held == {
        (row["player_id"], row["place_name"], row["slot"]): _thing(row, row["quantity"])
        for row in slots
    }
    heads = await database.reader.rows("SELECT player_id, seq FROM ledger_heads")
    assert {row["player_id"]: row["seq"] for row in heads} == numbers
    await _check_bags(database)


async def _check_bags(database: Database) -> None:
    """Every bag lies in a slot, and has an owner."""
    bags = await database.reader.rows("SELECT player_id, id FROM bags")
    laid = await database.reader.rows(
        "SELECT player_id, bag_id AS id FROM slots WHERE bag_id IS NOT NULL"
    )
    owned = await database.reader.rows("SELECT player_id, bag_id AS id FROM bag_owners")
    assert sorted(map(tuple, bags)) == sorted(map(tuple, laid)) == sorted(map(tuple, owned))


def _thing(row: Any, quantity: int) -> tuple[Any, ...]:
    return row["item_id"], quantity, tuple(row["stat_buffs"]), row["bag_id"]


async def row_counts(database: Database) -> dict[str, int]:
    """How many rows each table has, all tables there are."""
    tables = await database.reader.rows(
        "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = "
        "'public'::regnamespace ORDER BY relname"
    )
    return {
        name: await database.reader.value(f"SELECT count(*) FROM {name}")  # pyright: ignore
        for [name] in tables
    }
