"""What an account is and may do: its email and its powers, put back."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from gamekeeper import directories
from gamekeeper.access import tokens
from gamekeeper.database import Writer
from gamekeeper.history.changes import Change, Obstacle, Plan, blocked
from gamekeeper.history.deeds import Deed
from gamekeeper.lookup import fold
from gamekeeper.users.accounts import POWERS
from gamekeeper.users.emails import CLAIM_EMAIL
from gamekeeper.users.records import masked


class Emails:
    """
    The addresses of all users whose deeds are being undone.

    What is shown of them is masked: who may undo need not be allowed to see them.
    """

    def __init__(self) -> None:
        self._stored: dict[UUID, str] = {}
        self._now: dict[UUID, str] = {}
        self._owners: dict[str, UUID] = {}

    async def load(self, writer: Writer, deeds: Sequence[Deed], *, lasting: bool) -> None:
        rows = await writer.rows(
            "SELECT id, email FROM users WHERE id = ANY($1)", [deed.user_id for deed in deeds]
        )
        self._stored = {row["id"]: row["email"] for row in rows}
        self._now = dict(self._stored)
        wanted = {
            fold(deed.before["email"]): deed.user_id
            for deed in deeds
            if deed.user_id in self._stored
        }
        if lasting:
            # From here on nobody else can take them; what is not needed is given up by save.
            await directories.claim(
                writer, CLAIM_EMAIL, list(wanted), [user for user in wanted.values() if user]
            )
        rows = await writer.rows(
            "SELECT email_key, user_id FROM user_emails WHERE email_key = ANY($1)", list(wanted)
        )
        self._owners = {
            row["email_key"]: row["user_id"]
            for row in rows
            # What we have just claimed for somebody who does not use it yet is free.
            if fold(self._stored.get(row["user_id"]) or row["email_key"]) == row["email_key"]
        }

    def plan(self, deed: Deed) -> Plan:
        user = deed.user_id
        assert user is not None
        former, left, now = deed.before["email"], deed.after["email"], self._now[user]
        if now != left:
            return blocked(
                Obstacle(
                    reason="changed_since", what="email", expected=masked(left), found=masked(now)
                )
            )
        if self._owners.get(fold(former), user) != user:
            return blocked(Obstacle(reason="email_taken", what="email", expected=masked(former)))

        def carry_out(action: UUID) -> tuple[Any, Any]:
            self._owners.pop(fold(now), None)
            self._owners[fold(former)] = user
            self._now[user] = former
            return {"email": now}, {"email": former}

        change = Change(what="email", before=masked(now), after=masked(former))
        return Plan(changes=[change], carry_out=carry_out)

    async def save(self, writer: Writer) -> None:
        """Give up what is no longer anybody's, then enter what is, then write it."""
        new = {user: email for user, email in self._now.items() if email != self._stored[user]}
        await writer.run(
            "DELETE FROM user_emails WHERE user_id = ANY($1) AND email_key <> ALL($2)",
            list(self._now),
            [fold(email) for email in self._now.values()],
        )
        await directories.claim(
            writer, CLAIM_EMAIL, [fold(email) for email in new.values()], list(new)
        )
        await writer.run(
            """
            UPDATE users SET email = new.email
              FROM unnest($1::uuid[], $2::text[]) AS new (id, email)
             WHERE users.id = new.id
            """,
            list(new),
            list(new.values()),
        )
        # Whoever reads the mailbox that was undone must not be able to use a link from it.
        await writer.run(
            """
            UPDATE password_resets SET used_at = now()
             WHERE user_id = ANY($1) AND used_at IS NULL
            """,
            list(new),
        )


class Powers:
    """The powers of all users whose deeds are being undone."""

    def __init__(self) -> None:
        self._stored: dict[UUID, dict[str, bool]] = {}
        self._now: dict[UUID, dict[str, bool]] = {}

    async def load(self, writer: Writer, deeds: Sequence[Deed], *, lasting: bool) -> None:
        rows = await writer.rows(
            """
            SELECT id, editor, ban, kick, mute, api, personal_information, user_query,
                   user_management
              FROM users WHERE id = ANY($1)
            """,
            [deed.user_id for deed in deeds],
        )
        self._stored = {row["id"]: {power: row[power] for power in POWERS} for row in rows}
        self._now = dict(self._stored)

    def plan(self, deed: Deed) -> Plan:
        user = deed.user_id
        assert user is not None
        now = self._now[user]
        changed = [power for power in POWERS if deed.before[power] != deed.after[power]]
        wanted = {power: deed.before[power] for power in changed if now[power] == deed.after[power]}

        def carry_out(action: UUID) -> tuple[Any, Any]:
            self._now[user] = now | wanted
            return now, now | wanted

        return Plan(
            changes=[
                Change(what="power", name=power, before=now[power], after=former)
                for power, former in wanted.items()
            ],
            obstacles=[
                Obstacle(
                    reason="changed_since",
                    what="power",
                    name=power,
                    expected=deed.after[power],
                    found=now[power],
                )
                for power in changed
                if power not in wanted
            ],
            carry_out=carry_out,
        )

    async def save(self, writer: Writer) -> None:
        new = [(user, now) for user, now in self._now.items() if now != self._stored[user]]
        await writer.run(
            """
            UPDATE users
               SET editor = new.editor, ban = new.ban, kick = new.kick, mute = new.mute,
                   api = new.api, personal_information = new.personal_information,
                   user_query = new.user_query, user_management = new.user_management
              FROM unnest($1::uuid[], $2::boolean[], $3::boolean[], $4::boolean[], $5::boolean[],
                          $6::boolean[], $7::boolean[], $8::boolean[], $9::boolean[])
                   AS new (id, editor, ban, kick, mute, api, personal_information, user_query,
                           user_management)
             WHERE users.id = new.id
            """,
            [user for user, _ in new],
            *([now[power] for _, now in new] for power in POWERS),
        )
        await tokens.end_all(
            writer, [user for user, now in new if tokens.weakened(self._stored[user], now)]
        )
