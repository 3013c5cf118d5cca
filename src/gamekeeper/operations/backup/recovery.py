"""
After PostgreSQL itself was recovered: to a point in time, or from a copy of its disk.

Such a recovery does not go through `gamekeeper restore`, and brings back the same past: revoked
credentials, executed commands, numbers of events that were given to other events. So it must be
completed by the same safety steps before it is served.
"""

from datetime import datetime
from typing import LiteralString

from msgspec import Struct

from gamekeeper.core.errors import Conflict
from gamekeeper.core.progress import ProgressCallback, silent
from gamekeeper.core.settings import Settings
from gamekeeper.db import migrate
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.db.outages import ServerAddress
from gamekeeper.operations.backup import creation, epochs, proofs, restoration, safety, target
from gamekeeper.operations.backup.safety import SafetySteps
from gamekeeper.operations.backup.target import DatabaseInUse


class StillRecovering(Conflict):
    """PostgreSQL is still in recovery."""


class NothingRecovered(Conflict):
    """The database has no tables of Gamekeeper."""


class RecoveryCompleted(Conflict):
    """The recovery was already completed."""


class RecoveryFailed(Conflict):
    """The recovered database failed its checks."""


class RecoveryOrder(Struct, frozen=True, kw_only=True):
    by: AuditContext
    keep_keys: tuple[str, ...] = ()
    accept_breaches: bool = False


class RecoveredState(Struct, frozen=True, kw_only=True):
    """What PostgreSQL came back with."""

    name: str
    server: str
    timeline: int
    target: str | None
    """The setting that chose the point in time, and its value; None: the end of the archive."""
    last_action: datetime | None
    keys: list[str]
    """Names of the API keys that are valid again."""


class RecoveredDatabase(Struct, frozen=True, kw_only=True):
    state: RecoveredState
    migrated: list[str]
    postings: int
    links: int
    steps: SafetySteps
    breaches: list[str]
    anchors_moved: str | None


async def look(settings: Settings, order: RecoveryOrder) -> RecoveredState:
    """Look at the recovered database; raise if it cannot be completed. Nothing is changed."""
    connection = await target.connect(settings)
    try:
        about = await connection.fetchrow(ABOUT)
        assert about is not None
        if about["in_recovery"]:
            raise StillRecovering(
                "PostgreSQL is still in recovery. Wait until it has reached its target; if it "
                "pauses there, run SELECT pg_wal_replay_resume() as a superuser. Then try again."
            )
        if not about["has_tables"]:
            raise NothingRecovered(
                f"The database '{about['name']}' has no tables of Gamekeeper. Use the URL of the "
                "recovered database."
            )
        if sessions := [row["who"] for row in await connection.fetch(target.SESSIONS)]:
            raise DatabaseInUse(
                f"Other clients are connected to the database '{about['name']}': "
                f"{', '.join(sorted(set(sessions)))}. Stop serve, worker and all other users, and "
                "try again. Nothing was changed."
            )
        if done := await connection.fetchval(COMPLETED):
            raise RecoveryCompleted(
                f"Already done at {done:%Y-%m-%d %H:%M:%S} UTC, and PostgreSQL has not been "
                "started again since. Nothing was changed."
            )
        state = RecoveredState(
            name=about["name"],
            server=ServerAddress.of(settings.database_url).server,
            timeline=about["timeline"],
            target=await connection.fetchval(epochs.TARGET),
            last_action=await connection.fetchval(LAST_ACTION),
            keys=[row["name"] for row in await connection.fetch(creation.LIVE_KEYS)],
        )
        safety.check_names(state.keys, order.keep_keys)
        return state
    finally:
        await connection.close()


async def complete(
    settings: Settings,
    order: RecoveryOrder,
    state: RecoveredState,
    on_progress: ProgressCallback = silent,
) -> RecoveredDatabase:
    """Verify a recovered database, then make it safe; if the first fails, it is not touched."""
    on_progress("Migrating", 0, 1)
    migrated = await migrate.migrate(settings)
    async with Database.open(settings) as database:
        last = await database.reader.value("SELECT coalesce(max(seq), 0) FROM chain")
    breaches = await proofs.compare_anchors(settings, last)
    postings, links, found = await proofs.verify(settings, on_progress)
    breaches += found
    if breaches and not order.accept_breaches:
        raise RecoveryFailed(
            f"The recovered database failed verification: {breaches[0]} Nothing was revoked. "
            "Recover to another point in time. If the problem is older than that, use "
            "--accept-breaches."
        )
    source = {
        "target": state.target,
        "timeline": state.timeline,
        "made_at": state.last_action,
        "last_event": last,
    }
    steps = await restoration.make_safe(settings, source, order.by, order.keep_keys)
    return RecoveredDatabase(
        state=state,
        migrated=migrated,
        postings=postings,
        links=links,
        steps=steps,
        breaches=breaches,
        anchors_moved=proofs.set_anchors_aside(settings),
    )


ABOUT: LiteralString = """
    SELECT current_database()::text AS name, pg_is_in_recovery() AS in_recovery,
           to_regclass('public.ledger_heads') IS NOT NULL AS has_tables,
           CASE WHEN NOT pg_is_in_recovery()
                THEN ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int
           END AS timeline
"""

LAST_ACTION: LiteralString = "SELECT at FROM actions ORDER BY id DESC LIMIT 1"

# A recovery starts the server. So it cannot have happened after a restore that this server made.
COMPLETED: LiteralString = """
    SELECT at FROM actions
     WHERE kind = 'database.restore' AND at > pg_postmaster_start_time()
     ORDER BY id DESC LIMIT 1
"""
