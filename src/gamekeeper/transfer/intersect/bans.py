"""
Bans and mutes that have not ended, as sanctions with the ids they had.

A repeated import imposes only new ones, and lifts those that were lifted in the other game
since. One that staff lifted here stays lifted.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, LiteralString
from uuid import UUID, uuid5

from msgspec import Struct

from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.sanctions import changes
from gamekeeper.sanctions.changes import NewSanction, Release
from gamekeeper.sanctions.records import SanctionKind
from gamekeeper.servers.commands import bans
from gamekeeper.transfer.intersect.notes import Notes
from gamekeeper.transfer.intersect.sources import Source
from gamekeeper.transfer.intersect.values import ZERO, UnreadableValue, guid_bytes, moment, text
from gamekeeper.users.lookup import lock

IMPORTED = "Imported from Intersect"
MAX_MESSAGE_LENGTH = 2000
WINDOW = 500
ENDLESS = datetime(9000, 1, 1, tzinfo=UTC)
TABLES: dict[str, tuple[SanctionKind, str]] = {
    "Bans": ("ban", "Banner"),
    "Mutes": ("mute", "Muter"),
}


class SanctionCounts(Struct):
    added: int = 0
    lifted: int = 0
    unchanged: int = 0


def read_bans(
    source: Source, users: dict[UUID, str], by: AuditContext, notes: Notes, now: datetime
) -> Iterator[NewSanction]:
    """Those in force now, on accounts that come along."""
    for table, (kind, staff) in TABLES.items():
        columns = ("Id", "PlayerId", "Ip", "StartTime", "EndTime", "Reason", staff)
        for raw_id, raw_user, ip, start, end, reason, who in source.players.rows(table, columns):
            # The column is called PlayerId, but holds the id of the account.
            found = guid_bytes(raw_user)
            user = UUID(bytes=found) if found else ZERO
            if user not in users:
                notes.add("orphan", table, f"{reason!r:.60} has no account")
                continue
            own = guid_bytes(raw_id)
            begins, ends = _moment(start), _moment(end)
            if ends is not None and ends <= now:
                continue
            if ip:
                notes.add("address_ban", users[user])
            yield NewSanction(
                by=by,
                kind=kind,
                user_id=user,
                id=UUID(bytes=own) if own else uuid5(user, f"intersect/{kind}"),
                starts_at=begins if begins and begins < now else now,
                ends_at=None if ends is None or ends >= ENDLESS else ends,
                message=text(reason, MAX_MESSAGE_LENGTH),
                reason=f"{IMPORTED}: {table[:-1].lower()} by {text(who, 200) or 'nobody'}.",
            )


def _moment(value: Any) -> datetime | None:
    try:
        return moment(value)
    except UnreadableValue:
        return None


async def store_bans(
    database: Database, wanted: list[NewSanction], by: AuditContext, *, dry_run: bool
) -> SanctionCounts:
    """Impose those that are new, and lift those that the other game has lifted."""
    wanted = list({sanction.id: sanction for sanction in wanted}.values())
    rows = await database.reader.rows(
        "SELECT id FROM sanctions WHERE id = ANY($1)", [sanction.id for sanction in wanted]
    )
    there = {row["id"] for row in rows}
    new = [sanction for sanction in wanted if sanction.id not in there]
    rows = await database.reader.rows(
        LIFTED_THERE, [sanction.id for sanction in wanted], f"{IMPORTED}:%"
    )
    gone = {row["id"]: row["user_id"] for row in rows}
    if not dry_run:
        for start in range(0, len(new), WINDOW):
            part = new[start : start + WINDOW]
            await database.write(lambda writer, part=part: _impose(writer, part))
        await database.write(lambda writer: _lift(writer, gone, by))
    return SanctionCounts(len(new), len(gone), len(there) - len(there & gone.keys()))


LIFTED_THERE: LiteralString = """
    SELECT id, user_id FROM sanctions
     WHERE reason LIKE $2 AND lifted_at IS NULL AND ends_at > statement_timestamp()
       AND id <> ALL($1)
     ORDER BY id
"""


async def _impose(writer: Writer, part: list[NewSanction]) -> None:
    await bans.lock(writer, sorted({sanction.user_id for sanction in part}))
    await bans.impose(writer, part)


async def _lift(writer: Writer, gone: dict[UUID, UUID], by: AuditContext) -> None:
    await lock(writer, sorted(set(gone.values())))
    reason = f"{IMPORTED}: it was lifted there."
    await changes.mark_lifted(
        writer, [Release(by=by, id=sanction, reason=reason) for sanction in gone]
    )
