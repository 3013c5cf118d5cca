"""
The chat log, read from any place in both directions (keyset pagination).

A page starts at the time and id of a line, not at a row offset, so a deep page costs as much as
the first. Pages list the newest line first, whatever the direction.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import LiteralString
from uuid import UUID

from msgspec import structs

from gamekeeper.core.schemas import LARGEST_PAGE, Instant, Record
from gamekeeper.db.database import Queryable
from gamekeeper.players.lookup import names_of
from gamekeeper.sanctions.excerpts import ExcerptLine
from gamekeeper.servers.chat.line_queries import (
    END_OF_TIME,
    EPOCH,
    MAX_ID,
    NEWEST,
    ChatCursor,
    LineFilters,
    StoredLine,
    find_by_ids,
    find_lines,
)
from gamekeeper.servers.chat.messages import Channel

AROUND = timedelta(minutes=5)
"""How far from its instant a page around it reaches, on both sides."""


class ChatLine(Record, frozen=True, kw_only=True):
    """A chat message."""

    id: UUID
    """The id that the game server chose."""
    said_at: Instant
    channel: Channel
    """`local`, `party`, `global`, `pm`, `admin` or `guild`."""
    message: str
    player_id: UUID
    """The character that said it."""
    player_name: str | None = None
    """Null if the character is erased."""
    user_id: UUID
    """The account of the character."""
    target_id: UUID | None
    """The recipient of a private message, or the guild."""
    target_name: str | None = None
    """The name of the character or guild; null if there is none or it no longer exists."""
    server_id: UUID
    server_name: str | None = None
    address: str | None
    """The player's address, if reported; null for callers without `users.personal`."""


class ChatLines(Record, frozen=True):
    """Part of the chat log, newest first."""

    values: list[ChatLine]
    older: str | None
    """The `older` of the page before these lines; null if there are no older lines."""
    newer: str | None
    """The `newer` of the page after these lines, which may still be empty."""
    searched_to: Instant | None = None
    """
    With `search`, if the page ended before it was full: the time of the last line searched.
    Otherwise null.
    """


async def read(
    reader: Queryable, filters: LineFilters, place: ChatCursor, limit: int, *, addresses: bool
) -> ChatLines:
    """A page of the lines that match the filters, next to `place`."""
    limit = max(1, min(LARGEST_PAGE, limit))
    found, stopped = await find_lines(reader, filters, place, limit)
    has_more, found = len(found) > limit or stopped is not None, found[:limit]
    near = _beside(found[0]) if found else place
    far = stopped or (_beside(found[-1]) if found else place)
    if place.is_newer:
        found.reverse()
        # Its newer cursor never ends: more may be said.
        older, newer = near, far
    else:
        older, newer = far if has_more else None, near if near != NEWEST else None
    return ChatLines(
        values=await _named(reader, found, addresses=addresses),
        older=older.text if older else None,
        newer=newer.text if newer else None,
        searched_to=stopped.at if stopped else None,
    )


def _beside(line: StoredLine | ChatLine) -> ChatCursor:
    return ChatCursor(line.said_at, line.id)


async def around(
    reader: Queryable, filters: LineFilters, at: datetime, limit: int, *, addresses: bool
) -> ChatLines:
    """The lines within five minutes of an instant, at most `limit` on each side of it."""
    at = min(max(at, EPOCH), END_OF_TIME)
    moment = ChatCursor(at, MAX_ID)
    earlier = structs.replace(filters, since=_latest(filters.since, at - AROUND))
    later = structs.replace(filters, until=_earliest(filters.until, at + AROUND))
    before = await read(reader, earlier, moment, limit, addresses=addresses)
    after = await read(
        reader, later, structs.replace(moment, is_newer=True), limit, addresses=addresses
    )
    # Beyond the five minutes there may be more.
    oldest = _beside(before.values[-1]) if before.values else moment
    newest = _beside(after.values[0]) if after.values else moment
    return ChatLines(
        values=after.values + before.values,
        older=oldest.text,
        newer=newest.text,
    )


async def find(reader: Queryable, ids: Sequence[UUID]) -> list[ChatLine]:
    """The lines with these ids, in any order, without addresses; unknown ids are left out."""
    found = await find_by_ids(reader, ids) if ids else []
    return await _named(reader, found, addresses=False)


def excerpt_line(line: ChatLine) -> ExcerptLine:
    """The line as evidence, without the address."""
    return ExcerptLine(
        message_id=line.id,
        said_at=line.said_at,
        server_id=line.server_id,
        player_id=line.player_id,
        user_id=line.user_id,
        player_name=line.player_name,
        channel=line.channel,
        message=line.message,
        target_id=line.target_id,
        target_name=line.target_name,
    )


def _latest(one: datetime | None, other: datetime) -> datetime:
    return max(one, other) if one else other


def _earliest(one: datetime | None, other: datetime) -> datetime:
    return min(one, other) if one else other


async def _named(
    reader: Queryable, found: Sequence[StoredLine], *, addresses: bool
) -> list[ChatLine]:
    people = {line.player_id for line in found}
    people |= {line.target_id for line in found if line.target_id and line.channel != "guild"}
    names = await names_of(reader, people)
    names |= await _names(reader, GUILD_NAMES, {line.target_id for line in found} - people)
    servers = await _names(reader, SERVER_NAMES, {line.server_id for line in found})
    return [
        ChatLine(
            id=line.id,
            said_at=line.said_at,
            channel=line.channel,
            message=line.message,
            player_id=line.player_id,
            player_name=names.get(line.player_id),
            user_id=line.user_id,
            target_id=line.target_id,
            target_name=names.get(line.target_id) if line.target_id else None,
            server_id=line.server_id,
            server_name=servers.get(line.server_id),
            address=line.address if addresses else None,
        )
        for line in found
    ]


GUILD_NAMES: LiteralString = "SELECT id, name FROM guilds WHERE id = ANY($1)"
SERVER_NAMES: LiteralString = "SELECT id, name FROM servers WHERE id = ANY($1)"


async def _names(reader: Queryable, sql: LiteralString, ids: set[UUID | None]) -> dict[UUID, str]:
    wanted = sorted(id_ for id_ in ids if id_)
    return {row["id"]: row["name"] for row in await reader.rows(sql, wanted)} if wanted else {}
