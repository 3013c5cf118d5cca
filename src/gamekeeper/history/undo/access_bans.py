"""Undo of access bans: a ban is lifted. An undo of that does not impose it again."""

from collections.abc import Sequence
from uuid import UUID

from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.history.undo.plan import Change, Obstacle, Result, blocked
from gamekeeper.ledger.undoable import Undoable
from gamekeeper.sanctions import access_bans
from gamekeeper.sanctions.access_bans import AccessRelease


class AccessBanState:
    """The access bans of some actions that are not lifted, as an overlay during undos."""

    def __init__(self, unlifted: Sequence[UUID]) -> None:
        self._unlifted = frozenset(unlifted)
        self._lifted: dict[UUID, AuditContext | None] = {}

    @classmethod
    async def load(
        cls, writer: Writer, undone: Sequence[Undoable], *, dry_run: bool
    ) -> "AccessBanState":
        """Load the access bans, and lock them unless it is a `dry_run`."""
        rows = await writer.rows(READ if dry_run else LOCK, [_ban_of(action) for action in undone])
        return cls([row["id"] for row in rows])

    def savepoint(self) -> dict[UUID, AuditContext | None]:
        return dict(self._lifted)

    def rollback(self, savepoint: dict[UUID, AuditContext | None]) -> None:
        self._lifted = savepoint

    def undo(self, undone: Undoable) -> Result:
        ban = _ban_of(undone)
        if undone.kind == "undo" or ban not in self._unlifted or ban in self._lifted:
            return blocked(Obstacle(reason="changed_since", what="access_ban", id=ban))
        self._lifted[ban] = None
        named = {key: undone.after[key] for key in ("access_ban_id", "code", "target")}
        return Result(
            changes=[Change(what="access_ban", id=ban, name=named["code"])],
            before=named,
            after=named,
        )

    def lifted_by(self, undone: Undoable, by: AuditContext) -> None:
        """Say who lifts the ban of an action, for its row."""
        if undone.handler == "access_ban":
            self._lifted[_ban_of(undone)] = by

    async def save(self, writer: Writer) -> None:
        await access_bans.mark_lifted(
            writer,
            [
                AccessRelease(by=by, id=ban, reason=by.reason or "Undone", is_undo=True)
                for ban, by in sorted(self._lifted.items())
                if by
            ],
        )


def _ban_of(undone: Undoable) -> UUID:
    return UUID(undone.state["access_ban_id"])


READ = "SELECT id FROM access_bans WHERE id = ANY($1) AND lifted_at IS NULL ORDER BY id"
LOCK = READ + " FOR UPDATE"
