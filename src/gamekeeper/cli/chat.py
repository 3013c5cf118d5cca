"""Chat commands: the chat log, and with a reason private messages too."""

from typing import Annotated, get_args
from uuid import UUID

import typer
from msgspec import Struct

from gamekeeper.cli import names
from gamekeeper.cli.actor import ByReasonFirst
from gamekeeper.cli.command import Depends, Output, TextTable, change, command
from gamekeeper.cli.options import AtOption, Cursor, Limit, Since, Until
from gamekeeper.cli.times import Clock, TerminalClock
from gamekeeper.core.names import parse_guid
from gamekeeper.db.database import Database, Reader
from gamekeeper.servers.chat import lines, private
from gamekeeper.servers.chat.line_queries import NEWEST, LineFilters, parse_cursor
from gamekeeper.servers.chat.lines import ChatLine, ChatLines
from gamekeeper.servers.chat.messages import Channel
from gamekeeper.servers.chat.private import PrivateReading

Player = Annotated[str | None, typer.Option(metavar="CHARACTER", help="A character's name or id.")]
User = Annotated[str | None, typer.Option(metavar="ACCOUNT", help="An account's name or id.")]
InChannel = Annotated[
    str | None, typer.Option(metavar="CHANNEL", help="local, party, global, pm, admin or guild.")
]
Text = Annotated[str | None, typer.Option(metavar="TEXT", help="A part of the message.")]


class ChatOptions(Struct, frozen=True):
    """The filters as they are typed."""

    player: str | None
    user: str | None
    channel: str | None
    search: str | None
    since: str | None
    until: str | None

    async def filters(self, reader: Reader, clock: TerminalClock) -> LineFilters:
        begin, end = clock.period(self.since, self.until)
        return LineFilters(
            channel=_channel(self.channel),
            player_id=await _player_id(reader, self.player),
            user_id=await _user_id(reader, self.user),
            search=self.search,
            since=begin,
            until=end,
        )


async def _player_id(reader: Reader, key: str | None) -> UUID | None:
    """An id is not looked up: messages outlive their characters."""
    return (parse_guid(key) or (await names.player(reader, key)).id) if key else None


async def _user_id(reader: Reader, key: str | None) -> UUID | None:
    return (parse_guid(key) or (await names.user(reader, key)).id) if key else None


def _options(
    player: Player = None,
    user: User = None,
    channel: InChannel = None,
    search: Text = None,
    since: Since = None,
    until: Until = None,
) -> ChatOptions:
    return ChatOptions(player, user, channel, search, since, until)


def _channel(text: str | None) -> Channel | None:
    for channel in get_args(Channel):
        if text and text.lower() == channel:
            return channel
    if text:
        raise typer.BadParameter(f"--channel must be one of {', '.join(get_args(Channel))}.")
    return None


Options = Annotated[ChatOptions, Depends(_options)]


@command
async def list_(
    database: Database,
    *,
    options: Options,
    at: AtOption = None,
    limit: Limit = 50,
    cursor: Cursor = None,
    clock: Clock,
) -> Output:
    """
    Show the chat log, newest first, without private messages.

    With --at, the messages within five minutes of it.
    """
    filters = await options.filters(database.reader, clock)
    if filters.channel == "pm":
        raise typer.BadParameter("Private messages need: gamekeeper chat private --reason TEXT.")
    if at is not None:
        moment = clock.at(at)
        found = await lines.around(database.reader, filters, moment, limit, addresses=True)
    else:
        place = parse_cursor(cursor, "older", is_newer=False) if cursor else NEWEST
        found = await lines.read(database.reader, filters, place, limit, addresses=True)
    return _output(found, clock)


@change(private.PERMISSION)
async def private_(
    database: Database,
    *,
    options: Options,
    at: AtOption = None,
    limit: Limit = 50,
    cursor: Cursor = None,
    by: ByReasonFirst,
    clock: Clock,
) -> Output:
    """
    Show the chat log with private messages, newest first. Needs --reason.

    Each call is recorded in the audit log, with your name and the reason.
    """
    command_ = PrivateReading(
        by=by,
        filters=await options.filters(database.reader, clock),
        place=parse_cursor(cursor, "older", is_newer=False) if cursor else NEWEST,
        at=clock.maybe(at),
        limit=limit,
        addresses=True,
    )
    return _output(await private.read.one(database, command_), clock)


def _output(found: ChatLines, clock: TerminalClock) -> Output:
    more = f"Next page: --cursor {found.older}" if found.older else "End of the list."
    if found.searched_to:
        more = f"Searched back to {clock.show(found.searched_to)}. {more}"
    if not found.values:
        return Output(found, "No message matches.", more if found.older else None)
    rows = [_row(line, clock) for line in found.values]
    return Output(
        found, TextTable([clock.heading, "channel", "player", "to", "message"], rows), more
    )


def _row(line: ChatLine, clock: TerminalClock) -> list[str]:
    who = line.player_name or str(line.player_id)
    return [clock.show(line.said_at), line.channel, who, line.target_name or "", line.message]
