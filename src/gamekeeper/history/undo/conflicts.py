"""
Conflicts of undos, with the characters and guilds that received the missing items since.

A bulk undo may have a thousand conflicts. All of them are explained with a fixed number of
queries, which read the postings of each character and item once.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar
from uuid import UUID

from msgspec import field
from msgspec.structs import asdict, replace

from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Queryable
from gamekeeper.history import transfers
from gamekeeper.history.transfers import HandedOn, Transferred
from gamekeeper.history.undo.execute import UndoConflict, Undone, UndoOrder
from gamekeeper.history.undo.plan import Obstacle
from gamekeeper.ledger.undoable import Undoable

MOST_IN_BULK = 5
"""The most transfers for one obstacle of a bulk undo, the newest ones."""

Outcome = TypeVar("Outcome")


class TradeObstacle(Obstacle, frozen=True, kw_only=True):
    """One thing that an undo cannot do, or not all of, and why."""

    player_id: UUID | None = None
    """The owner of the items in conflict."""
    player_name: str | None = None
    guild_id: UUID | None = None
    """The guild, if the items in conflict were in its bank."""
    handed_on: list[HandedOn] = field(default_factory=list)
    """The later recipients of the item, newest first; at most 5 in a bulk undo."""


class UndoneWorld(Protocol):
    """What explanations need to know about the undone actions."""

    @property
    def names(self) -> Mapping[UUID, str]: ...

    def parts_of(self, order: UndoOrder) -> list[Undoable]: ...


async def explain(
    reader: Queryable,
    world: UndoneWorld,
    orders: Sequence[UndoOrder],
    outcomes: Sequence[Outcome],
    most: int = transfers.MAX_TRANSFERS,
) -> list[Outcome]:
    """
    The outcomes; obstacles because of missing items say to whom the character handed them on.

    Call it before the undos are saved: what they move themselves is no obstacle.
    """
    named = [
        [_named(obstacle, world, order) for obstacle in _obstacles(outcome)]
        for order, outcome in zip(orders, outcomes, strict=True)
    ]
    afters: dict[tuple[UUID, UUID], int] = {}
    missing: dict[tuple[int, int], tuple[tuple[UUID, UUID], int]] = {}
    for position, obstacles in enumerate(named):
        for number, obstacle in enumerate(obstacles):
            owner = obstacle.guild_id or obstacle.player_id
            after = _last_posting(world.parts_of(orders[position]), owner)
            if obstacle.reason == "gone" and obstacle.id and owner and after:
                spot = owner, obstacle.id
                afters[spot] = min(after, afters.get(spot, after))
                missing[position, number] = spot, after
    found = await transfers.handed_on_by_each(reader, afters, most) if afters else {}
    for (position, number), (spot, after) in missing.items():
        since = _since(found.get(spot, ()), after)
        named[position][number] = replace(named[position][number], handed_on=since)
    return [
        _with_obstacles(outcome, obstacles)
        for outcome, obstacles in zip(outcomes, named, strict=True)
    ]


def explained_obstacles(outcome: object) -> list[TradeObstacle]:
    """The obstacles of an outcome that `explain` returned."""
    found: Any = _obstacles(outcome)
    return list(found)


def _obstacles(outcome: object) -> Sequence[Obstacle]:
    if isinstance(outcome, Undone):
        return outcome.not_done
    if isinstance(outcome, UndoConflict):
        found: Any = outcome.details["in_the_way"]
        return found
    return ()


def _named(obstacle: Obstacle, world: UndoneWorld, order: UndoOrder) -> TradeObstacle:
    """An obstacle with the character; that of a transaction names it already."""
    if isinstance(obstacle, TradeObstacle):
        return obstacle
    parts = world.parts_of(order)
    if obstacle.what == "item" and obstacle.place == "guild":
        guild = next((part.guild_id for part in parts), None)
        return TradeObstacle(**asdict(obstacle), guild_id=guild)
    player = next((part.player_id for part in parts), None)
    name = world.names.get(player) if player else None
    return TradeObstacle(**asdict(obstacle), player_id=player, player_name=name)


def _last_posting(parts: Sequence[Undoable], owner: UUID | None) -> int:
    """The number of an owner's last posting by the undone actions; 0 without one."""
    seqs = [
        posting.seq or 0
        for part in parts
        for posting in part.postings
        if posting.player_id == owner
    ]
    return max(seqs, default=0)


def _since(found: Sequence[Transferred], after: int) -> list[HandedOn]:
    return [transfer.handed_on for transfer in found if transfer.seq > after]


def _with_obstacles(outcome: Outcome, obstacles: Sequence[TradeObstacle]) -> Outcome:
    changed: Any = outcome
    if not obstacles:
        return outcome
    if isinstance(outcome, Problem):
        changed = UndoConflict(None, in_the_way=list(obstacles))
    elif isinstance(outcome, Undone):
        changed = replace(outcome, not_done=list(obstacles))
    return changed
