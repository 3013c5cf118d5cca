"""Economy commands: rebuild the item aggregates (supply, flows, holders)."""

import asyncio
from time import perf_counter

import typer

from gamekeeper.cli.terminal import AsJson, error_console, say, show_json
from gamekeeper.core.settings import Settings
from gamekeeper.economy import rebuild

app = typer.Typer(help="How many of each item there are, and where.", no_args_is_help=True)


@app.callback()
def economy() -> None:
    """How many of each item there are, and where."""


@app.command()
def recount(*, as_json: AsJson = False) -> None:
    """
    Rebuild the supply, flows and holders of all items from all postings.

    Normally not needed: a worker maintains the sums, and rebuilds them by itself
    when the database was moved to another server with pg_dump and pg_restore.
    Use this to rebuild without waiting for a worker, or after the sums were
    changed by hand. It may run while the game does; it changes only the sums,
    and queries get the old ones until it is done.
    """
    begun = perf_counter()
    with error_console().status("Adding up all postings"):
        postings = asyncio.run(rebuild.run(Settings.read()))
    seconds = perf_counter() - begun
    if as_json:
        show_json({"postings": postings, "seconds": round(seconds, 3)})
    else:
        say(f"Added up {postings:,} postings in {seconds:.1f} s.")
