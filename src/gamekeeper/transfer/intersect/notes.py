"""Notes of an import: what was renamed, replaced or left out, and of whom."""

from collections import Counter
from typing import Literal

from msgspec import Struct

MOST_NOTES = 100_000
"""Of each kind that are kept one by one; all are counted."""

NoteKind = Literal[
    "account_renamed",
    "character_renamed",
    "address_replaced",
    "password_missing",
    "registration_unknown",
    "item_placeholder",
    "spell_placeholder",
    "class_placeholder",
    "class_simplified",
    "catalog_name",
    "catalog_value",
    "variable_unknown",
    "variable_value",
    "quantity_corrected",
    "quantity_lost",
    "slot_moved",
    "item_lost",
    "bag_emptied",
    "bag_lost",
    "spell_twice",
    "value_corrected",
    "row_unreadable",
    "orphan",
    "deleted_here",
    "erased_here",
    "address_ban",
    "section_left_out",
    "guild_renamed",
    "guild_kept",
    "guild_rank",
    "object_too_large",
]

MEANINGS: dict[NoteKind, str] = {
    "account_renamed": "accounts get another name",
    "character_renamed": "characters get another name",
    "address_replaced": "accounts get no usable email address",
    "password_missing": "accounts have no usable password: they need a reset",
    "registration_unknown": "accounts have no date of registration and get today's",
    "item_placeholder": "items are owned but no longer in the game: placeholders are made",
    "spell_placeholder": "spells are known but no longer in the game: placeholders are made",
    "class_placeholder": "classes are used but no longer in the game: placeholders are made",
    "class_simplified": "classes have rules that are not used here",
    "catalog_name": "names of the catalog are cut or made up",
    "catalog_value": "values of the catalog are out of bounds and were corrected",
    "variable_unknown": "values of variables that no longer exist: kept with the extras",
    "variable_value": "values that do not fit their variable: kept with the extras",
    "quantity_corrected": "stacks of nothing become one piece",
    "quantity_lost": "pieces are more than can be held and are LEFT OUT",
    "slot_moved": "stacks lie in another slot than before",
    "item_lost": "stacks are LEFT OUT",
    "bag_emptied": "bags share their contents with another, and are empty here",
    "bag_lost": "bags are in no slot of anybody and are LEFT OUT",
    "spell_twice": "spells are known twice: the first slot counts",
    "value_corrected": "values of characters are out of bounds and were corrected",
    "row_unreadable": "rows have no readable id and are LEFT OUT",
    "orphan": "rows belong to nobody and are LEFT OUT",
    "deleted_here": "characters were deleted here and are LEFT OUT",
    "erased_here": "accounts were erased here and are LEFT OUT, with their characters",
    "address_ban": "bans also name an internet address; only the account is banned here",
    "section_left_out": "kinds of data have no place here and are LEFT OUT",
    "guild_renamed": "guilds get another name",
    "guild_kept": "guilds changed there since they came; they stay as they are here",
    "guild_rank": "members of guilds get another rank",
    "object_too_large": "objects of the editor are too large; only their names come",
}


class Note(Struct, frozen=True):
    kind: NoteKind
    about: str
    """Whom or what: a name, an id, a table."""
    detail: str


class Notes:
    """Collects notes; counts all and keeps the first of each kind."""

    def __init__(self) -> None:
        self.kept: list[Note] = []
        self.counts: Counter[NoteKind] = Counter()

    def add(self, kind: NoteKind, about: object, detail: str = "", *, count: int = 1) -> None:
        self.counts[kind] += count
        if self.counts[kind] <= MOST_NOTES:
            self.kept.append(Note(kind, str(about)[:200], detail[:500]))
