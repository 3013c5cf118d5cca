"""
Downloads: the codes of a batch are made, stored as keyed hashes and sent, once.

Codes exist in plaintext only while they are sent, so a download cannot be repeated. It can be
replaced: until the batch is activated, another download deletes all codes and makes new ones.
So a broken download costs nothing, and a code that was lost on the way is never redeemable.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth.secrets import Vault
from gamekeeper.codes import batches, storage, symbols
from gamekeeper.codes.batches import BatchCommand
from gamekeeper.codes.records import BatchState, CodeBatch
from gamekeeper.core.errors import Conflict, Problem
from gamekeeper.db.database import Database, Reader, Writer
from gamekeeper.db.operations import operation

CODES_AT_ONCE = 2_000
"""Codes of one transaction; so many are in memory at a time."""
CODES_BETWEEN_TASKS = 100
"""Codes to make before other tasks of the event loop have their turn: half a millisecond."""

HEAD = b"Code\n"
REPLACEABLE: tuple[BatchState, ...] = ("draft", "ready")


class CodesAlreadyShown(Conflict):
    """The codes were downloaded before and are not stored. Create another batch."""


class DownloadReplaced(Conflict):
    """Another download of this batch has begun, or the batch was revoked."""


class Download(Struct, frozen=True, kw_only=True):
    batch: CodeBatch
    number: int
    """Counts the downloads of the batch; only the last may make codes."""


async def check(reader: Reader, command: BatchCommand) -> None:
    """Raise if the codes of a batch cannot be downloaded."""
    batches.check_limits(command.by)
    found = await storage.find_batch(reader, command.batch_id)
    if found.state not in REPLACEABLE:
        raise CodesAlreadyShown(None, state=found.state)


@operation
async def begin(writer: Writer, commands: Sequence[BatchCommand]) -> list[Download | Problem]:
    """Begin downloads; the codes of earlier downloads of the same batches no longer count."""
    return [await _begun(writer, command) for command in commands]


async def _begun(writer: Writer, command: BatchCommand) -> Download | Problem:
    try:
        batches.check_limits(command.by)
        batch = await storage.lock_batch(writer, command.batch_id)
    except Problem as refusal:
        return refusal
    if batch.state not in REPLACEABLE:
        return CodesAlreadyShown(None, state=batch.state)
    number = await writer.value(
        """
        UPDATE code_batches SET download = download + 1, made = 0, state = 'draft'
         WHERE id = $1 RETURNING download
        """,
        batch.id,
    )
    await batches.record_download(writer, command.by, batch, number)
    return Download(batch=batch, number=number)


async def pieces(database: Database, vault: Vault, command: BatchCommand) -> AsyncGenerator[bytes]:
    """
    The codes as CSV with one column; a piece is stored before it is sent.

    The download begins with the first piece: a request that is refused before, because too many
    exports run, must not replace one that runs.
    """
    download = await begin.one(database, command)
    while await database.write(lambda writer: _delete_some(writer, download)):
        pass
    yield HEAD
    batch, left = download.batch, download.batch.codes
    while left:
        made = await _made(vault, min(left, CODES_AT_ONCE))
        stored = await database.write(lambda writer, made=made: _store(writer, download, made))
        left -= len(stored)
        sent = (symbols.written(made[hash_], batch.prefix) for hash_ in stored)
        yield "".join(f"{code}\n" for code in sent).encode()


async def _made(vault: Vault, count: int) -> dict[UUID, str]:
    """New codes by their keyed hashes."""
    made: dict[UUID, str] = {}
    for number, code in enumerate(symbols.new_codes(count), 1):
        made[symbols.hashes_of(vault, code)[0]] = code
        if number % CODES_BETWEEN_TASKS == 0:
            await asyncio.sleep(0)
    return made


async def _delete_some(writer: Writer, download: Download) -> int:
    """Delete some codes of earlier downloads; returns how many."""
    await _advance(writer, download, 0)
    return await writer.run(
        """
        DELETE FROM codes
         WHERE hash IN (SELECT hash FROM codes WHERE batch_id = $1 LIMIT $2)
        """,
        download.batch.id,
        CODES_AT_ONCE,
    )


async def _store(writer: Writer, download: Download, made: dict[UUID, str]) -> list[UUID]:
    """Store codes; returns the hashes without those that another code has, by chance."""
    rows = await writer.rows(
        """
        INSERT INTO codes (hash, batch_id) SELECT unnest($1::uuid[]), $2
        ON CONFLICT (hash) DO NOTHING RETURNING hash
        """,
        list(made),
        download.batch.id,
    )
    await _advance(writer, download, len(rows))
    return [row["hash"] for row in rows]


async def _advance(writer: Writer, download: Download, count: int) -> None:
    """Count codes of a download, or raise if it is no longer the last one."""
    advanced = await writer.run(
        """
        UPDATE code_batches
           SET made = made + $3, state = CASE WHEN made + $3 = codes THEN 'ready' ELSE state END
         WHERE id = $1 AND download = $2 AND state = 'draft'
        """,
        download.batch.id,
        download.number,
        count,
    )
    if not advanced:
        raise DownloadReplaced
