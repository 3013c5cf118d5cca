"""Logs as clients of the Intersect Engine ask for them: activity, addresses, trades, chat."""

from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta

from gamekeeper.api import audit_context
from gamekeeper.api.path_parameters import GuildId, PlayerKey, ServerId, UserKey
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.reasons import ReasonRequired
from gamekeeper.core.errors import Invalid, InvalidQuery, RoleRequired
from gamekeeper.core.schemas import Body, LenientPaging, Page, SortDirection
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.history import activity, guild_activity, trade_log
from gamekeeper.history.activity import Activity
from gamekeeper.history.guild_activity import GuildActivity
from gamekeeper.history.trade_log import Trade
from gamekeeper.http.load_shedding import LOW
from gamekeeper.http.requests import Request
from gamekeeper.http.routing import Routes
from gamekeeper.players.lookup import PlayerNotFound, find_player
from gamekeeper.servers.chat import log, messages, private
from gamekeeper.servers.chat.log import ChatFilters, LoggedMessage
from gamekeeper.servers.chat.messages import CHANNELS, Channel, SaidMessage, StoredMessages
from gamekeeper.servers.chat.private import PrivateListing
from gamekeeper.servers.leases import Fenced, LeaseHolder, ServerNotFound
from gamekeeper.servers.owners import ServerOwned
from gamekeeper.users.addresses import UsedAddress, list_addresses
from gamekeeper.users.lookup import UserNotFound, find_user_id

routes = Routes("/api/v1/logs", roles=["logs.read"])
servers = Routes("/api/v1/servers")

LONGEST_SEARCH = 100


class LogQuery(LenientPaging, frozen=True):
    sort_direction: SortDirection = SortDirection.DESCENDING
    """The sort direction, case-insensitive; also `0` (ascending) or `1` (descending)."""


@routes.get("/user/{user}/activity", raises=(UserNotFound,), priority=LOW)
async def list_user_activity(
    reader: Reader, caller: Principal, user: UserKey, query: LogQuery
) -> Page[Activity]:
    """The activity log of an account and its characters, newest first."""
    return await activity.of_user(
        reader,
        await find_user_id(reader, user),
        query.window,
        query.sort_direction,
        addresses=caller.sees_emails,
    )


@routes.get("/player/{player}/activity", raises=(PlayerNotFound,), priority=LOW)
async def list_player_activity(
    reader: Reader, caller: Principal, player: PlayerKey, query: LogQuery
) -> Page[Activity]:
    """The activity log of a character, newest first."""
    found = await find_player(reader, player)
    return await activity.of_player(
        reader,
        found.user_id,
        found.id,
        query.window,
        query.sort_direction,
        addresses=caller.sees_emails,
    )


@routes.get("/user/{user}/ip", "users.personal", raises=(UserNotFound,), priority=LOW)
async def list_user_addresses(reader: Reader, user: UserKey, query: LogQuery) -> Page[UsedAddress]:
    """The addresses an account signed in from, and other accounts that used them."""
    return await list_addresses(reader, await find_user_id(reader, user), query.window)


@routes.get("/guild/{guild_id}/activity", priority=LOW)
async def list_guild_activity(
    reader: Reader, guild_id: GuildId, query: LogQuery
) -> Page[GuildActivity]:
    """The activity log of a guild, newest first; empty for an unknown guild."""
    return await guild_activity.list_guild_activity(
        reader, guild_id, query.window, query.sort_direction
    )


class TradeQuery(LogQuery, frozen=True):
    user_id: UUID | None = None
    """Only trades of this account's characters."""
    player_id: UUID | None = None
    """Only trades of this character."""


@routes.get("/trade", priority=LOW)
async def list_trades(reader: Reader, query: TradeQuery) -> Page[Trade]:
    """Trades between characters: all, or those of a character or an account."""
    players = None
    if query.player_id is not None:
        players = [query.player_id]
    elif query.user_id is not None:
        players = await activity.characters_of(reader, query.user_id)
    return await trade_log.list_trades(reader, players, query.window, query.sort_direction)


class ChatQuery(LogQuery, frozen=True):
    message_type: int | None = None
    """0 local, 1 party, 2 global, 3 pm, 4 admin, 5 guild."""
    user_id: UUID | None = None
    """Only messages of this account's characters."""
    player_id: UUID | None = None
    """Only messages of this character."""
    guild_id: UUID | None = None
    """Only messages to this guild."""
    search: str | None = None
    """A part of the message, case-insensitive."""


@routes.get("/chat", raises=(ReasonRequired,), priority=LOW)
async def list_chat(
    database: Database, caller: Principal, request: Request, query: ChatQuery
) -> Page[LoggedMessage]:
    """
    The chat log, newest first, without private messages.

    Those are listed with `messageType=3`, as by `/api/v1/logs/pm`: with the scope `chat.private`
    and the header `X-Reason`.
    """
    filters = ChatFilters(
        channel=_channel(query),
        user_id=query.user_id,
        player_id=query.player_id,
        target_id=query.guild_id,
        search=_search(query.search),
    )
    if filters.channel == "pm":
        if not caller.may(private.PERMISSION):
            raise RoleRequired(private.PERMISSION)
        return await _private(database, caller, request, filters, query)
    return await log.list_messages(
        database.reader, filters, query.window, query.sort_direction, addresses=caller.sees_emails
    )


def _channel(query: ChatQuery) -> Channel | None:
    if query.guild_id is not None:
        return "guild"
    if query.message_type is None:
        return None
    if not 0 <= query.message_type < len(CHANNELS):
        known = ", ".join(f"{number} ({name})" for number, name in enumerate(CHANNELS))
        raise InvalidQuery(f"'messageType' must be one of {known}.", field="messageType")
    return CHANNELS[query.message_type]


def _search(search: str | None) -> str | None:
    if search and (len(search) > LONGEST_SEARCH or "\0" in search):
        raise InvalidQuery(
            f"'search' has at most {LONGEST_SEARCH} characters, without NUL.", field="search"
        )
    return search or None


class PrivateQuery(LogQuery, frozen=True, kw_only=True):
    player1_id: UUID
    """The id of one of the two characters."""
    player2_id: UUID
    """The id of the other one."""


@routes.get("/pm", private.PERMISSION, raises=(ReasonRequired,), priority=LOW)
async def list_private_messages(
    database: Database, caller: Principal, request: Request, query: PrivateQuery
) -> Page[LoggedMessage]:
    """
    The private messages between two characters, newest first.

    Send a reason in the header `X-Reason`. The call is recorded in the audit log as `chat.read`.
    """
    filters = ChatFilters(channel="pm", between=(query.player1_id, query.player2_id))
    return await _private(database, caller, request, filters, query)


async def _private(
    database: Database, caller: Principal, request: Request, filters: ChatFilters, query: LogQuery
) -> Page[LoggedMessage]:
    listing = PrivateListing(
        by=audit_context.by_request(request),
        filters=filters,
        window=query.window,
        direction=query.sort_direction,
        addresses=caller.sees_emails,
    )
    return await private.list_logged.one(database, listing)


class InvalidChat(Invalid):
    """A message is empty or too long."""


class SaidBody(Body, frozen=True):
    """Something that a character said."""

    id: UUID
    """Chosen by the game server: a message reported twice is stored once."""
    player_id: UUID
    message: str
    """1 to 1,000 characters."""
    channel: Channel = "local"
    target_id: UUID | None = None
    """The recipient: a character or a guild."""
    said_at: datetime | None = None
    """Now, if it is absent or in the future."""
    address: str = ""
    """The player's address."""


class ReportChat(Body, frozen=True):
    fence: int
    """The fencing number that came with the lease."""
    messages: Annotated[list[SaidBody], Meta(max_length=500)]
    """At most 500."""


@servers.post(
    "/{server_id}/chat", "servers", raises=(InvalidChat, ServerNotFound, Fenced, ServerOwned)
)
async def report_chat(
    database: Database, by: AuditContext, server_id: ServerId, body: ReportChat
) -> StoredMessages:
    """
    Report what was said on a server, for the chat log, which is kept for a month.

    The ids are the game server's own: what is reported again is stored once.
    """
    said = [_said(message) for message in body.messages]
    order = messages.ChatReport(by=by, holder=LeaseHolder(server_id, body.fence), messages=said)
    return await messages.report.one(database, order)


def _zoned(at: datetime | None) -> datetime | None:
    """A time without a zone is in UTC."""
    return at.replace(tzinfo=UTC) if at is not None and at.tzinfo is None else at


def _said(one: SaidBody) -> SaidMessage:
    if not 0 < len(one.message) <= messages.MAX_MESSAGE_LENGTH:
        raise InvalidChat(f"A message must have 1 to {messages.MAX_MESSAGE_LENGTH} characters.")
    if len(one.address) > messages.MAX_ADDRESS_LENGTH:
        raise InvalidChat(f"An address must have at most {messages.MAX_ADDRESS_LENGTH} characters.")
    return SaidMessage(
        id=one.id,
        player_id=one.player_id,
        channel=one.channel,
        message=one.message,
        target_id=one.target_id,
        said_at=_zoned(one.said_at),
        address=one.address,
    )
