"""Economy commands: rebuild the item aggregates (supply, flows, holders)."""

from time import perf_counter

from gamekeeper.cli.command import Output, change
from gamekeeper.cli.terminal import error_console
from gamekeeper.core.settings import Settings
from gamekeeper.ledger.economy import rebuild


@change()
async def recount(settings: Settings) -> Output:
    """
    Rebuild the supply, flows and holders of all items from all postings.

    Normally not needed: a worker maintains the totals, and rebuilds them automatically
    after the database was moved to another server with pg_dump and pg_restore.
    Use this to rebuild without waiting for a worker, or after the totals were
    changed by hand. It can run while the game is live; it changes only the
    totals, and queries return the old ones until it is done.
    """
    begun = perf_counter()
    with error_console().status("Summing all postings"):
        postings = await rebuild.run(settings)
    seconds = perf_counter() - begun
    return Output(
        {"postings": postings, "seconds": round(seconds, 3)},
        f"Summed {postings:,} postings in {seconds:.1f} s.",
    )
