"""Imported sanctions: new ones as they were imposed elsewhere, and known ones that were lifted."""

from collections.abc import Sequence
from uuid import UUID

from msgspec import UNSET

from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.sanctions import changes
from gamekeeper.sanctions.changes import NewSanction, Release, SanctionOrigin
from gamekeeper.servers.commands import bans
from gamekeeper.transfer import differences
from gamekeeper.transfer.lines import SanctionLine
from gamekeeper.transfer.mutes import IMPORTED
from gamekeeper.transfer.stored_guilds import read_sanctions
from gamekeeper.users.lookup import lock


async def add_sanctions(writer: Writer, lines: Sequence[SanctionLine], by: AuditContext) -> None:
    """Store sanctions that have a type and an account. A ban in force takes effect at once."""
    if not lines:
        return
    await bans.lock(writer, sorted({line.user_id for line in lines if line.user_id}))
    await bans.impose(writer, [_new(line, by) for line in lines])


def _new(line: SanctionLine, by: AuditContext) -> NewSanction:
    assert line.type
    assert line.user_id
    return NewSanction(
        by=by,
        kind=line.type,
        user_id=line.user_id,
        player_id=line.player_id or None,
        id=line.id,
        code=line.code or None,
        starts_at=line.starts_at or line.imposed_at or None,
        ends_at=line.ends_at or None,
        reason=IMPORTED if line.reason is UNSET else line.reason,
        message=line.message or "",
        template=line.template or None,
        step=None if line.step is UNSET else line.step,
        evidence=line.evidence or (),
        origin=_origin(line, by),
    )


def _origin(line: SanctionLine, by: AuditContext) -> SanctionOrigin:
    origin = SanctionOrigin(
        imposed_at=line.imposed_at or None,
        imposed_by=by.actor if line.imposed_by is UNSET else line.imposed_by,
        imposed_by_name=by.name if line.imposed_by_name is UNSET else line.imposed_by_name,
    )
    if line.lifted_at:
        origin.lifted_at = line.lifted_at
        origin.lifted_by = line.lifted_by or by.actor
        origin.lifted_by_name = line.lifted_by_name or by.name
        origin.lift_reason = None if line.lift_reason is UNSET else line.lift_reason
    return origin


async def lift_sanctions(writer: Writer, lines: Sequence[SanctionLine], by: AuditContext) -> int:
    """Lift known sanctions whose lines are lifted; returns how many."""
    there = await read_sanctions(writer, [line.id for line in lines])
    lifted = {line.id: line for line in lines if differences.fields(line, there[line.id])}
    await lock(writer, sorted({_user(there[sanction]) for sanction in lifted}))
    done = await changes.mark_lifted(
        writer,
        [
            Release(by=by, id=sanction, reason=line.lift_reason or IMPORTED)
            for sanction, line in lifted.items()
        ],
    )
    return len(done)


def _user(line: SanctionLine) -> UUID:
    assert line.user_id
    return line.user_id
