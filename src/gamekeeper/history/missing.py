"""
What is missing of what was held once, and where it may lie again. Pure rules.

Things are told apart by item and stat buffs. Of each kind, and of each item, only so
many are missing as were held then and are neither held now, in any place, nor traded
on: a thing that was moved, exchanged or handed to somebody else is not missing. And
only so many can come back as were lost since, and have not come back: see `losses`.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from gamekeeper.catalog.items import Item
from gamekeeper.history.losses import Kind, Restorable
from gamekeeper.history.past import Held, Where
from gamekeeper.players import packing
from gamekeeper.players.belongings import PLACES, Place
from gamekeeper.players.packing import Stack
from gamekeeper.settings import Settings

ORDER: tuple[Where, ...] = ("inventory", "bank", "bag")


class Spot(Struct, frozen=True):
    place: Where
    slot: int


class Lost(Struct, frozen=True):
    """So many of a kind, missing where they lay, and the action that took them."""

    item_id: UUID
    stat_buffs: tuple[int, ...]
    quantity: int
    spot: Spot
    loss_id: UUID


class Step(Struct, frozen=True):
    """A slot, and what lies there when `quantity` of what was lost is back."""

    place: Place
    slot: int
    stack: Stack
    quantity: int
    lost: Lost


class Carried:
    """A copy of what one player carries, and the steps tried on it."""

    def __init__(self, slots: Mapping[Place, Mapping[int, Stack]], settings: Settings) -> None:
        self._slots = {place: dict(slots[place]) for place in PLACES}
        self._sizes = {"inventory": settings.inventory_slots, "bank": settings.bank_slots}
        self.steps: list[Step] = []

    def lost(
        self,
        then: Sequence[Held],
        elsewhere: Mapping[Kind, int],
        restorable: Restorable,
        spots: Collection[Spot] | None,
    ) -> list[Lost]:
        """What lay in `spots` (None: anywhere) and is missing; `elsewhere` is what is not."""
        shortage = _Shortage(then, self._kinds(), elsewhere, restorable)
        found: list[Lost] = []
        for held in sorted(then, key=lambda held: (ORDER.index(held.place), held.slot)):
            kind, spot = _kind(held), Spot(held.place, held.slot)
            if spots is None or spot in spots:
                drawn = shortage.draw(kind, held.quantity - self._lying(held))
                found += [Lost(*kind, quantity, spot, loss) for loss, quantity in drawn]
        return found

    def put_back(self, lost: Sequence[Lost], items: Mapping[UUID, Item]) -> list[Lost]:
        """Lay everything where it was, or where there is room; return what found none."""
        # Each into its own slot first: what finds none must not take another's.
        homeless = [left for one in lost if (left := self._put_home(one, items[one.item_id]))]
        return [left for one in homeless if (left := self._put_anywhere(one, items[one.item_id]))]

    def _put_home(self, lost: Lost, item: Item) -> Lost | None:
        for place in PLACES:
            if place == lost.spot.place:
                number = lost.spot.slot
                there = self._slots[place].get(number)
                room = self._room(there, lost, item, place, number)
                lost = self._lay(place, number, lost, min(room, lost.quantity))
        return lost if lost.quantity else None

    def _put_anywhere(self, lost: Lost, item: Item) -> Lost | None:
        """As a gift is spread, in the place it was first."""
        for place in sorted(PLACES, key=lambda place: place != lost.spot.place):
            if place == "inventory" or item.bankable:
                limit = _limit(item, place)
                slots = self._slots[place]
                changed, _ = packing.put(slots, self._sizes[place], _stack(lost), stack=limit)
                for number, stack in sorted(changed.items()):
                    there = slots.get(number)
                    fits = stack.quantity - (there.quantity if there else 0)
                    lost = self._lay(place, number, lost, fits)
        return lost if lost.quantity else None

    def _lay(self, place: Place, number: int, lost: Lost, quantity: int) -> Lost:
        if quantity > 0:
            there = self._slots[place].get(number) or _stack(replace(lost, quantity=0))
            stack = replace(there, quantity=there.quantity + quantity)
            self._slots[place][number] = stack
            self.steps.append(Step(place, number, stack, quantity, lost))
            lost = replace(lost, quantity=lost.quantity - quantity)
        return lost

    def _room(self, there: Stack | None, lost: Lost, item: Item, place: Place, number: int) -> int:
        if number >= self._sizes[place] or (place == "bank" and not item.bankable):
            return 0
        if there is None:
            return _limit(item, place)
        same = (there.item_id, there.stat_buffs) == (lost.item_id, lost.stat_buffs)
        return _limit(item, place) - there.quantity if same else 0

    def _lying(self, held: Held) -> int:
        """How many of what lay in a slot still lie there."""
        there = self._slots[held.place].get(held.slot) if held.place != "bag" else None
        return there.quantity if there and _kind(there) == _kind(held) else 0

    def _kinds(self) -> Counter[Kind]:
        counted: Counter[Kind] = Counter()
        for place in PLACES:
            for stack in self._slots[place].values():
                counted[_kind(stack)] += stack.quantity
        return counted


class _Shortage:
    """How many of each kind, and of each item, are missing and not yet accounted for."""

    def __init__(
        self,
        then: Sequence[Held],
        now: Counter[Kind],
        elsewhere: Mapping[Kind, int],
        restorable: Restorable,
    ) -> None:
        self._restorable = restorable
        self._kinds: Counter[Kind] = Counter()
        for held in then:
            self._kinds[_kind(held)] += held.quantity
        self._kinds.subtract(now)
        self._kinds.subtract(elsewhere)
        self._items: Counter[UUID] = Counter()
        for (item, _), quantity in self._kinds.items():
            self._items[item] += quantity

    def draw(self, kind: Kind, wanted: int) -> list[tuple[UUID, int]]:
        """Up to `wanted` of a kind, by the loss they are from; never the same ones twice."""
        lost = self._restorable.total(kind)
        quantity = max(0, min(wanted, lost, self._kinds[kind], self._items[kind[0]]))
        self._kinds[kind] -= quantity
        self._items[kind[0]] -= quantity
        return self._restorable.draw(kind, quantity)


def _kind(thing: Held | Stack) -> Kind:
    return thing.item_id, tuple(thing.stat_buffs)


def _stack(lost: Lost) -> Stack:
    return Stack(item_id=lost.item_id, quantity=lost.quantity, stat_buffs=lost.stat_buffs)


def _limit(item: Item, place: Place) -> int:
    return item.inventory_stack if place == "inventory" else item.bank_stack
