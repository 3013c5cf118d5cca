"""
Items: what came is taken back, what went is given back.

Only the very thing counts: with the same stat buffs, and if it is a bag, that
bag. It is looked for where it was first, then around. What can be done is decided
on a copy, so that an undo with something in its way leaves no trace.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from uuid import UUID, uuid4

from msgspec import Struct
from msgspec.structs import asdict, replace

from gamekeeper.catalog import items as catalog
from gamekeeper.catalog.items import Item
from gamekeeper.database import Writer
from gamekeeper.history.changes import Change, Obstacle, Plan, Reason, blocked
from gamekeeper.history.deeds import Deed, Move
from gamekeeper.history.losses import Kind, Losses, kind_of, loss_of
from gamekeeper.players import packing
from gamekeeper.players.belongings import PLACES, Belongings, Place, Why
from gamekeeper.players.items import MOST, holding
from gamekeeper.players.packing import Stack
from gamekeeper.settings import Settings


class Step(Struct, frozen=True):
    """One slot, and what lies there afterwards."""

    place: Place
    slot: int
    stack: Stack | None
    moved: int
    undone: Move


class Returning:
    """The items of all players whose deeds are being undone."""

    def __init__(self) -> None:
        self._carried = _Carried()
        self._items: dict[UUID, Item] = {}
        self._settings: Settings | None = None
        self._losses = Losses()

    async def load(self, writer: Writer, deeds: Sequence[Deed], *, lasting: bool) -> None:
        self._settings = writer.settings
        self._items = await catalog.known(
            writer, {move.item_id for deed in deeds for move in deed.moves}
        )
        players = {deed.player_id for deed in deeds if deed.player_id}
        carried = await _Carried.of(writer, list(players))
        assert isinstance(carried, _Carried)
        self._carried = carried
        self._losses = await Losses.of(writer, deeds)

    def plan(self, deed: Deed) -> Plan:
        """Take first, then give: what is taken may make the room for what is given."""
        assert self._settings is not None
        player = deed.player_id
        assert player is not None
        if not deed.moves:
            # Old months may have been dropped.
            return blocked(Obstacle(reason="no_longer_kept", what="item", id=deed.item_id))
        hands = _Hands(self._carried, deed, self._items, self._settings, self._losses)
        back = list(reversed(deed.moves))
        obstacles = [
            *hands.take([move for move in back if move.quantity > 0]),
            *hands.give([move for move in back if move.quantity < 0]),
        ]
        return Plan(
            changes=[_change(step) for step in hands.steps],
            obstacles=obstacles,
            carry_out=lambda action: self._carry_out(deed, player, hands.steps, action),
        )

    def _carry_out(
        self, deed: Deed, player: UUID, steps: Sequence[Step], action: UUID
    ) -> tuple[Any, Any]:
        before = self._holdings(deed, player)
        for step in steps:
            bag_slots = self._items[step.undone.item_id].bag_slots
            # What is taken again goes back to where it came from; a gift opens a new loss.
            loss = loss_of(deed, step.undone) if step.moved > 0 else step.undone.loss_id
            self._carried.put(player, step, bag_slots, Why(action, "undo", loss))
            if loss:
                self._losses.change(loss, kind_of(step.undone), step.moved)
        return before, self._holdings(deed, player)

    def _holdings(self, deed: Deed, player: UUID) -> Any:
        """How many the player holds of what the deed was about, as the deed itself says it."""
        items = dict.fromkeys(move.item_id for move in deed.moves)
        held = {item: holding(self._carried, player, item) for item in items}
        if deed.item_id is not None:
            return held.get(deed.item_id)
        return {"items": [{"item_id": item} | asdict(one) for item, one in held.items()]}

    async def save(self, writer: Writer) -> None:
        await self._carried.save(writer)


class _Carried(Belongings):
    """Belongings of which a bag may come and go several times before they are saved."""

    def put(self, player: UUID, step: Step, bag_slots: int, why: Why) -> None:
        before = self.at(player, step.place).get(step.slot)
        stack = step.stack
        if before and before.bag_id and stack is None:
            self.bag_goes(player, before.bag_id)
        if stack and before is None and bag_slots:
            bag = stack.bag_id or uuid4()
            stack = replace(stack, bag_id=bag)
            self.bag_comes(player, bag, bag_slots)
        self._lay((player, step.place, step.slot), stack, why)


class _Hands:
    """A copy of what one player carries, and the steps tried on it."""

    def __init__(
        self,
        carried: Belongings,
        deed: Deed,
        items: dict[UUID, Item],
        settings: Settings,
        losses: Losses,
    ) -> None:
        assert deed.player_id is not None
        self.steps: list[Step] = []
        self._deed = deed
        self._losses = losses
        self._drawn: Counter[tuple[UUID, Kind]] = Counter()
        self._slots = {place: dict(carried.at(deed.player_id, place)) for place in PLACES}
        self._items = items
        self._sizes = {"inventory": settings.inventory_slots, "bank": settings.bank_slots}

    def take(self, moves: Sequence[Move]) -> list[Obstacle]:
        """Take what came, each from its own slot first; then what lacks from anywhere."""
        left = [self._take(move, move.quantity, self._own(move)) for move in moves]
        still = [
            self._take(move, lacking, self._anywhere(move)) if lacking else 0
            for move, lacking in zip(moves, left, strict=True)
        ]
        return _obstacles(moves, still, self._why_gone)

    def give(self, moves: Sequence[Move]) -> list[Obstacle]:
        """
        Give what went and is still lost, each into its own slot first; then the rest anywhere.

        What has come back already, by a restore or otherwise, would be doubled.
        """
        lost = [self._draw(move) for move in moves]
        left = [
            self._give(move, quantity, self._own(move))
            for move, quantity in zip(moves, lost, strict=True)
        ]
        still = [
            -move.quantity - quantity + self._give(move, homeless, self._around())
            for move, quantity, homeless in zip(moves, lost, left, strict=True)
        ]
        return _obstacles(moves, still, self._why_not_given)

    def _draw(self, move: Move) -> int:
        """How many of what went are still lost, and not promised to another move."""
        loss, kind = loss_of(self._deed, move), kind_of(move)
        left = self._losses.left(loss, kind) - self._drawn[loss, kind]
        drawn = min(-move.quantity, left)
        self._drawn[loss, kind] += drawn
        return drawn

    def _take(self, move: Move, quantity: int, spots: Iterable[tuple[Place, int]]) -> int:
        """Take up to `quantity`; return how many are lacking."""
        for place, number in spots:
            held = self._slots[place].get(number)
            if quantity and held and _same(held, move) and not held.bag_filled:
                taken = min(quantity, held.quantity)
                rest = held.quantity - taken
                stack = replace(held, quantity=rest) if rest else None
                self._step(place, number, stack, -taken, move)
                quantity -= taken
        return quantity

    def _give(self, move: Move, quantity: int, spots: Iterable[tuple[Place, int]]) -> int:
        """Give up to `quantity`; return how many found no room."""
        item = self._items.get(move.item_id)
        if item is None or self._has_bag(move):
            return quantity
        for place, number in spots:
            if quantity == 0:
                break
            held = self._slots[place].get(number)
            room = min(self._room(item, place, number, held, move), MOST - self._total(item.id))
            if (fits := min(quantity, room)) > 0:
                there = held or Stack(
                    item_id=item.id, quantity=0, stat_buffs=move.stat_buffs, bag_id=move.bag_id
                )
                stack = replace(there, quantity=there.quantity + fits)
                self._step(place, number, stack, fits, move)
                quantity -= fits
        return quantity

    def _room(self, item: Item, place: Place, number: int, held: Stack | None, move: Move) -> int:
        if place == "bank" and not item.bankable:
            return 0
        stack = item.inventory_stack if place == "inventory" else item.bank_stack
        if held is not None:
            return stack - held.quantity if _same(held, move) else 0
        return stack if number < self._sizes[place] else 0

    def _step(self, place: Place, number: int, stack: Stack | None, moved: int, move: Move) -> None:
        self._slots[place].pop(number, None)
        if stack is not None:
            self._slots[place][number] = stack
        self.steps.append(Step(place, number, stack, moved, move))

    # ── Where to look ──

    def _own(self, move: Move) -> list[tuple[Place, int]]:
        return [(place, move.slot) for place in PLACES if place == move.place]

    def _anywhere(self, move: Move) -> list[tuple[Place, int]]:
        """Every filled slot, those of the place it came into first."""
        places = sorted(PLACES, key=lambda place: place != move.place)
        return [(place, number) for place in places for number in sorted(self._slots[place])]

    def _around(self) -> list[tuple[Place, int]]:
        """The stacks of the inventory, its free slots, and then the bank's."""
        spots: list[tuple[Place, int]] = []
        for place in PLACES:
            filled = self._slots[place]
            free = [number for number in range(self._sizes[place]) if number not in filled]
            spots.extend((place, number) for number in [*sorted(filled), *free])
        return spots

    # ── What is in the way ──

    def _why_gone(self, move: Move) -> Reason:
        return "bag_not_empty" if self._has_bag(move) else "gone"

    def _why_not_given(self, move: Move) -> Reason:
        if move.item_id not in self._items:
            return "unknown_item"
        loss, kind = loss_of(self._deed, move), kind_of(move)
        if not self._losses.is_kept(loss):
            return "no_longer_kept"
        if self._losses.left(loss, kind) < self._went(loss, kind):
            return "restored"
        return "already_there" if self._has_bag(move) else "no_room"

    def _went(self, loss: UUID, kind: Kind) -> int:
        """How many of a kind the deed took, out of one loss."""
        return -sum(
            move.quantity
            for move in self._deed.moves
            if move.quantity < 0 and (loss_of(self._deed, move), kind_of(move)) == (loss, kind)
        )

    def _has_bag(self, move: Move) -> bool:
        """Whether the bag in question lies somewhere."""
        stacks = [stack for slots in self._slots.values() for stack in slots.values()]
        return move.bag_id is not None and any(stack.bag_id == move.bag_id for stack in stacks)

    def _total(self, item: UUID) -> int:
        return sum(packing.count(slots, item) for slots in self._slots.values())


def _same(held: Stack, move: Move) -> bool:
    return (held.item_id, held.stat_buffs, held.bag_id) == (
        move.item_id,
        move.stat_buffs,
        move.bag_id,
    )


def _change(step: Step) -> Change:
    return Change(
        what="item", id=step.undone.item_id, place=step.place, slot=step.slot, quantity=step.moved
    )


def _obstacles(
    moves: Sequence[Move], left: Sequence[int], why: Callable[[Move], Reason]
) -> list[Obstacle]:
    """What is in the way, once for each item and place, whatever the number of slots."""
    found: dict[tuple[UUID, str], Obstacle] = {}
    for move, lacking in zip(moves, left, strict=True):
        wanted = abs(move.quantity)
        known = found.get((move.item_id, move.place)) or Obstacle(
            reason=why(move), what="item", id=move.item_id, place=move.place, wanted=0, possible=0
        )
        found[move.item_id, move.place] = replace(
            known,
            reason=why(move) if lacking else known.reason,
            wanted=(known.wanted or 0) + wanted,
            possible=(known.possible or 0) + wanted - lacking,
        )
    return [obstacle for obstacle in found.values() if obstacle.possible != obstacle.wanted]
