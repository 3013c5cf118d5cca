"""Who the caller is and what it may do: for consoles, and for whoever debugs a credential."""

from typing import Literal
from uuid import UUID

from gamekeeper.auth.authorisation import STEP_UP, UNFINISHED
from gamekeeper.auth.limits import LimitsRecord
from gamekeeper.auth.principal import SCOPES, BrowserSession, Principal, SessionState
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.http.routing import Routes

routes = Routes("/api/v1/me")

CredentialKind = Literal["key", "token", "session"]


class SessionFacts(Record, frozen=True):
    """The browser session that the caller came with."""

    id: UUID
    state: SessionState
    verified_at: Instant | None
    step_up_until: Instant | None
    """Until when no second factor is asked for again."""

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
    kind: CredentialKind
    name: str
    user_id: UUID | None
    roles: list[str]
    scopes: list[str]
    limits: LimitsRecord
    session: SessionFacts | None


@routes.get("", before_sign_in=UNFINISHED)
async def get_me(caller: Principal) -> Whoami:
    """Who the caller is, and what it may do: any credential will do, without any scope."""
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


def _kind(caller: Principal) -> CredentialKind:
    if caller.session:
        return "session"
    return "key" if caller.user_id is None else "token"
