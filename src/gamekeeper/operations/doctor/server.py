"""Checks of PostgreSQL itself: version, durability, replication, connections, clock, disk."""

import asyncio
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import LiteralString

import asyncpg

from gamekeeper.db import migrate
from gamekeeper.db.migrate import MigrationFailed
from gamekeeper.operations.doctor.findings import (
    CheckResult,
    Installation,
    counted,
    ok,
    unknown,
    warning,
    wrong,
)

SKEW_SECONDS = 2.0
BAD_SKEW_SECONDS = 30.0
WORKER_EXTRA = 8
"""Connections of a worker beyond those of its pools; one of them while it verifies the ledger."""
GIGABYTE = 1e9


async def version(installation: Installation) -> list[CheckResult]:
    number = int(await installation.reader.value("SHOW server_version_num"))
    try:
        migrate.check_version(number)
    except MigrationFailed as fault:
        return wrong("postgresql", str(fault), "Upgrade PostgreSQL (pg_upgrade).")
    encoding = await installation.reader.value("SHOW server_encoding")
    if encoding != "UTF8":
        return wrong(
            "postgresql",
            f"The database's encoding is {encoding}, so names of players cannot be stored.",
            "Create a database with --encoding UTF8 --template template0, and restore a backup.",
        )
    said = await installation.reader.value("SHOW server_version")
    return ok("postgresql", f"PostgreSQL {said}, UTF-8.")


async def durability(installation: Installation) -> list[CheckResult]:
    """Settings with which PostgreSQL forgets what it has confirmed."""
    rows = await installation.reader.rows(SWITCHES)
    off = [row["name"] for row in rows if row["setting"] == "off"]
    if off:
        remedy = f"Set {' and '.join(f'{name} = on' for name in off)} in postgresql.conf."
        lost = f"{', '.join(off)} off: confirmed changes are lost when the machine fails."
        return wrong("durability", f"PostgreSQL has {lost}", remedy)
    return ok("durability", "PostgreSQL confirms a change only when it is on disk.")


SWITCHES: LiteralString = """
    SELECT name, setting FROM pg_settings
     WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit')
     ORDER BY name
"""


async def autovacuum(installation: Installation) -> list[CheckResult]:
    """Whether it is on, for the server and for each table."""
    tables = [row["name"] for row in await installation.reader.rows(WITHOUT_AUTOVACUUM)]
    if tables:
        said = f"autovacuum is off for {counted(len(tables), 'table')}: {tables[0]}."
        remedy = f"Run: ALTER TABLE {tables[0]} RESET (autovacuum_enabled)"
        return wrong("autovacuum", said, remedy)
    if await installation.reader.value("SHOW autovacuum") == "off":
        said = "autovacuum is off: tables grow without limit, and queries become slow."
        remedy = "Set autovacuum = on in postgresql.conf, and reload PostgreSQL."
        return wrong("autovacuum", said, remedy)
    return ok("autovacuum", "autovacuum is on.")


WITHOUT_AUTOVACUUM: LiteralString = """
    SELECT oid::regclass::text AS name
      FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
       AND reloptions && ARRAY['autovacuum_enabled=off', 'autovacuum_enabled=false']
     ORDER BY 1
"""


async def replication(installation: Installation) -> list[CheckResult]:
    """Whether a change that was confirmed is on a standby too, so that a failover keeps it."""
    [row] = await installation.reader.rows(STANDBYS)
    if row["standbys"] == 0:
        return ok("replication", "No standby is connected.")
    connected = f"{counted(row['standbys'], 'standby')} connected"
    if not row["names"]:
        return warning(
            "replication",
            f"{connected}, but synchronous_standby_names is empty: a failover loses the last "
            "confirmed changes.",
            "Set synchronous_mode: true in Patroni, or synchronous_standby_names in PostgreSQL.",
        )
    if row["waits"] == "local":
        return warning(
            "replication",
            f"{connected}, but synchronous_commit is local: a failover loses the last confirmed "
            "changes.",
            "Set synchronous_commit = on in postgresql.conf, and reload PostgreSQL.",
        )
    return ok("replication", f"{connected}; PostgreSQL confirms a change when one of them has it.")


# Without pg_read_all_stats the state is null. A pg_basebackup is listed too while it runs.
STANDBYS: LiteralString = """
    SELECT (SELECT count(*) FROM pg_stat_replication
             WHERE state IS DISTINCT FROM 'backup') AS standbys,
           current_setting('synchronous_standby_names') AS names,
           current_setting('synchronous_commit') AS waits
"""


async def connections(installation: Installation) -> list[CheckResult]:
    """Whether a worker and at least one process of `serve` have room."""
    [row] = await installation.reader.rows(ROOM)
    each = round(2.5 * installation.settings.connections)
    left = row["most"] - each - WORKER_EXTRA
    if left < each:
        return warning(
            "connections",
            f"PostgreSQL allows {row['most']} connections; one worker and one process of serve "
            f"take up to {2 * each + WORKER_EXTRA}.",
            "Raise max_connections of PostgreSQL, or lower GAMEKEEPER_CONNECTIONS.",
        )
    return ok(
        "connections",
        f"{row['used']} of {row['most']} connections are used; there is room for a worker and "
        f"{left // each} processes of serve.",
    )


ROOM: LiteralString = """
    SELECT current_setting('max_connections')::int
               - current_setting('superuser_reserved_connections')::int AS most,
           (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS used
"""


async def clock(installation: Installation) -> list[CheckResult]:
    begun = time.time()
    theirs = await installation.reader.value("SELECT extract(epoch FROM clock_timestamp())::float8")
    skew = abs(theirs - (begun + time.time()) / 2)
    said = f"The clocks of this machine and of PostgreSQL differ by {skew:.1f} seconds."
    remedy = "Synchronize the clocks of both machines (chrony, systemd-timesyncd)."
    if skew > BAD_SKEW_SECONDS:
        return wrong("clock", said, remedy)
    if skew > SKEW_SECONDS:
        return warning("clock", said, remedy)
    return ok("clock", said)


async def disk(installation: Installation) -> list[CheckResult]:
    """The disk of the data directory, if PostgreSQL is on this machine."""
    if not await installation.reader.value(IS_LOCAL):
        return unknown(
            "disk",
            "PostgreSQL is on another machine, so its disk cannot be checked from here.",
            "Run the doctor there too, or watch its free space.",
        )
    try:
        place = Path(await installation.reader.value("SHOW data_directory"))
    except asyncpg.InsufficientPrivilegeError:
        return unknown(
            "disk",
            "Cannot check disk space: the role lacks pg_read_all_settings.",
            "GRANT pg_read_all_settings to it, or watch the free space of that disk.",
        )
    return await of_disk("disk", place, "PostgreSQL's data")


IS_LOCAL: LiteralString = """
    SELECT inet_server_addr() IS NULL OR inet_server_addr() <<= '127.0.0.0/8'
           OR inet_server_addr() = '::1' OR inet_server_addr() = inet_client_addr()
"""


# A thread of its own: a network disk that hangs must neither block the service, nor use up the
# threads that others need.
_disks = ThreadPoolExecutor(1, "disks")


async def of_disk(check: str, place: Path, what: str) -> list[CheckResult]:
    """How much is free where something is kept."""
    try:
        usage = await asyncio.get_running_loop().run_in_executor(_disks, _usage, place)
    except OSError as fault:
        return unknown(check, f"The disk with {what} cannot be checked: {fault.strerror}.")
    share = usage.free / usage.total
    said = f"The disk with {what} has {usage.free / GIGABYTE:,.1f} GB free ({share:.0%})."
    if share < 0.02 or usage.free < 0.5 * GIGABYTE:
        return wrong(check, said, "Free space now: a full disk stops every change.")
    if share < 0.1 or usage.free < 2 * GIGABYTE:
        return warning(check, said, "Free space, or get a larger disk.")
    return ok(check, said)


async def is_directory(place: Path) -> bool:
    return await asyncio.get_running_loop().run_in_executor(_disks, place.is_dir)


def _usage(place: Path) -> "shutil._ntuple_diskusage":
    while not place.exists() and place != place.parent:
        place = place.parent
    return shutil.disk_usage(place)
