"""
Statements of the chat log: lines next to a place, with filters and a search.

A search reads a bounded number of lines, so it costs about the same for any text:

    a frequent text  is found among the `PROBED` lines next to the cursor, which also show how
                     frequent it is
    a rare text      is found by the index of words, if at most `MAX_HITS` lines contain it
    any other text   is searched `PROBED` lines at a time; the page says how far it came
"""

import base64
import binascii
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, LiteralString
from uuid import UUID

from msgspec import Struct, structs

from gamekeeper.core.errors import InvalidQuery
from gamekeeper.db.database import Queryable, Reader
from gamekeeper.servers.chat.messages import Channel

PROBED = 5_000
"""The lines that one page of a search reads in the order of time."""
MAX_HITS = 3_000
"""The most lines with a text that are sorted by time: more would take too long."""
SHORTEST_SEARCH, LONGEST_SEARCH = 2, 100

MIN_ID, MAX_ID = UUID(int=0), UUID(int=2**128 - 1)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
END_OF_TIME = datetime(9999, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class ChatCursor(Struct, frozen=True):
    """Where a page begins: next to this line, older or newer."""

    at: datetime
    id: UUID
    is_newer: bool = False

    @property
    def text(self) -> str:
        """As clients send it."""
        since = (self.at - EPOCH) // MICROSECOND
        packed = since.to_bytes(8, "big", signed=True) + self.id.bytes
        return base64.urlsafe_b64encode(packed).decode()


NEWEST = ChatCursor(END_OF_TIME, MAX_ID)


def parse_cursor(cursor: str, field: str, *, is_newer: bool) -> ChatCursor:
    """The place of a cursor, or InvalidQuery."""
    try:
        packed = base64.b64decode(cursor, altchars=b"-_", validate=True)
        since = int.from_bytes(packed[:8], "big", signed=True)
        return ChatCursor(EPOCH + since * MICROSECOND, UUID(bytes=packed[8:]), is_newer)
    except (ValueError, OverflowError, binascii.Error):
        raise InvalidQuery(
            f"'{field}' must be the '{field.title()}' of a response.", field=field
        ) from None


class LineFilters(Struct, frozen=True, kw_only=True):
    """Filters on lines; None: any."""

    channel: Channel | None = None
    player_id: UUID | None = None
    """Lines of this character and, with `private`, private messages to it."""
    user_id: UUID | None = None
    guild_id: UUID | None = None
    server_id: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None
    search: str | None = None
    """A part of the message, case-insensitive."""
    private: bool = False
    """Whether private messages are among them."""

    def __post_init__(self) -> None:
        text = self.search
        if text is not None and (
            not SHORTEST_SEARCH <= len(text) <= LONGEST_SEARCH or "\0" in text
        ):
            raise InvalidQuery(
                f"'search' must have {SHORTEST_SEARCH} to {LONGEST_SEARCH} characters.",
                field="search",
            )


class StoredLine(Struct, frozen=True):
    """A line as it is stored."""

    id: UUID
    said_at: datetime
    channel: Channel
    message: str
    player_id: UUID
    user_id: UUID
    target_id: UUID | None
    server_id: UUID
    address: str


COLUMNS: LiteralString = (
    "id, said_at, channel, message, player_id, user_id, target_id, server_id, address"
)

# For each filter, the condition if it is given and if it is not. With one condition for both
# cases (`$1 IS NULL OR channel = $1`) PostgreSQL would not use its indexes.
CONDITIONS: dict[str, tuple[LiteralString, LiteralString]] = {
    "channel": ("channel = $1", "$1::text IS NULL"),
    "player_id": ("player_id = $2", "$2::uuid IS NULL"),
    "user_id": ("user_id = $3", "$3::uuid IS NULL"),
    "guild_id": ("target_id = $4 AND channel = 'guild'", "$4::uuid IS NULL"),
    "server_id": ("server_id = $5", "$5::uuid IS NULL"),
    "since": ("said_at >= $6", "$6::timestamptz IS NULL"),
    "until": ("said_at <= $7", "$7::timestamptz IS NULL"),
}
TO_PLAYER: LiteralString = "target_id = $2 AND player_id <> $2 AND channel = 'pm'"
PUBLIC: LiteralString = "channel <> 'pm'"
BEYOND: dict[bool, LiteralString] = {
    False: "(said_at, id) < ($8, $9)",
    True: "(said_at, id) > ($8, $9)",
}
ORDER: dict[bool, LiteralString] = {False: "said_at DESC, id DESC", True: "said_at, id"}

# A server and a channel have a share of all lines, so PostgreSQL would look for them in the log of
# everything, from its end: of a server that was stopped, or a channel that is hardly used, that is
# all of it. An equality adds nothing to an order, but the membership in an array does: with the
# column in front, only the index that begins with it has this order.
LED_BY: dict[str, LiteralString] = {
    "server_id": "server_id = ANY(ARRAY[$5::uuid])",
    "channel": "channel = ANY(ARRAY[$1::text])",
}
LED_ORDER: dict[str, dict[bool, LiteralString]] = {
    "server_id": {
        False: "server_id DESC, said_at DESC, id DESC",
        True: "server_id, said_at, id",
    },
    "channel": {False: "channel DESC, said_at DESC, id DESC", True: "channel, said_at, id"},
}


async def find_lines(
    reader: Queryable, filters: LineFilters, place: ChatCursor, limit: int
) -> tuple[list[StoredLine], ChatCursor | None]:
    """At most one line more than `limit`, nearest first; and where a search stopped early."""
    place = _clamped(place, filters)
    given = structs.asdict(filters)
    arguments = (*(given[name] for name in CONDITIONS), place.at, place.id)
    if filters.search is None:
        sql = _nearest(filters, place, "$10")
        return await reader.all(StoredLine, sql, *arguments, limit + 1), None
    return await _search(reader, filters, place, limit, arguments)


def _clamped(place: ChatCursor, filters: LineFilters) -> ChatCursor:
    """
    The place, but not outside of the period that is asked for.

    PostgreSQL starts at the cursor and not at a nearer `said_at <= $7`: it would read all lines
    between the two.
    """
    since, until = filters.since, filters.until
    if place.is_newer:
        return (
            place
            if since is None or since <= place.at
            else ChatCursor(since, MIN_ID, is_newer=True)
        )
    return place if until is None or until >= place.at else ChatCursor(until, MAX_ID)


async def find_by_ids(reader: Queryable, ids: Sequence[UUID]) -> list[StoredLine]:
    return await reader.all(
        StoredLine, f"SELECT {COLUMNS} FROM chat_messages WHERE id = ANY($1)", list(ids)
    )


def _nearest(
    filters: LineFilters, place: ChatCursor, limit: LiteralString, columns: LiteralString = COLUMNS
) -> LiteralString:
    """The statement for the lines next to the place, without the search."""
    order = ORDER[place.is_newer]
    lead = _lead(filters)
    along = LED_ORDER[lead][place.is_newer] if lead else order
    # One index each: a condition with OR would read and sort all lines of the character.
    sources: list[LiteralString] = [
        f"""(SELECT {columns} FROM chat_messages
              WHERE {conditions} AND {BEYOND[place.is_newer]}
              ORDER BY {along} LIMIT {limit})"""
        for conditions in _sources(filters, lead)
    ]
    union: LiteralString = " UNION ALL ".join(sources)
    return f"SELECT {columns} FROM ({union}) AS nearest ORDER BY {order} LIMIT {limit}"


def _lead(filters: LineFilters) -> str | None:
    """The filter along whose index a page is read; None: PostgreSQL chooses well."""
    if filters.player_id or filters.user_id or filters.guild_id:
        return None
    # Staff hardly use their channel, so it has fewer lines than any server.
    if filters.server_id and filters.channel != "admin":
        return "server_id"
    return "channel" if filters.channel else None


def _sources(filters: LineFilters, lead: str | None = None) -> list[LiteralString]:
    """The conditions of each part of the log that the filters ask for."""
    given = structs.asdict(filters)
    chosen: list[LiteralString] = [
        LED_BY[name] if name == lead else CONDITIONS[name][given[name] is None]
        for name in CONDITIONS
    ]
    said: LiteralString = " AND ".join(chosen)
    if not filters.private:
        return [f"{said} AND {PUBLIC}"]
    if filters.player_id is None or filters.channel not in (None, "pm"):
        return [said]
    chosen[list(CONDITIONS).index("player_id")] = TO_PLAYER
    heard: LiteralString = " AND ".join(chosen)
    return [said, heard]


async def _search(
    reader: Queryable, filters: LineFilters, place: ChatCursor, limit: int, arguments: Sequence[Any]
) -> tuple[list[StoredLine], ChatCursor | None]:
    probed = await _probe(reader, filters, place, limit, arguments)
    if len(probed) > limit:
        return probed, None
    if not await _is_frequent(reader, len(probed)):
        hits = await _by_words(reader, filters, place, limit, arguments)
        if hits is not None:
            return hits, None
    return probed, await _end_of_probe(reader, filters, place, arguments)


async def _is_frequent(reader: Queryable, hits: int) -> bool:
    """Whether so many lines have a text that the index would find too many."""
    lines = await reader.value(
        "SELECT reltuples::float8 FROM pg_class WHERE oid = 'chat_messages'::regclass"
    )
    # Twice as many: among few hits, chance decides.
    return hits * lines / PROBED > 2 * MAX_HITS


async def _probe(
    reader: Queryable, filters: LineFilters, place: ChatCursor, limit: int, arguments: Sequence[Any]
) -> list[StoredLine]:
    """Lines with the text among the nearest ones."""
    # In the order of an index, so PostgreSQL stops as soon as the page is full.
    return await reader.all(
        StoredLine,
        f"""
        SELECT {COLUMNS} FROM ({_nearest(filters, place, "$11")}) AS nearest
         WHERE strpos(lower(message), lower($10)) > 0
         ORDER BY {ORDER[place.is_newer]} LIMIT $12
        """,
        *arguments,
        filters.search,
        PROBED,
        limit + 1,
    )


async def _end_of_probe(
    reader: Queryable, filters: LineFilters, place: ChatCursor, arguments: Sequence[Any]
) -> ChatCursor | None:
    """The last of the nearest lines; None if there are no more."""
    ends = await reader.rows(
        f"""
        SELECT said_at, id FROM ({_nearest(filters, place, "$10", "said_at, id")}) AS nearest
         ORDER BY {ORDER[place.is_newer]} OFFSET $10 - 1
        """,
        *arguments,
        PROBED,
    )
    return ChatCursor(ends[0]["said_at"], ends[0]["id"]) if ends else None


async def _by_words(
    reader: Queryable, filters: LineFilters, place: ChatCursor, limit: int, arguments: Sequence[Any]
) -> list[StoredLine] | None:
    """Lines with the text, nearest first; None if too many have it, or its words are too short."""
    conditions: LiteralString = " OR ".join(f"({source})" for source in _sources(filters))
    # The index finds the words, of which the text is made; the lines are compared with the text.
    sql: LiteralString = f"""
        WITH hits AS MATERIALIZED
             (SELECT * FROM chat_messages
               WHERE word_ends(message) @@ word_ends_query($10) LIMIT $11)
        SELECT {COLUMNS}, word_ends_query($10) IS NULL OR (SELECT count(*) FROM hits) = $11
                          AS is_unknown
          FROM (SELECT 1) AS always
          LEFT JOIN (SELECT * FROM hits
                      WHERE ({conditions}) AND {BEYOND[place.is_newer]}
                        AND strpos(lower(message), lower($10)) > 0
                      ORDER BY {ORDER[place.is_newer]} LIMIT $12) AS found ON true
         ORDER BY {ORDER[place.is_newer]}
    """
    # A generic plan: an estimate from the text could choose to read the whole table.
    lookups = reader.lookups if isinstance(reader, Reader) else reader
    rows = await lookups.rows(sql, *arguments, filters.search, MAX_HITS + 1, limit + 1)
    return None if rows[0]["is_unknown"] else [_line(row) for row in rows if row["id"] is not None]


def _line(row: Any) -> StoredLine:
    return StoredLine(**{name: row[name] for name in StoredLine.__struct_fields__})
