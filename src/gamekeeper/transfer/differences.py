"""Differences between a line and what is stored: pure, for imports and for dry runs."""

from typing import Any

from msgspec import UNSET, structs

from gamekeeper.catalog.files import Class
from gamekeeper.core.errors import Problem
from gamekeeper.core.settings import Settings
from gamekeeper.players import sheet
from gamekeeper.players.progress import Progress, advance
from gamekeeper.players.sheet import Sheet, SheetChange
from gamekeeper.transfer.letters import without_texts
from gamekeeper.transfer.lines import InvalidLine, Line, PlayerLine, SanctionLine

IGNORED = ("password", "position")
"""Records of one password differ each time; passwords.py and positions.py compare them."""


def fields(line: Line, stored: Line) -> list[str]:
    """The names of the given fields that differ from the stored ones."""
    if isinstance(line, SanctionLine):
        # A sanction is never changed but lifted, and one that was lifted here stays lifted.
        return ["lifted_at"] if line.lifted_at and not getattr(stored, "lifted_at", None) else []
    return [
        name
        for name in line.__struct_fields__
        if name not in IGNORED
        and (value := getattr(line, name)) is not UNSET
        and not _same(*_compared(name, value, getattr(stored, name)))
    ]


def _compared(name: str, one: Any, other: Any) -> tuple[Any, Any]:
    if name != "mailbox":
        return one, other
    return without_texts(one), without_texts(other)


def _same(one: Any, other: Any) -> bool:
    """Equal, and of the same type within a dict: `True` is not 1 there."""
    if isinstance(one, dict):
        return one == other and all(type(one[key]) is type(other[key]) for key in one)
    return bool(one == other)


def stored_sheet(stored: PlayerLine) -> Sheet:
    return Sheet(**{name: getattr(stored, name) for name in sheet.FIELDS})


def new_sheet(line: PlayerLine, stored: PlayerLine, settings: Settings) -> Sheet:
    """The sheet after the import; raises InvalidLine if its fields do not fit each other."""
    given: dict[str, Any] = {
        name: value for name in sheet.FIELDS if (value := getattr(line, name)) is not UNSET
    }
    try:
        return sheet.merged(
            stored_sheet(stored), SheetChange(**given), inventory_slots=settings.inventory_slots
        )
    except Problem as fault:
        raise InvalidLine("vitals", str(fault)) from None


def new_progress(line: PlayerLine, stored: PlayerLine, kind: Class) -> Progress:
    """Level and experience after the import; raises InvalidLine if the class forbids the level."""
    before = Progress(_stored(stored, "level"), _stored(stored, "exp"), kind.max_level)
    try:
        return advance(before, level=line.level or None, exp=_given(line.exp), gain=None)
    except Problem as fault:
        raise InvalidLine("level", str(fault)) from None


def _given(value: Any) -> Any:
    return None if value is UNSET else value


def _stored(line: PlayerLine, name: str) -> int:
    return structs.asdict(line)[name]
