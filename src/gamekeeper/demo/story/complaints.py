"""Reports of the story, and the cases that they led to: some handled, some that wait."""

from datetime import datetime, timedelta
from uuid import UUID

from msgspec import Struct

from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext, Command
from gamekeeper.demo.story.cast import DUPER, FENCE, HERO, LOUD, LUCKY, VICTIMS, Cast, Persona
from gamekeeper.demo.story.schedule import Late, Schedule
from gamekeeper.moderation.cases import claims, outcomes
from gamekeeper.moderation.cases.claims import CaseClaim, NewNote
from gamekeeper.moderation.cases.outcomes import CaseClosing
from gamekeeper.servers.reports import submission
from gamekeeper.servers.reports.categories import ReportCategory
from gamekeeper.servers.reports.submission import NewReport


class Complaint(Struct, frozen=True):
    hours_ago: float
    reporter: Persona
    about: Persona
    category: ReportCategory
    text: str


COMPLAINTS = (
    Complaint(53.08, HERO, LOUD, "harassment", "Insults me in the global channel."),
    Complaint(53.06, LUCKY, LOUD, "harassment", "Please make her stop."),
    Complaint(53.04, VICTIMS[2], LOUD, "spam", ""),
    Complaint(44, LOUD, HERO, "harassment", "He started it!"),
    Complaint(26, HERO, FENCE, "real_money_trading", "Offered me gold for ten euros."),
    Complaint(20, LUCKY, DUPER, "exploit", "Had 4 rubies, logged out, had 400."),
    Complaint(19, VICTIMS[0], DUPER, "exploit", "Sells rubies far below the price."),
    Complaint(5, LOUD, VICTIMS[1], "offensive_name", "Tilda is the name of my mother."),
    Complaint(3, FENCE, DUPER, "cheating", "It is impossible to find that many rubies."),
)
MODERATOR = "Ines"


def draw(schedule: Schedule, cast: Cast) -> None:
    """Put the reports into the schedule, and what the moderator did with them."""
    server, moderator = cast.servers["Silverlake"], cast.staff[MODERATOR]
    for complaint in COMPLAINTS:
        at = schedule.now - timedelta(hours=complaint.hours_ago)
        report = NewReport(
            by=server,
            target=complaint.about.name,
            reporter=complaint.reporter.name,
            category=complaint.category,
            text=complaint.text,
            at=at,
        )
        schedule.add(at, submission.file, report)
    closed = _ago(schedule, hours=52.9)
    schedule.add(closed, outcomes.close, _linking(moderator, LOUD))
    schedule.add(_ago(schedule, hours=43), outcomes.close, _dropping(moderator, HERO))
    schedule.add(_ago(schedule, hours=25), claims.claim, _claiming(moderator, FENCE))
    schedule.add(_ago(schedule, hours=24.5), claims.add_note, _noting(moderator, FENCE))


def _ago(schedule: Schedule, *, hours: float) -> datetime:
    return schedule.now - timedelta(hours=hours)


async def _case(writer: Writer, about: Persona) -> UUID:
    """The open case about a character of the story, or an id that none has."""
    return await writer.value(
        """
        SELECT coalesce((SELECT cases.id FROM cases JOIN users ON users.id = cases.user_id
                          WHERE users.name = $1 AND closed_at IS NULL), gen_random_uuid())
        """,
        about.account,
    )


def _linking(by: AuditContext, about: Persona) -> Late:
    async def command(writer: Writer) -> Command:
        code = await writer.value(
            """
            SELECT code FROM sanctions JOIN users ON users.id = sanctions.user_id
             WHERE users.name = $1 ORDER BY imposed_at DESC LIMIT 1
            """,
            about.account,
        )
        case = await _case(writer, about)
        return CaseClosing(by=by, case_id=case, sanction=code or "none", note="Muted for a week.")

    return command


def _dropping(by: AuditContext, about: Persona) -> Late:
    async def command(writer: Writer) -> Command:
        case = await _case(writer, about)
        return CaseClosing(by=by, case_id=case, outcome="none", note="In return for the mute.")

    return command


def _claiming(by: AuditContext, about: Persona) -> Late:
    async def command(writer: Writer) -> Command:
        return CaseClaim(by=by, case_id=await _case(writer, about))

    return command


def _noting(by: AuditContext, about: Persona) -> Late:
    async def command(writer: Writer) -> Command:
        text = "Asked Bram for a screenshot."
        return NewNote(by=by, case_id=await _case(writer, about), text=text)

    return command
