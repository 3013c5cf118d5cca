"""
The chat log: what was said, newest first, by whom and to whom.

An answer has pages by number, so it looks at the newest `MAX_MESSAGES` that the filters leave,
and no further: deep pages of a busy game would read all of it.
"""

from collections.abc import Sequence
from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.schemas import Instant, Page, Record, SortDirection, Window
from gamekeeper.db.database import Queryable
from gamekeeper.players.lookup import names_of
from gamekeeper.servers.chat.messages import Channel
from gamekeeper.users.lookup import names_of_users

MAX_MESSAGES = 10_000

TYPES: dict[Channel, str] = {
    "local": "Local",
    "party": "Party",
    "global": "Global",
    "pm": "PM",
    "admin": "Admin",
    "guild": "Guild",
}
"""What the Intersect Engine calls the channels."""


class ChatFilters(Struct, frozen=True, kw_only=True):
    """Filters on messages; None: any."""

    channel: Channel | None = None
    """None: all but private messages."""
    user_id: UUID | None = None
    player_id: UUID | None = None
    target_id: UUID | None = None
    search: str | None = None
    """A part of the message, case-insensitive."""
    between: tuple[UUID, UUID] | None = None
    """Messages of two characters to each other, with the channel `pm`."""


class LoggedMessage(Record, frozen=True):
    """Something that was said in the game."""

    id: UUID
    user_id: UUID
    player_id: UUID
    ip: str
    """The reported address; empty for callers without access to personal information."""
    time_stamp: Instant
    message_type: str
    """`Local`, `Party`, `Global`, `PM`, `Admin` or `Guild`."""
    message_text: str
    target_id: UUID | None
    """The recipient: a character or a guild."""
    username: str
    player_name: str
    target_name: str
    """Of a character; else empty."""


class _Message(Struct, frozen=True):
    id: UUID
    user_id: UUID
    player_id: UUID
    address: str
    said_at: Instant
    channel: Channel
    message: str
    target_id: UUID | None


async def list_messages(
    reader: Queryable,
    filters: ChatFilters,
    window: Window,
    direction: SortDirection,
    *,
    addresses: bool,
) -> Page[LoggedMessage]:
    """A page of the newest messages; without `addresses`, from nowhere."""
    newest, given = _newest(filters)
    total: int = await reader.value(f"SELECT count(*) FROM ({newest}) AS newest", *given)
    order: LiteralString = (
        "said_at, id" if direction is SortDirection.ASCENDING else "said_at DESC, id DESC"
    )
    found = await reader.all(
        _Message,
        f"""
        SELECT id, user_id, player_id, address, said_at, channel, message, target_id
          FROM ({newest}) AS newest
         ORDER BY {order} LIMIT $9 OFFSET $10
        """,
        *given,
        window.shown,
        min(window.offset, MAX_MESSAGES),
    )
    return Page.of(await _named(reader, found, addresses=addresses), total, window)


NOT_PRIVATE: LiteralString = "channel <> 'pm' AND $1::text IS NULL"


def _newest(filters: ChatFilters) -> tuple[LiteralString, Sequence[object]]:
    """The query for the newest messages that the filters leave, and its arguments."""
    one, other = filters.between or (None, None)
    # With one condition for both cases (`$1 IS NULL OR …`) no index would be used.
    conditions: list[LiteralString] = [
        "channel = $1" if filters.channel else NOT_PRIVATE,
        "user_id = $2" if filters.user_id else "$2::uuid IS NULL",
        "player_id = $3" if filters.player_id else "$3::uuid IS NULL",
        "target_id = $4" if filters.target_id else "$4::uuid IS NULL",
        """(player_id = $5 AND target_id = $6
            OR player_id = $6 AND target_id = $5)"""
        if filters.between
        else "$5::uuid IS NULL AND $6::uuid IS NULL",
    ]
    found: LiteralString = f"""
        SELECT * FROM chat_messages WHERE {" AND ".join(conditions)}
         ORDER BY said_at DESC, id DESC LIMIT $8
    """
    searched: LiteralString = (
        "strpos(lower(message), lower($7)) > 0" if filters.search else "$7::text IS NULL"
    )
    return f"SELECT * FROM ({found}) AS found WHERE {searched}", (
        filters.channel,
        filters.user_id,
        filters.player_id,
        filters.target_id,
        one,
        other,
        filters.search,
        MAX_MESSAGES,
    )


async def _named(
    reader: Queryable, found: Sequence[_Message], *, addresses: bool
) -> list[LoggedMessage]:
    users = await names_of_users(reader, (message.user_id for message in found))
    players = await names_of(
        reader,
        (
            who
            for message in found
            for who in (message.player_id, message.target_id)
            if who is not None
        ),
    )
    return [
        LoggedMessage(
            id=message.id,
            user_id=message.user_id,
            player_id=message.player_id,
            ip=message.address if addresses else "",
            time_stamp=message.said_at,
            message_type=TYPES[message.channel],
            message_text=message.message,
            target_id=message.target_id,
            username=users.get(message.user_id, ""),
            player_name=players.get(message.player_id, ""),
            target_name=players.get(message.target_id, "") if message.target_id else "",
        )
        for message in found
    ]
