"""
Builds: a few thousand character templates, from which all players are generated.

A build is one class at one level with all it owns, as rows ready for COPY with
placeholders for the ids of the player and of the bags. To generate every slot of a
million players one by one would take Python longer than PostgreSQL needs to store
them.
"""

from msgspec import Struct

from gamekeeper.catalog.files import CatalogItem, Class
from gamekeeper.demo import rows, world
from gamekeeper.demo.dice import Dice

COUNT = 4096

# Placeholders, each as long as the GUID that replaces it.
PLAYER = b"{the player id!}"
BAGS = (b"{the first bag!}", b"{the other bag!}")

PLACES = {"inventory": rows.text("inventory"), "bank": rows.text("bank")}
NO_BUFFS = [0, 0, 0, 0, 0]
MOST_GOLD_PER_LEVEL = 400
SECONDS_PER_LEVEL = 1800
KEPT_FREE = 5


class Room(Struct, frozen=True):
    """The slot counts of a player."""

    inventory: int = 35
    bank: int = 100
    spells: int = 35
    filled: int = 0
    """The minimum number of filled slots of inventory and bank together."""


class Build(Struct, frozen=True):
    level: int
    exp_to_next: int
    play_seconds: int
    character: bytes
    """The values of `CHARACTER_COLUMNS`."""
    slots: bytes
    special_slots: bytes
    """Slots with stat buffs or a bag, which most slots do not have."""
    spells: bytes
    variables: bytes
    bags: list[tuple[bytes, int, bytes]]
    """The placeholder, the slot count, and the rows of the contents."""


CHARACTER_COLUMNS = (
    "class_id",
    "gender",
    "level",
    "stat_points",
    "vitals",
    "max_vitals",
    "base_stats",
    "stat_point_allocations",
    "equipment",
    "sprite",
    "face",
)


class Pack:
    """The items of a character, filled from slot 0 on, with occasional gaps."""

    def __init__(self, dice: Dice, room: Room) -> None:
        self.dice, self.room = dice, room
        self.next = {"inventory": 0, "bank": 0}
        self.plain: list[bytes] = []
        self.special: list[bytes] = []
        self.bags: list[tuple[bytes, int, bytes]] = []

    @property
    def size(self) -> int:
        return len(self.plain) + len(self.special)

    def put(
        self, place: str, item: CatalogItem, quantity: int = 1, buffs: list[int] = NO_BUFFS
    ) -> int:
        """Put an item into the next slot; returns the slot, or -1 if none is free."""
        return self._put(place, item, quantity, buffs, rows.NULL)

    def put_bag(self, bag: CatalogItem, inside: list[tuple[CatalogItem, int]]) -> None:
        mark = BAGS[len(self.bags)]
        if self._put("inventory", bag, 1, NO_BUFFS, rows.guid(mark)) >= 0:
            contents = [
                rows.row(
                    rows.guid(PLAYER),
                    rows.guid(mark),
                    rows.int4(slot),
                    rows.guid(item.id.bytes),
                    rows.int4(quantity),
                )
                for slot, (item, quantity) in enumerate(inside[: bag.bag_slots])
            ]
            self.bags.append((mark, bag.bag_slots, b"".join(contents)))

    def _put(
        self, place: str, item: CatalogItem, quantity: int, buffs: list[int], bag: bytes
    ) -> int:
        slot = self.next[place] + self.dice.chance(0.08)
        if slot >= getattr(self.room, place):
            return -1
        self.next[place] = slot + 1
        values = [rows.guid(PLAYER), PLACES[place], rows.int4(slot)]
        values += [rows.guid(item.id.bytes), rows.int4(quantity)]
        if buffs is NO_BUFFS and bag is rows.NULL:
            self.plain.append(rows.row(*values))
        else:
            self.special.append(rows.row(*values, rows.int4s(buffs), bag))
        return slot


def build(seed: int, number: int, room: Room) -> Build:
    """Generate one of the `COUNT` builds of a world."""
    dice = Dice(seed, "build", number)
    calling = dice.pick(world.CALLINGS)
    kind = world.classes()[calling.name]
    level = _level((number + dice.fraction()) / COUNT, kind.max_level)
    pack = Pack(dice, room)
    equipment = _dress(pack, calling, level)
    _fill(pack, level)
    _stock(pack, Dice(seed, "stock", number), level)
    return Build(
        level,
        _exp_to_next(kind, level),
        SECONDS_PER_LEVEL * level + 60 * level * level,
        _character(dice, kind, level, equipment),
        b"".join(pack.plain),
        b"".join(pack.special),
        _spells(dice, calling, level, room),
        _variables(dice, level),
        pack.bags,
    )


def _level(fraction: float, highest: int) -> int:
    """Half of all characters are below 4, one in forty is above 50."""
    return min(highest, 1 + int(2.5 * fraction / (1.025 - fraction)))


def _exp_to_next(kind: Class, level: int) -> int:
    # Integers: a power of a float may differ in its last digit between machines.
    if level >= kind.max_level:
        return 0
    return kind.base_exp * (100 + kind.exp_increase) ** (level - 1) // 100 ** (level - 1)


def _character(dice: Dice, kind: Class, level: int, equipment: list[int]) -> bytes:
    gender = dice.below(2)
    most = [
        base + increase * (level - 1)
        for base, increase in zip(kind.base_vitals, kind.vital_increases, strict=True)
    ]
    now = most if dice.chance(0.8) else [dice.between(1, vital) for vital in most]
    unspent = dice.below(min(level, 6))
    spent = [0, 0, 0, 0, 0]
    for _ in range(level - 1 - unspent):
        spent[dice.below(5)] += 1
    look = f"{kind.name.lower()}_{'mf'[gender]}{dice.between(1, 6)}.png"
    return b"".join(
        (
            rows.guid(kind.id.bytes),
            rows.int2(gender),
            rows.int4(level),
            rows.int4(unspent),
            rows.int4s(now),
            rows.int4s(most),
            rows.int4s(kind.base_stats),
            rows.int4s(spent),
            rows.int4s(equipment),
            rows.text(look),
            rows.text(look),
        )
    )


def _dress(pack: Pack, calling: world.Calling, level: int) -> list[int]:
    """Put the equipment into the inventory; returns the slot worn in each place."""
    wardrobe = (world.HELMETS, calling.armors, calling.weapons, calling.shields, world.BOOTS)
    return [_wear(pack, steps, level) for steps in wardrobe]


def _wear(pack: Pack, steps: world.Steps, level: int) -> int:
    reached = [name for name, least in steps if least <= level]
    # Half of the equipment of beginners (below level 10) is missing.
    if not reached or (level < 10 and pack.dice.chance(0.5)):
        return -1
    item = world.items()[reached[-1] if pack.dice.chance(0.7) else pack.dice.pick(reached)]
    if level < 12 or pack.dice.chance(0.7):
        return pack.put("inventory", item)
    buffs = list(NO_BUFFS)
    buffs[pack.dice.below(5)] = pack.dice.between(1, 1 + level // 8)
    return pack.put("inventory", item, 1, buffs)


def _fill(pack: Pack, level: int) -> None:
    dice, gold = pack.dice, world.items()["Gold Coin"]
    pack.put("inventory", gold, dice.between(1, MOST_GOLD_PER_LEVEL * level))
    if dice.chance(min(0.6, level / 120)):
        for _ in range(1 + dice.chance(level / 300)):
            _add_bag(pack, level)
    for _ in range(dice.between(level // 12, level // 5)):
        pack.put("inventory", *_found(dice, level, "inventory_stack"))
    if level > 20:
        pack.put("bank", gold, dice.between(1, 10 * MOST_GOLD_PER_LEVEL * level))
        for _ in range(dice.between(0, (level - 20) * 2 // 5)):
            item, quantity = _found(dice, level, "bank_stack")
            if item.bankable:
                pack.put("bank", item, quantity)


def _stock(pack: Pack, dice: Dice, level: int) -> None:
    """
    Add loot until enough slots are filled.

    It has its own random stream, so that more items leave all else unchanged. The last
    slots of the inventory stay free, so that items can be given.
    """
    pack.dice = dice
    while pack.size < pack.room.filled:
        free = pack.next["inventory"] < pack.room.inventory - KEPT_FREE
        place = "inventory" if free else "bank"
        item, quantity = _found(dice, level, f"{place}_stack")
        if (free or item.bankable) and pack.put(place, item, quantity) < 0:
            return


def _add_bag(pack: Pack, level: int) -> None:
    reached = [name for name, least in world.BAGS if least <= level] or ["Linen Pouch"]
    bag = world.items()[pack.dice.pick(reached)]
    count = pack.dice.between(0, bag.bag_slots // 2)
    pack.put_bag(bag, [_found(pack.dice, level, "inventory_stack") for _ in range(count)])


def _found(dice: Dice, level: int, limit: str) -> tuple[CatalogItem, int]:
    name, _, most = dice.pick([loot for loot in world.LOOT if loot[1] <= level])
    item = world.items()[name]
    return item, dice.between(1, min(most, getattr(item, limit)))


def _spells(dice: Dice, calling: world.Calling, level: int, room: Room) -> bytes:
    known = [name for name, least in calling.spells if least <= level and dice.chance(0.9)]
    return b"".join(
        rows.row(rows.guid(PLAYER), rows.int4(slot), rows.guid(world.spells()[name].id.bytes))
        for slot, name in enumerate(known[: room.spells])
    )


def _variables(dice: Dice, level: int) -> bytes:
    values: dict[str, bool | int | float | str] = {}
    if level >= 4:
        values["Tutorial Done"] = dice.chance(0.95)
    if level >= 7:
        values["Quests Completed"] = dice.between(level // 2, level * 3)
    if level >= 20:
        values["Monsters Slain"] = dice.between(level * 10, level * 90)
        values["Knows the Old King"] = dice.chance(0.5)
    if level >= 40 and dice.chance(0.5):
        values["Title"] = dice.pick(world.TITLES)
        values["Arena Rating"] = dice.between(8000, 24000) / 10
    return b"".join(
        rows.row(rows.guid(PLAYER), rows.guid(world.variables()[name].id.bytes), rows.jsonb(value))
        for name, value in values.items()
    )
