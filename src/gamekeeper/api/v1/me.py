"""Who the caller is and what it may do: for consoles, and for whoever debugs a credential."""

from typing import Literal
from uuid import UUID

from gamekeeper.auth.authorisation import STEP_UP, UNFINISHED
from gamekeeper.auth.limits import LimitsRecord
from gamekeeper.auth.principal import SCOPES, BrowserSession, Principal, SessionState
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Reader
from gamekeeper.http.routing import Routes
from gamekeeper.players import quotas
from gamekeeper.players.quotas import LimitUsage

routes = Routes("/api/v1/me")

CredentialKind = Literal["key", "token", "session"]


class SessionFacts(Record, frozen=True):
    """The browser session that the caller came with."""

    id: UUID
    state: SessionState
    """
    `signed_in`; or the next step of the sign-in: `second_factor_required`,
    `enrolment_required`.
    """
    verified_at: Instant | None
    """When the second factor was last verified; null: never."""
    step_up_until: Instant | None
    """The time until which it is not requested again; null: never verified."""

    @classmethod
    def of(cls, session: BrowserSession) -> "SessionFacts":
        until = session.verified_at + STEP_UP if session.verified_at else None
        return cls(
            id=session.id,
            state=session.state,
            verified_at=session.verified_at,
            step_up_until=until,
        )


class Whoami(Record, frozen=True):
    """The caller, and what it may do."""

    id: str
    """As in the audit log: `key:` or `user:`, and an id."""
    kind: CredentialKind
    """The credential: an API `key`, the `token` of an account, or the `session` of a browser."""
    name: str
    user_id: UUID | None
    """The account; null for a key."""
    roles: list[str]
    """Only for a session: with a token, an account has its powers and no roles."""
    scopes: list[str]
    """For a key with all permissions, all scopes."""
    limits: LimitsRecord
    session: SessionFacts | None
    """Null unless the caller has a session."""


@routes.get("", before_sign_in=UNFINISHED)
async def get_me(caller: Principal) -> Whoami:
    """The caller and its permissions; any credential works, without a scope."""
    return Whoami(
        id=caller.id,
        kind=_kind(caller),
        name=caller.name,
        user_id=caller.user_id,
        roles=list(caller.roles),
        scopes=sorted(SCOPES if caller.scopes is None else caller.scopes),
        limits=LimitsRecord.of(caller.limits),
        session=SessionFacts.of(caller.session) if caller.session else None,
    )


@routes.get("/usage")
async def get_my_usage(reader: Reader, caller: Principal) -> LimitUsage:
    """
    The caller's usage of its limits today; `/me` has the limits.

    Nothing is counted for a caller without limits. The counters start again at midnight UTC.
    Undoing a gift does not lower them.
    """
    return await quotas.find_usage(reader, caller.id)


def _kind(caller: Principal) -> CredentialKind:
    if caller.session:
        return "session"
    return "key" if caller.user_id is None else "token"
