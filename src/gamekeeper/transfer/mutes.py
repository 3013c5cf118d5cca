"""Mutes of imported accounts: a line says whether an account is muted; sanctions hold it."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.sanctions import changes
from gamekeeper.sanctions.changes import NewSanction, Release
from gamekeeper.sanctions.in_force import IN_FORCE
from gamekeeper.transfer.lines import UserLine

MUTE = frozenset({"is_muted", "mute_reason"})
"""The fields of a line that are about it."""
IMPORTED = "Imported."


async def add_mutes(writer: Writer, lines: Iterable[UserLine], by: AuditContext) -> None:
    """Mute those of the accounts whose lines say so."""
    await changes.insert(
        writer,
        [
            NewSanction(
                by=by,
                kind="mute",
                user_id=line.id,
                message=line.mute_reason or "",
                reason=IMPORTED,
            )
            for line in lines
            if line.is_muted is True
        ],
    )


async def change_mutes(
    writer: Writer,
    lines: Mapping[UUID, UserLine],
    fields: Mapping[UUID, Sequence[str]],
    by: AuditContext,
) -> None:
    """Lift and impose mutes of accounts whose lines differ; another reason is another mute."""
    differing = [line for user, line in lines.items() if not MUTE.isdisjoint(fields[user])]
    if not differing:
        return
    rows = await writer.rows(
        f"""
        SELECT id FROM sanctions
         WHERE user_id = ANY($1) AND player_id IS NULL AND kind = 'mute' AND {IN_FORCE}
         ORDER BY id
        """,
        [line.id for line in differing],
    )
    await changes.mark_lifted(
        writer, [Release(by=by, id=row["id"], reason=IMPORTED) for row in rows]
    )
    await add_mutes(writer, differing, by)
