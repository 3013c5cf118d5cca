"""
Backups, made while the service runs: pg_dump and the manifest read one exported snapshot.

So the counts and heads in the manifest are exactly those of the dump.
"""

import asyncio
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any, LiteralString
from uuid import uuid4

import asyncpg
from msgspec import Struct, structs

from gamekeeper.core.errors import Conflict, Unavailable
from gamekeeper.core.progress import ProgressCallback, silent
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.ledger.snapshots import instant, lane
from gamekeeper.operations.backup import figures, manifest, postgres
from gamekeeper.operations.backup.manifest import DUMP, FILE, PARTIAL, Manifest

NAME = "gamekeeper-{:%Y%m%dT%H%M%SZ}"


class PlaceTaken(Conflict):
    """The destination already exists, and nothing is overwritten."""


class MadeBackup(Struct, frozen=True, kw_only=True):
    directory: str
    sha256: str
    manifest: Manifest
    recorded: bool
    """Whether the audit log has it: a role that may only read cannot write there."""


async def create(
    settings: Settings,
    place: Path,
    by: AuditContext,
    *,
    jobs: int = 2,
    on_progress: ProgressCallback = silent,
) -> MadeBackup:
    """Make a backup in the directory `place`, which is created if needed, named by the time."""
    begun, target = perf_counter(), _target(place)
    with _unfinished(target) as directory:
        made = await _dumped(settings, directory, jobs, on_progress)
        manifest.write(directory, made)
        on_progress("Flushing to disk", 0, 1)
        await asyncio.to_thread(manifest.sync, directory)
        directory.rename(target)
        manifest.sync_entry(target.parent)
    identity = manifest.digest(target)
    about = {"directory": str(target), "sha256": identity, "seconds": _since(begun)}
    recorded = await _record(settings, made, about, by)
    return MadeBackup(directory=str(target), sha256=identity, manifest=made, recorded=recorded)


def _target(place: Path) -> Path:
    """A new name in `place`, also on the first night: the second must find the same place."""
    place = place.absolute()
    if (place / FILE).exists():
        raise PlaceTaken(f"{place} is a backup. Use the directory that contains your backups.")
    if place.exists() and not place.is_dir():
        raise PlaceTaken(f"{place} is not a directory. Use another path.")
    target = place / NAME.format(datetime.now(UTC))
    if target.exists():
        raise PlaceTaken(f"{target} exists, and nothing is overwritten. Try again.")
    return target


@contextmanager
def _unfinished(target: Path) -> Iterator[Path]:
    """A directory beside the target for what is not whole yet; removed if it fails."""
    place, is_new = target.parent, not target.parent.exists()
    directory = place / f".{target.name}.{uuid4().hex[:8]}{PARTIAL}"
    # It holds addresses and password records, so nobody else may read it.
    directory.mkdir(mode=0o700, parents=True)
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)
        if is_new:
            # Without a backup in it; otherwise it is not empty and stays.
            with suppress(OSError):
                place.rmdir()


async def _dumped(
    settings: Settings, directory: Path, jobs: int, on_progress: ProgressCallback
) -> Manifest:
    async with lane(settings) as connection:
        about = await connection.fetchrow(ABOUT)
        assert about is not None
        program = await asyncio.to_thread(
            postgres.find, "pg_dump", oldest=about["major"], best=about["major"]
        )
        await _dump(settings, connection, program, directory, jobs, on_progress)
        found = await figures.read(connection, on_progress)
        migrations = await connection.fetch("SELECT name FROM migrations ORDER BY name")
        roles = await connection.fetch(APP_ROLES)
        keys = await connection.fetch(LIVE_KEYS)
    on_progress("Hashing files", 0, 1)
    return Manifest(
        id=uuid4(),
        made_at=about["at"],
        gamekeeper=version("gamekeeper"),
        migrations=[row["name"] for row in migrations],
        postgresql=about["version"],
        postgresql_major=about["major"],
        pg_dump_major=postgres.major(program),
        database=about["database"],
        server=about["server"],
        app_roles=[row["role"] for row in roles],
        keys=[row["name"] for row in keys],
        figures=found,
        files=await asyncio.to_thread(manifest.list_files, directory),
    )


async def _dump(
    settings: Settings,
    connection: asyncpg.Connection,
    program: Path,
    directory: Path,
    jobs: int,
    on_progress: ProgressCallback,
) -> None:
    total, done = len(await connection.fetch(figures.TABLES)), 0

    def next_table(_: str) -> None:
        nonlocal done
        on_progress("Dumping tables", min(done, total), total)
        done += 1

    with postgres.connection_string(settings.database_url) as url:
        await postgres.run(
            [
                program,
                *("--format=directory", f"--file={directory / DUMP}", f"--jobs={jobs}"),
                *(f"--snapshot={await instant(connection)}", "--verbose", "--no-password"),
                f"--dbname={url}",
            ],
            next_table,
        )
    on_progress("Dumping tables", total, total)


ABOUT: LiteralString = """
    SELECT clock_timestamp() AS at, current_setting('server_version') AS version,
           current_setting('server_version_num')::int / 10000 AS major,
           current_database()::text AS database, system_identifier::text AS server
      FROM pg_control_system()
"""

# The default privileges name the roles that serve (db/grants.py).
APP_ROLES: LiteralString = """
    SELECT DISTINCT pg_get_userbyid(grantee)::text AS role
      FROM pg_default_acl, aclexplode(defaclacl)
     WHERE defaclnamespace = 'public'::regnamespace AND defaclobjtype = 'r'
       AND privilege_type = 'INSERT' AND grantee <> 0 AND grantee <> defaclrole
     ORDER BY role
"""

LIVE_KEYS: LiteralString = """
    SELECT DISTINCT name FROM api_keys
     WHERE revoked_at IS NULL AND expires_at > statement_timestamp()
     ORDER BY name
"""


def _since(begun: float) -> float:
    return round(perf_counter() - begun, 1)


async def _record(
    settings: Settings, made: Manifest, about: Mapping[str, Any], by: AuditContext
) -> bool:
    """Record it in the audit log: somebody has a copy of all accounts now."""
    chain = structs.asdict(made.figures.chain)
    after = {**chain, "id": made.id, "bytes": made.bytes, **about}
    action = Action(kind="database.backup", by=by, after=after)
    try:
        async with Database.open(settings) as database:
            await database.write(lambda writer: actions.record(writer, [action]))
    except (Unavailable, asyncpg.InsufficientPrivilegeError):
        return False
    return True
