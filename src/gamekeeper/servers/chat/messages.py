"""
Chat messages that game servers report, stored for those who look into complaints.

The game server chooses the ids, so a report that is sent again is stored once. A message of a
character that does not exist is left out: a server must not attribute words to nobody.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.errors import Problem
from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.servers import leases
from gamekeeper.servers.leases import LeaseHolder

Channel = Literal["local", "party", "global", "pm", "admin", "guild"]
CHANNELS: tuple[Channel, ...] = ("local", "party", "global", "pm", "admin", "guild")
"""As in the Intersect Engine: the place in the list is the channel's number there."""

MAX_MESSAGE_LENGTH = 1000
MAX_ADDRESS_LENGTH = 64


class SaidMessage(Struct, frozen=True, kw_only=True):
    id: UUID
    player_id: UUID
    channel: Channel
    message: str
    target_id: UUID | None = None
    said_at: datetime | None = None
    """None, and whatever is in the future: now."""
    address: str = ""


class ChatReport(Command, frozen=True, kw_only=True):
    holder: LeaseHolder
    messages: Sequence[SaidMessage]


class StoredMessages(Record, frozen=True):
    """The outcome of a report."""

    stored: int
    """Messages that were not stored before."""
    unknown: list[UUID]
    """Characters that do not exist; their messages are left out."""


@operation
async def report(writer: Writer, commands: Sequence[ChatReport]) -> list[StoredMessages | Problem]:
    return [
        await leases.hold(writer, command.holder, command.by) or await _store(writer, command)
        for command in commands
    ]


async def _store(writer: Writer, command: ChatReport) -> StoredMessages:
    said = command.messages
    authors = {message.player_id for message in said}
    rows = await writer.rows("SELECT id, user_id FROM players WHERE id = ANY($1)", list(authors))
    users = {row["id"]: row["user_id"] for row in rows}
    kept = [message for message in said if message.player_id in users]
    stored = await writer.rows(
        STORE,
        [message.id for message in kept],
        [message.said_at for message in kept],
        command.holder.server_id,
        [message.player_id for message in kept],
        [users[message.player_id] for message in kept],
        [message.channel for message in kept],
        [message.message for message in kept],
        [message.target_id for message in kept],
        [message.address for message in kept],
    )
    return StoredMessages(stored=len(stored), unknown=sorted(authors - users.keys()))


STORE: LiteralString = """
    INSERT INTO chat_messages (id, said_at, server_id, player_id, user_id, channel, message,
                               target_id, address)
    SELECT id, least(coalesce(said_at, now()), now()), $3, player_id, user_id, channel, message,
           target_id, address
      FROM unnest($1::uuid[], $2::timestamptz[], $4::uuid[], $5::uuid[], $6::text[], $7::text[],
                  $8::uuid[], $9::text[])
           AS new (id, said_at, player_id, user_id, channel, message, target_id, address)
    ON CONFLICT (id) DO NOTHING
    RETURNING id
"""
