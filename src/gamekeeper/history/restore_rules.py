"""
Rules of a restore: what is missing, and where it may lie again. Pure.

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

from gamekeeper.history.as_of import Held, Where
from gamekeeper.ledger.losses import Kind, Restorable
from gamekeeper.players import rules
from gamekeeper.players.inventory import PLACES, Place, PostingContext, Stack
from gamekeeper.players.state import State

ORDER: tuple[Where, ...] = ("inventory", "bank", "bag")


class HeldSlot(Struct, frozen=True):
    """Where something lay: which slot, of the inventory, the bank or a bag."""

    place: Where
    slot: int


class Lost(Struct, frozen=True):
    """Things missing where they lay, and the action that took them."""

    stack: Stack
    spot: HeldSlot
    loss_id: UUID


def missing(
    state: State,
    player: UUID,
    then: Sequence[Held],
    elsewhere: Mapping[Kind, int],
    restorable: Restorable,
    spots: Collection[HeldSlot] | None,
) -> list[Lost]:
    """What lay in `spots` (None: anywhere) and is missing; `elsewhere` is what is not."""
    shortage = _Shortage(then, _held_now(state, player), elsewhere, restorable)
    found: list[Lost] = []
    for held in sorted(then, key=lambda held: (ORDER.index(held.place), held.slot)):
        kind, spot = _kind(held), HeldSlot(held.place, held.slot)
        if spots is None or spot in spots:
            drawn = shortage.draw(kind, held.quantity - _lying(state, player, held))
            found += [Lost(_stack(kind, quantity), spot, loss) for loss, quantity in drawn]
    return found


class PutBack(Struct, frozen=True):
    """One slot into which `quantity` of what was lost came back."""

    place: Place
    slot: int
    quantity: int
    lost: Lost


def put_back(
    state: State, player: UUID, lost: Sequence[Lost], action: UUID
) -> tuple[list[PutBack], list[Lost]]:
    """Lay everything where it was, or where there is room; and what found none."""
    steps: list[PutBack] = []

    def put(one: Lost, *, home: bool) -> Lost:
        savepoint = state.savepoint()
        left = (_put_home if home else _put_anywhere)(state, player, one, action)
        for posting in state.inventory.posted_since(savepoint.inventory):
            assert posting.place != "bag"
            steps.append(PutBack(posting.place, posting.slot, posting.quantity, one))
        return replace(one, stack=replace(one.stack, quantity=left))

    # Each into its own slot first: what finds none must not take another's.
    homeless = [left for one in lost if (left := put(one, home=True)).stack.quantity]
    return steps, [left for one in homeless if (left := put(one, home=False)).stack.quantity]


def _put_home(state: State, player: UUID, lost: Lost, action: UUID) -> int:
    left = lost.stack.quantity
    for thing in _things(state, lost):
        if lost.spot.place != "bag":
            spot = (player, lost.spot.place, lost.spot.slot)
            left -= rules.lay(state, spot, thing, _context(lost, action))
    return left


def _put_anywhere(state: State, player: UUID, lost: Lost, action: UUID) -> int:
    """As a gift is spread, in the place it was first."""
    places = sorted(PLACES, key=lambda place: place != lost.spot.place)
    return rules.deposit(state, player, _things(state, lost), places, _context(lost, action))


def _things(state: State, lost: Lost) -> list[Stack]:
    """A bag that comes back is a new one."""
    stack = lost.stack
    item = state.known_items[stack.item_id]
    return rules.make(state, item, stack.quantity, stack.stat_buffs) if item.bag_slots else [stack]


def _context(lost: Lost, action: UUID) -> PostingContext:
    return PostingContext(action, "restore", lost.loss_id)


def _lying(state: State, player: UUID, held: Held) -> int:
    """How many of what lay in a slot still lie there."""
    if held.place == "bag":
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


def _stack(kind: Kind, quantity: int) -> Stack:
    return Stack(item_id=kind[0], stat_buffs=kind[1], quantity=quantity)
