"""
Changes of batches: create, activate and revoke them, and revoke one code.

A batch is created without codes. Its download makes them (generation.py), and only then it can be
activated: a code can be redeemed after its owner said that all codes arrived.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from gamekeeper.codes import checks, locks, storage
from gamekeeper.codes.records import DEFAULT_LETTER_DAYS, CodeBatch, CodeItem
from gamekeeper.codes.redemption import UnknownCode
from gamekeeper.core import ids
from gamekeeper.core.errors import Conflict, Forbidden, Problem
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext, Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action, Kind


class WrongBatchState(Conflict):
    """The batch is not in a state in which this is possible."""

    cacheable = False


class CodesNeedNoLimits(Forbidden):
    """Callers with limits cannot create or activate codes: redemptions count against no limits."""

    cacheable = False


def check_limits(by: AuditContext) -> None:
    """
    Raise CodesNeedNoLimits.

    A download makes codes too: the codes of a batch that a colleague created are worth as much.
    """
    if by.allowance is not None:
        raise CodesNeedNoLimits


class NewBatch(Command, frozen=True, kw_only=True):
    """A batch to be created; the fields mean the same as those of CodeBatch."""

    campaign: str
    name: str
    codes: int
    subject: str
    text: str = ""
    items: tuple[CodeItem, ...] = ()
    uses: int = 1
    prefix: str | None = None
    starts_at: datetime | None = None
    expires_at: datetime | None = None
    expires_in_days: int = DEFAULT_LETTER_DAYS


class BatchCommand(Command, frozen=True, kw_only=True):
    """Activate or revoke a batch."""

    batch_id: UUID


class CodeRevocation(Command, frozen=True, kw_only=True):
    hashes: tuple[UUID, ...]
    """Keyed hashes of the code under all keys."""


@operation
async def create(writer: Writer, commands: Sequence[NewBatch]) -> list[CodeBatch | Problem]:
    """Create batches, still without codes."""
    return [await _attempt(_create(writer, command)) for command in commands]


@operation
async def activate(writer: Writer, commands: Sequence[BatchCommand]) -> list[CodeBatch | Problem]:
    """Activate batches whose codes were downloaded."""
    return [await _attempt(_activate(writer, command)) for command in commands]


@operation
async def revoke(writer: Writer, commands: Sequence[BatchCommand]) -> list[CodeBatch | Problem]:
    """Revoke batches for good; what was redeemed stays."""
    return [await _attempt(_revoke(writer, command)) for command in commands]


@operation
async def revoke_code(writer: Writer, commands: Sequence[CodeRevocation]) -> list[UUID | Problem]:
    """Revoke single codes for good; returns their keyed hashes."""
    return [await _attempt(_revoke_code(writer, command)) for command in commands]


async def _attempt(change: Any) -> Any:
    try:
        return await change
    except Problem as refusal:
        # Everything is checked before anything is written.
        return refusal


async def _create(writer: Writer, command: NewBatch) -> CodeBatch:
    check_limits(command.by)
    batch = _new(command, await writer.value("SELECT now()"))
    checks.check(batch)
    await checks.check_items(writer, batch.items)
    await storage.insert_batch(writer, batch)
    about = {"codes": batch.codes, "uses": batch.uses, "items": _items(batch)}
    await _record(writer, "codes.create", command.by, batch, about)
    return batch


def _new(command: NewBatch, now: datetime) -> CodeBatch:
    return CodeBatch(
        id=ids.new_id(),
        campaign=command.campaign,
        name=command.name.strip(),
        prefix=command.prefix,
        codes=command.codes,
        uses=command.uses,
        starts_at=command.starts_at,
        expires_at=command.expires_at,
        subject=command.subject,
        text=command.text,
        items=list(command.items),
        expires_in_days=command.expires_in_days,
        state="draft",
        redeemed=0,
        created_at=now,
        created_by_name=command.by.name,
        activated_at=None,
        revoked_at=None,
        revoked_by_name=None,
    )


async def _activate(writer: Writer, command: BatchCommand) -> CodeBatch:
    check_limits(command.by)
    batch = await storage.lock_batch(writer, command.batch_id)
    if batch.state == "active":
        return batch
    if batch.state != "ready":
        raise WrongBatchState(
            f"The batch is {batch.state}. Download all of its codes before you activate it."
            if batch.state == "draft"
            else "The batch was revoked.",
            state=batch.state,
        )
    await writer.run(
        "UPDATE code_batches SET state = 'active', activated_at = now() WHERE id = $1", batch.id
    )
    return await _changed(writer, "codes.activate", command.by, batch.id)


async def _revoke(writer: Writer, command: BatchCommand) -> CodeBatch:
    # Waits for the redemptions that run: after the answer there are no more.
    await writer.run(locks.ALONE, command.batch_id)
    batch = await storage.lock_batch(writer, command.batch_id)
    if batch.state == "revoked":
        return batch
    await writer.run(
        """
        UPDATE code_batches SET state = 'revoked', revoked_at = now(), revoked_by_name = $2
         WHERE id = $1
        """,
        batch.id,
        command.by.name,
    )
    return await _changed(writer, "codes.revoke", command.by, batch.id)


async def _revoke_code(writer: Writer, command: CodeRevocation) -> UUID:
    found = await storage.find_code(writer, command.hashes)
    if found is None:
        raise UnknownCode
    code = await storage.lock_code(writer, found.hash)
    if code.revoked_at is None:
        await writer.run("UPDATE codes SET revoked_at = now() WHERE hash = $1", code.hash)
        batch = await storage.find_batch(writer, code.batch_id)
        about = {"code_id": code.hash, "used": code.used}
        await _record(writer, "codes.revoke", command.by, batch, about)
    return code.hash


async def _changed(writer: Writer, kind: Kind, by: AuditContext, batch_id: UUID) -> CodeBatch:
    batch = await storage.find_batch(writer, batch_id)
    await _record(writer, kind, by, batch, {"redeemed": batch.redeemed})
    return batch


async def record_download(writer: Writer, by: AuditContext, batch: CodeBatch, number: int) -> None:
    """Record that the codes of a batch are made and shown."""
    await _record(writer, "codes.download", by, batch, {"download": number})


async def _record(
    writer: Writer, kind: Kind, by: AuditContext, batch: CodeBatch, about: dict[str, Any]
) -> None:
    """Record a change of a batch; never a code, and not the text of the letter."""
    facts = {"batch_id": batch.id, "batch": batch.name, "campaign": batch.campaign}
    await actions.record(writer, [Action(kind=kind, by=by, after=facts | about)])


def _items(batch: CodeBatch) -> list[dict[str, Any]]:
    return [{"item_id": item.item_id, "quantity": item.quantity} for item in batch.items]
