"""
Restores: a backup is checked, loaded, compared, migrated, made safe and verified.

Whatever fails, the database is as it was before: empty, or with what it held.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from gamekeeper.core.errors import Conflict
from gamekeeper.core.progress import ProgressCallback, silent
from gamekeeper.core.settings import Settings
from gamekeeper.db import grants, migrate
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import chain
from gamekeeper.operations.backup import manifest as manifests
from gamekeeper.operations.backup import postgres, proofs, safety, target
from gamekeeper.operations.backup.manifest import DUMP, Manifest
from gamekeeper.operations.backup.safety import SafetySteps
from gamekeeper.operations.backup.target import Replacement, RestoreTarget
from gamekeeper.players import names
from gamekeeper.users import skeletons


class RestoreFailed(Conflict):
    """The backup was restored, but the result failed its checks."""


class RestoreOrder(Struct, frozen=True, kw_only=True):
    """What to restore, and how."""

    directory: Path
    by: AuditContext
    jobs: int = 2
    keep_keys: tuple[str, ...] = ()
    replace: bool = False
    accept_breaches: bool = False
    """Continue if the ledger or the audit log has breaches: they may be older than the backup."""
    is_own_database: bool = True
    """Whether it is that of the settings, whose anchors are then of the lost time."""


class RestoredBackup(Struct, frozen=True, kw_only=True):
    database: str
    manifest: Manifest
    migrated: list[str]
    postings: int
    links: int
    steps: SafetySteps
    breaches: list[str]
    roles_missing: list[str]
    """Roles that served, and do not exist on this server."""
    anchors_moved: str | None
    """Where the file of anchors is now: it is of the lost time."""


class CheckedBackup(Struct, frozen=True, kw_only=True):
    """A backup that can be restored, and where to."""

    manifest: Manifest
    target: RestoreTarget


async def look(
    settings: Settings, order: RestoreOrder, on_progress: ProgressCallback = silent
) -> CheckedBackup:
    """Check the backup and look at the database; nothing is changed."""
    found = manifests.read(order.directory)
    safety.check_names(found.keys, order.keep_keys)
    await asyncio.to_thread(manifests.check_files, order.directory, found, on_progress)
    return CheckedBackup(manifest=found, target=await target.look(settings))


async def restore(
    settings: Settings,
    order: RestoreOrder,
    checked: CheckedBackup,
    on_progress: ProgressCallback = silent,
) -> RestoredBackup:
    """Restore a checked backup; on any fault the database is as it was."""
    target.check(checked.target, replace=order.replace)
    replacement = Replacement(settings, is_empty=not checked.target.relations)
    program = await asyncio.to_thread(
        postgres.find,
        "pg_restore",
        oldest=checked.manifest.pg_dump_major,
        best=checked.target.major,
    )
    await replacement.begin()
    try:
        await _load(settings, order, checked.manifest, program, on_progress)
        restored = await _made_good(settings, order, checked, on_progress)
    except BaseException:
        on_progress("Rolling back", 0, 1)
        await replacement.undo()
        raise
    await replacement.finish()
    return restored


async def _load(
    settings: Settings,
    order: RestoreOrder,
    manifest: Manifest,
    program: Path,
    on_progress: ProgressCallback,
) -> None:
    total, done = len(manifest.figures.tables), 0

    def next_table(_: str) -> None:
        nonlocal done
        on_progress("Loading tables", min(done, total), total)
        done += 1

    with postgres.connection_string(settings.database_url) as url:
        await postgres.run(
            [
                program,
                *("--exit-on-error", "--verbose", "--no-password", f"--jobs={order.jobs}"),
                # Our own grants follow; comments only describe PostgreSQL's own things.
                *("--no-owner", "--no-privileges", "--no-comments"),
                *(f"--dbname={url}", order.directory / DUMP),
            ],
            next_table,
        )
    on_progress("Loading tables", total, total)


async def _made_good(
    settings: Settings, order: RestoreOrder, checked: CheckedBackup, on_progress: ProgressCallback
) -> RestoredBackup:
    """Compare, migrate, make safe, verify."""
    manifest = checked.manifest
    await _compare(settings, manifest, on_progress)
    on_progress("Migrating", 0, 1)
    migrated, roles_missing = await _migrate(settings, manifest)
    breaches = await proofs.compare_anchors(settings, manifest.figures.chain.seq)
    steps = await _made_safe(settings, order, manifest)
    on_progress("Analyzing tables", 0, 1)
    await target.analyze(settings)
    postings, links, found = await proofs.verify(settings, on_progress)
    breaches += found
    if breaches and not order.accept_breaches:
        raise RestoreFailed(
            f"The restored database failed verification: {breaches[0]} It was removed "
            "again. Restore another backup. If the problem is older than the backup, restore "
            "it with --accept-breaches."
        )
    return RestoredBackup(
        database=checked.target.name,
        manifest=manifest,
        migrated=migrated,
        postings=postings,
        links=links,
        steps=steps,
        breaches=breaches,
        roles_missing=roles_missing,
        anchors_moved=proofs.set_anchors_aside(settings) if order.is_own_database else None,
    )


async def _compare(settings: Settings, manifest: Manifest, on_progress: ProgressCallback) -> None:
    """Compare the figures, before anything changes them."""
    found = await target.read_figures(settings, on_progress)
    if unlike := manifest.figures.differences(found):
        raise RestoreFailed(
            f"The restored database differs from the backup: {unlike[0]}. It was removed again. "
            "Restore another backup."
        )


async def _migrate(settings: Settings, manifest: Manifest) -> tuple[list[str], list[str]]:
    """Migrate, and grant the roles that served what they need; also those that are missing."""
    migrated = await migrate.migrate(settings)
    missing: list[str] = []
    for role in manifest.app_roles:
        try:
            await migrate.migrate(settings, role)
        except grants.OwnRole:
            continue
        except grants.UnknownRole:
            missing.append(role)
    async with Database.open(settings) as database:
        await skeletons.backfill(database)
        await names.backfill(database)
    return migrated, missing


async def _made_safe(settings: Settings, order: RestoreOrder, manifest: Manifest) -> SafetySteps:
    source = {
        "backup": manifest.id,
        "sha256": manifests.digest(order.directory),
        "made_at": manifest.made_at,
        "gamekeeper": manifest.gamekeeper,
        "schema": manifest.schema,
        "last_event": manifest.figures.chain.seq,
    }
    return await make_safe(settings, source, order.by, order.keep_keys)


async def make_safe(
    settings: Settings, source: Mapping[str, Any], by: AuditContext, keep_keys: tuple[str, ...]
) -> SafetySteps:
    """Make a restored database safe, and link what was not linked yet."""
    # Not a pool's connection: a statement may take longer than callers of the service wait.
    connection = await target.connect(settings)
    try:
        async with connection.transaction():
            writer = Writer(connection, settings)
            steps = await safety.apply(writer, source, by, keep_keys)
    finally:
        await connection.close()
    async with Database.open(settings) as database:
        # Before a worker anchors them: actions that were not linked yet would look backdated.
        await chain.catch_up(database)
    return steps
