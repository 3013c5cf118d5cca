"""Browser sessions: one's own, and those of other staff, listed and ended."""

from uuid import UUID

from gamekeeper.api.path_parameters import SessionId, UserKey
from gamekeeper.api.v1.session import NoSession, SignedOut, context_of
from gamekeeper.auth import browser_sessions
from gamekeeper.auth.browser_sessions import SessionEnd, SessionNotFound
from gamekeeper.auth.principal import Principal
from gamekeeper.core.schemas import Instant, Page, Paging, Record, Window
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.requests import Request
from gamekeeper.http.routing import Routes
from gamekeeper.users import lookup, ranks
from gamekeeper.users.lookup import UserNotFound
from gamekeeper.users.ranks import Outranked
from gamekeeper.users.staff import second_factors, sessions
from gamekeeper.users.staff.second_factors import FactorReset, OwnFactors
from gamekeeper.users.staff.sessions import ListedSession, ManagedEnd

routes = Routes("/api/v1/me")
staff = Routes("/api/v1/staff")

MANAGE = "staff.manage"


class BrowserSessionRecord(Record, frozen=True):
    id: UUID
    is_current: bool
    """Whether it is the current session."""
    method: str
    """The last verification: `totp`, `passkey`, `recovery`, `link`."""
    address: str
    user_agent: str
    created_at: Instant
    seen_at: Instant
    """The last request, to the minute."""
    verified_at: Instant
    expires_at: Instant
    """The latest end, even if the session is in use."""


class EndedSessions(Record, frozen=True):
    ended: int


class ResetFactors(Record, frozen=True):
    user_id: UUID
    removed: int
    """The number of second factors the account had."""


@routes.get("/sessions", raises=(NoSession,))
async def list_own_sessions(
    database: Database, caller: Principal, request: Request, query: Paging
) -> Page[BrowserSessionRecord]:
    """Your browser sessions, last used first."""
    context = context_of(caller, request)
    found = await sessions.live(database.reader, context.user_id)
    return _page(found, query.window, context.session_id)


@routes.delete("/sessions", raises=(NoSession,), step_up=True)
async def end_other_sessions(
    database: Database, caller: Principal, request: Request, by: AuditContext
) -> EndedSessions:
    """End all your sessions except the current one."""
    context = context_of(caller, request)
    command = SessionEnd(user_id=context.user_id, but=context.session_id, by=by)
    return await browser_sessions.end.one(database, command, _ended)


@routes.delete("/sessions/{session_id}", raises=(NoSession, SessionNotFound), step_up=True)
async def end_own_session(
    database: Database, caller: Principal, request: Request, by: AuditContext, session_id: SessionId
) -> SignedOut:
    """End one of your sessions."""
    context = context_of(caller, request)
    command = SessionEnd(user_id=context.user_id, only=session_id, by=by)
    return await browser_sessions.end.one(
        database, command, lambda _: SignedOut(session_id=session_id)
    )


@staff.get("/{user}/sessions", MANAGE, raises=(UserNotFound, Outranked))
async def list_staff_sessions(
    database: Database, caller: Principal, user: UserKey, query: Paging
) -> Page[BrowserSessionRecord]:
    """The browsers that a staff member is signed in with, the last seen first."""
    member = await lookup.find_user_id(database.reader, user)
    await ranks.check(database.reader, caller, member)
    found = await sessions.live(database.reader, member)
    return _page(found, query.window, caller.session.id if caller.session else None)


@staff.delete("/{user}/sessions", MANAGE, raises=(UserNotFound, Outranked))
async def end_staff_sessions(
    database: Database, caller: Principal, by: AuditContext, user: UserKey
) -> EndedSessions:
    """End all sessions of a staff member."""
    member = await lookup.find_user_id(database.reader, user)
    command = ManagedEnd(user_id=member, manager=caller, by=by)
    return await sessions.end_by_manager.one(database, command, _ended)


@staff.delete(
    "/{user}/sessions/{session_id}", MANAGE, raises=(UserNotFound, Outranked, SessionNotFound)
)
async def end_staff_session(
    database: Database, caller: Principal, by: AuditContext, user: UserKey, session_id: SessionId
) -> SignedOut:
    """End one session of a staff member."""
    member = await lookup.find_user_id(database.reader, user)
    command = ManagedEnd(user_id=member, only=session_id, manager=caller, by=by)
    return await sessions.end_by_manager.one(
        database, command, lambda _: SignedOut(session_id=session_id)
    )


@staff.delete("/{user}/factors", MANAGE, raises=(UserNotFound, Outranked, OwnFactors), step_up=True)
async def reset_factors(
    database: Database, caller: Principal, by: AuditContext, user: UserKey
) -> ResetFactors:
    """Remove all second factors of a staff member who lost them, and end their sessions."""
    member = await lookup.find_user_id(database.reader, user)
    command = FactorReset(user_id=member, manager=caller, by=by)
    return await second_factors.reset.one(
        database, command, lambda removed: ResetFactors(user_id=member, removed=removed)
    )


def _ended(count: int) -> EndedSessions:
    return EndedSessions(ended=count)


def _page(
    found: list[ListedSession], window: Window, current: UUID | None
) -> Page[BrowserSessionRecord]:
    # So few that they are read whole.
    shown = found[window.offset : window.offset + window.shown]
    return Page.of([_record(session, current) for session in shown], len(found), window)


def _record(session: ListedSession, current: UUID | None) -> BrowserSessionRecord:
    return BrowserSessionRecord(
        id=session.id,
        is_current=session.id == current,
        method=session.method,
        address=session.address,
        user_agent=session.user_agent,
        created_at=session.created_at,
        seen_at=session.seen_at,
        verified_at=session.verified_at,
        expires_at=session.expires_at,
    )
