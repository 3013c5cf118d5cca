"""The chat log for staff: by character, guild, server, channel, text, and around a moment."""

from datetime import UTC, datetime
from typing import Literal
from uuid import UUID

from gamekeeper.api import audit_context
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.reasons import ReasonRequired
from gamekeeper.core.errors import InvalidQuery
from gamekeeper.core.schemas import Body, Query
from gamekeeper.db.database import Database, Reader
from gamekeeper.http.load_shedding import LOW
from gamekeeper.http.requests import Request
from gamekeeper.http.routing import Routes
from gamekeeper.ledger import audit_log
from gamekeeper.players.lookup import PlayerNotFound, find_player_id
from gamekeeper.servers.chat import lines, private
from gamekeeper.servers.chat.line_queries import NEWEST, ChatCursor, LineFilters, parse_cursor
from gamekeeper.servers.chat.lines import ChatLines
from gamekeeper.servers.chat.messages import Channel
from gamekeeper.servers.chat.private import PrivateReading
from gamekeeper.users.lookup import UserNotFound, find_user_id

routes = Routes("/api/v1/chat/messages", roles=["logs.read"])

PublicChannel = Literal["local", "party", "global", "admin", "guild"]
NOT_FOUND = (PlayerNotFound, UserNotFound)


class ChatLineQuery(Query, frozen=True):
    channel: PublicChannel | None = None
    """Only this channel: `local`, `party`, `global`, `admin` or `guild`."""
    player: str | None = None
    """Only messages of this character, by name or id."""
    user: str | None = None
    """Only messages of this account's characters, by name or id."""
    guild: UUID | None = None
    """Only messages to this guild, by id."""
    server: UUID | None = None
    """Only messages on this server, by id."""
    search: str | None = None
    """Only messages that contain this, case-insensitive; 2 to 100 characters."""
    from_: datetime | None = None
    """Only messages at this instant or later, for example `2026-03-14T18:00:00Z`."""
    to: datetime | None = None
    """Only messages at this instant or earlier."""
    at: datetime | None = None
    """The messages within five minutes of this instant, at most `limit` on each side of it."""
    older: str | None = None
    """The page before another one: its `Older`."""
    newer: str | None = None
    """The page after another one: its `Newer`."""
    limit: int = 50
    """The page size, 1 to 100; values out of range are clamped."""


@routes.get("", raises=NOT_FOUND, priority=LOW)
async def list_chat_messages(reader: Reader, caller: Principal, query: ChatLineQuery) -> ChatLines:
    """
    The chat log without private messages, newest first.

    Without `at`, `older` and `newer` it starts with the newest message; send one of them at most.
    A page of a search reads a limited number of messages, so it may have few results or none and
    still an `Older`; `SearchedTo` is the time of the last message searched.
    """
    filters = await _filters(reader, query)
    place = _place(query)
    if query.at:
        moment = _zoned(query.at)
        return await lines.around(
            reader, filters, moment, query.limit, addresses=caller.sees_emails
        )
    return await lines.read(reader, filters, place, query.limit, addresses=caller.sees_emails)


class ReadPrivateChat(Body, frozen=True):
    reason: str
    """The reason, for the audit log, at most 500 characters."""
    channel: Channel | None = None
    """Only this channel: `pm`, `local`, `party`, `global`, `admin` or `guild`."""
    player: str | None = None
    """Only messages of this character and private messages to it, by name or id."""
    user: str | None = None
    """Only messages of this account's characters, by name or id."""
    guild: UUID | None = None
    """Only messages to this guild, by id."""
    server: UUID | None = None
    """Only messages on this server, by id."""
    search: str | None = None
    """Only messages that contain this, case-insensitive; 2 to 100 characters."""
    from_: datetime | None = None
    """Only messages at this instant or later."""
    to: datetime | None = None
    """Only messages at this instant or earlier."""
    at: datetime | None = None
    """The messages within five minutes of this instant, at most `limit` on each side of it."""
    older: str | None = None
    """The page before another one: its `Older`."""
    newer: str | None = None
    """The page after another one: its `Newer`."""
    limit: int = 50
    """The page size, 1 to 100; values out of range are clamped."""


@routes.post(
    "/private",
    private.PERMISSION,
    raises=(*NOT_FOUND, ReasonRequired, InvalidQuery),
    priority=LOW,
    takes_key=False,
)
async def read_private_chat(
    database: Database, caller: Principal, request: Request, body: ReadPrivateChat
) -> ChatLines:
    """
    The chat log with private messages, newest first.

    Each call needs a `reason` and is recorded in the audit log as `chat.read`, in the transaction
    that reads. The fields are those of `GET /api/v1/chat/messages`.
    """
    command = PrivateReading(
        # Without an idempotency key: the response must not be stored.
        by=audit_context.by_request(request),
        filters=await _filters(database.reader, body),
        place=_place(body),
        at=_zoned(body.at) if body.at else None,
        limit=body.limit,
        addresses=caller.sees_emails,
    )
    return await private.read.one(database, command)


async def _filters(reader: Reader, sent: ChatLineQuery | ReadPrivateChat) -> LineFilters:
    return LineFilters(
        channel=sent.channel,
        player_id=await audit_log.subject_id(reader, sent.player or None, find_player_id),
        user_id=await audit_log.subject_id(reader, sent.user or None, find_user_id),
        guild_id=sent.guild,
        server_id=sent.server,
        since=_zoned(sent.from_) if sent.from_ else None,
        until=_zoned(sent.to) if sent.to else None,
        search=sent.search or None,
    )


def _place(sent: ChatLineQuery | ReadPrivateChat) -> ChatCursor:
    if sum(value is not None for value in (sent.at, sent.older, sent.newer)) > 1:
        raise InvalidQuery("Send only one of 'at', 'older' and 'newer'.", field="at")
    if sent.older is not None:
        return parse_cursor(sent.older, "older", is_newer=False)
    if sent.newer is not None:
        return parse_cursor(sent.newer, "newer", is_newer=True)
    return NEWEST


def _zoned(at: datetime) -> datetime:
    """A time without a zone is in UTC."""
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at
