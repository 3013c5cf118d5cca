"""Audit log endpoints: list actions, and undo them."""

from datetime import datetime

from gamekeeper_client.calls import Group, How, Id, Key, every, posts, reads
from gamekeeper_client.fields import Cursor
from gamekeeper_client.records import (
    AuditLogEntry,
    BulkUndoResult,
    UndoResult,
)


class Actions(Group[How]):
    """The audit log: who did what, to whom, when and why."""

    @reads("/api/v1/actions")
    def page(
        self,
        *,
        actor: str | None = None,
        player: Id | None = None,
        user: Id | None = None,
        kind: str | None = None,
        item: Id | None = None,
        reason: str | None = None,
        from_: datetime | None = None,
        to: datetime | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        names: bool = False,
        items: bool = False,
    ) -> Cursor[AuditLogEntry]:
        """
        A page of all actions, newest first; `names` adds names, `items` what moved.

        With `reason` a page may be empty and still have a `next`: it looks at 20,000 at most.
        """
        ...

    all = every(page)

    @reads("/api/v1/actions/{action_id}")
    def get(self, action_id: Id, *, names: bool = False) -> AuditLogEntry:
        """One action, with the action that undid it."""
        ...

    @posts("/api/v1/actions/{action_id}/undo")
    def undo(
        self,
        action_id: Id,
        *,
        dry_run: bool = False,
        partial: bool = False,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> UndoResult:
        """Undo an action, all of it or nothing; with `partial`, as much as can be undone."""
        ...

    @posts("/api/v1/actions/undo")
    def undo_actor(
        self,
        actor: str | None,
        from_: datetime,
        to: datetime,
        *,
        player: Id | None = None,
        user: Id | None = None,
        what: str | None = None,
        dry_run: bool = False,
        partial: bool = False,
        reason: str | None = None,
        cursor: str | None = None,
        idempotency_key: Key = None,
    ) -> BulkUndoResult:
        """
        Undo the actions of one actor, at most 1,000; continue with `next` as `cursor`.

        With `None` as actor and a `player` or `user`: what left the character, or any
        character of the account, whoever the actor was; `what="all"`: every change of them.
        """
        ...
