"""Case commands: the queue, one case, claims, notes, evidence and outcomes."""

from typing import Annotated, get_args
from uuid import UUID

import typer

from gamekeeper.cli import names
from gamekeeper.cli.actor import By, ByReasonFirst, ByWithoutReason
from gamekeeper.cli.command import Output, TextTable, change, command
from gamekeeper.cli.options import Limit, an_id
from gamekeeper.cli.sanctions import For
from gamekeeper.cli.times import Clock, TerminalClock
from gamekeeper.db.database import Database
from gamekeeper.moderation.cases import (
    added_chat,
    claims,
    details,
    lists,
    outcomes,
    statistics,
)
from gamekeeper.moderation.cases.added_chat import NewEvidence
from gamekeeper.moderation.cases.claims import CaseClaim, CaseRelease, NewNote
from gamekeeper.moderation.cases.details import CaseDetails
from gamekeeper.moderation.cases.lists import CaseFilter
from gamekeeper.moderation.cases.outcomes import CaseClosing, CaseReopening
from gamekeeper.moderation.cases.records import Case, CaseOutcome

CaseId = Annotated[UUID, typer.Argument(parser=an_id, metavar="ID", help="The case's id.")]
OUTCOMES: dict[str, CaseOutcome] = {outcome: outcome for outcome in get_args(CaseOutcome)}
Closed = Annotated[bool, typer.Option("--closed", help="Closed cases instead, newest first.")]
Whose = Annotated[str | None, typer.Option(metavar="NAME", help="Only cases about this account.")]
Cursor = Annotated[
    UUID | None, typer.Option(parser=an_id, help="The cursor printed at the end of the last page.")
]
What = Annotated[
    str,
    typer.Argument(metavar="OUTCOME", help=f"{', '.join(OUTCOMES)}, or a sanction template."),
]
Why = Annotated[str, typer.Option(metavar="TEXT", help="The reason of the sanction, for staff.")]
MessageText = Annotated[str, typer.Option(metavar="TEXT", help="The text for the player.")]
NoteText = Annotated[str, typer.Option(metavar="TEXT", help="A note about the outcome, for staff.")]
Text = Annotated[str, typer.Argument(metavar="TEXT", help="1 to 2,000 characters, for staff.")]
MessageIds = Annotated[
    list[UUID], typer.Argument(parser=an_id, metavar="MESSAGE", help="Ids of chat messages.")
]
Around = Annotated[
    bool,
    typer.Option(
        "--around", help="With one message: also the others on its server within five minutes."
    ),
]


@command
async def list_(
    database: Database,
    *,
    closed: Closed = False,
    user: Whose = None,
    limit: Limit = 20,
    cursor: Cursor = None,
    clock: Clock,
) -> Output:
    """Show open cases, the highest priority first."""
    whose = (await names.user(database.reader, user)).id if user else None
    found = await lists.list_cases(
        database.reader, "closed" if closed else "open", CaseFilter(user_id=whose), cursor, limit
    )
    head = ["priority", "category", "player", "reporters", "opened", "state", "id"]
    table = TextTable(head, [_row(case, clock) for case in found.values])
    return Output(found, table, f"More: --cursor {found.next}" if found.next else None)


@command
async def show(database: Database, id_: CaseId, *, clock: Clock) -> Output:
    """Show a case with its reports and notes."""
    found = await details.find_details(database.reader, id_, None)
    return Output(found, _facts(found, clock))


@command
async def statistics_(database: Database) -> Output:
    """Show how many cases there were in 30 days, and how long they waited."""
    found = await statistics.statistics(database.reader, None, None)
    facts = {
        "open": f"{found.open}, {found.unclaimed} unclaimed",
        "opened": str(found.opened),
        "closed": str(found.closed),
        "closed after": f"median {_minutes(found.until_closed.median)}, "
        f"90 % within {_minutes(found.until_closed.p90)}",
        **{f"by {moderator.name}": f"{moderator.closed} closed" for moderator in found.moderators},
    }
    return Output(found, facts)


@change("reports.manage")
async def claim(database: Database, id_: CaseId, *, by: By) -> Output:
    """Claim a case, so that others know that you handle it."""
    done = await claims.claim.one(database, CaseClaim(by=by, case_id=id_))
    return Output(done, f"Claimed by {done.claimed_by_name}.")


@change("reports.manage")
async def release(database: Database, id_: CaseId, *, by: By) -> Output:
    """Release a claimed case."""
    done = await claims.release.one(database, CaseRelease(by=by, case_id=id_))
    return Output(done, "Released.")


@change("reports.manage")
async def note(database: Database, id_: CaseId, text: Text, *, by: By) -> Output:
    """Add a note for staff to a case."""
    order = NewNote(by=by, case_id=id_, text=claims.check_note(text))
    return Output(await claims.add_note.one(database, order), "Added.")


@change("reports.manage")
async def add_chat(
    database: Database,
    id_: CaseId,
    messages: MessageIds,
    *,
    around: Around = False,
    by: ByReasonFirst,
) -> Output:
    """
    Add messages of the chat log to an open case as evidence.

    They are frozen as they are now and cannot be removed. Private messages need --reason. The ids
    of messages: gamekeeper chat list --json.
    """
    order = NewEvidence(by=by, case_id=id_, message_ids=messages, around=around)
    done = await added_chat.add.one(database, order)
    return Output(done, f"Added {done.added}; {done.lines} in all.")


@change("reports.manage", "sanctions.manage")
async def close(
    database: Database,
    id_: CaseId,
    outcome: What,
    *,
    for_: For = None,
    reason: Why = "",
    message: MessageText = "",
    note: NoteText = "",
    by: ByWithoutReason,
) -> Output:
    """
    Close a case: with no action, a kick, or a sanction.

    A sanction is imposed on the account in the same transaction, with the chat of the reports
    as evidence: gamekeeper cases close ID mute --for 3d --reason "insults".
    """
    known = OUTCOMES.get(outcome)
    order = CaseClosing(
        by=by,
        case_id=id_,
        outcome=known,
        template=None if known else outcome,
        duration=for_,
        reason=reason,
        message=message,
        note=note,
    )
    done = await outcomes.close.one(database, order)
    return Output(done, f"Closed: {done.outcome}.")


@change("reports.manage")
async def reopen(database: Database, id_: CaseId, *, by: By) -> Output:
    """Open a closed case again. Its sanction stays in force."""
    done = await outcomes.reopen.one(database, CaseReopening(by=by, case_id=id_))
    return Output(done, "Open again.")


def _row(case: Case, clock: TerminalClock) -> list[str]:
    return [
        *(str(case.priority), case.category, _about(case), str(case.reporters)),
        *(clock.show(case.opened_at), _state(case), str(case.id)),
    ]


def _about(case: Case) -> str:
    return case.player_name or case.user_name or "erased"


def _state(case: Case) -> str:
    if case.outcome:
        return f"closed: {case.outcome}"
    return f"claimed by {case.claimed_by_name}" if case.claimed_by else "unclaimed"


def _minutes(seconds: float | None) -> str:
    return "—" if seconds is None else f"{seconds / 60:.0f} min"


def _facts(found: CaseDetails, clock: TerminalClock) -> dict[str, str]:
    case = found.case
    facts = {
        "case": f"{_about(case)}, account {case.user_name or 'erased'}",
        "state": _state(case),
        "category": ", ".join(case.categories),
        "reports": f"{case.reports} by {case.reporters}, priority {case.priority}",
        "opened": clock.show(case.opened_at),
    }
    for number, report in enumerate(found.reports, 1):
        by = report.reporter_player_name or report.reporter_name or "erased"
        facts[f"report {number}"] = f"{report.category} by {by}, {report.times} ×: {report.text}"
    for number, written in enumerate(found.notes, 1):
        facts[f"note {number}"] = f"{written.by_name}: {written.text}"
    if found.closing_note:
        facts["closing note"] = found.closing_note
    return facts
