"""
How long a game of the Intersect Engine takes to move in, stage by stage.

Each account has one character with 35 rows of inventory and 100 of bank, as the engine stores
them, of which some are filled; every tenth has a bag. In a database of its own:

    python -m tests.clusters python -m tests.torture.import_intersect [accounts]
"""

import asyncio
import random
import resource
import sys
import tempfile
from datetime import UTC
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import UUID, uuid4

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db import migrate
from gamekeeper.ledger import verify_ledger
from gamekeeper.transfer.intersect import importer, sources
from gamekeeper.transfer.intersect.importer import Options
from tests.databases import SERVER, admin
from tests.intersect.games import Game, js, named
from tests.make import BY

INVENTORY, BANK, FILLED, BANKED = 35, 100, 12, 8
ZERO = str(UUID(int=0))
NO_PROPERTIES = js({"StatModifiers": [0, 0, 0, 0, 0]})


def main(count: int) -> None:
    with tempfile.TemporaryDirectory(prefix="intersect-") as folder:
        begun = perf_counter()
        write(Path(folder), count)
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
        print(
            f"{count:,} accounts written in {perf_counter() - begun:.0f} s, {size / 2**20:,.0f} MiB"
        )
        asyncio.run(measure(Path(folder)))


async def measure(folder: Path) -> None:
    name = f"gamekeeper_import_{uuid4().hex[:8]}"
    await admin(f"CREATE DATABASE {name}")
    try:
        settings = Settings(database_url=Hidden(SERVER.format(name)))
        await migrate.migrate(settings)
        for turn in ("first", "second"):
            source = sources.open_folder(folder)
            begun = perf_counter()
            report = await importer.bring(settings, source, BY, Options(zone=UTC))
            seconds = perf_counter() - begun
            source.close()
            assert not report.faults, report.faults[:5]
            assert report.is_change is (turn == "first")
            for step, taken in report.seconds.items():
                print(f"  {step:<24} {taken:8.1f} s")
            print(f"{turn} import: {seconds:.1f} s, {report.found.characters / seconds:,.0f}/s")
        begun = perf_counter()
        assert (await verify_ledger.verify(settings)).breach is None
        print(f"ledger verified in {perf_counter() - begun:.1f} s")
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"largest memory of this process: {most:,.0f} MiB")
    finally:
        await admin(f"DROP DATABASE {name} WITH (FORCE)")


def write(folder: Path, count: int) -> None:
    """A game with so many accounts, in the forms of the newest version."""
    game = Game(folder, "0.8b")
    game.catalog()
    for table in ("Player_Items", "Player_Bank", "Player_Spells", "Player_Variables"):
        game.players.execute(f"CREATE INDEX IX_{table} ON {table} (PlayerId)")
    dice = random.Random(1)
    items = [str(named(name)).upper() for name in ("potion", "sword", "coin")]
    for number in range(count):
        player = game.player(f"Hero{number}", game.user(f"user{number}"))
        key = str(player).upper()
        for table, size, filled in (
            ("Player_Items", INVENTORY, FILLED),
            ("Player_Bank", BANK, BANKED),
        ):
            game.players.executemany(
                f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?, NULL, ?)",
                [slot(dice, key, items, at, filled) for at in range(size)],
            )
        spells: list[Any] = [(ZERO, key, at, ZERO) for at in range(2, 35)]
        game.players.executemany("INSERT INTO Player_Spells VALUES (?, ?, ?, ?)", spells)
        game.spell(player, 0, "spark")
        for name, kind, value in (
            ("done", 1, True),
            ("karma", 2, number),
            ("title", 3, "the Bold"),
        ):
            game.variable(player, name, kind, value)
        if number % 10 == 0:
            bag = game.bag(f"bag {number}")
            game.held("Player_Items", player, 34, "pouch", bag=bag)
            game.held("Bag_Items", bag, 0, "potion", 3)
    game.close()


def slot(dice: random.Random, player: str, items: list[str], at: int, filled: int) -> tuple:
    own = f"{dice.getrandbits(128):032X}"
    if at >= filled:
        return own, player, at, ZERO, 0, NO_PROPERTIES
    item = dice.choice(items)
    return own, player, at, item, 1 if item == items[1] else dice.randint(1, 10), NO_PROPERTIES


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
