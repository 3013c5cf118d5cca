"""What a load uses: CPU of processes, write-ahead log, and bytes of tables."""

import os
from contextlib import suppress
from pathlib import Path

import asyncpg
from msgspec import Struct

TICKS = os.sysconf("SC_CLK_TCK")

# A partition counts as its table: which month it is does not matter.
SIZES = """
    SELECT coalesce(inhparent, pg_class.oid)::regclass::text AS name,
           sum(pg_total_relation_size(pg_class.oid))::bigint AS bytes
      FROM pg_class LEFT JOIN pg_inherits ON inhrelid = pg_class.oid
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
     GROUP BY 1
"""
WAL = "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint"
CLIENTS = "SELECT pid, client_port FROM pg_stat_activity WHERE datname = current_database()"
BEHIND = """
    SELECT EXISTS (SELECT FROM list_deltas)
        OR EXISTS (SELECT FROM (SELECT id FROM actions ORDER BY id DESC LIMIT 1) AS newest
                    WHERE NOT EXISTS (SELECT FROM chain WHERE chain.action_id = newest.id))
"""


class Usage(Struct, frozen=True, kw_only=True):
    """What was used up to an instant, or between two."""

    service: float
    """Seconds of CPU, as of the next three."""
    postgresql: float
    """Of the server processes that answer the service."""
    background: float
    """Of all other processes of PostgreSQL: those that answer the worker, WAL writer, vacuum."""
    worker: float
    wal: int
    """Bytes."""
    sizes: dict[str, int]
    """Bytes of each table with its indexes and partitions."""

    def since(self, before: "Usage", idle: "Usage | None" = None, seconds: float = 0) -> "Usage":
        """What was used between; `idle`, in a second, is background work without requests."""
        background, worker = (idle.background, idle.worker) if idle else (0.0, 0.0)
        wal = idle.wal if idle else 0
        return Usage(
            service=self.service - before.service,
            postgresql=self.postgresql - before.postgresql,
            background=self.background - before.background - seconds * background,
            worker=self.worker - before.worker - seconds * worker,
            wal=self.wal - before.wal - round(seconds * wal),
            sizes={name: size - before.sizes.get(name, 0) for name, size in self.sizes.items()},
        )

    def over(self, seconds: float) -> "Usage":
        """What was used in each second."""
        return Usage(
            service=self.service / seconds,
            postgresql=self.postgresql / seconds,
            background=self.background / seconds,
            worker=self.worker / seconds,
            wal=round(self.wal / seconds),
            sizes={},
        )


class Meter(Struct, frozen=True, kw_only=True):
    """Reads the usage of the processes of an installation."""

    connection: asyncpg.Connection
    postmaster: int
    service: int
    worker: int

    @classmethod
    def of(cls, connection: asyncpg.Connection, service: int, worker: int) -> "Meter":
        postmaster = _parents()[connection.get_server_pid()]
        return cls(connection=connection, postmaster=postmaster, service=service, worker=worker)

    async def read(self) -> Usage:
        ports = local_ports(self.service)
        clients = await self.connection.fetch(CLIENTS)
        answering = [row["pid"] for row in clients if row["client_port"] in ports]
        postgresql = sum(map(cpu_seconds, answering))
        return Usage(
            service=cpu_seconds(self.service),
            postgresql=postgresql,
            background=cpu_seconds(self.postmaster) - postgresql,
            worker=cpu_seconds(self.worker),
            wal=await self.wal(),
            sizes={row["name"]: row["bytes"] for row in await self.connection.fetch(SIZES)},
        )

    async def wal(self) -> int:
        return int(await self.connection.fetchval(WAL) or 0)

    async def is_behind(self) -> bool:
        """Whether the worker has work left: actions without a link, or counts to add."""
        return bool(await self.connection.fetchval(BEHIND))


def cpu_seconds(root: int) -> float:
    """CPU time of a process and its descendants, also of those that have ended."""
    return sum(sum(map(int, _stat(process)[11:15])) for process in _family(root)) / TICKS


def resident_bytes(root: int) -> int:
    """Memory of a process and its descendants; pages that they share count in each."""
    page = os.sysconf("SC_PAGE_SIZE")
    return page * sum(int(fields[21]) for process in _family(root) if (fields := _stat(process)))


def local_ports(root: int) -> set[int]:
    """The TCP ports of this machine that a process and its descendants have open."""
    inodes = {inode for process in _family(root) for inode in _sockets(process)}
    lines = [
        line.split()
        for name in ("tcp", "tcp6")
        for line in Path("/proc/net", name).read_text().splitlines()[1:]
    ]
    return {int(fields[1].rpartition(":")[2], 16) for fields in lines if fields[9] in inodes}


def _sockets(process: int) -> list[str]:
    found = []
    try:
        for entry in Path(f"/proc/{process}/fd").iterdir():
            # A descriptor may be closed between listing and reading.
            with suppress(FileNotFoundError):
                target = str(entry.readlink())
                found += [target[8:-1]] if target.startswith("socket:[") else []
    except (FileNotFoundError, ProcessLookupError):
        return []
    return found


def _family(root: int) -> set[int]:
    parents = _parents()
    inside = {root}
    while more := {child for child, parent in parents.items() if parent in inside} - inside:
        inside |= more
    return inside


def _parents() -> dict[int, int]:
    processes = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return {process: int(found[1]) for process in processes if (found := _stat(process))}


def _stat(process: int) -> list[str]:
    """The fields of /proc/PID/stat from the state on: the name before may contain spaces."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        # It has ended; its parent has its time.
        return []
