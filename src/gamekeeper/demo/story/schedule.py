"""
The schedule of the story: commands with the time at which each is told to have been given.

They are carried out in the order of these times, by the operations of the product, and refused
like anybody's: a story may ask for what turns out to be impossible. Neighbours of one kind are
one batch; some hours of the story are one transaction, which is dated back at its end.
"""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from msgspec import Struct, structs

from gamekeeper.core.progress import ProgressCallback
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import Command, Operation
from gamekeeper.demo import dice
from gamekeeper.demo.story import dates
from gamekeeper.demo.story.dates import Untold

CHAPTER = timedelta(hours=12)

Late = Callable[[Writer], Awaitable[Command]]
"""A command that depends on what happened before it."""


class Scene(Struct, frozen=True, kw_only=True):
    at: datetime
    operation: Operation[Any, Any]
    command: Command | Late
    early: bool = False
    """It comes first in its chapter, with its like: nothing else there depends on its time."""


class Schedule:
    """All that happens, in any order; `play` sorts it."""

    def __init__(self, seed: int, began: datetime, now: datetime) -> None:
        self.seed, self.began, self.now = seed, began, now
        self.requests: dict[str, datetime] = {}
        self._scenes: list[Scene] = []

    def add(
        self,
        at: datetime,
        operation: Operation[Any, Any],
        command: Command | Late,
        *,
        early: bool = False,
    ) -> None:
        """
        Schedule a command, unless its time is outside of the story.

        Cases have fixed distances from now, so a short story leaves the oldest out. A command
        dated before the beginning would write postings older than the player's first one.
        """
        if self.began <= at < self.now:
            scene = Scene(at=at, operation=operation, command=command, early=early)
            self._scenes.append(scene)

    async def play(self, database: Database, on_progress: ProgressCallback) -> int:
        """Carry all of it out; the number of commands."""
        self._scenes.sort(key=lambda scene: scene.at)
        for _, chapter in groupby(self._scenes, key=lambda scene: (self.now - scene.at) // CHAPTER):
            await database.write(self._chapter(list(chapter)))
            on_progress("Story", len(self.requests), len(self._scenes))
        return len(self._scenes)

    def _chapter(self, scenes: Sequence[Scene]) -> Callable[[Writer], Awaitable[None]]:
        async def work(writer: Writer) -> None:
            for operation, batch in _batches(_early_first(scenes)):
                commands = [await self._command(writer, scene) for scene in batch]
                await operation(writer, commands)
            await dates.backdate(writer, self._dates)

        return work

    async def _command(self, writer: Writer, scene: Scene) -> Command:
        """The command, with a request id by which its actions will be known."""
        late = scene.command
        command = late if isinstance(late, Command) else await late(writer)
        request = dice.guid(self.seed, "request", len(self.requests)).hex()
        self.requests[request] = scene.at
        return structs.replace(command, by=structs.replace(command.by, request_id=request))

    def _dates(self, actions: Sequence[Untold]) -> list[datetime]:
        return [self.requests[action.request_id] for action in actions]


def _early_first(scenes: Sequence[Scene]) -> list[Scene]:
    early = [scene for scene in scenes if scene.early]
    operations = list(dict.fromkeys(scene.operation for scene in early))
    early.sort(key=lambda scene: operations.index(scene.operation))
    return early + [scene for scene in scenes if not scene.early]


def _batches(scenes: Sequence[Scene]) -> Iterator[tuple[Operation[Any, Any], list[Scene]]]:
    """Neighbours of one operation together; what depends on others is alone."""
    batch: list[Scene] = []
    for scene in scenes:
        alone = not isinstance(scene.command, Command)
        if batch and (alone or batch[-1].operation is not scene.operation):
            yield batch[0].operation, batch
            batch = []
        batch.append(scene)
        if alone:
            yield scene.operation, batch
            batch = []
    if batch:
        yield batch[0].operation, batch
