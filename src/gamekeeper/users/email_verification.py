"""
Verification of email addresses: a mail with a link and a code, either of which proves the address.

A verification belongs to an account and one address: after a change neither link nor code of the
former address is valid, also if the account gets that address again.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, LiteralString
from uuid import UUID, uuid4

from msgspec import Struct

from gamekeeper.core.errors import Problem
from gamekeeper.core.languages.negotiation import Language
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db import jobs
from gamekeeper.db.database import Reader, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.users import verified_emails
from gamekeeper.users.lookup import UserNotFound, lock
from gamekeeper.users.records import masked
from gamekeeper.users.verified_emails import IS_VERIFIED, Method

MAIL = "email_verification_mail"
CHANGE_MAIL = "email_change_mail"

HOURS = 24
"""A link and a code are valid for this long."""
MINUTES_BETWEEN = 5
"""Between two mails to the same address of an account."""
MAILS_A_DAY = 10
"""For one account, to all its addresses: a change must not let it fill the mailboxes of others."""

Delivery = Literal["queued", "throttled", "verified", "not_configured"]


class EmailState(Record, frozen=True, kw_only=True):
    """The email address of an account, and whether it is verified."""

    email: str
    """In full for its owner and for callers that may see personal information; else masked."""
    is_verified: bool
    is_required: bool
    """Whether the characters of an account can join game servers only with a verified address."""
    verified_at: Instant | None
    """Null: not verified."""
    method: Method | None
    """
    How it was verified: a mailed link or code (`mail`), a password reset by email (`reset`), by
    staff (`staff`) or before an import (`import`).
    """


class MailedVerification(Struct, frozen=True, kw_only=True):
    """A verification that was mailed; also the job that mails it."""

    user_id: UUID
    id: UUID
    language: str | None = None
    """Of the mail, unless the account has a language of its own."""


class EmailVerificationRequest(Command, frozen=True, kw_only=True):
    user_id: UUID
    language: Language | None = None


# ── The state ──


class _Address(Struct, frozen=True):
    email: str


async def state(reader: Reader, user: UUID, *, sees_email: bool) -> EmailState:
    """The address of an account, and whether it is verified; raises UserNotFound."""
    found = await reader.one(_Address, "SELECT email FROM users WHERE id = $1", user)
    if found is None:
        raise UserNotFound
    proof = await verified_emails.verifications.one(reader, user)
    return EmailState(
        email=found.email if sees_email else masked(found.email),
        is_verified=proof is not None,
        is_required=reader.settings.email_verification == "required",
        verified_at=proof.verified_at if proof else None,
        method=proof.method if proof else None,
    )


# ── The mail ──


@operation
async def request(
    writer: Writer, commands: Sequence[EmailVerificationRequest]
) -> list[Delivery | Problem]:
    """Queue mails to the present addresses, unless verified already or mailed recently."""
    if writer.settings.smtp_url is None:
        return ["not_configured" for _ in commands]
    users = [command.user_id for command in commands]
    languages = {command.user_id: command.language for command in commands}
    await lock(writer, users)
    sql: LiteralString = f"SELECT id, email FROM users WHERE id = ANY($1) AND NOT {IS_VERIFIED}"
    emails = {row["id"]: row["email"] for row in await writer.rows(sql, users)}
    queued = await _queue(writer, emails, {}, languages)
    return [
        "verified" if user not in emails else "queued" if user in queued else "throttled"
        for user in users
    ]


async def welcome(
    writer: Writer, emails: Mapping[UUID, str], languages: Mapping[UUID, str | None]
) -> None:
    """Queue mails to new accounts, if they cannot play without a verified address."""
    if writer.settings.smtp_url and writer.settings.email_verification == "required":
        await _queue(writer, emails, {}, languages)


async def begin(writer: Writer, new: Mapping[UUID, str]) -> None:
    """Queue mails about changes of address: a verification to the new, a notice to the former."""
    if writer.settings.smtp_url is None:
        return
    rows = await writer.rows(
        """
        SELECT id, users.email AS former
          FROM unnest($1::uuid[], $2::text[]) AS new (id, email) JOIN users USING (id)
         WHERE users.email <> new.email
         ORDER BY id
        """,
        list(new),
        list(new.values()),
    )
    former = {row["id"]: row["former"] for row in rows}
    await _queue(writer, {user: new[user] for user in former}, former, {})


async def _queue(
    writer: Writer,
    emails: Mapping[UUID, str],
    former: Mapping[UUID, str],
    languages: Mapping[UUID, str | None],
) -> set[UUID]:
    """Insert verifications and enqueue their mails; return the accounts that get one."""
    quiet, silent = await _throttled(writer, emails)
    mails = {
        user: MailedVerification(user_id=user, id=uuid4(), language=languages.get(user))
        for user in emails
        if user not in quiet or (user in former and user not in silent)
    }
    await writer.run(
        """
        INSERT INTO email_verifications (user_id, id, email, former_email, expires_at)
        SELECT user_id, id, email, former, now() + make_interval(hours => $5)
          FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[])
               AS asked (user_id, id, email, former)
        """,
        list(mails),
        [mail.id for mail in mails.values()],
        [emails[user] for user in mails],
        [former.get(user) for user in mails],
        HOURS,
    )
    verified = {user: mail for user, mail in mails.items() if user not in quiet}
    noticed = [mail for user, mail in mails.items() if user in former and user not in silent]
    await jobs.enqueue(writer, MAIL, list(verified.values()))
    await jobs.enqueue(writer, CHANGE_MAIL, noticed)
    return set(verified)


async def _throttled(writer: Writer, emails: Mapping[UUID, str]) -> tuple[set[UUID], set[UUID]]:
    """
    The accounts that get no verification now, and those that get no notice.

    Notices have a budget of their own: verifications that a thief requests must not use up the
    notice about the change that follows.
    """
    rows = await writer.rows(
        """
        SELECT user_id,
               count(*) >= $4
               OR bool_or(former.email = new.email
                          AND created_at > statement_timestamp() - make_interval(mins => $3))
               AS quiet,
               count(former_email) >= $4 AS silent
          FROM email_verifications AS former
          JOIN unnest($1::uuid[], $2::text[]) AS new (user_id, email) USING (user_id)
         WHERE user_id = ANY($1) AND created_at > statement_timestamp() - interval '1 day'
         GROUP BY user_id
        """,
        list(emails),
        list(emails.values()),
        MINUTES_BETWEEN,
        MAILS_A_DAY,
    )
    return (
        {row["user_id"] for row in rows if row["quiet"]},
        {row["user_id"] for row in rows if row["silent"]},
    )


async def void(writer: Writer, new: Mapping[UUID, str]) -> None:
    """Void the verifications of former addresses: an old link must not work after a change."""
    await writer.run(
        """
        UPDATE email_verifications SET used_at = now()
         WHERE user_id = ANY($1) AND used_at IS NULL
           AND (user_id, email) NOT IN (SELECT * FROM unnest($1::uuid[], $2::text[]))
        """,
        list(new),
        list(new.values()),
    )


class MailRecipient(Struct, frozen=True, kw_only=True):
    name: str
    email: str
    """The address that is to be verified."""
    former_email: str | None
    language: str | None


async def addressee(reader: Reader, mail: MailedVerification) -> MailRecipient | None:
    """Return the recipient of a verification, or None if it is no longer open."""
    return await reader.one(
        MailRecipient,
        """
        SELECT name, users.email, former_email, language
          FROM email_verifications AS open JOIN users ON users.id = user_id
         WHERE user_id = $1 AND open.id = $2 AND open.email = users.email
           AND used_at IS NULL AND expires_at > statement_timestamp()
        """,
        mail.user_id,
        mail.id,
    )


async def former_addressee(reader: Reader, mail: MailedVerification) -> MailRecipient | None:
    """Return the recipient of a notice, also if the new address is verified by now."""
    return await reader.one(
        MailRecipient,
        """
        SELECT name, change.email, former_email, language
          FROM email_verifications AS change JOIN users ON users.id = user_id
         WHERE user_id = $1 AND change.id = $2 AND former_email IS NOT NULL
        """,
        mail.user_id,
        mail.id,
    )
