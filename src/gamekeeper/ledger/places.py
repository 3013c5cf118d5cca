"""
The places of items, and the accounts on the other side of a posting.

A query about items takes both from here and never writes them out: a place that one of restore,
trail, supply or verification does not know is a place where items are paid for twice or
disappear. tests/ledger/test_places.py puts items into every place and asks each of them.
"""

from collections.abc import Iterable
from typing import Literal, LiteralString

from msgspec import Struct

PlaceName = Literal["inventory", "bank", "bag", "guild", "mail"]
"""Where a posting puts items. The items of a deleted character are archived: in no place."""

Against = Literal[
    "grant", "removal", "refund", "import", "demo", "undo", "restore", "move", "guild"
]
"""
The named account on the other side of a posting.

`refund` is a removal that no restore returns: the buyer has the money, or a campaign is reversed.
"""

TRANSFERS: tuple[Against, ...] = ("move", "guild")
"""Accounts of items that another owner has, or another place: they are neither new nor lost."""


class Storage(Struct, frozen=True):
    """A table with the contents of some places."""

    places: tuple[PlaceName, ...]
    owner: Literal["player", "guild"]
    rows: LiteralString
    """owner_id, place, inside (the bag or letter), slot, item_id, quantity, stat_buffs, bag_id."""


STORAGES = (
    Storage(
        places=("inventory", "bank"),
        owner="player",
        rows="""
        SELECT player_id AS owner_id, place::text AS place, NULL::uuid AS inside, slot, item_id,
               quantity, stat_buffs, bag_id
          FROM slots
        """,
    ),
    Storage(
        places=("bag",),
        owner="player",
        rows="""
        SELECT player_id AS owner_id, 'bag' AS place, bag_id AS inside, slot, item_id, quantity,
               stat_buffs, NULL::uuid AS bag_id
          FROM bag_slots
        """,
    ),
    Storage(
        places=("guild",),
        owner="guild",
        rows="""
        SELECT guild_id AS owner_id, 'guild' AS place, NULL::uuid AS inside, slot, item_id,
               quantity, stat_buffs, NULL::uuid AS bag_id
          FROM guild_slots
        """,
    ),
    Storage(
        places=("mail",),
        owner="player",
        rows="""
        SELECT player_id AS owner_id, 'mail' AS place, letter_id AS inside, slot, item_id,
               quantity, stat_buffs, bag_id
          FROM letter_slots
        """,
    ),
)

# ── Parts of queries ──


def _listed(names: Iterable[PlaceName | Against]) -> LiteralString:
    quoted: list[LiteralString] = [f"'{name}'" for name in names]
    return ", ".join(quoted)


def _held_by(*owners: str) -> LiteralString:
    # PostgreSQL applies a condition on the whole to each part, and uses its indexes.
    rows: list[LiteralString] = [storage.rows for storage in STORAGES if storage.owner in owners]
    return " UNION ALL ".join(rows)


HELD: LiteralString = _held_by("player", "guild")
"""Everything that is held, with the columns of `Storage.rows`."""

HELD_BY_PLAYERS: LiteralString = _held_by("player")
HELD_BY_GUILDS: LiteralString = _held_by("guild")

GUILD_PLACES: list[PlaceName] = [
    name for storage in STORAGES if storage.owner == "guild" for name in storage.places
]

OF_GUILDS: LiteralString = f"place IN ({_listed(GUILD_PLACES)})"
"""A condition on postings: the owner is a guild."""

OF_PLAYERS: LiteralString = f"place NOT IN ({_listed(GUILD_PLACES)})"

IN_OWN_SLOTS: LiteralString = f"place IN ({_listed(STORAGES[0].places)})"
"""In the slots of the character itself, not inside a bag or a letter."""

OF_MAILBOXES: LiteralString = "place = 'mail'"

IS_TRANSFER: LiteralString = f"against IN ({_listed(TRANSFERS)})"

IS_TRADE: LiteralString = "against = 'move'"
"""Between characters, or between the places of one."""

IS_GUILD_TRANSFER: LiteralString = "against = 'guild'"
"""Between a character and the bank of a guild."""
