"""
The primary among several servers: found, remembered, and fenced by its timeline.

A URL with several hosts, or with `target_session_attrs`, names the servers of one failover
cluster. All of them are asked at once who the primary is, each with its own time limit, so a
frozen server delays nothing. New connections go to the primary that was found last, until a
connection to it is lost.

Each promotion raises the timeline of PostgreSQL. It is the term of a primary: this process never
again uses one with a lower term than it has seen, and terminates all connections to it. So a
primary that was frozen and returns is not used, although it still believes to be the primary.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any, LiteralString
from urllib.parse import parse_qsl, unquote, urlsplit
from weakref import WeakSet

import asyncpg
from msgspec import Struct

from gamekeeper.core import tasks
from gamekeeper.core.observability import loggers

WATCH_SECONDS = 1.0
"""Between two questions to each server whether it is the primary."""
ELECTION_SECONDS = 0.1
"""The same while there is no primary."""
ROLE_SECONDS = 2.0
GRACE_SECONDS = 0.2
"""How long a found primary waits for the other servers: one of them may have a later term."""
CONNECT_SECONDS = 60
"""The longest wait for a connection if the caller names none, as in the driver."""
DEFAULT_PORT = 5432

# A server that is down, starting or unreachable; others may be the primary now.
AWAY = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    # "could not write init file": a server whose disk is full lets no session begin.
    asyncpg.InternalServerError,
)
FAULTS = (*AWAY, asyncpg.PostgresError)

log = loggers.get_logger()


class NotPrimary(ConnectionError):
    """The server is a standby, or a primary of an earlier term."""


class NoPrimary(ConnectionError):
    """None of the servers is a primary at the moment."""


class Host(Struct, frozen=True):
    name: str
    port: int

    def __str__(self) -> str:
        return f"{self.name}:{self.port}"


class ServerRole(Struct, frozen=True):
    """What a server says about itself."""

    term: int | None
    """The timeline of a primary; None for a standby."""
    system: int
    """The identifier that a cluster gets when it is created."""


async def connect(url: str, **options: Any) -> Any:
    """Connect to the one server of a URL, or to the primary of several; options as the driver's."""
    if not is_searched(url):
        return await asyncpg.connect(url, **options)
    return await known(url).connect(options.pop("timeout", CONNECT_SECONDS), options)


def is_searched(url: str) -> bool:
    return len(hosts(url)) > 1 or "target_session_attrs" in _query(url)


def known(url: str) -> "Primary":
    """What this process knows about the primary of a URL."""
    return _known.setdefault(url, Primary(url))


def suspect(url: str) -> None:
    """Ask all servers before the next connection: one to the primary was lost."""
    if url in _known:
        _known[url].host = None


@asynccontextmanager
async def watched(url: str) -> AsyncIterator[None]:
    """Ask each of several servers repeatedly for its role during the block."""
    if not is_searched(url):
        yield
        return
    primary = known(url)
    watching = [asyncio.create_task(primary.watch(host)) for host in primary.hosts]
    try:
        yield
    finally:
        await tasks.end(watching)


class Primary:
    def __init__(self, url: str) -> None:
        self._url = url
        self.hosts = hosts(url)
        self.host: Host | None = None
        """The primary that was found last; None if all servers must be asked."""
        self.term = 0
        self._system = 0
        self._search: asyncio.Task[Host] | None = None
        self._connections: WeakSet[asyncpg.Connection] = WeakSet()

    async def connect(self, seconds: float, options: Mapping[str, Any]) -> asyncpg.Connection:
        async with asyncio.timeout(seconds):
            if (last := self.host) is not None:
                try:
                    # Half of the time: the other half is for the search.
                    return await self._open(last, seconds / 2, options)
                except AWAY:
                    if self.host == last:
                        self.host = None
            host = await self._found(seconds / 2)
            return await self._open(host, seconds, options)

    async def watch(self, host: Host) -> None:
        """Notice a new primary even if no connection to the old one fails."""
        while True:
            # First of all, so that a short command opens no connection for it.
            await asyncio.sleep(WATCH_SECONDS)
            try:
                await self._watch(host)
            except FAULTS:
                if self.host == host:
                    self.host = None

    async def _watch(self, host: Host) -> None:
        connection = await self._opened(host, ROLE_SECONDS, {})
        try:
            while True:
                role = await _role(connection, ROLE_SECONDS)
                # Not one of the same term: it may be a frozen primary that returned.
                if role.term is not None and self._is_later(role):
                    self._accept(host, role)
                elif role.term is None and self.host == host:
                    self.host = None
                await asyncio.sleep(ELECTION_SECONDS if self.host is None else WATCH_SECONDS)
        finally:
            connection.terminate()

    # ── The search ──

    async def _found(self, seconds: float) -> Host:
        """Search, once for all callers that wait for it."""
        loop = asyncio.get_running_loop()
        search = self._search
        if search is None or search.done() or search.get_loop() is not loop:
            search = self._search = loop.create_task(self._look(seconds))
            # If all callers have given up, nothing else retrieves the exception.
            search.add_done_callback(lambda done: done.cancelled() or done.exception())
        while not search.done():
            # Not longer than needed: a frozen server holds the search up until its time limit,
            # and a server that was promoted since it began is found by the watch.
            await asyncio.wait({search}, timeout=ELECTION_SECONDS)
            if self.host is not None:
                return self.host
        return search.result()

    async def _look(self, seconds: float) -> Host:
        probes = {asyncio.create_task(self._probe(host, seconds)): host for host in self.hosts}
        await _finished(probes, seconds)
        said = {host: _outcome(probe) for probe, host in probes.items()}
        roles = {host: role for host, role in said.items() if isinstance(role, ServerRole)}
        primaries = {
            host: role.term
            for host, role in roles.items()
            if role.term is not None and not self._is_earlier(role)
        }
        if not primaries:
            raise _no_primary(said)
        host = max(primaries, key=lambda host: primaries[host])
        self._accept(host, roles[host])
        return host

    async def _probe(self, host: Host, seconds: float) -> ServerRole:
        connection = await self._opened(host, seconds, {})
        try:
            return await _role(connection, seconds)
        finally:
            connection.terminate()

    # ── One server ──

    async def _open(
        self, host: Host, seconds: float, options: Mapping[str, Any]
    ) -> asyncpg.Connection:
        """A connection to a server that is the primary."""
        connection = await self._opened(host, seconds, options)
        try:
            self._accept(host, await _role(connection, seconds))
        except BaseException:
            connection.terminate()
            raise
        self._connections.add(connection)
        return connection

    async def _opened(
        self, host: Host, seconds: float, options: Mapping[str, Any]
    ) -> asyncpg.Connection:
        place: dict[str, Any] = {"host": host.name, "port": host.port, "timeout": seconds}
        # The driver takes a connection with default_transaction_read_only for one to a standby,
        # so it must not check the role.
        return await asyncpg.connect(self._url, target_session_attrs="any", **place, **options)

    def _is_later(self, role: ServerRole) -> bool:
        return role.system == self._system and (role.term or 0) > self.term

    def _is_earlier(self, role: ServerRole) -> bool:
        # The timelines of another cluster, restored from a dump, cannot be compared.
        return role.system == self._system and (role.term or 0) < self.term

    def _accept(self, host: Host, role: ServerRole) -> None:
        """Remember the primary; from a later term on, use no connection to an earlier one."""
        if role.term is None or self._is_earlier(role):
            raise NotPrimary(f"{host} {_described(role)}")
        if self._system and (role.system, role.term) != (self._system, self.term):
            if loggers.has_log:
                log.info("primary_changed", server=str(host), term=role.term)
            for connection in list(self._connections):
                connection.terminate()
        self.host, self.term, self._system = host, role.term, role.system


_known: dict[str, Primary] = {}


async def _finished(probes: Iterable["asyncio.Task[ServerRole]"], seconds: float) -> None:
    """Wait for all, or a moment longer than for the first primary; cancel the rest."""
    loop = asyncio.get_running_loop()
    latest, left = loop.time() + seconds, set(probes)
    try:
        while left and (rest := latest - loop.time()) > 0:
            done, left = await asyncio.wait(left, timeout=rest, return_when=asyncio.FIRST_COMPLETED)
            if any(isinstance(role := _outcome(probe), ServerRole) and role.term for probe in done):
                latest = min(latest, loop.time() + GRACE_SECONDS)
    finally:
        await tasks.end(left)


def _outcome(probe: "asyncio.Task[ServerRole]") -> ServerRole | BaseException:
    if probe.cancelled():
        return TimeoutError("no answer in time")
    return probe.exception() or probe.result()


async def _role(connection: asyncpg.Connection, seconds: float) -> ServerRole:
    async with asyncio.timeout(seconds):
        row = await connection.fetchrow(ROLE)
    assert row is not None
    return ServerRole(**row)


# The first eight digits of the name of a WAL file are its timeline. The last checkpoint has it
# too, but the first one after a promotion comes later.
ROLE: LiteralString = """
    SELECT CASE WHEN NOT pg_is_in_recovery()
                THEN ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int
           END AS term,
           system_identifier AS system
      FROM pg_control_system()
"""


def _no_primary(said: Mapping[Host, ServerRole | BaseException]) -> BaseException:
    for fault in said.values():
        # Such as a wrong password or sslmode: waiting for another primary would not help.
        if isinstance(fault, asyncpg.ClientConfigurationError) or (
            isinstance(fault, BaseException) and not isinstance(fault, AWAY)
        ):
            return fault
    return NoPrimary(", ".join(f"{host} {_described(about)}" for host, about in said.items()))


def _described(about: ServerRole | BaseException) -> str:
    if isinstance(about, ServerRole):
        return (
            "is a standby" if about.term is None else f"is an old primary (timeline {about.term})"
        )
    if isinstance(about, ConnectionRefusedError):
        return "refuses connections"
    return f"fails ({str(about) or 'no answer in time'})"


# ── The URL ──


def hosts(url: str) -> list[Host]:
    """The servers of a URL, in its order: those of the authority, or of the query `host=`."""
    listed = urlsplit(url).netloc.rpartition("@")[2]
    if listed:
        return [_host(part) for part in listed.split(",")]
    query = _query(url)
    names, ports = query.get("host", "").split(","), query.get("port", "").split(",")
    if len(ports) == 1:
        ports *= len(names)
    return [Host(name, int(port or DEFAULT_PORT)) for name, port in zip(names, ports, strict=False)]


def _host(part: str) -> Host:
    if part.startswith("["):
        name, _, rest = part[1:].partition("]")
        return Host(name, int(rest.removeprefix(":") or DEFAULT_PORT))
    name, _, port = part.partition(":")
    return Host(unquote(name), int(port or DEFAULT_PORT))


def _query(url: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(url).query))
