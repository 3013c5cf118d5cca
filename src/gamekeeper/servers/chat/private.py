"""
Reading private messages: with a reason, recorded in the audit log by the same transaction.

The action says who read, about whom and why, and how many lines; neither the text that was
searched for nor what was found is in it: the audit log is kept longer than chat, and cannot
be erased.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import structs

from gamekeeper.auth.reasons import ReasonRequired, is_visible
from gamekeeper.core.errors import Problem
from gamekeeper.core.schemas import Page, SortDirection, Window
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext, Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.servers.chat import lines, log
from gamekeeper.servers.chat.line_queries import ChatCursor, LineFilters
from gamekeeper.servers.chat.lines import ChatLines
from gamekeeper.servers.chat.log import ChatFilters, LoggedMessage

PERMISSION = "chat.private"
NEEDS_REASON = (
    "Reading private messages needs a reason, which is recorded. "
    "Send it in the field 'reason' or the header X-Reason."
)


class PrivateReading(Command, frozen=True, kw_only=True):
    """A page of the chat log with private messages."""

    filters: LineFilters
    place: ChatCursor
    at: datetime | None = None
    """Instead of a place: the lines around this instant."""
    limit: int
    addresses: bool


class PrivateListing(Command, frozen=True, kw_only=True):
    """A numbered page of private messages, as clients of Intersect read them."""

    filters: ChatFilters
    window: Window
    direction: SortDirection
    addresses: bool


@operation
async def read(writer: Writer, commands: Sequence[PrivateReading]) -> list[ChatLines | Problem]:
    """Read lines with private messages, and record it."""
    return [await _read(writer, command) for command in commands]


async def _read(writer: Writer, command: PrivateReading) -> ChatLines | Problem:
    if refusal := missing_reason(command.by):
        return refusal
    filters = structs.replace(command.filters, private=True)
    if command.at:
        found = await lines.around(
            writer, filters, command.at, command.limit, addresses=command.addresses
        )
    else:
        found = await lines.read(
            writer, filters, command.place, command.limit, addresses=command.addresses
        )
    about = {
        "channel": filters.channel,
        "guild_id": filters.guild_id,
        "server_id": filters.server_id,
        "is_search": filters.search is not None or None,
    }
    said = [line.said_at for line in found.values]
    await _record(writer, command.by, filters.player_id, filters.user_id, about, said)
    return found


@operation
async def list_logged(
    writer: Writer, commands: Sequence[PrivateListing]
) -> list[Page[LoggedMessage] | Problem]:
    """The same by page number."""
    return [await _list_logged(writer, command) for command in commands]


async def _list_logged(writer: Writer, command: PrivateListing) -> Page[LoggedMessage] | Problem:
    if refusal := missing_reason(command.by):
        return refusal
    filters = command.filters
    found = await log.list_messages(
        writer, filters, command.window, command.direction, addresses=command.addresses
    )
    one, other = filters.between or (filters.player_id, None)
    about = {"channel": "pm", "with_id": other, "is_search": filters.search is not None or None}
    said = [message.time_stamp for message in found.values]
    await _record(writer, command.by, one, filters.user_id, about, said)
    return found


def missing_reason(by: AuditContext) -> ReasonRequired | None:
    """The refusal of a reader who gives no reason."""
    if is_visible(by.reason or ""):
        return None
    return ReasonRequired(NEEDS_REASON, permission=PERMISSION)


async def _record(
    writer: Writer,
    by: AuditContext,
    player_id: UUID | None,
    user_id: UUID | None,
    about: dict[str, object],
    said: Sequence[datetime],
) -> None:
    span = {"first_at": min(said), "last_at": max(said)} if said else {}
    after = {name: value for name, value in about.items() if value is not None}
    await actions.record(
        writer,
        [
            Action(
                kind="chat.read",
                by=by,
                player_id=player_id,
                user_id=user_id,
                after=after | {"lines": len(said)} | span,
            )
        ],
    )
