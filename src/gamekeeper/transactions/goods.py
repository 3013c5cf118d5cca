"""
Items on their way: drawn from a slot, a container or nowhere, and laid down elsewhere.

What is drawn keeps its stat buffs and, if it is a bag, its inside. A filled bag stays
with its owner: it may go from inventory to bank, but not to somebody else.
"""

from collections.abc import Callable, Mapping
from uuid import UUID, uuid4

from msgspec.structs import replace

from gamekeeper.catalog.items import Item, UnknownItem
from gamekeeper.ledger.postings import Against
from gamekeeper.players import packing
from gamekeeper.players.belongings import PLACES, Belongings, Container, Spot, Why
from gamekeeper.players.items import (
    MOST,
    BagNotEmpty,
    BagNotFound,
    InvalidQuantity,
    InventoryFull,
    NotEnoughItems,
)
from gamekeeper.players.packing import Stack
from gamekeeper.settings import Settings
from gamekeeper.transactions.moves import BagInsideBag, End, InvalidMove, Items, SlotOccupied

Whys = Callable[[UUID, Against], Why]
"""The action of one character in this transaction, against an account."""


class Goods:
    """What everybody in some transactions carries."""

    def __init__(
        self,
        belongings: Belongings,
        bag_sizes: Mapping[UUID, int],
        items: Mapping[UUID, Item],
        settings: Settings,
    ) -> None:
        self.belongings = belongings
        self._items = items
        self._bag_sizes = dict(bag_sizes)
        self._settings = settings

    def carry(self, move: Items, who: Mapping[str, UUID], whys: Whys) -> None:
        """Do one move; a refusal is raised, and the caller takes back what was done."""
        if move.source is None and move.target is None:
            raise InvalidMove("Items move from somebody, to somebody, or both.")
        if move.quantity is not None and move.quantity < 1:
            raise InvalidQuantity
        if move.item_id is not None and move.item_id not in self._items:
            raise UnknownItem
        if self._swap(move, who, whys):
            return
        # Looked for first: a bag cannot be found in the hands it was just taken from.
        into = self._container(who[move.target.player], move.target) if move.target else None
        pieces = self._draw(move, who, whys) if move.source else self._make(move)
        if move.target and into:
            self._lay_down(move, move.target, into, pieces, who, whys)

    # ── Where from ──

    def _make(self, move: Items) -> list[Stack]:
        if move.item_id is None:
            raise InvalidMove("What is made needs an 'itemid'.")
        item = self._items[move.item_id]
        made = Stack(
            item_id=item.id, quantity=move.quantity or 1, stat_buffs=tuple(move.stat_buffs)
        )
        if not item.bag_slots:
            return [made]
        if made.quantity > self._settings.inventory_slots + self._settings.bank_slots:
            raise InventoryFull
        bags = [replace(made, quantity=1, bag_id=uuid4()) for _ in range(made.quantity)]
        self._bag_sizes |= {bag.bag_id: item.bag_slots for bag in bags if bag.bag_id}
        return bags

    def _draw(self, move: Items, who: Mapping[str, UUID], whys: Whys) -> list[Stack]:
        assert move.source is not None
        player = who[move.source.player]
        container = self._container(player, move.source)
        slots = self.belongings.at(player, container)
        numbers = sorted(slots) if move.source.slot is None else [move.source.slot]
        stays = move.target is not None and who[move.target.player] == player
        found = {
            number: slots[number]
            for number in numbers
            if number in slots and move.item_id in (None, slots[number].item_id)
        }
        if move.item_id is None and move.source.slot is None:
            raise InvalidMove("What moves is named by an 'itemid' or by a slot.")
        free = {number: held for number, held in found.items() if stays or not held.bag_filled}
        held = sum(stack.quantity for stack in found.values())
        wanted = move.quantity or (held if move.source.slot is not None else 1)
        if not wanted or held < wanted:
            raise NotEnoughItems(None, held=held)
        if sum(stack.quantity for stack in free.values()) < wanted:
            raise BagNotEmpty(None, held=held)
        why = whys(player, "move" if move.target else "removal")
        return self._drawn(player, container, free, wanted, why, stays=stays)

    def _drawn(
        self,
        player: UUID,
        container: Container,
        found: Mapping[int, Stack],
        wanted: int,
        why: Why,
        *,
        stays: bool,
    ) -> list[Stack]:
        pieces = []
        for number, held in found.items():
            taken = min(wanted, held.quantity)
            if taken:
                rest = held.quantity - taken
                left = replace(held, quantity=rest) if rest else None
                self.belongings.lay((player, container, number), left, why)
                if held.bag_id and not stays:
                    self.belongings.bag_goes(player, held.bag_id)
                pieces.append(replace(held, quantity=taken))
                wanted -= taken
        return pieces

    # ── Where to ──

    def _lay_down(
        self,
        move: Items,
        end: End,
        into: Container,
        pieces: list[Stack],
        who: Mapping[str, UUID],
        whys: Whys,
    ) -> None:
        player = who[end.player]
        came = move.source is None or who[move.source.player] != player
        why = whys(player, "move" if move.source else "grant")
        for piece in pieces:
            if piece.bag_id and came:
                size = self._bag_sizes[piece.bag_id]
                self.belongings.bag_comes(player, piece.bag_id, size)
            left = self._fit(player, into, end.slot, piece, why)
            if left and move.overflow_to_bank and end.place == "inventory":
                left = self._fit(player, "bank", None, replace(piece, quantity=left), why)
            if left:
                raise InventoryFull
            if came and self.total(player, piece.item_id) > MOST:
                raise InventoryFull

    def _fit(
        self, player: UUID, container: Container, slot: int | None, piece: Stack, why: Why
    ) -> int:
        """Lay down what fits, in one slot if one is named; return how many do not."""
        item = self._items[piece.item_id]
        if isinstance(container, UUID) and item.bag_slots:
            raise BagInsideBag
        if container == "bank" and not item.bankable:
            return piece.quantity
        limit = _limit(item, container)
        if slot is not None:
            return self._fit_slot((player, container, slot), piece, limit, why)
        slots = self.belongings.at(player, container)
        changed, left = packing.put(slots, self._size(container), piece, stack=limit)
        for number, stack in changed.items():
            self.belongings.lay((player, container, number), stack, why)
        return left

    def _fit_slot(self, spot: Spot, piece: Stack, limit: int, why: Why) -> int:
        player, container, number = spot
        held = self.belongings.at(player, container).get(number)
        if held is None and not 0 <= number < self._size(container):
            raise InvalidMove(f"There is no slot {number} there.")
        if held is not None and not packing.stackable(held, piece):
            raise SlotOccupied
        there = held.quantity if held else 0
        fits = min(piece.quantity, limit - there)
        if fits > 0:
            self.belongings.lay(spot, replace(held or piece, quantity=there + fits), why)
        return piece.quantity - max(0, fits)

    # ── One for the other ──

    def _swap(self, move: Items, who: Mapping[str, UUID], whys: Whys) -> bool:
        """A whole slot onto a slot of the same character that holds something else: exchanged."""
        one, other = move.source, move.target
        if one is None or other is None or one.slot is None or other.slot is None:
            return False
        player = who[one.player]
        here = (player, self._container(player, one), one.slot)
        there = (player, self._container(player, other), other.slot)
        mine = self.belongings.at(player, here[1]).get(one.slot)
        theirs = self.belongings.at(player, there[1]).get(other.slot)
        if who[other.player] != player or here == there or not mine or not theirs:
            return False
        if packing.stackable(mine, theirs):
            return False
        whole = move.quantity in (None, mine.quantity) and move.item_id in (None, mine.item_id)
        if not (whole and self._may_lie(mine, there[1]) and self._may_lie(theirs, here[1])):
            raise SlotOccupied
        why = whys(player, "move")
        for spot, stack in ((here, None), (there, None), (here, theirs), (there, mine)):
            self.belongings.lay(spot, stack, why)
        return True

    def _may_lie(self, stack: Stack, container: Container) -> bool:
        item = self._items[stack.item_id]
        if (isinstance(container, UUID) and stack.bag_id) or (
            container == "bank" and not item.bankable
        ):
            return False
        return stack.quantity <= _limit(item, container)

    # ── Containers ──

    def _container(self, player: UUID, end: End) -> Container:
        if end.place != "bag":
            return end.place
        carried = [
            stack for place in PLACES for stack in self.belongings.at(player, place).values()
        ]
        if end.bag is None or all(stack.bag_id != end.bag for stack in carried):
            raise BagNotFound
        return end.bag

    def _size(self, container: Container) -> int:
        if isinstance(container, UUID):
            return self._bag_sizes[container]
        settings = self._settings
        return settings.inventory_slots if container == "inventory" else settings.bank_slots

    def total(self, player: UUID, item: UUID) -> int:
        return sum(packing.count(self.belongings.at(player, place), item) for place in PLACES)


def _limit(item: Item, container: Container) -> int:
    return item.bank_stack if container == "bank" else item.inventory_stack
