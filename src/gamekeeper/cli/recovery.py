"""The end of a point-in-time recovery, from a terminal."""

from functools import partial
from time import perf_counter
from typing import Annotated

import typer

from gamekeeper.cli.actor import By
from gamekeeper.cli.backup import (
    OF_THE_PAST,
    KeepKeys,
    NotConfirmed,
    about_anchors,
    described_steps,
    key_names,
    run_tidily,
    to_enable,
)
from gamekeeper.cli.command import Output, change
from gamekeeper.cli.options import DryRun
from gamekeeper.cli.terminal import stages, typed_answer, warn
from gamekeeper.core.settings import Settings
from gamekeeper.operations.backup import recovery
from gamekeeper.operations.backup.recovery import RecoveredDatabase, RecoveredState, RecoveryOrder

Yes = Annotated[bool, typer.Option("--yes", help="Revoke without asking.")]
AcceptBreaches = Annotated[
    bool,
    typer.Option("--accept-breaches", help="Continue even if the verification finds breaches."),
]


@change()
def recovered(
    settings: Settings,
    *,
    yes: Yes = False,
    keep_keys: KeepKeys = "",
    accept_breaches: AcceptBreaches = False,
    dry_run: DryRun = False,
    by: By,
) -> Output:
    """
    Complete a recovery of PostgreSQL: verify it, and revoke its old sessions and keys.

    Run this after a point-in-time recovery (pgBackRest, WAL-G, Barman, a managed PostgreSQL) and
    after starting PostgreSQL from a snapshot of its disk, before serve and worker are started:

    \b
        gamekeeper recovered --keep-keys game-server,website

    A backup restored by `gamekeeper restore` does not need it.

    The recovered database is of the past, so the command does what `restore` does: it runs
    `ledger verify` and `actions verify`, and revokes all tokens, browser sessions, sign-in links,
    password resets and API keys (except --keep-keys); webhooks are paused, leases of game servers
    end, open commands to the game expire, and events continue with new numbers. If the
    verification fails, nothing is revoked. The audit log records one action: database.restore.

    After a recovery to a point in time, `serve` and `worker` do not start before this was done.
    """
    order = RecoveryOrder(by=by, keep_keys=key_names(keep_keys), accept_breaches=accept_breaches)
    begun = perf_counter()
    state = run_tidily(recovery.look(settings, order))
    if dry_run:
        return Output(state, *_described(state), "Nothing was changed.")
    if not yes:
        _confirm(state)
    with stages() as tell:
        done = run_tidily(recovery.complete(settings, order, state, tell))
    breaches = [partial(warn, f"WARNING: {breach}") for breach in done.breaches]
    return Output(done, *_lines(done, perf_counter() - begun), *breaches)


def _described(state: RecoveredState) -> list[str]:
    last = f"{state.last_action:%Y-%m-%d %H:%M:%S} UTC" if state.last_action else "none"
    return [
        f"The database '{state.name}' at {state.server}, timeline {state.timeline}.",
        f"  Recovered to: {state.target or 'no target is configured'}",
        f"  Last action: {last}",
        f"  API keys: {', '.join(state.keys) or 'none'}",
    ]


def _confirm(state: RecoveredState) -> None:
    warn("\n".join(_described(state)))
    warn("This revokes all sign-ins, and all API keys except those of --keep-keys.")
    if typed_answer(f"To continue, type the name of the database ({state.name}):") != state.name:
        raise NotConfirmed(
            "Not confirmed, so nothing was changed. To continue without a question, add --yes."
        )


def _lines(done: RecoveredDatabase, seconds: float) -> list[str]:
    return [
        f"Completed the recovery of '{done.state.name}' in {seconds:.1f} s.",
        f"  Verified: {done.postings:,} postings, {done.links:,} links.",
        *([f"  Migrated: {', '.join(done.migrated)}"] if done.migrated else []),
        *described_steps(done.steps),
        "",
        "Next steps:",
        *(f"  {number}. {text}" for number, text in enumerate(_to_do(done), 1)),
    ]


def _to_do(done: RecoveredDatabase) -> list[str]:
    """What no program can know, or what needs a superuser."""
    settings = [part.split()[0] for part in (done.state.target or "").split(", ") if part]
    resets = "; ".join(f"ALTER SYSTEM RESET {name}" for name in settings)
    return [
        *to_enable(done.steps),
        OF_THE_PAST.replace("of the backup", "of the past"),
        about_anchors(done.anchors_moved),
        *([f"As a superuser, remove the target of the recovery: {resets}"] if settings else []),
        "Make a new full backup of PostgreSQL, and run: gamekeeper backup PLACE",
        "Start serve and worker, and run: gamekeeper doctor",
    ]
