"""Ledger commands: verify the invariants, and drop old months (retention)."""

from datetime import UTC, datetime
from time import perf_counter
from typing import Annotated

import typer

from gamekeeper.cli.command import Output, change, command
from gamekeeper.cli.options import DryRun
from gamekeeper.cli.terminal import error_console, progress, warn
from gamekeeper.core.settings import Settings
from gamekeeper.db import grants
from gamekeeper.db.database import Database
from gamekeeper.history import retention
from gamekeeper.ledger import verify_ledger
from gamekeeper.ledger.verify_ledger import LedgerBreach, Proof
from gamekeeper.players import lookup


@command
async def verify(
    settings: Settings,
    *,
    player: Annotated[
        str | None, typer.Option(help="Verify only this player, by name or id; this is fast.")
    ] = None,
) -> Output:
    """
    Verify the ledger: everything players hold follows from the postings alone.

    Each player's postings must be numbered without gaps. Each posting must start from
    the state after the previous one, and each slot must match its last posting.
    For each item, all accounts must add up to zero. Each posting must match its
    action. Levels, spells, variables, powers, addresses, keys and passwords must
    match the last action that changed them. If there are breaches, the command
    lists up to 100 of each law and exits with code 1.

    It reads one snapshot, changes nothing and can run while the game is live.
    """
    begun = perf_counter()
    with progress("postings") as tell:
        async with Database.open(settings) as database:
            one = await lookup.find_player_id(database.reader, player) if player else None
            alterable = await grants.is_alterable(database.reader)
        proof = await verify_ledger.verify(settings, one, tell)
    seconds = perf_counter() - begun
    return Output(
        _for_programs(proof, seconds, alterable=alterable),
        *_for_people(proof, seconds),
        (lambda: warn(grants.WARNING)) if alterable else None,
        code=1 if proof.breach else 0,
    )


def _month(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%Y-%m").replace(tzinfo=UTC)
    except ValueError:
        raise typer.BadParameter("must be a month, such as 2027-03") from None


@change()
async def drop(
    settings: Settings,
    *,
    before: Annotated[
        datetime,
        typer.Option(parser=_month, metavar="YYYY-MM", help="The first month to keep."),
    ],
    dry_run: DryRun = False,
) -> Output:
    """
    Drop the postings of old months permanently; run it as the owner of the tables.

    Their totals are kept: the content of every slot at the start of the first kept
    month, and the balance of every account. `ledger verify` can therefore
    still verify the rest. Run it before you drop postings: they cannot be verified
    afterwards. The economy keeps all its totals.

    All actions are kept: they are small, and linked in the hash chain. Actions
    of the dropped months can no longer be undone, and the holdings of a player before
    the first kept month can no longer be queried or restored.

    Only months that ended at least a day ago are dropped, in one transaction.
    The game can stay live; it pauses briefly at the end.
    """
    with error_console().status("Adding up the months before"):
        dropped = await retention.drop(settings, before, dry_run=dry_run)
    return Output(
        dropped,
        f"{'Would drop' if dry_run else 'Dropped'} {dropped.postings:,} postings of "
        f"{dropped.players:,} players and {len(dropped.months)} months; {dropped.slots:,} filled "
        "slots are kept as openings.",
    )


def _for_programs(proof: Proof, seconds: float, *, alterable: bool) -> dict[str, object]:
    return {
        "holds": proof.breach is None,
        "postings": proof.postings,
        "seconds": round(seconds, 3),
        "breach": proof.breach,
        "breaches": proof.breaches,
        "truncated": proof.truncated,
        "alterable": alterable,
    }


def _for_people(proof: Proof, seconds: float) -> list[str]:
    if not proof.breaches:
        rate = f"{proof.postings / seconds:,.0f} a second"
        return [f"Ledger verified: {proof.postings:,} postings in {seconds:.1f} s, {rate}."]
    lines = [f"Ledger verification failed: {_count(proof)}."]
    for breach in proof.breaches:
        lines += [f"{breach.law}: {breach.message}.", *_where(breach)]
    return lines + [f"… and more breaches of the law {law}." for law in proof.truncated]


def _count(proof: Proof) -> str:
    many = len(proof.breaches)
    more = "more than " if proof.truncated else ""
    return "1 breach" if many == 1 else f"{more}{many:,} breaches"


def _where(breach: LedgerBreach) -> list[str]:
    about = [
        f"{name} {value}"
        for name, value in (
            ("player", breach.player_id),
            ("user", breach.user_id),
            ("posting", breach.seq),
            (breach.place or "slot", breach.slot),
            ("of bag", breach.inside),
            ("item", breach.item_id),
        )
        if value is not None
    ]
    return [f"  {', '.join(about)}"] if about else []
