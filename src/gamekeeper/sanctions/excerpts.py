"""
Excerpts: chat lines that are the evidence of a sanction, report or case, frozen when added.

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


class ExcerptTable(Struct, frozen=True):
    """Where the lines of one sort of evidence are."""

    name: LiteralString
    owner: LiteralString
    """The column of what the lines are evidence of."""


OF_SANCTIONS = ExcerptTable("sanction_excerpts", "sanction_id")
OF_REPORTS = ExcerptTable("report_excerpts", "report_id")
OF_CASES = ExcerptTable("case_excerpts", "case_id")


class ExcerptLine(Struct, frozen=True, kw_only=True):
    """A chat line as it is when it becomes evidence."""

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
    writer: Writer,
    excerpts: Mapping[UUID, Sequence[ExcerptLine]],
    table: ExcerptTable = OF_SANCTIONS,
) -> dict[UUID, dict[str, Any]]:
    """Store the lines of each owner, after those it has; what its action says about all of them."""
    owners = [owner for owner, lines in excerpts.items() if lines]
    if not owners:
        return {}
    digests: dict[UUID, list[bytes]] = {owner: [] for owner in owners}
    for owner, _, digest in await _digests(writer, owners, table):
        digests[owner].append(digest)
    rows = [
        (owner, position, *structs.astuple(line))
        for owner in owners
        for position, line in enumerate(excerpts[owner], len(digests[owner]) + 1)
    ]
    stored = await writer.rows(_freeze(table), *columns(rows))
    for row in sorted(stored, key=lambda row: row["position"]):
        digests[row["owner"]].append(row["digest"])
    return {
        owner: {"lines": len(found), "sha256": _digest(found)} for owner, found in digests.items()
    }


async def _digests(
    reader: Queryable, owners: Sequence[UUID], table: ExcerptTable
) -> list[tuple[UUID, int, bytes]]:
    rows = await reader.rows(
        f"""
        SELECT {table.owner} AS owner, position, digest
          FROM {table.name} WHERE {table.owner} = ANY($1) ORDER BY {table.owner}, position
        """,
        list(owners),
    )
    return [(row["owner"], row["position"], row["digest"]) for row in rows]


async def digests(
    reader: Queryable, owners: Sequence[UUID], table: ExcerptTable
) -> dict[UUID, tuple[int, str]]:
    """How many lines each owner has, and the hash that its action has; without those of none."""
    found: dict[UUID, list[bytes]] = {}
    for owner, _, digest in await _digests(reader, owners, table):
        found.setdefault(owner, []).append(digest)
    return {owner: (len(parts), _digest(parts)) for owner, parts in found.items()}


def _digest(digests: Sequence[bytes]) -> str:
    return sha256(b"".join(digests)).hexdigest()


def _freeze(table: ExcerptTable) -> LiteralString:
    # The salt has 244 random bits: gen_random_uuid needs no extension. OFFSET 0 keeps the
    # subquery apart: merged, each mention of the salt would be another random one.
    return f"""
        INSERT INTO {table.name} ({table.owner}, position, digest, salt, message_id, said_at,
                                  server_id, player_id, user_id, player_name, channel, message,
                                  target_id, target_name)
        SELECT owner, position, {LINE_DIGEST}, salt, message_id, said_at, server_id, player_id,
               user_id, player_name, channel, message, target_id, target_name
          FROM (SELECT *, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) AS salt
                  FROM unnest($1::uuid[], $2::int[], $3::uuid[], $4::timestamptz[], $5::uuid[],
                              $6::uuid[], $7::uuid[], $8::text[], $9::text[], $10::text[],
                              $11::uuid[], $12::text[])
                       AS new (owner, position, message_id, said_at, server_id, player_id,
                               user_id, player_name, channel, message, target_id, target_name)
                OFFSET 0) AS salted
        RETURNING {table.owner} AS owner, position, digest
    """


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
        values=[frozen_line(row, private=private) for row in rows],
        sha256=_digest([row["digest"] for row in rows]) if rows else None,
    )


def frozen_line(row: Any, *, private: bool) -> FrozenLine:
    """A line as staff sees it; without `private`, a private message has no text."""
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
