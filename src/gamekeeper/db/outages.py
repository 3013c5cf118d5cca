"""
Why PostgreSQL cannot be used, in words: what it said, and what to do next.

Callers of the API get only "try again shortly"; what PostgreSQL said is for operators. A command
prints it. A process that stays up logs it, at most every 30 seconds while the outage lasts.
"""

import socket
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

import asyncpg
from msgspec import Struct

from gamekeeper.core.observability import loggers
from gamekeeper.core.observability.log_throttle import LogThrottle
from gamekeeper.db import poolers, primary

URL = "GAMEKEEPER_DATABASE_URL"

log = loggers.get_logger()


class ServerAddress(Struct, frozen=True):
    """The parts of a database URL that may be shown."""

    server: str
    user: str
    database: str
    has_password: bool

    @classmethod
    def of(cls, url: str) -> "ServerAddress":
        parts = urlsplit(url)
        account, _, server = parts.netloc.rpartition("@")
        user, _, password = account.partition(":")
        return cls(
            server=server or "the local socket",
            user=unquote(user),
            database=unquote(parts.path.lstrip("/")) or unquote(user),
            has_password=bool(password),
        )


def explain(fault: BaseException, url: str) -> str:
    """Two sentences: what PostgreSQL or the driver said, and the next step."""
    if isinstance(fault, ConnectDenied) and fault.__cause__:
        fault = fault.__cause__
    place = ServerAddress.of(url)
    said = _said(fault)
    if isinstance(fault, asyncpg.ClientConfigurationError):
        return f"The database cannot be used: {said}.\nCorrect {URL}."
    if isinstance(fault, asyncpg.PostgresError):
        return f"PostgreSQL at {place.server} says: {said}.\n{_advice(fault, place)}"
    return f"PostgreSQL at {place.server} cannot be reached: {said}.\n{_way(fault)}"


def _said(fault: BaseException) -> str:
    """The message alone: without DETAIL and HINT, and without Python's dressing."""
    if isinstance(fault, asyncpg.PostgresError):
        text = str(fault.args[0]) if fault.args else type(fault).__name__
    elif isinstance(fault, TimeoutError) and not str(fault):
        text = "no answer in time"
    elif isinstance(fault, ConnectionRefusedError):
        text = "connection refused"
    elif isinstance(fault, OSError) and fault.strerror and "Multiple exceptions" not in str(fault):
        text = fault.strerror
    elif isinstance(fault, OSError) and "Connect call failed" in str(fault):
        text = "connection refused at all addresses"
    else:
        text = str(fault) or type(fault).__name__
    return " ".join(text.split()).rstrip(".")


def _way(fault: BaseException) -> str:
    """The next step if there was no answer from PostgreSQL at all."""
    if isinstance(fault, socket.gaierror):
        return f"Correct the host in {URL}, or the name service."
    if isinstance(fault, primary.NoPrimary | primary.NotPrimary):
        return f"Wait until a standby is promoted. If none is, check the hosts in {URL}."
    if isinstance(fault, TimeoutError):
        return f"Check host and port in {URL}, firewalls, and whether PostgreSQL is overloaded."
    if "SSL" in str(fault) or "certificate" in str(fault):
        return f"Check sslmode and sslrootcert in {URL}, and the server's certificate."
    return f"Check that PostgreSQL runs and listens as in {URL}: pg_lsclusters, or pg_isready."


def _advice(fault: asyncpg.PostgresError, place: ServerAddress) -> str:
    """The next step after an answer from PostgreSQL."""
    for kinds, advice in ADVICE:
        if isinstance(fault, kinds):
            return advice.format(url=URL, user=place.user, database=place.database)
    if isinstance(fault, asyncpg.InvalidAuthorizationSpecificationError):
        return _authentication(str(fault), place)
    return "Try again. If it persists, read PostgreSQL's log."


def _authentication(said: str, place: ServerAddress) -> str:
    if "pg_hba.conf" in said:
        return "Allow this user, database and address in pg_hba.conf, and reload PostgreSQL."
    if "does not exist" in said:
        return f"Create the role (CREATE ROLE {place.user} LOGIN PASSWORD '…'), or correct {URL}."
    if "Peer" in said or "Ident" in said:
        return (
            "Over the socket only the operating system's user of that name is let in: run the "
            f"command as that user, or give host and password in {URL}."
        )
    if not place.has_password:
        return f"{URL} has no password: postgresql://{place.user or 'user'}:PASSWORD@host/database"
    return f"Correct the user or the password in {URL}."


ADVICE: tuple[tuple[type[asyncpg.PostgresError], str], ...] = (
    (
        asyncpg.InvalidCatalogNameError,
        "Create the database (sudo -u postgres createdb {database}), or correct its name in {url}.",
    ),
    (
        asyncpg.TooManyConnectionsError,
        "Lower GAMEKEEPER_CONNECTIONS, or raise max_connections of PostgreSQL.",
    ),
    (asyncpg.CannotConnectNowError, "Wait until it has started, and try again."),
    (asyncpg.DiskFullError, "Free space on its disk."),
    (
        asyncpg.ProtocolViolationError,
        "Connect to PostgreSQL directly, or set ignore_startup_parameters of PgBouncer.",
    ),
    (asyncpg.ReadOnlySQLTransactionError, "The server is a standby. Use the primary in {url}."),
    (asyncpg.LockNotAvailableError, "Another transaction holds a lock. Try again later."),
    (asyncpg.QueryCanceledError, "Timed out. Try again when PostgreSQL is less busy."),
    (
        asyncpg.InsufficientPrivilegeError,
        'Let the role in: GRANT CONNECT ON DATABASE "{database}" TO "{user}"',
    ),
)


# ── Connections that report it ──


class ConnectDenied(ConnectionError):
    """PostgreSQL knows the role, but does not let it into the database."""


async def connect(url: str, **options: Any) -> asyncpg.Connection:
    """Connect; log why that fails, when an outage begins and every 30 seconds while it lasts."""
    try:
        connection = await primary.connect(url, **options)
        await _settle(connection, url, options.get("server_settings"))
    except asyncpg.InsufficientPrivilegeError as fault:
        _failed(fault, url)
        raise ConnectDenied from fault
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as fault:
        _failed(fault, url)
        raise
    _succeeded()
    return connection


async def _settle(
    connection: asyncpg.Connection, url: str, settings: Mapping[str, str] | None
) -> None:
    try:
        if settings:
            await poolers.apply_settings(connection, url, settings)
    except BaseException:
        connection.terminate()
        raise


_throttle = LogThrottle()
_lasts = False


def _failed(fault: Exception, url: str) -> None:
    global _lasts
    # A command prints its error itself, and has no log.
    if loggers.has_log and _throttle.is_due("database_unavailable"):
        _lasts = True
        log.error("database_unavailable", reason=explain(fault, url).replace("\n", " "))


def _succeeded() -> None:
    global _lasts
    if _lasts:
        _lasts = False
        _throttle.clear()
        log.info("database_available")
