"""
What some players carry, held in memory while an operation decides about it.

Loaded in one statement for all of them, after their rows were locked; changed
by pure rules, order after order; saved by one statement for each kind of change.
"""

from collections.abc import Mapping, Sequence
from typing import Literal
from uuid import UUID, uuid4

from msgspec import Struct
from msgspec.structs import replace

from gamekeeper.catalog.items import Item
from gamekeeper.database import Writer
from gamekeeper.ledger import postings
from gamekeeper.ledger.postings import Against, Posting
from gamekeeper.players.packing import Stack

Place = Literal["inventory", "bank"]
Spot = tuple[UUID, Place, int]


class Belongings:
    def __init__(self) -> None:
        self._slots: dict[tuple[UUID, Place], dict[int, Stack]] = {}
        self._postings: list[Posting] = []
        self._touched: dict[Spot, Stack | None] = {}
        self._new_bags: dict[UUID, tuple[UUID, int]] = {}
        self._gone_bags: dict[UUID, UUID] = {}

    @classmethod
    async def of(cls, writer: Writer, players: Sequence[UUID]) -> "Belongings":
        """Everything in the inventories and banks of `players`, whose rows must be locked."""
        belongings = cls()
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
        for row in rows:
            belongings.at(row["player_id"], row["place"])[row["slot"]] = Stack(
                item_id=row["item_id"],
                quantity=row["quantity"],
                stat_buffs=tuple(row["stat_buffs"]),
                bag_id=row["bag_id"],
                bag_filled=row["bag_filled"],
            )
        return belongings

    def at(self, player: UUID, place: Place) -> dict[int, Stack]:
        return self._slots.setdefault((player, place), {})

    def add(
        self, player: UUID, place: Place, item: Item, stacks: Mapping[int, Stack], why: "Why"
    ) -> None:
        """Lay `stacks` of `item` where they were decided to go; each bag gets its inside."""
        for number, stack in stacks.items():
            if item.bag_slots:
                bag = uuid4()
                stack = replace(stack, bag_id=bag)
                self._new_bags[bag] = (player, item.bag_slots)
            self._lay((player, place, number), stack, why)

    def remove(
        self, player: UUID, place: Place, stacks: Mapping[int, Stack | None], why: "Why"
    ) -> None:
        """Leave what remains; a bag that goes takes its (empty) inside with it."""
        for number, stack in stacks.items():
            before = self.at(player, place)[number]
            if stack is None and before.bag_id:
                self._gone_bags[before.bag_id] = player
            self._lay((player, place, number), stack, why)

    def _lay(self, spot: Spot, stack: Stack | None, why: "Why") -> None:
        """Change one slot, in memory, and note the posting that goes with it."""
        player, place, number = spot
        before = self.at(player, place).pop(number, None)
        self._touched[spot] = stack
        if stack is not None:
            self.at(player, place)[number] = stack
        self._postings.append(_posting(spot, before, stack, why))

    async def save(self, writer: Writer) -> None:
        """Write what changed, and only that."""
        emptied = [spot for spot, stack in self._touched.items() if stack is None]
        filled = {spot: stack for spot, stack in self._touched.items() if stack is not None}
        if emptied:
            await _empty(writer, emptied)
            await _unequip(writer, [spot for spot in emptied if spot[1] == "inventory"])
        if self._gone_bags:
            await _drop_bags(writer, self._gone_bags)
        if self._new_bags:
            await _make_bags(writer, self._new_bags)
        if filled:
            await _fill(writer, filled)
        await postings.post(writer, self._postings)


class Why(Struct, frozen=True):
    """The action a change belongs to, and the account on its other side."""

    action_id: UUID
    against: Against


def _posting(spot: Spot, before: Stack | None, after: Stack | None, why: Why) -> Posting:
    player, place, number = spot
    stack = after or before
    assert stack is not None
    return Posting(
        player_id=player,
        action_id=why.action_id,
        place=place,
        slot=number,
        item_id=stack.item_id,
        held_before=before.quantity if before else 0,
        held_after=after.quantity if after else 0,
        stat_buffs=stack.stat_buffs,
        bag_id=stack.bag_id,
        against=why.against,
    )


async def _fill(writer: Writer, filled: Mapping[Spot, Stack]) -> None:
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
        *_columns(list(filled)),
        [stack.item_id for stack in filled.values()],
        [stack.quantity for stack in filled.values()],
        [f"{{{','.join(map(str, stack.stat_buffs))}}}" for stack in filled.values()],
        [stack.bag_id for stack in filled.values()],
    )


async def _empty(writer: Writer, spots: Sequence[Spot]) -> None:
    await writer.run(
        """
        DELETE FROM slots
         USING unnest($1::uuid[], $2::text[], $3::int[]) AS gone (player_id, place, slot)
         WHERE slots.player_id = gone.player_id
           AND slots.place = gone.place::place AND slots.slot = gone.slot
        """,
        *_columns(spots),
    )


async def _unequip(writer: Writer, spots: Sequence[Spot]) -> None:
    """What lay in a slot that is empty now cannot be worn any more."""
    await writer.run(
        """
        UPDATE players
           SET equipment = (SELECT array_agg(CASE WHEN worn = ANY(gone.slots) THEN -1 ELSE worn END
                                             ORDER BY position)
                              FROM unnest(equipment) WITH ORDINALITY AS each (worn, position))
          FROM (SELECT player_id, array_agg(slot) AS slots
                  FROM unnest($1::uuid[], $2::int[]) AS gone (player_id, slot)
                 GROUP BY player_id) AS gone
         WHERE players.id = gone.player_id AND players.equipment && gone.slots
        """,
        [player for player, _, _ in spots],
        [number for _, _, number in spots],
    )


async def _make_bags(writer: Writer, bags: Mapping[UUID, tuple[UUID, int]]) -> None:
    owners = [player for player, _ in bags.values()]
    await writer.run(
        """
        INSERT INTO bags (player_id, id, slot_count)
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[])
        """,
        owners,
        list(bags),
        [size for _, size in bags.values()],
    )
    await writer.run(
        "INSERT INTO bag_owners (bag_id, player_id) SELECT * FROM unnest($1::uuid[], $2::uuid[])",
        list(bags),
        owners,
    )


async def _drop_bags(writer: Writer, bags: Mapping[UUID, UUID]) -> None:
    await writer.run(
        """
        DELETE FROM bags
         WHERE (player_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
        """,
        list(bags.values()),
        list(bags),
    )


def _columns(spots: Sequence[Spot]) -> tuple[list[UUID], list[str], list[int]]:
    return (
        [player for player, _, _ in spots],
        [place for _, place, _ in spots],
        [number for _, _, number in spots],
    )
