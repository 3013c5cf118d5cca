"""
Item rules (pure, no database): which slot an item goes into, and which moves are allowed.

The first half works on the slots of one container, the second moves items between characters
and containers of a loaded state. A moved item keeps its stat buffs and, if it is a bag, its
contents. A filled bag stays with its owner: it may move from inventory to bank, but not to
another character.
"""

from collections.abc import Callable, Sequence
from uuid import UUID, uuid4

from msgspec.structs import replace

from gamekeeper.catalog.items import Item, UnknownItem
from gamekeeper.core.errors import Conflict, Invalid, NotFound
from gamekeeper.ledger.actions import Against
from gamekeeper.players.inventory import (
    NO_BUFFS,
    Container,
    InLetter,
    PostingContext,
    Slots,
    Spot,
    Stack,
)
from gamekeeper.players.mailbox.records import MAX_ITEMS
from gamekeeper.players.moves import Endpoint, InvalidMove, MoveItems
from gamekeeper.players.state import State

MAX_HELD = 2**31 - 1
"""The most of one item that a player may hold: clients count in 32 bits."""

Contexts = Callable[[UUID, Against], PostingContext]
"""Returns the action for a character's postings against an account."""


class InvalidQuantity(Invalid):
    """The quantity must be at least 1."""


class InvalidStatBuffs(Invalid):
    """Stat buffs must be a list of 5 integers."""


class InventoryFull(Conflict):
    """There is no room for that many; nothing was given."""


class NotEnoughItems(Conflict):
    """The inventory holds fewer than that; nothing was taken."""


class BagNotEmpty(Conflict):
    """A bag that is not empty cannot be taken; nothing was taken."""


class BagNotFound(NotFound):
    """Bag does not exist."""


class SlotOccupied(Conflict):
    """The slot holds a different item; the transaction was not applied."""


class BagInsideBag(Conflict):
    """A bag cannot contain a bag; the transaction was not applied."""


# ── The slots of one container ──


def put(slots: Slots, size: int, thing: Stack, *, stack: int) -> tuple[dict[int, Stack], int]:
    """
    Put a stack, with its stat buffs and its bag, into a container of `size` slots.

    Stacks of the same item with the same buffs are filled up to `stack` in slot order,
    then the lowest free slots; a bag never joins a stack. Returns the slots that change,
    and how many did not fit.
    """
    left = thing.quantity
    changed: dict[int, Stack] = {}
    for number in sorted(slots):
        held = slots[number]
        if left == 0:
            break
        # What costs least first: this is done for each slot, and most have no room.
        if held.quantity >= stack or held.item_id != thing.item_id:
            continue
        if (fits := room(held, thing, stack=stack)) > 0:
            changed[number] = replace(held, quantity=held.quantity + min(left, fits))
            left -= min(left, fits)
    for number in range(size):
        if left == 0:
            break
        if number not in slots:
            changed[number] = replace(thing, quantity=min(left, stack))
            left -= changed[number].quantity
    return changed, left


def room(held: Stack | None, thing: Stack, *, stack: int) -> int:
    """How many of a stack fit into a slot that contains `held`."""
    if held is None:
        return stack
    return stack - held.quantity if stackable(held, thing) else 0


def stackable(one: Stack, other: Stack) -> bool:
    """Whether two stacks can be merged: same item, same buffs, and neither is a bag."""
    alike = (one.item_id, one.stat_buffs) == (other.item_id, other.stat_buffs)
    return alike and one.bag_id is None and other.bag_id is None


def withdraw(found: Slots, wanted: int, *, stays: bool) -> dict[int, Stack | None]:
    """
    Take `wanted` items out of `found`, all or none, lowest slot first.

    A filled bag may move only if it stays with its owner (`stays`). Returns the slots that
    change, None for one that becomes empty.
    """
    held = sum(stack.quantity for stack in found.values())
    if not wanted or held < wanted:
        raise NotEnoughItems(None, held=held)
    free = {number: stack for number, stack in found.items() if stays or not stack.bag_filled}
    empty = sum(stack.quantity for stack in free.values())
    if empty < wanted:
        raise BagNotEmpty(None, held=held, empty=empty)
    changed: dict[int, Stack | None] = {}
    for number, stack in sorted(free.items()):
        taken = min(wanted, stack.quantity)
        if taken:
            left = stack.quantity - taken
            changed[number] = replace(stack, quantity=left) if left else None
            wanted -= taken
    return changed


def stack_limit(item: Item, container: Container) -> int:
    if isinstance(container, InLetter):
        return 1 if item.bag_slots else MAX_HELD
    return item.bank_stack if container in ("bank", "guild") else item.inventory_stack


# ── Characters and containers ──


def container_size(state: State, container: Container) -> int:
    if isinstance(container, UUID):
        return state.inventory.bag_sizes[container]
    if isinstance(container, InLetter):
        return MAX_ITEMS
    settings = state.settings
    return settings.inventory_slots if container == "inventory" else settings.bank_slots


def make(state: State, item: Item, quantity: int, buffs: tuple[int, ...] = NO_BUFFS) -> list[Stack]:
    """Create new stacks; each bag is a stack of its own with a new id."""
    made = Stack(item_id=item.id, quantity=quantity, stat_buffs=buffs)
    if not item.bag_slots:
        return [made]
    # Bags do not stack, so more than there are slots never fit: refuse before making their ids.
    if quantity > state.settings.inventory_slots + state.settings.bank_slots:
        raise InventoryFull
    bags = {uuid4(): item.bag_slots for _ in range(quantity)}
    state.inventory.bag_sizes |= bags
    return [replace(made, quantity=1, bag_id=bag) for bag in bags]


def deposit(
    state: State,
    player: UUID,
    things: Sequence[Stack],
    containers: Sequence[Container],
    context: PostingContext,
) -> int:
    """Put stacks into the containers, in order; returns how many items did not fit."""
    left_over = 0
    for thing in things:
        left = thing.quantity
        for container in containers:
            if left and _may_lie(state, thing, container):
                limit = stack_limit(state.known_items[thing.item_id], container)
                changed, left = put(
                    state.inventory.at(player, container),
                    container_size(state, container),
                    replace(thing, quantity=left),
                    stack=limit,
                )
                for number, stack in changed.items():
                    state.inventory.set_slot((player, container, number), stack, context)
        left_over += left
    return left_over


def carry(state: State, move: MoveItems, contexts: Contexts) -> None:
    """Move items; raises a Problem if refused, and the caller rolls back partial changes."""
    if move.source is None and move.target is None:
        raise InvalidMove("A move needs 'from', 'to' or both.")
    if move.quantity is not None and move.quantity < 1:
        raise InvalidQuantity
    if move.item_id is not None and move.item_id not in state.known_items:
        raise UnknownItem
    if _swap(state, move, contexts):
        return
    # Resolve the target before drawing: a bag that was just taken can no longer be found.
    into = _container(state, move.target) if move.target else None
    things = _draw(state, move, contexts) if move.source else _made(state, move)
    if move.target and into:
        _lay_down(state, move, move.target, into, things, contexts)


def _made(state: State, move: MoveItems) -> list[Stack]:
    if move.item_id is None:
        raise InvalidMove("A move that creates items needs an 'itemid'.")
    return make(state, state.known_items[move.item_id], move.quantity or 1, move.stat_buffs)


def _draw(state: State, move: MoveItems, contexts: Contexts) -> list[Stack]:
    source, target = move.source, move.target
    assert source is not None
    player, container = state.player(source.player), _container(state, source)
    slots = state.inventory.at(player, container)
    if move.item_id is None and source.slot is None:
        raise InvalidMove("A move needs an 'itemid' or a slot.")
    found = {
        number: held
        for number, held in slots.items()
        if source.slot in (None, number) and move.item_id in (None, held.item_id)
    }
    there = sum(stack.quantity for stack in found.values()) if source.slot is not None else 1
    stays = target is not None and state.player(target.player) == player
    changed = withdraw(found, move.quantity or there, stays=stays)
    context = contexts(player, "move" if target else "removal")
    things: list[Stack] = []
    for number, left in changed.items():
        held = slots[number]
        state.inventory.set_slot((player, container, number), left, context)
        things.append(replace(held, quantity=held.quantity - (left.quantity if left else 0)))
    return things


def _lay_down(
    state: State,
    move: MoveItems,
    end: Endpoint,
    into: Container,
    things: Sequence[Stack],
    contexts: Contexts,
) -> None:
    player = state.player(end.player)
    came = move.source is None or state.player(move.source.player) != player
    context = contexts(player, "move" if move.source else "grant")
    overflow: list[Container] = ["bank"] if move.overflow_to_bank and into == "inventory" else []
    for thing in things:
        if isinstance(into, UUID) and state.known_items[thing.item_id].bag_slots:
            raise BagInsideBag
        if end.slot is not None:
            rest = _fill_slot(state, (player, into, end.slot), thing, context)
            left = deposit(state, player, [replace(thing, quantity=rest)], overflow, context)
        else:
            left = deposit(state, player, [thing], [into, *overflow], context)
        if left or (came and state.inventory.holding(player, thing.item_id).total > MAX_HELD):
            raise InventoryFull


def _fill_slot(state: State, spot: Spot, thing: Stack, context: PostingContext) -> int:
    """Put what fits into one slot; returns how many do not fit."""
    player, container, number = spot
    held = state.inventory.at(player, container).get(number)
    if _may_lie(state, thing, container):
        if held is None and not 0 <= number < container_size(state, container):
            raise InvalidMove(f"The container has no slot {number}.")
        if held is not None and not stackable(held, thing):
            raise SlotOccupied
    return thing.quantity - lay(state, spot, thing, context)


def lay(state: State, spot: Spot, thing: Stack, context: PostingContext) -> int:
    """Put what fits of a stack into one slot; returns how many fit."""
    player, container, number = spot
    held = state.inventory.at(player, container).get(number)
    if not _may_lie(state, thing, container) or (
        held is None and number >= container_size(state, container)
    ):
        return 0
    limit = stack_limit(state.known_items[thing.item_id], container)
    fits = min(thing.quantity, room(held, thing, stack=limit))
    if fits <= 0:
        return 0
    there = held.quantity if held else 0
    state.inventory.set_slot(spot, replace(held or thing, quantity=there + fits), context)
    return fits


def _swap(state: State, move: MoveItems, contexts: Contexts) -> bool:
    """Swap two slots: a whole slot moved onto another, different one of the same character."""
    one, other = move.source, move.target
    if one is None or other is None or one.slot is None or other.slot is None:
        return False
    player = state.player(one.player)
    if state.player(other.player) != player:
        return False
    here: Spot = (player, _container(state, one), one.slot)
    there: Spot = (player, _container(state, other), other.slot)
    mine = state.inventory.at(player, here[1]).get(one.slot)
    theirs = state.inventory.at(player, there[1]).get(other.slot)
    if here == there or not mine or not theirs or stackable(mine, theirs):
        return False
    whole = move.quantity in (None, mine.quantity) and move.item_id in (None, mine.item_id)
    if not (whole and _fits(state, mine, there[1]) and _fits(state, theirs, here[1])):
        raise SlotOccupied
    context = contexts(player, "move")
    for spot, stack in ((here, None), (there, None), (here, theirs), (there, mine)):
        state.inventory.set_slot(spot, stack, context)
    return True


def _fits(state: State, stack: Stack, container: Container) -> bool:
    limit = stack_limit(state.known_items[stack.item_id], container)
    return _may_lie(state, stack, container) and stack.quantity <= limit


def _may_lie(state: State, thing: Stack, container: Container) -> bool:
    """A bag cannot contain a bag; the bank contains only bankable items."""
    if isinstance(container, UUID):
        return thing.bag_id is None
    if isinstance(container, InLetter):
        return True
    return container == "inventory" or state.known_items[thing.item_id].bankable


def _container(state: State, end: Endpoint) -> Container:
    if end.place != "bag":
        return end.place
    if end.bag is None or not state.inventory.has_bag(state.player(end.player), end.bag):
        raise BagNotFound
    return end.bag
