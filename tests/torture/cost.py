"""
What it costs: gives per second with the ledger, the actions and the keys, and without.

Two copies of the package, each in a process and a database of its own: one as it is,
with a key on every order, one with the postings, the actions and the keys cut out.
They work in turn, a round each, so that whatever else the machine does falls on both.

    python tests/torture/cost.py [rounds] [seconds of a round]
"""

import asyncio
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from tests import processes

ROOT = Path(__file__).parents[2]
CUTS = {
    "players/state.py": (
        "        await actions.write(writer, self._actions, postings)\n",
        "",
    ),
}
PLAYERS = 500
AT_ONCE = 8
BATCH = 50


def main(rounds: int, seconds: float) -> None:
    """Measure both ways of giving, round by round, and print the ratios."""
    with (
        tempfile.TemporaryDirectory(prefix="gamekeeper-cost-") as directory,
        _worker(ROOT / "src", "kept") as kept,
        _worker(_bare(Path(directory)), "bare") as bare,
    ):
        for size in (1, BATCH):
            # The first round of each warms up, and does not count.
            figures = [
                (_round(kept, size, seconds), _round(bare, size, seconds))
                for _ in range(rounds + 1)
            ]
            _show(size, figures[1:])


def _show(size: int, figures: list[tuple[float, float]]) -> None:
    kept, bare = ([pair[side] for pair in figures] for side in (0, 1))
    ratios = sorted(pair[0] / pair[1] for pair in figures)
    print(
        f"{size:3} in a list: {statistics.median(kept):8,.0f} gives/s with, "
        f"{statistics.median(bare):8,.0f} without; ratio {statistics.median(ratios):.2f} "
        f"({ratios[0]:.2f} to {ratios[-1]:.2f} in {len(ratios)} rounds)",
        flush=True,
    )


def _bare(directory: Path) -> Path:
    """A copy of the package that keeps no books."""
    shutil.copytree(ROOT / "src" / "gamekeeper", directory / "gamekeeper")
    for name, (good, bad) in CUTS.items():
        file = directory / "gamekeeper" / name
        assert file.read_text().count(good) == 1, name
        file.write_text(file.read_text().replace(good, bad))
    return directory


@contextmanager
def _worker(source: Path, kind: str) -> Iterator[subprocess.Popen[str]]:
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(source), str(ROOT)])}
    command = [sys.executable, __file__, "--worker", kind]
    pipe = subprocess.PIPE
    with processes.running(command, env=env, stdin=pipe, stdout=pipe, text=True) as process:
        yield process
        process.stdin.close()
        process.wait(60)


def _round(process: subprocess.Popen[str], size: int, seconds: float) -> float:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{size} {seconds}\n")
    process.stdin.flush()
    return float(process.stdout.readline())


async def work(kind: str) -> None:
    """Do rounds as they are asked for on standard input; print the gives per second of each."""
    from gamekeeper.core.settings import Hidden, Settings
    from gamekeeper.db.database import Database
    from gamekeeper.db.migrate import migrate
    from tests.databases import SERVER, admin
    from tests.make import make_item, make_player, make_user

    name = f"gamekeeper_cost_{uuid4().hex[:12]}"
    await admin(f"CREATE DATABASE {name}")
    settings = Settings(database_url=Hidden(SERVER.format(name)))
    try:
        await migrate(settings)
        async with Database.open(settings) as database:
            owner = await make_user(database)
            players = [str(await make_player(database, user=owner)) for _ in range(PLAYERS)]
            potion = await make_item(database, inventory_stack=2**31 - 1)
            while line := await asyncio.to_thread(sys.stdin.readline):
                size, seconds = line.split()
                rate = await _rate(database, players, potion, int(size), float(seconds), kind)
                print(rate, flush=True)
    finally:
        await admin(f"DROP DATABASE {name} WITH (FORCE)")


async def _rate(database, players, potion, size: int, seconds: float, kind: str) -> float:
    from gamekeeper.db.idempotency import IdempotencyKey
    from gamekeeper.db.operations import AuditContext
    from gamekeeper.players import items

    done, begun = 0, time.perf_counter()
    queue = iter(range(10**9))

    def order(number: int) -> items.Gift:
        key = IdempotencyKey("key:cost", uuid4().hex, b"0" * 32) if kind == "kept" else None
        by = AuditContext(
            actor="key:cost", name="cost", request_id=str(number), address="10.0.0.1", key=key
        )
        return items.Gift(by=by, player=players[number % PLAYERS], item_id=potion, quantity=1)

    async def client() -> None:
        nonlocal done
        while time.perf_counter() - begun < seconds:
            await items.give(database, [order(next(queue)) for _ in range(size)])
            done += size

    await asyncio.gather(*(client() for _ in range(AT_ONCE)))
    return done / (time.perf_counter() - begun)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        asyncio.run(work(sys.argv[2]))
    else:
        main(*(int(word) for word in [*sys.argv[1:], "7", "2"][:2]))
