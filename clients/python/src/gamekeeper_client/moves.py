"""The moves a transaction is made of."""

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

from gamekeeper_client.calls import Id

Place = Literal["inventory", "bank", "bag"]
Move = dict[str, Any]


class End(TypedDict, total=False):
    """Where a character's items come from or go to."""

    place: Place
    bag: Id
    slot: int


class Appearance(TypedDict, total=False):
    """Where a new character begins, and what it looks like."""

    gender: int
    map_id: Id
    map_name: str
    x: int
    y: int
    z: int
    dir: int
    sprite: str
    face: str
    name_color: str


class SheetFields(Appearance, total=False):
    """What a game saves of a character."""

    class_id: Id
    stat_points: int
    vitals: list[int]
    max_vitals: list[int]
    base_stats: list[int]
    stat_point_allocations: list[int]
    equipment: list[int]


class Expected(TypedDict):
    """A character, and the ledger sequence it must have."""

    player: str
    seq: int


def items(
    item_id: Id | None = None,
    quantity: int | None = None,
    *,
    from_: str | None = None,
    from_end: End | None = None,
    to: str | None = None,
    to_end: End | None = None,
    bank_overflow: bool = False,
    stat_buffs: list[int] | None = None,
    deliver: Literal["inventory", "mailbox"] | None = None,
    overflow: Literal["refuse", "mailbox"] | None = None,
) -> Move:
    """
    Move items; created if there is no `from_`, destroyed if there is no `to`.

    Of new items, `overflow="mailbox"` sends what has no room in a letter, `deliver="mailbox"` all.
    """
    ends = {f"from{name}": value for name, value in (from_end or {}).items()}
    ends |= {f"to{name}": value for name, value in (to_end or {}).items()}
    return _move(
        "items",
        {"from": from_, "to": to, "itemid": item_id, "quantity": quantity, "statbuffs": stat_buffs}
        | ({"bankoverflow": True} if bank_overflow else {})
        | {"deliver": deliver, "overflow": overflow}
        | ends,
    )


def claim(player: str, letter_id: Id) -> Move:
    """Move all items of a letter to the inventory."""
    return _move("claim", {"player": player, "letterid": letter_id})


def read(player: str, letter_id: Id) -> Move:
    """Mark a letter as read."""
    return _move("read", {"player": player, "letterid": letter_id})


def variable(player: str, variable_id: Id, value: bool | int | float | str) -> Move:  # noqa: FBT001
    return _move("variable", {"player": player, "variableid": variable_id, "value": value})


def teach(player: str, spell_id: Id) -> Move:
    return _move("teach", {"player": player, "spellid": spell_id})


def forget(player: str, spell_id: Id) -> Move:
    return _move("forget", {"player": player, "spellid": spell_id})


def progress(
    player: str, *, level: int | None = None, exp: int | None = None, gain: int | None = None
) -> Move:
    """Set the level or the experience, or add experience."""
    return _move("progress", {"player": player, "level": level, "exp": exp, "gain": gain})


def sheet(player: str, **fields: Any) -> Move:
    """Save fields of a character's sheet, named as in `save_sheet`: map_id, x, y, vitals…"""
    given = {name.replace("_", ""): value for name, value in fields.items() if value is not None}
    return _move("sheet", {"player": player} | given)


def report(
    player: str, reported: str, category: str, *, text: str = "", messages: Sequence[Id] = ()
) -> Move:
    """Report another character; `messages` are the ids of chat messages that are meant."""
    about = {"player": player, "reported": reported, "category": category}
    return _move("report", about | {"text": text or None, "messages": list(messages) or None})


def _move(do: str, about: dict[str, Any]) -> Move:
    return {"do": do} | {name: value for name, value in about.items() if value is not None}
