"""Backup and restore of the whole database, from a terminal."""

import asyncio
import signal
from collections.abc import Coroutine
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, TypeVar

import typer
from msgspec import structs

from gamekeeper.cli.actor import By
from gamekeeper.cli.command import Output, change
from gamekeeper.cli.options import DryRun
from gamekeeper.cli.terminal import stages, typed_answer, warn
from gamekeeper.core.environment import DATABASE_FORM, is_database, wrong
from gamekeeper.core.errors import Conflict
from gamekeeper.core.settings import BadSettings, Hidden, Settings
from gamekeeper.operations.backup import creation, postgres, restoration
from gamekeeper.operations.backup.manifest import DUMP, Manifest
from gamekeeper.operations.backup.restoration import CheckedBackup, RestoredBackup, RestoreOrder
from gamekeeper.operations.backup.safety import SafetySteps

T = TypeVar("T")

Jobs = Annotated[
    int,
    typer.Option(
        help="Number of tables to dump or load at once; about one per core.", min=1, max=64
    ),
]

Place = Annotated[
    str,
    typer.Argument(
        metavar="PLACE",
        help="The directory that holds the backups; it is created if needed.",
    ),
]
Backup = Annotated[str, typer.Argument(metavar="BACKUP", help="The directory of the backup.")]
Into = Annotated[
    str | None,
    typer.Option(metavar="URL", help="The database; default: GAMEKEEPER_DATABASE_URL."),
]
Replace = Annotated[bool, typer.Option("--replace", help="Replace the content of the database.")]
Yes = Annotated[bool, typer.Option("--yes", help="Replace without asking.")]
KeepKeys = Annotated[
    str, typer.Option(metavar="NAMES", help="API keys that stay valid, with commas; or: all.")
]
AcceptBreaches = Annotated[
    bool,
    typer.Option("--accept-breaches", help="Restore even if the verification finds breaches."),
]


class NotConfirmed(Conflict):
    """Nothing was changed."""


class Interrupted(Conflict):
    """Interrupted. Nothing was changed, and no partial backup is left behind."""


def run_tidily(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end; on SIGTERM as on Ctrl-C, end pg_dump or pg_restore and tidy up first."""

    async def main() -> T:
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await work

    try:
        return asyncio.run(main())
    except (asyncio.CancelledError, KeyboardInterrupt):
        raise Interrupted from None


@change()
def backup(settings: Settings, place: Place, *, jobs: Jobs = 2, by: By) -> Output:
    """
    Back up the database while the service runs.

    The backup is a new directory PLACE/gamekeeper-TIME with a dump (pg_dump) and
    manifest.json: version, rows of each table, sums of the ledger, head of the audit log,
    and the hashes of all files. All of it is from one instant. For example, every night:

    \b
        gamekeeper backup /srv/backups

    It is written under another name and renamed at the end: a directory without
    manifest.json is not a complete backup. Nothing is overwritten, and no old backup is deleted.

    Copy it to another machine. It holds email addresses and encrypted passwords, so keep it
    secret. The keys in GAMEKEEPER_PASSWORD_KEYS are not in it: keep them elsewhere, or no
    password can be verified after a restore.

    To see that a backup can be restored: gamekeeper restore BACKUP --dry-run
    """
    begun = perf_counter()
    with stages() as tell:
        made = run_tidily(creation.create(settings, Path(place), by, jobs=jobs, on_progress=tell))
    unrecorded = "WARNING: This role cannot write, so the audit log does not have the backup."
    return Output(
        made,
        f"Backed up {_described(made.manifest)} in {perf_counter() - begun:.1f} s:",
        f"  {made.directory}",
        f"  {made.manifest.bytes / 1e6:,.1f} MB, manifest SHA-256 {made.sha256}",
        None if made.recorded else partial(warn, unrecorded),
    )


@change()
def restore(
    settings: Settings,
    place: Backup,
    *,
    into: Into = None,
    replace: Replace = False,
    yes: Yes = False,
    keep_keys: KeepKeys = "",
    accept_breaches: AcceptBreaches = False,
    jobs: Jobs = 2,
    dry_run: DryRun = False,
    by: By,
) -> Output:
    """
    Restore a backup, verify it, and revoke its old sessions and keys.

    Stop serve and worker, create an empty database, and run this as its owner:

    \b
        createdb --owner gamekeeper_owner --template template0 --encoding UTF8 restored
        gamekeeper restore BACKUP --into postgresql://gamekeeper_owner:PASSWORD@HOST/restored

    Files, rows, sums and the audit log are compared with the manifest, an older schema is
    migrated, and `ledger verify` and `actions verify` run. If anything is wrong, the
    database is left unchanged. With --replace the database can have content: it is moved
    aside, and dropped at the end. That needs disk space for both.

    A backup contains old credentials. So all tokens, browser sessions, sign-in links, password
    resets and API keys are revoked (except --keep-keys), webhooks are paused, leases of game
    servers end, and open commands to the game expire. Clients that received events which are
    now lost get 409 events_unknown. The audit log records one action: database.restore.
    """
    settings = _aimed(settings, into)
    order = RestoreOrder(
        directory=Path(place).absolute(),
        by=by,
        jobs=jobs,
        keep_keys=key_names(keep_keys),
        replace=replace,
        accept_breaches=accept_breaches,
        is_own_database=into is None,
    )
    return _restore(settings, order, dry_run=dry_run, yes=yes)


def key_names(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, text.split(","))))


def _restore(settings: Settings, order: RestoreOrder, *, dry_run: bool, yes: bool) -> Output:
    begun = perf_counter()
    with stages() as tell:
        checked = run_tidily(restoration.look(settings, order, tell))
    if dry_run:
        return _dry_run(order, checked)
    if order.replace and checked.target.relations and not yes:
        _confirm(checked)
    with stages() as tell:
        done = run_tidily(restoration.restore(settings, order, checked, tell))
    breaches = [partial(warn, f"WARNING: {breach}") for breach in done.breaches]
    return Output(done, *_lines(done, perf_counter() - begun), *breaches)


def _aimed(settings: Settings, into: str | None) -> Settings:
    if into is None:
        return settings
    if not is_database(into):
        raise BadSettings(wrong("database_url", DATABASE_FORM))
    return structs.replace(settings, database_url=Hidden(into))


def _confirm(checked: CheckedBackup) -> None:
    target = checked.target
    warn(
        f"This replaces {target.described}\n"
        f"by the backup of {checked.manifest.made_at:%Y-%m-%d %H:%M:%S} UTC: "
        f"{_described(checked.manifest)}."
    )
    if typed_answer(f"To continue, type the name of the database ({target.name}):") != target.name:
        raise NotConfirmed(
            f"Not confirmed, so nothing was changed. To replace {target.described} without a "
            "question, add --yes."
        )


def _described(manifest: Manifest) -> str:
    tables = manifest.figures.tables
    return (
        f"{tables.get('players', 0):,} characters, {tables.get('users', 0):,} accounts, "
        f"{manifest.figures.ledger.postings:,} postings and {manifest.figures.chain.links:,} links "
        "of the audit log"
    )


def _dry_run(order: RestoreOrder, checked: CheckedBackup) -> Output:
    manifest, target = checked.manifest, checked.target
    run_tidily(_list_dump(order, manifest))
    return Output(
        {"manifest": manifest, "target": target},
        f"The backup of {manifest.made_at:%Y-%m-%d %H:%M:%S} UTC is complete: "
        f"{len(manifest.files):,} files, {manifest.bytes / 1e6:,.1f} MB.",
        f"  {_described(manifest)}; schema {manifest.schema}, Gamekeeper {manifest.gamekeeper}",
        f"  API keys: {', '.join(manifest.keys) or 'none'}",
        f"Not empty: {target.described}. It would need --replace."
        if target.relations
        else f"The database '{target.name}' is empty. Nothing was changed.",
    )


async def _list_dump(order: RestoreOrder, manifest: Manifest) -> None:
    """Have pg_restore read the table of contents."""
    oldest = manifest.pg_dump_major
    program = postgres.find("pg_restore", oldest=oldest, best=oldest)
    await postgres.run([program, "--list", order.directory / DUMP], lambda _: None)


def _lines(done: RestoredBackup, seconds: float) -> list[str]:
    steps = done.steps
    return [
        f"Restored into '{done.database}' in {seconds:.1f} s: {_described(done.manifest)}.",
        f"  Verified: {done.postings:,} postings, {done.links:,} links, all rows and sums.",
        *([f"  Migrated: {', '.join(done.migrated)}"] if done.migrated else []),
        *described_steps(steps),
        "",
        "Next steps:",
        *(f"  {number}. {text}" for number, text in enumerate(_to_do(done), 1)),
    ]


def described_steps(steps: SafetySteps) -> list[str]:
    return [
        (
            f"  Revoked: {steps.tokens:,} sign-ins, {steps.browser_sessions:,} browser sessions, "
            f"{steps.sign_in_links:,} sign-in links, {steps.staff_invitations:,} invitations, "
            f"{steps.password_resets:,} password resets, "
            f"{steps.email_verifications:,} email verifications, {steps.link_codes:,} link codes, "
            f"{len(steps.keys_revoked):,} API keys ({', '.join(steps.keys_kept) or 'none'} kept)"
        ),
        (
            f"  Paused {steps.webhooks_paused:,} webhooks, ended {steps.leases_ended:,} leases, "
            f"expired {steps.commands_expired:,} commands, dropped {steps.jobs_dropped:,} jobs"
        ),
        f"  Events continue with number {steps.first_event}",
    ]


def _to_do(done: RestoredBackup) -> list[str]:
    """What no program can know."""
    steps = done.steps
    found = [
        f"Create the role '{role}' (CREATE ROLE {role} LOGIN PASSWORD '…'), then: gamekeeper "
        f"migrate --app-role {role}"
        for role in done.roles_missing
    ]
    return [
        *found,
        *to_enable(steps),
        OF_THE_PAST,
        about_anchors(done.anchors_moved),
        "Start serve and worker, and run: gamekeeper doctor",
    ]


def to_enable(steps: SafetySteps) -> list[str]:
    """What was switched off, and has to be replaced or looked at."""
    found: list[str] = []
    if steps.keys_revoked:
        names = ", ".join(sorted(set(steps.keys_revoked)))
        found.append(f"Create new API keys (gamekeeper keys create NAME) for: {names}")
    if steps.webhooks_paused:
        found.append(
            "Check the webhooks (gamekeeper webhooks list), and enable each one again: "
            'PATCH /api/v1/webhooks/{id} {"enabled": true}'
        )
    return found


OF_THE_PAST = (
    "Passwords, staff roles, second factors and sanctions are those of the backup. Repeat the "
    "changes made since: gamekeeper staff list, gamekeeper sanctions list"
)


def about_anchors(moved: str | None) -> str:
    if moved:
        return f"The old anchors are in {moved}; a worker starts a new file"
    return "If there is a file of anchors (GAMEKEEPER_ANCHOR_FILE) elsewhere, move it away"
