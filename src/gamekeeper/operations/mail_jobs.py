"""The jobs of the worker that send mails."""

from gamekeeper.moderation.cases import outcome_mails
from gamekeeper.users import email_verification, resets
from gamekeeper.users.identities import notices
from gamekeeper.users.staff import invitations

MAIL_JOBS = [
    resets.MAIL,
    email_verification.MAIL,
    email_verification.CHANGE_MAIL,
    notices.MAIL,
    invitations.MAIL,
    outcome_mails.MAIL,
]
