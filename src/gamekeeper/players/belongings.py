"""
What some players carry, held in memory while an operation decides about it.

Loaded in one statement for all of them, after their rows were locked; changed
by pure rules, order after order; saved by one statement for each kind of change.
What was decided since a mark can be taken back, as long as it is not saved.
"""

from collections import Counter
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
PLACES: tuple[Place, Place] = ("inventory", "bank")
Container = Place | UUID
"""The inventory, the bank, or a bag, by its id."""
Spot = tuple[UUID, Container, int]
Mark = tuple[int, dict[UUID, tuple[UUID, int]], dict[UUID, UUID]]


class Belongings:
    def __init__(self) -> None:
        self._slots: dict[tuple[UUID, Container], dict[int, Stack]] = {}
        self._postings: list[Posting] = []
        self._found: list[tuple[Spot, Stack | None]] = []
        """What lay in a slot before each change, one for each posting."""
        self.posted: Counter[UUID] = Counter()
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

    async def open_bags(self, writer: Writer, players: Sequence[UUID]) -> dict[UUID, int]:
        """Load what is in the bags of `players` too; how many slots each bag has."""
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
        return {row["id"]: row["slot_count"] for row in sizes}

    def at(self, player: UUID, container: Container) -> dict[int, Stack]:
        return self._slots.setdefault((player, container), {})

    def mark(self) -> Mark:
        """Where we are, to come back to."""
        return len(self._found), dict(self._new_bags), dict(self._gone_bags)

    def back(self, mark: Mark) -> None:
        """Take back all that was decided since the mark."""
        since, self._new_bags, self._gone_bags = mark
        while len(self._found) > since:
            (player, container, number), before = self._found.pop()
            self._postings.pop()
            self.posted[player] -= 1
            self.at(player, container).pop(number, None)
            if before is not None:
                self.at(player, container)[number] = before
            self._note_filled(player, container)

    def since(self, mark: Mark) -> list[Posting]:
        return self._postings[mark[0] :]

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

    def lay(self, spot: Spot, stack: Stack | None, why: "Why") -> None:
        """Leave exactly this in a slot; whose bags are whose is the caller's to say."""
        self._lay(spot, stack, why)

    def bag_goes(self, player: UUID, bag: UUID) -> None:
        if self._new_bags.pop(bag, None) is None:
            self._gone_bags[bag] = player

    def bag_comes(self, player: UUID, bag: UUID, bag_slots: int) -> None:
        """A bag may come back to who had it, or to somebody else, before all is saved."""
        if self._gone_bags.get(bag) == player:
            del self._gone_bags[bag]
        else:
            self._new_bags[bag] = (player, bag_slots)

    def _lay(self, spot: Spot, stack: Stack | None, why: "Why") -> None:
        """Change one slot, in memory, and note the posting that goes with it."""
        player, container, number = spot
        before = self.at(player, container).pop(number, None)
        if stack is not None:
            self.at(player, container)[number] = stack
        self._found.append((spot, before))
        self._postings.append(_posting(spot, before, stack, why))
        self.posted[player] += 1
        self._note_filled(player, container)

    def _note_filled(self, player: UUID, container: Container) -> None:
        """Whoever looks at a bag's own slot sees there whether anything is in the bag."""
        if isinstance(container, UUID):
            filled = bool(self.at(player, container))
            for place in PLACES:
                for number, stack in self.at(player, place).items():
                    if stack.bag_id == container:
                        self.at(player, place)[number] = replace(stack, bag_filled=filled)

    async def save(self, writer: Writer) -> None:
        """Write what changed, and only that."""
        first: dict[Spot, Stack | None] = {}
        for spot, before in self._found:
            first.setdefault(spot, before)
        now = {spot: self.at(spot[0], spot[1]).get(spot[2]) for spot in first}
        filled = {spot: stack for spot, stack in now.items() if stack is not None}
        # A bag lies in one slot: where one lay is emptied before anything is filled.
        emptied = [
            spot
            for spot, before in first.items()
            if now[spot] is None or (before is not None and before.bag_id is not None)
        ]
        await _empty(writer, emptied)
        await _unequip(writer, [spot for spot in first if _is_other(first[spot], now[spot])])
        if self._gone_bags:
            await _drop_bags(writer, self._gone_bags)
        if self._new_bags:
            await _make_bags(writer, self._new_bags)
        await _fill(writer, filled)
        await postings.post(writer, self._postings)


def _is_other(before: Stack | None, now: Stack | None) -> bool:
    """Whether what lay in a slot lies there no more."""
    if before is None or now is None:
        return before is not None
    return (before.item_id, before.stat_buffs) != (now.item_id, now.stat_buffs)


class Why(Struct, frozen=True):
    """The action a change belongs to, the account on its other side, and which loss of it."""

    action_id: UUID
    against: Against
    loss_id: UUID | None = None


def _posting(spot: Spot, before: Stack | None, after: Stack | None, why: Why) -> Posting:
    player, container, number = spot
    stack = after or before
    assert stack is not None
    inside = container if isinstance(container, UUID) else None
    return Posting(
        player_id=player,
        action_id=why.action_id,
        place=container if not isinstance(container, UUID) else "bag",
        inside=inside,
        slot=number,
        item_id=stack.item_id,
        held_before=before.quantity if before else 0,
        held_after=after.quantity if after else 0,
        stat_buffs=stack.stat_buffs,
        bag_id=stack.bag_id,
        against=why.against,
        loss_id=why.loss_id,
    )


async def _fill(writer: Writer, filled: Mapping[Spot, Stack]) -> None:
    own = {spot: stack for spot, stack in filled.items() if not isinstance(spot[1], UUID)}
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
            *_columns(list(own)),
            *_contents(own),
            [stack.bag_id for stack in own.values()],
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
            *_columns(list(inside)),
            *_contents(inside),
        )


def _contents(filled: Mapping[Spot, Stack]) -> tuple[list[UUID], list[int], list[str]]:
    return (
        [stack.item_id for stack in filled.values()],
        [stack.quantity for stack in filled.values()],
        [f"{{{','.join(map(str, stack.stat_buffs))}}}" for stack in filled.values()],
    )


async def _empty(writer: Writer, spots: Sequence[Spot]) -> None:
    own = [spot for spot in spots if not isinstance(spot[1], UUID)]
    inside = [spot for spot in spots if isinstance(spot[1], UUID)]
    if own:
        await writer.run(
            """
            DELETE FROM slots
             USING unnest($1::uuid[], $2::text[], $3::int[]) AS gone (player_id, place, slot)
             WHERE slots.player_id = ANY($1) AND slots.player_id = gone.player_id
               AND slots.place = gone.place::place AND slots.slot = gone.slot
            """,
            *_columns(own),
        )
    if inside:
        await writer.run(
            """
            DELETE FROM bag_slots
             USING unnest($1::uuid[], $2::uuid[], $3::int[]) AS gone (player_id, bag_id, slot)
             WHERE bag_slots.player_id = ANY($1) AND bag_slots.player_id = gone.player_id
               AND bag_slots.bag_id = gone.bag_id AND bag_slots.slot = gone.slot
            """,
            *_columns(inside),
        )


async def _unequip(writer: Writer, spots: Sequence[Spot]) -> None:
    """What lay in a slot and lies there no more cannot be worn any more."""
    worn = [spot for spot in spots if spot[1] == "inventory"]
    if not worn:
        return
    await writer.run(
        """
        UPDATE players
           SET equipment = (SELECT array_agg(CASE WHEN worn = ANY(gone.slots) THEN -1 ELSE worn END
                                             ORDER BY position)
                              FROM unnest(equipment) WITH ORDINALITY AS each (worn, position))
          FROM (SELECT player_id, array_agg(slot) AS slots
                  FROM unnest($1::uuid[], $2::int[]) AS gone (player_id, slot)
                 GROUP BY player_id) AS gone
         WHERE players.id = ANY($1) AND players.id = gone.player_id
           AND players.equipment && gone.slots
        """,
        [player for player, _, _ in worn],
        [number for _, _, number in worn],
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
    # By ourselves: the directory may be on another machine, where nothing cascades to.
    await writer.run("DELETE FROM bag_owners WHERE bag_id = ANY($1)", list(bags))
    await writer.run(
        """
        DELETE FROM bags
         WHERE player_id = ANY($1)
           AND (player_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
        """,
        list(bags.values()),
        list(bags),
    )


def _columns(spots: Sequence[Spot]) -> tuple[list[UUID], list[Container], list[int]]:
    return (
        [player for player, _, _ in spots],
        [place for _, place, _ in spots],
        [number for _, _, number in spots],
    )
