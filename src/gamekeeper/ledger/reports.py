"""Reports: the result of verifying the audit log's hash chain."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct, field

MOST_NAMED = 100


class ChainBreach(Struct, frozen=True, kw_only=True):
    kind: Literal[
        "edited",
        "deleted",
        "inserted",
        "swapped",
        "backdated",
        "postings",
        "cut",
        "rewritten",
        "anchors",
    ]
    seq: int | None = None
    """The first link that is wrong; None: no link can be named."""
    action_id: UUID | None = None
    message: str


class Forms(Struct, kw_only=True):
    """Links of earlier versions, whose hash does not cover the postings."""

    old: int = 0
    """All of them."""
    later: int = 0
    """Those that follow a link of this version: an older worker made them."""
    first_later: int | None = None


class Unlinked(Struct, frozen=True, kw_only=True):
    """Actions that the sequencer has yet to link."""

    count: int = 0
    oldest_seconds: float = 0
    sequencer: bool = True
    """Whether a sequencer is running."""

    @property
    def is_overdue(self) -> bool:
        return self.count > 0 and (not self.sequencer or self.oldest_seconds > OVERDUE_SECONDS)


OVERDUE_SECONDS = 60
"""An action is normally linked within a second; after this long an operator must act."""


class ChainReport(Struct, kw_only=True):
    links: int = 0
    last_action: UUID | None = None
    """The action of the last link."""
    last_action_at: datetime | None = None
    anchors: int = 0
    waiting: int = 0
    """Actions too new to be linked."""
    unlinked: Unlinked = field(default_factory=Unlinked)
    forms: Forms = field(default_factory=Forms)
    breaches: list[ChainBreach] = field(default_factory=list)
    """The first ones, in the order of the chain."""
    total: int = 0
    """The number of all breaches."""

    def add(self, breaches: Sequence[ChainBreach]) -> None:
        self.total += len(breaches)
        self.breaches = sorted([*self.breaches, *breaches], key=_place)[:MOST_NAMED]


def _place(breach: ChainBreach) -> float:
    return float("inf") if breach.seq is None else breach.seq
