"""Commands about the economy."""

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
    Add up the supply, flows and holders of all items anew, from all postings.

    There is no need to: a worker keeps the sums, and makes them anew by itself
    when the database was moved to another server with pg_dump and pg_restore.
    This does the same without waiting for a worker, or when somebody changed
    the sums by hand. It may run while the game does; nothing but the sums is
    changed, and whoever asks meanwhile is told the former ones.
    """
    begun = perf_counter()
    with error_console().status("Adding up all postings"):
        postings = asyncio.run(rebuild.run(Settings.read()))
    seconds = perf_counter() - begun
    if as_json:
        show_json({"postings": postings, "seconds": round(seconds, 3)})
    else:
        say(f"Added up {postings:,} postings in {seconds:.1f} s.")
