"""
Rules for a line that need the catalog and the settings, but not the database.

`check` also normalises the line: typed variables, sorted slots, ids of bags. Then a line is
equal to what an export writes for the same character.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC
from functools import lru_cache
from re import compile as pattern
from typing import get_args
from uuid import UUID, uuid5

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from gamekeeper.auth.secrets import imported_digest, is_record
from gamekeeper.catalog.files import Catalog, Class
from gamekeeper.catalog.items import Item
from gamekeeper.catalog.variables import Variable, of_type
from gamekeeper.core import names, parsing
from gamekeeper.core.parsing import Unreadable
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Queryable
from gamekeeper.players.records import NOTHING
from gamekeeper.transfer.lines import (
    INT32,
    BagLine,
    BagSlotLine,
    Line,
    PlayerLine,
    PowerName,
    SlotLine,
    UserLine,
)
from gamekeeper.users import emails
from gamekeeper.users.emails import InvalidEmail
from gamekeeper.users.passwords import EMPTY

POWER_NAMES: list[PowerName] = sorted(get_args(PowerName))

Faults = Iterator[tuple[str, str]]
"""Fields with the reason why each is refused."""

NO_ADDRESS = "no-address.invalid"
"""The domain of accounts that have no usable address: no mail can ever reach it (RFC 2606)."""
PLAIN_LOCAL = pattern(r"[A-Za-z0-9]+(?:[._+-][A-Za-z0-9]+)*")


class KnownCatalog(Struct, frozen=True):
    """The whole catalog, by id."""

    items: dict[UUID, Item]
    spells: frozenset[UUID]
    variables: dict[UUID, Variable]
    classes: dict[UUID, Class]

    @classmethod
    async def load(cls, reader: Queryable) -> "KnownCatalog":
        items = await reader.all(
            Item,
            """
            SELECT id, name, type, stackable, inventory_stack, bank_stack, bag_slots, bankable
              FROM items
            """,
        )
        variables = await reader.all(
            Variable, "SELECT id, name, type FROM variables WHERE owner = 'player'"
        )
        classes = await reader.all(
            Class,
            """
            SELECT id, name, base_vitals, vital_increases, base_stats, base_exp, exp_increase,
                   max_level
              FROM classes
            """,
        )
        return cls(
            {item.id: item for item in items},
            frozenset(row["id"] for row in await reader.rows("SELECT id FROM spells")),
            {variable.id: variable for variable in variables},
            {one.id: one for one in classes},
        )

    def of_another_game(self, more: Catalog) -> "KnownCatalog":
        """With its catalog, and what it allowed: stacks of any size, and all of it in banks."""
        items: dict[UUID, Item] = {**self.items, **{one.id: one for one in more.items}}
        own = {one.id: one for one in more.variables if one.owner == "player"}
        return KnownCatalog(
            {
                key: replace(item, inventory_stack=INT32, bank_stack=INT32, bankable=True)
                for key, item in items.items()
            },
            self.spells | {one.id for one in more.spells},
            {**self.variables, **own},
            {**self.classes, **{one.id: one for one in more.classes}},
        )


def check(line: Line, catalog: KnownCatalog, settings: Settings) -> Faults:
    """Normalise the line; yields what is wrong with it."""
    if line.id == NOTHING:
        yield "id", "must not be all zeros"
    if line.name is not UNSET and not line.name.strip():
        yield "name", "must not be blank"
    if line.name is not UNSET and not isinstance(names.parse(line.name), str):
        yield "name", "looks like an id, so nobody could be found by it"
    yield from _times(line)
    if isinstance(line, UserLine):
        _settle_mute(line)
        yield from _user(line)
    else:
        yield from _sheet(line, catalog, settings)
        yield from _places(line, catalog, settings)
        yield from _spells(line, catalog, settings)
        yield from _variables(line, catalog)
        yield from _extras(line)


def _settle_mute(line: UserLine) -> None:
    """Nobody who is not muted has a reason for it; without `is_muted` there is nothing to say."""
    if line.mute_reason is not UNSET and line.is_muted is not True:
        line.mute_reason = None if line.is_muted is False else UNSET
    line.mute_reason = line.mute_reason or (UNSET if line.mute_reason is UNSET else None)


def _times(line: Line) -> Faults:
    for name in ("created_at", "last_online"):
        if at := getattr(line, name, UNSET):
            try:
                setattr(line, name, at.astimezone(UTC))
            except OverflowError:
                yield name, "is before the year 1 or after 9999 in UTC"


# ── Accounts ──


def _user(line: UserLine) -> Faults:
    if line.email is not UNSET:
        try:
            line.email = normal_email(line.email)
        except InvalidEmail as fault:
            yield "email", str(fault)
    if line.powers is not UNSET:
        line.powers = [power for power in POWER_NAMES if power in line.powers]
    if line.password is not UNSET:
        given = line.password
        if (given.sealed is None) == (given.sha256 is None):
            yield "password", "must have either 'sha256' or 'sealed'"
        elif given.sealed is not None and (given.salt is not None or not is_record(given.sealed)):
            yield "password.sealed", "is not a record of Gamekeeper"
        elif given.sha256 is not None and bytes.fromhex(given.sha256) == imported_digest(
            bytes.fromhex(EMPTY), given.salt or ""
        ):
            yield "password.sha256", "is the hash of an empty password"


def normal_email(email: str) -> str:
    """As `emails.normal`, which takes long: a plain address needs only its domain checked."""
    local, _, domain = email.rpartition("@")
    if domain == NO_ADDRESS and PLAIN_LOCAL.fullmatch(local):
        return email
    if len(email) > emails.LONGEST or len(local) > emails.LONGEST_LOCAL:
        return emails.normal(email)
    if not PLAIN_LOCAL.fullmatch(local) or not domain.isascii():
        return emails.normal(email)
    return f"{local}@{_domain(domain)}"


@lru_cache(100_000)
def _domain(domain: str) -> str:
    return emails.normal(f"a@{domain}").rpartition("@")[2]


# ── The sheet ──


def _sheet(line: PlayerLine, catalog: KnownCatalog, settings: Settings) -> Faults:
    if line.class_id is not UNSET:
        kind = catalog.classes.get(line.class_id)
        if kind is None:
            yield "class_id", f"the catalog has no class {line.class_id}"
        elif line.level is not UNSET and line.level > kind.max_level:
            yield "level", f"is {line.level}, but the highest of the class is {kind.max_level}"
    if line.vitals is not UNSET and line.max_vitals is not UNSET:
        vitals = zip(line.vitals, line.max_vitals, strict=True)
        if any(now > most for now, most in vitals):
            yield "vitals", "must not be above max_vitals"
    if line.equipment is not UNSET:
        worn = range(-1, settings.inventory_slots)
        if any(slot not in worn for slot in line.equipment):
            yield "equipment", f"must be slots of the inventory, 0 to {worn.stop - 1}, or -1"
    if line.name_color:
        line.name_color = "#" + line.name_color[1:].upper().rjust(8, "F")


# ── Items ──


def _places(line: PlayerLine, catalog: KnownCatalog, settings: Settings) -> Faults:
    held: Counter[UUID] = Counter()
    bags: set[UUID] = set()
    sizes = {"inventory": settings.inventory_slots, "bank": settings.bank_slots}
    for place, size in sizes.items():
        slots: list[SlotLine] = getattr(line, place)
        if not slots:
            continue
        yield from _numbers(place, slots, size)
        for index, slot in enumerate(slots):
            where = f"{place}[{index}]"
            item = catalog.items.get(slot.item_id)
            if item is None:
                yield f"{where}.item_id", f"the catalog has no item {slot.item_id}"
                continue
            held[slot.item_id] += slot.quantity
            yield from _stack(where, slot, item, bank=place == "bank")
            if item.bag_slots:
                _name_bag(line.id, place, slot, item)
            yield from _bag(where, slot, item, catalog, bags)
        slots.sort(key=_number)
    for item_id, quantity in held.items():
        if quantity > INT32:
            yield "inventory", f"holds {quantity} of {item_id}, more than {INT32}"


def _number(slot: BagSlotLine) -> int:
    return slot.slot


def _numbers(where: str, slots: Iterable[BagSlotLine], size: int) -> Faults:
    seen: set[int] = set()
    for index, slot in enumerate(slots):
        if slot.slot >= size:
            yield f"{where}[{index}].slot", f"is {slot.slot}, but there are only {size} slots"
        if slot.slot in seen:
            yield f"{where}[{index}].slot", f"slot {slot.slot} is there twice"
        seen.add(slot.slot)


def _stack(where: str, slot: BagSlotLine, item: Item, *, bank: bool) -> Faults:
    limit = item.bank_stack if bank else item.inventory_stack
    if slot.quantity > limit:
        yield f"{where}.quantity", f"is {slot.quantity}, but {item.name} stacks to {limit}"
    if bank and not item.bankable:
        yield f"{where}.item_id", f"{item.name} cannot be put into the bank"


def _name_bag(player: UUID, place: str, slot: SlotLine, item: Item) -> None:
    bag = slot.bag = slot.bag or BagLine(slots=[])
    bag.id = bag.id or uuid5(slot.item_id, f"{player}/{place}/{slot.slot}")
    bag.slot_count = bag.slot_count or item.bag_slots


def _bag(where: str, slot: SlotLine, item: Item, catalog: KnownCatalog, bags: set[UUID]) -> Faults:
    bag = slot.bag
    if bag is None:
        return
    if not item.bag_slots or bag.id is None or bag.slot_count is None:
        yield f"{where}.bag", f"{item.name} is not a bag"
        return
    if bag.id == NOTHING:
        yield f"{where}.bag.id", "must not be all zeros"
    if bag.id in bags:
        yield f"{where}.bag.id", f"the bag {bag.id} is in another slot already"
    bags.add(bag.id)
    yield from _numbers(f"{where}.bag.slots", bag.slots, bag.slot_count)
    for index, inside in enumerate(bag.slots):
        place = f"{where}.bag.slots[{index}]"
        thing = catalog.items.get(inside.item_id)
        if thing is None:
            yield f"{place}.item_id", f"the catalog has no item {inside.item_id}"
        elif thing.bag_slots:
            yield f"{place}.item_id", f"{thing.name} is a bag, and a bag cannot be in a bag"
        else:
            yield from _stack(place, inside, thing, bank=False)
    bag.slots.sort(key=_number)


# ── Spells and variables ──


def _spells(line: PlayerLine, catalog: KnownCatalog, settings: Settings) -> Faults:
    if not line.spells:
        return
    slots: set[int] = set()
    known: set[UUID] = set()
    for index, spell in enumerate(line.spells):
        where = f"spells[{index}]"
        if spell.spell_id not in catalog.spells:
            yield f"{where}.spell_id", f"the catalog has no spell {spell.spell_id}"
        if spell.spell_id in known:
            yield f"{where}.spell_id", f"spell {spell.spell_id} is there twice"
        if spell.slot in slots:
            yield f"{where}.slot", f"slot {spell.slot} is there twice"
        if spell.slot >= settings.spell_slots:
            yield f"{where}.slot", f"is {spell.slot}, but there are {settings.spell_slots} slots"
        slots.add(spell.slot)
        known.add(spell.spell_id)
    line.spells.sort(key=lambda spell: spell.slot)


def _extras(line: PlayerLine) -> Faults:
    if line.extras and b"\\u0000" in msgspec.json.encode(line.extras):
        yield "extras", "must not contain NUL"


def _variables(line: PlayerLine, catalog: KnownCatalog) -> Faults:
    if not line.variables:
        return
    for variable_id, value in line.variables.items():
        variable = catalog.variables.get(variable_id)
        where = f"variables.{variable_id}"
        if variable is None:
            yield where, "the catalog has no such variable"
            continue
        try:
            line.variables[variable_id] = of_type(variable, parsing.scalar(value))
        except Unreadable as wanted:
            yield where, f"'{variable.name}' takes {wanted}"
