"""``gamekeeper demo``: fills an empty database with generated test data (seeded)."""

import asyncio
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Annotated

import typer
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

from gamekeeper.auth.secrets import Vault
from gamekeeper.cli.terminal import AsJson, error_console, say, show_json, warn
from gamekeeper.core.settings import Settings
from gamekeeper.demo import loader
from gamekeeper.demo.loader import Filled, Seal, Tell

PASSWORD = "demo"  # noqa: S105  it is meant to be known
SHOWN_ACCOUNTS = 3

Items = Annotated[
    int, typer.Option(help="Minimum number of filled slots per character, if there is room.", min=0)
]


def demo(
    *,
    players: Annotated[
        int, typer.Option(help="Number of characters to create.", min=1, max=10_000_000)
    ] = 1000,
    items: Items = 0,
    random_seed: Annotated[
        int, typer.Option(help="Random seed: the same number creates the same world everywhere.")
    ] = 1,
    as_json: AsJson = False,
) -> None:
    """
    Fill an empty database with realistic demo data.

    Creates accounts with one to three characters of five classes, most of
    them beginners and a few with a high level, with inventories, banks, bags,
    spells and variables. Some accounts are muted, and one character in fifty
    is online. For example:

    \b
        gamekeeper demo --players 5000
        gamekeeper serve

    The same --random-seed creates the same world, including ids, on any machine
    and on any day. A smaller world is the first part of a larger one.

    Most characters are beginners and own little. --items sets a minimum of
    filled slots for each, in the inventory and then in the bank.

    The first hundred accounts have the password "demo" and no powers.

    A database that already has players is not changed. The command locks the
    tables while it runs, so do not use it on a live game.
    """
    settings, begun = Settings.read(), perf_counter()
    seed, seal = random_seed, _seal(settings)
    with progress() as tell:
        filled = asyncio.run(
            loader.fill(settings, players=players, items=items, seed=seed, seal=seal, tell=tell)
        )
    seconds = perf_counter() - begun
    if as_json:
        show_json(_for_programs(filled, seed, seconds))
    else:
        say(*_for_people(filled, seed, seconds).split("\n"))


def _seal(settings: Settings) -> Seal:
    """Return the function that hashes the demo password for an account."""
    vault = Vault(settings, waits=True)
    secret = hashlib.sha256(PASSWORD.encode()).digest()
    return lambda user: vault.hash(user, secret)


def _for_programs(filled: Filled, seed: int, seconds: float) -> dict[str, object]:
    return {
        "random_seed": seed,
        "players": filled.players,
        "users": filled.users,
        "online": filled.online,
        "accounts": [name for _, name in filled.accounts],
        "password": PASSWORD,
        "seconds": round(seconds, 3),
    }


def _for_people(filled: Filled, seed: int, seconds: float) -> str:
    names = ", ".join(name for _, name in filled.accounts[:SHOWN_ACCOUNTS])
    return (
        f"World {seed} has {filled.players:,} players in {filled.users:,} accounts, "
        f"{filled.online:,} of them online. It took {seconds:.1f} s, "
        f"{filled.players / seconds:,.0f} players a second.\n"
        f'Accounts with the password "{PASSWORD}": {names} and others.'
    )


# ── While it runs ──


@contextmanager
def progress() -> Iterator[Tell]:
    """A progress bar on a terminal, otherwise log lines."""
    console = error_console()
    if not console.is_terminal:
        yield _Log().tell
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=console) as bars:
        yield _Bars(bars).tell


class _Bars:
    """A progress bar for each step."""

    def __init__(self, bars: Progress) -> None:
        self.bars = bars
        self.tasks: dict[str, TaskID] = {}

    def tell(self, step: str, done: int, total: int) -> None:
        if step not in self.tasks:
            self.tasks[step] = self.bars.add_task(step, total=total)
        self.bars.update(self.tasks[step], completed=done)


class _Log:
    """A log line for each tenth of each step."""

    def __init__(self) -> None:
        self.tenths: set[tuple[str, int]] = set()

    def tell(self, step: str, done: int, total: int) -> None:
        tenth = (step, done * 10 // total)
        if tenth not in self.tenths:
            self.tenths.add(tenth)
            warn(f"{step}: {done:,} of {total:,}")
