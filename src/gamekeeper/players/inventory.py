"""
Inventory: the item slots of some characters, in memory during an operation, with savepoints.

Every change of a slot makes a posting in the item ledger, and every change since a savepoint
can be rolled back. One statement loads all characters, after their rows were locked; saving
takes one statement for each kind of change.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from gamekeeper.db.arrays import columns
from gamekeeper.db.database import Writer
from gamekeeper.ledger.actions import Against, LedgerPosting
from gamekeeper.ledger.places import PlaceName
from gamekeeper.players import bag_rows, equipment, guild_slots
from gamekeeper.players.mailbox import slots as letter_slots
from gamekeeper.players.records import Holding
from gamekeeper.players.stacks import NO_BUFFS, PLACES, Container, InLetter, Place, Spot, Stack

__all__ = ["NO_BUFFS", "PLACES", "Container", "InLetter", "Place", "Spot", "Stack"]

Slots = Mapping[int, Stack]  # A number that is missing is an empty slot.
NO_SLOTS: Slots = {}


class PostingContext(Struct, frozen=True):
    """The action of a posting, its counter account, and the loss it refers to, if any."""

    action_id: UUID
    against: Against
    loss_id: UUID | None = None


class InventorySavepoint(Struct, frozen=True):
    changes: int
    new_bags: dict[UUID, UUID]
    gone_bags: dict[UUID, UUID]


class Inventory:
    def __init__(self) -> None:
        self._slots: dict[tuple[UUID, Container], dict[int, Stack]] = {}
        self._postings: list[LedgerPosting] = []
        self._replaced: list[tuple[Spot, Stack | None]] = []
        """The contents of a slot before each change, one for each posting."""
        self.posted: Counter[UUID] = Counter()
        self.bag_sizes: dict[UUID, int] = {}
        """The slot count of each bag; set it for a new bag before the bag goes into a slot."""
        self._new_bags: dict[UUID, UUID] = {}
        self._gone_bags: dict[UUID, UUID] = {}

    async def load(self, writer: Writer, players: Sequence[UUID]) -> None:
        """Load the inventories and banks of `players`, whose rows must be locked."""
        rows = await writer.rows(
            """
            SELECT player_id, place, slot, item_id, quantity, stat_buffs, bag_id,
                   bag_id IS NOT NULL AND EXISTS (
                       SELECT FROM bag_slots
                        WHERE bag_slots.player_id = slots.player_id
                          AND bag_slots.bag_id = slots.bag_id) AS bag_filled
              FROM slots
             WHERE player_id = ANY($1)
            """,
            list(players),
        )
        for player, place, slot, item, quantity, buffs, bag, filled in rows:
            stack = Stack(item_id=item, quantity=quantity, stat_buffs=tuple(buffs), bag_id=bag)
            self.at(player, place)[slot] = replace(stack, bag_filled=True) if filled else stack

    async def load_bags(self, writer: Writer, players: Sequence[UUID]) -> None:
        """Load the contents and the slot counts of the bags of `players`."""
        rows = await writer.rows(
            """
            SELECT player_id, bag_id, slot, item_id, quantity, stat_buffs
              FROM bag_slots
             WHERE player_id = ANY($1)
            """,
            list(players),
        )
        for player, bag, slot, item, quantity, buffs in rows:
            inside = self.at(player, bag)
            inside[slot] = Stack(item_id=item, quantity=quantity, stat_buffs=tuple(buffs))
        sizes = await writer.rows(
            "SELECT id, slot_count FROM bags WHERE player_id = ANY($1)", list(players)
        )
        self.bag_sizes |= {row["id"]: row["slot_count"] for row in sizes}

    async def load_guilds(self, writer: Writer, guilds: Sequence[UUID]) -> None:
        """Load the banks of `guilds`, whose rows must be locked."""
        for guild, slot, stack in await guild_slots.load(writer, guilds):
            self.at(guild, "guild")[slot] = stack

    async def load_letters(
        self, writer: Writer, players: Sequence[UUID], letters: Sequence[UUID] | None = None
    ) -> None:
        """Load the items of `letters` of locked `players`; None: of all their letters."""
        for (player, container, slot), stack in await letter_slots.load(writer, players, letters):
            self.at(player, container)[slot] = stack

    def at(self, player: UUID, container: Container) -> dict[int, Stack]:
        try:
            return self._slots[player, container]
        except KeyError:
            return self._slots.setdefault((player, container), {})

    def containers(self) -> list[tuple[UUID, Container]]:
        """Every container that was loaded or changed, with its owner."""
        return list(self._slots)

    def item_ids(self) -> set[UUID]:
        return {stack.item_id for slots in self._slots.values() for stack in slots.values()}

    def count(self, player: UUID, place: Container, item: UUID) -> int:
        count = 0
        for stack in self._slots.get((player, place), NO_SLOTS).values():
            if stack.item_id == item:
                count += stack.quantity
        return count

    def holding(self, player: UUID, item: UUID) -> Holding:
        inventory, bank = self.count(player, "inventory", item), self.count(player, "bank", item)
        return Holding(total=inventory + bank, bank=bank, inventory=inventory)

    def has_bag(self, player: UUID, bag: UUID | None) -> bool:
        """Whether the bag is in the player's inventory or bank."""
        stacks = [stack for place in PLACES for stack in self.at(player, place).values()]
        return bag is not None and any(stack.bag_id == bag for stack in stacks)

    def savepoint(self) -> InventorySavepoint:
        return InventorySavepoint(len(self._replaced), dict(self._new_bags), dict(self._gone_bags))

    def rollback(self, savepoint: InventorySavepoint) -> None:
        """Roll back every change since the savepoint."""
        self._new_bags, self._gone_bags = dict(savepoint.new_bags), dict(savepoint.gone_bags)
        while len(self._replaced) > savepoint.changes:
            (player, container, number), before = self._replaced.pop()
            self._postings.pop()
            self.posted[player] -= 1
            self.at(player, container).pop(number, None)
            if before is not None:
                self.at(player, container)[number] = before
            self._note_filled(player, container)

    def posted_since(self, savepoint: InventorySavepoint) -> list[LedgerPosting]:
        return self._postings[savepoint.changes :]

    def set_slot(self, spot: Spot, stack: Stack | None, context: PostingContext) -> None:
        """Set the contents of a slot, and add the posting for it."""
        player, container, number = spot
        before = self.at(player, container).pop(number, None)
        if stack is not None:
            self.at(player, container)[number] = stack
        self._move_bags(player, before, stack)
        self._replaced.append((spot, before))
        self._postings.append(_posting(spot, before, stack, context))
        self.posted[player] += 1
        self._note_filled(player, container)

    def _move_bags(self, player: UUID, before: Stack | None, now: Stack | None) -> None:
        """Remove and add bags according to the change of a slot."""
        gone, come = before and before.bag_id, now and now.bag_id
        if gone and gone != come:
            self.remove_bag(player, gone)
        if come and gone != come:
            self.add_bag(player, come)

    def remove_bag(self, player: UUID, bag: UUID) -> None:
        if self._new_bags.pop(bag, None) is None:
            self._gone_bags[bag] = player

    def add_bag(self, player: UUID, bag: UUID) -> None:
        """Add a bag; if its owner lost it in this operation, cancel the removal instead."""
        if self._gone_bags.get(bag) == player:
            del self._gone_bags[bag]
        else:
            self._new_bags[bag] = player

    def _note_filled(self, player: UUID, container: Container) -> None:
        """Update `bag_filled` in the slot that holds the bag."""
        if isinstance(container, UUID):
            filled = bool(self.at(player, container))
            for place in PLACES:
                for number, stack in self.at(player, place).items():
                    if stack.bag_id == container:
                        self.at(player, place)[number] = replace(stack, bag_filled=filled)

    async def save(self, writer: Writer) -> list[LedgerPosting]:
        """Write only the changed slots; returns the postings, which the caller writes."""
        # A slot may have changed several times: only its stored and its last contents count.
        first: dict[Spot, Stack | None] = {}
        for spot, before in self._replaced:
            first.setdefault(spot, before)
        now = {spot: self.at(spot[0], spot[1]).get(spot[2]) for spot in first}
        filled = {spot: stack for spot, stack in now.items() if stack is not None}
        # A bag may be in one slot only, so slots that held bags are emptied before any is filled.
        emptied = [
            spot
            for spot, before in first.items()
            if now[spot] is None or (before is not None and before.bag_id is not None)
        ]
        elsewhere = [spot for spot in first if spot[1] not in PLACES]
        if emptied:
            await _empty(writer, emptied)
            if elsewhere:
                await letter_slots.empty(writer, emptied)
        other = [spot for spot in first if _is_other(first[spot], now[spot])]
        if worn := [(player, slot) for player, where, slot in other if where == "inventory"]:
            await equipment.take_off(writer, worn)
        if self._gone_bags:
            await bag_rows.remove(writer, self._gone_bags)
        if self._new_bags:
            sizes = {bag: self.bag_sizes[bag] for bag in self._new_bags}
            await bag_rows.add(writer, self._new_bags, sizes)
        await _fill(writer, filled)
        if elsewhere:
            await letter_slots.fill(writer, filled)
            await guild_slots.save(writer, now)
        return self._postings


def _is_other(before: Stack | None, now: Stack | None) -> bool:
    """Whether the former contents of a slot are gone."""
    if before is None or now is None:
        return before is not None
    return (before.item_id, before.stat_buffs) != (now.item_id, now.stat_buffs)


def _posting(
    spot: Spot, before: Stack | None, after: Stack | None, context: PostingContext
) -> LedgerPosting:
    player, container, number = spot
    stack = after or before
    assert stack is not None
    place: PlaceName = "bag"
    inside: UUID | None = None
    if isinstance(container, str):
        place = container
    elif isinstance(container, InLetter):
        place, inside = "mail", container.letter_id
    else:
        inside = container
    return LedgerPosting(
        player_id=player,
        action_id=context.action_id,
        place=place,
        inside=inside,
        slot=number,
        item_id=stack.item_id,
        held_before=before.quantity if before else 0,
        held_after=after.quantity if after else 0,
        stat_buffs=stack.stat_buffs,
        bag_id=stack.bag_id,
        against=context.against,
        loss_id=context.loss_id,
    )


async def _fill(writer: Writer, filled: Mapping[Spot, Stack]) -> None:
    own = {spot: stack for spot, stack in filled.items() if spot[1] in PLACES}
    inside = {spot: stack for spot, stack in filled.items() if isinstance(spot[1], UUID)}
    if own:
        await writer.run(
            """
            INSERT INTO slots (player_id, place, slot, item_id, quantity, stat_buffs, bag_id)
            SELECT player_id, place::place, slot, item_id, quantity, stat_buffs::int[], bag_id
              FROM unnest($1::uuid[], $2::text[], $3::int[], $4::uuid[], $5::int[], $6::text[],
                          $7::uuid[])
                   AS new (player_id, place, slot, item_id, quantity, stat_buffs, bag_id)
            ON CONFLICT (player_id, place, slot) DO UPDATE
               SET item_id = excluded.item_id, quantity = excluded.quantity,
                   stat_buffs = excluded.stat_buffs, bag_id = excluded.bag_id
            """,
            *columns([(*spot, *_contents(stack), stack.bag_id) for spot, stack in own.items()]),
        )
    if inside:
        await writer.run(
            """
            INSERT INTO bag_slots (player_id, bag_id, slot, item_id, quantity, stat_buffs)
            SELECT player_id, bag_id, slot, item_id, quantity, stat_buffs::int[]
              FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[], $5::int[], $6::text[])
                   AS new (player_id, bag_id, slot, item_id, quantity, stat_buffs)
            ON CONFLICT (player_id, bag_id, slot) DO UPDATE
               SET item_id = excluded.item_id, quantity = excluded.quantity,
                   stat_buffs = excluded.stat_buffs
            """,
            *columns([(*spot, *_contents(stack)) for spot, stack in inside.items()]),
        )


def _contents(stack: Stack) -> tuple[UUID, int, str]:
    # Buffs as text: unnest flattens an array of arrays.
    return stack.item_id, stack.quantity, f"{{{','.join(map(str, stack.stat_buffs))}}}"


async def _empty(writer: Writer, spots: Sequence[Spot]) -> None:
    own = [spot for spot in spots if spot[1] in PLACES]
    inside = [spot for spot in spots if isinstance(spot[1], UUID)]
    if own:
        await writer.run(
            """
            DELETE FROM slots
             USING unnest($1::uuid[], $2::text[], $3::int[]) AS gone (player_id, place, slot)
             WHERE slots.player_id = ANY($1) AND slots.player_id = gone.player_id
               AND slots.place = gone.place::place AND slots.slot = gone.slot
            """,
            *columns(own),
        )
    if inside:
        await writer.run(
            """
            DELETE FROM bag_slots
             USING unnest($1::uuid[], $2::uuid[], $3::int[]) AS gone (player_id, bag_id, slot)
             WHERE bag_slots.player_id = ANY($1) AND bag_slots.player_id = gone.player_id
               AND bag_slots.bag_id = gone.bag_id AND bag_slots.slot = gone.slot
            """,
            *columns(inside),
        )
