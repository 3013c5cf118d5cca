"""
Undo of deposits into guild banks and of withdrawals: the items go back to the other side.

What goes back is first given and then taken, as many as fitted, so nothing is made or lost on the
way; all postings are against `guild`. The character need not be a member any more: what it
deposited before it was kicked was its own. Only the same item with the same buffs counts, and of
a bag that came out of the bank only this bag, if it is empty.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from gamekeeper.catalog.items import Item
from gamekeeper.guilds.records import Guild
from gamekeeper.history.undo.items import change
from gamekeeper.history.undo.plan import Obstacle, Reason, Result, blocked
from gamekeeper.ledger.actions import LedgerPosting
from gamekeeper.ledger.losses import Kind, kind_of
from gamekeeper.ledger.undoable import Undoable
from gamekeeper.players import rules
from gamekeeper.players.inventory import PLACES, Container, PostingContext, Spot, Stack
from gamekeeper.players.rules import MAX_HELD
from gamekeeper.players.state import State


def undo(state: State, guild: Guild, undone: Undoable, action: UUID) -> Result:
    """Move the items back in memory; both sides must be loaded."""
    if not _is_kept(undone):
        return blocked(Obstacle(reason="no_longer_kept", what="item", id=undone.item_id))
    back = BankUndo(state, guild, undone, action)
    savepoint = state.savepoint()
    before = back.held()
    obstacles = [obstacle for kind in back.kinds if (obstacle := back.move(kind))]
    about = {"guild_id": guild.id, "guild": guild.name, "quantity": back.moved}
    return Result(
        changes=[change(posting) for posting in state.inventory.posted_since(savepoint.inventory)],
        obstacles=obstacles,
        before=about | before,
        after=about | back.held(),
    )


def _is_kept(undone: Undoable) -> bool:
    """Whether both sides are known: retention drops old months, of both or of one."""
    sums: dict[Kind, int] = defaultdict(int)
    for posting in undone.postings:
        sums[kind_of(posting)] += posting.quantity
    return bool(sums) and not any(sums.values())


class BankUndo:
    """The undo of one deposit or withdrawal, by kind of item: by its stat buffs."""

    def __init__(self, state: State, guild: Guild, undone: Undoable, action: UUID) -> None:
        assert undone.player_id is not None
        self._state, self._guild, self._player = state, guild, undone.player_id
        self._item_id = undone.item_id
        self._context = PostingContext(action, "guild")
        self._of_player: dict[Kind, list[LedgerPosting]] = defaultdict(list)
        self._of_guild: dict[Kind, list[LedgerPosting]] = defaultdict(list)
        for posting in reversed(undone.postings):
            side = self._of_guild if posting.place == "guild" else self._of_player
            side[kind_of(posting)].append(posting)
        self.kinds = list(self._of_player)
        self.moved = 0

    def held(self) -> dict[str, int]:
        """How many each side has, in the form that deposits and withdrawals record."""
        assert self._item_id is not None
        count = self._state.inventory.count
        return {
            "inventory": count(self._player, "inventory", self._item_id),
            "bank": count(self._guild.id, "guild", self._item_id),
        }

    def move(self, kind: Kind) -> Obstacle | None:
        """Move one kind back, as many as possible; the obstacle if that is not all."""
        item = self._state.known_items.get(kind[0])
        wanted = abs(sum(posting.quantity for posting in self._of_player[kind]))
        is_deposit = sum(posting.quantity for posting in self._of_player[kind]) < 0
        if item is None:
            return self._obstacle("unknown_item", "guild", kind, wanted, 0)
        there = self._banked(kind) if is_deposit else self._carried(kind)
        found = sum(stack.quantity for _, stack in there)
        quantity = min(wanted, found)
        give = self._give_player if is_deposit else self._give_guild
        given = give(item, kind, quantity) if quantity else 0
        self._take(there, given)
        self.moved += given
        if given == wanted:
            return None
        source, target = ("guild", "inventory") if is_deposit else ("inventory", "guild")
        if given < quantity:
            return self._obstacle("no_room", target, kind, wanted, given)
        return self._obstacle(self._why_gone(kind, source), source, kind, wanted, given)

    def _obstacle(
        self, reason: Reason, place: str, kind: Kind, wanted: int, possible: int
    ) -> Obstacle:
        return Obstacle(
            reason=reason, what="item", id=kind[0], place=place, wanted=wanted, possible=possible
        )

    def _why_gone(self, kind: Kind, source: str) -> Reason:
        bags = [posting.bag_id for posting in self._of_player[kind]]
        has_bag = any(self._state.inventory.has_bag(self._player, bag) for bag in bags)
        return "bag_not_empty" if source == "inventory" and has_bag else "gone"

    # ── What can be taken, from its own slots first ──

    def _banked(self, kind: Kind) -> list[tuple[Spot, Stack]]:
        own = [posting.slot for posting in self._of_guild[kind]]
        found = _alike(self._state.inventory.at(self._guild.id, "guild").items(), kind)
        ordered = sorted(found, key=lambda entry: (entry[0] not in own, entry[0]))
        return [((self._guild.id, "guild", number), stack) for number, stack in ordered]

    def _carried(self, kind: Kind) -> list[tuple[Spot, Stack]]:
        """In the inventory, the bank and bags of the character; of bags, those that it got."""
        inventory, postings = self._state.inventory, self._of_player[kind]
        own = {(posting.place, posting.slot) for posting in postings}
        bags = {posting.bag_id for posting in postings}
        found: list[tuple[Spot, Stack]] = []
        for place in self._containers():
            for number, stack in sorted(_alike(inventory.at(self._player, place).items(), kind)):
                if stack.bag_id in bags and not stack.bag_filled:
                    found.append(((self._player, place, number), stack))
        return sorted(found, key=lambda entry: entry[0][1:] not in own)

    def _containers(self) -> list[Container]:
        bags = [
            stack.bag_id
            for place in PLACES
            for _, stack in sorted(self._state.inventory.at(self._player, place).items())
            if stack.bag_id
        ]
        return [*PLACES, *bags]

    def _take(self, there: Sequence[tuple[Spot, Stack]], quantity: int) -> None:
        for spot, stack in there:
            taken = min(quantity, stack.quantity)
            if taken:
                rest = stack.quantity - taken
                left = replace(stack, quantity=rest) if rest else None
                self._state.inventory.set_slot(spot, left, self._context)
                quantity -= taken
        assert not quantity, "more was given than can be taken"

    # ── Giving, into the former slots first ──

    def _give_player(self, item: Item, kind: Kind, quantity: int) -> int:
        state, player = self._state, self._player
        quantity = min(quantity, MAX_HELD - state.inventory.holding(player, item.id).total)
        if item.bag_slots:
            # A bag comes out of a guild's bank as a new one, as by a withdrawal.
            most = state.settings.inventory_slots + state.settings.bank_slots
            things = rules.make(state, item, max(0, min(quantity, most)), kind[1])
        else:
            things = [Stack(item_id=item.id, quantity=max(0, quantity), stat_buffs=kind[1])]
        given = 0
        for thing in things:
            left = thing.quantity
            for posting in self._of_player[kind]:
                if left and posting.place in PLACES:
                    spot: Spot = (player, posting.place, posting.slot)
                    part = replace(thing, quantity=min(left, abs(posting.quantity)))
                    left -= rules.lay(state, spot, part, self._context)
            if left:
                rest = replace(thing, quantity=left)
                left = rules.deposit(state, player, [rest], PLACES, self._context)
            given += thing.quantity - left
        return given

    def _give_guild(self, item: Item, kind: Kind, quantity: int) -> int:
        inventory, size = self._state.inventory, self._guild.bank_slots_count
        bank, left = inventory.at(self._guild.id, "guild"), quantity
        thing = Stack(item_id=item.id, quantity=quantity, stat_buffs=kind[1])
        for posting in self._of_guild[kind]:
            held, number = bank.get(posting.slot), posting.slot
            fits = min(left, abs(posting.quantity), rules.room(held, thing, stack=item.bank_stack))
            if fits > 0 and number < size:
                now = replace(thing, quantity=fits + (held.quantity if held else 0))
                inventory.set_slot((self._guild.id, "guild", number), now, self._context)
                left -= fits
        changed, rest = rules.put(bank, size, replace(thing, quantity=left), stack=item.bank_stack)
        for number, stack in changed.items():
            inventory.set_slot((self._guild.id, "guild", number), stack, self._context)
        return quantity - rest


def _alike(slots: Iterable[tuple[int, Stack]], kind: Kind) -> list[tuple[int, Any]]:
    return [(number, stack) for number, stack in slots if (stack.item_id, stack.stat_buffs) == kind]
