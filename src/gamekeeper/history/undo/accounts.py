"""Undo for accounts: restore the email and the powers (permissions)."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from gamekeeper.core.names import fold
from gamekeeper.db import unique_names
from gamekeeper.db.database import Writer
from gamekeeper.history.undo.plan import Change, Obstacle, Result, blocked
from gamekeeper.ledger.undoable import Undoable
from gamekeeper.players.overlay import Overlay
from gamekeeper.users import accounts, emails
from gamekeeper.users.accounts import POWERS
from gamekeeper.users.emails import CLAIM_EMAIL
from gamekeeper.users.records import masked


class AccountState:
    """
    The emails and powers of some accounts, as an in-memory overlay during undos.

    Results show addresses masked: the right to undo does not include the right to see them.
    """

    def __init__(self) -> None:
        self._emails: Overlay[UUID, str] = Overlay({})
        self._owners: Overlay[str, UUID] = Overlay({})
        self._powers: Overlay[UUID, dict[str, bool]] = Overlay({})

    @classmethod
    async def load(
        cls, writer: Writer, undone: Sequence[Undoable], *, dry_run: bool
    ) -> "AccountState":
        """Load the accounts of the actions; they must be locked, unless it is a `dry_run`."""
        state = cls()
        if about_emails := [action for action in undone if action.handler == "email"]:
            await state._load_emails(writer, about_emails, dry_run=dry_run)
        if about_powers := [action for action in undone if action.handler == "powers"]:
            users = [action.user_id for action in about_powers if action.user_id]
            state._powers = Overlay(await accounts.powers(writer, users))
        return state

    async def _load_emails(
        self, writer: Writer, undone: Sequence[Undoable], *, dry_run: bool
    ) -> None:
        rows = await writer.rows(
            "SELECT id, email FROM users WHERE id = ANY($1)", [action.user_id for action in undone]
        )
        stored = {row["id"]: row["email"] for row in rows}
        self._emails = Overlay(stored)
        wanted = {
            fold(action.before["email"]): action.user_id
            for action in undone
            if action.user_id in stored
        }
        if not dry_run:
            # From here on no other transaction can take them; `save` releases unused ones.
            await unique_names.claim(
                writer, CLAIM_EMAIL, list(wanted), [user for user in wanted.values() if user]
            )
        rows = await writer.rows(
            "SELECT email_key, user_id FROM user_emails WHERE email_key = ANY($1)", list(wanted)
        )
        self._owners = Overlay(
            {
                row["email_key"]: row["user_id"]
                for row in rows
                # An address that we just claimed and its user does not have yet counts as free.
                if fold(stored.get(row["user_id"]) or row["email_key"]) == row["email_key"]
            }
        )

    def _overlays(self) -> tuple[Overlay[Any, Any], ...]:
        return self._emails, self._owners, self._powers

    def savepoint(self) -> tuple[int, ...]:
        return tuple(overlay.savepoint() for overlay in self._overlays())

    def rollback(self, savepoint: tuple[int, ...]) -> None:
        for overlay, changes in zip(self._overlays(), savepoint, strict=True):
            overlay.rollback(changes)

    def undo_email(self, undone: Undoable) -> Result:
        user = undone.user_id
        assert user is not None
        former, left, now = undone.before["email"], undone.after["email"], self._emails.get(user)
        assert now is not None
        if now != left:
            return blocked(
                Obstacle(
                    reason="changed_since", what="email", expected=masked(left), found=masked(now)
                )
            )
        if (self._owners.get(fold(former)) or user) != user:
            return blocked(Obstacle(reason="email_taken", what="email", expected=masked(former)))
        self._owners.put(fold(now), None)
        self._owners.put(fold(former), user)
        self._emails.put(user, former)
        change = Change(what="email", before=masked(now), after=masked(former))
        return Result(changes=[change], before={"email": now}, after={"email": former})

    def undo_powers(self, undone: Undoable) -> Result:
        user = undone.user_id
        assert user is not None
        now = self._powers.get(user)
        assert now is not None
        changed = [power for power in POWERS if undone.before[power] != undone.after[power]]
        wanted = {
            power: undone.before[power] for power in changed if now[power] == undone.after[power]
        }
        self._powers.put(user, now | wanted)
        return Result(
            changes=[
                Change(what="power", name=power, before=now[power], after=former)
                for power, former in wanted.items()
            ],
            obstacles=[
                Obstacle(
                    reason="changed_since",
                    what="power",
                    name=power,
                    expected=undone.after[power],
                    found=now[power],
                )
                for power in changed
                if power not in wanted
            ],
            before=now,
            after=now | wanted,
        )

    async def save(self, writer: Writer) -> None:
        """Release the addresses that are no longer used, then enter the new ones."""
        if now := self._emails.items():
            await emails.give_up_others(writer, now)
            new = {user: email for user, email in self._emails.changed().items() if email}
            await unique_names.claim(
                writer, CLAIM_EMAIL, [fold(email) for email in new.values()], list(new)
            )
            await emails.write(writer, new)
        if changed := self._powers.changed():
            now = {user: powers for user, powers in changed.items() if powers}
            before = {user: self._powers.stored(user) or {} for user in now}
            await accounts.set_powers(writer, before, now)
