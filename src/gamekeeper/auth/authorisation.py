"""
Authorisation: whether a caller may call an operation.

It needs all scopes of the operation. A browser session must also have passed its second
factor, and for what matters most within the last ten minutes (step-up authentication).
"""

from datetime import UTC, datetime, timedelta

from gamekeeper.auth.principal import BrowserSession, Principal
from gamekeeper.core.errors import Forbidden, RoleRequired

STEP_UP = timedelta(minutes=10)

UNFINISHED = frozenset({"second_factor_required", "enrolment_required"})
"""The states of a sign-in whose password was right, and nothing else yet."""

ENROLMENT = frozenset({"enrolment_required"})

NOTHING_TO_VERIFY = (
    "Your sign-in was more than ten minutes ago, and your account has no second factor. "
    "Add one, or sign in again."
)


class StepUpRequired(Forbidden):
    """Verify the second factor again: the last time was more than ten minutes ago."""

    cacheable = False


class SecondFactorRequired(Forbidden):
    """Finish the sign-in first: verify the second factor."""

    cacheable = False


class EnrolmentRequired(Forbidden):
    """Finish the sign-in first: enrol a second factor, a passkey or an authenticator app."""

    cacheable = False


def authorise(
    caller: Principal | None,
    roles: frozenset[str],
    *,
    step_up: bool = False,
    before_sign_in: frozenset[str] = frozenset(),
) -> None:
    """Raise unless the caller has all of `roles`, and its browser session may do this now."""
    session = caller.session if caller else None
    if session and session.state != "signed_in" and session.state not in before_sign_in:
        raise refusal_of(session)
    for role in sorted(roles):
        if caller is None or not caller.may(role):
            raise RoleRequired(role)
    if step_up and session and session.state == "signed_in":
        _require_fresh(session, enrols="enrolment_required" in before_sign_in)


def _require_fresh(session: BrowserSession, *, enrols: bool) -> None:
    if is_fresh(session):
        return
    if session.has_factor:
        raise StepUpRequired
    # The first factor can be enrolled at any time: until then there is none to verify.
    # Enrolment checks again that it is the first one, while the account is locked.
    if not enrols:
        raise StepUpRequired(NOTHING_TO_VERIFY)


def refusal_of(session: BrowserSession) -> Forbidden:
    """What is left to do before an unfinished session may do anything."""
    return EnrolmentRequired() if session.state in ENROLMENT else SecondFactorRequired()


def is_fresh(session: BrowserSession) -> bool:
    """Whether the session was verified recently enough for what matters most."""
    return session.verified_at is not None and datetime.now(UTC) - session.verified_at < STEP_UP
