"""
Orderings: the lists that are paged, and the delta each change to one records.

A row's place in a list is its key: bytes that compare as the list is ordered. Whoever
creates, removes, renames or promotes somebody, or lets them join a game server or leave
it, notes in the same transaction which keys left and which came. Counts are never changed
by those who write: all would meet at the same few. See pages for who reads the notes and
folding for who clears them away.
"""

from collections.abc import Sequence
from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.db.database import Writer

TOP = 2
"""The height of the highest nodes; a bucket of rows has the height 0."""

MAX_KEY = b"\xff"
"""Greater than every key: no UTF-8 and no positive number begins so."""


class HiddenRows(Struct, frozen=True):
    """Some of a list's rows, all of one owner, that are counted but not shown."""

    owner: LiteralString
    """The column that says whose a row is."""
    hidden: LiteralString
    """The owners whose rows are hidden now, as `id`, each with its `count` of them."""


class Ordering(Struct, frozen=True, kw_only=True):
    """A list, and how PostgreSQL says a row's key and a key's row."""

    name: LiteralString
    number: int
    """Of the lock that is held by whoever brings its counts up to date."""
    table: LiteralString
    columns: LiteralString
    """What it is ordered by; there is an index on exactly that."""
    key: LiteralString
    row: LiteralString
    """The columns, from the key that is written as `{key}`."""
    lowest: bytes
    """Not above any key, and made as they are."""
    id: LiteralString = "id"
    display: LiteralString | None = None
    """A key as people read it, where that is not the row."""
    hidden_rows: HiddenRows | None = None

    def since(self, key: LiteralString) -> LiteralString:
        """Whether a row is at or after a key."""
        return f"({self.columns}) >= ({self.row.replace('{key}', key)})"

    def until(self, key: LiteralString) -> LiteralString:
        """Whether a row is before a key."""
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
    # Everybody who joined a server is counted, and a server that dies does nothing.
    hidden_rows=HiddenRows(
        owner="server_id",
        hidden="""
            SELECT server_id AS id, online AS count
              FROM crowds JOIN servers ON servers.id = server_id
             WHERE lease_until <= now() AND online > 0
        """,
    ),
)
ORDERINGS = (RANK, PLAYERS, USERS, ONLINE)


def by_rank(level: int, exp: int, player: UUID) -> bytes:
    """The place in the ranking."""
    return level.to_bytes(4) + exp.to_bytes(8) + player.bytes


def by_name(name_key: str, one: UUID) -> bytes:
    """The place in a list by name; no name has a zero byte, so a shorter one comes first."""
    return name_key.encode() + b"\0" + one.bytes


class CountDelta(Struct, frozen=True):
    """That a key came to a list (1) or left it (-1)."""

    listing: Ordering
    key: bytes
    change: int


def added(listing: Ordering, key: bytes) -> CountDelta:
    return CountDelta(listing, key, 1)


def removed(listing: Ordering, key: bytes) -> CountDelta:
    return CountDelta(listing, key, -1)


async def record_deltas(writer: Writer, notes: Sequence[CountDelta]) -> None:
    """Write down what came and what left, with the change that made it so."""
    if notes:
        await writer.run(
            """
            INSERT INTO list_deltas (list, key, change)
            SELECT * FROM unnest($1::text[], $2::bytea[], $3::smallint[])
            """,
            [one.listing.name for one in notes],
            [one.key for one in notes],
            [one.change for one in notes],
        )
