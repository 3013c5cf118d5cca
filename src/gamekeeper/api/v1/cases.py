"""Case endpoints: the queue, one case, claims, notes, outcomes and statistics."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta

from gamekeeper.api import audit_context
from gamekeeper.api.path_parameters import CaseId
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.reasons import ReasonRequired
from gamekeeper.core.errors import InvalidQuery
from gamekeeper.core.schemas import Body, Query
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.load_shedding import LOW
from gamekeeper.http.requests import Request
from gamekeeper.http.routing import Routes
from gamekeeper.ledger import audit_log
from gamekeeper.moderation.cases import (
    added_chat,
    claims,
    details,
    evidence,
    lists,
    outcomes,
    statistics,
    viewers,
)
from gamekeeper.moderation.cases.added_chat import (
    AddedChat,
    InvalidCaseEvidence,
    NewEvidence,
    TooManyCaseLines,
)
from gamekeeper.moderation.cases.claims import CaseClaim, CaseNote, CaseRelease, NewNote
from gamekeeper.moderation.cases.details import CaseDetails
from gamekeeper.moderation.cases.evidence import CaseChat
from gamekeeper.moderation.cases.lists import CaseFilter, Cases
from gamekeeper.moderation.cases.outcomes import (
    AnotherCaseOpen,
    CaseClosing,
    CaseNotClosed,
    CaseReopening,
    InvalidClosing,
)
from gamekeeper.moderation.cases.records import (
    Case,
    CaseClaimed,
    CaseClosed,
    CaseNotFound,
    CaseOutcome,
    CaseState,
    OwnCase,
)
from gamekeeper.moderation.cases.statistics import CaseStatistics
from gamekeeper.moderation.cases.viewers import CaseViewers
from gamekeeper.moderation.evidence import MAX_LINES, ChatMessageNotFound
from gamekeeper.moderation.sanctions import InvalidPeriod, InvalidSanction
from gamekeeper.moderation.templates import TemplateNotFound
from gamekeeper.moderation.texts import MOST_LINKS, InvalidEvidence, InvalidText
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.sanctions.records import SanctionNotFound
from gamekeeper.servers.commands.outbox import TooManyCommands
from gamekeeper.servers.reports.categories import ReportCategory
from gamekeeper.users.lookup import UserNotFound, find_user_id
from gamekeeper.users.ranks import Outranked

routes = Routes("/api/v1/cases")

READ = "reports.read"
MANAGE = "reports.manage"
REFUSED = (CaseNotFound, OwnCase, Outranked)


class CaseQuery(Query, frozen=True):
    state: CaseState | None = None
    """`open` (default) or `closed`; with `user`, by default both."""
    mine: bool = False
    """Only cases that you claimed, or closed."""
    claimed: bool | None = None
    """Only claimed cases (`true`), or only unclaimed ones (`false`)."""
    category: ReportCategory | None = None
    """
    Only cases whose most severe category is this: `cheating`, `harassment`, `spam`,
    `offensive_name`, `real_money_trading`, `exploit` or `other`.
    """
    severity: int | None = None
    """Only cases of this severity, 1 to 3."""
    user: str | None = None
    """Only cases about this account, by name or id."""
    cursor: UUID | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 50
    """The page size, 1 to 100; values out of range are clamped."""


@routes.get("", READ, raises=(UserNotFound,))
async def list_cases(reader: Reader, caller: Principal, query: CaseQuery) -> Cases:
    """
    The queue of cases: the highest priority first, then the oldest; closed ones newest first.

    The priority is the severity of the category times the number of accounts that reported.
    """
    if query.severity is not None and not 1 <= query.severity <= 3:
        raise InvalidQuery("'severity' must be 1, 2 or 3.", field="severity")
    user = await audit_log.subject_id(reader, query.user or None, find_user_id)
    wanted = CaseFilter(
        user_id=user,
        category=query.category,
        severity=query.severity,
        handled_by=caller.id if query.mine else None,
        is_claimed=query.claimed,
    )
    state = query.state or (None if user else "open")
    return await lists.list_cases(reader, state, wanted, query.cursor, query.limit)


class StatisticsQuery(Query, frozen=True):
    from_: datetime | None = None
    """The start of the period; by default 30 days before its end."""
    to: datetime | None = None
    """The end of the period; by default now. At most 366 days after its start."""


@routes.get("/statistics", READ, priority=LOW)
async def get_case_statistics(reader: Reader, query: StatisticsQuery) -> CaseStatistics:
    """How many cases are open and were closed, how long they waited, and who closed them."""
    since, until = (_zoned(at) if at else None for at in (query.from_, query.to))
    return await statistics.statistics(reader, since, until)


@routes.get("/{id}", READ, raises=(CaseNotFound, OwnCase))
async def get_case(reader: Reader, caller: Principal, id: CaseId) -> CaseDetails:  # noqa: A002
    """
    A case with its reports, notes, appeals and the earlier cases about the account.

    Without `reports.reporters` the reporters are null.
    """
    return await details.find_details(reader, id, caller)


@routes.get("/{id}/chat", READ, raises=(CaseNotFound, OwnCase))
async def get_case_chat(reader: Reader, caller: Principal, id: CaseId) -> CaseChat:  # noqa: A002
    """
    The chat around the reports of a case and what staff added, as it was then, oldest first.

    Private messages of reports are between a reporter and the account: they are included with
    `reports.reporters`. Those that staff added are included with `reports.reporters` or
    `chat.private`. The text of both needs `chat.private`.
    """
    await details.find_case(reader, id, caller)
    return await evidence.chat_of(reader, id, caller)


@routes.post("/{id}/view", READ, raises=(CaseNotFound,), takes_key=False)
async def view_case(database: Database, request: Request, id: CaseId) -> CaseViewers:  # noqa: A002
    """
    Announce that you have a case open, every 20 seconds or so; returns its other viewers.

    Others are listed for 60 seconds after their last call. Compare `Reports` and `ClaimedBy`
    with the case that you loaded, to see whether it has changed. The audit log does not record it.
    """
    return await viewers.beat(database, id, audit_context.by_request(request))


@routes.post("/{id}/claim", MANAGE, raises=(*REFUSED, CaseClosed, CaseClaimed))
async def claim_case(
    database: Database,
    caller: Principal,
    by: AuditContext,
    id: CaseId,  # noqa: A002
) -> Case:
    """
    Claim an open case, so that others know that you handle it.

    If another moderator was faster, the error `case_claimed` names them.
    """
    return await claims.claim.one(database, CaseClaim(by=by, case_id=id, caller=caller))


@routes.post("/{id}/release", MANAGE, raises=(*REFUSED, CaseClosed))
async def release_case(
    database: Database,
    caller: Principal,
    by: AuditContext,
    id: CaseId,  # noqa: A002
) -> Case:
    """Release a claimed case, also one that another moderator claimed."""
    return await claims.release.one(database, CaseRelease(by=by, case_id=id, caller=caller))


class AddNote(Body, frozen=True):
    text: str
    """1 to 2,000 characters, for staff."""


@routes.post(
    "/{id}/notes", MANAGE, raises=(*REFUSED, claims.InvalidNote, claims.TooManyNotes, InvalidText)
)
async def add_case_note(
    database: Database,
    caller: Principal,
    by: AuditContext,
    id: CaseId,  # noqa: A002
    body: AddNote,
) -> CaseNote:
    """Add a note for staff to a case, open or closed. Notes cannot be changed."""
    order = NewNote(by=by, case_id=id, caller=caller, text=claims.check_note(body.text))
    return await claims.add_note.one(database, order)


class AddEvidence(Body, frozen=True):
    messages: Annotated[list[UUID], Meta(max_length=added_chat.MAX_LINES)]
    """At most 200 ids of chat messages; messages that were added before are not added again."""
    around: bool = False
    """
    With one message: also the other messages on its server within five minutes, without private
    ones; the nearest 200.
    """
    reason: str = ""
    """Why private messages are added, for the audit log; required with private messages."""


@routes.post(
    "/{id}/evidence",
    MANAGE,
    raises=(
        *(*REFUSED, CaseClosed, ChatMessageNotFound, ReasonRequired),
        *(InvalidCaseEvidence, TooManyCaseLines),
    ),
)
async def add_case_evidence(
    database: Database,
    caller: Principal,
    by: AuditContext,
    id: CaseId,  # noqa: A002
    body: AddEvidence,
) -> AddedChat:
    """
    Add messages of the chat log to an open case as evidence, frozen as they are now.

    Also needs `logs.read`. Private messages need `chat.private` and a `reason`. The audit log has
    the number of messages and their hash. Evidence cannot be removed from a case.
    """
    order = NewEvidence(
        by=by, case_id=id, caller=caller, message_ids=body.messages, around=body.around
    )
    return await added_chat.add.one(database, order)


class CloseCase(Body, frozen=True):
    outcome: CaseOutcome | None = None
    """
    `none`, `kick`, or the kind of the new sanction: `note`, `warning`, `mute`, `trade_lock` or
    `ban`. Or send `template` or `sanction`.
    """
    template: str | None = None
    """A sanction template; its next step sets the outcome and the duration."""
    sanction: str | None = None
    """The id or code of a sanction that was already imposed on the account."""
    on: Literal["account", "character"] = "account"
    """Whether a new sanction is on the `account` or on the reported `character`."""
    until: datetime | None = None
    """The end of a new sanction; or send `durationseconds`. Without both, it is permanent."""
    duration_seconds: int | None = None
    """The duration of a new sanction in seconds."""
    reason: str = ""
    """The reason of a new sanction, for staff; required without a template."""
    message: str = ""
    """The text of a new sanction for the player, at most 2,000 characters."""
    evidence: Annotated[list[str], Meta(max_length=MOST_LINKS)] | None = None
    """At most 20 links, for staff."""
    excerpt: Annotated[list[UUID], Meta(max_length=MAX_LINES)] | None = None
    """
    At most 50 ids of chat messages as evidence; by default those that reports name or staff added,
    and what the account said around them.
    """
    note: str = ""
    """A note about the outcome, for staff, at most 2,000 characters."""


@routes.post(
    "/{id}/close",
    MANAGE,
    raises=(
        *REFUSED,
        *(CaseClosed, CaseClaimed, InvalidClosing, InvalidSanction, InvalidPeriod),
        *(InvalidText, InvalidEvidence, ChatMessageNotFound, TemplateNotFound, SanctionNotFound),
        *(PlayerNotFound, TooManyCommands),
    ),
)
async def close_case(
    database: Database,
    caller: Principal,
    by: AuditContext,
    id: CaseId,  # noqa: A002
    body: CloseCase,
) -> Case:
    """
    Close a case with its outcome; a sanction is imposed in the same transaction.

    Send one of `outcome`, `template` and `sanction`. A sanction also needs `sanctions.manage`,
    a kick `commands`. A case that another moderator claimed cannot be closed.
    """
    seconds = body.duration_seconds
    reason = body.reason or by.reason or ""
    order = CaseClosing(
        by=by,
        case_id=id,
        caller=caller,
        outcome=body.outcome,
        template=body.template,
        sanction=body.sanction,
        on=body.on,
        ends_at=body.until,
        duration=None if seconds is None else timedelta(seconds=seconds),
        reason=reason,
        message=body.message,
        links=body.evidence or (),
        excerpt=body.excerpt,
        note=body.note,
    )
    if order.imposes and not reason.strip() and not body.template:
        raise InvalidSanction("'reason' is required without a template.", field="reason")
    return await outcomes.close.one(database, order)


@routes.post("/{id}/reopen", MANAGE, raises=(*REFUSED, CaseNotClosed, AnotherCaseOpen))
async def reopen_case(
    database: Database,
    caller: Principal,
    by: AuditContext,
    id: CaseId,  # noqa: A002
) -> Case:
    """
    Open a closed case again, unless the account has another open one.

    Its outcome is removed. A sanction stays in force: lift it if it was a mistake.
    """
    return await outcomes.reopen.one(database, CaseReopening(by=by, case_id=id, caller=caller))


def _zoned(at: datetime) -> datetime:
    """A time without a zone is in UTC."""
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at
