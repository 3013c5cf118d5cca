"""
Character sheet: location, appearance, class, vitals, stats and equipment, as saved by a game.

Pure rules: `merged` validates and applies a change, `differences` returns what an action
records, `inverse` what an undo restores. The statements are in `sheets.py`, the operations
in `attributes.py`. Level and experience (progress.py) and the name (names.py) are not part
of the sheet.
"""

import re
import unicodedata
from collections.abc import Container, Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct, structs

from gamekeeper.catalog.classes import UnknownClass, vitals_at
from gamekeeper.catalog.files import Class
from gamekeeper.core.errors import Conflict, Invalid
from gamekeeper.core.parsing import INT32
from gamekeeper.core.schemas import Record
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger.actions import Action, Kind

BYTE = range(256)
COUNT = range(2**31)
LONGEST_TEXT = 255
MOST_EQUIPMENT = 32
COLOR = re.compile(r"#([0-9A-Fa-f]{2})?[0-9A-Fa-f]{6}")

NUMBERS = {"gender": BYTE, "stat_points": COUNT, "dir": BYTE, "x": INT32, "y": INT32, "z": INT32}
LISTS = {
    "vitals": (2, COUNT),
    "max_vitals": (2, COUNT),
    "base_stats": (5, COUNT),
    "stat_point_allocations": (5, COUNT),
}
TEXTS = ("map_name", "sprite", "face")


class InvalidSheet(Invalid):
    """A value of the character sheet is out of range."""


class LevelAboveClass(Conflict):
    """The character's level is above the maximum of the class."""


class Sheet(Record, frozen=True):
    """Where a character is, what it looks like, and what it is made of."""

    class_id: UUID
    gender: int
    stat_points: int
    vitals: list[int]
    """Health, mana."""
    max_vitals: list[int]
    """Health, mana."""
    base_stats: list[int]
    """Attack, ability power, defense, magic resist, speed."""
    stat_point_allocations: list[int]
    """As `BaseStats`."""
    equipment: list[int]
    """For each equipment slot the inventory slot worn in it, or -1."""
    map_id: UUID
    map_name: str
    x: int
    y: int
    z: int
    dir: int
    sprite: str
    face: str
    name_color: str
    """`#AARRGGBB`, or empty."""


class SheetChange(Struct, frozen=True, kw_only=True):
    """What to change; None leaves a field as it is."""

    class_id: UUID | None = None
    gender: int | None = None
    stat_points: int | None = None
    vitals: list[int] | None = None
    max_vitals: list[int] | None = None
    base_stats: list[int] | None = None
    stat_point_allocations: list[int] | None = None
    equipment: list[int] | None = None
    map_id: UUID | None = None
    map_name: str | None = None
    x: int | None = None
    y: int | None = None
    z: int | None = None
    dir: int | None = None
    sprite: str | None = None
    face: str | None = None
    name_color: str | None = None


FIELDS = Sheet.__struct_fields__
Fields = dict[str, Any]
"""Some fields of a sheet by name, as actions record them under the key `sheet`."""


# ── Rules ──


def merged(before: Sheet, change: SheetChange, *, inventory_slots: int) -> Sheet:
    """
    The sheet after a change; raises InvalidSheet, which names the field.

    Only the given fields are checked: stored values may predate the present bounds. If
    `max_vitals` decreases, the vitals are clamped to it unless they are given too.
    """
    given: Fields = {name: value for name in FIELDS if (value := getattr(change, name)) is not None}
    for name, value in given.items():
        _check(name, value, inventory_slots)
    if given.get("name_color"):
        given["name_color"] = "#" + given["name_color"][1:].upper().rjust(8, "F")
    after = structs.replace(before, **given)
    if "max_vitals" in given and "vitals" not in given:
        after = structs.replace(after, vitals=_least(after.vitals, after.max_vitals))
    if "vitals" in given and _least(after.vitals, after.max_vitals) != after.vitals:
        raise _invalid("vitals", "not above 'maxvitals'")
    return after


def _check(name: str, value: Any, inventory_slots: int) -> None:
    if name in NUMBERS and value not in NUMBERS[name]:
        raise _invalid(name, f"from {NUMBERS[name].start} to {NUMBERS[name].stop - 1}")
    if name in LISTS:
        length, bounds = LISTS[name]
        if len(value) != length or any(element not in bounds for element in value):
            raise _invalid(name, f"{length} integers from 0 to {bounds.stop - 1}")
    if name == "equipment" and (
        len(value) > MOST_EQUIPMENT
        or any(element not in range(-1, inventory_slots) for element in value)
    ):
        raise _invalid(
            name,
            f"at most {MOST_EQUIPMENT} slots of the inventory, 0 to {inventory_slots - 1} or -1",
        )
    if name in TEXTS and (len(value) > LONGEST_TEXT or not _is_printable(value)):
        raise _invalid(name, f"at most {LONGEST_TEXT} characters, without control characters")
    if name == "name_color" and value and not COLOR.fullmatch(value):
        raise _invalid(name, "#RRGGBB or #AARRGGBB, or empty")


def _invalid(name: str, wanted: str) -> InvalidSheet:
    field = name.replace("_", "")
    return InvalidSheet(f"'{field}' must be {wanted}.", field=field)


def _is_printable(text: str) -> bool:
    return all(unicodedata.category(char) not in ("Cc", "Cs") for char in text)


def _least(values: Sequence[int], most: Sequence[int]) -> list[int]:
    return [min(pair) for pair in zip(values, most, strict=True)]


def blank(kind: Class) -> Sheet:
    """The sheet of a new character of a class, with no location and no appearance."""
    vitals = vitals_at(kind, 1)
    return Sheet(
        class_id=kind.id,
        gender=0,
        stat_points=0,
        vitals=vitals,
        max_vitals=vitals,
        base_stats=kind.base_stats,
        stat_point_allocations=[0] * 5,
        equipment=[-1] * 5,
        map_id=UUID(int=0),
        map_name="",
        x=0,
        y=0,
        z=0,
        dir=0,
        sprite="",
        face="",
        name_color="",
    )


def checked_class(kind: Class | None, level: int) -> Class:
    """The class, if it exists and allows this level; raises otherwise."""
    if kind is None:
        raise UnknownClass
    if level > kind.max_level:
        raise LevelAboveClass(None, level=level, highest=kind.max_level)
    return kind


def differences(before: Sheet, after: Sheet) -> tuple[Fields, Fields]:
    """The fields that differ, before and after."""
    changed = [name for name in FIELDS if getattr(before, name) != getattr(after, name)]
    return (
        {name: getattr(before, name) for name in changed},
        {name: getattr(after, name) for name in changed},
    )


def inverse(
    now: Sheet, before: Fields, after: Fields, *, filled: Container[int]
) -> tuple[Sheet, Fields]:
    """
    The sheet with an action's changes reverted, and the fields that changed since.

    Equipment that came off since, because its item left the slot, does not count as a
    change; it stays off. A slot that is not `filled` is not equipped again.
    """
    former, left = typed(before), typed(after)
    back: Fields = {}
    since: Fields = {}
    for name in former:
        current = getattr(now, name)
        if name == "equipment" and _is_undressed(current, left[name]):
            off = {place for place, slot in enumerate(current) if slot != left[name][place]}
            back[name] = [
                slot if place not in off and slot in filled else -1
                for place, slot in enumerate(former[name])
            ]
        elif current == left[name]:
            back[name] = former[name]
        else:
            since[name] = current
    return structs.replace(now, **back), since


def _is_undressed(now: Sequence[int], left: Sequence[int]) -> bool:
    """Whether equipment changed only in that some of it came off."""
    return len(now) == len(left) and all(
        here in (there, -1) for here, there in zip(now, left, strict=True)
    )


def typed(state: Fields) -> Fields:
    """Restore the field types of a state that was read from JSON."""
    return {
        name: UUID(str(value)) if name in ("class_id", "map_id") else value
        for name, value in state.items()
    }


def action(
    kind: Kind, by: AuditContext, player: UUID, before: Sheet, after: Sheet
) -> Action | None:
    """The audit action for a changed sheet; None if nothing changed."""
    was, now = differences(before, after)
    if not now:
        return None
    return Action(kind=kind, by=by, player_id=player, before={"sheet": was}, after={"sheet": now})
