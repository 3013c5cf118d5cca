"""
Undo for items: take back what was added, give back what was removed.

Only the identical item counts: the same stat buffs, and for a bag the same bag. Its
own slot is tried first, then all others.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from uuid import UUID

from msgspec.structs import asdict, replace

from gamekeeper.history.undo.plan import Change, Obstacle, Reason, Result, blocked
from gamekeeper.ledger.actions import LedgerPosting
from gamekeeper.ledger.losses import Kind, Losses, kind_of, loss_of
from gamekeeper.ledger.transactions import MovedKind, moved_kind
from gamekeeper.ledger.undoable import Undoable
from gamekeeper.players import rules
from gamekeeper.players.inventory import PLACES, Container, InLetter, PostingContext, Stack
from gamekeeper.players.rules import MAX_HELD
from gamekeeper.players.state import State


def undo(state: State, losses: Losses, undone: Undoable, action: UUID) -> Result:
    """Take first, then give: taking may free the slots that giving needs."""
    if not undone.postings:
        # Retention may have dropped the postings of old months.
        return blocked(Obstacle(reason="no_longer_kept", what="item", id=undone.item_id))
    attempt = ItemUndo(state, losses, undone, action)
    savepoint = state.savepoint()
    before = holdings(state, undone)
    attempt.take()
    attempt.give()
    posted = state.inventory.posted_since(savepoint.inventory)
    return Result(
        changes=[change(posting) for posting in posted],
        obstacles=attempt.obstacles(),
        before=before,
        after=holdings(state, undone),
    )


def holdings(state: State, undone: Undoable) -> Any:
    """The player's holdings of the action's items, in the form that actions record."""
    player = undone.player_id
    assert player is not None
    held = {item: state.inventory.holding(player, item) for item in undone.item_ids}
    if undone.item_id is not None:
        return held.get(undone.item_id)
    return {"items": [{"item_id": item} | asdict(holding) for item, holding in held.items()]}


Pool = Counter[MovedKind]
"""What the undo of a transaction took back from some characters and has to give to others."""


class ItemUndo:
    """
    The undo of one action about items, on the in-memory state of its player.

    With a `pool` it is one side of a transaction: items that were moved go back through the
    pool, and the bags of the player are searched too.
    """

    def __init__(
        self,
        state: State,
        losses: Losses,
        undone: Undoable,
        action: UUID,
        pool: Pool | None = None,
    ) -> None:
        assert undone.player_id is not None
        self._player = undone.player_id
        self._state = state
        self._losses = losses
        self._undone = undone
        self._action = action
        self._pool = pool
        back = list(reversed(undone.postings))
        self._came = [posting for posting in back if posting.quantity > 0]
        self._went = [posting for posting in back if posting.quantity < 0]
        self._untaken = [posting.quantity for posting in self._came]
        self._ungiven = [-posting.quantity for posting in self._went]
        self._restored = self._came_back()
        self._lost = self._still_lost()

    def take(self) -> int:
        """Take what was added, each from its own slot first; then the rest from any slot."""
        wanted = sum(self._untaken)
        for spots in (self._own, self._anywhere):
            for number, posting in enumerate(self._came):
                if left := self._untaken[number]:
                    self._untaken[number] = self._take(posting, left, spots(posting))
        return wanted - sum(self._untaken)

    def give(self) -> int:
        """Give what was removed and is still lost, first into its own slot, then into any."""
        wanted = sum(self._ungiven)
        for give in (self._give_home, self._give_anywhere):
            for number, posting in enumerate(self._went):
                if possible := self._available(number):
                    given = give(posting, possible)
                    self._ungiven[number] -= given
                    self._lost[number] -= given
        return wanted - sum(self._ungiven)

    def obstacles(self) -> list[Obstacle]:
        """What could not be taken, and what could not be given."""
        # Items that nobody gave into the pool are not this player's obstacle.
        lacking = [
            min(left, self._available(number)) if self._is_pooled(posting) else left
            for number, (posting, left) in enumerate(zip(self._went, self._ungiven, strict=True))
        ]
        return [
            *_obstacles(self._came, self._untaken, self._why_gone),
            *_obstacles(self._went, lacking, self._why_not_given),
        ]

    def _is_pooled(self, posting: LedgerPosting) -> bool:
        return self._pool is not None and posting.against == "move"

    def _available(self, number: int) -> int:
        """How many of a removal can be given back now: out of its loss, or out of the pool."""
        posting = self._went[number]
        if self._pool is not None and posting.against == "move":
            return min(self._ungiven[number], self._pool[moved_kind(posting)])
        return self._lost[number]

    def _take(
        self, posting: LedgerPosting, quantity: int, spots: Iterable[tuple[Container, int]]
    ) -> int:
        """Take up to `quantity`; returns how many are missing."""
        # Items that came out of a loss go back into it; taking a gift opens a new loss.
        context = PostingContext(
            self._action, "move" if self._is_pooled(posting) else "undo", posting.loss_id
        )
        for place, number in spots:
            held = self._state.inventory.at(self._player, place).get(number)
            if quantity and held and _same(held, posting) and self._may_go(held, posting):
                taken = min(quantity, held.quantity)
                rest = held.quantity - taken
                stack = replace(held, quantity=rest) if rest else None
                self._state.inventory.set_slot((self._player, place, number), stack, context)
                self._taken(posting, taken)
                quantity -= taken
        return quantity

    def _taken(self, posting: LedgerPosting, quantity: int) -> None:
        if posting.loss_id:
            self._losses.change(posting.loss_id, kind_of(posting), -quantity)
        elif self._pool is not None and posting.against == "move":
            self._pool[moved_kind(posting)] += quantity

    def _may_go(self, held: Stack, posting: LedgerPosting) -> bool:
        """A filled bag stays with its owner; so it may only go back to another place."""
        if not held.bag_filled:
            return True
        moves = [posting for posting in self._undone.postings if posting.bag_id == held.bag_id]
        return self._is_pooled(posting) and not sum(move.quantity for move in moves)

    def _give_home(self, posting: LedgerPosting, quantity: int) -> int:
        """Give into the former slot; returns how many fit."""
        given = 0
        for place, number in self._own(posting):
            for thing in self._things(posting, quantity):
                spot = (self._player, place, number)
                given += rules.lay(self._state, spot, thing, self._context(posting))
        return self._given(posting, given)

    def _give_anywhere(self, posting: LedgerPosting, quantity: int) -> int:
        """Give into any slots, inventory before bank; returns how many fit."""
        if posting.place == "mail":
            # The items of a letter are in this letter or nowhere.
            return 0
        things = self._things(posting, quantity)
        wanted = sum(thing.quantity for thing in things)
        left = rules.deposit(self._state, self._player, things, PLACES, self._context(posting))
        return self._given(posting, wanted - left)

    def _given(self, posting: LedgerPosting, quantity: int) -> int:
        if self._pool is not None and posting.against == "move":
            self._pool[moved_kind(posting)] -= quantity
        else:
            self._losses.change(loss_of(self._undone, posting), kind_of(posting), quantity)
        return quantity

    def _context(self, posting: LedgerPosting) -> PostingContext:
        if self._is_pooled(posting):
            return PostingContext(self._action, "move")
        return PostingContext(self._action, "undo", loss_of(self._undone, posting))

    def _things(self, posting: LedgerPosting, quantity: int) -> list[Stack]:
        """The stacks to give, within the player's limit; a bag keeps its id."""
        inventory, item = self._state.inventory, self._state.known_items.get(posting.item_id)
        if item is None or inventory.has_bag(self._player, posting.bag_id):
            return []
        if posting.place != "mail":
            quantity = min(quantity, MAX_HELD - inventory.holding(self._player, item.id).total)
        if quantity <= 0:
            return []
        # A bag that was moved stays a bag, even if the catalog no longer calls it one.
        if not item.bag_slots and not (self._is_pooled(posting) and posting.bag_id):
            return [Stack(item_id=item.id, quantity=quantity, stat_buffs=posting.stat_buffs)]
        if posting.bag_id is None:
            return rules.make(self._state, item, quantity, posting.stat_buffs)
        inventory.bag_sizes.setdefault(posting.bag_id, item.bag_slots)
        bag = Stack(
            item_id=item.id,
            quantity=1,
            stat_buffs=posting.stat_buffs,
            bag_id=posting.bag_id,
            bag_filled=bool(inventory.at(self._player, posting.bag_id)),
        )
        return [bag]

    def _own(self, posting: LedgerPosting) -> list[tuple[Container, int]]:
        """The posting's slot, if its container is still the player's."""
        if posting.place == "mail":
            assert posting.inside is not None
            return [(InLetter(posting.inside), posting.slot)]
        if posting.inside is None:
            return [(place, posting.slot) for place in PLACES if place == posting.place]
        searched = self._pool is not None
        is_there = searched and self._state.inventory.has_bag(self._player, posting.inside)
        return [(posting.inside, posting.slot)] if is_there else []

    def _anywhere(self, posting: LedgerPosting) -> list[tuple[Container, int]]:
        """Every filled slot, those of the posting's place first; of a letter, no other."""
        if posting.place == "mail":
            return []
        inventory = self._state.inventory
        places: list[Container] = sorted(PLACES, key=lambda place: place != posting.place)
        if self._pool is not None:
            places += [
                stack.bag_id
                for place in PLACES
                for _, stack in sorted(inventory.at(self._player, place).items())
                if stack.bag_id
            ]
        return [
            (place, number)
            for place in places
            for number in sorted(inventory.at(self._player, place))
        ]

    # ── Losses ──

    def _still_lost(self) -> list[int]:
        """
        How many of each removal are still lost, and not assigned to another posting.

        Items that a restore or an undo already returned would be duplicated.
        """
        promised: Counter[tuple[UUID, Kind]] = Counter()
        lost: list[int] = []
        for posting in self._went:
            if self._is_pooled(posting):
                lost.append(0)
                continue
            loss = loss_of(self._undone, posting), kind_of(posting)
            lost.append(min(-posting.quantity, self._losses.left(*loss) - promised[loss]))
            promised[loss] += lost[-1]
        return lost

    def _came_back(self) -> set[tuple[UUID, Kind]]:
        """The losses that were returned since, in whole or in part."""
        went: Counter[tuple[UUID, Kind]] = Counter()
        for posting in self._went:
            if not self._is_pooled(posting):
                went[loss_of(self._undone, posting), kind_of(posting)] -= posting.quantity
        return {loss for loss, quantity in went.items() if self._losses.left(*loss) < quantity}

    # ── Obstacles ──

    def _why_gone(self, posting: LedgerPosting) -> Reason:
        has_bag = self._state.inventory.has_bag(self._player, posting.bag_id)
        return "bag_not_empty" if has_bag else "gone"

    def _why_not_given(self, posting: LedgerPosting) -> Reason:
        if posting.item_id not in self._state.known_items:
            return "unknown_item"
        loss = loss_of(self._undone, posting)
        if not self._is_pooled(posting):
            if not self._losses.is_kept(loss):
                return "no_longer_kept"
            if (loss, kind_of(posting)) in self._restored:
                return "restored"
        has_bag = self._state.inventory.has_bag(self._player, posting.bag_id)
        return "already_there" if has_bag else "no_room"


def _same(held: Stack, posting: LedgerPosting) -> bool:
    return (held.item_id, held.stat_buffs, held.bag_id) == (
        posting.item_id,
        posting.stat_buffs,
        posting.bag_id,
    )


def change(posting: LedgerPosting) -> Change:
    return Change(
        what="item",
        id=posting.item_id,
        place=posting.place,
        slot=posting.slot,
        quantity=posting.quantity,
    )


def _obstacles(
    postings: Sequence[LedgerPosting], left: Sequence[int], why: Callable[[LedgerPosting], Reason]
) -> list[Obstacle]:
    """The obstacles, one for each item and place, whatever the number of slots."""
    found: dict[tuple[UUID, str], Obstacle] = {}
    for posting, lacking in zip(postings, left, strict=True):
        wanted = abs(posting.quantity)
        known = found.get((posting.item_id, posting.place)) or Obstacle(
            reason=why(posting),
            what="item",
            id=posting.item_id,
            place=posting.place,
            wanted=0,
            possible=0,
        )
        found[posting.item_id, posting.place] = replace(
            known,
            reason=why(posting) if lacking else known.reason,
            wanted=(known.wanted or 0) + wanted,
            possible=(known.possible or 0) + wanted - lacking,
        )
    return [obstacle for obstacle in found.values() if obstacle.possible != obstacle.wanted]
