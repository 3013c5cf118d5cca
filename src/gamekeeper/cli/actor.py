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

from gamekeeper.core.errors import Invalid
from gamekeeper.core.names import fold
from gamekeeper.core.settings import Settings
from gamekeeper.db.operations import CLAIMED, COMMAND_LINE, AuditContext, login_name

LONGEST = 64

As = Annotated[
    str | None,
    typer.Option(
        "--as", metavar="NAME", help="Your name for the audit log; default: GAMEKEEPER_ACTOR."
    ),
]


class InvalidActorName(Invalid):
    """A name for --as has 1 to 64 printable characters, and no colon."""


def audit_context(claimed: str | None, reason: str | None = None) -> AuditContext:
    """The audit context of a change at the command line."""
    name = claimed if claimed is not None else Settings.read().actor
    if claimed is None and not name:
        return replace(COMMAND_LINE, name=login_name(_login()), reason=reason)
    name = name.strip()
    if not 1 <= len(name) <= LONGEST or not name.isprintable() or ":" in name:
        raise InvalidActorName
    return AuditContext(actor=CLAIMED + fold(name), name=f"{name} (command line)", reason=reason)


def _login() -> str:
    """The login name; a process may run under a user id without one."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"
