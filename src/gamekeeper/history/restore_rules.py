"""
Restore rules (pure): which items are missing, and which slots they return to.

Items are distinguished by item id and stat buffs (a kind). Of each kind, and of each item,
the missing ones are those held then and neither held now, in any place, nor traded on: an
item that was moved, exchanged or given to another player is not missing. And only items
that were lost since and not returned yet can come back: see `losses`.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from gamekeeper.history.as_of import HeldStack, Where
from gamekeeper.ledger.losses import Kind, Restorable
from gamekeeper.players import rules
from gamekeeper.players.inventory import PLACES, Place, PostingContext, Stack
from gamekeeper.players.state import State

ORDER: tuple[Where, ...] = ("inventory", "bank", "bag", "mail")


class HeldSlot(Struct, frozen=True):
    """A former slot of an item: in the inventory, the bank, a bag or a letter."""

    place: Where
    slot: int


class Lost(Struct, frozen=True):
    """Items missing from their former slot, and the loss (action) that took them."""

    stack: Stack
    spot: HeldSlot
    loss_id: UUID


def missing(
    state: State,
    player: UUID,
    then: Sequence[HeldStack],
    elsewhere: Mapping[Kind, int],
    restorable: Restorable,
    spots: Collection[HeldSlot] | None,
) -> list[Lost]:
    """The missing items of `spots` (None: all slots); items `elsewhere` are not missing."""
    shortage = _Shortage(then, _held_now(state, player), elsewhere, restorable)
    found: list[Lost] = []
    for held in sorted(then, key=lambda held: (ORDER.index(held.place), held.slot)):
        kind, spot = _kind(held), HeldSlot(held.place, held.slot)
        if spots is None or spot in spots:
            drawn = shortage.draw(kind, held.quantity - _lying(state, player, held))
            found += [Lost(_stack(kind, quantity), spot, loss) for loss, quantity in drawn]
    return found


class PutBack(Struct, frozen=True):
    """One slot into which `quantity` lost items returned."""

    place: Place
    slot: int
    quantity: int
    lost: Lost


def put_back(
    state: State, player: UUID, lost: Sequence[Lost], action: UUID
) -> tuple[list[PutBack], list[Lost]]:
    """Put all into their former slots, else any that fit; also returns what did not fit."""
    steps: list[PutBack] = []

    def put(one: Lost, *, home: bool) -> Lost:
        savepoint = state.savepoint()
        left = (_put_home if home else _put_anywhere)(state, player, one, action)
        for posting in state.inventory.posted_since(savepoint.inventory):
            assert posting.place in PLACES
            steps.append(PutBack(posting.place, posting.slot, posting.quantity, one))
        return replace(one, stack=replace(one.stack, quantity=left))

    # All former slots first, so that items without one do not take another's.
    homeless = [left for loss in lost if (left := put(loss, home=True)).stack.quantity]
    return steps, [left for loss in homeless if (left := put(loss, home=False)).stack.quantity]


def _put_home(state: State, player: UUID, lost: Lost, action: UUID) -> int:
    left = lost.stack.quantity
    for thing in _things(state, lost):
        if lost.spot.place in PLACES:
            spot = (player, lost.spot.place, lost.spot.slot)
            left -= rules.lay(state, spot, thing, _context(lost, action))
    return left


def _put_anywhere(state: State, player: UUID, lost: Lost, action: UUID) -> int:
    """Put into any slots, those of the former place first."""
    places = sorted(PLACES, key=lambda place: place != lost.spot.place)
    return rules.deposit(state, player, _things(state, lost), places, _context(lost, action))


def _things(state: State, lost: Lost) -> list[Stack]:
    """The stacks to put back; a restored bag is a new bag."""
    stack = lost.stack
    item = state.known_items[stack.item_id]
    return rules.make(state, item, stack.quantity, stack.stat_buffs) if item.bag_slots else [stack]


def _context(lost: Lost, action: UUID) -> PostingContext:
    return PostingContext(action, "restore", lost.loss_id)


def _lying(state: State, player: UUID, held: HeldStack) -> int:
    """How many of a slot's former items are still in it."""
    if held.place not in PLACES:
        return 0
    there = state.inventory.at(player, held.place).get(held.slot)
    return there.quantity if there and _kind(there) == _kind(held) else 0


def _held_now(state: State, player: UUID) -> Counter[Kind]:
    counted: Counter[Kind] = Counter()
    for place in PLACES:
        for stack in state.inventory.at(player, place).values():
            counted[_kind(stack)] += stack.quantity
    return counted


class _Shortage:
    """How many of each kind, and of each item, are missing and not yet accounted for."""

    def __init__(
        self,
        then: Sequence[HeldStack],
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
        """Draw up to `wanted` of a kind, by loss; each item is drawn at most once."""
        lost = self._restorable.total(kind)
        quantity = max(0, min(wanted, lost, self._kinds[kind], self._items[kind[0]]))
        self._kinds[kind] -= quantity
        self._items[kind[0]] -= quantity
        return self._restorable.draw(kind, quantity)


def _kind(thing: HeldStack | Stack) -> Kind:
    return thing.item_id, tuple(thing.stat_buffs)


def _stack(kind: Kind, quantity: int) -> Stack:
    return Stack(item_id=kind[0], stat_buffs=kind[1], quantity=quantity)
