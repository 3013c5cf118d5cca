"""The rows of batches, codes and redemptions."""

from typing import Any, LiteralString
from uuid import UUID

import msgspec
from msgspec import Struct

from gamekeeper.codes.records import (
    CodeBatch,
    CodeBatches,
    CodeBatchNotFound,
    CodeFacts,
    CodeItem,
    CodeRedemption,
    CodeRedemptions,
)
from gamekeeper.core.schemas import LARGEST_PAGE, Instant
from gamekeeper.db.database import Queryable, Reader, Writer
from gamekeeper.ledger.audit_log import MAX_ID

PARTS = 16
"""Counts of one batch; a redemption waits only for those in the same part."""

BATCH: LiteralString = """
    batch.id, campaign, name, prefix, codes, uses, starts_at, expires_at, subject, text, items,
    letter_days AS expires_in_days, state, created_at, created_by_name, activated_at, revoked_at,
    revoked_by_name,
    (SELECT coalesce(sum(redeemed), 0)::int FROM code_counts WHERE batch_id = batch.id) AS redeemed
"""


class StoredCode(Struct, frozen=True, kw_only=True):
    hash: UUID
    batch_id: UUID
    used: int
    revoked_at: Instant | None


async def find_batch(reader: Queryable, batch: UUID) -> CodeBatch:
    """One batch; raises CodeBatchNotFound."""
    rows = await reader.rows(f"SELECT {BATCH} FROM code_batches AS batch WHERE id = $1", batch)
    return _only(rows)


async def lock_batch(writer: Writer, batch: UUID) -> CodeBatch:
    """A batch that nobody else changes until the transaction ends."""
    rows = await writer.rows(
        f"SELECT {BATCH} FROM code_batches AS batch WHERE id = $1 FOR NO KEY UPDATE", batch
    )
    return _only(rows)


def _only(rows: list[Any]) -> CodeBatch:
    if not rows:
        raise CodeBatchNotFound
    return _batch(rows[0])


def _batch(row: Any) -> CodeBatch:
    return CodeBatch(**{**row, "items": msgspec.convert(row["items"], list[CodeItem])})


async def list_batches(
    reader: Reader, campaign: str | None, cursor: UUID | None, limit: int
) -> CodeBatches:
    """A page of batches, newest first: all, or those of one campaign."""
    limit = max(1, min(limit, LARGEST_PAGE))
    # Two conditions, so that PostgreSQL can use the index for the one that is given.
    condition: LiteralString = "$3::text IS NULL" if campaign is None else "campaign = $3"
    rows = await reader.rows(
        f"""
        SELECT {BATCH} FROM code_batches AS batch
         WHERE id < $1 AND {condition} ORDER BY id DESC LIMIT $2
        """,
        cursor or MAX_ID,
        limit + 1,
        campaign,
    )
    shown = [_batch(row) for row in rows[:limit]]
    return CodeBatches(values=shown, next=shown[-1].id if len(rows) > limit else None)


async def insert_batch(writer: Writer, batch: CodeBatch) -> None:
    """Store a new batch, without codes."""
    await writer.run(
        """
        INSERT INTO code_batches (id, campaign, name, prefix, codes, uses, starts_at, expires_at,
                                  subject, text, items, letter_days, created_by_name)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::text::jsonb, $12, $13)
        """,
        batch.id,
        batch.campaign,
        batch.name,
        batch.prefix,
        batch.codes,
        batch.uses,
        batch.starts_at,
        batch.expires_at,
        batch.subject,
        batch.text,
        msgspec.json.encode(batch.items).decode(),
        batch.expires_in_days,
        batch.created_by_name,
    )


async def find_code(reader: Queryable, hashes: tuple[UUID, ...]) -> StoredCode | None:
    """The code with one of these keyed hashes."""
    return await reader.one(
        StoredCode,
        "SELECT hash, batch_id, used, revoked_at FROM codes WHERE hash = ANY($1)",
        list(hashes),
    )


async def lock_code(writer: Writer, code: UUID) -> StoredCode:
    """A code that nobody else redeems or revokes until the transaction ends."""
    found = await writer.one(
        StoredCode,
        """
        SELECT hash, batch_id, used, revoked_at FROM codes WHERE hash = $1 FOR NO KEY UPDATE
        """,
        code,
    )
    assert found is not None, "a code of an active batch is not deleted"
    return found


async def redemptions_of_batch(
    reader: Reader, batch: UUID, cursor: UUID | None, limit: int
) -> CodeRedemptions:
    """A page of the redemptions of a batch, newest first."""
    await find_batch(reader, batch)
    limit = max(1, min(limit, LARGEST_PAGE))
    rows = await reader.all(CodeRedemption, OF_BATCH, batch, cursor or MAX_ID, limit + 1)
    return CodeRedemptions(values=rows[:limit], next=rows[limit - 1].id if rows[limit:] else None)


async def facts_of(reader: Reader, code: StoredCode) -> CodeFacts:
    """A code with its batch and its last redemptions."""
    return CodeFacts(
        batch=await find_batch(reader, code.batch_id),
        used=code.used,
        revoked_at=code.revoked_at,
        redemptions=await reader.all(CodeRedemption, OF_CODE, code.hash, MAX_ID, LARGEST_PAGE),
    )


_REDEMPTIONS: LiteralString = """
    SELECT page.id, batch_id, page.user_id, player_id, letter_id, redeemed_at,
           coalesce(players.name, (SELECT name FROM deleted_players
                                    WHERE deleted_players.player_id = page.player_id))
               AS player_name,
           players.id IS NULL AS player_deleted
      FROM (SELECT * FROM code_redemptions
             WHERE {of} = $1 AND id < $2 ORDER BY id DESC LIMIT $3) AS page
      LEFT JOIN players ON players.id = page.player_id
     ORDER BY page.id DESC
"""
OF_BATCH = _REDEMPTIONS.replace("{of}", "batch_id")
OF_CODE = _REDEMPTIONS.replace("{of}", "hash")
