"""Report endpoints: filed by game servers and websites, or by players with their own token."""

from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, structs

from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Forbidden, TooManyRequests
from gamekeeper.core.schemas import Body, Query
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.routing import Routes
from gamekeeper.moderation.cases import own_reports
from gamekeeper.moderation.cases.own_reports import OwnPlayerReports
from gamekeeper.moderation.texts import InvalidText, check_text
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.servers.leases import Fenced, LeaseHolder, ServerNotFound
from gamekeeper.servers.owners import ServerOwned
from gamekeeper.servers.reports import submission
from gamekeeper.servers.reports.categories import ReportCategory
from gamekeeper.servers.reports.records import ReportPlace
from gamekeeper.servers.reports.submission import (
    MAX_MESSAGES,
    FiledReport,
    InvalidReport,
    NewReport,
    NotYourCharacter,
    OwnReport,
)
from gamekeeper.users.lookup import UserNotFound

routes = Routes("/api/v1/reports")
own = Routes("/api/v1/me/reports")

REFUSED = (InvalidText, PlayerNotFound, UserNotFound, OwnReport, TooManyRequests)


class NoAccount(Forbidden):
    """An API key has no reports. Use the token or session of an account."""

    cacheable = False


class ReportFacts(Body, frozen=True, kw_only=True):
    player: str
    """The reported character, by name or id."""
    category: ReportCategory
    """
    `cheating`, `harassment`, `spam`, `offensive_name`, `real_money_trading`, `exploit` or
    `other`.
    """
    text: str = ""
    """The description, at most 2,000 characters; visible only to staff."""
    at: datetime | None = None
    """When it happened; by default now."""
    map_id: UUID | None = None
    """The map where it happened."""
    x: int | None = None
    """The column on the map."""
    y: int | None = None
    """The row on the map."""
    messages: Annotated[list[UUID], Meta(max_length=MAX_MESSAGES)] | None = None
    """At most 20 ids of chat messages that are meant."""


class MyReport(ReportFacts, frozen=True, kw_only=True):
    reporter: str | None = None
    """Your character, by name or id."""


class FileReport(ReportFacts, frozen=True, kw_only=True):
    reporter: str
    """The character that reports, by name or id."""
    server: UUID | None = None
    """The game server that reports it, with `fence`; then the chat on it is kept too."""
    fence: int | None = None
    """The fencing number of that server's lease."""


@routes.post(
    "", "reports.file", raises=(*REFUSED, InvalidReport, ServerNotFound, ServerOwned, Fenced)
)
async def file_report(database: Database, by: AuditContext, body: FileReport) -> FiledReport:
    """
    Report a player, in the name of another one.

    The report joins the open case about the account of the reported character. The chat of the
    five minutes before and after it is kept with it; of private messages only those between
    the two. If the reporter has already reported the account and the case is still open, the
    report is counted on the first one. An account can report 10 times an hour.
    """
    if (body.server is None) != (body.fence is None):
        raise InvalidReport("'server' and 'fence' must be sent together.", field="fence")
    holder = None if body.server is None else LeaseHolder(body.server, body.fence or 0)
    order = structs.replace(_order(by, body), holder=holder)
    return await submission.file.one(database, order)


@own.post("", raises=(*REFUSED, NotYourCharacter, NoAccount))
async def file_my_report(
    database: Database, caller: Principal, by: AuditContext, body: MyReport
) -> FiledReport:
    """
    Report a player, as the account that calls: for websites and launchers.

    As `POST /api/v1/reports`, without a scope. The audit log does not name you.
    """
    if caller.user_id is None:
        raise NoAccount
    anonymous = structs.replace(by, actor="anonymous", name="anonymous", address="", reason=None)
    order = structs.replace(_order(anonymous, body), reporter_id=caller.user_id)
    return await submission.file.one(database, order)


class MyReportsQuery(Query, frozen=True):
    cursor: UUID | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 50
    """The page size, 1 to 100; values out of range are clamped."""


@own.get("")
async def list_my_reports(
    reader: Reader, caller: Principal, query: MyReportsQuery
) -> OwnPlayerReports:
    """The reports of the account that calls, newest first, and whether something was done.

    An API key has no account, and so no reports.
    """
    if caller.user_id is None:
        return OwnPlayerReports(values=[], next=None)
    return await own_reports.list_own(reader, caller.user_id, query.cursor, query.limit)


def _order(by: AuditContext, body: MyReport | FileReport) -> NewReport:
    at = body.at.replace(tzinfo=UTC) if body.at and body.at.tzinfo is None else body.at
    return NewReport(
        by=by,
        target=body.player,
        reporter=body.reporter,
        category=body.category,
        text=check_text("text", body.text, submission.LONGEST_TEXT),
        place=ReportPlace(body.map_id, body.x, body.y),
        at=at,
        message_ids=body.messages or (),
    )
