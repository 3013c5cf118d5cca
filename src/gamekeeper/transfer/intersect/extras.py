"""Extras: what the other game knows of a character and nothing here reads, kept as JSON."""

from collections.abc import Sequence
from typing import Any

from gamekeeper.transfer.intersect.sources import Tables
from gamekeeper.transfer.intersect.values import facts

TABLES: dict[str, tuple[Any, ...]] = {
    "hotbar": (
        "Player_Hotbar",
        ("Slot", "ItemOrSpellId", "BagId", "PreferredStatBuffs"),
        "ItemOrSpellId",
    ),
    "quests": ("Player_Quests", ("QuestId", "TaskId", "TaskProgress", "Completed")),
    "friends": ("Player_Friends", ("TargetId",), "TargetId", "OwnerId"),
}
"""The name in the extras; the table, its columns, and which must be filled; whose it is."""
MOST_ROWS = 2_000
"""Of one table and character; no game has so many."""


def columns(tables: Tables, mapped: frozenset[str]) -> list[str]:
    """The columns of a character that no field of a line takes."""
    # An older PlayTime lies beside PlayTimeSeconds in some files; guilds have their own place.
    skipped = mapped | {"playtime"}
    return [column for column in tables.columns("Players") if column.lower() not in skipped]


def character(row: dict[str, Any]) -> dict[str, Any]:
    return {name: found for name, value in row.items() if (found := facts(value)) is not None}


def rows(name: str, given: Sequence[tuple[Any, ...]]) -> list[Any]:
    names = TABLES[name][1]
    found = [
        {key: facts(value) for key, value in zip(names, row, strict=True) if value is not None}
        for row in given[:MOST_ROWS]
    ]
    return [friend["TargetId"] for friend in found] if name == "friends" else found
