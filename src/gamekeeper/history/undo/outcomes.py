"""Outcomes of a bulk undo: what became of each action, counted by kind."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct, field

from gamekeeper.core.errors import Problem
from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Queryable
from gamekeeper.history.undo.conflicts import TradeObstacle, explained_obstacles
from gamekeeper.history.undo.execute import AlreadyUndone, Undone
from gamekeeper.history.undo.selection import Selection
from gamekeeper.history.undo.transactions import UndoneTransaction


class Tally(Record, frozen=True):
    """The outcomes of the actions of one kind."""

    kind: str
    found: int
    """Between the two instants, whether this call came to them or not."""
    undone: int = 0
    partly: int = 0
    """Only a part of it could be undone."""
    already_undone: int = 0
    """Already undone."""
    covered: int = 0
    """Undos by the actor that are themselves undone: nothing is left to do."""
    left: int = 0
    """Not undone; `Left` says why."""


class Left(Record, frozen=True):
    """An action that was not undone, or not all of it."""

    id: UUID
    kind: str
    code: str
    """The code of the refusal, or `partly_undone`."""
    message: str
    in_the_way: list[TradeObstacle] = field(default_factory=list)


class SweptAction(Struct, frozen=True):
    """The fields of an action that decide whether to undo it."""

    id: UUID
    at: datetime
    xid: str
    kind: str
    undoes: UUID | None
    transaction: UUID | None

    @property
    def is_shared(self) -> bool:
        """Whether it can only be undone with its whole transaction."""
        return self.kind in ("items.move", "undo") and self.transaction is not None


class Fate(Struct, frozen=True):
    """The outcome of one action: the count of its kind's tally that it adds to."""

    entry: SweptAction
    became: str
    left: Left | None = None
    returned: Mapping[UUID, int] = field(default_factory=dict[UUID, int])
    """The quantity of each item returned, if only a part was undone."""


def fate_of(entry: SweptAction, outcome: Undone | UndoneTransaction | Problem) -> Fate:
    """What became of an action, by its explained outcome (conflicts.py)."""
    if isinstance(outcome, AlreadyUndone):
        return Fate(entry, "already_undone")
    if isinstance(outcome, Problem):
        left = Left(
            id=entry.id,
            kind=entry.kind,
            code=outcome.code,
            message=str(outcome),
            in_the_way=explained_obstacles(outcome),
        )
        return Fate(entry, "left", left)
    if isinstance(outcome, UndoneTransaction) or outcome.complete:
        return Fate(entry, "undone")
    left = Left(
        id=entry.id,
        kind=entry.kind,
        code="partly_undone",
        message="The action was only partly undone.",
        in_the_way=explained_obstacles(outcome),
    )
    returned: Counter[UUID] = Counter()
    for change in outcome.done:
        if change.what == "item" and change.id and change.quantity:
            returned[change.id] += change.quantity
    return Fate(entry, "partly", left, returned)


async def tallies(reader: Queryable, selected: Selection, fates: Sequence[Fate]) -> list[Tally]:
    rows = await reader.rows(
        f"""
        SELECT kind, count(*) AS found
          FROM actions
         WHERE {selected.condition}
         GROUP BY kind
         ORDER BY kind
        """,
        *selected.arguments,
    )
    became = {row["kind"]: Counter[str]() for row in rows}
    for fate in fates:
        became[fate.entry.kind][fate.became] += 1
    return [Tally(kind=row["kind"], found=row["found"], **became[row["kind"]]) for row in rows]
