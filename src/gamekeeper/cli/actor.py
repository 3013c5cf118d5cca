"""
Who uses the command line, as the audit log records it.

The command line has no credentials: whoever has the database URL may do everything. --as or
GAMEKEEPER_ACTOR names that person. It is recorded as `cli:<name>`, which is never the actor
of an authenticated request, so a claimed name is not mistaken for an authenticated one.
"""

import getpass
from typing import Annotated

import typer
from msgspec.structs import replace

from gamekeeper.cli.command import Depends
from gamekeeper.cli.options import Reason
from gamekeeper.core.errors import Invalid
from gamekeeper.core.names import fold
from gamekeeper.core.settings import Settings
from gamekeeper.db.operations import CLAIMED, COMMAND_LINE, AuditContext, login_name

MAX_NAME_LENGTH = 64
MAX_REASON_LENGTH = 500
"""As of a request (http/requests.py)."""

As = Annotated[
    str | None,
    typer.Option(
        "--as", metavar="NAME", help="Your name for the audit log; default: GAMEKEEPER_ACTOR."
    ),
]


class InvalidActorName(Invalid):
    """A name for --as must have 1 to 64 printable characters and no colon."""


class ReasonTooLong(Invalid):
    """--reason must have at most 500 characters."""


def audit_context(as_: As = None, reason: Reason = None) -> AuditContext:
    """The audit context of a change at the command line."""
    if reason and len(reason) > MAX_REASON_LENGTH:
        raise ReasonTooLong
    name = as_ if as_ is not None else Settings.read().actor
    if as_ is None and not name:
        return replace(COMMAND_LINE, name=login_name(_login()), reason=reason)
    name = name.strip()
    if not 1 <= len(name) <= MAX_NAME_LENGTH or not name.isprintable() or ":" in name:
        raise InvalidActorName
    return AuditContext(actor=CLAIMED + fold(name), name=f"{name} (command line)", reason=reason)


def _login() -> str:
    """The login name; a process may run under a user id without one."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"


def _reason_first(reason: Reason = None, as_: As = None) -> AuditContext:
    return audit_context(as_, reason)


def _without_reason(as_: As = None) -> AuditContext:
    return audit_context(as_)


By = Annotated[AuditContext, Depends(audit_context)]
"""The audit context of --as and --reason."""
ByReasonFirst = Annotated[AuditContext, Depends(_reason_first)]
"""The same; help shows --reason first, because the command usually needs one."""
ByWithoutReason = Annotated[AuditContext, Depends(_without_reason)]
"""The audit context of --as, for a command without a reason, or with a required one."""
