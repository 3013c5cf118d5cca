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
    # Who enrols a first factor has none to verify.
    if step_up and session and session.state == "signed_in" and not _is_fresh(session):
        raise StepUpRequired


def refusal_of(session: BrowserSession) -> Forbidden:
    """What is left to do before an unfinished session may do anything."""
    return EnrolmentRequired() if session.state in ENROLMENT else SecondFactorRequired()


def _is_fresh(session: BrowserSession) -> bool:
    return session.verified_at is not None and datetime.now(UTC) - session.verified_at < STEP_UP
