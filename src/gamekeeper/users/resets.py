"""
Password reset by email: a link and a code, either of which sets one new password.

The database has neither of them: see users/mailed_proofs.py.
"""

from collections.abc import Sequence
from typing import Literal
from uuid import UUID, uuid4

from msgspec import Struct

from gamekeeper.auth import login_throttle
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Invalid, Problem
from gamekeeper.core.languages.negotiation import Language
from gamekeeper.db import jobs
from gamekeeper.db.database import Database, Reader, Writer
from gamekeeper.db.operations import AuditContext, Command, operation
from gamekeeper.users import mailed_proofs, passwords, verified_emails
from gamekeeper.users.identities import links
from gamekeeper.users.lookup import find_user_id, find_user_ids, lock
from gamekeeper.users.mailed_proofs import CODE_TRIES
from gamekeeper.users.passwords import NewPassword

MAIL = "password_reset_mail"
MINUTES = 30
MINUTES_BETWEEN = 5
MAILS_A_DAY = 10
"""To one account, whoever asks: a mailbox must not be filled by somebody who knows a name."""

Delivery = Literal["queued", "throttled", "not_configured"]


class InvalidReset(Invalid):
    """The link or code is wrong, used or expired. Request a new email."""


class Reset(Struct, frozen=True, kw_only=True):
    user_id: UUID
    id: UUID


class ResetMail(Struct, frozen=True, kw_only=True):
    """The job that mails a reset. Workers of the version before ignore the language."""

    user_id: UUID
    id: UUID
    language: str | None = None
    """The language that the request asks for; None if it asks for none."""

    @property
    def reset(self) -> Reset:
        return Reset(user_id=self.user_id, id=self.id)


class ResetRequest(Struct, frozen=True, kw_only=True):
    user_id: UUID
    language: Language | None = None
    """Of the mail, unless the account has a language of its own."""


async def ask(database: Database, key: str, language: Language | None = None) -> Delivery:
    """Request a reset mail to a user's address, unless one was requested recently."""
    user = await find_user_id(database.reader, key)
    if database.settings.smtp_url is None:
        return "not_configured"
    return await request.one(database, ResetRequest(user_id=user, language=language))


@operation
async def request(writer: Writer, commands: Sequence[ResetRequest]) -> list[Delivery | Problem]:
    """Insert requests and enqueue the jobs that mail them, in one transaction."""
    users = [command.user_id for command in commands]
    await lock(writer, users)
    rows = await writer.rows(
        """
        SELECT user_id FROM password_resets
         WHERE user_id = ANY($1) AND created_at > statement_timestamp() - interval '1 day'
         GROUP BY user_id
        HAVING max(created_at) > statement_timestamp() - make_interval(mins => $2) OR count(*) >= $3
        """,
        users,
        MINUTES_BETWEEN,
        MAILS_A_DAY,
    )
    recent = {row["user_id"] for row in rows}
    mails = {
        command.user_id: ResetMail(user_id=command.user_id, id=uuid4(), language=command.language)
        for command in commands
        if command.user_id not in recent
    }
    await writer.run(
        """
        INSERT INTO password_resets (user_id, id, expires_at)
        SELECT user_id, id, now() + make_interval(mins => $3)
          FROM unnest($1::uuid[], $2::uuid[]) AS asked (user_id, id)
        """,
        list(mails),
        [mail.id for mail in mails.values()],
        MINUTES,
    )
    await jobs.enqueue(writer, MAIL, list(mails.values()))
    return ["queued" if user in mails else "throttled" for user in users]


def link_token(vault: Vault, reset: Reset) -> str:
    return _link_tokens(vault, reset)[0]


def code(vault: Vault, reset: Reset) -> str:
    return _codes(vault, reset)[0]


def _link_tokens(vault: Vault, reset: Reset) -> list[str]:
    return mailed_proofs.link_tokens(vault, "", reset.user_id, reset.id)


def _codes(vault: Vault, reset: Reset) -> list[str]:
    return mailed_proofs.codes(vault, "", reset.user_id, reset.id)


async def complete_by_link(
    database: Database, vault: Vault, token: str, new: bytes, by: AuditContext
) -> None:
    """Set a new password with the token of the mailed link."""
    if (named := mailed_proofs.parse_token(token)) is None:
        raise InvalidReset
    reset = Reset(user_id=named[0], id=named[1])
    if not mailed_proofs.is_one_of(token, _link_tokens(vault, reset)):
        raise InvalidReset
    if reset not in await _open(database.reader, reset.user_id):
        raise InvalidReset
    await _finish(database, vault, reset, new, by)


async def complete_by_code(
    database: Database, vault: Vault, key: str, typed: str, new: bytes, by: AuditContext
) -> None:
    """
    Set a new password with the mailed code; after five tries only the link is valid.

    An unknown name runs the same statements, so timing does not reveal which accounts exist.
    """
    [user] = await find_user_ids(database.reader, [key])
    given = mailed_proofs.tidy(typed)
    budget = f"reset:{login_throttle.from_address(by.address)}"
    for reset in await _try(database, user, budget):
        if mailed_proofs.is_one_of(given, _codes(vault, reset)):
            await database.write(lambda writer: login_throttle.refund(writer, budget))
            return await _finish(database, vault, reset, new, by)
    raise InvalidReset


async def _open(reader: Reader, user: UUID) -> list[Reset]:
    return await reader.all(
        Reset,
        """
        SELECT user_id, id FROM password_resets
         WHERE user_id = $1 AND used_at IS NULL AND expires_at > statement_timestamp()
        """,
        user,
    )


async def _try(database: Database, user: UUID | None, budget: str) -> list[Reset]:
    """
    Charge a try to the address's budget and to each open request; return those with tries left.

    The first charge is written whether or not a request exists, so that both cases commit
    (timing attacks).
    """

    async def work(writer: Writer) -> list[Reset]:
        await login_throttle.charge_all(writer, [budget])
        return await writer.all(
            Reset,
            """
            UPDATE password_resets SET code_tries = code_tries + 1
             WHERE user_id = $1 AND used_at IS NULL AND expires_at > statement_timestamp()
               AND code_tries < $2
            RETURNING user_id, id
            """,
            user,
            CODE_TRIES,
        )

    return await database.write(work)


async def _finish(
    database: Database, vault: Vault, reset: Reset, new: bytes, by: AuditContext
) -> None:
    await passwords.check_new(database, reset.user_id, new)
    sealed = await vault.hash(reset.user_id, new)
    await complete.one(database, Completion(reset=reset, sealed=sealed, by=by))


class Completion(Command, frozen=True, kw_only=True):
    reset: Reset
    sealed: str

    def __repr__(self) -> str:
        return f"Completion({self.reset.user_id})"


@operation
async def complete(writer: Writer, commands: Sequence[Completion]) -> list[Problem | None]:
    """Mark requests as used, store the passwords, verify addresses, clear failed attempts."""
    users = [command.reset.user_id for command in commands]
    await lock(writer, users)
    rows = await writer.rows(
        """
        UPDATE password_resets SET used_at = now()
         WHERE user_id = ANY($1)
           AND (user_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
           AND used_at IS NULL AND expires_at > statement_timestamp()
        RETURNING user_id, id
        """,
        users,
        [command.reset.id for command in commands],
    )
    used = {Reset(user_id=row["user_id"], id=row["id"]) for row in rows}
    good = {command.reset.user_id: command for command in commands if command.reset in used}
    await passwords.replace(
        writer,
        [
            NewPassword(user_id=user, sealed=command.sealed, by=command.by)
            for user, command in good.items()
        ],
    )
    # The link and the code were in a mail to the present address: another one voids them.
    proven = await verified_emails.record(writer, dict.fromkeys(good, "reset"))
    await links.remove_unproven(writer, {user: good[user].by for user in proven})
    return [None if command in good.values() else InvalidReset() for command in commands]


class Addressee(Struct, frozen=True, kw_only=True):
    name: str
    email: str
    language: str | None


async def addressee(reader: Reader, reset: Reset) -> Addressee | None:
    """Return the recipient of the mail, or None if the request is no longer open."""
    if reset not in await _open(reader, reset.user_id):
        return None
    return await reader.one(
        Addressee, "SELECT name, email, language FROM users WHERE id = $1", reset.user_id
    )
