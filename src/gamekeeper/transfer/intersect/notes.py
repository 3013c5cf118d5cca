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
    "account_renamed": "Accounts renamed",
    "character_renamed": "Characters renamed",
    "address_replaced": "Accounts without a usable email address",
    "password_missing": "Accounts without a usable password, which need a reset",
    "registration_unknown": "Accounts without a registration date, which get today's",
    "item_placeholder": "Items owned but no longer in the game: placeholders are created",
    "spell_placeholder": "Spells known but no longer in the game: placeholders are created",
    "class_placeholder": "Classes used but no longer in the game: placeholders are created",
    "class_simplified": "Classes with rules that are not used here",
    "catalog_name": "Catalog names shortened or generated",
    "catalog_value": "Catalog values out of range, corrected",
    "variable_unknown": "Values of variables that no longer exist: kept with the extras",
    "variable_value": "Values that do not fit their variable: kept with the extras",
    "quantity_corrected": "Stacks with quantity 0, which become 1",
    "quantity_lost": "Pieces beyond the maximum, LEFT OUT",
    "slot_moved": "Stacks moved to another slot",
    "item_lost": "Stacks LEFT OUT",
    "bag_emptied": "Bags that share their contents with another, empty here",
    "bag_lost": "Bags in no slot, LEFT OUT",
    "spell_twice": "Spells known twice: the first slot counts",
    "value_corrected": "Character values out of range, corrected",
    "row_unreadable": "Rows without a readable id, LEFT OUT",
    "orphan": "Rows without an owner, LEFT OUT",
    "deleted_here": "Characters deleted here, LEFT OUT",
    "erased_here": "Accounts erased here, LEFT OUT with their characters",
    "address_ban": "Bans that include an IP address: only the account is banned here",
    "section_left_out": "Kinds of data without a place here, LEFT OUT",
    "guild_renamed": "Guilds renamed",
    "guild_kept": "Guilds changed in both places: the copy here is kept",
    "guild_rank": "Guild members with another rank",
    "object_too_large": "Editor objects too large: only their names are imported",
}


class Note(Struct, frozen=True):
    kind: NoteKind
    about: str
    """The subject: a name, an id, a table."""
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
