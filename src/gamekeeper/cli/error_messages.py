"""Error messages of failed commands: PostgreSQL's message and the next step, no traceback."""

import traceback

import asyncpg

from gamekeeper.core.errors import Problem
from gamekeeper.core.settings import BadSettings, Settings
from gamekeeper.db import outages
from gamekeeper.db.database import UNAVAILABLE, DatabaseUnavailable

# The code asks for what an older schema does not have.
OLD_SCHEMA = (
    asyncpg.UndefinedTableError,
    asyncpg.UndefinedColumnError,
    asyncpg.UndefinedFunctionError,
    asyncpg.UndefinedObjectError,
)


def explain(error: Exception) -> str:
    """The message for an error that ended a command."""
    cause = error.__cause__ if type(error) is DatabaseUnavailable else None
    if isinstance(error, BadSettings) or (isinstance(error, Problem) and cause is None):
        return str(error)
    if isinstance(error, OLD_SCHEMA):
        return (
            f"PostgreSQL says: {_said(error)}.\n"
            "The tables are missing or older than this version; run: gamekeeper migrate"
        )
    if isinstance(error, asyncpg.InsufficientPrivilegeError):
        # The serving role lacks some privileges: docs/operations.md, "The database".
        return (
            f"PostgreSQL says: {_said(error)}.\n"
            "Run it with the URL of the owner of the tables in GAMEKEEPER_DATABASE_URL."
        )
    fault = cause or error
    if isinstance(fault, OSError) and fault.filename is not None:
        return f"{fault.filename}: {fault.strerror}."
    if isinstance(fault, (*UNAVAILABLE, asyncpg.PostgresError, asyncpg.InterfaceError)):
        return outages.explain(fault, Settings.read().database_url)
    return _unexpected(error)


def _said(error: Exception) -> str:
    return str(error.args[0]) if error.args else type(error).__name__


def _unexpected(error: Exception) -> str:
    """A bug in Gamekeeper. The traceback is shown only on request."""
    what = f"internal error: {type(error).__name__}: {error}"
    if Settings.wants_tracebacks():
        return what + "\n" + "".join(traceback.format_exception(error))
    return (
        what + "\nFor the traceback, run it again with GAMEKEEPER_LOG_LEVEL=debug, and report it."
    )
