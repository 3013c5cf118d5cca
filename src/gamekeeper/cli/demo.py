"""``gamekeeper demo``: fills an empty database with generated test data (seeded)."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
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
from gamekeeper.cli.command import Output, change
from gamekeeper.cli.terminal import error_console, warn
from gamekeeper.core.progress import ProgressCallback
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.demo import loader
from gamekeeper.demo.loader import Filled, Seal

PASSWORD = "demo"  # noqa: S105  it is meant to be known
SHOWN_ACCOUNTS = 3

Players = Annotated[
    int, typer.Option(help="Number of characters to create.", min=1, max=10_000_000)
]
RandomSeed = Annotated[
    int, typer.Option(help="Random seed: the same number creates the same world everywhere.")
]
Items = Annotated[
    int, typer.Option(help="Minimum number of filled slots per character, if there is room.", min=0)
]
Days = Annotated[
    int,
    typer.Option(
        help="Days of history up to now: play, trades, staff's work and its mistakes. Adds staff.",
        min=0,
        max=60,
    ),
]
WithStaff = Annotated[
    bool, typer.Option("--staff", help="Add staff with roles, sanctions and appeals.")
]


@change()
async def demo(
    settings: Settings,
    *,
    players: Players = 1000,
    items: Items = 0,
    random_seed: RandomSeed = 1,
    staff: WithStaff = False,
    days: Days = 0,
) -> Output:
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

    --staff adds people with roles, sanctions of every kind and appeals. They
    have the password "demo" too, and ids and times of their own in each world.

    --days adds a history up to now: play, trades, sessions, staff's work, and a few
    cases to investigate. The same seed creates the same history, relative to now.

    A database that already has players is not changed. The command locks the
    tables while it runs, so do not use it on a live game.
    """
    begun, seed = perf_counter(), random_seed
    with progress() as tell:
        filled, names = await _fill(
            settings, (players, items, seed, days), tell, with_staff=staff or days > 0
        )
    seconds = perf_counter() - begun
    record = _for_programs(filled, names, seed, seconds)
    return Output(record, *_for_people(filled, names, seed, seconds))


async def _fill(
    settings: Settings,
    wanted: tuple[int, int, int, int],
    tell: ProgressCallback,
    *,
    with_staff: bool,
) -> tuple[Filled, list[str]]:
    (players, items, seed, days), seal = wanted, _seal(settings)
    now = datetime.now(UTC).replace(microsecond=0)
    times = {"now": now, "began": now - timedelta(days=days)} if days else {}
    filled = await loader.fill(
        settings, players=players, items=items, seed=seed, seal=seal, on_progress=tell, **times
    )
    return filled, await _add_people(settings, now, days, seed, tell) if with_staff else []


async def _add_people(
    settings: Settings, now: datetime, days: int, seed: int, tell: ProgressCallback
) -> list[str]:
    """Add staff and, for some days, the story of the world; the names of the staff."""
    # These take a while to import.
    from gamekeeper.cli import example_staff
    from gamekeeper.demo.story.playback import play_story

    began = now - timedelta(days=days)
    async with Database.open(settings) as database:
        names = await example_staff.create(database, PASSWORD, (began, now) if days else None)
        if days:
            await play_story(database, now=now, days=days, seed=seed, on_progress=tell)
    return names


def _seal(settings: Settings) -> Seal:
    """Return the function that hashes the demo password for an account."""
    vault = Vault(settings, waits=True)
    secret = hashlib.sha256(PASSWORD.encode()).digest()
    return lambda user: vault.hash(user, secret)


def _for_programs(filled: Filled, staff: list[str], seed: int, seconds: float) -> dict[str, object]:
    return {
        "random_seed": seed,
        "players": filled.players,
        "users": filled.users,
        "online": filled.online,
        "accounts": [name for _, name in filled.accounts],
        "staff": staff,
        "password": PASSWORD,
        "seconds": round(seconds, 3),
    }


def _for_people(filled: Filled, staff: list[str], seed: int, seconds: float) -> list[str]:
    names = ", ".join(name for _, name in filled.accounts[:SHOWN_ACCOUNTS])
    world = (
        f"World {seed} has {filled.players:,} players in {filled.users:,} accounts, "
        f"{filled.online:,} of them online. It took {seconds:.1f} s, "
        f"{filled.players / seconds:,.0f} players a second."
    )
    lines = [world, f'Accounts with the password "{PASSWORD}": {names} and others.']
    return lines + ([f"Staff, with the same password: {', '.join(staff)}."] if staff else [])


# ── While it runs ──


@contextmanager
def progress() -> Iterator[ProgressCallback]:
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
