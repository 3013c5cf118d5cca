"""
The mails that the worker sends: to accounts, to invited staff, and outcomes of reports.

A failed mail is retried with growing delays (backoff); a mail that the server refuses permanently
is given up and logged.
"""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage

import structlog
from pgqueuer import RetryRequested

from gamekeeper.auth.secrets import Vault
from gamekeeper.core import sign_in_sources
from gamekeeper.core.languages.negotiation import lookup
from gamekeeper.core.languages.texts import texts_in
from gamekeeper.core.observability import metrics
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.moderation.cases import outcome_mails
from gamekeeper.moderation.cases.outcome_mails import OutcomeMail
from gamekeeper.users import email_proofs, email_verification, resets
from gamekeeper.users.email_verification import MailedVerification
from gamekeeper.users.identities import notices
from gamekeeper.users.identities.notices import IdentityNotice
from gamekeeper.users.mail import messages, smtp
from gamekeeper.users.records import masked
from gamekeeper.users.resets import ResetMail
from gamekeeper.users.staff import invitations
from gamekeeper.users.staff.invitations import InvitationMail

log = structlog.get_logger()

RETRY_DELAYS = [10, 30, 60, 300, 900]
"""Seconds before each retry."""


async def mail_password_reset(
    settings: Settings, database: Database, vault: Vault, mail: ResetMail, attempt: int
) -> None:
    reset = mail.reset
    to = await resets.addressee(database.reader, reset)
    if to is None:
        log.info("mail_dropped", reset=str(reset.id), reason="no longer wanted")
        metrics.MAILS.labels("dropped").inc()
        return
    language = lookup(to.language or "") or lookup(mail.language or "") or settings.language
    texts = await asyncio.to_thread(texts_in, language)

    def letter() -> EmailMessage:
        return messages.password_reset(
            settings,
            texts=texts,
            name=to.name,
            email=to.email,
            minutes=resets.MINUTES,
            token=resets.link_token(vault, reset),
            code=resets.code(vault, reset),
            reference=reset.id.hex,
        )

    await _send(settings, letter, attempt, reset=str(reset.id))


async def mail_verification(
    settings: Settings, database: Database, vault: Vault, mail: MailedVerification, attempt: int
) -> None:
    to = await email_verification.addressee(database.reader, mail)
    if to is None:
        log.info("mail_dropped", verification=str(mail.id), reason="no longer wanted")
        metrics.MAILS.labels("dropped").inc()
        return
    language = lookup(to.language or "") or lookup(mail.language or "") or settings.language
    texts = await asyncio.to_thread(texts_in, language)

    def letter() -> EmailMessage:
        return messages.email_verification(
            settings,
            texts=texts,
            name=to.name,
            email=to.email,
            hours=email_verification.HOURS,
            token=email_proofs.link_token(vault, mail),
            code=email_proofs.code(vault, mail),
            reference=mail.id.hex,
        )

    await _send(settings, letter, attempt, verification=str(mail.id))


async def mail_email_change(
    settings: Settings, database: Database, mail: MailedVerification, attempt: int
) -> None:
    """Tell the former address of an account that it has another one."""
    to = await email_verification.former_addressee(database.reader, mail)
    former = to.former_email if to else None
    if to is None or former is None:
        log.info("mail_dropped", email_change=str(mail.id), reason="no longer wanted")
        metrics.MAILS.labels("dropped").inc()
        return
    texts = await asyncio.to_thread(texts_in, lookup(to.language or "") or settings.language)

    def letter() -> EmailMessage:
        return messages.email_change(
            settings,
            texts=texts,
            name=to.name,
            email=former,
            # Masked: the mailbox may be read by somebody else, which is why it was changed.
            new=masked(to.email),
            reference=f"{mail.id.hex}.change",
        )

    await _send(settings, letter, attempt, email_change=str(mail.id))


async def mail_identity(
    settings: Settings, database: Database, notice: IdentityNotice, attempt: int
) -> None:
    to = await notices.addressee(database.reader, notice)
    if to is None:
        log.info("mail_dropped", identity_notice=str(notice.id), reason="no longer wanted")
        metrics.MAILS.labels("dropped").inc()
        return
    texts = await asyncio.to_thread(texts_in, lookup(to.language or "") or settings.language)
    sources = sign_in_sources.parse(settings.sign_in_sources)

    def letter() -> EmailMessage:
        return messages.identity_notice(
            settings,
            texts=texts,
            name=to.name,
            email=to.email,
            service=sign_in_sources.label_of(sources, notice.issuer),
            is_linked=notice.is_linked,
            reference=notice.id.hex,
        )

    await _send(settings, letter, attempt, identity_notice=str(notice.id))


async def mail_invitation(
    settings: Settings, database: Database, vault: Vault, mail: InvitationMail, attempt: int
) -> None:
    found = await invitations.find_open(database.reader, mail.id)
    email = found.email if found else None
    if found is None or email is None:
        log.info("mail_dropped", invitation=str(mail.id), reason="no longer wanted")
        metrics.MAILS.labels("dropped").inc()
        return

    def letter() -> EmailMessage:
        return messages.staff_invitation(
            settings,
            email=email,
            inviter=found.created_by_name,
            role=found.role,
            link=invitations.address(settings, invitations.code_of(vault, mail.id)),
            expires_at=found.expires_at,
            reference=mail.id.hex,
        )

    await _send(settings, letter, attempt, invitation=str(mail.id))


async def mail_outcome(
    settings: Settings, database: Database, mail: OutcomeMail, attempt: int
) -> None:
    found = await outcome_mails.find_letter(database, mail)
    if found is None:
        log.info("mail_dropped", outcome=str(mail.id), reason="no longer wanted")
        metrics.MAILS.labels("dropped").inc()
        return
    language = lookup(found.language or "") or settings.language
    texts = await asyncio.to_thread(texts_in, language)

    def letter() -> EmailMessage:
        return messages.report_outcome(
            settings,
            texts=texts,
            name=found.name,
            email=found.email,
            player=found.player_name,
            is_action_taken=found.outcome == "action_taken",
            reference=mail.id.hex,
        )

    await _send(settings, letter, attempt, outcome=str(mail.id))


async def _send(
    settings: Settings, letter: Callable[[], EmailMessage], attempt: int, **about: str
) -> None:
    """Send a mail, or raise RetryRequested; `about` names it in the log."""
    try:
        await smtp.send(settings, letter())
    except Exception as fault:
        name = type(fault).__name__
        if isinstance(fault, smtp.MailNotConfigured):
            log.error("mail_not_configured", **about, reason=str(fault))  # noqa: TRY400
        if smtp.is_permanent(fault) or attempt >= len(RETRY_DELAYS):
            log.error("mail_given_up", **about, fault=name)  # noqa: TRY400
            metrics.MAILS.labels("given_up").inc()
            return
        log.warning("mail_delayed", **about, fault=name)
        metrics.MAILS.labels("delayed").inc()
        raise RetryRequested(timedelta(seconds=RETRY_DELAYS[attempt])) from fault
    log.info("mail_sent", **about)
    metrics.MAILS.labels("sent").inc()
