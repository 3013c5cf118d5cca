"""Writers and followers, each a process; and what they noted, held against each other."""

import subprocess
import sys
from array import array
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import msgspec

from gamekeeper.core.settings import Settings
from tests import processes
from tests.events import follower, writer
from tests.events.writer import IN_A_TRANSACTION, Work

ROOT = Path(__file__).parents[2]


class Writers:
    """So many events at a rate, from sixteen connections of two processes."""

    PROCESSES = 2
    OF_EACH = 8

    def __init__(
        self, settings: Settings, folder: Path, players: Sequence[UUID], events: int, rate: int
    ) -> None:
        self._notes = [folder / f"writer-{number}" for number in range(self.PROCESSES)]
        transactions = events // IN_A_TRANSACTION // self.PROCESSES
        self.total = transactions * IN_A_TRANSACTION * self.PROCESSES
        self._works = [
            Work(
                database_url=str(settings.database_url),
                notes=str(notes),
                players=list(players[number :: self.PROCESSES]),
                writers=self.OF_EACH,
                transactions=transactions,
                rate=rate / self.PROCESSES,
                seed=number,
            )
            for number, notes in enumerate(self._notes)
        ]
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        command = [sys.executable, "-m", "tests.events.writer"]
        self._running = [
            processes.start([*command, msgspec.json.encode(work).decode()], cwd=ROOT)
            for work in self._works
        ]

    @property
    def at_work(self) -> bool:
        codes = [process.poll() for process in self._running]
        assert not any(codes), codes
        return None in codes

    @property
    def written(self) -> int:
        return sum(notes.stat().st_size for notes in self._notes if notes.exists()) // (
            writer.NOTE.size
        )

    def committed(self) -> dict[bytes, float]:
        """Every action, and when its commit was asked for."""
        return {
            action: asked
            for notes in self._notes
            for action, asked in writer.NOTE.iter_unpack(notes.read_bytes())
        }

    def kill(self) -> None:
        for process in self._running:
            processes.kill(process)


class Follower:
    """One who follows, and whoever takes over after each death."""

    def __init__(self, notes: Path, key: str, begin: int, end: int, ports: Sequence[int]) -> None:
        self._notes = notes
        about = [notes, key, begin, end, *ports]
        # Without the packages of the site: nothing of them is used, and there are many of these.
        self._command = [sys.executable, "-SE", follower.__file__, *(str(one) for one in about)]
        self._process: subprocess.Popen[bytes] | None = None
        self.lives = 0

    def start(self) -> None:
        self.lives += 1
        self._process = processes.start(self._command)

    @property
    def code(self) -> int | None:
        """How it ended, if it did."""
        assert self._process is not None
        return self._process.poll()

    def kill(self) -> None:
        assert self._process is not None
        processes.kill(self._process)

    def taken(self) -> list[tuple[int, int, float, int]]:
        return list(follower.NOTE.iter_unpack(self._notes.read_bytes()))


class Told(msgspec.Struct):
    """What a run tells of itself, read once more from the beginning when it is over."""

    sum: int
    """Of all bytes of all events."""
    committed: array
    """When the commit of each event was asked for, in their order."""
    wrong: list[str]


def read_again(port: int, key: str, begin: int, end: int, committed: dict[bytes, float]) -> Told:
    """Look at every event: each action once, each character's in the order of its numbers."""
    told, numbers, last = Told(0, array("d"), []), Counter[str](), begin
    while last < end:
        for _, events in follower.pieces(port, key, last):
            last = follower.numbers(events)[-1]
            told.sum = follower.summed(events, told.sum)
            for event in events:
                data = msgspec.json.decode(event[event.index(b"\ndata: ") + 7 :])
                told.committed.append(committed.pop(UUID(data["Id"]).bytes))
                if data["After"]["value"] != numbers[data["PlayerId"]]:
                    told.wrong.append(f"{data['Seq']} is out of its character's order")
                numbers[data["PlayerId"]] += 1
            if last >= end:
                break
    told.wrong += [f"{len(committed)} actions are no events"] if committed else []
    return told


def lags(begin: int, told: Told, followers: Sequence[Follower]) -> list[float]:
    """How long each event took to each follower; the middle, the slowest hundredth, the slowest."""
    milliseconds: Counter[int] = Counter()
    for one in followers:
        for first, last, came, _ in one.taken():
            for asked in told.committed[first - begin - 1 : last - begin]:
                milliseconds[int((came - asked) * 1000)] += 1
    places = [milliseconds.total() // 2, milliseconds.total() * 99 // 100, milliseconds.total() - 1]
    found, passed = [], 0
    for lag, count in sorted(milliseconds.items()):
        passed += count
        while places and passed > places[0]:
            found.append(lag / 1000)
            del places[0]
    return found
