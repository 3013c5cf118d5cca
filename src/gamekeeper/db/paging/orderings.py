"""
Orderings: the lists that are paged, and the delta each change to one records.

A row's position in a list is its key: bytes that compare as the list is ordered. A
transaction that creates, removes, renames or promotes a player or user, or lets a player
join or leave a game server, records the removed and the added keys as deltas. Writers
never update the counts: all would contend for the same few rows. `pages` reads the
deltas, `maintenance` folds them into the counts.
"""

from collections.abc import Sequence
from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.db.database import Writer

TOP = 2
"""The height of the highest nodes; a bucket of rows has the height 0."""

MAX_KEY = b"\xff"
"""Greater than every key: no UTF-8 and no positive number begins with this byte."""


class HiddenRows(Struct, frozen=True):
    """Rows of a list that are counted but not shown, grouped by owner."""

    owner: LiteralString
    """The column with the owner of a row."""
    hidden: LiteralString
    """SQL for the owners whose rows are hidden now: `id`, and the `count` of its rows."""


class Ordering(Struct, frozen=True, kw_only=True):
    """A paged list, with the SQL that converts a row to its key and back."""

    name: LiteralString
    number: int
    """The number of the advisory lock that guards its counts."""
    table: LiteralString
    columns: LiteralString
    """The columns it is ordered by; there is an index on exactly these."""
    key: LiteralString
    row: LiteralString
    """The columns, decoded from the key that is written as `{key}`."""
    lowest: bytes
    """A lower bound of all keys, in the same format."""
    id: LiteralString = "id"
    display: LiteralString | None = None
    """A key in readable form, where that differs from `row`."""
    hidden_rows: HiddenRows | None = None

    def since(self, key: LiteralString) -> LiteralString:
        """SQL: whether a row is at or after a key."""
        return f"({self.columns}) >= ({self.row.replace('{key}', key)})"

    def until(self, key: LiteralString) -> LiteralString:
        """SQL: whether a row is before a key."""
        return f"({self.columns}) < ({self.row.replace('{key}', key)})"


RANK = Ordering(
    name="rank",
    number=0,
    table="players",
    columns="level, exp, id",
    key="int4send(level) || int8send(exp) || uuid_send(id)",
    row="""
        ('x' || encode(substring({key}, 1, 4), 'hex'))::bit(32)::int,
        ('x' || encode(substring({key}, 5, 8), 'hex'))::bit(64)::bigint,
        encode(substring({key}, 13), 'hex')::uuid
    """,
    lowest=bytes(28),
)

_NAME_KEY: LiteralString = "convert_to(name_key, 'UTF8') || '\\x00'::bytea || uuid_send(id)"
_NAME_ROW: LiteralString = """
    convert_from(substring({key}, 1, length({key}) - 17), 'UTF8'),
    encode(substring({key}, length({key}) - 15), 'hex')::uuid
"""

PLAYERS = Ordering(
    name="players",
    number=1,
    table="players",
    columns="name_key, id",
    key=_NAME_KEY,
    row=_NAME_ROW,
    lowest=bytes(17),
)
USERS = Ordering(
    name="users",
    number=2,
    table="users",
    columns="name_key, id",
    key=_NAME_KEY,
    row=_NAME_ROW,
    lowest=bytes(17),
)
ONLINE = Ordering(
    name="online",
    number=3,
    table="presences",
    columns="list_key",
    key="list_key",
    row="{key}",
    lowest=bytes(17),
    id="player_id",
    display=_NAME_ROW,
    # Every player on a server is counted, and a server that crashes records no delta.
    hidden_rows=HiddenRows(
        owner="server_id",
        hidden="""
            SELECT server_id AS id, online AS count
              FROM crowds JOIN servers ON servers.id = server_id
             WHERE lease_until <= statement_timestamp() AND online > 0
        """,
    ),
)
ORDERINGS = (RANK, PLAYERS, USERS, ONLINE)


def by_rank(level: int, exp: int, player: UUID) -> bytes:
    """The key in the ranking."""
    return level.to_bytes(4) + exp.to_bytes(8) + player.bytes


def by_name(name_key: str, one: UUID) -> bytes:
    """The key in a list by name; no name has a zero byte, so a shorter one sorts first."""
    return name_key.encode() + b"\0" + one.bytes


class CountDelta(Struct, frozen=True):
    """A key was added to a list (1) or removed from it (-1)."""

    listing: Ordering
    key: bytes
    change: int


def added(listing: Ordering, key: bytes) -> CountDelta:
    return CountDelta(listing, key, 1)


def removed(listing: Ordering, key: bytes) -> CountDelta:
    return CountDelta(listing, key, -1)


async def record_deltas(writer: Writer, notes: Sequence[CountDelta]) -> None:
    """Record the deltas in the transaction of the change that caused them."""
    if notes:
        await writer.run(
            """
            INSERT INTO list_deltas (list, key, change)
            SELECT * FROM unnest($1::text[], $2::bytea[], $3::smallint[])
            """,
            [delta.listing.name for delta in notes],
            [delta.key for delta in notes],
            [delta.change for delta in notes],
        )
