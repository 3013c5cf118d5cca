"""
Mails to reporters about the outcome of a case, with `GAMEKEEPER_REPORT_OUTCOMES=mailed`.

A mail says what the reporter sees in the list of their reports: that something was done, or not.
It never says which sanction, and names neither staff nor other reporters. It is a job of the
transaction that closes the case. A reporter has one report in a case, however often they sent it,
so they get one mail. A case that was reopened is mailed again only if it is closed with another
outcome than the mail said.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from gamekeeper.core import ids
from gamekeeper.db import jobs
from gamekeeper.db.database import Database, Reader, Writer
from gamekeeper.moderation.cases.records import CaseOutcome

MAIL = "report_outcome_mail"

MailedOutcome = Literal["action_taken", "no_action"]


class OutcomeMail(Struct, frozen=True, kw_only=True):
    """The job that mails an outcome; who gets it, and what it says, is read when it is sent."""

    id: UUID
    report_id: UUID


class OutcomeLetter(Struct, frozen=True, kw_only=True):
    """What a mail needs."""

    outcome: MailedOutcome
    closed_at: datetime | None
    """None: the case was reopened since."""
    name: str
    email: str
    language: str | None
    player_name: str | None
    """The reported character; None if it no longer exists."""


def mailed_outcome(outcome: CaseOutcome) -> MailedOutcome:
    """What reporters see of an outcome; the same as in the list of their reports."""
    return "no_action" if outcome == "none" else "action_taken"


async def enqueue(writer: Writer, closed: Mapping[UUID, CaseOutcome]) -> None:
    """Enqueue the mails of cases that this transaction closes, if this installation sends them."""
    settings = writer.settings
    if settings.report_outcomes != "mailed" or settings.smtp_url is None or not closed:
        return
    # The join leaves out erased reporters. No reporter is the reported account: a constraint of
    # the table forbids it.
    rows = await writer.rows(
        """
        SELECT reports.id, new.outcome
          FROM unnest($1::uuid[], $2::text[]) AS new (case_id, outcome)
          JOIN reports USING (case_id)
          JOIN users ON users.id = reporter_id
         WHERE mailed_outcome IS DISTINCT FROM new.outcome
         ORDER BY reports.id
        """,
        list(closed),
        [mailed_outcome(outcome) for outcome in closed.values()],
    )
    mails = [OutcomeMail(id=ids.new_id(), report_id=row["id"]) for row in rows]
    await writer.run(
        """
        UPDATE reports SET mailed_outcome = new.outcome, outcome_mail_id = new.mail_id
          FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS new (id, outcome, mail_id)
         WHERE reports.id = new.id
        """,
        [mail.report_id for mail in mails],
        [row["outcome"] for row in rows],
        [mail.id for mail in mails],
    )
    await jobs.enqueue(writer, MAIL, mails)


async def find_letter(database: Database, mail: OutcomeMail) -> OutcomeLetter | None:
    """What to send; None if the mail is no longer wanted."""
    found = await _find(database.reader, mail)
    while found and found.closed_at is None:
        # Closed again between the two statements, with the same outcome: it has no other mail.
        found = None if await _withdraw(database, mail) else await _find(database.reader, mail)
    return found


async def _find(reader: Reader, mail: OutcomeMail) -> OutcomeLetter | None:
    """The letter, unless a newer one replaced it, or the reporter was erased."""
    return await reader.one(
        OutcomeLetter,
        """
        SELECT mailed_outcome AS outcome, closed_at, users.name, email, language,
               players.name AS player_name
          FROM reports
          JOIN users ON users.id = reporter_id
          LEFT JOIN players ON players.id = reports.player_id
         WHERE reports.id = $1 AND outcome_mail_id = $2
        """,
        mail.report_id,
        mail.id,
    )


async def _withdraw(database: Database, mail: OutcomeMail) -> bool:
    """Forget a mail whose case is open again, so that the next outcome is mailed; or False."""
    withdrawn = await database.write(
        lambda writer: writer.run(
            """
            UPDATE reports SET mailed_outcome = NULL, outcome_mail_id = NULL
             WHERE id = $1 AND outcome_mail_id = $2 AND closed_at IS NULL
            """,
            mail.report_id,
            mail.id,
        )
    )
    return withdrawn > 0
