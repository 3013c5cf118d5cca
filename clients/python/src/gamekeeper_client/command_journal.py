"""
The journal of commands (write-ahead log): which ids this game server has carried out.

The service delivers a command again until it is answered. An id is written down before it is
carried out and again with its outcome, so that it is carried out at most once: after a crash
between the two, nobody knows, and it is answered as failed.
"""

import json
import os
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

try:
    import fcntl
except ImportError:  # Windows has no such locks.
    fcntl = None

REMEMBERED = 10_000
"""Ids that are kept; the service forgets an unanswered command after an hour."""
FENCES = 16
"""Fencing numbers that are kept, as many as the service takes."""
INTERRUPTED = "The server stopped while it carried this out; it may have been done."


@dataclass(frozen=True)
class Outcome:
    done: bool
    text: str | None = None


class CommandJournal:
    """
    In memory; with a `path` also on disk, for the next process of this game server.

    A file belongs to one process at a time: a second one gets a `BlockingIOError`. Ids are
    forgotten oldest first.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self._known: OrderedDict[str, Outcome | None] = OrderedDict()
        self._running: set[str] = set()
        self._fences: list[int] = []
        self._file: TextIO | None = None
        self._lock: TextIO | None = None
        if path is not None:
            try:
                self._open(Path(path))
            except OSError:
                self.close()
                raise

    @property
    def fences(self) -> list[int]:
        """The fencing numbers of the processes that wrote it, the latest last."""
        return list(self._fences)

    def registered(self, fence: int) -> None:
        """From now on this process is the server."""
        self._write({"fence": fence})

    def begin(self, command_id: str) -> bool:
        """Whether to carry out a command now: False if that has begun before, here or earlier."""
        if command_id in self._known:
            return False
        self._running.add(command_id)
        self._write({"id": command_id})
        return True

    def finish(self, command_id: str, outcome: Outcome) -> None:
        self._running.discard(command_id)
        self._write({"id": command_id, "done": outcome.done, "text": outcome.text})

    def outcome(self, command_id: str) -> Outcome | None:
        """What became of a command that has begun; None while it is being carried out."""
        if command_id in self._running:
            return None
        return self._known[command_id] or Outcome(done=False, text=INTERRUPTED)

    def close(self) -> None:
        for file in (self._file, self._lock):
            if file is not None:
                file.close()
        self._file = self._lock = None

    def _open(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = path.with_name(path.name + ".lock").open("w", encoding="utf-8")
        if fcntl is not None:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._recall(line)
        self._file = self._compacted(path)

    def _recall(self, line: str) -> None:
        try:
            self._note(json.loads(line))
        except ValueError:
            return  # The last line of a process that was killed while it wrote.

    def _compacted(self, path: Path) -> TextIO:
        """The file with only what is remembered, or it would grow for ever; written atomically."""
        lines: list[dict[str, Any]] = [{"fence": fence} for fence in self._fences]
        lines += [
            {"id": one} | ({} if known is None else {"done": known.done, "text": known.text})
            for one, known in self._known.items()
        ]
        fresh = path.with_name(path.name + ".new")
        file = fresh.open("w", encoding="utf-8")
        file.write("".join(json.dumps(line) + "\n" for line in lines))
        file.flush()
        os.fsync(file.fileno())
        fresh.replace(path)
        return file

    def _write(self, line: dict[str, Any]) -> None:
        self._note(line)
        if self._file is not None:
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()
            os.fsync(self._file.fileno())

    def _note(self, line: dict[str, Any]) -> None:
        if "fence" in line:
            self._fences = [*self._fences, int(line["fence"])][-FENCES:]
            return
        self._known[line["id"]] = (
            Outcome(done=line["done"], text=line["text"]) if "done" in line else None
        )
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
