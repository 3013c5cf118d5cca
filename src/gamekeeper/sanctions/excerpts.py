"""
Excerpts: chat lines that are the evidence of a sanction, frozen when it is imposed.

They stay when the chat log expires. Their digests are in the action (ledger/evidence.py). An
erasure empties the lines of the account, and private messages to it.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal, LiteralString
from uuid import UUID

from msgspec import Struct, structs

from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.arrays import columns
from gamekeeper.db.database import Queryable, Writer
from gamekeeper.ledger.evidence import LINE_DIGEST

# Those of servers/chat/messages.py, which this package is below.
ChatChannel = Literal["local", "party", "global", "pm", "admin", "guild"]


class ExcerptLine(Struct, frozen=True, kw_only=True):
    """A chat line as it is when the sanction is imposed."""

    message_id: UUID
    said_at: datetime
    server_id: UUID
    player_id: UUID
    user_id: UUID
    player_name: str | None
    channel: ChatChannel
    message: str
    target_id: UUID | None
    target_name: str | None


class FrozenLine(Record, frozen=True, kw_only=True):
    """A chat message that is evidence."""

    id: UUID
    """The id that the game server chose."""
    said_at: Instant
    channel: ChatChannel
    """`local`, `party`, `global`, `pm`, `admin` or `guild`."""
    message: str | None
    """Null if it was erased, or is private and the caller has no `chat.private`."""
    is_erased: bool
    """Whether the account that said it, or its recipient, was erased."""
    player_id: UUID
    player_name: str | None
    user_id: UUID
    target_id: UUID | None
    target_name: str | None
    server_id: UUID


class SanctionExcerpt(Record, frozen=True):
    """The chat messages that are the evidence of a sanction, oldest first."""

    values: list[FrozenLine]
    sha256: str | None
    """The hash in the action that imposed the sanction; null without messages."""


async def freeze(
    writer: Writer, excerpts: Mapping[UUID, Sequence[ExcerptLine]]
) -> dict[UUID, dict[str, Any]]:
    """Store the lines of each sanction; what its action says about them."""
    rows = [
        (sanction, position, *structs.astuple(line))
        for sanction, lines in excerpts.items()
        for position, line in enumerate(lines, 1)
    ]
    if not rows:
        return {}
    stored = await writer.rows(FREEZE, *columns(rows))
    digests: dict[UUID, list[tuple[int, bytes]]] = {}
    for row in stored:
        digests.setdefault(row["sanction_id"], []).append((row["position"], row["digest"]))
    return {
        sanction: {"lines": len(found), "sha256": _digest([digest for _, digest in sorted(found)])}
        for sanction, found in digests.items()
    }


def _digest(digests: Sequence[bytes]) -> str:
    return sha256(b"".join(digests)).hexdigest()


# The salt has 244 random bits: gen_random_uuid needs no extension.
FREEZE: LiteralString = f"""
    INSERT INTO sanction_excerpts (sanction_id, position, digest, salt, message_id, said_at,
                                   server_id, player_id, user_id, player_name, channel, message,
                                   target_id, target_name)
    SELECT sanction_id, position, {LINE_DIGEST}, salt, message_id, said_at, server_id, player_id,
           user_id, player_name, channel, message, target_id, target_name
      FROM (SELECT *, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) AS salt
              FROM unnest($1::uuid[], $2::int[], $3::uuid[], $4::timestamptz[], $5::uuid[],
                          $6::uuid[], $7::uuid[], $8::text[], $9::text[], $10::text[],
                          $11::uuid[], $12::text[])
                   AS new (sanction_id, position, message_id, said_at, server_id, player_id,
                           user_id, player_name, channel, message, target_id, target_name)
            OFFSET 0) AS salted
    RETURNING sanction_id, position, digest
"""
# OFFSET 0 keeps the subquery apart: merged, each mention of the salt would be another random one.


async def read(reader: Queryable, sanction: UUID, *, private: bool) -> SanctionExcerpt:
    """The evidence of a sanction; without `private`, private messages have no text."""
    rows = await reader.rows(
        """
        SELECT message_id, said_at, server_id, player_id, user_id, player_name, channel, message,
               target_id, target_name, digest
          FROM sanction_excerpts WHERE sanction_id = $1 ORDER BY position
        """,
        sanction,
    )
    return SanctionExcerpt(
        values=[_frozen(row, private=private) for row in rows],
        sha256=_digest([row["digest"] for row in rows]) if rows else None,
    )


def _frozen(row: Any, *, private: bool) -> FrozenLine:
    return FrozenLine(
        id=row["message_id"],
        said_at=row["said_at"],
        channel=row["channel"],
        message=row["message"] if private or row["channel"] != "pm" else None,
        is_erased=row["message"] is None,
        player_id=row["player_id"],
        player_name=row["player_name"],
        user_id=row["user_id"],
        target_id=row["target_id"],
        target_name=row["target_name"],
        server_id=row["server_id"],
    )
